"""A simulated game: the truth about it, and what its players do to the cards on the table, mistakes included.

The chain under test sees only pictures of the table. This module knows every hand and the order of the draw pile, and
says of each press of confirm what a referee without fault must answer.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.laminate.expected_layout import Agreed
from referee.laminate.simulated.lookalikes import find_lookalike
from referee.laminate.simulated.mistakes import BY_PHASE, MISTAKES, THANKS_LEFT
from referee.laminate.simulated.players import SimulatedPlayer, Skill
from referee.laminate.simulated.table import SimulatedTable
from referee.laminate.simulated.turns import Turn
from referee.laminate.view.layouts import PaperLayout
from referee.simulation.game import Attempt, Mistake, Simulation
from rules.laminate.game import Game, as_seen
from rules.laminate.moves import Move, Publish, Research
from rules.laminate.papers import LAMINATE, Papers
from rules.laminate.play import deal, draw_cards
from rules.laminate.position import Phase, Position

SHOWN = (
    "nothing_done",
    "not_turned",
    "two_cards",
    "pays_too_little",
    "one_card_more",
    "flag_forgotten",
)
"""The mistakes that a game shows once each, so that refusals are seen and mended."""


class SimulatedGame(Simulation):
    """Players, hands and draw pile, and the table they play on; everything follows from ``rng``.

    With ``blunders`` each mistake of ``SHOWN`` is made once; ``carelessness`` is the share of turns in which any
    mistake of the catalogue is made, and in which papers are laid in another order, besides. ``lookalikes`` counts
    the mistakes that were not shown, because the table looked just as after a legal move.
    """

    table: SimulatedTable
    table_type = SimulatedTable

    def __init__(
        self,
        players: Sequence[str],
        layout: PaperLayout,
        rng: random.Random,
        blunders: bool = True,
        *,
        first_seat: int = 1,
        skills: Sequence[Skill] = (),
        carelessness: float = 0.0,
        catalogue: Papers = LAMINATE,
    ) -> None:
        self.game = Game(players, first_seat, catalogue)
        super().__init__(self.game.position, layout, rng, carelessness)
        skills = skills or (Skill.SENSIBLE,) * len(players)
        self._players = [SimulatedPlayer(seat, rng, skill) for seat, skill in enumerate(skills, 1)]
        self._left = {THANKS_LEFT.name, *SHOWN} if blunders else set[str]()
        self._public = Position.start(players, first_seat, catalogue)
        self.lookalikes: Counter[str] = Counter()
        self._times: Counter[str] = Counter()

    def play_game(self) -> Iterator[Attempt]:
        """Yield the presses of confirm, from the set-up to the end of the game."""
        dealt = deal(len(self._players), self._rng)
        for card in dealt.discard:
            self.table.lay_discard(card)
        self.table.stack_draw(self.position.do(dealt).draw_count)
        self._play(dealt)
        yield Attempt(None, as_seen(dealt))
        while self.position.outcome is None:
            yield from self._turn()

    def straighten(self) -> None:
        """Straighten papers, discards and thanks."""
        self.table.nudge()

    def is_same(self, move: Move, other: Move) -> bool:
        """Tell whether two moves come to the same: cards in any order, and citations of equal effect."""
        return same_move(move, other)

    def has_noticed(self, state: Agreed) -> bool:
        """Tell whether the thanks that were taken are confirmed to be gone."""
        return not state.thanks

    def _turn(self) -> Iterator[Attempt]:
        position = self.position
        seat = position.to_move
        assert seat is not None, "attempts() stops at the end of the game"
        move = self._choose(position, self._players[seat - 1])
        turn = Turn(self.table, position, self._public, seat, move, self._whims)
        if position.phase is not Phase.FLAG and (thanks := self.table.count_payments()):
            if THANKS_LEFT.name in self._left or self._is_slipping():
                yield from self._make_blunder(THANKS_LEFT, turn)
            for author, count in thanks.items():
                self.table.unpay(author, count)
            yield Attempt(None, unconfirmed=True)
        mistakes = BY_PHASE[position.phase]
        for name in SHOWN:
            if name in self._left and MISTAKES[name] in mistakes and self._is_shown(turn, name):
                yield from self._make_blunder(MISTAKES[name], turn)
        if self._is_slipping():
            # Those made least often first, since some hardly ever find an occasion.
            for mistake in sorted(self.shuffle_things(mistakes), key=lambda mistake: self._times[mistake.name]):
                if (yield from self._make_blunder(mistake, turn)):
                    break
        if self._is_slipping():
            self.table.rearrange(self._whims.randint(1, len(self._players)))
        self.table.act(position, move)
        yield Attempt(seat, as_seen(move))
        self._play(move)

    def _play(self, move: Move) -> None:
        self.game.play(move)
        self.position, self._public = self.game.position, self._public.do(as_seen(move))

    def _choose(self, position: Position, player: SimulatedPlayer) -> Move:
        move = player.choose(position)
        if not isinstance(move, Research) or move.source != "deck":
            return move
        keep, *others = cards = draw_cards(position, self._rng)
        if others:
            keep = player.research_keep(position, cards)
            others = [card for card in cards if card != keep]
        return Research(player.seat, "deck", keep, others[0] if others else None)

    def _is_shown(self, turn: Turn, name: str) -> bool:
        """Tell whether a mistake that is shown once fits the move the player means to make."""
        if name == "nothing_done":
            return isinstance(turn.move, Research) and len(self.game.moves) > 3
        return not isinstance(turn.move, Publish) or name in ("pays_too_little", "one_card_more")

    def _make_mistake(
        self, mistake: Mistake[Turn, Any], turn: Turn, occasion: object, details: Mapping[str, Any]
    ) -> Attempt | None:
        if mistake is not THANKS_LEFT and find_lookalike(self.table, self._public) is not None:
            self.lookalikes[mistake.name] += 1
            return None
        self._left.discard(mistake.name)
        self._times[mistake.name] += 1
        return mistake.make_attempt(turn.seat, meant=as_seen(turn.move), **details)


def same_move(a: object, b: object) -> bool:
    """Tell whether two public moves come to the same: cards in any order, and citations of equal effect."""
    if isinstance(a, Publish) and isinstance(b, Publish):
        paid = [{seat: n for seat, n in move.pay.items() if n} for move in (a, b)]
        return (a.seat, a.paper, sorted(a.cards), paid[0]) == (b.seat, b.paper, sorted(b.cards), paid[1])
    return a == b
