"""A difference of the table in words, and the step that mends it. A captured card is never named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.verdict import Mend
from referee.wild_seven.laid import WANTED, Difference, Pile
from referee.wild_seven.state import WildState
from referee.zones import BACK
from rules.text import Text, sentence

if TYPE_CHECKING:
    from referee.zones import ZoneReferee


def _captor(state: WildState, card: str) -> int | None:
    """Who has captured that card."""
    position = state.position
    seats = range(1, len(position.players) + 1)
    return next((seat for seat in seats if card in map(str, position.captured(seat))), None)


def disturbed(referee: ZoneReferee, state: WildState, one: Difference, taken: str | None) -> Text:
    """What is not as it must be; ``taken`` is the card that the turn's Get takes."""
    if isinstance(one, Pile):
        where = referee.place_words(state, one.place)
        if one.missing:
            return sentence(
                Text("no captured card lies face down in {where}", where=where),
            )
        return sentence(Text("a card too many lies face down in {where}", where=where))
    if one.found is None:
        assert one.home is not None, "a card that lies nowhere belongs somewhere"
        card, where = referee.card_words(state, one.card), referee.place_words(state, one.home)
        return sentence(Text("{card} is gone from {where}", card=card, where=where))
    where = referee.place_words(state, one.found)
    if _captor(state, one.card) is not None:
        return sentence(Text("a captured card lies face up in {where}", where=where))
    card = referee.card_words(state, one.card)
    if taken == one.card and one.found != WANTED:
        return sentence(Text("{card} was taken and lies face up", card=card))
    return sentence(Text("{card} lies in {where}", card=card, where=where))


def mend_of(referee: ZoneReferee, state: WildState, one: Difference, mover: int | None, taken: str | None) -> Mend:
    """The step that puts a difference right; ``mover`` is whose hand a card of nobody's goes to."""
    if isinstance(one, Pile):
        return _mend_pile(referee, state, one, mover)
    card = referee.card_words(state, one.card)
    if one.home is not None:
        end = referee.place_words(state, one.home)
        if one.found is None:
            return Mend(one.card, "table", one.home, Text("Lay {card} in {end}.", card=card, end=end), joins=True)
        start = referee.place_words(state, one.found)
        words = Text("Put {card} from {start} back to {end}.", card=card, start=start, end=end)
        if one.home == WANTED:
            words = Text("Put {card} from {start} to {end}.", card=card, start=start, end=end)
        return Mend(one.card, one.found, one.home, words, joins=True)
    assert one.found is not None, "a card that belongs nowhere lies somewhere"
    start = referee.place_words(state, one.found)
    captor = _captor(state, one.card)
    if captor is not None:
        end = referee.place_words(state, f"seat:{captor}")
        words = Text("Put the captured card that lies in {start} face down in {end}.", start=start, end=end)
        return Mend(BACK, one.found, f"seat:{captor}", words)
    if one.card == taken and mover is not None:
        end = referee.place_words(state, f"seat:{mover}")
        words = Text("Lay {card} face down in {end}.", card=card, end=end)
        return Mend(one.card, one.found, f"seat:{mover}", words)
    _, _, seat = one.found.partition(":")
    hand = f"hand:{seat or mover or 1}"
    end = referee.place_words(state, hand)
    words = Text("Put {card} from {start} back to {end}.", card=card, start=start, end=end)
    return Mend(one.card, one.found, hand, words, joins=True)


def _mend_pile(referee: ZoneReferee, state: WildState, one: Pile, mover: int | None) -> Mend:
    where = referee.place_words(state, one.place)
    if one.missing:
        words = Text("Lay the captured cards face down in {where}.", where=where)
        return Mend(BACK, "table", one.place, words, one.count)
    words = Text("Take the card too many that lies face down in {where} away.", where=where)
    _, _, seat = one.place.partition(":")
    return Mend(BACK, one.place, f"hand:{seat or mover or 1}", words, one.count)
