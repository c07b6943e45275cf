"""What is said about a game of Seven Euchre: a move as a sentence, what follows from it, who does what next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from referee.seven_euchre.state import EuchreState
from referee.seven_euchre.words import side_words
from referee.verdict import Accepted, Choice, Question
from rules.cards import Card
from rules.seven_euchre.moves import SEATS, Annul, BackTo, Bid, Deal, Exchange, Move, Pass, Play, TurnUp
from rules.seven_euchre.position import Position
from rules.seven_euchre.round import Contract, Phase, side_of
from rules.seven_euchre.trumps import LEAST_TRICKS, Trump, bid_words, suit_of
from rules.text import Text, listed, player, sentence_case

_SIDES = (0, 1)


Tell = Callable[[Move], Accepted]
"""What a legal move comes to that is told."""


def told_now(state: EuchreState, tell: Tell) -> tuple[tuple[Text, Move | Question], ...]:
    """The calls of the seat to call: the pass, then the bids by their number; or the ways out of a revoke."""
    position: Position = state.position
    if position.phase is Phase.AUCTION and position.to_move is not None:
        who = player(position.name(position.to_move))
        passing = Text(f"{who.en} passes", f"{who.ja}はパス"), Pass(position.to_move)
        numbers = groupby(position.bids, lambda bid: bid.tricks)
        return (passing, *(_bids(who, [(_bid(bid, position.trump), bid) for bid in bids], tell) for _, bids in numbers))
    if state.revoke is None or position.phase is not Phase.PLAY:
        return ()
    return ways_out(position, state.revoke)


def _bids(who: Text, bids: Sequence[tuple[Text, Bid]], tell: Tell) -> tuple[Text, Bid | Question]:
    """The bids of one number as a line to choose: that alone, and then which of them where there are several."""
    if len(bids) == 1:
        return bids[0]
    tricks = bids[0][1].tricks
    asked = Text(f"{who.en} bids {tricks}: with which trumps?", f"{who.ja}は{tricks}をビッド：切り札は？")
    line = Text(f"Bid {tricks} …", f"{tricks}をビッド …")
    return line, Question(asked, tuple(Choice(words, tell(bid)) for words, bid in bids))


def _bid(bid: Bid, turned_up: Trump | None) -> Text:
    """A bid to choose; in the second auction with the trump that is settled."""
    words = bid_words(bid.tricks, bid.trump or turned_up)
    return Text(sentence_case(words.en), words.ja)


def ways_out(position: Position, proof: Play) -> tuple[tuple[Text, BackTo | Annul], ...]:
    """The ways out of a revoke that a card proves: back to its trick, or to each that it may be; the deal annulled."""
    dealer = player(position.name(position.dealer))
    return (
        *(
            (Text(f"Back to trick {trick}, from its lead", f"第{trick}トリックのリードからやり直す"), BackTo(trick))
            for trick in position.revoked_in(proof.seat, proof.card)
        ),
        (Text(f"Annul the deal; {dealer.en} deals again", f"ディールを無効にし、{dealer.ja}が配り直す"), Annul()),
    )


def move_words(move: Move, before: Position) -> Text:
    """A move as a sentence."""
    if isinstance(move, Deal):
        who = player(before.name(before.dealer))
        return Text(f"{who.en} has dealt.", f"{who.ja}がカードを配りました。")
    if isinstance(move, TurnUp):
        return Text(f"{sentence_case(move.card.en)} is turned up.", f"{move.card.ja}が表になりました。")
    if isinstance(move, Annul):
        return Text("The deal is annulled; nobody scores.", "このディールは無効です。得点はありません。")
    if isinstance(move, BackTo):
        return Text(
            f"The deal goes back to the lead to trick {move.trick}.", f"第{move.trick}トリックのリードまで戻ります。"
        )
    who = player(before.name(move.seat))
    if isinstance(move, Bid):
        bid = bid_words(move.tricks, move.trump)
        return Text(f"{who.en} bids {bid.en}.", f"{who.ja}は{bid.ja}をビッドしました。")
    if isinstance(move, Pass):
        return Text(f"{who.en} passes.", f"{who.ja}はパスしました。")
    if isinstance(move, Exchange):
        return Text(
            f"{who.en} has taken the middle card and laid one aside.",
            f"{who.ja}が中央のカードを取り、1枚を脇に置きました。",
        )
    return Text(f"{who.en} plays {move.card.en}.", f"{who.ja}が{move.card.ja}を出しました。")


def follows(move: Move, before: Position, after: Position) -> Iterator[Text]:
    """What follows from a move."""
    if isinstance(move, TurnUp):
        yield trump_words(after.trump)
    elif isinstance(move, Bid | Pass):
        yield from _after_call(after)
    elif isinstance(move, BackTo):
        yield from _back_to_hands(move, before)
    elif isinstance(move, Play):
        yield from _after_play(after)


def _after_call(after: Position) -> Iterator[Text]:
    if after.contract is not None:
        yield contract_words(after, after.contract)
        if after.turned_up is None:
            yield trump_words(after.contract.trump)
    elif after.phase is Phase.DEAL:
        yield Text(
            "All four passed again: the cards are gathered, and nobody scores.",
            "4人とも再びパスしたので、カードを集めます。得点はありません。",
        )


def contract_words(position: Position, contract: Contract) -> Text:
    """What is played: the declarer's bid."""
    who, words = player(position.name(contract.seat)), contract.text
    return Text(f"Contract: {words.en} by {who.en}.", f"親は{who.ja}、コントラクトは{words.ja}です。")


