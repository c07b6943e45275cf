"""Which activity has the screen and the buttons, how one leads to the next, and what comes of a press."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from device.app.activities import IDLE, Activity, Menus, Notice, Writing, screen_of_activity, show
from device.app.equipment import Equipment
from device.app.name_picker import NamePicker
from device.app.notify import Notifier
from device.app.page.process import Ask
from device.app.page.state import page_state
from device.app.playing import Playing
from device.app.services.settings import CurrentSettings
from device.capture.capture import log_fault
from device.errors import DeviceError
from device.hardware.buttons import Button, ButtonFault, Press
from device.speech import each_json
from referee.menu import Menu
from rules.text import Text
from ui.screen_state import Mood, ScreenState

UNFORESEEN = Text("Something happened that was not foreseen; nothing is lost. Confirm leads back to the first menu.")
FAILED = Text("That did not work, for a reason that was not foreseen; nothing is lost.")
ONE_MOMENT = Text("One moment…")
CALLED = Text("The director has been called.")
NO_HALL = Text("This table is in no hall, so there is no director to call.")


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
        self._shown: ScreenState | None = None
        self._put_up_with: set[ButtonFault] = set()
        self._was_busy = False

    # What comes in

    def round(self) -> None:
        """Hear the buttons, have done what is due, and show what there is to see then."""
        for press in self._equipment.buttons.pressed():
            if not self._was_busy:
                self.press(press)
        if self._equipment.page is not None:
            for ask in self._equipment.page.asks():
                ask.reply(self._asked(ask))
        if (activity := self.activity) is not None:
            self._have(activity, activity.round)
        if self._was_busy:
            # Whoever pressed meanwhile saw another screen than the one that comes now.
            self._equipment.buttons.pressed()
            self._was_busy = False
        unheard = [fault for fault in self._faults() if fault not in self._put_up_with]
        if unheard:
            self._show(self._notice(unheard[0].text))
        elif self.activity is not None:
            self._show(self._called(screen_of_activity(self.activity, self._settings.language)))

    def press(self, press: Press) -> None:
        """A press is for the activity, unless a broken button is being told of: then it says that this was read."""
        self._equipment.dimmer.stir()
        faults = set(self._faults())
        if faults - self._put_up_with:
            self._put_up_with |= faults
        elif (activity := self.activity) is not None:
            self._have(activity, lambda: activity.press(press))

    def _asked(self, ask: Ask) -> Mapping[str, Any]:
        """Do what a phone asks for; ``same`` is False where the table shows something else by now."""
        if self._was_busy:
            return {"same": False}
        try:
            return self.answers[ask.what](ask.data)
        except DeviceError as error:
            return {"error": each_json(error.text)}
        except Exception as error:
            log_fault("what a phone asked for failed", error)
            return {"error": each_json(FAILED)}

    def _press_asked(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        self.press(Press(Button(data["button"]), data["long"], self._equipment.clock()))
        return {"same": True}

    def _answer_asked(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Take an answer by as many presses, unless the question is another one now."""
        shown, choice = self._shown, data["choice"]
        if shown is None or list(shown.choices) != data["of"]:
            return {"same": False}
        away = choice - shown.chosen
        presses = [Button.DOWN if away > 0 else Button.UP] * abs(away) + [Button.CONFIRM]
        for button in presses:
            self.press(Press(button, at_s=self._equipment.clock()))
        return {"same": True}

    def _call_asked(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Call the director, or say that somebody has come."""
        hall = self._equipment.hall
        if hall is None:
            raise DeviceError(NO_HALL)
        if data["call"]:
            hall.call(data["why"])
        else:
            hall.come()
        return {"same": True}

    def _faults(self) -> tuple[ButtonFault, ...]:
        """The buttons that can't be used; what was put up with and works again is told of anew another time."""
        faults = self._equipment.buttons.faults()
        self._put_up_with &= set(faults)
        return faults

    def _have(self, activity: Activity, act: Callable[[], None]) -> None:
        """Have an activity do something; what is done then leads home unless it has led elsewhere itself."""
        self.attempt(act)
        if activity.done and self.activity is activity:
            self.home()

    # Where it leads

    def enter(self, activity: Activity) -> None:
        """Give it the screen."""
        before, self.activity = self.activity, activity
        if before is not None and not isinstance(before, IDLE):
            # What is being read there is read to its end first.
            self.busy(ONE_MOMENT)
            before.close()

    def attempt(self, act: Callable[[], None]) -> None:
        """Do something that may fail; the reason is shown, and confirm leads back to the first menu."""
        try:
            act()
        except DeviceError as error:
            self.say([error.text], self.home)
        except Exception as error:
            # The last line of defence: a game that can't be opened must not keep the others from being played.
            log_fault("the menu's wish failed", error)
            self._left()
            self.say([UNFORESEEN], self.home)

    def home(self) -> None:
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
        picker = NamePicker.begun(title, self._settings.language, taken)
        self.enter(
            Writing(
                picker,
                lambda name: self.show_menu(then(name)),
                lambda: self.show_menu(back or self._first_menu()),
            )
        )

    def busy(self, words: Text) -> None:
        """Something takes a while now; what is pressed meanwhile is dropped."""
        self._show(self._notice(words))
        self._was_busy = True

    def close(self) -> None:
        """Let go of what the activity has opened."""
        if self.activity is not None:
            self.activity.close()

    # What is shown

    def _called(self, state: ScreenState) -> ScreenState:
        """A screen, which says that the director was called as long as nobody has come."""
        if self._equipment.hall is None or not self._equipment.hall.called:
            return state
        return replace(state, details=(*state.details, CALLED.said(state.language)))

    def _show(self, state: ScreenState) -> None:
        if state != self._shown:
            self._shown = state
            self._notifier.status(state.headline or state.mood.value)
            self._equipment.dimmer.stir()
            show(self._equipment.display, state)
            self._equipment.signals.follow(state)
            activity, hall = self.activity, self._equipment.hall
            session = activity.session if isinstance(activity, Playing) else None
            if self._equipment.page is not None:
                called = hall.called if hall is not None else None
                self._equipment.page.show({**page_state(state, session), "called": called})
            if hall is not None:
                hall.show(state, session.history if session is not None else None)

    def _notice(self, words: Text) -> ScreenState:
        language = self._settings.language
        return ScreenState(language, Mood.NOTICE, headline=words.said(language))
