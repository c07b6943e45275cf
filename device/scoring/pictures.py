"""A finished table from pictures of it, one for each part where not all find room at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from device.capture.drawing import Box, SeatLabel, drawn_on
from device.capture.eye import TableEye, fine_enough
from device.capture.mat_finder import MatFinder
from device.errors import DeviceError
from device.hardware.camera import Picture
from device.scoring.looking import ByHand, with_told
from device.scoring.screen_photo import shows_a_screen
from device.scoring.table import Table, as_many_players, left_open, of_this_deck
from device.speech import Language
from referee.finished.score import Fault, Score
from referee.table import Detections
from rules.text import plural
from vision.identify.deck import Deck
from vision.mat import Mat
from vision.reader import Reader


@dataclass(frozen=True, slots=True)
class PictureSeen:
    """What one picture of a finished table showed: its cards, and where its mat lies."""

    cards: Detections
    mat: Mat


def seen_in(picture: Picture, reader: Reader, deck: Deck, table: Table, find: MatFinder, part: int = 0) -> PictureSeen:
    """Read the cards of a part of the table, and the mat, in a picture (h, w, 3) BGR uint8.

    Raises:
        MatError: the mat can't be measured, or has too few pixels to be read.
        LightError: its light can't be measured.
        DeviceError: nothing lies there, or cards of another deck, or it is shown on a screen.
    """
    eye = TableEye(reader, deck, find, _is_the_table)
    seen, mat = eye.read(picture), eye.mat
    assert mat is not None, "it was measured for the cards"
    cards = table.cards_among(seen, mat.size_mm, part)
    of_this_deck(cards, deck.name, table)
    return PictureSeen(cards, mat)


def _is_the_table(picture: Picture, mat: Mat) -> None:
    fine_enough(picture, mat)
    if shows_a_screen(picture, mat):
        raise DeviceError("This is a photograph of a screen: photograph the table itself.")


def score_of(
    looks: Sequence[PictureSeen],
    table: Table,
    confirmed: Collection[Fault] = (),
    named: Sequence[Sequence[ByHand]] = (),
    counted: bool = True,
) -> Score:
    """Score the table in these pictures, one look for each of its parts, with what people said of them.

    ``named`` are the cards named by hand, for each look; ``counted`` holds the number of players against the table.

    Raises:
        MiscountedError: another number of people sits at the table.
    """
    cards = [with_told(look.cards, told) for look, told in zip(looks, named or [()] * len(looks), strict=True)]
    *before, last = cards
    size_mm = looks[-1].mat.size_mm
    score = table.score(last, size_mm, confirmed, before)
    if counted:
        as_many_players(score, last, table, size_mm)
    return left_open(score, [words for look in looks for words in look.mat.warnings], confirmed)


def picture_drawn(
    picture: Picture,
    look: PictureSeen,
    named: Sequence[ByHand],
    table: Table,
    score: Score,
    part: int,
    language: Language,
    boxes: list[Box] | None = None,
) -> Picture:
    """Draw cards, seats and points on a picture of a part of the table, (h, w, 3) BGR uint8.

    ``boxes`` gets where what is written stands, the seats' last.
    """
    layout = table.lay_out(look.mat.size_mm, part)
    labels = [
        SeatLabel(
            place,
            plural(
                "{who}: {count} point",
                "{who}: {count} points",
                count=score.tallies[seat - 1].points,
                who=table.names[seat - 1],
            ),
        )
        for place, seat in enumerate(table.parts[part], 1)
    ]
    return drawn_on(picture, look.mat, with_told(look.cards, named), language, layout, labels, boxes)
