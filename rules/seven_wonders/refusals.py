"""The broken rules of Seven Wonders: a function for each sentence, and the codes in their order.

Source: ``games/seven_wonders.md``, "Refusal codes". A sentence names only cards that the move itself names or that lie
open in a city.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.parsing import quoted
from rules.refusal import Reason
from rules.seven_wonders.cards import Building
from rules.seven_wonders.effects import Cost
from rules.seven_wonders.trade import Pay
from rules.text import Both, Text, Worded, in_context, joined, listing, with_article

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
    """The reason of one seat in a round in which other seats are refused too: it names them all."""
    if not others:
        return reason
    who = listing(others)
    return Reason(
        reason.code,
        reason.cards,
        joined((reason.text, Text("Refused too: {who}.", who=who))),
    )


# What is due


def deal_due(age: int) -> Reason:
    """The deal of this age is due."""
    return Reason(
        "deal_due",
        (),
        Text("The cards of age {age} must be dealt now.", age=age),
    )


def round_due(number: int, age: int) -> Reason:
    """A round is due."""
    return Reason(
        "round_due",
        (),
        Text("Round {number} of age {age} is due: one card from each player, all at once.", number=number, age=age),
    )


def seventh_due(who: Text) -> Reason:
    """The seventh card of Babylon B is due."""
    return Reason(
        "seventh_due",
        (),
        Text("{who} must first play the seventh card, as Babylon's second stage allows.", who=who),
    )


def from_discard_due(who: Text) -> Reason:
    """Halikarnassos' building from the discard pile is due."""
    return Reason(
        "from_discard_due",
        (),
        Text("{who} must first build a card from the discard pile or say that none is built (Halikarnassos).", who=who),
    )


def city_due(who: Text) -> Reason:
    """Score only: a city is due."""
    return Reason(
        "city_due",
        (),
        Text("Only the score is asked here, and {who}'s city is the next to be told.", who=who),
    )


def tell_due() -> Reason:
    """Score only: coins and tokens are due."""
    return Reason(
        "tell_due",
        (),
        Text("All cities are told; coins and tokens are the next to be told."),
    )


# Cards


def card_of_another_age(who: Text, card: Building, age: int) -> Reason:
    """A card that is not of this age."""
    return Reason(
        "card_not_in_deck",
        (card,),
        Text(
            "{who} can't play {card}: it is a card of age {age}, and this is age {age2}.",
            who=who,
            card=card,
            age=card.age,
            age2=age,
        ),
    )


def card_not_in_play(who: Text, card: Building, players: int) -> Reason:
    """A card of which no copy is in play with so many players."""
    return Reason(
        "card_not_in_deck",
        (card,),
        Text(
            "{who} can't have {card}: no copy of it is in play with {players} players.",
            who=who,
            card=card,
            players=players,
        ),
    )


def card_not_in_hand(who: Text, card: Building) -> Reason:
    """A card that is not in that hand."""
    return Reason(
        "card_not_in_hand",
        (card,),
        Text("{who} has no {card} in hand.", who=who, card=card),
    )


def no_copy_left(who: Text, card: Building, copies: int) -> Reason:
    """More copies of a card would be built than are in play."""
    exist = "only 1 copy is" if copies == 1 else f"only {copies} copies are" if copies else "no copy is"
    return Reason(
        "no_copy_left",
        (card,),
        Both(
            f"{who.en} can't have built {card.en}: {exist} in play.",
            f"{who.ja}は{card.ja}を建設できないはずです。ゲームで使うのは全部で{copies}枚です。",
        ),
    )


def no_guild_left(who: Text, card: Building, guilds: int) -> Reason:
    """More different guilds would be built than are in play."""
    return Reason(
        "no_copy_left",
        (card,),
        Text(
            "{who} can't have built {card}: only {guilds} different guilds are in play.",
            who=who,
            card=card,
            guilds=guilds,
        ),
    )


def not_in_discard(card: Building) -> Reason:
    """A card that does not lie in the discard pile."""
    return Reason(
        "not_in_discard",
        (card,),
        Text("{card!c} does not lie in the discard pile.", card=card),
    )


def no_card_of_the_age_in_discard(card: Building) -> Reason:
    """A card of an age of which no card lies in the discard pile."""
    return Reason(
        "not_in_discard",
        (card,),
        Text("{card!c} can't come from the discard pile: no card of age {age} lies there.", card=card, age=card.age),
    )


def already_built(who: Text, card: Building) -> Reason:
    """The city has a card of this name."""
    return Reason(
        "already_built",
        (card,),
        Both(
            f"{who.en}'s city has {with_article(card.name.replace('_', ' '))} already, "
            "and no city builds two of one name.",
            f"{who.ja}の都市にはもう同じ名前の{card.ja}があります。同じ建物は1つしか建設できません。",
        ),
    )


def no_stage_left(who: Text, board: Worded, stages: int) -> Reason:
    """All stages of the board are built."""
    return Reason(
        "no_stage_left",
        (),
        Text("{who}'s wonder, {board}, has only {stages} stages.", who=who, board=board, stages=stages),
    )


def too_many_cards(who: Text, most: int) -> Reason:
    """More cards and stages than a city can have."""
    return Reason(
        "too_many_cards",
        (),
        Text("{who}'s city can't have more than {most} cards and stages together.", who=who, most=most),
    )


# Costs


def no_free_stage(who: Text, card: Building) -> Reason:
    """Olympia's free building where its stage is not built."""
    return Reason(
        "no_free_build",
        (card,),
        Text(
            "{who} can't build {card} without cost: that takes the second stage of Olympia's side A.",
            who=who,
            card=card,
        ),
    )


