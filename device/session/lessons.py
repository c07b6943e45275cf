"""A game that teaches: what has been explained, what is said beside a screen, and the pictures of its aim."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from device.session.leaves import Leaves
from device.session.screens import Screens
from device.storage.kept import NOTHING_TAUGHT, Taught
from referee.history import History
from referee.menu import Menu, Option
from referee.verdict import Refused
from rules.text import Language, Text
from ui.screen_state import Leaf, PlayScreen, TableScreen
from ui.teaching.lesson import Teaching

AIM = "aim"
"""The key of the pictures of the aim, among those of a game's lessons."""
TITLE = Text("What it is about")
_NEXT, _BEGIN = Text("Next"), Text("Go on")


@dataclass(frozen=True)
class Lessons:
    """What is taught in one game: ``taught`` is kept with it, ``turns`` is how many turns were followed so far."""

    taught: Taught = NOTHING_TAUGHT
    turns: int = 0

    @property
    def on(self) -> bool:
        """Whether this game teaches."""
        return self.taught.on

    def switch(self, on: bool, turns: int) -> Lessons:
        """Return the lessons left, or taken up after so many turns: what has happened before is not explained."""
        return Lessons(replace(self.taught, on=on), turns)

    def follow(self, history: History, teaching: Teaching | None) -> Lessons:
        """Return what is explained once these turns have been made: each thing when it happens for the first time."""
        made = history.past[self.turns :]
        if len(history.past) == self.turns:
            return self
        if not self.on or teaching is None:
            return replace(self, turns=len(history.past))
        # What was explained at a turn that was taken back since is no news of whatever turn is the last one now.
        number = len(history.past)
        kept = number if made else 0
        explained = {key: turns if turns < kept else 0 for key, turns in self.taught.explained.items()}
        for step in made:
            if step.move is not None:
                for key in teaching.list_events(step.move, step.before.position, step.after.position):
                    explained.setdefault(key, number)
        return Lessons(replace(self.taught, explained=explained), number)

    def explain_aim(self) -> Lessons:
        """Return the lessons once the pictures of the aim were shown."""
        return replace(self, taught=replace(self.taught, explained={AIM: 0, **self.taught.explained}))

    def list_new(self) -> tuple[str, ...]:
        """List the keys of what the last turn explains."""
        return tuple(key for key, turns in self.taught.explained.items() if turns == self.turns and turns)


NO_LESSONS = Lessons()


def with_lessons(screen: PlayScreen, lessons: Lessons, screens: Screens, history: History) -> PlayScreen:
    """Add to a screen what the last turn explains, and below all that it led to what may be done now.

    Before the explanation come what is due and the first thing that followed from the turn. Who is next stands in the
    band, and is left out for the room.
    """
    teaching = screens.own.teaching
    if not lessons.on or teaching is None or history.over:
        return screen
    state = history.now
    news = screens.say(*teaching.explain(lessons.list_new()))
    moves = screens.say(*(one.words for one in teaching.find_possible(state.position)))
    following, due = screens.referee.next_up(state), screens.say(*screens.referee.list_reminders(state))
    said = [words for words in screen.details if following is None or words != following.said(screens.language)]
    due = tuple(words for words in said if words in due)
    own, first = screens.own.make_base(state.position, screens.language, screen.mood).details, len(said)
    while first and said[first - 1] in own:
        first -= 1
    followed = [words for words in said[:first] if words not in due]
    details = dict.fromkeys((*due, *followed[:1], *news, *followed[1:], *moves, *said[first:]))
    return replace(screen, details=tuple(details))


def with_rules(screen: TableScreen, verdict: Refused, lessons: Lessons, screens: Screens) -> TableScreen:
    """Add to a refusal the rules that it breaks, below all that it says itself."""
    teaching = screens.own.teaching
    if not lessons.on or teaching is None:
        return screen
    rules = screens.say(*teaching.find_rules(reason.code for reason in verdict.reasons))
    return replace(screen, details=tuple(dict.fromkeys((*screen.details, *rules))))


@dataclass(frozen=True)
class AimPictures(Leaves):
    """The pictures of a game's aim, which make room for whatever the referee has to say."""


def aim_menu(teaching: Teaching, parent: Menu | None = None) -> AimPictures:
    """Show the aim, one picture after the other."""
    find = cache(teaching.draw_aim)

    def draw(number: int, language: Language) -> Leaf:
        return find(language)[number]

    def show_next(number: int) -> Menu:
        return replace(menu, chosen=number + 1)

    last = len(teaching.aim) - 1
    options = [Option(_NEXT, lambda number=number: show_next(number)) for number in range(last)]  # type: ignore[misc]
    menu = AimPictures(TITLE, (*options, Option(_BEGIN, lambda: None)), parent=parent, draw=draw)
    return menu
