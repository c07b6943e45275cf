"""``sevenmat run``: the program at the table, from switching on to switching off.

One thread shows the screen, hears the buttons and owns the session and the journal; the camera's loop runs beside it
(``device.capture.capture``). Nothing is drawn, read or judged unless something has changed.
"""

from __future__ import annotations

import threading
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from device.app.activities import IDLE
from device.app.equipment import Equipment, StartOptions
from device.app.menus.start import show_home, start_rematch
from device.app.navigator import Navigator
from device.app.notify import Notifier, Watchdog
from device.app.playing import Playing
from device.app.services.decks import Decks, deck_kinds
from device.app.services.games import MARK, Games, InGameOptions
from device.app.services.scores import Scores
from device.app.services.services import Services
from device.app.services.settings import CurrentSettings
from device.app.services.sight import Sight
from device.enrol.ready_decks import deck_shelf
from device.errors import DeviceError
from device.session.session import Session
from device.storage.journal import Journal
from device.storage.opening import Opening
from referee.menu import Menu
from referee.registry import load_referees
from rules.text import Text

if TYPE_CHECKING:
    from device.enrol.learning import Learning

_CAMERA, _SCREEN = "camera", "screen"
_PATIENCE = {_CAMERA: 25.0, _SCREEN: 10.0}
"""How long each loop may be silent before the watchdog goes hungry; a slow machine's first reading takes a while."""

STARTING = Text("Starting…")
STOPPING = Text("The table is being switched off.")


class App:
    """The program at the table: joins devices and services, and goes round until it is told to stop."""

    def __init__(self, equipment: Equipment, state: Path, start: StartOptions, notifier: Notifier) -> None:
        self._equipment, self._state, self._start, self._notifier = equipment, state, start, notifier
        self._watchdog = Watchdog(notifier, _PATIENCE, time.monotonic)
        self._told = threading.Event()
        self._stopping = False
        self._settings = CurrentSettings(state, start, equipment)
        self._navigator = Navigator(equipment, self._settings, notifier, self._first_menu, self._leave_game)
        self._navigator.answers["set"] = self._settings.set_asked
        self._journal: Journal | None = None
        self._services: Services | None = None

    @property
    def session(self) -> Session | None:
        """The game that is being played."""
        activity = self._navigator.activity
        return activity.session if isinstance(activity, Playing) else None

    @property
    def learning(self) -> Learning | None:
        """The deck that is being learnt."""
        from device.enrol.learning import Learning  # what learning needs is loaded when a deck is learnt

        activity = self._navigator.activity
        return activity if isinstance(activity, Learning) else None

    def stop(self) -> None:
        """End the program at the next round; may be called from a signal handler or another thread."""
        self._stopping = True
        self._told.set()

    def run(self) -> None:
        """Work until told to stop.

        Raises:
            DeviceError: display or buttons failed in a way that a fresh start may mend.
        """
        try:
            self._navigator.show_busy(STARTING)
            self._notifier.report_ready()
            self._begin()
            while not self._stopping and not self._equipment.buttons.wants_to_quit:
                self._run_round()
            self._notifier.report_stopping()
            (self._state / MARK).unlink(missing_ok=True)
        finally:
            self._close()

    def _run_round(self) -> None:
        self._told.wait(1 / self._start.pace.rounds)
        self._told.clear()
        self._navigator.run_round()
        if isinstance(self._navigator.activity, IDLE):
            self._watchdog.beat(_CAMERA)
        self._watchdog.beat(_SCREEN)
        self._watchdog.feed()
        self._equipment.dimmer.tick()

    def _close(self) -> None:
        self._navigator.close()
        if self._journal is not None:
            self._journal.close()
        self._equipment.recorder.stop()
        self._equipment.signals.close()
        self._equipment.buttons.close()
        self._equipment.display.close()
        if self._equipment.page is not None:
            self._equipment.page.close()
            self._equipment.page.wait()  # the state folder may be gone after this
        if self._equipment.hall is not None:
            self._equipment.hall.close()
        self._notifier.close()

    def _begin(self) -> None:
        """Open the journal and go where was asked for; a journal that can't be opened is said, and tried again."""
        try:
            self._journal = Journal.open(self._state)
        except DeviceError as error:
            self._navigator.say([error.text], self._begin)
            return
        self._services = services = self._build_services(self._journal)
        if self._equipment.page is not None:
            self._navigator.answers |= self._equipment.page.make_answers(services)
        if self._equipment.hall is not None:
            self._navigator.answers |= self._equipment.hall.make_answers(services)
        aside = self._journal.set_aside
        said = [self._start.trouble] if self._start.trouble is not None else []
        if aside is not None:
            said.append(aside.text)
        self._navigator.say(said, lambda: self._navigator.attempt(lambda: self._as_wished(services)))

    def _build_services(self, journal: Journal) -> Services:
        """Build the services, each with what it needs of the others."""
        equipment, start, settings, navigator = self._equipment, self._start, self._settings, self._navigator
        switch_off = self._switch_off if start.settings.service.power_off else None
        sight = Sight(equipment, start.pace, settings, navigator, self._told, lambda: self._watchdog.beat(_CAMERA))
        decks = Decks(deck_shelf(self._state), equipment.open_learner, settings, sight, navigator)
        page = equipment.page
        phone_menu = partial(page.open_menu, settings, navigator) if page is not None else None
        phone = partial(phone_menu, None) if phone_menu is not None else None
        in_game = InGameOptions(
            equipment.signals, settings, navigator, phone, self._start_rematch, switch_off, equipment.hall
        )
        games = Games(self._state, journal, equipment, settings, sight, navigator, in_game)
        scores = Scores(self._state, equipment, settings, sight, navigator)
        hall = {"hall_option": equipment.hall.make_option} if equipment.hall is not None else {}
        return Services(navigator, settings, sight, decks, games, scores, phone_menu, switch_off, **hall)

    def _as_wished(self, services: Services) -> None:
        start, plan = self._start, self._start.plan
        going_on = services.games.going_on() if (self._state / MARK).exists() else None
        if start.enrol is not None and plan is not None:
            pages = load_referees()[plan.game].cards.pages
            services.decks.learn(start.enrol, pages, lambda: services.games.start(plan))
        elif start.enrol is not None:
            services.decks.learn(start.enrol, start.enrol_pages or deck_kinds()[0].pages, self.stop)
        elif start.game is not None:
            services.games.resume(start.game)
        elif plan is not None:
            services.games.start(plan)
        elif going_on is not None:
            services.games.resume(going_on.number)
        else:
            self._navigator.go_home()

    # What the navigator and the game's menu ask for

    def _first_menu(self) -> Menu:
        assert self._services is not None, "menus come after the journal"
        return show_home(self._services)

    def _leave_game(self) -> None:
        (self._state / MARK).unlink(missing_ok=True)
        self._equipment.recorder.stop()

    def _start_rematch(self, played: Opening) -> None:
        """Leave a game that is over for the same one with the same players."""
        services = self._services
        assert services is not None, "games come after the journal"
        self._navigator.go_home()
        self._navigator.attempt(lambda: self._navigator.show_menu(start_rematch(services, played)))

    def _switch_off(self) -> None:
        def act() -> None:
            self._navigator.show_busy(STOPPING)
            self._equipment.power_off()
            self._stopping = True

        self._navigator.attempt(act)
