"""Draws what `measure.py` found: shares read and whole tables right along each axis."""

from __future__ import annotations

import json
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
from matplotlib import pyplot as plt

AXES = ("px per mm", "mat", "glare", "exposure")


def draw_plot(cache: Path) -> None:
    """Write results.png from results.json in ``cache``."""
    sums = json.loads((cache / "results.json").read_text())["sums"]
    figure, places = plt.subplots(1, len(AXES), figsize=(12, 3.4), sharey=True)
    for axis, place in zip(AXES, places, strict=True):
        rows = sums[axis]
        names = sorted(rows, key=float) if axis in ("px per mm", "exposure") else list(rows)
        cards = [100 * rows[n]["read"] / max(1, rows[n]["cards"]) for n in names]
        strips = [100 * rows[n]["strips_read"] / max(1, rows[n]["strips"]) for n in names]
        right = [100 * rows[n]["right"] / rows[n]["tables"] for n in names]
        safe = [100 * rows[n]["safe"] / rows[n]["tables"] for n in names]
        place.plot(names, cards, "o-", color="#205c92", label="cards read")
        place.plot(names, strips, "s--", color="#5aa0d0", label="strips read")
        place.plot(names, safe, "^-", color="#3a8a4a", label="tables without a wrong name")
        place.plot(names, right, "D-", color="#c0392b", label="whole tables right")
        place.set_title(axis)
        place.set_ylim(0, 102)
        place.grid(alpha=0.3)
    places[0].set_ylabel("%")
    handles, labels = places[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncols=4, frameon=False)
    figure.tight_layout(rect=(0, 0.08, 1, 1))
    figure.savefig(cache / "results.png", dpi=90)
