"""Finished tables of many random games, scored as they lie: ``python -m tests.referee.finished --games 1000``."""

from __future__ import annotations

import argparse
import sys

from tests.referee.finished import test_seven_wonders as wonders
from tests.referee.finished.test_laminate import score_all


def main() -> int:
    """Score them; a table that comes out otherwise than its game ends this with an error."""
    parser = argparse.ArgumentParser(prog="python -m tests.referee.finished", description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="random games of 3 to 5 players (default %(default)s)")
    games = parser.parse_args().games
    print(f"{score_all(range(games))} of {games} tables had room for their papers; each scored as its game.")
    print(
        f"{wonders.score_all(range(games))} tables of finished cities; each scored as its game, category by category."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
