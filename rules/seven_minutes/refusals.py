"""The broken rules of Seven Minutes: a sentence for each, and the codes in their order.

Source: the game's page, "Refusal codes". No sentence names a card that nobody has seen, but one that the move names.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.cards import Card
from rules.refusal import Reason, Sentence
from rules.text import Text, plural, say_cards, say_number

CODES: tuple[str, ...] = (
    "bad_record",
    "game_over",
    "out_of_turn",
    "judgement_due",
    "must_flip",
    "must_flip_more",
    "roll_not_due",
    "card_not_in_deck",
    "too_many_rolls",
    "rolls_missing",
    "wrong_take",
    "wrong_side",
    "wrong_place",
    "cocked_die",
    "table_disturbed",
    "cannot_see",
)
"""Every code of the page, those of the table included, in the order in which one of several becomes the ``code``."""

_MOST_NAMED = 7
"""A sentence names no more cards than that; of more it gives the number."""


def _name_cards(cards: Sequence[Card]) -> Text:
    return say_cards(cards) if len(cards) <= _MOST_NAMED else say_number(len(cards))


def judgement_due(who: Text, left: int) -> Reason:
    """Flip or stop while rolls are due."""
    text = plural(
        "Judgement has begun: {who} still has {count} roll to make and can neither flip nor stop.",
        "Judgement has begun: {who} still has {count} rolls to make and can neither flip nor stop.",
        count=left,
        who=who,
    )
    return Reason("judgement_due", (), text)


must_flip = Sentence("must_flip", "{who} must flip at least one card in this turn before stopping or rolling.")
must_flip_more = Sentence(
    "must_flip_more", "The {king} demands three more cards, and {who} must still flip {left}.", cards=("king",)
)
roll_not_due = Sentence("roll_not_due", "{who} has not stopped flipping, so no roll is due.")
seen_before = Sentence(
    "card_not_in_deck", "{card!c} has been flipped before and can't be in the draw pile.", cards=("card",)
)
not_the_next_card = Sentence("card_not_in_deck", "{card!c} is not the next card of the draw pile.", cards=("card",))
too_many_rolls = Sentence("too_many_rolls", "{who} has made every roll that was due; this one is too many.")


def rolls_missing(who: Text, left: int) -> Reason:
    """Return the reason for cards taken at the table before all rolls were seen."""
    text = plural(
        "{who} takes cards only after the last roll; {count} roll is still to be seen.",
        "{who} takes cards only after the last roll; {count} rolls are still to be seen.",
        count=left,
        who=who,
    )
    return Reason("rolls_missing", (), text)


def wrong_take(who: Text, due: Sequence[Card], wrong: Sequence[Card]) -> Reason:
    """Return the reason for a wrong take: ``due`` are the cards that the roll
    gives, ``wrong`` those taken or left wrongly.
    """
    text = plural(
        "The roll gives {who} exactly {due}; {wrong} is wrongly taken or left.",
        "The roll gives {who} exactly {due}; {wrong} are wrongly taken or left.",
        count=len(wrong),
        who=who,
        due=_name_cards(due),
        wrong=_name_cards(wrong),
    )
    return Reason("wrong_take", tuple(wrong), text)


def wrong_side(who: Text, cards: Sequence[Card], face_up: bool) -> Reason:
    """Return the reason for cards taken face up instead of down, or the reverse; ``face_up`` says how they belong."""
    side = Text("face up") if face_up else Text("face down")
    cause = Text("no roll struck the row") if face_up else Text("a roll struck the row")
    text = Text(
        "{who} takes {cards} {side}, because {cause}.", who=who, cards=_name_cards(cards), side=side, cause=cause
    )
    return Reason("wrong_side", tuple(cards), text)


def wrong_place(card: Card, on: Card | None) -> Reason:
    """Return the reason for a flipped card off its place: the stack whose
    top card is ``on`` or, without one, the end.
    """
    place = (
        Text("at the end of the row") if on is None else Text("on {on}, because cards of one rank are stacked", on=on)
    )
    return Reason("wrong_place", (card,), Text("{card!c} belongs {place}.", card=card, place=place))


cocked_die = Sentence("cocked_die", "A die does not lie flat in the tray; please roll both dice again.")
