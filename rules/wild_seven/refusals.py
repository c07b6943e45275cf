"""The broken rules of Wild Seven: a function for each sentence, and the codes in their order.

Source: the game's page, "Refusal codes". A sentence names only cards that the move names or that lie open on the
table: never one that was captured, nor one in a hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.cards import Card
from rules.refusal import Reason
from rules.text import Both, Text, listed, sentence_case

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


def must_get(who: Text, own: Card) -> Reason:
    """Play, while a card lies in front."""
    return Reason(
        "must_get",
        (own,),
        Text(
            "{who} has {own} in front and so must Get; Play is only for a player with no card in front.",
            who=who,
            own=own,
        ),
    )


def must_play(who: Text) -> Reason:
    """Get, while no card lies in front."""
    return Reason(
        "must_play",
        (),
        Text("{who} has no card in front and so must Play; Get is only for a player with a card in front.", who=who),
    )


def card_not_in_hand(who: Text, card: Card) -> Reason:
    """A card that is not in that hand, or was seen elsewhere."""
    return Reason(
        "card_not_in_hand",
        (card,),
        Text("{card!c} is not among the cards {who} can have in hand.", card=card, who=who),
    )


def revealed_not_in_hand(wrong: Sequence[tuple[Text, Card]]) -> Reason:
    """Revealed cards, each with its player, that are not in those hands, or were seen elsewhere."""
    en = " and ".join(f"{card.en} can't be in {who.en}'s hand" for who, card in wrong)
    ja = "、".join(f"{card.ja}は{who.ja}の手札" for who, card in wrong)
    return Reason(
        "card_not_in_hand",
        tuple(card for _, card in wrong),
        Both(
            f"Everybody reveals a card of their own hand, but {en}.",
            f"公開するのは自分の手札のカードですが、{ja}にはありえません。",
        ),
    )


def not_wanted(card: Card) -> Reason:
    """The card to take does not lie among the wanted."""
    return Reason(
        "not_wanted",
        (card,),
        Text("{card!c} is not among the wanted, and Get takes a wanted card.", card=card),
    )


def not_smaller(card: Card, own: Card, smaller: Card) -> Reason:
    """The card to take is not of smaller rank, although one is wanted; ``smaller`` is such a one."""
    return Reason(
        "not_smaller",
        (card, own),
        Text(
            "{card!c} is not smaller than {own}, and a smaller card ({smaller}) is wanted.",
            card=card,
            own=own,
            smaller=smaller,
        ),
    )


def other_suit(card: Card, own: Card) -> Reason:
    """No card of smaller rank is wanted, and the card to take is not of the own card's suit."""
    return Reason(
        "not_smaller",
        (card, own),
        Text(
            "No wanted card is smaller than {own}, so only {suit!a} may be taken, not {card}.",
            own=own,
            suit=own.suit,
            card=card,
        ),
    )


def get_compulsory(who: Text, own: Card, example: Card, count: int) -> Reason:
    """Nothing was taken, though one of ``count`` cards had to be; ``example`` is one of them."""
    one = f"{example.en}, say" if count > 1 else example.en
    ja = f"{example.ja}など" if count > 1 else example.ja
    return Reason(
        "get_compulsory",
        (example,),
        Both(
            f"{who.en} has to take a wanted card with {own.en}, for one can be taken ({one}).",
            f"{own.ja}で「お尋ね者」（{ja}）を獲得できるので、{who.ja}は1枚獲得しなければなりません。",
        ),
    )


# At the table


def bump_missing(card: Card, left: Sequence[tuple[Text, Card]]) -> Reason:
    """Cards, each with its player, that the card laid bumps, and that still lie in front of somebody."""
    en = " and ".join(f"{one.en} in front of {who.en}" for who, one in left)
    ja = "、".join(f"{who.ja}の{one.ja}" for who, one in left)
    verb = "join" if len(left) > 1 else "joins"
    return Reason(
        "bump_missing",
        tuple(one for _, one in left),
        Both(
            f"{sentence_case(card.en)} bumps larger cards of its suit: {en} {verb} the wanted.",
            f"{card.ja}より大きい同じシンボルのカードは「お尋ね者」に加えます：{ja}。",
        ),
    )


def card_left_behind(who: Text, card: Card) -> Reason:
    """A card that had to join the wanted earlier still lies in front of somebody."""
    return Reason(
        "bump_missing",
        (card,),
        Text("{card!c} in front of {who} has yet to join the wanted.", card=card, who=who),
    )


def bump_wrong(moved: Sequence[tuple[Text, Card]]) -> Reason:
    """Cards, each with its player, that joined the wanted and need not."""
    en = " and ".join(f"{one.en} stays in front of {who.en}" for who, one in moved)
    ja = "、".join(f"{one.ja}は{who.ja}の前" for who, one in moved)
    return Reason(
        "bump_wrong",
        tuple(one for _, one in moved),
        Both(
            f"Only a smaller card of the same suit bumps: {en}.",
            f"「お尋ね者」に加えるのは、出したカードと同じシンボルの、より大きいカードだけです：{ja}に残ります。",
        ),
    )


def own_card_left(who: Text, own: Card) -> Reason:
    """The own card did not join the wanted after a Get."""
    return Reason(
        "own_card_left",
        (own,),
        Text(
            "After a Get the own card joins the wanted, whatever was taken: {who}'s {own} must go there.",
            who=who,
            own=own,
        ),
    )


def play_and_get(who: Text) -> Reason:
    """Play and Get in one turn."""
    return Reason(
        "two_actions",
        (),
        Text("{who} did both Play and Get; a turn is one of the two.", who=who),
    )


def two_cards(who: Text, cards: Sequence[Card]) -> Reason:
    """Two cards or more laid in front, or taken, in one turn."""
    names = listed(cards)
    return Reason(
        "two_actions",
        tuple(cards),
        Text("{who} may lay or take only one card in a turn, not {names}.", who=who, names=names),
    )
