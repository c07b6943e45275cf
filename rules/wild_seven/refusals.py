"""The broken rules of Wild Seven: a sentence for each, and the codes in their order.

Source: the game's page, "Refusal codes". A sentence names only cards that the move names or that lie open on the
table: never one that was captured, nor one in a hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.cards import Card
from rules.refusal import Reason, Sentence
from rules.text import Text, join_names, plural

CODES: tuple[str, ...] = (
    "bad_record",
    "game_over",
    "out_of_turn",
    "must_get",
    "must_play",
    "card_not_in_hand",
    "not_wanted",
    "not_smaller",
    "get_compulsory",
    "bump_missing",
    "bump_wrong",
    "own_card_left",
    "two_actions",
    "table_disturbed",
    "cannot_see",
)
"""Every code of the game's page, in the order in which one of several becomes the ``code``."""

must_get = Sentence(
    "must_get",
    "{who} has {own} in front and so must Get; Play is only for a player with no card in front.",
    cards=("own",),
)
must_play = Sentence(
    "must_play", "{who} has no card in front and so must Play; Get is only for a player with a card in front."
)
card_not_in_hand = Sentence(
    "card_not_in_hand", "{card!c} is not among the cards {who} can have in hand.", cards=("card",)
)

revealed_not_in_hand = Sentence(
    "card_not_in_hand", "Everybody reveals a card of their own hand, but {faults}.", cards=("cards",)
)
not_wanted = Sentence("not_wanted", "{card!c} is not among the wanted, and Get takes a wanted card.", cards=("card",))
not_smaller = Sentence(
    "not_smaller",
    "{card!c} is not smaller than {own}, and a smaller card ({smaller}) is wanted.",
    cards=("card", "own"),
)
other_suit = Sentence(
    "not_smaller",
    "No wanted card is smaller than {own}, so only {own.suit!a} may be taken, not {card}.",
    cards=("card", "own"),
)

get_compulsory = Sentence(
    "get_compulsory", "{who} has to take a wanted card with {own}, for one can be taken ({example}).", cards=("card",)
)
# At the table


def bump_missing(card: Card, left: Sequence[tuple[Text, Card]]) -> Reason:
    """Return the reason for cards, each with its player, that the card laid
    bumps and that still lie in front of somebody.
    """
    lying = join_names(Text("{card} in front of {who}", card=one, who=who) for who, one in left)
    text = plural(
        "{card!c} bumps larger cards of its suit: {left} joins the wanted.",
        "{card!c} bumps larger cards of its suit: {left} join the wanted.",
        count=len(left),
        card=card,
        left=lying,
    )
    return Reason("bump_missing", tuple(one for _, one in left), text)


card_left_behind = Sentence("bump_missing", "{card!c} in front of {who} has yet to join the wanted.", cards=("card",))


def bump_wrong(moved: Sequence[tuple[Text, Card]]) -> Reason:
    """Return the reason for cards, each with its player, that joined the wanted and need not."""
    stay = join_names(Text("{card} stays in front of {who}", card=one, who=who) for who, one in moved)
    text = Text("Only a smaller card of the same suit bumps: {stay}.", stay=stay)
    return Reason("bump_wrong", tuple(one for _, one in moved), text)


own_card_left = Sentence(
    "own_card_left",
    "After a Get the own card joins the wanted, whatever was taken: {who}'s {own} must go there.",
    cards=("own",),
)
play_and_get = Sentence("two_actions", "{who} did both Play and Get; a turn is one of the two.")
two_cards = Sentence("two_actions", "{who} may lay or take only one card in a turn, not {cards}.", cards=("cards",))
