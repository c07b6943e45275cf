"""How the table differs, in words, and the steps that put it right."""

from __future__ import annotations

from collections.abc import Iterable

from referee.seven_euchre.laid import is_packets
from referee.seven_euchre.layout import ASIDE, MIDDLE
from referee.verdict import Disturbance, Mend
from referee.zones import BACK, BackCountMismatch, Difference, MisplacedCard
from rules.cards import Card
from rules.seven_euchre.position import Position, seats_of
from rules.seven_euchre.round import Trick
from rules.text import Text, make_sentence, player, plural

_SPOTS = {
    MIDDLE: Text("the middle"),
    ASIDE: Text("the place aside"),
    "table": Text("the table"),
}


def place_words(position: Position, place: str) -> Text:
    """Name a place within a sentence."""
    spot, _, seat = place.partition(":")
    if not seat:
        return _SPOTS[place]
    who = player(position.get_name(int(seat)))
    if spot == "hand":
        return Text("{who}'s hand", who=who)
    if spot == "trick":
        return Text("{who}'s place in the trick", who=who)
    return Text("{who}'s area", who=who)


def _say_where(position: Position, place: str) -> Text:
    """Say where a card lies: ``in the middle``, ``on the table``."""
    where = place_words(position, place)
    return Text("on {where}", where=where) if place == "table" else Text("in {where}", where=where)


def side_words(position: Position, side: int) -> Text:
    """Name the players of a side: ``Ada and Sofia``."""
    first, second = (player(position.get_name(seat)) for seat in seats_of(side))
    return Text("{first} and {second}", first=first, second=second)


def areas_words(position: Position, side: int) -> Text:
    """Say where a side's packets lie, with one partner or the other: ``Ada's or Sofia's area``."""
    first, second = (player(position.get_name(seat)) for seat in seats_of(side))
    return Text("{first}'s or {second}'s area", first=first, second=second)


def describe_difference(position: Position, one: Difference) -> Text:
    """Say what is not as it must be."""
    if isinstance(one, BackCountMismatch):
        if is_packets(one):
            return plural(
                "{side} took {tricks}, but {packets} of theirs shows.",
                "{side} took {tricks}, but {packets} of theirs show.",
                count=one.shown,
                side=side_words(position, _side_of(one)),
                tricks=tricks_words(one.due),
                packets=_packets_words(one.shown),
            )
        where = _say_where(position, one.place)
        if one.missing:
            return make_sentence(Text("no card lies face down {where}", where=where))
        return make_sentence(Text("a card lies face down {where}", where=where))
    card = Card.parse(one.card)
    if one.found is None:
        where = place_words(position, one.home or "table")
        return make_sentence(Text("{card} is gone from {where}", card=card, where=where))
    where = _say_where(position, one.found)
    return make_sentence(Text("{card} lies {where}", card=card, where=where))


def _side_of(one: BackCountMismatch) -> int:
    return int(one.place.partition(":")[2])


def mend_of(position: Position, one: Difference) -> Mend:
    """Return the step that puts a difference right."""
    if isinstance(one, MisplacedCard):
        return _mend_face(position, one)
    if is_packets(one):
        return _mend_packets(position, one)
    where = place_words(position, one.place)
    if one.missing:
        return Mend(BACK, "table", one.place, Text("Lay a card face down in {where}.", where=where))
    words = Text("Take the face-down card away from {where}.", where=where)
    return Mend(BACK, one.place, "table", words, one.count)


def _mend_packets(position: Position, one: BackCountMismatch) -> Mend:
    areas, at = areas_words(position, _side_of(one)), f"seat:{seats_of(_side_of(one))[0]}"
    if one.missing:
        words = Text(
            "Lay each trick as a packet face down in {areas}, a little apart; {packets} must show.",
            areas=areas,
            packets=_packets_words(one.due),
        )
        return Mend(BACK, "table", at, words, one.count)
    words = Text(
        "Take what is no trick away from {areas}; {packets} must show.", areas=areas, packets=_packets_words(one.due)
    )
    return Mend(BACK, at, "table", words, one.count)


def _mend_face(position: Position, one: MisplacedCard) -> Mend:
    card = Card.parse(one.card)
    if one.found is None:
        home = one.home or "table"
        words = Text("Lay {card} in {end}.", card=card, end=place_words(position, home))
        return Mend(one.card, "table", home, words, joins=True)
    start = place_words(position, one.found)
    round = position.round
    gathered = round is not None and round.trick_of(card) is not None and one.found.startswith("seat:")
    if one.home is None and gathered:
        return _turn_over(position, one.card, one.found)
    _, _, seat = one.found.partition(":")
    mover = position.to_move
    target = one.home or f"hand:{seat or mover or position.dealer}"
    end = place_words(position, target)
    words = Text("Put {card} from {start} back to {end}.", card=card, start=start, end=end)
    return Mend(one.card, one.found, target, words, joins=True)


def _turn_over(position: Position, name: str, place: str) -> Mend:
    card, where = Card.parse(name), place_words(position, place)
    words = Text("Turn {card} in {where} face down.", card=card, where=where)
    return Mend(name, place, place, words)


def gather(position: Position, last: Trick) -> tuple[Text, Mend]:
    """Say that a whole trick is to be gathered, and return the step for it."""
    side, areas = side_words(position, last.side), areas_words(position, last.side)
    sentence = Text("The trick goes to {side}.", side=side)
    words = Text("Gather the trick and lay it face down in {areas}.", areas=areas)
    return sentence, Mend(BACK, f"trick:{last.winner}", f"seat:{last.winner}", words)


def hand_over(position: Position, last: Trick) -> Mend:
    """Return the step after which a trick lies with the side that took it."""
    wrong, right = areas_words(position, 1 - last.side), areas_words(position, last.side)
    words = Text("Put the last trick from {wrong} into {right}.", wrong=wrong, right=right)
    return Mend(BACK, f"seat:{seats_of(1 - last.side)[0]}", f"seat:{last.winner}", words)


def describe_faults(position: Position, off: Iterable[Difference]) -> list[Disturbance]:
    """Yield how a table differs, each difference in words and with the step that puts it right."""
    off = tuple(off)
    missing = {one.place for one in off if isinstance(one, BackCountMismatch) and one.missing and not is_packets(one)}
    turned = {one.found for one in off if isinstance(one, MisplacedCard) and one.home is None} & missing
    found = []
    for one in off:
        mends: tuple[Mend, ...] = ()
        if isinstance(one, MisplacedCard) and one.home is None and one.found in turned:
            mends = (_turn_over(position, one.card, one.found or ""),)
        elif not isinstance(one, BackCountMismatch) or one.place not in turned:
            mends = (mend_of(position, one),)
        touched = one.home is not None if isinstance(one, MisplacedCard) else one.missing and not is_packets(one)
        found.append(Disturbance.from_words(describe_difference(position, one), *mends, lost=one if touched else None))
    return found


def _packets_words(count: int) -> Text:
    return plural("{count} packet", "{count} packets", count=count) if count else Text("no packets")


def tricks_words(count: int) -> Text:
    """Say a number of tricks."""
    return plural("{count} trick", "{count} tricks", count=count) if count else Text("no tricks")
