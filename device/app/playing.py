"""One game at the table: what the camera's loop says and what is pressed go in, the journal and the screen come out."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from device.app.watching import Watching
from device.capture.capture import Blind, Moving, News, ReadingStarted, Seen, Unfit
from device.capture.phone_picture import PhonePicture
from device.errors import DeviceError
from device.hardware.buttons import Button, Press
from device.session.plain import log_once
from device.session.session import Session
from device.speech import Language
from device.storage.journal import GameLog
from device.storage.opening import Result
from device.storage.recorder import Records
from referee.table import REST
from rules.text import Text
from ui.screen_state import Mood, NoticeScreen, ScreenState

CONFIRM_WAITS_S = 8.0
"""How long a press of confirm waits for the hands to leave and the table to be read before it is forgotten."""
TRY_AGAIN_S = 2.0
"""How often what could not be written down is tried again by itself."""
UNFORESEEN = Text(
    "Something happened that was not foreseen; nothing is lost. Press confirm to try again, or hold back to "
    "take the last turn back."
)

_MENDED = Text(
    "What the journal says of the end of this game could not be, and was put right. Look whose turn it is "
    "and how many turns are left; if that is wrong, set the position from the menu."
)


@dataclass(frozen=True)
class _Confirmed:
    """When confirm was pressed (seconds), and what it takes: ``Session.choice`` of that moment."""

    pressed_s: float
    choice: Hashable


class Playing:
    """A game being played.

    ``set_aside`` says what of the journal was put away as damaged, once; ``speak`` is called when the session's
    language has changed.
    """

    def __init__(
        self,
        session: Session,
        game: GameLog,
        lookout: Watching,
        recorder: Records,
        set_aside: Callable[[], Text | None],
        speak: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.session = session
        self._game, self._lookout, self._recorder = game, lookout, recorder
        self._set_aside, self._speak, self._clock = set_aside, speak, clock
        self.done = False
        """Whether the players have left the game's last screen."""
        self._clear = False
        self._confirmed: _Confirmed | None = None
        self._unjudged: Any = None
        self._try_again_s = 0.0
        self._trouble: Text | None = None
        self._notice: Text | None = None
        self._ended: int | None = None
        """How many entries the game had when its end was written: with another one it goes on, in the journal too."""
        lookout.start()
        self._correct_position()

    @property
    def number(self) -> int:
        """The game's number in the journal."""
        return self._game.game

    @property
    def _over(self) -> bool:
        return self.session.over

    @property
    def _lacks_result(self) -> bool:
        return self._over and self._ended != len(self._game.entries)

    def _correct_position(self) -> None:
        """Put right a position that an older version's menu set, and that could not be left or would never end."""
        agreed = self.session.agreed
        mended = self.session.referee.repair_state(agreed)
        if mended is agreed:
            return
        if self._try_action(lambda: self.session.judge.set_position(mended)):
            self._notice = _MENDED

    def run_round(self) -> None:
        """Do what is due now: news from the camera, a confirm that has waited for it, a retry."""
        for news in self._lookout.take_news():
            self._hear(news)
        if self._recorder.trouble is not None:
            self._notice, self._recorder.trouble = self._recorder.trouble, None
        now = self._clock()
        if now >= self._try_again_s:
            if self._unjudged is not None:
                self._see(self._unjudged)
            elif self._lacks_result:
                # Its last move is in the journal, its result is not: a pulled plug or a full disk came between.
                self._try_again_s = now + TRY_AGAIN_S
                self._try_action(lambda: None)
        if (confirmed := self._confirmed) is not None:
            if now - confirmed.pressed_s > CONFIRM_WAITS_S:
                self._confirmed = None
            # A hand that moved a card just before the press shows in the first look after it.
            elif self._clear and self._lookout.looked_s > confirmed.pressed_s:
                self._confirmed = None
                self._carry_out(confirmed)

    def _hear(self, news: News[Any]) -> None:
        match news:
            case Seen(what, moving):
                self._see(what)
                self._clear &= REST not in moving
            case Moving(parts):
                # Hands in a zone that is still apart keep nobody from confirming what lies elsewhere.
                self._clear &= REST not in parts
                self.session.note_watching(Mood.HANDS)
                self._unjudged = self._trouble = None
            case ReadingStarted():
                self._clear = False
                self.session.note_watching(Mood.READING)
                self._unjudged = self._trouble = None
            case Blind() | Unfit():
                self._clear = False
                self.session.note_watching(news.mood, news.why)

    def _see(self, view: Any) -> None:
        self._clear = self._try_action(lambda: self.session.see(view))
        self._unjudged = None if self._clear else view
        self._try_again_s = self._clock() + TRY_AGAIN_S

    def press(self, press: Press) -> None:
        """Handle a button press, which ends a confirm that waits for a look.

        What was entered with the buttons is about no look: it is carried out before anybody goes to another choice, who
        may be the next player.
        """
        confirmed, self._confirmed = self._confirmed, None
        if confirmed is not None and press.button in (Button.UP, Button.DOWN) and self.session.tells:
            self._carry_out(confirmed)
        if self._notice is not None:
            self._notice = None
            return
        if press.button is Button.CONFIRM and not press.long and self._takes_mat(self.session.make_screen()):
            return
        if press.button is not Button.CONFIRM or press.long or self.session.over_it is not None:
            self._press(press.button, press.long)
        elif self._over:
            self.done = True
        else:
            self._confirmed = _Confirmed(self._clock(), self.session.choice)
            if not self._clear:
                self._lookout.look_again()

    def choose(self, by: int) -> None:
        """Go to another choice, as by so many arrows at once; that ends a confirm that waits for a look."""
        self._confirmed = None
        for _ in range(abs(by)):
            self._press(Button.DOWN if by > 0 else Button.UP)

    def _carry_out(self, confirmed: _Confirmed) -> None:
        """Have the session do what was chosen when confirm was pressed; nothing where that is offered no more."""
        if self.session.choice == confirmed.choice:
            self._press(Button.CONFIRM, pressed_s=confirmed.pressed_s)

    def _takes_mat(self, screen: ScreenState) -> bool:
        """Tell whether a mat of another size was measured and has been taken, or could not be kept."""
        taken = True

        def take() -> None:
            nonlocal taken
            taken = self._lookout.take_size(screen)

        self._try_action(take)
        return taken

    def _press(self, button: Button, held: bool = False, pressed_s: float | None = None) -> None:
        self._recorder.press(button, held=held)
        language = self.session.screens.language
        now = self._clock()
        self._try_action(lambda: self.session.press(button, held, pressed_s, now))
        if self.session.screens.language is not language:
            self._try_action(self._speak)

    def _try_action(self, act: Callable[[], object]) -> bool:
        """Have the session do something; False, and the reason on the screen, where it could not be kept."""
        try:
            act()
            if self.session.lessons.taught != self._game.taught:
                self._game.teach(self.session.lessons.taught)
            self._lookout.follow(self.session)
            if self._lacks_result:
                outcome = self.session.position.outcome
                assert outcome is not None, "a game that is over has an outcome"
                self._game.end(Result(outcome.points, outcome.winners))
                self._ended = len(self._game.entries)
            self._notice = self._set_aside() or self._notice
        except DeviceError as error:
            self._trouble = error.text
            return False
        except Exception as error:
            # The last line of defence: a fault of ours must not end the evening, and what is kept is sound.
            log_once("the session failed", error)
            self._trouble = UNFORESEEN
            return False
        self._trouble = None
        return True

    def make_screen(self, language: Language | None = None) -> ScreenState:
        """Make the screen of this moment."""
        screens = self.session.screens.speak_in(language)
        if self._notice is not None:
            return NoticeScreen(screens.language, Mood.NOTICE, self._notice.said(screens.language))
        if self._trouble is not None and self.session.over_it is None:
            return screens.show_trouble(self.session.agreed, self._trouble)
        return self._lookout.add_picture(self.session.make_screen(language))

    def get_picture(self) -> PhonePicture | None:
        """Return the mat as it lay still last, for phones."""
        return self._lookout.get_picture()

    def close(self) -> None:
        """Stop looking; the game stays in the journal as it is."""
        self._lookout.stop()
