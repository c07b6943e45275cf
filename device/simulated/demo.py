"""``sevenmat demo``: a whole game at a simulated table, read and refereed by the real chain.

The simulated camera's pictures go the same way as a real one's: stillness, mat, reader, table view, referee, screen.
The table's own truth is kept aside and compared with what the referee says; any disagreement ends the demo with a
loud message and exit code 1.
"""

from __future__ import annotations

import random
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from device.capture.eye import Eye, Looks, card_reader
from device.enrol.laying import PAGE_WORDS, page_grid
from device.errors import DeviceError
from device.hardware.buttons import Button, KeyboardButtons
from device.hardware.display import Display, FolderDisplay, WindowDisplay, has_display
from device.session.session import Session
from device.simulated.camera import Lens, SimulatedCamera
from device.simulated.opening import players_of, usual_game
from device.simulated.pages import lay_page
from device.simulated.truth import TruthWriter
from device.speech import Language
from device.storage.recording import RecordingWriter
from referee.layout import REFERENCE_MAT_MM, Layout
from referee.registry import referees
from referee.simulation import Attempt, Simulation, SimulationError, is_right, tray_of, truth_of
from referee.verdict import Accepted, CantSee, Question, Refused, Verdict
from rules.plain import quoted
from rules.record import Header
from rules.text import Text
from ui.screen_state import Mood, ScreenState
from vision.enrol import EnrolError, enrol_pages
from vision.errors import LightError, MatError
from vision.identify.deck import Deck
from vision.picture import read_picture_bytes
from vision.stillness import Stillness

DEFAULT_SEED = 577
_LOOKS_AGAIN = 6
_HANDS_FOR = 3


class DisagreementError(Exception):
    """The referee and the simulated truth differ."""


@dataclass
class Screens:
    """Everything the demo shows goes through here: window and folder alike.

    Before a window, the confirm key holds the demo and lets it go on again; back, or the close box, ends it.
    """

    displays: list[Display]
    keyboard: KeyboardButtons | None
    _until: float = 0.0

    def show(self, state: ScreenState, seconds: float = 0.0) -> None:
        """Show a screen; a window keeps it for at least so long, while the work for the next one goes on."""
        if self.keyboard:
            self._wait(self.keyboard)
        for display in self.displays:
            display.show(state)
        self._until = time.monotonic() + seconds

    def _wait(self, keyboard: KeyboardButtons) -> None:
        held = False
        while True:
            presses = [press.button for press in keyboard.pressed()]
            if Button.BACK in presses or keyboard.wants_to_quit:
                raise KeyboardInterrupt
            held ^= presses.count(Button.CONFIRM) % 2 == 1
            if not held and time.monotonic() >= self._until:
                return
            time.sleep(0.02)

    def linger(self) -> None:
        """Keep the last screen for its time, or until a key ends that."""
        if self.keyboard:
            with suppress(KeyboardInterrupt):
                self._wait(self.keyboard)

    def close(self) -> None:
        """Close window and folder."""
        for display in self.displays:
            display.close()


class _Record:
    """The recording of a demo, with the truth beside it."""

    def __init__(self, folder: Path, header: Header, layout: Layout) -> None:
        self.recording = RecordingWriter(folder, header, layout)
        self.truth = TruthWriter(folder, layout.mat_mm)

    def close(self) -> None:
        self.recording.close()
        self.truth.close()


@dataclass
class _Tally:
    """What the last line of the demo counts."""

    turns: int = 0
    confirms: int = 0
    refused: int = 0
    asked: int = 0
    looked_again: int = 0
    reading_s: list[float] = field(default_factory=list)
    began_s: float = field(default_factory=time.monotonic)


