"""Which activity has the screen and the buttons, how one leads to the next, and what comes of a press."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from device.app.activities import IDLE, Activity, Menus, Notice, Writing, screen_of_activity, show
from device.app.equipment import Equipment
from device.app.name_picker import NamePicker
from device.app.notify import Notifier
from device.app.playing import Playing
from device.app.services.settings import CurrentSettings
from device.capture.capture import log_fault
from device.errors import DeviceError
from device.hardware.buttons import Button, ButtonFault, Press
from device.memory import give_back_memory
from device.outward import Ask, Director
from device.public_state import page_state
from device.speech import each_json
from referee.history import History
from referee.menu import Menu
from referee.state import AgreedState
from rules.text import Language, Text
from ui.screen_state import Mood, ScreenState

UNFORESEEN = Text("Something happened that was not foreseen; nothing is lost. Confirm leads back to the first menu.")
FAILED = Text("That did not work, for a reason that was not foreseen; nothing is lost.")
ONE_MOMENT = Text("One moment…")
NOT_READY = Text("The table is not ready for that: see what its display says.")
CALLED = Text("The director has been called.")
COMING = Text("The director is coming.")
_AT_REST = (Mood.WAITING, Mood.HANDS, Mood.READING, Mood.PAUSED, Mood.MENU)
NO_HALL = Text("This table is in no hall, so there is no director to call.")
IN_GAME = Text("A game is being played at the table: leave it first, or wait for its end.")
OCCUPIED = Text("The table is busy with something else: end that first.")


class Navigator:
    """One activity at a time has the screen; what is due and what is pressed goes to it alone.

    ``first_menu`` is where all ways lead back to; ``left`` is called before it is shown, and where an activity failed.
    """

    def __init__(
        self,
        equipment: Equipment,
        settings: CurrentSettings,
        notifier: Notifier,
        first_menu: Callable[[], Menu],
        left: Callable[[], None],
    ) -> None:
        self._equipment, self._settings, self._notifier = equipment, settings, notifier
        self._first_menu, self._left = first_menu, left
        self.activity: Activity | None = None
        self.answers: dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]] = {
            "press": self._press_asked,
            "answer": self._answer_asked,
            "call": self._call_asked,
        }
        """What phones may ask of the table, by its name: each gets what was sent, and gives what is replied, as JSON;
        a ``DeviceError`` is said on the phone."""
        self._promised: list[Callable[[], None]] = []
        self._shown: ScreenState | None = None
        self._offered: list[tuple[str, list[str]]] = []
        """The question and its choices that phones were shown last, in each language."""
        self._told: History | None = None
        self._put_up_with: set[ButtonFault] = set()
        self._was_busy = False
        self._pressed = False
        """Somebody has pressed since the screen was made, so that it may be another one by now."""

    # What comes in

    def run_round(self) -> None:
        """Hear the buttons, have done what is due, and show what there is to see then."""
        for press in self._equipment.buttons.take_presses():
            if not self._was_busy:
                self.press(press)
        if self._equipment.page is not None:
            for ask in self._equipment.page.take_asks():
                ask.reply(self._answer_ask(ask))
                while self._promised:
                    self.attempt(self._promised.pop(0))
        if (activity := self.activity) is not None:
            self._have_act(activity, activity.run_round)
        if self._was_busy:
            # Whoever pressed meanwhile saw another screen than the one that comes now.
            self._equipment.buttons.take_presses()
            self._was_busy = False
        if self._list_unheard() or self.activity is not None:
            self._show(self._make_screen)

    def press(self, press: Press) -> None:
        """Hand a press to the activity; while a broken button is announced it only says that this was read."""
        self._equipment.dimmer.wake()
        self._pressed = True
        if unheard := self._list_unheard():
            self._put_up_with.update(unheard)
        elif (activity := self.activity) is not None:
            self._have_act(activity, lambda: activity.press(press))

    def _answer_ask(self, ask: Ask) -> Mapping[str, Any]:
        """Do what a phone asks for; ``same`` is False where the table shows something else by now."""
        if self._was_busy:
            return {"same": False}
        try:
            if ask.what not in self.answers:
                raise DeviceError(NOT_READY)
            return self.answers[ask.what](ask.data)
        except DeviceError as error:
            return {"error": each_json(error.text)}
        except Exception as error:
            log_fault("what a phone asked for failed", error)
            return {"error": each_json(FAILED)}

    def promise(self, act: Callable[[], None]) -> None:
        """Do something once the phone that asks for it was answered: leaving what is read may take a while."""
        self._promised.append(act)

    def _press_asked(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Press a button; where the phone says ``of`` which choices it has seen, only while it has seen what is so."""
        button, of = Button(data["button"]), data.get("of")
        confirms = button is Button.CONFIRM
        if of is not None:
            chosen = data.get("chosen") if confirms else None
            if (confirms and self._pressed) or not self._is_as_seen(of, chosen, data.get("turn")):
                return {"same": False}
        self.press(Press(button, data["long"], self._equipment.clock()))
        return {"same": True}

    def _is_as_seen(self, of: list[str], chosen: int | None = None, turn: int | None = None) -> bool:
        """Tell whether these are the choices by now, in whichever language, and that one is chosen, in that turn."""
        screens, now = [self._make_screen(language) for language in _list_languages()], self._history
        same = any(list(screen.choices) == of for screen in screens) and chosen in (None, screens[0].chosen)
        return same and turn in (None, 0 if now is None else len(now.past))

    def _answer_asked(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Take an answer by as many presses, unless the question is another one now, in whichever language.

        The choices tell which one it is, and the ``headline`` over them where the phone sends that too. What is
        confirmed is what the presses have come to.
        """
        shown, choice, of, over = self._shown, data["choice"], data["of"], data.get("headline")
        same = any(choices == of and over in (None, headline) for headline, choices in self._offered)
        if shown is None or not same or self._pressed:
            return {"same": False}
        by = choice - shown.chosen
        if isinstance(playing := self.activity, Playing):
            self._have_act(playing, lambda: playing.choose(by))
        else:
            for _ in range(abs(by)):
                self.press(Press(Button.DOWN if by > 0 else Button.UP, at_s=self._equipment.clock()))
        if not self._is_as_seen(of, choice):
            return {"same": False}
        self.press(Press(Button.CONFIRM, at_s=self._equipment.clock()))
        return {"same": True}

    def _call_asked(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Call the director, or say that nobody needs to come any more."""
        hall = self._hall
        if hall is None:
            raise DeviceError(NO_HALL)
        if data["call"]:
            hall.call(data["why"])
        else:
            hall.take_back()
        return {"same": True}

    def _list_unheard(self) -> list[ButtonFault]:
        """List the unusable buttons not yet announced; one that was put up with and works again counts as new."""
        faults = self._equipment.buttons.list_faults()
        self._put_up_with &= set(faults)
        return [fault for fault in faults if fault not in self._put_up_with]

    @property
    def _hall(self) -> Director | None:
        """The hall that the table is in, if it is in one."""
        hall = self._equipment.hall
        return hall if hall is not None and hall.joined else None

    @property
    def _history(self) -> History | None:
        """How the game came here that is played."""
        return self.activity.session.history if isinstance(self.activity, Playing) else None

    @property
    def occupied(self) -> str:
        """What the table is busy with for phones: ``game``, ``other``, or nothing, then it is empty."""
        if isinstance(self.activity, Playing):
            return "game"
        return "" if self.activity is None or isinstance(self.activity, IDLE) else "other"

    def needs_idle(self) -> None:
        """Refuse what a phone wishes while the table is busy.

        Raises:
            DeviceError: it is; the sentence says with what.
        """
        if occupied := self.occupied:
            why = IN_GAME if occupied == "game" else OCCUPIED
            raise DeviceError(why)

    def have_done(self, act: Callable[[], None]) -> None:
        """Have the activity do something that a phone asks for, as by a press."""
        if (activity := self.activity) is not None:
            self._equipment.dimmer.wake()
            self._have_act(activity, act)

    def _have_act(self, activity: Activity, act: Callable[[], None]) -> None:
        """Have an activity do something; what is done then leads home unless it has led elsewhere itself."""
        self.attempt(act)
        if activity.done and self.activity is activity:
            self.go_home()

    # Where it leads

    def enter(self, activity: Activity) -> None:
        """Give it the screen."""
        before, self.activity = self.activity, activity
        if before is not None and not isinstance(before, IDLE):
            # What is being read there is read to its end first.
            self.show_busy(ONE_MOMENT)
            before.close()
            give_back_memory()

    def attempt(self, act: Callable[[], None]) -> None:
        """Do something that may fail; the reason is shown, and confirm leads back to the first menu."""
        try:
            act()
        except DeviceError as error:
            self.say([error.text], self.go_home)
        except Exception as error:
            # The last line of defence: a game that can't be opened must not keep the others from being played.
            log_fault("the menu's wish failed", error)
            self._left()
            self.say([UNFORESEEN], self.go_home)

    def go_home(self) -> None:
        """Back to the first menu."""
        self._left()
        self.attempt(lambda: self.show_menu(self._first_menu()))

    def show_menu(self, menu: Menu | None) -> None:
        """Have something chosen; nothing is where there is no menu."""
        if menu is not None:
            self.enter(Menus(menu, lambda: self._settings.language))

    def say(self, said: Sequence[Text], then: Callable[[], None]) -> None:
        """Notices, one after the other, and then go on."""
        if said:
            self.enter(Notice(said[0], self._settings.language, lambda: self.say(said[1:], then)))
        else:
            then()

    def write_name(
        self, title: Text, taken: Sequence[str], then: Callable[[str], Menu | None], back: Menu | None
    ) -> None:
        """Have a name written that is none of those taken; ``then`` gives the menu to go on with."""
        picker = NamePicker.begin(title, self._settings.language, taken)
        self.enter(
            Writing(
                picker,
                lambda name: self.show_menu(then(name)),
                lambda: self.show_menu(back or self._first_menu()),
            )
        )

    def show_busy(self, words: Text) -> None:
        """Something takes a while now; what is pressed meanwhile is dropped."""
        self._show(partial(self._make_notice, words))
        self._was_busy = True

    def close(self) -> None:
        """Let go of what the activity has opened."""
        if self.activity is not None:
            self.activity.close()

    # What is shown

    def _make_screen(self, language: Language | None = None) -> ScreenState:
        """Make the screen of this moment; it says that the director was called and then that somebody comes."""
        if (unheard := self._list_unheard()) or self.activity is None:
            return self._make_notice(unheard[0].text if unheard else ONE_MOMENT, language)
        state = screen_of_activity(self.activity, self._settings.language, language)
        hall = self._hall
        if hall is None or not (hall.called or hall.coming):
            return state
        words = (CALLED if hall.called else COMING).said(state.language)
        # A small display has no room for all that is said: why something was refused comes before this.
        details = (words, *state.details) if state.mood in _AT_REST else (*state.details, words)
        return replace(state, details=details)

    def _show(self, screen_in: Callable[[Language | None], ScreenState]) -> None:
        """Show a screen, which is made in a language, or in the panel's where none is given."""
        state, page, hall = screen_in(None), self._equipment.page, self._hall
        self._pressed = False
        changed = state != self._shown
        if changed:
            self._shown = state
            self._notifier.report_status(state.headline or state.mood.value)
            self._equipment.dimmer.wake()
            show(self._equipment.display, state)
            self._equipment.signals.follow(state)
        if page is None and hall is None:
            return
        history = self._history
        if changed or history is not self._told:
            self._told, drawn = history, self._find_previewed(state)
            if page is not None:
                called = hall.called if hall is not None else None
                page.show({**page_state(self._for_phones(state, screen_in), history, drawn), "called": called})
            if hall is not None:
                hall.show(state, history, drawn)

    def _find_previewed(self, shown: ScreenState) -> AgreedState | None:
        """Return how the game will stand once the move that is previewed is confirmed."""
        if shown.mood is not Mood.PREVIEW or not isinstance(self.activity, Playing):
            return None
        return self.activity.session.previewed

    def _for_phones(self, shown: ScreenState, screen_in: Callable[[Language | None], ScreenState]) -> list[ScreenState]:
        """Make the panel's screen, and the same in every other language."""
        screens = [shown, *(screen_in(language) for language in _list_languages() if language is not shown.language)]
        self._offered = [(screen.headline, list(screen.choices)) for screen in screens]
        return screens

    def _make_notice(self, words: Text, language: Language | None = None) -> ScreenState:
        language = language or self._settings.language
        return ScreenState(language, Mood.NOTICE, headline=words.said(language))


def _list_languages() -> list[Language]:
    """List the languages in which phones may have what is shown."""
    return [language for language in Language.all() if language.can_be_spoken]
