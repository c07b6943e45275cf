"""An enrolled deck: what each card's corners look like, learnt from three pages, in one file."""

from __future__ import annotations

import hashlib
import json
import os
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from itertools import compress
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.registry import load_papers
from rules.cards import DECK
from rules.text import Text
from vision.arrays import Floats, Picture
from vision.config import CONFIG
from vision.errors import VisionError
from vision.geometry import CENTRE_CROP_SHAPE, CROP_MARGIN_PX, CROP_SHAPE
from vision.identify.correlation import Spectrum, compute_spectrum
from vision.identify.embedder import Embeddings
from vision.identify.faces import Faces, faces_from, stored_faces

_TEMPLATE = CONFIG.identify.template
_INK = CONFIG.identify.ink
_DECK = CONFIG.identify.deck

PAPER_KINDS = (
    "straight5", "straight7", "straight9", "straight11", "three", "five", "three_pairs", "four_pairs", "triple_threes",
    "straight_flush4", "straight_flush6", "sum49", "sum100", "ace_king", "all_even", "end_flag",
)  # fmt: skip
"""The order in which paper cards lie on the enrolment pages (the names of the record format)."""
SEVEN_NAMES = tuple(str(card) for card in DECK)
BACK = "back"
_PAPER = re.compile(r"[a-z][a-z0-9_]*/(review|complete)\Z", re.ASCII)
_FORMAT = 1
_MOST_BYTES = 32_000_000
"""No deck is larger, packed or unpacked: 82 cards take 9 million bytes."""


class DeckError(VisionError):
    """A deck file that is missing, damaged or of another version."""


@dataclass(frozen=True)
class DeckCard:
    """One card as enrolled: its upper and its lower crop (56, 160, 3) BGR uint8, and what is between them.

    ``centre_crop`` (120, 136, 3) is absent where an earlier version learnt the card.
    """

    name: str
    crops: tuple[Picture, Picture]
    centre_crop: Picture | None = None


@dataclass(frozen=True)
class Template:
    """The part of an enrolled crop that is compared point by point.

    ``x`` and ``y`` (px) say where in the crop it lies, ``part`` (h, w, 3) what it shows, ``inked`` (n,) which of its
    ``upper_points`` are printed on (1, else 0), and ``ink_colour`` (3,) the direction in which that ink differs from
    the ground.
    """

    x: int
    y: int
    part: Floats
    inked: Floats
    ink_colour: Floats
    _spectra: dict[int, Spectrum] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_crop(cls, crop: Picture, box: tuple[int, int, int, int]) -> Template:
        """Take the box (x0, y0, x1, y1 px) of a crop (56, 160, 3)."""
        x0, y0, x1, y1 = box
        part = np.ascontiguousarray(soften(crop)[y0:y1, x0:x1])
        upper = upper_points(part)
        ground = ground_of(upper)
        away = np.abs(upper / ground[:, None] - 1).max(axis=0)
        inked = np.asarray(away > max(_INK.min_ink, _INK.ink_share * float(np.percentile(away, 99))), np.float32)
        return cls(x0, y0, part, inked, normalise(ink_colour_of(upper, inked, ground)))

    @cached_property
    def blank(self) -> bool:
        """Whether nothing is printed there, so that it would fit anywhere."""
        return float(self.part.std(axis=(0, 1)).max()) < _TEMPLATE.blank_std

    def compute_spectrum(self, rows: int) -> Spectrum:
        """Compute the spectrum of its upper ``rows`` rows, for ``identify.correlation``; keep the last ones."""
        if rows not in self._spectra:
            _make_room(self._spectra)
            self._spectra[rows] = compute_spectrum(self.part[:rows], 2 * CROP_MARGIN_PX)
        return self._spectra[rows]


def _make_room(spectra: dict[int, Spectrum]) -> None:
    """Drop the oldest spectrum where as many are kept as may be."""
    if len(spectra) >= _TEMPLATE.spectra_kept:
        del spectra[next(iter(spectra))]


