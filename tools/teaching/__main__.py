"""``python -m tools.teaching --game NAME --language CODE``: a simulated game's teaching as a whole, to be read.

Printed are the pictures of the aim, and of each screen what is new on it: what was understood or refused, the lessons
(marked ``*``), and what may be done now (``-``). Whoever would play the game for the first time reads it once, in both
languages, whenever a sentence has changed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Any

from device.session.lessons import Lessons
from device.storage.kept import Taught
from referee.registry import load_referees
from referee.simulation import Attempt
from referee.verdict import Verdict
from rules.text import Language
from tools.soak.any_game import Game
from ui.parts.far import list_titles


class TaughtGame(Game):
    """A simulated game that teaches, and prints what it says."""

    def __init__(self, name: str, seed: int, language: Language) -> None:
        super().__init__(name, seed, misread=0.0)
        self.session.speak(language)
        self.session.lessons = Lessons(Taught(True))
        self._language = language
        self._said: tuple[str, ...] = ()

    def begin(self) -> None:
        """Print the pictures of the aim, and what is said before the first turn."""
        teaching = self.session.screens.own.teaching
        assert teaching is not None, "only taught games are asked for"
        for leaf in teaching.draw_aim(self._language):
            shown = "; ".join(
                f"{group.words}: {' '.join(tile.label or '▮' for tile in group.tiles)}" for group in leaf.tiles
            )
            print(f"[{leaf.title}] {' '.join(leaf.words)}  ({shown})")
        self._print("")

    def _hold(self, verdict: Verdict, attempt: Attempt) -> None:
        super()._hold(verdict, attempt)
        self._print(attempt.blunder.said(self._language) if attempt.code else "")

    def _print(self, blunder: str) -> None:
        screen = self.session.make_screen()
        if blunder:
            print(f"({blunder})")
        print(f"== {list_titles(screen)[0]}  [{screen.mood.value}] {screen.headline}")
        for mark, words in self._list_marked(screen):
            if words not in self._said or mark == "-":
                print(f"   {mark} {words}")
        for step in screen.put_back:
            print(f"   > {step}")
        self._said = screen.details

    def _list_marked(self, screen: Any) -> Iterator[tuple[str, str]]:
        session, screens = self.session, self.session.screens
        teaching = screens.own.teaching
        assert teaching is not None
        lessons = screens.say(*(line for lesson in teaching.lessons for line in lesson.lines))
        moves = screens.say(*(one.words for one in teaching.find_possible(session.position)))
        for words in screen.details:
            yield "-" if words in moves else "*" if words in lessons else " ", words


def main() -> int:
    """Print one game."""
    parser = argparse.ArgumentParser(prog="python -m tools.teaching", description=__doc__)
    parser.add_argument("--game", choices=list(load_referees()), default=next(iter(load_referees())))
    parser.add_argument("--language", choices=[language.code for language in Language.all()], default="en")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--attempts", type=int, help="stop after so many changes of the table")
    asked = parser.parse_args()
    game = TaughtGame(asked.game, asked.seed, Language.from_code(asked.language))
    game.begin()
    tally = game.play(asked.attempts)
    print("\n".join(tally.faults), file=sys.stderr)
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
