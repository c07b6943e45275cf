"""The one way from a still picture to the cards that lie there; it remembers where the mat was last seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType

from device.capture.mat_finder import MatFinder
from device.errors import DeviceError
from device.hardware.camera import Picture
from referee.finished.score import Scoring
from referee.game import Referee, house_papers, paper_faces
from referee.papers import PaperCard
from referee.registry import load_papers
from referee.table import Detections
from rules.game import Options
from rules.text import Text, join_row
from vision.config import CONFIG
from vision.errors import MatError
from vision.identify.deck import Deck
from vision.incremental import IncrementalReader
from vision.mat import Mat
from vision.reader import Reader


def card_reader() -> Reader:
    """Load the reader with the models that ship with the program; it knows the games' papers, and their copies."""
    return Reader(Path(str(files("models"))), papers=load_papers())


def list_unlearnt(papers: Iterable[PaperCard], deck: Deck) -> tuple[PaperCard, ...]:
    """Those of the papers that the deck does not know from both sides."""
    known = set(deck.names)
    return tuple(paper for paper in papers if not known.issuperset(paper_faces(paper)))


def deck_for(game: Referee | Scoring, deck: Deck, reader: Reader, options: Options = MappingProxyType({})) -> Deck:
    """Bring the deck up to date for a game that is played with it and was begun with those options.

    Raises:
        DeviceError: it was learnt without some of the game's cards, or without papers of the house that are played.
    """
    if not set(game.cards.faces) <= set(deck.names):
        title = game.rules.title
        raise DeviceError(
            Text(
                "The deck {name!r} was learnt without some of the cards of {title}: learn it again with all its pages.",
                name=deck.name,
                title=title,
            )
        )
    if lacking := list_unlearnt(house_papers(game, options), deck):
        papers = join_row(paper.text for paper in lacking)
        raise DeviceError(
            Text(
                "Learn these house papers first: {papers}. In the first menu: Learn a deck, House papers.",
                papers=papers,
            )
        )
    return reader.up_to_date(deck)


def fine_enough(_: Picture, mat: Mat) -> None:
    """Refuse to read where even a clear index would be a guess.

    Whoever sets the camera up is told of the place where the mat is farthest; what is read may lie nearer.

    Raises:
        MatError: on the whole there are too few pixels for each millimetre.
    """
    least = CONFIG.reading.quality.min_px_per_mm
    if mat.px_per_mm < least:
        raise MatError(
            Text(
                "The picture has only {px_per_mm:.1f} pixels a millimetre, {least} are needed: bring the "
                "camera nearer, use a smaller mat, or a camera with more pixels.",
                px_per_mm=mat.px_per_mm,
                least=least,
            )
        )


@dataclass
class TableEye:
    """Reads still pictures of one table with one deck.

    A marker covered for a while does not lose the mat: what was measured last is handed on to the next look. What
    was read last is kept too, and only what changed since is read anew. ``accept`` raises where a picture, or the mat
    in it, is not to be read at all.
    """

    reader: Reader
    deck: Deck
    find: MatFinder
    accept: Callable[[Picture, Mat], None] = fine_enough
    mat: Mat | None = field(default=None, init=False)
    _incremental: IncrementalReader = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._incremental = IncrementalReader(self.reader, self.deck)

    def read(self, picture: Picture) -> Detections:
        """Name the cards in a picture (h, w, 3) BGR uint8.

        Raises:
            MatError: the mat can't be measured, or has too few pixels to be read.
            LightError: its light can't be measured.
        """
        self.mat = self.find(picture, self.mat)
        self.accept(picture, self.mat)
        return self._incremental.read(picture, self.mat)
