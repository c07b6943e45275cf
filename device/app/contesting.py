"""Cards that are turned up to settle who begins: they are read and shown, and confirm shows what they give."""

from __future__ import annotations

from collections.abc import Callable

from device.capture.capture import Blind, Lookout, Moving, News, ReadingStarted, Seen, Unfit
from device.capture.table_reader import CardsSeen
from device.hardware.buttons import Button, Press
from device.speech import Language
from rules.cards import Card
from rules.game import Contest
from rules.text import Text
from ui.screen_state import ButtonWords, GridScreen, Mood, NoticeScreen, PageGrid, ScreenState

_CALLED, _BACK = Text("✓ called!"), Text("← back")
_UNREAD = Text("A card can't be read: move it a little, out of the glare.")


class Contesting:
    """``then`` gets what the cards give once somebody has called it, ``left`` is called for back."""

    def __init__(
        self,
        contest: Contest,
        lookout: Lookout[CardsSeen],
        language: Language,
        then: Callable[[Text], None],
        left: Callable[[], None],
    ) -> None:
        self._contest, self._lookout, self._language = contest, lookout, language
        self._then, self._left = then, left
        self._seen = CardsSeen((), 0)
        self._blind: Text | None = None
        self.done = False
        lookout.start()

    def run_round(self) -> None:
        """Hear what the camera's loop says."""
        for news in self._lookout.take_news():
            self._hear(news)

    def _hear(self, news: News[CardsSeen]) -> None:
        match news:
            case Seen(what):
                self._seen, self._blind = what, None
            case Blind(mood=Mood.NOTICE):
                pass  # the camera is starting
            case Blind(why) | Unfit(why):
                self._seen, self._blind = CardsSeen((), 0), why
            case Moving() | ReadingStarted():
                self._blind = None

    @property
    def _cards(self) -> tuple[Card, ...]:
        """The cards, once as many lie there as are wanted."""
        cards = self._seen.cards
        return cards if len(cards) == self._contest.count and not self._seen.unread else ()

    def press(self, press: Press) -> None:
        """Confirm where somebody has called it, back to leave; nothing else does anything."""
        if press.button is Button.BACK:
            self.done = True
            self._left()
        elif press.button is Button.CONFIRM and (cards := self._cards):
            self.done = True
            self._then(self._contest.answer(cards))

    def make_screen(self, language: Language | None = None) -> ScreenState:
        """Show what to do, and the cards as far as they were read."""
        language = language or self._language

        def say(words: Text) -> str:
            return words.said(language)

        if self._cards:
            grid = PageGrid((tuple(map(str, self._cards)),), "")
            buttons = ButtonWords(say(_CALLED), back=say(_BACK))
            title = say(self._contest.title)
            return GridScreen(language, Mood.NOTICE, title, buttons=buttons, grid=grid)
        details = (say(self._count),)
        if self._blind is not None:
            details = (say(self._blind),)
        elif self._seen.unread:
            details = (say(_UNREAD),)
        mood = Mood.NOTICE if self._blind is None else Mood.BLIND
        buttons = ButtonWords(back=say(_BACK))
        return NoticeScreen(language, mood, say(self._contest.asked), details, buttons=buttons)

    @property
    def _count(self) -> Text:
        seen, wanted = len(self._seen.cards), self._contest.count
        return Text("{seen} of {wanted} cards are seen.", seen=seen, wanted=wanted)

    def close(self) -> None:
        """Stop looking."""
        self._lookout.stop()