@dataclass(frozen=True)
class SmallTemplates:
    """Templates at half the size, of one kind of card, that lie in one place (``x``, ``y`` px) of the crop.

    ``rows`` are theirs in ``Deck.embeddings``, ``parts`` (n, h, w, 3) what they show.
    """

    kind: str
    x: int
    y: int
    rows: NDArray[np.intp]
    parts: Floats
    _spectra: dict[int, Spectrum] = field(default_factory=dict, repr=False, compare=False)

    def compute_spectra(self, rows: int) -> Spectrum:
        """Compute the spectra of their upper ``rows`` rows, for crops at half the size; keep the last ones."""
        if rows not in self._spectra:
            _make_room(self._spectra)
            self._spectra[rows] = np.stack([compute_spectrum(part[:rows], CROP_MARGIN_PX) for part in self.parts])
        return self._spectra[rows]


class InkColours(NamedTuple):
    """Which of a deck's inks each of its cards has (−1: a paper or a back), and the inks' directions (n, 3)."""

    of_card: NDArray[np.intp]
    directions: Floats


def kind_of(name: str) -> str:
    """Return the kind of card (of ``detect.corners.KINDS``) that a face of a deck is."""
    return "back" if name == BACK else "paper" if "/" in name else "seven"


def soften(crop: Picture) -> Floats:
    """Take the noise off a crop, as templates are compared."""
    return np.asarray(cv2.GaussianBlur(crop, (0, 0), _TEMPLATE.blur_px), np.float32)


def upper_points(part: Floats) -> Floats:
    """Return the points of the upper 10 mm of a part (h, w, 3), (3, n)."""
    return np.ascontiguousarray(part[: _INK.ink_rows].reshape(-1, 3).T)


def ground_of(upper: Floats) -> Floats:
    """Find the ground's colour (3,) among ``upper_points`` (3, n)."""
    return np.asarray(upper_medians(upper) + 1.0, np.float32)


def upper_medians(values: Floats) -> Floats:
    """Compute the median of each row (k, n); of an even number the upper of the two in the middle."""
    half = values.shape[1] // 2
    return np.partition(values, half, axis=1)[:, half]


def ink_colour_of(upper: Floats, inked: Floats, ground: Floats) -> Floats:
    """Measure how the inked ones (…, n) of ``upper_points`` (3, n) differ (blue, green, red) from the ground (3,).

    It is a share of the ground, so it does not depend on the light; its direction does not depend on blur. Zero without
    ink.
    """
    points = inked.sum(axis=-1, keepdims=True)
    return np.asarray(np.where(points >= _INK.min_ink_points, inked @ upper.T / ground - points, 0.0), np.float32)


def normalise(direction: Floats) -> Floats:
    """Bring directions (…, 3) to the length of 1; zero stays zero."""
    length = np.sqrt(np.square(direction).sum(axis=-1, keepdims=True))
    return np.asarray(direction / np.maximum(length, 1e-6), np.float32)


def measure_degrees_between(one: Floats, other: Floats) -> NDArray[np.float64]:
    """Measure the angles between unit directions (…, 3) and others (…, 3)."""
    return np.asarray(np.degrees(np.arccos(np.clip((one * other).sum(axis=-1, dtype=np.float64), -1, 1))))


