"""The broken rules of Seven Wonders: a sentence for each, and the codes in their order.

Source: ``games/seven_wonders.md``, "Refusal codes". A sentence names only cards that the move itself names or that lie
open in a city.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

from rules.refusal import PluralSentence, Reason, Sentence
from rules.seven_wonders.effects import say_coins
from rules.seven_wonders.trade import Pay
from rules.text import Text, in_context, join_names, join_sentences

CODES: tuple[str, ...] = (
    "bad_record",
    "game_over",
    "deal_due",
    "round_due",
    "seventh_due",
    "from_discard_due",
    "city_due",
    "tell_due",
    "out_of_turn",
    "card_not_in_deck",
    "card_not_in_hand",
    "no_copy_left",
    "not_in_discard",
    "already_built",
    "no_stage_left",
    "too_many_cards",
    "no_free_build",
    "cannot_produce",
    "coins_short",
    "pay_unclear",
    "overpaid",
    "underpaid",
    "tokens_wrong",
    "nothing_laid",
    "two_cards",
    "card_outside",
    "wrong_age",
    "discard_not_gathered",
    "table_disturbed",
    "cannot_see",
)
"""Every code of the page, those of the table last, in the order in which one of several becomes the ``code``."""


def also_refused(reason: Reason, others: Sequence[Text]) -> Reason:
    """Return the reason of one seat in a round in which other seats are refused too: it names them all."""
    if not others:
        return reason
    also = Text("Refused too: {who}.", who=join_names(others))
    return Reason(reason.code, reason.cards, join_sentences((reason.text, also)))


# What is due

deal_due = Sentence("deal_due", "The cards of age {age} must be dealt now.")
round_due = Sentence("round_due", "Round {number} of age {age} is due: one card from each player, all at once.")
seventh_due = Sentence("seventh_due", "{who} must first play the seventh card, as Babylon's second stage allows.")
from_discard_due = Sentence(
    "from_discard_due", "{who} must first build a card from the discard pile or say that none is built (Halikarnassos)."
)
city_due = Sentence("city_due", "Only the score is asked here, and {who}'s city is the next to be told.")
tell_due = Sentence("tell_due", "All cities are told; coins and tokens are the next to be told.")

# Cards

card_of_another_age = Sentence(
    "card_not_in_deck",
    "{who} can't play {card}: it is a card of age {card.age}, and this is age {age}.",
    cards=("card",),
)
card_not_in_play = Sentence(
    "card_not_in_deck", "{who} can't have {card}: no copy of it is in play with {players} players.", cards=("card",)
)
card_not_in_hand = Sentence("card_not_in_hand", "{who} has no {card} in hand.", cards=("card",))

no_copy_left = PluralSentence(
    "no_copy_left",
    "{who} can't have built {card}: only {count} copy is in play.",
    "{who} can't have built {card}: only {count} copies are in play.",
    cards=("card",),
)
no_copy_in_play = Sentence("no_copy_left", "{who} can't have built {card}: no copy is in play.", cards=("card",))
no_guild_left = Sentence(
    "no_copy_left", "{who} can't have built {card}: only {guilds} different guilds are in play.", cards=("card",)
)
not_in_discard = Sentence("not_in_discard", "{card!c} does not lie in the discard pile.", cards=("card",))
no_card_of_the_age_in_discard = Sentence(
    "not_in_discard",
    "{card!c} can't come from the discard pile: no card of age {card.age} lies there.",
    cards=("card",),
)
already_built = Sentence(
    "already_built", "{who}'s city has {card.called!a} already, and no city builds two of one name.", cards=("card",)
)
no_stage_left = Sentence("no_stage_left", "{who}'s wonder, {board}, has only {stages} stages.")
too_many_cards = Sentence("too_many_cards", "{who}'s city can't have more than {most} cards and stages together.")

# Costs

no_free_stage = Sentence(
    "no_free_build",
    "{who} can't build {card} without cost: that takes the second stage of Olympia's side A.",
    cards=("card",),
)
free_building_used = Sentence(
    "no_free_build",
    "{who} can't build {card} without cost: Olympia allows one such building in each age.",
    cards=("card",),
)
free_anyway = Sentence(
    "no_free_build", "{card!c} costs {who} nothing anyway, so Olympia's free building is kept.", cards=("card",)
)
cannot_produce = Sentence(
    "cannot_produce", "{who} and both neighbours together can't produce {cost} for {what}.", cards=("cards",)
)
coins_short = Sentence("coins_short", "{who} needs {needed} for {what} and has only {held}.", cards=("cards",))

pay_unclear = Sentence("pay_unclear", "{who} must say who is paid for {what}: {ways}.", cards=("cards",))
overpaid = Sentence("overpaid", "{who} pays too much for {what}: {paid} instead of {due}.", cards=("cards",))
underpaid = Sentence("underpaid", "{who} does not pay enough for {what}: {paid} instead of {due}.", cards=("cards",))

# Score only

victories_wrong = PluralSentence(
    "tokens_wrong",
    "{who} has {count} victory of age 3, but the shields of the cities give {due}.",
    "{who} has {count} victories of age 3, but the shields of the cities give {due}.",
)
tokens_uneven = PluralSentence(
    "tokens_wrong",
    "There is {count} victory but {defeats}; each victory is another city's defeat.",
    "There are {count} victories but {defeats}; each victory is another city's defeat.",
)
# The table

nothing_laid = Sentence("nothing_laid", "{who} has laid no card: build it, lay it under the wonder, or discard it.")
two_cards = Sentence(
    "two_cards",
    "{who} has laid more than one card; only one is played in a round, before hands are passed.",
    cards=("cards",),
)
card_outside = Sentence(
    "card_outside",
    "The card {where} is in no city, wonder or discard spot; please put it where it belongs.",
    cards=("cards",),
)
wrong_age = Sentence("wrong_age", "The card that {who} laid face down doesn't have the back of age {age}.")
discard_not_gathered = Sentence(
    "discard_not_gathered", "{who}'s discard of an earlier round must go to the discard pile first."
)

_SIDES: Mapping[str, Text] = {"left": Text("left"), "right": Text("right")}


def say_payment(pay: Pay) -> Text:
    """Say a payment: ``2 coins to the left and 1 coin to the right``."""
    parts = [
        Text("{coins} to the {side}", coins=say_coins(coins), side=_SIDES[side])
        for side, coins in pay.to_json().items()
    ]
    return join_names(parts) if parts else in_context("payment", "nothing")


def one_of(ways: Sequence[Pay]) -> Text:
    """Say payments one of which is to be made."""
    return reduce(lambda found, way: Text("{ways} or {way}", ways=found, way=way), map(say_payment, ways))
