"""The killing test: the program at the simulated table dies by SIGKILL at random moments and goes on every time.

A parent that has loaded everything forks the program again and again, reads through a pipe what the screen showed, and
kills it after a random while. After each kill the journal must hold every move that the screen had shown, as it was
played; after the last the game must have ended as it would have without.

``python -m tests.device.killing`` kills 1,000 times and prints figures.
"""

from __future__ import annotations

import argparse
import math
import os
import pickle
import random
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from device.hardware.buttons import Button
from device.speech import Language
from device.storage.game_file import FOLDER
from device.storage.journal import Journal
from referee.history import MOVE
from referee.laminate.simulated.game import SimulatedGame
from referee.simulation import is_right
from rules.judged import Ended
from rules.laminate.moves import Move, move_from_json
from simulator.course import Progress
from tests.device.at_the_table import LAYOUT, PLAYERS, quick_app, view_of
from tests.device.openings import begun
from ui.screen_state import Mood, ScreenState

MOST_SCREENS = 14
"""A life ends after so many screens at most; a whole game shows about 200."""
WRITTEN = 0.2
"""Of so many lives the end comes between the journal and the screen, however quick the machine is."""
STUCK_S = 60.0
"""A life that lasts longer than this is stuck."""


@dataclass(frozen=True)
class Moment:
    """When to kill: this long after so many screens were shown, seconds, or as soon as the journal grows after them."""

    screens: int
    delay_s: float
    written: bool = False

    @classmethod
    def by(cls, chance: random.Random) -> Moment:
        """Any moment: while it starts, or within what follows a screen; a write to the journal takes about 5 ms."""
        screens = chance.randint(0, MOST_SCREENS)
        return cls(screens, chance.uniform(0.0, 0.012 if screens > 1 else 0.08), chance.random() < WRITTEN)


class Pipe:
    """A display that tells the parent what it shows, before it is shown."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def show(self, state: ScreenState) -> None:
        data = pickle.dumps(state)
        os.write(self._handle, len(data).to_bytes(4, "little") + data)

    def close(self) -> None:
        pass


@dataclass(frozen=True)
class Whole:
    """A game that nobody killed: what each accepted move's screen said, the moves in the journal, and the end."""

    screens: list[ScreenState]
    moves: list[Move]
    outcome: Ended


@dataclass
class Figures:
    """What the kills came to."""

    kills: int = 0
    games: int = 0
    moves: int = 0
    kept_unseen: int = 0
    """Kills after which the journal held a move that the screen had not come to show."""
    before_first_screen: int = 0
    moods: dict[Mood, int] = field(default_factory=dict)
    """On which screen it was killed, how often."""


def live(state: Path, seed: int, steps: Path, moment: Moment | None) -> tuple[list[ScreenState], bool]:
    """One life of the program: the screens it showed, and whether it ended by itself."""
    with Journal.open(state) as journal:
        games = journal.list_games()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(read)
            app, evening, _ = quick_app(state, seed, Pipe(write), games[-1].number if games else None, Progress(steps))
            app.run()
            code = 0 if evening.over else 1
        finally:
            os._exit(code)
    os.close(write)
    try:
        screens = _watch(read, child, moment, state / FOLDER)
    finally:
        os.close(read)
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) != 0:
        raise AssertionError(f"the program failed by itself with code {os.WEXITSTATUS(status)}")
    return screens, os.WIFEXITED(status)


def _size(journal: Path) -> int:
    return sum(path.stat().st_size for path in journal.glob("[0-9]*.jsonl"))


def _watch(handle: int, child: int, moment: Moment | None, journal: Path) -> list[ScreenState]:
    """Everything the child shows until it ends, or is killed when its moment has come."""
    os.set_blocking(handle, False)
    screens: list[ScreenState] = []
    data = b""
    kill_s, size = math.inf, 0
    deadline = time.monotonic() + STUCK_S
    while True:
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            raise AssertionError(f"the game does not go on; the last screens: {screens[-3:]}")
        try:
            part = os.read(handle, 1 << 16)
            if not part:
                return screens
            data += part
        except BlockingIOError:
            time.sleep(0.0005)
        while len(data) >= 4 and len(data) >= (end := 4 + int.from_bytes(data[:4], "little")):
            screens.append(pickle.loads(data[4:end]))
            data = data[end:]
        if moment is None:
            continue
        if kill_s == math.inf and len(screens) >= moment.screens:
            kill_s, size = time.monotonic() + moment.delay_s, _size(journal)
        if _size(journal) > size if moment.written and kill_s < math.inf else time.monotonic() >= kill_s:
            os.kill(child, signal.SIGKILL)
            moment = None


def accepted(screens: Sequence[ScreenState]) -> list[ScreenState]:
    """Return the moves that these screens showed as accepted; a screen that comes again is the same move."""
    shown: list[ScreenState] = []
    for screen in screens:
        if screen.mood is Mood.ACCEPTED and (not shown or screen != shown[-1]):
            shown.append(screen)
    return shown


