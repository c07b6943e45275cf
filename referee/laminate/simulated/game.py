"""A simulated game: the truth about it, and what its players do to the cards on the table, mistakes included.

The chain under test sees only pictures of the table. This module knows every hand and the order of the draw pile, and
says of each press of confirm what a referee without fault must answer.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from referee.laminate.expected_layout import Agreed
from referee.laminate.simulated.hands import act
from referee.laminate.simulated.lookalikes import lookalike
from referee.laminate.simulated.mistakes import MISTAKES
from referee.laminate.simulated.players import SimulatedPlayer, Skill
from referee.laminate.simulated.scene import Mistake, Scene, Wrong, wrong
from referee.laminate.simulated.table import NoRoomError, SimulatedTable
from referee.laminate.view.layouts import Layout
from referee.placing import Placed
from referee.simulation import Attempt
from rules.laminate.game import Game, as_seen
from rules.laminate.moves import Move, Publish, Research
from rules.laminate.papers import LAMINATE, Papers
from rules.laminate.play import deal, drawn
from rules.laminate.position import Phase, Position
from rules.text import Text


def _leave_the_thanks(scene: Scene) -> Wrong:
    move, old = scene.move, scene.table.payments()
    if isinstance(move, Publish):
        due = {author: n if isinstance(n, int) else len(n) for author, n in move.pay.items()}
        # Other new thanks beside the old ones could be read as one publication that pays wrongly.
        if all(count <= due.get(author, 0) for author, count in old.items()) and scene.rng.random() < 0.5:
            scene.lay(scene.seat, move.paper, tuple(move.cards))
            for author, count in due.items():
                # The old thanks pass for new ones.
                scene.table.pay(author, count - old.get(author, 0))
    elif scene.rng.random() < 0.5:
        scene.act()
    return wrong("payment_not_taken")


THANKS_LEFT = Mistake(
    "thanks_left",
    Text("goes on with thank-you cards still lying there"),
    Phase.PLAY,
    _leave_the_thanks,
)
"""The one mistake that is made before the thank-you cards of the last turn are taken."""

SHOWN = (
    "nothing_done",
    "not_turned",
    "two_cards",
    "pays_too_little",
    "one_card_more",
    "flag_forgotten",
)
"""The mistakes that a game shows once each, so that refusals are seen and mended."""


class SimulatedGame:
    """Players, hands and draw pile, and the table they play on; everything follows from ``rng``.

    With ``blunders`` each mistake of ``SHOWN`` is made once; ``carelessness`` is the share of turns in which any
    mistake of the catalogue is made, and in which papers are laid in another order, besides. ``lookalikes`` counts
    the mistakes that were not shown, because the table looked just as after a legal move.
    """

    def __init__(
        self,
        players: Sequence[str],
        layout: Layout,
        rng: random.Random,
        blunders: bool = True,
        *,
        first_seat: int = 1,
        skills: Sequence[Skill] = (),
        carelessness: float = 0.0,
        catalogue: Papers = LAMINATE,
    ) -> None:
        self._rng = rng
        self.game = Game(players, first_seat, catalogue)
        # A randomness of its own: how cards happen to lie must not change how the game goes, nor must mistakes.
        seed = rng.getrandbits(64)
        self.table = SimulatedTable(layout, random.Random(seed))
        self._whims = random.Random(f"{seed} whims")
        skills = skills or (Skill.SENSIBLE,) * len(players)
        self._players = [SimulatedPlayer(seat, rng, skill) for seat, skill in enumerate(skills, 1)]
        self._left = {THANKS_LEFT.name, *SHOWN} if blunders else set[str]()
        self._carelessness = carelessness
        self._public = Position.start(players, first_seat, catalogue)
        self.lookalikes: Counter[str] = Counter()
        self._made: Counter[str] = Counter()

    @property
    def position(self) -> Position:
        """The true position, with full information."""
        return self.game.position

    @property
    def lying(self) -> tuple[Placed, ...]:
        """Every card on the mat now, bottom to top."""
        return tuple(self.table)

    def attempts(self) -> Iterator[Attempt]:
        """The presses of confirm, from the set-up to the end of the game.

        The cards lie on the table as the attempt says when it is handed out. Going on to the next one means that it
        was answered rightly: a blunder is then mended, a move is played.
        """
        yield self._set_up()
        while self.position.outcome is None:
            yield from self._turn()

    def straighten(self) -> None:
        """Straighten papers, discards and thanks."""
        self.table.nudge()

    def same(self, move: Move, other: Move) -> bool:
        """Whether two moves come to the same: cards in any order, and citations of equal effect."""
        return same_move(move, other)

    def has_noticed(self, state: Agreed) -> bool:
        """Whether the thanks that were taken are agreed to be gone."""
        return not state.thanks

    # The set-up and one turn

    def _set_up(self) -> Attempt:
        dealt = deal(len(self._players), self._rng)
        self.game.play(dealt)
        self._public = self._public.do(as_seen(dealt))
        for card in dealt.discard:
            self.table.lay_discard(card)
        self.table.stack_draw(self.position.draw_count)
        return Attempt(None, as_seen(dealt))

    def _turn(self) -> Iterator[Attempt]:
        position = self.position
        seat = position.to_move
        assert seat is not None, "attempts() stops at the end of the game"
        move = self._choose(position, self._players[seat - 1])
        scene = Scene(self.table, position, self._public, seat, move, self._whims)
        if position.phase is not Phase.FLAG and (thanks := self.table.payments()):
            if THANKS_LEFT.name in self._left or self._whims.random() < self._carelessness:
                yield from self._blundered(scene, THANKS_LEFT)
            for author, count in thanks.items():
                self.table.unpay(author, count)
            yield Attempt(None, unconfirmed=True)
        for name in SHOWN:
            if name in self._left and self._shows(scene, name):
                yield from self._blundered(scene, MISTAKES[name])
        if self._whims.random() < self._carelessness:
            yield from self._any_mistake(scene)
        if self._whims.random() < self._carelessness:
            self.table.rearrange(self._whims.randint(1, len(self._players)))
        act(self.table, position, move)
        yield Attempt(seat, as_seen(move))
        self.game.play(move)
        self._public = self._public.do(as_seen(move))

    def _choose(self, position: Position, player: SimulatedPlayer) -> Move:
        move = player.choose(position)
        if not isinstance(move, Research) or move.source != "deck":
            return move
        keep, *others = cards = drawn(position, self._rng)
        if others:
            keep = player.research_keep(position, cards)
            others = [card for card in cards if card != keep]
        return Research(player.seat, "deck", keep, others[0] if others else None)

    # Mistakes

    def _shows(self, scene: Scene, name: str) -> bool:
        """Whether a mistake that is shown once fits the move the player means to make."""
        if name == "nothing_done":
            return isinstance(scene.move, Research) and len(self.game.moves) > 3
        return not isinstance(scene.move, Publish) or name in ("pays_too_little", "one_card_more")

    def _any_mistake(self, scene: Scene) -> Iterator[Attempt]:
        # Those made least often first, since some hardly ever find an occasion.
        for name in sorted(MISTAKES, key=lambda name: (self._made[name], self._whims.random())):
            made = self._made[name]
            yield from self._blundered(scene, MISTAKES[name])
            if self._made[name] > made:
                return

    def _blundered(self, scene: Scene, mistake: Mistake) -> Iterator[Attempt]:
        """Make a mistake if the situation gives occasion for it, and mend it."""
        if mistake.phase is not scene.position.phase:
            return
        before = self.table.snapshot()
        try:
            made = mistake.make(scene)
        except NoRoomError:
            made = None  # no room to make it
        if made is None:
            self.table.restore(before)
            return
        if mistake is not THANKS_LEFT and lookalike(self.table, self._public) is not None:
            self.lookalikes[mistake.name] += 1
            self.table.restore(before)
            return
        self._left.discard(mistake.name)
        self._made[mistake.name] += 1
        code, *also = sorted(made.codes)
        yield Attempt(
            scene.seat,
            code=code,
            blunder=mistake.words,
            also=frozenset(also),
            instead=made.instead,
            mistake=mistake.name,
            meant=as_seen(scene.move),
        )
        self.table.restore(before)


def same_move(a: object, b: object) -> bool:
    """Whether two public moves come to the same: cards in any order, and citations of equal effect."""
    if isinstance(a, Publish) and isinstance(b, Publish):
        paid = [{seat: n for seat, n in move.pay.items() if n} for move in (a, b)]
        return (a.seat, a.paper, sorted(a.cards), paid[0]) == (b.seat, b.paper, sorted(b.cards), paid[1])
    return a == b
