"""The broken rules of Seven Minutes: a function for each sentence, and the codes in their order.

Source: the game's page, "Refusal codes". No sentence names a card that nobody has seen, but one that the move names.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.cards import Card
from rules.refusal import Reason
from rules.text import Both, Text, listed, number

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


def _named(cards: Sequence[Card]) -> Text:
    return listed(cards) if len(cards) <= _MOST_NAMED else number(len(cards))


def judgement_due(who: Text, left: int) -> Reason:
    """Flip or stop while rolls are due."""
    rolls = "1 roll" if left == 1 else f"{left} rolls"
    return Reason(
        "judgement_due",
        (),
        Both(
            f"Judgement has begun: {who.en} still has {rolls} to make and can neither flip nor stop.",
            f"カード獲得の判定中です。{who.ja}はダイスをあと{left}回振ります。めくることも、とまることもできません。",
        ),
    )


def must_flip(who: Text) -> Reason:
    """Stop or roll before the turn's first card."""
    return Reason(
        "must_flip",
        (),
        Text("{who} must flip at least one card in this turn before stopping or rolling.", who=who),
    )


def must_flip_more(who: Text, king: Card, left: int) -> Reason:
    """Stop or roll before the K's three cards are flipped."""
    return Reason(
        "must_flip_more",
        (king,),
        Text(
            "The {king} demands three more cards, and {who} must still flip {left}.",
            king=king,
            who=who,
            left=number(left),
        ),
    )


def roll_not_due(who: Text) -> Reason:
    """A roll where the player has not stopped."""
    return Reason(
        "roll_not_due",
        (),
        Text("{who} has not stopped flipping, so no roll is due.", who=who),
    )


def seen_before(card: Card) -> Reason:
    """A card said to be flipped that was flipped before."""
    return Reason(
        "card_not_in_deck",
        (card,),
        Text("{card!c} has been flipped before and can't be in the draw pile.", card=card),
    )


def not_the_next_card(card: Card) -> Reason:
    """A card said to be flipped that is not the draw pile's next one, with full information."""
    return Reason(
        "card_not_in_deck",
        (card,),
        Text("{card!c} is not the next card of the draw pile.", card=card),
    )


def too_many_rolls(who: Text) -> Reason:
    """A roll at the table after the judgement's last one."""
    return Reason(
        "too_many_rolls",
        (),
        Text("{who} has made every roll that was due; this one is too many.", who=who),
    )


def rolls_missing(who: Text, left: int) -> Reason:
    """Cards taken at the table before all rolls were seen."""
    rolls = "1 roll is" if left == 1 else f"{left} rolls are"
    return Reason(
        "rolls_missing",
        (),
        Both(
            f"{who.en} takes cards only after the last roll; {rolls} still to be seen.",
            f"{who.ja}がカードを獲得するのは最後のダイスの後です。あと{left}回のダイスがまだ見えていません。",
        ),
    )


def wrong_take(who: Text, due: Sequence[Card], wrong: Sequence[Card]) -> Reason:
    """Other cards taken than the roll gives: ``due`` are those it gives, ``wrong`` those taken or left wrongly."""
    right, names = _named(due), _named(wrong)
    verb = "is" if len(wrong) == 1 else "are"
    return Reason(
        "wrong_take",
        tuple(wrong),
        Both(
            f"The roll gives {who.en} exactly {right.en}; {names.en} {verb} wrongly taken or left.",
            f"このダイスで{who.ja}が獲得するのは{right.ja}です。{names.ja}の取り方が違います。",
        ),
    )


def wrong_side(who: Text, cards: Sequence[Card], face_up: bool) -> Reason:
    """Cards taken face up instead of down, or the reverse; ``face_up`` says how they belong."""
    names = _named(cards)
    side = Text("face up") if face_up else Text("face down")
    hit, missed = (
        Text("a roll struck the row"),
        Text("no roll struck the row"),
    )
    cause = missed if face_up else hit
    return Reason(
        "wrong_side",
        tuple(cards),
        Text("{who} takes {names} {side}, because {cause}.", who=who, names=names, side=side, cause=cause),
    )


def wrong_place(card: Card, on: Card | None) -> Reason:
    """A flipped card that is not stacked on its rank, whose top card is ``on``, or, without one, not at the end."""
    place = (
        Text("at the end of the row") if on is None else Text("on {on}, because cards of one rank are stacked", on=on)
    )
    return Reason(
        "wrong_place",
        (card,),
        Text("{card!c} belongs {place}.", card=card, place=place),
    )


def cocked_die() -> Reason:
    """A die that does not lie flat in the tray."""
    return Reason(
        "cocked_die",
        (),
        Text("A die does not lie flat in the tray; please roll both dice again."),
    )