def find_index_box(crops: Sequence[Picture]) -> tuple[int, int, int, int]:
    """Find the box (x0, y0, x1, y1 px) in which the crops (56, 160, 3) of a deck's SEVEN cards differ most clearly.

    It is the left corner, where most decks have their index and a fan still shows it. Only where cards hardly differ
    there, since their index stands in the middle or on the right, it is elsewhere.
    """
    top, bottom = _TEMPLATE.index_top_px, _TEMPLATE.index_bottom_px
    left_box = (_TEMPLATE.left_px, top, _TEMPLATE.left_px + _TEMPLATE.index_width_px, bottom)
    if len(crops) < 2:
        return left_box
    half = (CROP_SHAPE[1] // 2, (bottom - top) // 2)
    softened = [cv2.resize(soften(crop)[top:bottom], half, interpolation=cv2.INTER_AREA) for crop in crops]
    templates = np.stack(
        [part / ground_of(upper_points(np.asarray(part[: _INK.ink_rows // 2], np.float32))) for part in softened]
    )
    differ = []
    for k in range(len(templates) - 1):
        away = np.abs(templates[k + 1 :] - templates[k]).max(axis=3)
        differ.append(np.where(away > _TEMPLATE.min_difference, away * away, 0).sum(axis=1).cumsum(axis=1))
    upto = np.concatenate(differ)
    places = range(_TEMPLATE.left_px, _TEMPLATE.right_px - _TEMPLATE.index_width_px + 1, _TEMPLATE.step_px)
    # Even cards that are much alike: a tenth of the pairs differ less.
    separation = [
        float(np.percentile(upto[:, (x + _TEMPLATE.index_width_px) // 2 - 1] - upto[:, x // 2 - 1], 10)) for x in places
    ]
    best = int(np.argmax(separation))
    if separation[0] >= _TEMPLATE.left_share * separation[best]:
        return left_box
    return (places[best], top, places[best] + _TEMPLATE.index_width_px, bottom)


@dataclass(frozen=True)
class Deck:
    """The cards of a deck and the embeddings of their crops.

    ``embeddings`` holds two rows a card: upper corner, lower corner. ``model`` says which embedder made them. A deck
    that is read by its whole ``faces`` needs none; its cards' crops are only for people to look at.
    """

    name: str
    cards: tuple[DeckCard, ...]
    embeddings: Embeddings
    model: str
    faces: Faces | None = None

    @classmethod
    def of_faces(cls, name: str, faces: Faces) -> Deck:
        """Make a deck that is read by its whole faces."""
        cards = tuple(map(_shown_card, faces.names, faces.pictures))
        rows = 2 * len(cards)
        widths = (128, 15, 32)
        return cls(name, cards, Embeddings(*(np.zeros((rows, width), np.float32) for width in widths)), "", faces)

    @property
    def names(self) -> tuple[str, ...]:
        """The cards' names in the order of ``embeddings``."""
        return tuple(card.name for card in self.cards)

    @cached_property
    def distinctness(self) -> Floats:
        """How far the rows of ``embeddings`` are apart: (m, m), from 0, alike, to 1, distinct."""
        away = 1 - self.embeddings.vectors @ self.embeddings.vectors.T
        return np.asarray(np.clip(away / _DECK.distinct_cosine, 0.0, 1.0), np.float32)

    @cached_property
    def kinds(self) -> NDArray[np.str_]:
        """What kind of card (of ``detect.corners.KINDS``) each row of ``embeddings`` belongs to."""
        return np.repeat([kind_of(name) for name in self.names], 2)

    @cached_property
    def symmetric(self) -> NDArray[np.bool_]:
        """Which cards look the same from both sides, as SEVEN cards and backs mostly do.

        SEVEN cards are all of one design: what most of them are, all are.
        """
        embeddings = self.embeddings.vectors
        alike = np.asarray((embeddings[0::2] * embeddings[1::2]).sum(axis=1) > _DECK.symmetric_cosine)
        seven = self.kinds[0::2] == "seven"
        alike[seven] = 2 * int(alike[seven].sum()) > int(seven.sum())
        return alike

    @cached_property
    def grounds(self) -> Floats:
        """The ground's colour of each row of ``embeddings``: (m, 3), logarithms of blue, green, red."""
        return np.stack([measure_ground_colour(crop) for card in self.cards for crop in card.crops])

    @cached_property
    def templates(self) -> tuple[Template, ...]:
        """For each row of ``embeddings`` the part of the crop that is compared point by point.

        Of a SEVEN card it is the index, which may stand elsewhere at the lower corner, of a paper the whole title, of a
        back what shows of it in a fan.
        """
        seven = self.kinds[0::2] == "seven"
        upper, lower = ([card.crops[side] for card in compress(self.cards, seven)] for side in (0, 1))
        index = [find_index_box(upper)] * 2
        if not self.symmetric[seven].all():
            index[1] = find_index_box(lower)
        return tuple(
            Template.from_crop(
                crop,
                {"back": _TEMPLATE.back_box_px, "paper": _TEMPLATE.title_box_px, "seven": index[side]}[
                    kind_of(card.name)
                ],
            )
            for card in self.cards
            for side, crop in enumerate(card.crops)
        )

    @cached_property
    def ink_colours(self) -> InkColours:
        """The inks of the SEVEN cards: suits whose ink colours hardly differ are printed in one."""
        suits = np.array([name[0] for name in self.names])
        suits[self.kinds[0::2] != "seven"] = ""
        upper = np.array([own.ink_colour for own in self.templates[0::2]])
        numbers = np.full(len(suits), -1, np.intp)
        ink_colours: list[Floats] = []
        for suit in sorted({*suits.tolist()} - {""}):
            ink = normalise(upper[suits == suit].mean(axis=0))
            same = next(
                (n for n, other in enumerate(ink_colours) if measure_degrees_between(ink, other) < _INK.same_ink_deg),
                len(ink_colours),
            )
            ink_colours += [ink] if same == len(ink_colours) else []
            numbers[suits == suit] = same
        return InkColours(numbers, np.array(ink_colours, np.float32).reshape(-1, 3))

    @cached_property
    def blank(self) -> NDArray[np.bool_]:
        """The rows of ``embeddings`` whose template shows nothing, and so is compared with nothing."""
        return np.array([own.blank for own in self.templates], bool)

    @cached_property
    def small_templates(self) -> tuple[SmallTemplates, ...]:
        """The templates at half the size, grouped by their place in the crop; without backs and blank ones.

        Of a card that looks the same from both sides the upper template stands for both.
        """
        places: dict[tuple[str, int, int], list[int]] = {}
        for row, own in enumerate(self.templates):
            if self.kinds[row] != "back" and not own.blank and not (row % 2 and self.symmetric[row // 2]):
                places.setdefault((str(self.kinds[row]), own.x, own.y), []).append(row)
        groups = []
        for (kind, x, y), rows in places.items():
            h, w = self.templates[rows[0]].part.shape[:2]
            small = [
                cv2.resize(self.templates[row].part, (w // 2, h // 2), interpolation=cv2.INTER_AREA) for row in rows
            ]
            groups.append(SmallTemplates(kind, x, y, np.array(rows), np.asarray(np.stack(small), np.float32)))
        return tuple(groups)

    def with_card(self, card: DeckCard, embeddings: Embeddings) -> Deck:
        """Return this deck with one card's crops and their embeddings replaced.

        Raises:
            ValueError: the deck has no card of that name.
        """
        at = self.names.index(card.name)
        cards = (*self.cards[:at], card, *self.cards[at + 1 :])
        parts = []
        for old, new in (
            (self.embeddings.vectors, embeddings.vectors),
            (self.embeddings.rank, embeddings.rank),
            (self.embeddings.suit, embeddings.suit),
        ):
            part = old.copy()
            part[2 * at : 2 * at + 2] = new
            parts.append(part)
        return Deck(self.name, cards, Embeddings(*parts), self.model)

    def with_others(self, cards: Sequence[DeckCard], embeddings: Embeddings) -> Deck:
        """Return this deck with these cards and their embeddings (2 rows each) added, or replaced by name."""
        named = {card.name for card in cards}
        stay = [number for number, name in enumerate(self.names) if name not in named]
        rows = [row for number in stay for row in (2 * number, 2 * number + 1)]
        joined = Embeddings(
            *(
                np.concatenate([getattr(self.embeddings, part)[rows], getattr(embeddings, part)])
                for part in ("vectors", "rank", "suit")
            )
        )
        return Deck(self.name, (*(self.cards[number] for number in stay), *cards), joined, self.model)

    def save(self, path: Path) -> None:
        """Write the deck as one file, which is on the disk then; it replaces an earlier one whole or not at all."""
        body = BytesIO()
        if self.faces is not None:
            stored: dict[str, Any] = stored_faces(self.faces)
            np.savez_compressed(body, **stored)
        else:
            self._store(body)
        data = body.getvalue()
        head = {"sevenmat_deck": _FORMAT, "name": self.name, "model": self.model, "sha256": _compute_digest(data)}
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(path.name + ".part")
        try:
            with part.open("wb") as file:
                file.write(json.dumps(head).encode() + b"\n" + data)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
            _flush(path.parent)
        finally:
            part.unlink(missing_ok=True)

    def _store(self, body: BytesIO) -> None:
        """Write the arrays of a deck that is read by its crops."""
        np.savez_compressed(  # under the names that the file format has always had
            body,
            names=np.array(self.names),
            strips=np.stack([crop for card in self.cards for crop in card.crops]),
            middles=np.array([card.centre_crop for card in self.cards if card.centre_crop is not None], np.uint8),
            has_middle=np.array([card.centre_crop is not None for card in self.cards]),
            embedding=self.embeddings.vectors,
            rank=self.embeddings.rank,
            suit=self.embeddings.suit,
        )

    @classmethod
    def load(cls, path: Path) -> Deck:
        """Read a deck file.

        Raises:
            DeckError: there is no such file, it is no deck file, it is damaged, or a newer version wrote it.
        """
        raw = _read(path)
        line, _, data = raw.partition(b"\n")
        head = _parse_head(path, line)
        try:
            if head["sha256"] != _compute_digest(data) or not all(
                isinstance(head[key], str) for key in ("name", "model")
            ):
                raise ValueError("checksum")
            arrays = _unpack(data)
            if "faces" in arrays:
                return cls.of_faces(head["name"], faces_from(arrays))
            crops = arrays["strips"]
            names = [str(name) for name in arrays["names"]]
            centre_crops = _centre_crops(arrays, len(names))
            embeddings = Embeddings(arrays["embedding"], arrays["rank"], arrays["suit"])
            _check_contents(names, crops, embeddings)
        except (ValueError, KeyError, TypeError) as error:
            raise _report_damaged(path) from error
        cards = tuple(
            DeckCard(name, (crops[2 * k], crops[2 * k + 1]), centre_crop)
            for k, (name, centre_crop) in enumerate(zip(names, centre_crops, strict=True))
        )
        return cls(head["name"], cards, embeddings, head["model"])


def _shown_card(name: str, face: Picture) -> DeckCard:
    """Make a card of which only the whole face is known, with roughly what its crops would show."""
    high, wide, _ = CROP_SHAPE
    width = face.shape[1]
    upper, lower = (face[: round(width * high / wide)], np.rot90(face, 2)[: round(width * high / wide)])
    crops = [
        np.asarray(cv2.resize(part, (wide, high), interpolation=cv2.INTER_AREA), np.uint8) for part in (upper, lower)
    ]
    h, w, _ = CENTRE_CROP_SHAPE
    top = (face.shape[0] - round(width * h / w)) // 2
    middle = cv2.resize(face[top : top + round(width * h / w)], (w, h), interpolation=cv2.INTER_AREA)
    return DeckCard(name, (crops[0], crops[1]), np.asarray(middle, np.uint8))


def _report_damaged(path: Path) -> DeckError:
    return DeckError(Text("The deck file {name} is damaged: enrol the deck again.", name=path.name))


def _report_no_file(path: Path) -> DeckError:
    return DeckError(
        Text(
            "{name} is no deck file or damaged: enrol the deck again, or name what 'sevenmat decks export' wrote.",
            name=path.name,
        )
    )


def _read(path: Path) -> bytes:
    """Read the file's bytes, if it is of a size that a deck can have."""
    try:
        with path.open("rb") as file:
            raw = file.read(_MOST_BYTES + 1)
    except FileNotFoundError as error:
        raise DeckError(
            Text("There is no deck “{stem}”: enrol it first with `sevenmat enrol --deck {stem}`.", stem=path.stem)
        ) from error
    except IsADirectoryError as error:
        raise _report_no_file(path) from error
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise DeckError(
            Text(
                "The deck file {name} can't be read ({reason}): check its permissions and the disk.",
                name=path.name,
                reason=reason,
            )
        ) from error
    if len(raw) > _MOST_BYTES:
        raise _report_no_file(path)
    return raw


def _parse_head(path: Path, line: bytes) -> dict[str, Any]:
    """Parse the file's first line, of a version that we know."""
    try:
        head = json.loads(line)
        version = head["sevenmat_deck"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        # A file cut short within its first line is our own damaged one.
        raise (
            _report_damaged(path) if b'{"sevenmat_deck":'.startswith(line[:17]) else _report_no_file(path)
        ) from error
    if isinstance(version, int) and version > _FORMAT:
        raise DeckError(
            Text(
                "The deck file {name} is from a newer Sevenmat: update this one, or enrol the deck again.",
                name=path.name,
            )
        )
    if version != _FORMAT:
        raise _report_damaged(path)
    return dict(head)


def _unpack(data: bytes) -> dict[str, NDArray[Any]]:
    """Unpack the arrays of an archive.

    Raises:
        ValueError: it is no archive of arrays, or would unpack to more than a deck can be.
    """
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > _MOST_BYTES:
                raise ValueError("too large")
        with np.load(BytesIO(data), allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
    except Exception as error:  # the libraries raise whatever a damaged archive leads them to
        raise ValueError("no archive of arrays") from error
    if not all(isinstance(array, np.ndarray) for array in arrays.values()):
        raise ValueError("no arrays")
    return arrays


def _centre_crops(stored: Mapping[str, Any], cards: int) -> list[Picture | None]:
    """Return each card's centre crop, None where it has none, as in decks of earlier versions.

    Raises:
        ValueError: these are no centre crops of so many cards.
    """
    if "has_middle" not in stored:
        return [None] * cards
    has, centre_crops = stored["has_middle"], stored["middles"]
    if has.shape != (cards,) or has.dtype != np.bool_ or len(centre_crops) != np.count_nonzero(has):
        raise ValueError("has_middle")
    if len(centre_crops) and (centre_crops.shape[1:] != CENTRE_CROP_SHAPE or centre_crops.dtype != np.uint8):
        raise ValueError("middles")
    each = iter(centre_crops)
    return [next(each) if there else None for there in has]


def _is_face(name: str) -> bool:
    """Tell whether a card of a deck may be called so; papers of the house have names of their own."""
    return name in SEVEN_NAMES or name == BACK or bool(_PAPER.match(name) and name.partition("/")[0] in load_papers())


def _check_contents(names: list[str], crops: Picture, embeddings: Embeddings) -> None:
    """Raise ``ValueError`` where these are no deck's cards."""
    rows = 2 * len(names)
    if not names or len(set(names)) != len(names) or not all(map(_is_face, names)):
        raise ValueError("names")
    if crops.shape != (rows, *CROP_SHAPE) or crops.dtype != np.uint8:
        raise ValueError("strips")
    for part, width in ((embeddings.vectors, 128), (embeddings.rank, 15), (embeddings.suit, 32)):
        if part.shape != (rows, width) or part.dtype != np.float32 or not np.isfinite(part).all():
            raise ValueError("looks")


def measure_ground_colour(crop: Picture, rows: int = _INK.ground_rows) -> Floats:
    """Measure the colour of most of a crop's upper 12 mm, (3,), logarithms of blue, green, red.

    Below that, or even below fewer ``rows`` of pixels, the next card of a column may lie.
    """
    return np.asarray(np.log(np.median(crop[4:rows:2, 8:-8:2].reshape(-1, 3), axis=0) + 1.0), np.float32)


def _flush(folder: Path) -> None:
    """Have the disk take a folder's names: without that, the new name may be gone after a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _compute_digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
