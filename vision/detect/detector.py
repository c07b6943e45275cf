"""The ONNX networks as functions on arrays: where card ends lie, and what a strip looks like.

An *end* is one of a card's two short sides with its index corner, seen upright from that side. The finder marks the
point 9 mm in and 9 mm down from the end's left corner; a whole card has two ends, a covered one shows one.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
import onnxruntime as ort

from referee.layouts import CARD_MM
from vision.arrays import Floats, Picture
from vision.errors import VisionError

FINDER_PX_PER_MM = 1.25
STRIP_PX_PER_MM = 2.5
STRIP_BOX_MM = (-0.5, -1.0, 63.5, 21.4)
"""What the namer sees of an end: x0, y0, x1, y1 in mm from the end's left corner."""
STRIP_SHAPE = (56, 160, 3)
ANCHOR_MM = (9.0, 9.0)
KINDS = ("seven", "paper", "back")

_STRIDE = 4
_BATCH = 16
"""So many strips at once: enough to keep the cores busy, few enough to stay in their cache and the memory small."""
_NEAR_MM = 7.0
_FAINT, _FAINT_SHARE = 0.5, 0.65
_ECHO_MM, _ECHO_DEG = 17.0, 12.0
_MARK_MM, _MARK_SCORE = 13.5, 0.62
"""A suit mark stands no farther than this from its card's anchor; an end that near, and no surer, is the mark."""
_STEP_MM, _BESIDE_MM = 13.0, 4.0
"""In a column the next card comes no sooner than this, straight below; a suit mark there may look like a clear end."""
_SEEN, _FAINTEST = 0.2, 0.1
_PARTNER_MM, _PARTNER_DEG = 5.0, 8.0
"""Ends fainter than the first and not the second count where another lies opposite, off by no more than this."""


class ModelError(VisionError):
    """A model file is missing, damaged, or not one of ours."""


@dataclass(frozen=True, slots=True)
class End:
    """A card's end on the mat: anchor (mm), the angle seen from it (degrees clockwise), how sure, and of what kind.

    An ``echo`` lies so near to a surer end that it may be but a mark of that card: it has to show a card of its own.
    """

    x: float
    y: float
    angle: float
    score: float
    kind: str
    echo: bool = False

    @property
    def centre(self) -> tuple[float, float]:
        """Centre of the whole card in mat mm."""
        return self.at(CARD_MM[0] / 2, CARD_MM[1] / 2)

    def holds(self, x: float, y: float) -> bool:
        """Whether a point of the mat (mm) lies on the end's card."""
        dx, dy = x - self.x, y - self.y
        c, s = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        across, down = ANCHOR_MM[0] + dx * c + dy * s, ANCHOR_MM[1] - dx * s + dy * c
        return 0 <= across <= CARD_MM[0] and 0 <= down <= CARD_MM[1]

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A point given in the end's frame (mm from its left corner, x along the short side) in mat mm."""
        dx, dy = x - ANCHOR_MM[0], y - ANCHOR_MM[1]
        c, s = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        return self.x + dx * c - dy * s, self.y + dx * s + dy * c


def degrees_apart(a: float, b: float) -> float:
    """Angle between two directions, 0 to 180 degrees."""
    return abs((a - b + 180) % 360 - 180)


def end_of_card(x: float, y: float, angle: float, score: float = 1.0, kind: str = "seven") -> End:
    """The upper end of a card whose centre lies at (x, y) mm, turned by ``angle`` degrees clockwise."""
    dx, dy = ANCHOR_MM[0] - CARD_MM[0] / 2, ANCHOR_MM[1] - CARD_MM[1] / 2
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return End(x + dx * c - dy * s, y + dx * s + dy * c, angle % 360, score, kind)


@dataclass(frozen=True, slots=True)
class Looks:
    """What the namer makes of n strips: unit vectors (n, 128), log rank probabilities (n, 15), suit vectors (n, 32).

    Ranks are A to K as 0 to 12, then 13 for a paper and 14 for a back.
    """

    embedding: Floats
    rank: Floats
    suit: Floats

    def __len__(self) -> int:
        return len(self.embedding)


def _missing(path: Path) -> ModelError:
    return ModelError(
        f"The model {path.name} is missing: install Sevenmat again.",
        f"モデル {path.name} がありません。Sevenmat を入れ直してください。",
    )


def _session(path: Path, threads: int) -> ort.InferenceSession:
    if not path.is_file():
        raise _missing(path)
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Worker threads may spin while a picture is looked at; between two they would eat the Pi's cores.
    options.add_session_config_entry("session.force_spinning_stop", "1")
    damaged = ModelError(
        f"The model {path.name} is damaged: install Sevenmat again.",
        f"モデル {path.name} が壊れています。Sevenmat を入れ直してください。",
    )
    try:
        session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own exception types are not public
        raise damaged from error
    if session.get_inputs()[0].type != "tensor(uint8)":
        raise damaged
    return session


