"""An enrolled deck: what each card's ends look like, learnt from three pages, in one file."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import DECK
from vision.errors import VisionError
from vision.networks import STRIP_SHAPE, Floats, Looks, Picture

PAPER_KINDS = (
    "straight5", "straight7", "straight9", "straight11", "three", "five", "three_pairs", "four_pairs", "triple_threes",
    "straight_flush4", "straight_flush6", "sum49", "sum100", "ace_king", "all_even", "end_flag",
)  # fmt: skip
"""The order in which paper cards lie on the enrolment pages (the names of the record format)."""
SEVEN_NAMES = tuple(str(card) for card in DECK)
BACK = "back"
_FORMAT = 1
_DISTINCT = 0.05
"""Looks that differ by less (1 − cosine) are alike; pictures of one card differ by 0.01 to 0.1 themselves."""
_CORNER_PX = (3, 3, 46, 40)
_TITLE_PX = (8, 3, 152, 46)
_BACK_PX = (3, 3, 46, 40)
_INK_ROWS = 26
_LEAST_INK_PX = 20
_FAINTEST_INK = 0.1


class DeckError(VisionError):
    """A deck file that is missing, damaged or of another version."""


@dataclass(frozen=True)
class DeckCard:
    """One card's two ends as enrolled: strips (56, 160, 3) BGR uint8, upper end first."""

    name: str
    strips: tuple[Picture, Picture]


@dataclass(frozen=True)
class Print:
    """The part of an enrolled strip that is compared point by point.

    ``x`` and ``y`` (px) say where in the strip it lies, ``part`` (h, w, 3) what it shows, ``inked`` (h, w) where its
    upper 10 mm are printed on, and ``ink`` (3,) the direction in which that ink differs from the ground.
    """

    x: int
    y: int
    part: Floats
    inked: NDArray[np.bool_]
    ink: Floats

    @classmethod
    def of(cls, strip: Picture, box: tuple[int, int, int, int]) -> Print:
        """Take the box (x0, y0, x1, y1 px) of a strip (56, 160, 3)."""
        x0, y0, x1, y1 = box
        part = np.ascontiguousarray(soften(strip)[y0:y1, x0:x1])
        upper = part[:_INK_ROWS]
        away = np.abs(upper / _ground(upper) - 1).max(axis=2)
        inked = np.zeros(part.shape[:2], bool)
        inked[:_INK_ROWS] = away > max(_FAINTEST_INK, 0.4 * float(np.percentile(away, 99)))
        return cls(x0, y0, part, inked, ink_direction(part, inked))


def soften(strip: Picture) -> Floats:
    """A strip with the noise taken off, as prints are compared."""
    return np.asarray(cv2.GaussianBlur(strip, (0, 0), 0.8), np.float32)


def _ground(part: Floats) -> Floats:
    values = np.ascontiguousarray(part.reshape(-1, part.shape[-1]).T)
    middle = values.shape[1] // 2
    return np.asarray(np.partition(values, middle, axis=1)[:, middle] + 1.0, np.float32)


def ink_direction(part: Floats, inked: NDArray[np.bool_], ground: Floats | None = None) -> Floats:
    """The unit direction (blue, green, red) in which the inked points differ from the ground; zero without ink.

    A share of the ground, so it stands any light, and a direction, so it stands blur. ``ground`` is the part's own, as
    ``ground_of`` gives it, where it is known already.
    """
    points = int(inked.sum())
    if points < _LEAST_INK_PX:
        return np.zeros(3, np.float32)
    own = ground_of(part) if ground is None else ground
    away = inked.ravel().astype(np.float32) @ part.reshape(-1, 3) / own - points
    return np.asarray(away / max(1e-6, float(np.linalg.norm(away))), np.float32)


def ground_of(part: Floats) -> Floats:
    """The ground's colour (3,) in the part of a strip that prints are compared in."""
    return _ground(part[:_INK_ROWS])


