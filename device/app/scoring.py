"""A finished table being scored on the display: a look, what is asked about it, and the ranking."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from device.capture.capture import Blind, Lookout, Moving, News, ReadingStarted, Seen, Unfit, log_fault
from device.errors import DeviceError
from device.hardware.buttons import Button, Press
from device.scoring.asking import asked_menu, fault_menu, naming_menu
from device.scoring.looking import ByHand, Look, TableSeen, mostly_as, still_there, with_named
from device.scoring.table import Table, left_open, of_this_deck
from device.scoring.telling import kept_json
from device.speech import Language, speak_in
from referee.finished.score import Fault, Score
from referee.menu import Menu
from referee.registry import load_referees
from referee.table import Detections
from referee.verdict import Spot
from rules.game import rank_players
from rules.text import Text, join_names, join_sentences, plural
from ui.registry import screen_of
from ui.screen import count_pages
from ui.screen_state import (
    CloseUp,
    K,
    Mood,
    NoticeScreen,
    PlayerLine,
    PlayScreen,
    QuestionScreen,
    RankLine,
    ScoreScreen,
    ScreenState,
    Standing,
    TablePicture,
    TableScreen,
)

Keep = Callable[[dict[str, Any], bytes], object]
"""Keeps a result and its picture (a JPEG); raises ``DeviceError`` where it can't."""

_HINT = Text("Up and down show what lies there for each player. Confirm keeps the result.")
_THIS_PART = Text("Then lay what the others have.")
_READ_ALREADY = Text("What lies there was read already.")
_THEN = Text("Then take your hands away: the table is looked at by itself.")
_UNFORESEEN = Text(
    "This table could not be scored, for a reason that was not foreseen. Confirm looks again, back leaves."
)
_NOTHING = Text("Nothing lies there.")


@dataclass
class _Answers:
    """What the players have said of what lies there: cards named by hand, and faults that they let stand.

    ``settled`` are the parts of the table that were looked at before, where not all find room at once, and ``before``
    the cards named in them.
    """

    named: list[ByHand] = field(default_factory=list)
    confirmed: set[Fault] = field(default_factory=set)
    settled: list[Detections] = field(default_factory=list)
    before: list[ByHand] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Page:
    """What is looked at: the whole (seat 0) or one player's, from afar (0) or the pages near by."""

    seat: int = 0
    near: int = 0