@dataclass(frozen=True)
class Networks:
    """Both networks from one folder, with that many threads each; loaded when first used."""

    folder: Path
    threads: int = 2

    @cached_property
    def _finder(self) -> ort.InferenceSession:
        return _session(self.folder / "finder.onnx", self.threads)

    @cached_property
    def _namer(self) -> ort.InferenceSession:
        return _session(self.folder / "namer.onnx", self.threads)

    @cached_property
    def namer_digest(self) -> str:
        """SHA-256 of the namer's file: decks remember which namer their looks are from.

        Raises:
            ModelError: the file is missing.
        """
        try:
            return hashlib.sha256((self.folder / "namer.onnx").read_bytes()).hexdigest()
        except OSError as error:
            raise _missing(self.folder / "namer.onnx") from error

    def find_ends(self, flat: Picture) -> list[End]:
        """Find card ends in a straightened picture of the mat, (h, w, 3) BGR uint8 at 1.25 px per mm; best first.

        Faint ends count where they lie opposite another one as on one card: a plain back gives no clearer ones.
        Echoes come last.
        """
        h, w = flat.shape[:2]
        padded = np.asarray(cv2.copyMakeBorder(flat, 0, -h % 16, 0, -w % 16, cv2.BORDER_REPLICATE))
        maps = self._finder.run(None, {"picture": padded[None]})[0][0]
        found = _decode(maps)
        clear = without_echoes(found)
        return [end for end in found if end.echo or end.score >= _SEEN or has_partner(end, clear)]

    def look_at(self, strips: Sequence[Picture]) -> Looks:
        """Describe strips, each (56, 160, 3) BGR uint8."""
        if not strips:
            return Looks(np.zeros((0, 128), np.float32), np.zeros((0, 15), np.float32), np.zeros((0, 32), np.float32))
        each = [looks for _, looks in self.looks_ahead(strips)]
        parts = zip(*((looks.embedding, looks.rank, looks.suit) for looks in each), strict=True)
        return Looks(*(np.concatenate(part) for part in parts))

    def looks_ahead(self, strips: Sequence[Picture]) -> Iterator[tuple[slice, Looks]]:
        """Describe strips some at a time, each time saying which: while these are worked on, the next are described."""
        some = [slice(k, k + _BATCH) for k in range(0, len(strips), _BATCH)]
        namer = self._namer  # loaded before two threads want it
        asked = [self._aside.submit(_described, namer, strips[each]) for each in some[1:]]
        for k, each in enumerate(some):
            yield each, asked[k - 1].result() if k else _described(namer, strips[each])

    @cached_property
    def _aside(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(1, "namer")


def _described(namer: ort.InferenceSession, strips: Sequence[Picture]) -> Looks:
    embedding, rank, suit = namer.run(["embedding", "rank", "suit"], {"strips": np.stack(strips)})
    rank = rank - rank.max(1, keepdims=True)
    rank -= np.log(np.exp(rank).sum(1, keepdims=True))
    return Looks(embedding, rank, suit)


def without_echoes(ends: Iterable[End]) -> list[End]:
    """The ends that are no echoes."""
    return [end for end in ends if not end.echo]


def with_echoes_marked(ends: Iterable[End]) -> list[End]:
    """The ends best first, then those that may be but a second look at a surer one; without those that surely are."""
    kept: list[End] = []
    echoes: list[End] = []
    for end in sorted(ends, key=lambda end: -end.score):
        if not any(_echo(end, surer) for surer in kept):
            kept.append(replace(end, echo=False))
        elif end.score >= _SEEN and all(math.dist((end.x, end.y), (o.x, o.y)) > _NEAR_MM for o in (*kept, *echoes)):
            echoes.append(replace(end, echo=True))
    return kept + echoes


def _echo(end: End, surer: End) -> bool:
    """Whether an end is but a second look at a surer one: on its corner, or on the suit mark below its rank."""
    gap = math.hypot(end.x - surer.x, end.y - surer.y)
    if gap < _NEAR_MM:
        return True
    if gap > _ECHO_MM or degrees_apart(end.angle, surer.angle) > _ECHO_DEG:
        return False
    turn = math.radians(surer.angle)
    beside = (end.x - surer.x) * math.cos(turn) + (end.y - surer.y) * math.sin(turn)
    if gap < _STEP_MM and abs(beside) < _BESIDE_MM:
        return True
    return end.score < (_MARK_SCORE if gap < _MARK_MM else min(_FAINT, _FAINT_SHARE * surer.score))


def has_partner(end: End, ends: Iterable[End], off_mm: float = _PARTNER_MM, off_deg: float = _PARTNER_DEG) -> bool:
    """Whether the other end of an end's card is among the ends, off by no more than this."""
    centre, back = end.centre, end.angle + 180
    return any(
        math.dist(centre, other.centre) < off_mm and degrees_apart(other.angle, back) < off_deg
        for other in ends
        if other is not end
    )


def _decode(maps: Floats) -> list[End]:
    heat = 1 / (1 + np.exp(-maps[0]))
    peaks = (heat >= _FAINTEST) & (heat == cv2.dilate(heat, np.ones((3, 3), np.uint8)))
    rows, columns = np.nonzero(peaks)
    scale = _STRIDE / FINDER_PX_PER_MM
    ends = []
    for r, c in zip(rows, columns, strict=True):
        x = float((c + 0.5 + maps[1, r, c]) * scale)
        y = float((r + 0.5 + maps[2, r, c]) * scale)
        angle = math.degrees(math.atan2(maps[4, r, c], maps[3, r, c])) % 360
        ends.append(End(x, y, angle, float(heat[r, c]), KINDS[int(maps[5:8, r, c].argmax())]))
    return with_echoes_marked(ends)
