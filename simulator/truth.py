"""The truth beside a simulated recording: what really lay on each frame, and what each confirm should give.

The program itself never reads it; it is there to score a reader and a referee by.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.placing import Placed, Tray
from referee.table import Die
from rules.game import Move

_PX_PER_MM = 2.0


def measure_visible_shares(
    cards: Sequence[Placed], mat_mm: tuple[float, float], px_per_mm: float = _PX_PER_MM
) -> list[float]:
    """Return the share of each card's face that no card above it covers, 0 to 1; cards are given bottom to top.

    Counted in pixels: ``px_per_mm`` of them say how finely.
    """
    w, h = (round(side * px_per_mm) for side in mat_mm)
    top = np.full((h, w), -1, np.int32)
    whole = []
    for number, card in enumerate(cards):
        outline = np.rint(np.array(card.find_corners()) * px_per_mm).astype(np.int32)
        x, y, across, down = cv2.boundingRect(outline)
        alone = np.zeros((down, across), np.uint8)
        cv2.fillConvexPoly(alone, outline - (x, y), 1)
        whole.append(int(alone.sum()))
        cv2.fillConvexPoly(top, outline, number)
    shown = np.bincount(top[top >= 0], minlength=len(cards))
    return [float(seen) / max(1, area) for seen, area in zip(shown, whole, strict=True)]


class TruthWriter:
    """Writes ``truth.jsonl`` into a recording's folder."""

    def __init__(self, folder: Path, mat_mm: tuple[float, float]) -> None:
        self._file = (folder / "truth.jsonl").open("w", encoding="utf-8")
        self._mat_mm = mat_mm

    def write_frame(self, t: float, name: str, cards: Iterable[Placed], tray: Tray | None = None) -> None:
        """Write what lies on the table on this frame."""
        placed = list(cards)
        seen = [
            {
                "card": card.name,
                "x": round(card.x, 1),
                "y": round(card.y, 1),
                "angle": round(card.angle % 360, 1),
                "visible": round(share, 3),
            }
            for card, share in zip(placed, measure_visible_shares(placed, self._mat_mm), strict=True)
            if card.card
        ]
        line = {"t": round(t, 3), "frame": name, "mat_mm": list(self._mat_mm), "cards": seen}
        self._write_line(line if tray is None else {**line, "dice": [_describe_die(die) for die in tray.dice]})

    def write_expected(self, t: float, move: Move | None, code: str | None, by: str) -> None:
        """Write what should be answered at ``t``: accepted, as that move where it is one, or refused with that code.

        With neither, what was done is right and no move. ``by`` is what brings it about: ``confirm``, ``told`` or
        ``look``.
        """
        line: dict[str, Any] = {"t": round(t, 3), "by": by}
        if code is None:
            told = {} if move is None else {"move": move.to_json()}
            self._write_line({**line, "expect": "accepted", **told})
        else:
            self._write_line({**line, "expect": "refused", "code": code})

    def write_final(self, t: float, points: Sequence[int], winners: Sequence[int]) -> None:
        """Write how the game ended."""
        self._write_line({"t": round(t, 3), "final": list(points), "winners": list(winners)})

    def close(self) -> None:
        """Finish the file; closing twice does no harm."""
        self._file.close()

    def _write_line(self, data: dict[str, Any]) -> None:
        self._file.write(json.dumps(data, ensure_ascii=False) + "\n")
        self._file.flush()


def _describe_die(die: Die) -> dict[str, Any]:
    cocked = die.cause == "cocked"
    place = {"x": round(die.x, 1), "y": round(die.y, 1)}
    return {**place, "value": die.value, "colour": die.colour, "cocked": cocked, "visible": 1.0}