def trump_words(trump: Trump | None) -> Text:
    """Which cards are trumps."""
    if trump is None or trump.suit is None:
        return Text("There are no trumps; 7s are ordinary.", "切り札はなく、7も普通のカードです。")
    return Text(
        f"Trumps are {trump.suit.en} and every 7; {trump.suit.en} 7 is the top one.",
        f"切り札は{trump.suit.ja}とすべての7で、一番強いのは{trump.suit.ja}7です。",
    )


def _back_to_hands(move: BackTo, before: Position) -> Iterator[Text]:
    """Who takes which cards back into the hand."""
    plays = before.round.plays[(move.trick - 1) * SEATS :] if before.round is not None else ()
    for seat in range(1, SEATS + 1):
        cards = [play.card for play in plays if play.seat == seat]
        if cards:
            who, names = player(before.name(seat)), listed(cards)
            yield Text(f"{who.en} takes back {names.en}.", f"{who.ja}は{names.ja}を手札に戻します。")


def _after_play(after: Position) -> Iterator[Text]:
    last = after.last_trick
    if last is None or after.led is not None:
        return
    winner = next(play for play in last.plays if play.seat == last.winner)
    who, side = player(after.name(last.winner)), side_words(after, last.side)
    yield Text(
        f"{sentence_case(winner.card.en)} of {who.en} wins; the trick goes to {side.en}.",
        f"{who.ja}の{winner.card.ja}が勝ち、トリックは{side.ja}のものです。",
    )
    yield from deal_result(after)


def deal_result(position: Position) -> Iterator[Text]:
    """How a deal that was just played out scored, each point where it came from; nothing in any other position."""
    contract, points = position.contract, position.last_points
    if contract is None or points is None:
        return
    side, tricks = side_of(contract.seat), position.tricks
    who, words, theirs = player(position.name(contract.seat)), contract.text, side_words(position, side)
    short = contract.tricks - tricks[side]
    if short > 0:
        yield Text(
            f"{who.en}'s bid, {words.en}, failed by {short}: {theirs.en} took {tricks[side]}.",
            f"{who.ja}のビッド（{words.ja}）は{short}トリック足りず失敗です（{theirs.ja}は{tricks[side]}トリック）。",
        )
        extra = {
            1 - side: Text(f" + {short} × {tricks[1 - side]} for the failed bid", f"＋失敗の{short}×{tricks[1 - side]}")
        }
    else:
        yield Text(
            f"{who.en}'s bid, {words.en}, is made: {theirs.en} took {tricks[side]}.",
            f"{who.ja}のビッド（{words.ja}）は成功です（{theirs.ja}は{tricks[side]}トリック）。",
        )
        extra = {side: _bonus(contract)}
    for one in _SIDES:
        whose, more = side_words(position, one), extra.get(one, Text("", ""))
        yield Text(
            f"{whose.en}: {tricks[one]} for tricks{more.en} = {points[one]}; {position.points[one]} in all.",
            f"{whose.ja}：トリック{tricks[one]}{more.ja}＝{points[one]}点、合計{position.points[one]}点。",
        )


