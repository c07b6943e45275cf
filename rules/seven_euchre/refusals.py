"""The broken rules of Seven Euchre: a function for each sentence, and the codes in their order.

Source: "Refusal codes" of the game's page. Those of the table are told by the referee, not by the rules.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.cards import Card
from rules.refusal import Reason
from rules.text import Both, Text, listed, listing

CODES: tuple[str, ...] = (
    "bad_record",
    "game_over",
    "deal_due",
    "auction_due",
    "turn_up_due",
    "exchange_due",
    "play_due",
    "out_of_turn",
    "bid_too_low",
    "card_not_in_deck",
    "card_not_in_hand",
    "revoke",
    "must_follow",
    "two_cards",
    "trick_not_theirs",
    "trick_incomplete",
    "table_disturbed",
    "cannot_see",
)
"""Every code of the page, in the order in which one of several becomes the ``code``."""


def deal_due(dealer: Text) -> Reason:
    """Another line where the next deal is due."""
    return Reason(
        "deal_due",
        (),
        Text("The cards are to be dealt now; {dealer} is the dealer.", dealer=dealer),
    )


def auction_due(who: Text) -> Reason:
    """Another line while an auction runs."""
    return Reason(
        "auction_due",
        (),
        Text("The auction is not over; {who} is to bid or to pass.", who=who),
    )


def turn_up_due() -> Reason:
    """Another line after four passes before any bid."""
    return Reason(
        "turn_up_due",
        (),
        Text("All four passed, so the middle card is to be turned up now."),
    )


def exchange_due(declarer: Text) -> Reason:
    """Another line before the declarer has exchanged."""
    return Reason(
        "exchange_due",
        (),
        Text("{declarer} is to take the middle card and lay one card aside now.", declarer=declarer),
    )


def play_due(who: Text) -> Reason:
    """Another line during play."""
    return Reason(
        "play_due",
        (),
        Text("The deal is being played; {who} is to play a card.", who=who),
    )


def bid_too_low(bid: Text, highest: Text) -> Reason:
    """Not higher than the last bid."""
    return Reason(
        "bid_too_low",
        (),
        Text("{bid!c} is not higher than the last bid, {highest}.", bid=bid, highest=highest),
    )


def not_the_middle_card(card: Card) -> Reason:
    """Full information: another card turned up than the middle one."""
    return Reason(
        "card_not_in_deck",
        (card,),
        Text("{card!c} is not the card in the middle.", card=card),
    )


def not_in_hand(who: Text, card: Card) -> Reason:
    """Full information: the card is not in that hand."""
    return Reason(
        "card_not_in_hand",
        (card,),
        Text("{card!c} is not in {who}'s hand.", card=card, who=who),
    )


def played_already(card: Card, trick: int) -> Reason:
    """The card was played earlier in the deal."""
    return Reason(
        "card_not_in_hand",
        (card,),
        Text("{card!c} was played in trick {trick} already.", card=card, trick=trick),
    )


def out_of_play(card: Card) -> Reason:
    """The card was turned up in the middle."""
    return Reason(
        "card_not_in_hand",
        (card,),
        Text("{card!c} was turned up in the middle and is out of play.", card=card),
    )


def somebody_revoked(who: Text, card: Card, tricks: Sequence[int]) -> Reason:
    """Public information: no placing of the unseen cards has it in that hand, unless somebody revoked."""
    where = _one_of(tricks)
    return Reason(
        "card_not_in_hand",
        (card,),
        Text(
            "Since {who} has {card}, somebody earlier did not follow suit although able to: in {where}.",
            who=who,
            card=card,
            where=where,
        ),
        Text("Somebody revoked"),
    )


def revoke(who: Text, card: Card, suit: Text, trick: int) -> Reason:
    """Public information: that seat did not follow this card's suit in an earlier trick."""
    return Reason(
        "revoke",
        (card,),
        Text(
            "{who} did not follow {suit} in trick {trick}, so {card} can't be in that hand now.",
            who=who,
            suit=suit,
            trick=trick,
            card=card,
        ),
    )


def must_follow(who: Text, card: Card, led: Card, suit: Text, tricks: Sequence[int] = ()) -> Reason:
    """The hand holds a card of the led suit, surely so with public information.

    Where that follows from suits that were not followed in some ``tricks``, it holds one or somebody revoked in those.
    """
    if tricks:
        where = _one_of(tricks)
        return Reason(
            "must_follow",
            (card, led),
            Text(
                "{led!c} was led. Either {who} can follow with {suit} and must not play {card}, or somebody "
                "earlier did not follow suit although able to: in {where}.",
                led=led,
                who=who,
                suit=suit,
                card=card,
                where=where,
            ),
            Text("A revoke, now or before"),
        )
    return Reason(
        "must_follow",
        (card, led),
        Text(
            "{led!c} was led, so {who} must follow with {suit}, not play {card}.",
            led=led,
            who=who,
            suit=suit,
            card=card,
        ),
    )


def _one_of(tricks: Sequence[int]) -> Text:
    """One of these tricks, whichever: ``trick 3 or 5``."""
    *others, last = map(str, tricks)
    en = f"{', '.join(others)} or {last}" if others else last
    return Both(f"trick {en}", f"第{'・'.join((*others, last))}トリック" + ("のどれか" if others else ""))


# At the table


def two_cards(who: Text, cards: Sequence[Card]) -> Reason:
    """A seat played twice to a trick."""
    names = listed(cards)
    return Reason(
        "two_cards",
        tuple(cards),
        Text("{who} played {names} to one trick; take back all but one.", who=who, names=names),
    )


def trick_not_theirs(gathered: Sequence[Text], winner: Text, winners: Sequence[Text]) -> Reason:
    """A trick gathered by the side that did not take it."""
    wrong, right = listing(gathered), listing(winners)
    return Reason(
        "trick_not_theirs",
        (),
        Text("{winner} won the trick, so it goes to {right}, not to {wrong}.", winner=winner, right=right, wrong=wrong),
    )


def trick_incomplete(missing: Sequence[Text]) -> Reason:
    """A trick gathered before four cards lay; ``missing`` are the players who have yet to play."""
    names = listing(missing)
    return Reason(
        "trick_incomplete",
        (),
        Both(
            f"The trick can't be gathered before {names.en} {'have' if len(missing) > 1 else 'has'} played.",
            f"{names.ja}がまだ出していないので、トリックは集められません。",
        ),
    )