@dataclass(frozen=True)
class Deck:
    """The cards of a deck and what the namer makes of their ends.

    ``looks`` holds two rows a card: upper end, lower end. ``model`` says which namer made them.
    """

    name: str
    cards: tuple[DeckCard, ...]
    looks: Looks
    model: str

    @property
    def names(self) -> tuple[str, ...]:
        """The cards' names in the order of ``looks``."""
        return tuple(card.name for card in self.cards)

    @cached_property
    def apart(self) -> Floats:
        """How far each row of ``looks`` is from each other one: (m, m), 0 where they look alike to 1 where distinct."""
        away = 1 - self.looks.embedding @ self.looks.embedding.T
        return np.asarray(np.clip(away / _DISTINCT, 0.0, 1.0), np.float32)

    @cached_property
    def grounds(self) -> Floats:
        """The ground's colour of each row of ``looks``: (m, 3), logarithms of blue, green, red."""
        return np.stack([ground_colour(strip) for card in self.cards for strip in card.strips])

    @cached_property
    def prints(self) -> tuple[Print, ...]:
        """For each row of ``looks`` the part of the strip that is compared point by point.

        A SEVEN card is told by its index corner, a paper by its whole title, a back by what shows of it in a fan.
        """
        return tuple(
            Print.of(strip, _BACK_PX if card.name == BACK else _TITLE_PX if "/" in card.name else _CORNER_PX)
            for card in self.cards
            for strip in card.strips
        )

    def with_card(self, card: DeckCard, looks: Looks) -> Deck:
        """This deck with one card's two ends, and what the namer makes of them, in place of what they were.

        Raises:
            ValueError: the deck has no card of that name.
        """
        at = self.names.index(card.name)
        cards = (*self.cards[:at], card, *self.cards[at + 1 :])
        parts = []
        for old, new in (
            (self.looks.embedding, looks.embedding),
            (self.looks.rank, looks.rank),
            (self.looks.suit, looks.suit),
        ):
            part = old.copy()
            part[2 * at : 2 * at + 2] = new
            parts.append(part)
        return Deck(self.name, cards, Looks(*parts), self.model)

    def save(self, path: Path) -> None:
        """Write the deck as one file; it replaces an earlier one whole or not at all."""
        body = BytesIO()
        np.savez_compressed(
            body,
            names=np.array(self.names),
            strips=np.stack([strip for card in self.cards for strip in card.strips]),
            embedding=self.looks.embedding,
            rank=self.looks.rank,
            suit=self.looks.suit,
        )
        data = body.getvalue()
        head = {"sevenmat_deck": _FORMAT, "name": self.name, "model": self.model, "sha256": _digest(data)}
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(path.name + ".part")
        with part.open("wb") as file:
            file.write(json.dumps(head).encode() + b"\n" + data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)

    @classmethod
    def load(cls, path: Path) -> Deck:
        """Read a deck file.

        Raises:
            DeckError: there is no such file, or it is damaged.
        """
        try:
            raw = path.read_bytes()
        except OSError as error:
            raise DeckError(
                f"There is no deck “{path.stem}”: enrol it first with `sevenmat enrol --deck {path.stem}`.",
                f"デッキ「{path.stem}」がありません。先に `sevenmat enrol --deck {path.stem}` で登録してください。",
            ) from error
        try:
            line, _, data = raw.partition(b"\n")
            head = json.loads(line)
            if head["sevenmat_deck"] != _FORMAT or head["sha256"] != _digest(data):
                raise ValueError("checksum")
            with np.load(BytesIO(data), allow_pickle=False) as z:
                strips = z["strips"]
                names = [str(name) for name in z["names"]]
                looks = Looks(z["embedding"], z["rank"], z["suit"])
            if strips.shape != (2 * len(names), *STRIP_SHAPE) or len(looks) != len(strips):
                raise ValueError("shape")
        except (ValueError, KeyError, TypeError, zipfile.BadZipFile, EOFError, OSError) as error:
            raise DeckError(
                f"The deck file {path.name} is damaged: enrol the deck again.",
                f"デッキのファイル {path.name} が壊れています。デッキを登録し直してください。",
            ) from error
        cards = tuple(DeckCard(name, (strips[2 * k], strips[2 * k + 1])) for k, name in enumerate(names))
        return cls(str(head["name"]), cards, looks, str(head["model"]))


def ground_colour(strip: Picture) -> Floats:
    """The colour that most of a strip's upper 12 mm has, (3,), logarithms of blue, green, red.

    Below that the next card of a column may lie.
    """
    return np.asarray(np.log(np.median(strip[4:34:2, 8:-8:2].reshape(-1, 3), axis=0) + 1.0), np.float32)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