def free_building_used(who: Text, card: Building) -> Reason:
    """Olympia's free building a second time in an age."""
    return Reason(
        "no_free_build",
        (card,),
        Text(
            "{who} can't build {card} without cost: Olympia allows one such building in each age.", who=who, card=card
        ),
    )


def free_anyway(who: Text, card: Building) -> Reason:
    """Olympia's free building for a card that costs nothing anyway."""
    return Reason(
        "no_free_build",
        (card,),
        Text("{card!c} costs {who} nothing anyway, so Olympia's free building is kept.", card=card, who=who),
    )


def cannot_produce(who: Text, what: Text, cost: Cost, cards: Sequence[Building]) -> Reason:
    """A cost that own and neighbours' resources do not cover."""
    return Reason(
        "cannot_produce",
        tuple(cards),
        Text(
            "{who} and both neighbours together can't produce {words} for {what}.", who=who, words=cost.words, what=what
        ),
    )


def coins_short(who: Text, what: Text, needed: int, held: int, cards: Sequence[Building]) -> Reason:
    """Coins that do not suffice."""
    return Reason(
        "coins_short",
        tuple(cards),
        Text(
            "{who} needs {coins} for {what} and has only {coins2}.",
            who=who,
            coins=_coins(needed),
            what=what,
            coins2=_coins(held),
        ),
    )


def pay_unclear(who: Text, what: Text, ways: Sequence[Pay], cards: Sequence[Building]) -> Reason:
    """Several cheapest ways, and none told."""
    en, ja = (" or ".join(_paid(way).en for way in ways), "か、".join(_paid(way).ja for way in ways))
    return Reason(
        "pay_unclear",
        tuple(cards),
        Both(
            f"{who.en} must say who is paid for {what.en}: {en}.",
            f"{who.ja}は{what.ja}の支払い先を決めてください。{ja}です。",
        ),
    )


def overpaid(who: Text, what: Text, told: Pay, way: Pay, cards: Sequence[Building]) -> Reason:
    """More paid than needed."""
    return Reason(
        "overpaid",
        tuple(cards),
        Text(
            "{who} pays too much for {what}: {paid} instead of {paid2}.",
            who=who,
            what=what,
            paid=_paid(told),
            paid2=_paid(way),
        ),
    )


def underpaid(who: Text, what: Text, told: Pay, ways: Sequence[Pay], cards: Sequence[Building]) -> Reason:
    """Less paid than needed, of one neighbour at least."""
    en, ja = (" or ".join(_paid(way).en for way in ways), "か、".join(_paid(way).ja for way in ways))
    return Reason(
        "underpaid",
        tuple(cards),
        Both(
            f"{who.en} does not pay enough for {what.en}: {_paid(told).en} instead of {en}.",
            f"{who.ja}の{what.ja}への支払いが足りません。{_paid(told).ja}ではなく、{ja}が必要です。",
        ),
    )


# Score only


def victories_wrong(who: Text, told: int, due: int) -> Reason:
    """Victories of age 3 that the shields of the cities do not give."""
    return Reason(
        "tokens_wrong",
        (),
        Both(
            f"{who.en} has {_victories(told)} of age 3, but the shields of the cities give {due}.",
            f"{who.ja}の時代3の勝利は{told}回になっていますが、軍事力からは{due}回のはずです。",
        ),
    )


def _victories(count: int) -> str:
    return "1 victory" if count == 1 else f"{count} victories"


def tokens_uneven(victories: int, defeats: int) -> Reason:
    """Victories and defeats that do not go together."""
    return Reason(
        "tokens_wrong",
        (),
        Both(
            f"There {'is' if victories == 1 else 'are'} {_victories(victories)} but {defeats} "
            f"{'defeat' if defeats == 1 else 'defeats'}; each victory is another city's defeat.",
            f"勝利が{victories}回、敗北が{defeats}回になっています。勝利と敗北は同じ数のはずです。",
        ),
    )


# The table


def nothing_laid(who: Text) -> Reason:
    """A seat has laid no card."""
    return Reason(
        "nothing_laid",
        (),
        Text("{who} has laid no card: build it, lay it under the wonder, or discard it.", who=who),
    )


def two_cards(who: Text, cards: Sequence[Building]) -> Reason:
    """More than one new card of a seat."""
    return Reason(
        "two_cards",
        tuple(cards),
        Text("{who} has laid more than one card; only one is played in a round, before hands are passed.", who=who),
    )


def card_outside(where: Text, cards: Sequence[Building] = ()) -> Reason:
    """A card in no zone; ``where`` names its place."""
    return Reason(
        "card_outside",
        tuple(cards),
        Text("The card {where} is in no city, wonder or discard spot; please put it where it belongs.", where=where),
    )


def wrong_age(who: Text, age: int) -> Reason:
    """A face-down card with another age's back."""
    return Reason(
        "wrong_age",
        (),
        Text("The card that {who} laid face down doesn't have the back of age {age}.", who=who, age=age),
    )


def discard_not_gathered(who: Text) -> Reason:
    """A discard of an earlier round still lies on its spot."""
    return Reason(
        "discard_not_gathered",
        (),
        Text("{who}'s discard of an earlier round must go to the discard pile first.", who=who),
    )


def _coins(count: int) -> Text:
    told = quoted(count)
    return Both(f"{told} coin" if count == 1 else f"{told} coins", f"{told}コイン")


_SIDES: Mapping[str, Text] = {"left": Text("left"), "right": Text("right")}


def _paid(pay: Pay) -> Text:
    """A payment in words: ``2 coins to the left and 1 coin to the right``."""
    parts = [
        Text("{coins} to the {sides}", coins=_coins(coins), sides=_SIDES[side]) for side, coins in pay.to_json().items()
    ]
    return listing(parts) if parts else in_context("payment", "nothing")
