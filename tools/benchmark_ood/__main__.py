"""``python -m tools.benchmark_ood render|plot``: what of `make bench-vision` needs tracer and plotting library."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from ctypes.util import find_library
from dataclasses import asdict
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from tools.benchmark_ood import plan, scene
from tools.benchmark_ood.art import draw_face
from tools.benchmark_ood.camera import camera_over
from tools.benchmark_ood.ink import FONT_PACKAGES, FONTS, font_path
from tools.benchmark_ood.lens import photograph, traced_size

CACHE = Path(__file__).parent / "cache"


def _check_machine() -> None:
    """Name what of Debian is missing, and leave."""
    if not os.environ.get("DRJIT_LIBLLVM_PATH"):
        library = find_library("LLVM-19")
        if library is None:
            sys.exit(
                "bench-vision: the path tracer needs LLVM 19: apt-get install libllvm19 (or set DRJIT_LIBLLVM_PATH)"
            )
        os.environ["DRJIT_LIBLLVM_PATH"] = library
    missing = [name for name in FONTS if font_path(name) is None]
    if missing:
        sys.exit(f"bench-vision: the benchmark's decks need Debian's fonts: apt-get install {FONT_PACKAGES}")


def _take(shot: plan.Shot) -> dict[str, object]:
    """Render one picture into the cache; returns its line of truth."""
    from tools.benchmark_ood.render import trace

    rng = np.random.default_rng(shot.seed)
    laid, look, lens = plan.laid_for(shot, rng), plan.look_for(shot, rng), plan.lens_for(shot, rng)
    w, h = shot.size_px
    traced = traced_size((w, h))
    camera = camera_over(shot.mat_mm, look, traced, traced[0] / w)
    faces = {name: draw_face(shot.deck, name) for name in {card.name for card in laid.cards}}
    light, white = trace(laid, faces, look, camera, rng)
    picture = photograph(light, (w, h), white, lens, rng)
    cv2.imwrite(str(CACHE / shot.frame), picture, [cv2.IMWRITE_JPEG_QUALITY, lens.quality])
    return {
        "frame": shot.frame,
        "deck": shot.deck.name,
        "page": shot.page,
        "nasty": shot.deck.nasty,
        "px_per_mm": shot.px_per_mm,
        "seats": laid.seats,
        "mat_mm": list(shot.mat_mm),
        "marker_mm": scene.MARKER,
        "look": {**asdict(look), **asdict(lens), "size": [w, h]},
        "cards": laid.list_truth(),
    }


def render(wanted: list[plan.Shot], truth: Path, most: int) -> None:
    """Render what is not there yet, at most so many pictures; a run broken off goes on where it stopped."""
    _check_machine()
    CACHE.mkdir(exist_ok=True)
    done = {json.loads(line)["frame"] for line in truth.read_text().splitlines()} if truth.exists() else set()
    left = [shot for shot in wanted if shot.frame not in done or not (CACHE / shot.frame).exists()][:most]
    start = time.monotonic()
    for count, shot in enumerate(left, 1):
        line = _take(shot)
        with truth.open("a") as file:
            file.write(json.dumps(line) + "\n")
        spent = (time.monotonic() - start) / count
        ahead = spent * (len(left) - count) / 60
        print(
            f"{len(wanted) - len(left) + count}/{len(wanted)} {shot.frame}  {spent:.0f} s each, {ahead:.0f} min to go",
            flush=True,
        )


def main() -> None:
    """Read the command line and do one of the two steps."""
    parser = argparse.ArgumentParser(prog="python -m tools.benchmark_ood", description=__doc__)
    parser.add_argument("step", choices=("render", "plot"))
    parser.add_argument("--most", type=int, default=10_000, help="render at most so many pictures")
    parser.add_argument(
        "--further", type=int, metavar="N", help="render N tables taken well that the benchmark has not, instead"
    )
    options = parser.parse_args()
    if options.step == "render" and options.further is not None:
        render(list(islice(plan.list_further(), options.further)), CACHE / "further.jsonl", options.most)
    elif options.step == "render":
        render(list(plan.list_shots()), CACHE / "truth.jsonl", options.most)
    else:
        from tools.benchmark_ood.plot import draw_plot

        draw_plot(CACHE)


if __name__ == "__main__":
    main()