def kept_moves(state: Path) -> list[Move]:
    """Return the moves that the journal holds."""
    with Journal.open(state) as journal:
        assert journal.set_aside is None, "a kill must not damage the journal"
        games = journal.list_games()
        if not games:
            return []
        assert len(games) == 1, "a game that was begun goes on"
        return [move_from_json(entry.data["move"]) for entry in journal.read_entries(1) if entry.kind == MOVE]


def undisturbed(seed: int) -> Whole:
    """Play the game of that seed as it goes where nobody kills: the session alone, the same table before it."""
    game = SimulatedGame(PLAYERS, LAYOUT, random.Random(seed))
    session = begun(PLAYERS, 1, LAYOUT, Language.EN)
    screens = []
    for attempt in game.play_game():
        session.see(view_of(game.table, LAYOUT))
        if attempt.unconfirmed:
            continue
        verdict = session.press(Button.CONFIRM)
        if (question := session.judge.question) is not None:
            right = next(n for n, choice in enumerate(question.choices) if is_right(game, choice.verdict, attempt))
            for _ in range(right):
                session.press(Button.DOWN)
            verdict = session.press(Button.CONFIRM)
        assert verdict is not None
        assert is_right(game, verdict, attempt)
        if session.make_screen().mood is Mood.ACCEPTED:
            screens.append(session.make_screen())
    moves = [move_from_json(entry.data["move"]) for entry in session.log.entries if entry.kind == MOVE]
    assert session.position.outcome is not None
    return Whole(screens, moves, session.position.outcome)


def kill_through_a_game(seed: int, chance: random.Random, figures: Figures, most: int) -> None:
    """Play one game, killed all the time, and hold it to what it is without; ``most`` limits the kills.

    Raises:
        AssertionError: something was lost, or came out differently.
    """
    whole = undisturbed(seed)
    with tempfile.TemporaryDirectory(prefix="killed-") as folder:
        state = Path(folder)
        held = 0
        while True:
            last = figures.kills >= most
            screens, ended = live(state, seed, state / "steps", None if last else Moment.by(chance))
            shown = accepted(screens)
            wanted = whole.screens[held : held + len(shown)]
            assert shown == wanted, f"seed {seed}: another move was shown than was played"
            moves = kept_moves(state)
            # The last move of all is shown by the ranking, not as accepted.
            finished = any(screen.mood is Mood.FINISHED for screen in screens)
            seen = len(whole.moves) if finished else held + len(shown)
            assert len(moves) >= seen, f"seed {seed}: {seen} moves were shown, {len(moves)} are kept"
            assert len(moves) <= seen + 1, f"seed {seed}: {len(moves)} moves are kept, only {seen} were shown"
            assert moves == whole.moves[: len(moves)], f"seed {seed}: another move was kept than was played"
            figures.moves += len(moves) - held
            held = len(moves)
            if ended:
                break
            figures.kills += 1
            figures.kept_unseen += len(moves) > seen
            figures.before_first_screen += not screens
            if screens:
                mood = screens[-1].mood
                figures.moods[mood] = figures.moods.get(mood, 0) + 1
        assert finished
        with Journal.open(state) as journal:
            result = journal.list_games()[0].result
        assert result is not None
        assert (result.points, result.winners) == (whole.outcome.points, whole.outcome.winners)
    figures.games += 1


def kill(times: int, seed: int) -> Figures:
    """Kill so many times, over as many games as that takes; the last game is played to its end.

    Raises:
        AssertionError: something was lost, or came out differently.
    """
    figures = Figures()
    chance = random.Random(seed)
    number = seed
    while figures.kills < times:
        kill_through_a_game(number, chance, figures, times)
        number += 1
    return figures


def main() -> int:
    """Kill, and print what it came to."""
    parser = argparse.ArgumentParser(prog="python -m tests.device.killing", description="The killing test.")
    parser.add_argument("--times", type=int, default=1000, help="kills (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which games and moments (default %(default)s)")
    options = parser.parse_args()
    began = time.monotonic()
    try:
        figures = kill(options.times, options.seed)
    except AssertionError as fault:
        print(f"kill-test: {fault}", file=sys.stderr)
        return 1
    seconds = time.monotonic() - began
    moods = ", ".join(f"{mood.value} {count}" for mood, count in sorted(figures.moods.items(), key=lambda m: -m[1]))
    print(
        f"seed {options.seed}: {figures.kills} kills over {figures.games} games and {figures.moves} moves in "
        f"{seconds:.0f} s; 0 moves lost, every game ended as it does without. The journal was ahead of the screen "
        f"{figures.kept_unseen} times; {figures.before_first_screen} kills came before the first screen. "
        f"Killed on: {moods}."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
