"""The reader: from a still picture and an enrolled deck to what lies on the mat.

Its stages, each a function of a ``Scene``: mat → corners (``Reader.detect``) → evidence (``vision.evidence``) → names
(``vision.names``). Decks that are read by their whole faces have stages of their own (``vision.faces``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Generic, TypeVar

from referee.papers import PaperCard
from referee.table import Detections
from vision.arrays import Picture
from vision.crops import narrow_crop
from vision.detect.corners import Corner
from vision.detect.detector import Detector
from vision.detect.suppression import list_unsuppressed
from vision.evidence import Comparer
from vision.faces.reading import FaceReader
from vision.faces.table import FlatMat
from vision.geometry import DETECTOR_PX_PER_MM
from vision.identify.deck import Deck
from vision.identify.embedder import Embedder, Embeddings
from vision.identify.faces import Faces
from vision.identify.matcher import Matcher
from vision.mat import Mat
from vision.mat.light import Light
from vision.names import CachedEvidence, Namer
from vision.scene import Part, Scene

K = TypeVar("K")
V = TypeVar("V")


class _Last(Generic[K, V]):
    """What was made of the last key: a table has one deck, and what is made of it is large."""

    def __init__(self) -> None:
        self._kept: tuple[K, V] | None = None

    def get(self, key: K, make: Callable[[K], V]) -> V:
        if self._kept is None or self._kept[0] is not key:
            self._kept = key, make(key)
        return self._kept[1]


@dataclass(frozen=True)
class Reader:
    """Reads tables with the networks in ``folder``.

    ``papers`` are the kinds by name, of which enrolment speaks, and of which no more are read than there are copies.
    Unless ``counted``, a card is named as often as it is seen.
    """

    folder: Path
    threads: int = 2
    papers: Mapping[str, PaperCard] = field(default_factory=dict)
    counted: bool = True
    _stages: _Last[Deck, tuple[Comparer, Namer]] = field(default_factory=_Last, init=False, repr=False, compare=False)
    _by_faces: _Last[Faces, FaceReader] = field(default_factory=_Last, init=False, repr=False, compare=False)

    @cached_property
    def detector(self) -> Detector:
        """Detects corners; loaded when first used."""
        return Detector(self.folder, self.threads)

    @cached_property
    def embedder(self) -> Embedder:
        """Embeds crops; loaded when first used."""
        return Embedder(self.folder, self.threads)

    @cached_property
    def matcher(self) -> Matcher:
        """Holds crops against enrolled ones; loaded when first used."""
        return Matcher(self.folder, self.threads)

    @cached_property
    def model(self) -> str:
        """Which embedder this is: the first 16 hex digits of its SHA-256.

        Raises:
            ModelError: the file is missing.
        """
        return self.embedder.digest[:16]

    def detect(self, scene: Scene, part: Part | None = None) -> list[Corner]:
        """Detect the card corners on the mat, or on a part of it at the detector's scale, suppressed ones last."""
        x, y = (at / DETECTOR_PX_PER_MM for at in part[:2]) if part else (0.0, 0.0)
        corners = self.detector.detect(scene.straighten(DETECTOR_PX_PER_MM, part))
        if part:
            corners = [replace(corner, x=corner.x + x, y=corner.y + y) for corner in corners]
        return [corner for corner in corners if not on_a_marker(corner, scene.mat, scene.light)]

    def embed(self, scene: Scene, corners: Sequence[Corner]) -> tuple[list[Picture], Embeddings]:
        """Cut the wide crops at corners and embed what is in their middle."""
        wide = scene.cut_crops(corners)
        return wide, self.embedder.embed([narrow_crop(crop) for crop in wide])

    def read(self, picture: Picture, mat: Mat, deck: Deck, evidence: CachedEvidence | None = None) -> Detections:
        """Read the whole mat in a picture (h, w, 3) BGR uint8; what is measured on the way is added to ``evidence``."""
        deck, scene = self.up_to_date(deck), Scene.from_picture(picture, mat)
        if deck.faces is not None:
            seen = self.face_reader(deck.faces).read(FlatMat.from_picture(picture, mat, scene.light))
            return Detections(seen.sightings, seen.unread)
        corners, evidence = self.detect(scene), evidence or CachedEvidence()
        scene = replace(scene, found=list_unsuppressed(corners))
        comparer, namer = self.get_stages(deck)
        return namer.name_cards(
            scene, corners, lambda some: comparer.measure_similarity(scene, some, evidence.wide), evidence
        )

    def get_stages(self, deck: Deck) -> tuple[Comparer, Namer]:
        """Return what compares corners with a deck's, and what names its cards; keep those of the last deck."""
        return self._stages.get(deck, self._make_stages)

    def _make_stages(self, deck: Deck) -> tuple[Comparer, Namer]:
        namer = Namer.for_deck(deck, self.matcher, self.papers if self.counted else {})
        return Comparer.for_deck(self.embedder, deck), namer

    def face_reader(self, faces: Faces) -> FaceReader:
        """Return the reader of a deck that is read by its whole faces; keep the last one."""
        return self._by_faces.get(faces, FaceReader.for_faces)

    def up_to_date(self, deck: Deck) -> Deck:
        """Return the deck as this reader's embedder sees it; crops embedded by another embedder are embedded anew."""
        if deck.faces is not None or deck.model == self.model:
            return deck
        embeddings = self.embedder.embed([crop for card in deck.cards for crop in card.crops])
        return Deck(deck.name, deck.cards, embeddings, self.model)


def on_a_marker(corner: Corner, mat: Mat, light: Light) -> bool:
    """Tell whether a card with this corner would hide a marker that is seen: then it is the marker's own corner."""
    (x, y), (w, h), side = corner.centre, mat.size_mm, mat.marker_mm
    across, down = min(x, w - x), min(y, h - y)
    marker = {(True, True): 0, (False, True): 1, (False, False): 2, (True, False): 3}[x < w / 2, y < h / 2]
    return 0 < across < side and 0 < down < side and any(border.marker == marker for border in light.borders)
