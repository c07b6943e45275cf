"""One game being refereed: what is agreed, the question that is open, and what the display shows about it.

A session takes table views and button presses and gives verdicts and screens; it knows no camera and no window.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from device.buttons import Button
from device.phrasing import sentences, steps
from referee.laminate import judge, noticed
from referee.layouts import Layout
from referee.lying import Agreed
from referee.table import TableView
from referee.verdict import Accepted, CantSee, Question, Refused, Verdict
from rules.laminate.position import Phase, Position
from ui.screen_state import Language, Mood, PaperMark, PlayerLine, RankLine, ScreenState


def _gist(view: TableView) -> tuple[object, ...]:
    """What lies on the table without where exactly: two looks at a table that nobody touched have the same."""
    papers = Counter((p.seat, p.kind, p.complete_side, frozenset(p.cards)) for p in view.papers)
    return (
        frozenset(papers.items()),
        view.draw_backs > 0,
        view.discard_top,
        tuple(sorted(view.payments.items())),
        tuple(sorted(seen.name for seen in view.loose)),
        len(view.unread),
    )


class Session:
    """Referees one game of Laminate Rummy from the set-up on."""

    def __init__(
        self, players: Sequence[str], first_seat: int, layout: Layout, language: Language = Language.EN
    ) -> None:
        self.agreed = Agreed(Position.start(players, first_seat))
        self.layout = layout
        self.language = language
        self._verdict: Verdict | None = None
        self._asked: tuple[Question, tuple[object, ...]] | None = None
        self._chosen = 0

    @property
    def position(self) -> Position:
        """The agreed position, with public information."""
        return self.agreed.position

    @property
    def question(self) -> Question | None:
        """The question that waits for an answer."""
        return self._asked[0] if self._asked else None

    def confirm(self, view: TableView) -> Verdict:
        """The confirm button, over a still table: judge it, or answer the open question with the chosen answer.

        A question is about the table as it lay; where the table has been changed since, it is judged anew.
        """
        gist = _gist(view)
        if self._asked is not None and self._asked[1] == gist:
            verdict: Verdict = self._asked[0].choices[self._chosen].verdict
        else:
            verdict = judge(self.agreed, view, self.layout)
        self._asked, self._chosen = None, 0
        if isinstance(verdict, Question):
            self._asked = (verdict, gist)
        elif isinstance(verdict, Accepted):
            self.agreed = verdict.after
        self._verdict = verdict
        return verdict

    def notice(self, view: TableView) -> None:
        """A still look between two confirms: thank-you cards that were taken away are remembered as taken."""
        self.agreed = noticed(self.agreed, view, self.layout)

    def press(self, button: Button) -> None:
        """The other buttons: up and down choose among a question's answers, back takes the question off."""
        if self._asked is None:
            return
        count = len(self._asked[0].choices)
        if button is Button.UP:
            self._chosen = (self._chosen - 1) % count
        elif button is Button.DOWN:
            self._chosen = (self._chosen + 1) % count
        elif button is Button.BACK:
            self._asked = self._verdict = None

    # What the display shows

    def _say(self, words: Accepted | Refused | Question | CantSee) -> str:
        return words.ja if self.language is Language.JA else words.en

    def _players(self) -> tuple[PlayerLine, ...]:
        position = self.position
        lines = []
        for seat, name in enumerate(position.players, 1):
            papers = [paper for paper in position.papers if paper.seat == seat]
            marks = tuple(
                PaperMark(paper.complete, position.catalogue[paper.kind].points if paper.complete else len(paper.cards))
                for paper in papers
            )
            lines.append(PlayerLine(name, position.points[seat - 1], marks, position.to_move == seat))
        return tuple(lines)

    def _base(self, mood: Mood) -> ScreenState:
        position = self.position
        return ScreenState(
            self.language,
            mood,
            self._players(),
            turns_left=position.turns_left,
            flag_due=position.phase is Phase.FLAG,
        )

    def screen_waiting(self, mood: Mood = Mood.WAITING) -> ScreenState:
        """The screen while nothing is to be answered: whose turn it is and what the last turn was understood as.

        ``mood`` may be ``HANDS`` or ``READING`` instead of ``WAITING``.
        """
        if self.position.phase is Phase.OVER:
            return self.screen_finished()
        said = self._say(self._verdict) if isinstance(self._verdict, Accepted) else ""
        if not said and self.position.phase is Phase.SETUP and mood is Mood.WAITING:
            return replace(self._base(mood), headline="", details=(self._setup_words(),))
        return replace(self._base(mood), headline=said)

    def screen_verdict(self) -> ScreenState:
        """The screen after a confirm: what was understood, refused or asked, and why."""
        verdict = self._verdict
        if verdict is None:
            return self.screen_waiting()
        if isinstance(verdict, Accepted):
            understood, *others = sentences(self._say(verdict))
            return replace(self._base(Mood.ACCEPTED), headline=understood, details=tuple(others))
        if isinstance(verdict, Question):
            choices = tuple(choice.ja if self.language is Language.JA else choice.en for choice in verdict.choices)
            return replace(
                self._base(Mood.QUESTION), headline=self._say(verdict), choices=choices, chosen=self._chosen
            )
        if isinstance(verdict, CantSee):
            trouble, *others = sentences(self._say(verdict))
            return replace(self._base(Mood.CANT_SEE), headline=trouble, details=tuple(others))
        ja = self.language is Language.JA
        first, *others = dict.fromkeys(reason.ja if ja else reason.en for reason in verdict.reasons)
        put_back = steps(verdict.mend, self.language)
        return replace(self._base(Mood.REFUSED), headline=first, details=tuple(others), put_back=put_back)

    def screen_finished(self) -> ScreenState:
        """The final ranking: most points, then fewest complete papers, then shared."""
        position = self.position
        outcome = position.outcome
        winners = outcome.winners if outcome is not None else ()
        order = sorted(
            range(1, len(position.players) + 1),
            key=lambda seat: (-position.points[seat - 1], position.complete_papers[seat - 1], seat),
        )
        ranks: list[RankLine] = []
        for number, seat in enumerate(order, 1):
            points, papers = position.points[seat - 1], position.complete_papers[seat - 1]
            level = bool(ranks) and (ranks[-1].points, ranks[-1].complete_papers) == (points, papers)
            place = ranks[-1].place if level else number
            ranks.append(RankLine(place, position.name(seat), points, papers, seat in winners))
        names = [position.name(seat) for seat in winners]
        if self.language is Language.JA:
            headline = "と".join(f"{name}さん" for name in names) + "の勝ちです。"
        else:
            headline = " and ".join(names) + (" wins." if len(names) == 1 else " share the win.")
        return replace(self._base(Mood.FINISHED), headline=headline, ranking=tuple(ranks))

    def _setup_words(self) -> str:
        if self.language is Language.JA:
            return "山札と捨て札を置き、全員の手札が3枚になったら確定を押してください。"
        return "Lay the draw pile and the discards; when every hand has three cards, press confirm."