class Demo:
    """One demo: an evening's table, camera, reader and display."""

    def __init__(
        self,
        seed: int,
        screens: Screens,
        language: Language,
        record: Path | None = None,
        lens: Lens | None = None,
        truth: Simulation | None = None,
        game: str | None = None,
    ) -> None:
        self._language = language
        self._screens = screens
        self._seed = seed
        players = players_of(game)
        header = usual_game(players, game)
        referee = referees()[header.game]
        self._layout = layout = referee.layout(len(players), REFERENCE_MAT_MM)
        self._camera = SimulatedCamera(layout.mat_mm, seed, lens)
        self.truth = truth or referee.simulation(players, header.options, layout, random.Random(seed))
        self._session = Session(referee, header, layout, language)
        self._reader = card_reader()
        self._stillness = Stillness()
        self._record = _Record(record, header, layout) if record else None
        self._t = 0.0
        self._tally = _Tally()
        self._settled: list[Accepted | Refused] = []

    def run(self) -> int:
        """Enrol the deck, play the game to its end, and return the exit code."""
        try:
            return self.play(Eye(self._reader, self._enrol(), self._session.referee, self._layout))
        except DisagreementError as fault:
            print(f"\nsevenmat: DISAGREEMENT between referee and table: {fault}", file=sys.stderr)
            return 1
        except SimulationError as error:
            raise DeviceError(error.words.en, error.words.ja) from error
        finally:
            if self._record:
                self._record.close()

    def play(self, eye: Looks) -> int:
        """Play the game to its end with an eye that knows the deck, and return the exit code.

        Raises:
            DisagreementError: the referee and the simulated truth differ.
        """
        self._say("", Text("The game begins", "ゲーム開始"))
        for attempt in self.truth.attempts():
            self._attempt(eye, attempt)
        self._check_end()
        self._report()
        return 0

    # Enrolment

    def _enrol(self) -> Deck:
        began = time.monotonic()
        pictures = {}
        pages = self._session.referee.cards.pages
        for number, page in enumerate(pages, 1):
            words = PAGE_WORDS[page].said(self._language)
            title = Text(f"Enrolling: page {number} of {len(pages)}", f"デッキの登録 {number}/{len(pages)}")
            notice = ScreenState(self._language, Mood.NOTICE, headline=title.said(self._language), details=(words,))
            grid = page_grid(page, self._language)
            self._screens.show(replace(notice, grid=grid) if grid.rows else notice, 1.0)
            self._camera.show(lay_page(page, self._layout.mat_mm, random.Random(f"{self._seed} {page}")))
            jpeg = self._camera.jpeg().tobytes()
            if self._record:
                self._record.recording.page(page, jpeg)
            pictures[page] = read_picture_bytes(jpeg, page)
        try:
            deck = enrol_pages(self._reader, "demo", pictures, self._layout.mat_mm)
        except EnrolError as error:
            raise DisagreementError(f"the deck's pages were not accepted: {error}") from error
        took = time.monotonic() - began
        count = len(deck.cards)
        self._say(
            "",
            Text(
                f"Deck enrolled from {len(pages)} pages: {count} faces in {took:.1f} s",
                f"デッキを登録しました（{count}面、{took:.1f}秒）",
            ),
        )
        return deck

    # One press of confirm, as often as it takes

    def _attempt(self, eye: Looks, attempt: Attempt) -> None:
        who = self._session.history.header.players[attempt.seat - 1] if attempt.seat else ""
        if attempt.code:
            self._say(who, Text(f"(on purpose) {attempt.blunder.en}", f"（わざと）{attempt.blunder.ja}"))
        if attempt.told is not None:
            self._tell(who, attempt)
            return
        if not self._settled:
            self._move_cards()
        if attempt.unconfirmed:
            self._wait_for(eye, who, attempt)
            return
        for _ in range(_LOOKS_AGAIN):
            verdict = self._confirm(eye)
            if isinstance(verdict, Question):
                verdict = self._answer(verdict, attempt)
            if not isinstance(verdict, CantSee):
                break
            self._say(who, Text(f"can't see: {verdict.text.en}", f"見えません：{verdict.text.ja}"))
            self._tally.looked_again += 1
            self.truth.straighten()
            self._move_cards()
        self._hear(verdict, who, attempt)

    def _tell(self, who: str, attempt: Attempt) -> None:
        """A simulated player tells a move by the buttons."""
        told = attempt.told.to_json() if attempt.told is not None else {}
        self._tick()
        if self._record:
            self._record.recording.told(self._t, told)
        verdict = self._session.tell(told)
        self._screens.show(self._session.screen(), 0.5)
        self._hear(verdict, who, attempt)

    def _wait_for(self, eye: Looks, who: str, attempt: Attempt) -> None:
        """Look until what is done without a press is noticed, laying it more neatly each time."""
        silent = attempt.move is None and attempt.code is None
        for _ in range(_LOOKS_AGAIN):
            if not self._settled:
                self._settled += self._session.see(self._look(eye))
                self._screens.show(self._session.screen(), 0.2)
            if silent or self._settled:
                break
            self._tally.looked_again += 1
            self.truth.straighten()
            self._move_cards()
        if not silent:
            verdict = self._settled.pop(0) if self._settled else self._session.question or CantSee((), ())
            self._hear(verdict, who, attempt)

    def _hear(self, verdict: Verdict, who: str, attempt: Attempt) -> None:
        """A verdict is compared with the truth, kept and said."""
        self._judge_the_judge(verdict, attempt)
        if self._record:
            self._record.truth.expect(self._t, attempt.move, attempt.code, self._by(attempt))
        if isinstance(verdict, Accepted):
            self._tally.turns += 1
            self._say(who, Text(f"✓ {verdict.text.en}", f"✓ {verdict.text.ja}"))
        elif isinstance(verdict, Refused):
            self._tally.refused += 1
            self._say(who, Text(f"✗ {verdict.text.en}", f"✗ {verdict.text.ja}"))

    def _by(self, attempt: Attempt) -> str:
        """What brings an answer about, in games in which it is not always confirm."""
        if not self._session.referee.settles:
            return ""
        return "told" if attempt.told is not None else "look" if attempt.unconfirmed else "confirm"

    def _move_cards(self) -> None:
        """Hands go over the mat, change what lies there, and go away again."""
        camera = self._camera
        camera.show(self.truth.lying, tray_of(self.truth))
        camera.hands = True
        for _ in range(_HANDS_FOR):
            self._stillness.update(camera.preview(), self._tick())
        self._session.watching(Mood.HANDS)
        self._screens.show(self._session.screen(), 0.2)
        camera.hands = False
        while not self._stillness.update(camera.preview(), self._tick()).still:
            pass
        self._jpeg = camera.jpeg().tobytes()
        if self._record:
            name = self._record.recording.frame(self._t, self._jpeg)
            self._record.truth.frame(self._t, name, self.truth.lying, tray_of(self.truth))

    def _tick(self) -> float:
        self._t += 0.2
        return self._t

    def _confirm(self, eye: Looks) -> Verdict:
        self._session.watching(Mood.READING)
        self._screens.show(self._session.screen())
        self._view = self._look(eye)
        self._session.see(self._view)
        self._screens.show(self._session.screen(), 0.3)
        self._press(Button.CONFIRM)
        self._tally.confirms += 1
        verdict = self._session.confirm(self._view)
        self._screens.show(self._session.screen(), 0.5)
        return verdict

    def _look(self, eye: Looks) -> Any:
        """Read the still picture."""
        began = time.monotonic()
        try:
            return eye.look(read_picture_bytes(self._jpeg, "camera"))
        except (MatError, LightError) as error:
            raise DisagreementError(f"the mat can't be read: {error}") from error
        finally:
            self._tally.reading_s.append(time.monotonic() - began)

    def _answer(self, question: Question, attempt: Attempt) -> Verdict:
        """A simulated player knows which answer is true and chooses it with the buttons."""
        self._tally.asked += 1
        self._say("", Text(f"? {question.text.en}", f"？ {question.text.ja}"))
        right = [is_right(self.truth, choice.verdict, attempt) for choice in question.choices]
        if True not in right:
            answers = "; ".join(choice.text.en for choice in question.choices)
            raise DisagreementError(f"a question without the true answer: {question.text.en} {answers}")
        for _ in range(right.index(True)):
            self._press(Button.DOWN)
            self._session.press(Button.DOWN)
            self._screens.show(self._session.screen(), 0.3)
        self._press(Button.CONFIRM)
        verdict = self._session.confirm(self._view)
        self._screens.show(self._session.screen(), 0.5)
        return verdict

    def _press(self, button: Button) -> None:
        self._tick()
        if self._record:
            self._record.recording.button(self._t, button)

    # Truth against verdict

    def _judge_the_judge(self, verdict: Verdict, attempt: Attempt) -> None:
        if is_right(self.truth, verdict, attempt):
            return
        if isinstance(verdict, Accepted):
            said = f"accepted {verdict.move}"
        elif isinstance(verdict, Refused):
            said = f"refused {', '.join((verdict.refusal.code, *verdict.refusal.also))}: {verdict.text.en}"
        else:
            said = verdict.text.en
        raise DisagreementError(f"on the table: {truth_of(attempt)}; the referee: {said}")

    def _check_end(self) -> None:
        true, agreed = self.truth.position.outcome, self._session.position.outcome
        if true is None or agreed is None or (true.points, true.winners) != (agreed.points, agreed.winners):
            raise DisagreementError(f"the game ended {true}, the referee says {agreed}")
        if self._record:
            self._record.truth.final(self._t, true.points, true.winners)
        self._screens.show(self._session.screen(), 3.0)

    # Text for the terminal

    def _say(self, who: str, words: Text) -> None:
        text = words.said(self._language)
        number = f"{self._tally.turns:3d}  " if who else "     "
        print(f"{number}{who + ': ' if who and not text.startswith('✓') else ''}{text}", flush=True)

    def _report(self) -> None:
        tally = self._tally
        seconds = time.monotonic() - tally.began_s
        print()
        for line in self._session.screen().ranking:
            print(f"  {line.place}. {line.name:10} {line.points:3d}   {'★' if line.winner else ''}")
        mean = sum(tally.reading_s) / len(tally.reading_s)
        words = Text(
            f"{tally.turns} moves accepted, {tally.refused} mistakes on purpose refused, "
            f"{tally.asked} questions, {tally.looked_again} looks again, 0 disagreements with the table's truth. "
            f"Reading {mean:.2f} s on average, {seconds:.0f} s in all.",
            f"{tally.turns}手を受け付け、わざとの間違い{tally.refused}件を指摘しました。"
            f"質問{tally.asked}、見直し{tally.looked_again}、食い違い0。"
            f"読み取り平均{mean:.2f}秒、全体で{seconds:.0f}秒。",
        )
        print(f"\n{words.said(self._language)}")


