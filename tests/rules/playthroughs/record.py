"""Record a playthrough of a game: ``python -m tests.rules.playthroughs.record NAME``.

The playthrough is written once and read by a person; it is recorded anew only when the rules are meant to change.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

from rules.game import usual_options
from rules.registry import find_game

SEED = 20161211


def main(name: str) -> None:
    """Play one random game and write it beside this file."""
    rules = find_game(name)
    chance = Random(SEED)
    names = [f"Player {seat}" for seat in range(1, rules.seats[0] + 1)]
    options = usual_options(rules.options, names)
    position = rules.start(names, options)
    lines = [json.dumps({"players": names, **options})]
    while position.outcome is None:
        move = rules.random_move(position, chance)
        position = position.do(move)
        lines.append(json.dumps({"move": move.to_json(), "position": repr(position)}))
    (Path(__file__).parent / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
