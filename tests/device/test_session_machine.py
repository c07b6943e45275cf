"""Any buttons in any order over any looks: nothing crashes, every state has a screen, a resumed session is the same."""

from __future__ import annotations

import random
from dataclasses import replace

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from device.hardware.buttons import Button
from device.session.session import Session
from referee.history import Entry
from referee.laminate.simulated.game import SimulatedGame
from referee.laminate.view.layouts import layout_for
from referee.laminate.view.table import TableView
from referee.table import Sighting, Unread
from rules.cards import DECK
from rules.laminate.ending import find_contradiction
from rules.record import check_record
from rules.text import Language, Text
from tests.device.openings import begun, header
from tests.device.seeing import perfect_view
from ui.screen_state import Mood, TablePicture, TableScreen

PLAYERS = ("Hilbert", "Banach", "Noether")
LAYOUT = layout_for(3)


def looks(seed: int) -> list[TableView]:
    """Return what an eye without fault sees in a game with mistakes, look by look."""
    game = SimulatedGame(PLAYERS, LAYOUT, random.Random(seed))
    return [perfect_view(game.table, LAYOUT, peeping=seed % 2 == 0) for _ in game.play_game()]


LOOKS = [looks(seed) for seed in (11, 12)]


SILENT = (Mood.WAITING, Mood.HANDS, Mood.READING, Mood.PAUSED)
"""What needs no words of its own."""


class JournalError(Exception):
    """The disk is full."""


class SessionMachine(RuleBasedStateMachine):
    """Looks from a real game, in their order or not, with cards dropped, doubled or unread, and any buttons."""

    @initialize(game=st.sampled_from(range(len(LOOKS))), start=st.integers(0, 60))
    def begin(self, game: int, start: int) -> None:
        self.looks = LOOKS[game]
        self.session = begun(PLAYERS, 1, LAYOUT)
        self.kept: list[Entry] = []
        self.full = False
        self.session.log.keep = self.keep
        self.at = min(start, len(self.looks) - 1)
        for look in self.looks[: self.at]:
            self.session.confirm(look)

    def keep(self, entry: Entry) -> None:
        if self.full:
            raise JournalError
        self.kept.append(entry)

    @rule(by=st.sampled_from((1, 1, 1, 2, -1, -3)))
    def look(self, by: int) -> None:
        self.at = max(0, min(self.at + by, len(self.looks) - 1))
        self.session.see(self.looks[self.at])

    @rule(data=st.data())
    def look_at_a_spoilt_table(self, data: st.DataObject) -> None:
        view = self.looks[self.at]
        how = data.draw(st.sampled_from(("gone", "unread", "loose", "twice", "top", "backs", "head")))
        rng = random.Random(data.draw(st.integers(0, 99)))
        papers = list(view.papers)
        x, y = rng.uniform(0, 1189), rng.uniform(0, 841)
        if how in ("gone", "unread", "head", "twice") and papers:
            number = rng.randrange(len(papers))
            paper = papers[number]
            mark = Unread(paper.x, paper.y, 0.0, "glare", tuple(map(str, paper.cards[:2])))
            if how == "gone":
                del papers[number]
            elif how == "unread" and paper.cards:
                papers[number] = replace(paper, cards=paper.cards[1:], doubtful=(mark,))
                view = replace(view, unread=(mark,))
            elif how == "head":
                del papers[number]
                head = replace(mark, candidates=(f"{paper.kind}/review",))
                loose = tuple(Sighting(str(card), paper.x, paper.y + 30, 0.0) for card in paper.cards)
                view = replace(view, unread=(head,), loose=loose)
            else:
                papers.append(paper)
            view = replace(view, papers=tuple(papers))
        elif how == "loose":
            name = rng.choice((str(rng.choice(DECK)), "back", "five/review"))
            view = replace(view, loose=(Sighting(name, x, y, 0.0),))
        elif how == "top":
            view = replace(view, discard_top=rng.choice((None, rng.choice(DECK))))
        else:
            view = replace(view, draw_backs=0, payments={rng.randint(1, 3): rng.randint(1, 3)})
        self.session.see(view)

    @rule(button=st.sampled_from(Button), held=st.sampled_from((False, False, False, True)))
    def press(self, button: Button, held: bool) -> None:
        self.session.press(button, held)

    @rule(button=st.sampled_from((Button.CONFIRM, Button.DOWN)), times=st.integers(2, 5))
    def press_on(self, button: Button, times: int) -> None:
        for _ in range(times):
            self.session.press(button)

    @rule(lines=st.lists(st.integers(0, 6), min_size=1, max_size=7))
    def go_through_the_menu(self, lines: list[int]) -> None:
        self.session.press(Button.CONFIRM, held=True)
        for line in lines:
            for _ in range(line):
                self.session.press(Button.DOWN)
            self.session.press(Button.CONFIRM)

    @rule(line=st.integers(4, 6))
    def take_what_the_menu_proposes(self, line: int) -> None:
        """Far enough to set a position by hand, where the table allows it."""
        self.go_through_the_menu([line])
        for _ in range(7):
            self.session.press(Button.CONFIRM)

    @rule()
    def confirm(self) -> None:
        self.session.confirm(self.looks[self.at])

    @rule(held=st.booleans(), button=st.sampled_from((Button.CONFIRM, Button.BACK)))
    def press_while_the_disk_is_full(self, button: Button, held: bool) -> None:
        before = self.session.history
        self.full = True
        try:
            self.session.press(button, held)
        except JournalError:
            assert self.session.history is before
        finally:
            self.full = False

    @rule(mood=st.sampled_from((Mood.HANDS, Mood.READING, None)))
    def lose_sight(self, mood: Mood | None) -> None:
        if mood is None:
            self.session.note_watching(Mood.BLIND, Text("Marker 2 is hidden."))
        else:
            self.session.note_watching(mood)

    @invariant()
    def every_state_has_a_screen_in_both_languages(self) -> None:
        before = self.session.screens.language
        for language in Language.all():
            self.session.speak(language)
            screen = self.session.make_screen()
            assert screen.headline or screen.details or screen.mood in SILENT
            assert 0 <= screen.chosen < max(1, len(screen.choices))
            if isinstance(screen, TableScreen) and isinstance(screen.picture, TablePicture):
                assert len(screen.picture.arrows) in (0, len(screen.put_back))
        self.session.speak(before)

    def teardown(self) -> None:
        if not hasattr(self, "session"):
            return
        assert find_contradiction(self.session.position) is None
        assert tuple(self.kept) == self.session.log.entries
        again = Session.resume(header(PLAYERS, 1), [Entry.from_json(entry.to_json()) for entry in self.kept])
        assert again.history == self.session.history
        assert again.history.write_record() == self.session.history.write_record()
        verdicts = list(check_record(self.session.history.write_record()))
        assert all(line.get("verdict") != "refused" for line in verdicts)
        assert verdicts[-1]["final"] == list(self.session.position.points)


TestSessionMachine = SessionMachine.TestCase
TestSessionMachine.settings = settings(max_examples=15, stateful_step_count=25)
