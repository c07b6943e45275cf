"""``python -m tools.benchmark_ood.failures``: a sheet of what was not read or read wrongly, as the camera saw it."""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.arrays import Picture
from vision.mat import Mat, find_mat
from vision.picture import load_picture

CACHE = Path(__file__).parent / "cache"
_BOX_MM = (74.0, 40.0)
_PX_PER_MM = 3.0


def cut_cell(picture: np.ndarray, mat: Mat, entry: dict[str, Any]) -> np.ndarray:
    """Cut out the upper end of the card concerned, upright, with a caption; (150, 222, 3)."""
    turn = math.radians(entry["angle"])
    up = 88 / 2 - 14
    centre = (entry["x"] + up * math.sin(turn), entry["y"] - up * math.cos(turn))
    patch = mat.cut_patch(picture, centre, entry["angle"], _BOX_MM, _PX_PER_MM)
    if entry.get("stray"):
        said = f"read {entry['card']}, is {entry['truth'] or 'nothing'}"
    elif entry["unread"]:
        said = f"{entry['card']}: {entry['unread']['cause']} {'/'.join(entry['unread']['candidates'][:2])}"
    else:
        said = f"{entry['card']}: nothing said"
    cell = cv2.copyMakeBorder(patch, 0, 30, 0, 0, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    for row, words in enumerate((entry["frame"], said)):
        place = (3, patch.shape[0] + 12 + 13 * row)
        cv2.putText(cell, words, place, cv2.FONT_HERSHEY_SIMPLEX, 0.36, (0, 0, 0), 1, cv2.LINE_AA)
    return cell


def write_sheet(most: int, wrong_only: bool) -> None:
    """Write failures.png into the cache: an even choice of the failures, wrong names first."""
    entries = [json.loads(line) for line in (CACHE / "cards.jsonl").read_text().splitlines()]
    wrong = [e for e in entries if e.get("stray")]
    missed = [] if wrong_only else [e for e in entries if not e.get("stray") and not e["read"]]
    room = max(0, most - len(wrong))
    chosen = wrong[:most] + missed[:: max(1, math.ceil(len(missed) / max(1, room)))][:room]
    cells = []
    seen: tuple[str, Picture, Mat] | None = None
    for entry in sorted(chosen, key=lambda e: (not e.get("stray"), e["frame"])):
        if seen is None or seen[0] != entry["frame"]:
            picture = load_picture(CACHE / entry["frame"])
            seen = (entry["frame"], picture, find_mat(picture))
        cells.append(cut_cell(seen[1], seen[2], entry))
    if not cells:
        print("nothing failed")
        return
    columns = 6
    cells += [np.full_like(cells[0], 255)] * (-len(cells) % columns)
    rows = [np.hstack(cells[k : k + columns]) for k in range(0, len(cells), columns)]
    cv2.imwrite(str(CACHE / "failures.png"), np.vstack(rows))
    print(f"{len(wrong)} wrong, {len(missed)} not read: {CACHE / 'failures.png'}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tools.benchmark_ood.failures", description=__doc__)
    parser.add_argument("--most", type=int, default=60)
    parser.add_argument("--wrong", action="store_true", help="wrong names only")
    options = parser.parse_args()
    write_sheet(options.most, options.wrong)
