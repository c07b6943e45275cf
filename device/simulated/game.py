"""A simulated game: the truth about it, and what its players do to the cards on the table, mistakes included.

The chain under test sees only pictures of the table. This module knows every hand and the order of the draw pile, and
says of each press of confirm what a referee without fault must answer.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from device.simulated.players import SimulatedPlayer
from device.simulated.table import SimulatedTable
from referee.layouts import Layout
from rules.cards import Card
from rules.laminate.game import Game, as_seen
from rules.laminate.moves import EndFlag, Move, Publish, Research, Review
from rules.laminate.papers import END_FLAG, Sum
from rules.laminate.play import deal, drawn
from rules.laminate.position import Phase, Position


@dataclass(frozen=True, slots=True)
class Attempt:
    """One change of the table: who made it, and what must be answered when confirm is pressed.

    Either ``move`` is the legal move that lies on the table, as everybody sees it, or ``code`` is the rule that the
    player breaks, and ``blunder`` says how in English and Japanese. With ``thanks_taken`` nobody presses confirm: an
    author has taken the thank-you cards into the hand.
    """

    seat: int | None
    move: Move | None = None
    code: str | None = None
    blunder: tuple[str, str] = ("", "")
    thanks_taken: bool = False


class SimulatedGame:
    """Players, hands and draw pile, and the table they play on; everything follows from ``rng``."""

    def __init__(self, players: Sequence[str], layout: Layout, rng: random.Random, blunders: bool = True) -> None:
        self._rng = rng
        self.game = Game(players)
        # A randomness of its own: how cards happen to lie must not change how the game goes.
        self.table = SimulatedTable(layout, random.Random(rng.getrandbits(64)))
        self._players = [SimulatedPlayer(seat, rng) for seat in range(1, len(players) + 1)]
        self._left = set(_BLUNDERS) if blunders else set[str]()

    @property
    def position(self) -> Position:
        """The true position, with full information."""
        return self.game.position

    def attempts(self) -> Iterator[Attempt]:
        """The presses of confirm, from the set-up to the end of the game.

        The cards lie on the table as the attempt says when it is handed out. Going on to the next one means that it
        was answered rightly: a blunder is then mended, a move is played.
        """
        yield self._set_up()
        while self.position.outcome is None:
            yield from self._turn()

    # The set-up and one turn

    def _set_up(self) -> Attempt:
        dealt = deal(len(self._players), self._rng)
        self.game.play(dealt)
        for card in dealt.discard:
            self.table.lay_discard(card)
        self.table.stack_draw(self.position.draw_count)
        return Attempt(None, as_seen(dealt))

    def _turn(self) -> Iterator[Attempt]:
        position = self.position
        seat = position.to_move
        assert seat is not None, "attempts() stops at the end of the game"
        player = self._players[seat - 1]
        move = player.choose(position)
        if isinstance(move, Research) and move.source == "deck":
            keep, *others = cards = drawn(position, self._rng)
            if others:
                keep = player.research_keep(position, cards)
                others = [card for card in cards if card != keep]
            move = Research(seat, "deck", keep, others[0] if others else None)
        if position.phase is not Phase.FLAG:
            yield from self._blundered(seat, "payment_not_taken", lambda: bool(self.table.payments()), self._nothing)
            if thanks := self.table.payments():
                for author, count in thanks.items():
                    self.table.unpay(author, count)
                yield Attempt(None, thanks_taken=True)
        yield from self._blunders(seat, move)
        self._act(move)
        yield Attempt(seat, as_seen(move))
        self.game.play(move)

    def _act(self, move: Move) -> None:
        """Do to the cards on the table what the move says."""
        table = self.table
        match move:
            case Research(source="discard"):
                table.take_discard()
            case Research(discard=discard):
                if self.position.reshuffle_on_draw != "none":
                    table.clear_discard()
                table.stack_draw(self.position.do(move).draw_count)
                if discard is not None:
                    table.lay_discard(discard)
            case Publish(seat=seat, paper=paper, cards=cards, pay=pay):
                table.lay_paper(seat, paper, sorted(cards, key=lambda card: (card.rank, card)), len(cards) == 1)
                for author, given in pay.items():
                    table.pay(author, given if isinstance(given, int) else len(given))
            case Review(of=author, paper=paper, take=take):
                table.take_from_paper(author, paper, take)
                if len(table.columns[author, paper].cards) == 1:
                    table.turn_paper(author, paper)
            case EndFlag(seat=seat, card=card):
                table.lay_paper(seat, END_FLAG, [card], True)
            case _:
                pass

    # Mistakes, each kind once a game, so that refusals are seen and mended

    def _blundered(
        self, seat: int, blunder: str, fits: Callable[[], bool], do: Callable[[], None]
    ) -> Iterator[Attempt]:
        """Make a mistake if it is still to be made and fits here, and mend it."""
        if blunder not in self._left or not fits():
            return
        before = self.table.snapshot()
        do()
        self._left.discard(blunder)
        yield Attempt(seat, code=blunder, blunder=_BLUNDERS[blunder])
        self.table.restore(before)

    def _nothing(self) -> None:
        """Confirm without having touched anything."""

    def _blunders(self, seat: int, move: Move) -> Iterator[Attempt]:
        """The mistake that a player makes before this move, if any."""
        position, table = self.position, self.table
        if position.phase is Phase.FLAG:
            yield from self._blundered(seat, "flag_due", lambda: True, self._nothing)
            return
        if isinstance(move, Research):
            quiet = position.reshuffle_on_draw == "none" and len(self.game.moves) > 3
            yield from self._blundered(seat, "pass_not_allowed", lambda: quiet, self._nothing)
        elif isinstance(move, Review):
            paper = position.paper(move.of, move.paper)
            cards = paper.cards if paper is not None else ()

            def take_two() -> None:
                table.take_from_paper(move.of, move.paper, move.take)
                table.take_from_paper(move.of, move.paper, table.columns[move.of, move.paper].cards[0])

            def forget_to_turn() -> None:
                table.take_from_paper(move.of, move.paper, move.take)

            yield from self._blundered(seat, "turn_the_paper", lambda: len(cards) == 2, forget_to_turn)
            yield from self._blundered(seat, "took_two_cards", lambda: len(cards) > 3, take_two)
        elif isinstance(move, Publish):
            paid = {author: n if isinstance(n, int) else len(n) for author, n in move.pay.items()}
            left = [card for card in position.hand(seat) if card not in move.cards]

            def pay_too_little() -> None:
                table.lay_paper(seat, move.paper, move.cards, len(move.cards) == 1)
                for author, count in paid.items():
                    table.pay(author, count - 1)

            def lay_one_too_many() -> None:
                table.lay_paper(seat, move.paper, [*move.cards, left[-1]], False)
                for author, count in paid.items():
                    table.pay(author, count)

            less = {author: count - 1 for author, count in paid.items()}

            def too_little() -> bool:
                return bool(paid) and not self._explained(move, move.cards, less)

            def too_many() -> bool:
                return bool(left) and not self._explained(move, (*move.cards, left[-1]), paid)

            yield from self._blundered(seat, "payment_missing", too_little, pay_too_little)
            yield from self._blundered(seat, "not_a_meld", too_many, lay_one_too_many)

    def _explained(self, move: Publish, laid: Sequence[Card], paid: dict[int, int]) -> bool:
        """Whether some citation makes these cards and thanks legal after all: then it would be no mistake."""
        position = self.position
        kind = position.catalogue[move.paper]
        complete = [paper for paper in position.papers if paper.complete]
        most = 5 if isinstance(kind.combination, Sum) else min(len(complete), 11)
        for count in range(min(most, len(complete)) + 1):
            for cited in combinations(complete, count):
                due: dict[int, int] = {}
                for paper in cited:
                    if paper.seat != move.seat:
                        due[paper.seat] = due.get(paper.seat, 0) + 1
                if due == {author: n for author, n in paid.items() if n} and kind.accepts(
                    (*laid, *(paper.cards[0] for paper in cited))
                ):
                    return True
        return False


_BLUNDERS: dict[str, tuple[str, str]] = {
    "pass_not_allowed": ("confirms without having moved a card", "何も動かさずに確定を押します"),
    "turn_the_paper": ("forgets to turn the complete paper", "完成した論文を裏返し忘れます"),
    "took_two_cards": ("takes two cards in one review", "査読で2枚取ります"),
    "payment_missing": ("pays a thank-you card too little", "お礼を1枚払い忘れます"),
    "payment_not_taken": ("goes on with thank-you cards still lying there", "お礼が残ったまま進めようとします"),
    "not_a_meld": ("lays down a card that is no part of the paper", "役に関係ないカードを一緒に出します"),
    "flag_due": ("forgets the End Flag", "エンドフラグを忘れます"),
}