def _bonus(contract: Contract) -> Text:
    """What a bid that is made brings, as part of a sum: its suit, and eight for each trick above seven."""
    above = 8 * (contract.tricks - LEAST_TRICKS)
    en, ja = (f" + {above}", f"＋{above}") if above else ("", "")
    suit = contract.trump.points
    return Text(f" + {suit}{en} for the bid", f"＋ビッド{suit}{ja}")


def follow_words(position: Position) -> Text | None:
    """What was led, and which cards follow it; ``None`` where no card was led."""
    led, trump = position.led, position.trump
    if led is None or trump is None:
        return None
    suit, card = position.led_suit, Text.of(led)
    assert suit is not None, "a card was led"
    if trump.suit is None:
        return Text(
            f"{sentence_case(card.en)} was led: follow with {suit.en}.",
            f"リードは{card.ja}：{suit.ja}でフォローします。",
        )
    if suit is trump.suit:
        return Text(
            f"{sentence_case(card.en)} was led: follow with {suit.en} or any 7.",
            f"リードは{card.ja}：{suit.ja}か、どれかの7でフォローします。",
        )
    return Text(
        f"{sentence_case(card.en)} was led: follow with {suit.en}, but not its 7, which is a trump.",
        f"リードは{card.ja}：{suit.ja}でフォローします（{suit.ja}7は切り札なので除きます）。",
    )


def follow_briefly(led: Card, trump: Trump | None) -> Text:
    """What follows a led card, in a few words: ``Follow star (7s are trumps)``."""
    if trump is None or trump.suit is None:
        return Text(f"Follow {led.suit.en}", f"{led.suit.ja}でフォロー")
    if suit_of(led, trump) is trump.suit:
        return Text(f"Follow {trump.suit.en} or any 7", f"{trump.suit.ja}か7でフォロー")
    return Text(f"Follow {led.suit.en} (7s are trumps)", f"{led.suit.ja}でフォロー（7は切り札）")


def next_words(position: Position) -> Text | None:
    """Who plays next; in an auction the answers to choose from say so, and an exchange is a thing to do."""
    if position.to_move is None:
        return None
    who = player(position.name(position.to_move))
    if position.phase in (Phase.AUCTION, Phase.EXCHANGE):
        return None
    if position.led is None:
        return Text(f"{who.en} leads.", f"{who.ja}のリードです。")
    return Text(f"{who.en} is to play.", f"次は{who.ja}が出します。")


def to_do(position: Position) -> Iterator[Text]:
    """What hands have to do before the next card is played."""
    if position.phase is Phase.DEAL and position.full is not None:
        yield deal_words(position)
    elif position.phase is Phase.TURN_UP:
        yield Text(
            "All four passed: turn the middle card up and lay it aside.",
            "4人ともパスしました。中央のカードを表にして、脇に置いてください。",
        )
    elif position.phase is Phase.EXCHANGE and position.to_move is not None:
        who = player(position.name(position.to_move))
        yield Text(
            f"{who.en} takes the middle card and lays one card aside, face down.",
            f"{who.ja}は中央のカードを取り、手札から1枚を脇に裏向きで置いてください。",
        )


def deal_words(position: Position) -> Text:
    """That the next deal is due."""
    who = player(position.name(position.dealer))
    return Text(
        f"Gather all cards. {who.en} shuffles and deals 12 to each; the last one goes face down in the middle. "
        f"Then press confirm.",
        f"カードをすべて集め、{who.ja}が切って12枚ずつ配り、残った1枚を中央に裏向きで置いて、確定を押してください。",
    )


def unplayed(position: Position) -> list[Text]:
    """The players who have yet to play to the trick that lies there."""
    played = {play.seat for play in position.round.trick} if position.round is not None else set()
    return [player(position.name(seat)) for seat in range(1, SEATS + 1) if seat not in played]