def demo(
    seed: int | None,
    headless: bool,
    screens: Path | None,
    record: Path | None,
    size: tuple[int, int],
    language: Language,
    game: str | None = None,
) -> int:
    """Run the demo of a game, of the first one where none is named. Returns the exit code.

    It is shown in a window where there is a display and ``headless`` is not asked for.

    Raises:
        DeviceError: there is no such game.
    """
    if game is not None and game not in referees():
        known = ", ".join(referees())
        raise DeviceError(
            f"There is no game {quoted(game)}. There are: {known}.",
            f"{quoted(game)}というゲームはありません。{known}のどれかを指定してください。",
        )
    displays: list[Display] = []
    keyboard = None
    if not headless and has_display():
        displays.append(WindowDisplay(size, enlarge=2 if size[0] <= 480 else 1))
        keyboard = KeyboardButtons()
    elif screens is None:
        screens = Path("demo-screens")
    folder = FolderDisplay(screens, size) if screens is not None else None
    if folder is not None:
        displays.append(folder)
    shown = Screens(displays, keyboard)
    try:
        code = Demo(DEFAULT_SEED if seed is None else seed, shown, language, record, game=game).run()
        shown.linger()
    finally:
        shown.close()
    if folder is not None:
        told = Text(f"{folder.count} screens are in {screens}.", f"画面{folder.count}枚：{screens}")
        print(told.said(language))
    return code
