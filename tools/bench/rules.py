"""How fast the rules are, in CPU time: games, decisions, the cheapest publication, public knowledge.

Run it with ``python -m tools.bench.rules``, or all benchmarks with ``make bench``.
"""

from __future__ import annotations

import cProfile
import io
import pstats
import time
from collections.abc import Mapping
from random import Random

from rules.cards import DECK, mask_of
from rules.laminate.game import as_seen
from rules.laminate.legal import can_make, cheapest_way
from rules.laminate.legal_moves import LegalMoves
from rules.laminate.moves import Move
from rules.laminate.papers import BUILT_IN
from rules.laminate.play import deal, random_move
from rules.laminate.position import Position

MARK_DECISIONS = 47_000
"""Decisions per second of OpenSpiel's gin rummy in C++ on a machine like this."""
MARK_SEARCH_MS = 5.0

Figures = dict[str, float]


def random_game(seed: int, players: int | None = None) -> list[Move]:
    """Play a random full game and return its moves, the deal first."""
    chance = Random(seed)
    n = players or 3 + seed % 3
    position = Position.start(tuple("ABCDE"[:n]), 1 + chance.randrange(n))
    moves: list[Move] = [deal(n, chance)]
    position = position.do(moves[0])
    while position.to_move is not None:
        moves.append(random_move(position, chance))
        position = position.do(moves[-1])
    return moves


def judge_games(seconds: float = 4.0) -> Figures:
    """Play random full games, each move judged, the search for publications asked at every turn of play."""
    began, count, decisions, seed = time.process_time(), 0, 0, 0
    while time.process_time() - began < seconds:
        decisions += len(random_game(seed)) - 1
        count += 1
        seed += 1
    took = time.process_time() - began
    per_second = decisions / took
    return {
        "games per second": count / took,
        "decisions per second": per_second,
        "share of the mark of 47,000 decisions per second": per_second / MARK_DECISIONS,
    }


def replay(seconds: float = 2.0) -> Figures:
    """Judge and play the same games again, without choosing moves: what the referee itself costs."""
    played = [(3 + seed % 3, Random(seed).randrange(3 + seed % 3), random_game(seed)) for seed in range(30)]
    began, decisions, searches = time.process_time(), 0, 0
    judging = 0.0
    while time.process_time() - began < seconds:
        for n, first, moves in played:
            position = Position.start(tuple("ABCDE"[:n]), first + 1)
            start = time.process_time()
            for move in moves:
                position = position.do(move)
            judging += time.process_time() - start
            decisions += len(moves) - 1
    searching = 0.0
    for n, first, moves in played:
        position = Position.start(tuple("ABCDE"[:n]), first + 1)
        for move in moves:
            position = position.do(move)
            if position.phase == "play":
                start = time.process_time()
                LegalMoves(position).publishable  # noqa: B018 - asked for its time alone
                searching += time.process_time() - start
                searches += 1
    with_search = 1 / (judging / decisions + searching / searches)
    return {
        "moves judged and played per second": decisions / judging,
        "publication searches (all kinds) per second": searches / searching,
        "decisions per second, searched, judged and played but not chosen": with_search,
        "that as a share of the mark": with_search / MARK_DECISIONS,
    }


def find_cheapest(trials: int = 400) -> Figures:
    """Find the cheapest way for every kind, with 20 cards in hand and 15 citable papers; times in milliseconds."""
    chance = Random(7)
    worst_kind = worst_all = quick_worst = whole = 0.0
    for _ in range(trials):
        cards = chance.sample(DECK, 35)
        own = chance.randint(0, 15)
        masks = mask_of(cards[:20]), mask_of(cards[20 : 20 + own]), mask_of(cards[20 + own :])
        start_all = time.process_time()
        for kind in BUILT_IN:
            start = time.process_time()
            cheapest_way(kind, *masks)
            worst_kind = max(worst_kind, time.process_time() - start)
        took = time.process_time() - start_all
        worst_all, whole = max(worst_all, took), whole + took
        start = time.process_time()
        for kind in BUILT_IN:
            can_make(kind, *masks)
        quick_worst = max(quick_worst, time.process_time() - start)
    return {
        "worst cheapest publication, one kind (ms)": 1000 * worst_kind,
        "worst cheapest publication, all kinds together (ms)": 1000 * worst_all,
        "mean, all kinds together (ms)": 1000 * whole / trials,
        "worst quick test, all kinds together (ms)": 1000 * quick_worst,
        "mark (ms)": MARK_SEARCH_MS,
    }


def public_knowledge(count: int = 12) -> Figures:
    """Judge random games from public knowledge alone; times in milliseconds."""
    worst = total = 0.0
    moves_judged = 0
    for seed in range(count):
        n = 3 + seed % 3
        position = Position.start(tuple("ABCDE"[:n]), 1 + Random(seed).randrange(n))
        for move in random_game(seed):
            start = time.process_time()
            position = position.do(as_seen(move))
            took = time.process_time() - start
            worst, total, moves_judged = max(worst, took), total + took, moves_judged + 1
    return {
        "mean move from public knowledge (ms)": 1000 * total / moves_judged,
        "worst move from public knowledge (ms)": 1000 * worst,
    }


def profile_games(lines: int = 12) -> str:
    """Show where the time of random games goes, by own time."""
    profiler = cProfile.Profile()
    profiler.enable()
    for seed in range(40):
        random_game(seed)
    profiler.disable()
    out = io.StringIO()
    pstats.Stats(profiler, stream=out).sort_stats("tottime").print_stats(lines)
    return "\n".join(line for line in out.getvalue().splitlines()[4:] if line.strip())


def measure_all() -> Mapping[str, Figures]:
    """Measure all figures of this room, by benchmark."""
    return {
        "random games": judge_games(),
        "judging alone": replay(),
        "cheapest publication": find_cheapest(),
        "public knowledge": public_knowledge(),
    }


def main() -> None:
    """Print the figures and the profile."""
    for name, values in measure_all().items():
        print(f"rules: {name}")
        for what, value in values.items():
            print(f"  {what}: {value:,.3f}")
    print("rules: profile of random games")
    print(profile_games())


if __name__ == "__main__":
    main()
