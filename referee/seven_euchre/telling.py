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
from rules.seven_euchre.round import Contract, DealPhase, side_of
from rules.seven_euchre.trumps import LEAST_TRICKS, Trump, bid_words, suit_of
from rules.text import Text, capitalise, player, say_cards

_SIDES = (0, 1)


Tell = Callable[[Move], Accepted]
"""What a legal move that is entered results in."""


def told_now(state: EuchreState, tell: Tell) -> tuple[tuple[Text, Move | Question], ...]:
    """List the calls of the seat to call: the pass, then the bids by their number; or the ways out of a revoke."""
    position: Position = state.position
    if position.phase is DealPhase.AUCTION and position.to_move is not None:
        who = player(position.get_name(position.to_move))
        passing = Text("{who} passes", who=who), Pass(position.to_move)
        numbers = groupby(position.bids, lambda bid: bid.tricks)
        return (
            passing,
            *(_offer_bids(who, [(_bid(bid, position.trump), bid) for bid in bids], tell) for _, bids in numbers),
        )
    if state.revoke is None or position.phase is not DealPhase.PLAY:
        return ()
    return ways_out(position, state.revoke)


def _offer_bids(who: Text, bids: Sequence[tuple[Text, Bid]], tell: Tell) -> tuple[Text, Bid | Question]:
    """Offer the bids of one number as a line to choose: that alone, and then which of them where there are several."""
    if len(bids) == 1:
        return bids[0]
    tricks = bids[0][1].tricks
    asked = Text("{who} bids {tricks}: with which trumps?", who=who, tricks=tricks)
    line = Text("Bid {tricks} …", tricks=tricks)
    return line, Question(asked, tuple(Choice(words, tell(bid)) for words, bid in bids))


def _bid(bid: Bid, turned_up: Trump | None) -> Text:
    """Say a bid to choose; in the second auction with the trump that is settled."""
    return capitalise(bid_words(bid.tricks, bid.trump or turned_up))


def ways_out(position: Position, proof: Play) -> tuple[tuple[Text, BackTo | Annul], ...]:
    """Return the ways out of a revoke that a card proves: back
    to its trick, or to each that it may be; the deal annulled.
    """
    dealer = player(position.get_name(position.dealer))
    return (
        *(
            (Text("Back to trick {trick}, from its lead", trick=trick), BackTo(trick))
            for trick in position.revoked_in(proof.seat, proof.card)
        ),
        (Text("Annul the deal; {dealer} deals again", dealer=dealer), Annul()),
    )


def move_words(move: Move, before: Position) -> Text:
    """Describe a move as a sentence."""
    if isinstance(move, Deal):
        who = player(before.get_name(before.dealer))
        return Text("{who} has dealt.", who=who)
    if isinstance(move, TurnUp):
        return Text("{card!c} is turned up.", card=move.card)
    if isinstance(move, Annul):
        return Text("The deal is annulled; nobody scores.")
    if isinstance(move, BackTo):
        return Text("The deal goes back to the lead to trick {trick}.", trick=move.trick)
    who = player(before.get_name(move.seat))
    if isinstance(move, Bid):
        bid = bid_words(move.tricks, move.trump)
        return Text("{who} bids {bid}.", who=who, bid=bid)
    if isinstance(move, Pass):
        return Text("{who} passes.", who=who)
    if isinstance(move, Exchange):
        return Text("{who} has taken the middle card and laid one aside.", who=who)
    return Text("{who} plays {card}.", who=who, card=move.card)


def describe_effects(move: Move, before: Position, after: Position) -> Iterator[Text]:
    """Yield what follows from a move."""
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
    elif after.phase is DealPhase.DEAL:
        yield Text("All four passed again: the cards are gathered, and nobody scores.")


def contract_words(position: Position, contract: Contract) -> Text:
    """Say what is played: the declarer's bid."""
    who, words = player(position.get_name(contract.seat)), contract.text
    return Text("Contract: {bid} by {who}.", bid=words, who=who)


def trump_words(trump: Trump | None) -> Text:
    """Say which cards are trumps."""
    if trump is None or trump.suit is None:
        return Text("There are no trumps; 7s are ordinary.")
    return Text("Trumps are {suit} and every 7; {suit} 7 is the top one.", suit=trump.suit)


def _back_to_hands(move: BackTo, before: Position) -> Iterator[Text]:
    """Say who takes which cards back into the hand."""
    plays = before.round.plays[(move.trick - 1) * SEATS :] if before.round is not None else ()
    for seat in range(1, SEATS + 1):
        cards = [play.card for play in plays if play.seat == seat]
        if cards:
            who, names = player(before.get_name(seat)), say_cards(cards)
            yield Text("{who} takes back {names}.", who=who, names=names)