class TableScoring:
    """Looks at a finished table until its result is kept and left."""

    def __init__(
        self,
        table: Table,
        deck: str,
        open_look: Callable[[], Look],
        lookout_for: Callable[[Callable[[], Look]], Lookout[TableSeen]],
        language: Language,
        keep: Keep,
        pages: Callable[[ScreenState], int] = count_pages,
    ) -> None:
        """``pages`` says how many pages a screen has near by."""
        self._table, self._deck, self._language, self._keep = table, deck, language, keep
        self._lookout = lookout_for(open_look)
        self._glimpse: TableSeen | None = None
        self._score: Score | None = None
        self._answers = _Answers()
        self._menu: Menu | None = None
        self._pages, self._page = pages, _Page()
        self._busy: Mood | None = None
        self._trouble: Text | None = None
        self._kept = False
        self.done = False
        """Whether the players have left the ranking, or gave up before."""
        self._lookout.start()

    def run_round(self) -> None:
        """Hear what the camera's loop says."""
        for news in self._lookout.take_news():
            if not self._kept:
                self._hear(news)

    def _hear(self, news: News[TableSeen]) -> None:
        match news:
            case Moving():
                self._busy, self._trouble = Mood.HANDS, None
            case ReadingStarted():
                self._busy = Mood.READING
            case Seen(glimpse):
                self._busy = self._trouble = None
                self._glimpse = glimpse
                self._answers.named = still_there(glimpse.seen, self._answers.named)
                self._judge()
            case Blind(mood=Mood.NOTICE):
                pass  # the camera is starting
            case Blind(why) | Unfit(why):
                self._busy, self._trouble = None, why

    def _judge(self, ask_again: bool = False) -> None:
        """Score what was seen, with what was entered, and ask what is open first where that is new, or to ask again."""
        glimpse = self._glimpse
        if glimpse is None:
            return
        answers, seen = self._answers, self._list_cards(glimpse)
        before, self._score = self._score, None
        if answers.settled and mostly_as(seen, answers.settled[-1]):
            self._trouble = join_sentences((_READ_ALREADY, *self._name_owners()))
            return
        try:
            of_this_deck(seen, self._deck, self._table)
            score = self._table.score(seen, glimpse.mat_mm, answers.confirmed, answers.settled)
            score = left_open(score, glimpse.doubts, answers.confirmed)
        except DeviceError as error:
            self._trouble = error.text
            return
        except Exception as error:
            # The last line of defence: a fault of ours must not end the evening.
            log_fault("a table could not be scored", error)
            self._trouble = _UNFORESEEN
            return
        self._score = score
        if ask_again or before is None or (before.unread, before.faults) != (score.unread, score.faults):
            self._menu, self._page = self._ask_next(score, seen), _Page()

    @property
    def _part(self) -> int:
        """Which part of the table is looked at, from 0."""
        return len(self._answers.settled)

    @property
    def _seats(self) -> int:
        """How many seats' things have been looked at, this part's among them."""
        return self._table.parts[self._part][-1]

    def _list_cards(self, glimpse: TableSeen) -> Detections:
        """Return the cards of this part, those named by hand among them."""
        return with_named(self._table.cards_among(glimpse.seen, glimpse.mat_mm, self._part), self._answers.named)

    def _ask_next(self, score: Score, lying: Detections) -> Menu | None:
        if score.unread:
            mark, words = score.unread[0]
            single = self._table.scoring.cards.is_single
            gone = {seen.name for seen in lying.sightings if single(seen.name)}
            # Of whole cards not one stands for what looks like none: it may be several.
            several = bool(self._table.scoring.cards.grids) and not mark.candidates
            return naming_menu(mark, words, self._table.scoring.list_names(), gone, self._enter_name, several)
        if score.faults:
            fault = score.faults[0]
            again = partial(self._tell, fault.told) if fault.told else None
            return fault_menu(fault, len(score.faults), self._confirm_fault, again)
        return None

    def _tell(self, key: str, parent: Menu) -> Menu:
        """Ask once more what no camera sees."""
        table = self._table
        option = next(option for option in table.scoring.asked if option.key == key)

        def take_answer(value: Any) -> None:
            self._table = replace(table, told={**table.told, key: value})
            self._judge(ask_again=True)

        names = [words.said(self._language) for words in table.names]
        return asked_menu(option, names, table.players, take_answer, parent)

    def _enter_name(self, card: ByHand) -> None:
        self._answers.named.append(card)
        self._judge()

    def _confirm_fault(self, fault: Fault) -> None:
        self._answers.confirmed.add(fault)
        self._judge()

    def press(self, press: Press) -> None:
        """Confirm takes an answer, keeps the result, or leaves the ranking; back leads back, and gives up at last."""
        button = press.button
        if self._kept:
            self.done = button in (Button.CONFIRM, Button.BACK)
            self._turn(0 if self.done else 1 if button is Button.DOWN else -1)
        elif self._score is None or self._busy is not None or self._trouble is not None:
            self._press_waiting(button)
        elif self._menu is not None:
            self._press_menu(self._menu, button)
        elif button is Button.CONFIRM:
            self._settle(self._score)
        elif button is Button.BACK:
            self.done = self._page == _Page()
            self._page = _Page()
        else:
            self._turn(1 if button is Button.DOWN else -1)

    def _turn(self, by: int) -> None:
        """Turn to the next page or the one before: the whole, then each player's pages, round and round."""
        page = self._page
        near = page.near + by
        if not by or 0 <= near <= self._count_pages(page.seat):
            self._page = replace(page, near=near)
            return
        seat = page.seat if self._kept else (page.seat + by) % (self._seats + 1)
        self._page = _Page(seat)
        if by < 0:
            self._page = _Page(seat, self._count_pages(seat))

    def _count_pages(self, seat: int) -> int:
        """Count the pages near by; what the whole has to say is read from afar until it is kept."""
        if seat == 0 and not self._kept:
            return 0
        now, self._page = self._page, _Page(seat)
        last = self._pages(self.make_screen())
        self._page = now
        return last

    def _press_waiting(self, button: Button) -> None:
        if button is Button.BACK:
            self.done = True
        elif button is Button.CONFIRM:
            self._lookout.look_again()

    def _press_menu(self, menu: Menu, button: Button) -> None:
        if button is Button.CONFIRM:
            following = menu.take_choice()
            if following is not None:
                self._menu = following
        elif button is Button.BACK:
            self._menu = menu.parent
            self.done = menu.parent is None
        else:
            self._menu = menu.move_choice(1 if button is Button.DOWN else -1)

    def _settle(self, score: Score) -> None:
        glimpse, answers = self._glimpse, self._answers
        assert glimpse is not None, "a score is that of a look"
        named = [*answers.before, *answers.named]
        if self._part + 1 < len(self._table.parts):
            settled = [*answers.settled, self._list_cards(glimpse)]
            self._answers = _Answers([], answers.confirmed, settled, named)
            self._glimpse = self._score = None
            return
        try:
            self._keep(kept_json(self._table, self._deck, score, named, answers.confirmed), glimpse.jpeg)
        except DeviceError as error:
            self._trouble = error.text
            return
        self._kept, self._page = True, _Page()

    # The screens

    def make_screen(self, language: Language | None = None) -> ScreenState:
        """Show what to do, what is asked, what was read, or the ranking."""
        return speak_in(self, language)._choose_screen()

    def _choose_screen(self) -> ScreenState:
        score = self._score
        if self._kept and score is not None and score.why is not None:
            order, places = _order_of(score), list_ranks(self._table, score, self._language)
            return self._say(ScoreScreen, Mood.FINISHED, score.why, *order, page=self._page.near, ranking=places)
        if self._trouble is not None:
            return self._say(PlayScreen, Mood.BLIND, self._trouble)
        if self._busy is not None:
            return self._say(PlayScreen, self._busy, Text())
        if score is None:
            title = self._table.scoring.rules.title
            words = Text("Score this table: {title}", title=title)
            lay = (self._table.scoring.lay,) if not self._part else ()
            return self._say(NoticeScreen, Mood.NOTICE, words, *self._name_owners(), *lay, _THEN)
        if self._menu is not None:
            return self._show_question(self._menu)
        return self._read(score)

    def _name_owners(self) -> tuple[Text, ...]:
        """Say whose things are to lie there now, where not all find room at once."""
        table = self._table
        if len(table.parts) == 1:
            return ()
        who = join_names(table.names[seat - 1] for seat in table.parts[self._part])
        return (Text("Not all find room at once: now {who}, laid as if they alone played.", who=who),)

    def _show_question(self, menu: Menu) -> QuestionScreen:
        choices = tuple(option.words.said(self._language) for option in menu.options)
        more = {"choices": choices, "chosen": menu.chosen, "picture": self._asked_about()}
        return self._say(QuestionScreen, Mood.QUESTION, menu.title, *menu.details, **more)

    def _asked_about(self) -> TablePicture | CloseUp | None:
        """Draw the table, or the card that is asked about as the camera sees it."""
        picture = self._draw_table()
        if self._glimpse is None or self._score is None or not self._score.unread:
            return picture
        seen = self._glimpse.close_up(self._score.unread[0][0])
        return picture if seen is None else CloseUp(seen, picture)

    def _read(self, score: Score) -> TableScreen:
        """Show who wins; on the further pages each player's papers or cards with their points."""
        if self._page.seat == 0:
            said = score.why or self._read_so_far(), _HINT if score.why else _THIS_PART
            return self._say(TableScreen, Mood.PREVIEW, *said, picture=self._draw_table())
        tally, who = score.tallies[self._page.seat - 1], self._table.names[self._page.seat - 1]
        items = [item for group in tally.groups.values() for item in group]
        lines = [_with_points(item.words, item.points) if item.points else item.words for item in items]
        lines += tally.notes
        total = _with_points(who, tally.points)
        more = {"page": self._page.near, "picture": self._draw_table()}
        return self._say(TableScreen, Mood.PREVIEW, total, *lines or [_NOTHING], **more)

    def _read_so_far(self) -> Text:
        """Say that a part of the table is read."""
        who = join_names(self._table.names[seat - 1] for seat in self._table.parts[self._part])
        return Text("All is read of {who}.", who=who)

    def _say(self, kind: Callable[..., K], mood: Mood, headline: Text, *details: Text, **more: Any) -> K:
        said = headline.said(self._language), tuple(words.said(self._language) for words in details)
        return kind(self._language, mood, *said, self._make_standing(), **more)

    def _make_standing(self) -> Standing:
        tallies = self._score.tallies[: self._seats] if self._score is not None else ()
        return Standing(
            tuple(
                PlayerLine(
                    self._table.names[tally.seat - 1].said(self._language),
                    tally.points,
                    to_move=tally.seat == self._page.seat,
                )
                for tally in tallies
            )
        )

    def _draw_table(self) -> TablePicture | None:
        """Draw the table as it was read, where the game draws it; what can't be read or can't be is marked."""
        assert self._glimpse is not None
        score, scoring = self._score, self._table.scoring
        referee = load_referees().get(scoring.rules.name)
        if referee is None:
            return None
        here = self._table.parts[self._part]
        layout = referee.make_layout(len(here), self._table.mat_mm or self._glimpse.mat_mm)
        unread = score.unread if score is not None else ()
        spots: Sequence[Spot] = [Spot(m.x, m.y, layout.place_at(m.x, m.y), m.cause) for m, _ in unread]
        seen, known = self._list_cards(self._glimpse), {*scoring.cards.faces, *scoring.cards.backs}
        own = replace(seen, sightings=tuple(card for card in seen.sightings if card.name in known))
        picture = screen_of(scoring.rules.name).picture_table(referee.observe(own, layout), layout, (), spots)
        if picture is None or len(self._table.parts) == 1:
            return picture
        return replace(picture, names=tuple(self._table.names[seat - 1].said(self._language) for seat in here))

    def close(self) -> None:
        """Stop looking."""
        self._lookout.stop()


def _order_of(score: Score) -> tuple[Text, ...]:
    """Say what the numbers behind the points are, in a game with a score sheet."""
    if not score.categories:
        return ()
    order = join_names(score.categories)
    return (Text("In the table, from the left: {order}.", order=order),)


def _with_points(words: Text, points: int) -> Text:
    """Points behind what they are for."""
    told = str(points).replace("-", "−")
    return plural("{words} ({points} point)", "{words} ({points} points)", count=abs(points), words=words, points=told)


def list_ranks(table: Table, score: Score, language: Language) -> tuple[RankLine, ...]:
    """Rank the players of a settled score, the winners first; who is level shares a place."""
    return tuple(
        RankLine(
            ranked.place,
            table.names[ranked.seat - 1].said(language),
            ranked.points,
            score.tallies[ranked.seat - 1].complete_papers,
            ranked.winner,
            note=" ".join(map(str, score.tallies[ranked.seat - 1].categories)).replace("-", "−"),
        )
        for ranked in rank_players(score.places, score.final)
    )
