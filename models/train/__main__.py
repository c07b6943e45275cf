"""Remake the models: invent decks, draw scenes, train the finder and the namer, write the ONNX files.

Seeded and resumable: what was made or trained before an interruption is taken up again.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from models import checksums
from models.train import train_detector, train_embedder
from models.train.average import average
from models.train.data import CACHE, build
from models.train.measure import measure
from models.train.quantise import patches_of, quantise, strips_of
from models.train.streamline import streamline

HELD_OUT_DECKS = 8


def main() -> None:
    """Run one stage or all of them."""
    parser = argparse.ArgumentParser(prog="python -m models.train", description=__doc__)
    parser.add_argument("stage", nargs="?", choices=["all", "data", "finder", "namer", "measure"], default="all")
    parser.add_argument("--decks", type=int, default=280, help="invented decks to train on (default %(default)s)")
    parser.add_argument("--patches", type=int, default=44, help="scenes of each deck (default %(default)s)")
    parser.add_argument("--finder-steps", type=int, default=18000)
    parser.add_argument("--finder-batch", type=int, default=8, help="patches of each step (default %(default)s)")
    parser.add_argument("--namer-steps", type=int, default=6000)
    parser.add_argument(
        "--finder-from", type=Path, metavar="ONNX", help="a finder to go on from (default: from nothing)"
    )
    parser.add_argument(
        "--half-way", action="store_true", help="write the mean of the finder gone on from and what it became"
    )
    parser.add_argument("--finder-rate", type=float, default=2e-3, help="the finder's highest learning rate")
    parser.add_argument("--namer-from", type=Path, metavar="ONNX", help="a namer to go on from (default: from nothing)")
    parser.add_argument("--namer-rate", type=float, default=1.5e-3, help="the namer's highest learning rate")
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1], help="folder of the ONNX files")
    parser.add_argument("--threads", type=int, default=2, help="threads of one training run (default %(default)s)")
    options = parser.parse_args()
    if options.half_way and options.finder_from is None:
        parser.error("--half-way wants --finder-from: it lies between that finder and what training makes of it.")
    CACHE.mkdir(parents=True, exist_ok=True)
    options.out.mkdir(parents=True, exist_ok=True)
    paths = build(options.decks, options.patches, HELD_OUT_DECKS)
    training, held_out = paths[:-HELD_OUT_DECKS], paths[-HELD_OUT_DECKS:]
    if options.stage in ("all", "finder"):
        net = train_detector.train(
            training,
            held_out,
            options.finder_steps,
            batch=options.finder_batch,
            threads=options.threads,
            lr=options.finder_rate,
            published=options.finder_from,
        )
        trained = CACHE / "finder-float.onnx"
        train_detector.export(net, trained)
        if options.half_way:
            average(options.finder_from, trained, trained)
        quantise(trained, options.out / "detector.onnx", patches_of(training))
        streamline(options.out / "detector.onnx")
    if options.stage in ("all", "namer"):
        net = train_embedder.train(
            training,
            held_out,
            options.namer_steps,
            threads=options.threads,
            lr=options.namer_rate,
            published=options.namer_from,
        )
        trained = CACHE / "namer-float.onnx"
        train_embedder.export(net, trained)
        quantise(trained, options.out / "embedder.onnx", strips_of(training))
    checksums.write(options.out)
    if options.stage in ("all", "measure"):
        print(json.dumps(measure(options.out, held_out), indent=1))


if __name__ == "__main__":
    main()
