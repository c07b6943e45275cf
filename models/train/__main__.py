"""Remake the models: invent decks, draw scenes, train detector, embedder, matcher and what reads dice.

Seeded and resumable: what was made or trained before an interruption is taken up again.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from models import checksums
from models.train import train_detector, train_embedder
from models.train.average import average_weights
from models.train.data import CACHE, build
from models.train.dice.train import train_dice
from models.train.matching.net import export as export_matcher
from models.train.matching.net import export_trunk, halve
from models.train.matching.samples import MARGIN_PX
from models.train.matching.samples import build as build_pairs
from models.train.matching.train import train as train_matcher
from models.train.measure import measure
from models.train.quantise import crops_of, pairs_of, patches_of, quantise, quantise_convolutions
from models.train.streamline import streamline

HELD_OUT_DECKS = 8


def main() -> None:
    """Run one stage or all of them."""
    parser = argparse.ArgumentParser(prog="python -m models.train", description=__doc__)
    stages = ["all", "data", "detector", "embedder", "matcher", "dice", "measure"]
    parser.add_argument("stage", nargs="?", choices=stages, default="all")
    parser.add_argument("--decks", type=int, default=280, help="invented decks to train on (default %(default)s)")
    parser.add_argument("--patches", type=int, default=44, help="scenes of each deck (default %(default)s)")
    parser.add_argument("--detector-steps", type=int, default=18000)
    parser.add_argument("--detector-batch", type=int, default=8, help="patches of each step (default %(default)s)")
    parser.add_argument("--embedder-steps", type=int, default=6000)
    parser.add_argument(
        "--detector-from", type=Path, metavar="ONNX", help="a detector to go on from (default: from nothing)"
    )
    parser.add_argument(
        "--half-way", action="store_true", help="write the mean of the finder gone on from and what it became"
    )
    parser.add_argument("--detector-rate", type=float, default=2e-3, help="the detector's highest learning rate")
    parser.add_argument(
        "--embedder-from", type=Path, metavar="ONNX", help="an embedder to go on from (default: from nothing)"
    )
    parser.add_argument("--embedder-rate", type=float, default=1.5e-3, help="the embedder's highest learning rate")
    parser.add_argument(
        "--matcher-decks", type=int, default=187, help="decks whose crops are compared (default %(default)s)"
    )
    parser.add_argument("--matcher-tables", type=int, default=40, help="scenes of each of them (default %(default)s)")
    parser.add_argument("--matcher-steps", type=int, default=7000)
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1], help="folder of the ONNX files")
    parser.add_argument("--threads", type=int, default=2, help="threads of one training run (default %(default)s)")
    parser.add_argument("--dice-scenes", type=int, default=5000, help="scenes of dice (default %(default)s)")
    parser.add_argument("--dice-crops", type=int, default=20000, help="crops of dice (default %(default)s)")
    parser.add_argument("--dice-phantoms", type=int, default=5000, help="crops where no die lies (default %(default)s)")
    parser.add_argument("--dice-steps", type=int, default=4500, help="the face reader's steps (default %(default)s)")
    parser.add_argument(
        "--dice-from", type=Path, metavar="FOLDER", help="a face reader to go on from, behind its finder"
    )
    options = parser.parse_args()
    if options.half_way and options.detector_from is None:
        parser.error("--half-way wants --detector-from: it lies between that detector and what training makes of it.")
    CACHE.mkdir(parents=True, exist_ok=True)
    options.out.mkdir(parents=True, exist_ok=True)
    if options.stage in ("all", "dice"):
        train_dice(
            options.dice_scenes,
            options.dice_crops,
            options.dice_phantoms,
            options.dice_steps,
            options.out,
            options.threads,
            options.dice_from,
        )
    if options.stage == "dice":
        checksums.write(options.out)
        return
    paths = build(options.decks, options.patches, HELD_OUT_DECKS)
    training, held_out = paths[:-HELD_OUT_DECKS], paths[-HELD_OUT_DECKS:]
    if options.stage in ("all", "detector"):
        net = train_detector.train(
            training,
            held_out,
            options.detector_steps,
            batch=options.detector_batch,
            threads=options.threads,
            lr=options.detector_rate,
            published=options.detector_from,
        )
        trained = CACHE / "detector-float.onnx"
        train_detector.export(net, trained)
        if options.half_way:
            average_weights(options.detector_from, trained, trained)
        quantise(trained, options.out / "detector.onnx", patches_of(training))
        streamline(options.out / "detector.onnx")
    if options.stage in ("all", "embedder"):
        net = train_embedder.train(
            training,
            held_out,
            options.embedder_steps,
            threads=options.threads,
            lr=options.embedder_rate,
            published=options.embedder_from,
        )
        trained = CACHE / "embedder-float.onnx"
        train_embedder.export(net, trained)
        quantise(trained, options.out / "embedder.onnx", crops_of(training))
    if options.stage in ("all", "matcher"):
        shards, others = build_pairs(options.matcher_decks, options.matcher_tables, HELD_OUT_DECKS)
        matcher, trunk = train_matcher(shards, others, options.matcher_steps, options.out / "embedder.onnx")
        trained = CACHE / "crop_features-float.onnx"
        export_trunk(matcher, trunk, trained)
        quantise(trained, options.out / "crop_features.onnx", crops_of(shards, "crops", MARGIN_PX))
        halve(options.out / "crop_features.onnx")
        export_matcher(matcher, CACHE)
        batches = pairs_of(shards, options.out)
        for name in ("matcher", "matcher_pose"):
            quantise_convolutions(CACHE / f"{name}.onnx", options.out / f"{name}.onnx", batches)
    checksums.write(options.out)
    if options.stage in ("all", "measure"):
        print(json.dumps(measure(options.out, held_out), indent=1))


if __name__ == "__main__":
    main()