def _after_play(after: Position) -> Iterator[Text]:
    last = after.last_trick
    if last is None or after.led is not None:
        return
    winner = next(play for play in last.plays if play.seat == last.winner)
    who, side = player(after.get_name(last.winner)), side_words(after, last.side)
    yield Text("{card!c} of {who} wins; the trick goes to {side}.", card=winner.card, who=who, side=side)
    yield from deal_result(after)


def deal_result(position: Position) -> Iterator[Text]:
    """Say how a deal that was just played out scored, each point where it came from; nothing in any other position."""
    contract, points = position.contract, position.last_points
    if contract is None or points is None:
        return
    side, tricks = side_of(contract.seat), position.tricks
    who, words, theirs = player(position.get_name(contract.seat)), contract.text, side_words(position, side)
    short = contract.tricks - tricks[side]
    if short > 0:
        yield Text(
            "{who}'s bid, {bid}, failed by {short}: {side} took {tricks}.",
            who=who,
            bid=words,
            short=short,
            side=theirs,
            tricks=tricks[side],
        )
        scorer, extra = 1 - side, Text("{short} × {tricks} for the failed bid", short=short, tricks=tricks[1 - side])
    else:
        yield Text(
            "{who}'s bid, {bid}, is made: {side} took {tricks}.",
            who=who,
            bid=words,
            side=theirs,
            tricks=tricks[side],
        )
        scorer, extra = side, _say_bonus(contract)
    for one in _SIDES:
        points_for = Text("{tricks} for tricks", tricks=tricks[one])
        yield Text(
            "{side}: {sum} = {points}; {total} in all.",
            side=side_words(position, one),
            sum=Text("{points_for} + {extra}", points_for=points_for, extra=extra) if one == scorer else points_for,
            points=points[one],
            total=position.points[one],
        )


def _say_bonus(contract: Contract) -> Text:
    """Say what a bid that is made brings: its suit, and eight for each trick above seven."""
    suit, above = contract.trump.points, 8 * (contract.tricks - LEAST_TRICKS)
    if not above:
        return Text("{suit} for the bid", suit=suit)
    return Text("{suit} + {above} for the bid", suit=suit, above=above)


def follow_words(position: Position) -> Text | None:
    """Say what was led, and which cards follow it; ``None`` where no card was led."""
    led, trump = position.led, position.trump
    if led is None or trump is None:
        return None
    suit, card = position.led_suit, led.text
    assert suit is not None, "a card was led"
    if trump.suit is None:
        return Text("{card!c} was led: follow with {suit}.", card=card, suit=suit)
    if suit is trump.suit:
        return Text("{card!c} was led: follow with {suit} or any 7.", card=card, suit=suit)
    return Text("{card!c} was led: follow with {suit}, but not its 7, which is a trump.", card=card, suit=suit)


def follow_briefly(led: Card, trump: Trump | None) -> Text:
    """Say what follows a led card, in a few words: ``Follow star (7s are trumps)``."""
    if trump is None or trump.suit is None:
        return Text("Follow {suit}", suit=led.suit)
    if suit_of(led, trump) is trump.suit:
        return Text("Follow {suit} or any 7", suit=trump.suit)
    return Text("Follow {suit} (7s are trumps)", suit=led.suit)


def next_words(position: Position) -> Text | None:
    """Say who plays next; in an auction the answers to choose from say so, and an exchange is a thing to do."""
    if position.to_move is None:
        return None
    who = player(position.get_name(position.to_move))
    if position.phase in (DealPhase.AUCTION, DealPhase.EXCHANGE):
        return None
    if position.led is None:
        return Text("{who} leads.", who=who)
    return Text("{who} is to play.", who=who)


def to_do(position: Position) -> Iterator[Text]:
    """Yield what hands have to do before the next card is played."""
    if position.phase is DealPhase.DEAL and position.full is not None:
        yield deal_words(position)
    elif position.phase is DealPhase.TURN_UP:
        yield Text("All four passed: turn the middle card up and lay it aside.")
    elif position.phase is DealPhase.EXCHANGE and position.to_move is not None:
        who = player(position.get_name(position.to_move))
        yield Text("{who} takes the middle card and lays one card aside, face down.", who=who)


def deal_words(position: Position) -> Text:
    """Say that the next deal is due."""
    who = player(position.get_name(position.dealer))
    return Text(
        "Gather all cards. {who} shuffles and deals 12 to each; the last one goes face down in the middle. "
        "Then press confirm.",
        who=who,
    )


def list_missing_players(position: Position) -> list[Text]:
    """Return the players who have yet to play to the trick that lies there."""
    played = {play.seat for play in position.round.trick} if position.round is not None else set()
    return [player(position.get_name(seat)) for seat in range(1, SEATS + 1) if seat not in played]
