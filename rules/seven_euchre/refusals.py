"""The broken rules of Seven Euchre: a function for each sentence, and the codes in their order.

Source: "Refusal codes" of the game's page. Those of the table are told by the referee, not by the rules.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.cards import Card
from rules.refusal import Reason
from rules.text import Text, listed, listing, sentence_case

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
        Text(f"The cards are to be dealt now; {dealer.en} is the dealer.", f"今は{dealer.ja}がカードを配る番です。"),
    )


def auction_due(who: Text) -> Reason:
    """Another line while an auction runs."""
    return Reason(
        "auction_due",
        (),
        Text(
            f"The auction is not over; {who.en} is to bid or to pass.",
            f"オークション中です。{who.ja}がビッドかパスを宣言します。",
        ),
    )


def turn_up_due() -> Reason:
    """Another line after four passes before any bid."""
    return Reason(
        "turn_up_due",
        (),
        Text(
            "All four passed, so the middle card is to be turned up now.",
            "4人ともパスしたので、中央のカードを表にします。",
        ),
    )


def exchange_due(declarer: Text) -> Reason:
    """Another line before the declarer has exchanged."""
    return Reason(
        "exchange_due",
        (),
        Text(
            f"{declarer.en} is to take the middle card and lay one card aside now.",
            f"{declarer.ja}が中央のカードを取り、手札から1枚を脇に置きます。",
        ),
    )


def play_due(who: Text) -> Reason:
    """Another line during play."""
    return Reason(
        "play_due",
        (),
        Text(f"The deal is being played; {who.en} is to play a card.", f"プレイ中です。{who.ja}がカードを出します。"),
    )


def bid_too_low(bid: Text, highest: Text) -> Reason:
    """Not higher than the last bid."""
    return Reason(
        "bid_too_low",
        (),
        Text(
            f"{sentence_case(bid.en)} is not higher than the last bid, {highest.en}.",
            f"{bid.ja}は、前のビッド（{highest.ja}）より高くありません。",
        ),
    )


def not_the_middle_card(card: Card) -> Reason:
    """Full information: another card turned up than the middle one."""
    return Reason(
        "card_not_in_deck",
        (card,),
        Text(f"{sentence_case(card.en)} is not the card in the middle.", f"{card.ja}は中央のカードではありません。"),
    )


def not_in_hand(who: Text, card: Card) -> Reason:
    """Full information: the card is not in that hand."""
    return Reason(
        "card_not_in_hand",
        (card,),
        Text(f"{sentence_case(card.en)} is not in {who.en}'s hand.", f"{card.ja}は{who.ja}の手札にありません。"),
    )


def played_already(card: Card, trick: int) -> Reason:
    """The card was played earlier in the deal."""
    return Reason(
        "card_not_in_hand",
        (card,),
        Text(
            f"{sentence_case(card.en)} was played in trick {trick} already.",
            f"{card.ja}はもう第{trick}トリックで出ています。",
        ),
    )


def out_of_play(card: Card) -> Reason:
    """The card was turned up in the middle."""
    return Reason(
        "card_not_in_hand",
        (card,),
        Text(
            f"{sentence_case(card.en)} was turned up in the middle and is out of play.",
            f"{card.ja}は中央で表になったカードなので、手札にはありません。",
        ),
    )


def somebody_revoked(who: Text, card: Card, tricks: Sequence[int]) -> Reason:
    """Public information: no placing of the unseen cards has it in that hand, unless somebody revoked."""
    where = _one_of(tricks)
    return Reason(
        "card_not_in_hand",
        (card,),
        Text(
            f"Since {who.en} has {card.en}, somebody earlier did not follow suit although able to: in {where.en}.",
            f"{who.ja}が{card.ja}を持っていたので、{where.ja}でだれかがフォローできるのにしなかったことがわかります。",
        ),
        Text("Somebody revoked", "だれかがリボーク"),
    )


def revoke(who: Text, card: Card, suit: Text, trick: int) -> Reason:
    """Public information: that seat did not follow this card's suit in an earlier trick."""
    return Reason(
        "revoke",
        (card,),
        Text(
            f"{who.en} did not follow {suit.en} in trick {trick}, so {card.en} can't be in that hand now.",
            f"{who.ja}は第{trick}トリックで{suit.ja}をフォローしなかったので、{card.ja}を持っているはずがありません。",
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
                f"{sentence_case(led.en)} was led. Either {who.en} can follow with {suit.en} and must not play "
                f"{card.en}, or somebody earlier did not follow suit although able to: in {where.en}.",
                f"リードは{led.ja}です。{who.ja}が{suit.ja}でフォローできるのに{card.ja}を出したか、"
                f"{where.ja}でだれかがフォローできるのにしなかったかの、どちらかです。",
            ),
            Text("A revoke, now or before", "今か前にリボーク"),
        )
    return Reason(
        "must_follow",
        (card, led),
        Text(
            f"{sentence_case(led.en)} was led, so {who.en} must follow with {suit.en}, not play {card.en}.",
            f"リードは{led.ja}なので、{who.ja}は{card.ja}ではなく{suit.ja}を出さなければいけません。",
        ),
    )


def _one_of(tricks: Sequence[int]) -> Text:
    """One of these tricks, whichever: ``trick 3 or 5``."""
    *others, last = map(str, tricks)
    en = f"{', '.join(others)} or {last}" if others else last
    return Text(f"trick {en}", f"第{'・'.join((*others, last))}トリック" + ("のどれか" if others else ""))


# At the table


def two_cards(who: Text, cards: Sequence[Card]) -> Reason:
    """A seat played twice to a trick."""
    names = listed(cards)
    return Reason(
        "two_cards",
        tuple(cards),
        Text(
            f"{who.en} played {names.en} to one trick; take back all but one.",
            f"{who.ja}は1つのトリックに{names.ja}を出しています。1枚だけ残してください。",
        ),
    )


def trick_not_theirs(gathered: Sequence[Text], winner: Text, winners: Sequence[Text]) -> Reason:
    """A trick gathered by the side that did not take it."""
    wrong, right = listing(gathered), listing(winners)
    return Reason(
        "trick_not_theirs",
        (),
        Text(
            f"{winner.en} won the trick, so it goes to {right.en}, not to {wrong.en}.",
            f"トリックに勝ったのは{winner.ja}なので、{wrong.ja}ではなく{right.ja}のものです。",
        ),
    )


def trick_incomplete(missing: Sequence[Text]) -> Reason:
    """A trick gathered before four cards lay; ``missing`` are the players who have yet to play."""
    names = listing(missing)
    return Reason(
        "trick_incomplete",
        (),
        Text(
            f"The trick can't be gathered before {names.en} {'have' if len(missing) > 1 else 'has'} played.",
            f"{names.ja}がまだ出していないので、トリックは集められません。",
        ),
    )
