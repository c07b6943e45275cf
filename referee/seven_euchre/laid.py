"""What must lie where in a game of Seven Euchre, and how a look differs from it.

Places are ``middle``, ``aside``, ``trick:SEAT``, ``seat:SEAT`` for a seat's area and ``table`` for anywhere else; a
hand is ``hand:SEAT``. A side's packets may lie with either partner, so they are counted by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from referee.seven_euchre.layout import ASIDE, MIDDLE, trick_place
from referee.table import Sighting, Unread
from referee.zones import BACK, Off, ZoneView, faces_off
from rules.seven_euchre.moves import Play
from rules.seven_euchre.position import seats_of
from rules.seven_euchre.round import Phase, Round, side_of

SIDES = (0, 1)


@dataclass(frozen=True)
class Lying:
    """What must lie on the table.

    ``faces`` are face-up cards with the place of each, ``backs`` the single face-down cards by place, ``packets`` the
    tricks gathered by side. ``old`` says that a whole trick lies there still, to be gathered: it is no packet yet.
    """

    faces: Mapping[str, str] = field(default_factory=dict)
    backs: Mapping[str, int] = field(default_factory=dict)
    packets: tuple[int, int] = (0, 0)
    old: bool = False


@dataclass(frozen=True)
class Back:
    """Face-down cards that must lie in a place and do not (``missing``), or must not."""

    place: str
    missing: bool
    count: int


@dataclass(frozen=True)
class Packets:
    """A side's packets: how many show, and how many must."""

    side: int
    shown: int
    due: int


Difference = Off | Back | Packets


def packets_shown(view: ZoneView) -> tuple[int, int]:
    """How many face-down cards show in the areas of each side."""
    first, second = (sum(view.backs(f"seat:{seat}") for seat in seats_of(side)) for side in SIDES)
    return first, second


def _nowhere(mark: Unread) -> str | None:
    """Where no place in the trick is known."""
    return None


def lying_in(round: Round | None, view: ZoneView, trick_at: Callable[[Unread], str | None] = _nowhere) -> Lying:
    """What must lie there in a deal; a trick that is to be gathered may lie or be gathered, so the look tells which.

    While no packet of it shows and nothing else lies in the trick, unread cards may be those of that trick.
    """
    if round is None:
        return Lying()
    faces: dict[str, str] = {}
    backs: dict[str, int] = {}
    played = round.phase in (Phase.PLAY, Phase.DEAL)
    if round.turned_up is not None:
        card = str(round.turned_up)
        faces[card] = MIDDLE if card in view.faces(MIDDLE) else ASIDE
    else:
        backs[ASIDE if played else MIDDLE] = 1
    trick: Sequence[Play] = round.trick
    won = list(round.tricks)
    last, old = round.last_trick, False
    if not trick and last is not None:
        seen = [(trick_place(play.seat), str(play.card)) for play in last.plays]
        old = any(card in view.faces(place) for place, card in seen)
        led = any(view.faces(place) for place, _ in seen)
        if not led and packets_shown(view)[last.side] < won[last.side]:
            old |= any(trick_at(mark) == place and mark.may_be(card) for mark in view.unread for place, card in seen)
        if old:
            trick = last.plays
            won[last.side] -= 1
    faces |= {str(play.card): trick_place(play.seat) for play in trick}
    return Lying(faces, backs, (won[0], won[1]), old)


def differences(lying: Lying, view: ZoneView) -> list[Difference]:
    """How a look differs from what must lie there; cards that can't be read count as nothing."""
    return [*faces_off(lying.faces, view), *_backs_off(lying, view), *_packets_off(lying, view)]


def _backs_off(lying: Lying, view: ZoneView) -> Iterator[Back]:
    for place in dict.fromkeys((*lying.backs, *view.cards)):
        if not place.startswith("seat:"):
            count, due = view.backs(place), lying.backs.get(place, 0)
            if count != due:
                yield Back(place, count < due, abs(count - due))


def _packets_off(lying: Lying, view: ZoneView) -> Iterator[Packets]:
    for side, shown, due in zip(SIDES, packets_shown(view), lying.packets, strict=True):
        if shown != due:
            yield Packets(side, shown, due)


# Cards that can't be read


def stood_for(view: ZoneView, lying: Lying, place_at: Callable[[Unread], str]) -> ZoneView:
    """The look with unread cards taken for those that must lie in their place and are read nowhere.

    Whatever else is unread stays so.
    """
    cards, unread = dict(view.cards), []
    everywhere = {card for place in view.cards for card in view.faces(place)}
    missing = {card: place for card, place in lying.faces.items() if card not in everywhere}
    backs = {place: count - view.backs(place) for place, count in lying.backs.items()}
    packets = [due - shown for due, shown in zip(lying.packets, packets_shown(view), strict=True)]
    if min(packets) < 0:
        # A side has one too many: it may be the one that the other side lacks.
        packets = [0 for _ in packets]
    for mark in view.unread:
        place = place_at(mark)
        name = _stands_for(mark, place, missing, backs, packets)
        if name is None:
            unread.append(mark)
        else:
            cards[place] = (*cards.get(place, ()), Sighting(name, mark.x, mark.y, mark.angle))
    return ZoneView(cards, tuple(unread))


def _stands_for(
    mark: Unread, place: str, missing: dict[str, str], backs: dict[str, int], packets: list[int]
) -> str | None:
    """The card that an unread one is, counted off from what is missing; ``None`` where it may be another."""
    for card, home in missing.items():
        if home == place and mark.may_be(card):
            del missing[card]
            return card
    if not mark.may_be(BACK):
        return None
    if backs.get(place, 0) > 0:
        backs[place] -= 1
        return BACK
    spot, _, seat = place.partition(":")
    side = side_of(int(seat)) if spot == "seat" else None
    if side is not None and packets[side] > 0:
        packets[side] -= 1
        return BACK
    return None
