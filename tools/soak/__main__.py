"""``make soak``: many simulated games with mistakes in them, played through a session from table views, with and
without something misread, and from rendered pictures; of the first game also sessions at a restless table and positions
set by hand. ``--game NAME`` plays another one.

Prints figures and seeds, and ends with 1 where an illegal move was accepted, a legal one refused, a mistake named
wrongly, a ranking missed, or more than one look in a hundred at the rendered games could not be read without glare.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any, TextIO, TypeVar

import cv2

from device.capture.eye import card_reader
from device.capture.table_reader import TableReader
from referee.game import CardSet
from referee.placing import Placed
from referee.registry import load_referees
from referee.table import Detections
from simulator.camera import CardSprites, Lens, SimulatedCamera
from simulator.pages import lay_page
from tests.vision.faces.more_art import ARTS
from tests.vision.faces.tables import Sprites
from tools.soak.any_game import Counts, Game, Tally, report
from tools.soak.by_hand import ByHand, set_and_play
from tools.soak.gathered import Gathered
from tools.soak.naming import NamingGame, Namings
from tools.soak.papers import Papers
from tools.soak.sessions import Watch, watch
from vision.enrol import PAGES, enrol_pages
from vision.identify.deck import Deck

C = TypeVar("C", bound=Counts)
FIRST = next(iter(load_referees()))
_KNOCKS = 0.01
_MOST_UNSEEN = 0.01


def _learn_deck(camera: SimulatedCamera, mat_mm: tuple[float, float], seed: int, own: CardSet | None = None) -> Deck:
    """Learn the deck of all pages; of ``own`` cards by their own ones, where they have some."""
    pictures = {}
    for page in own.pages if own is not None and own.grids else PAGES:
        camera.show(lay_page(page, mat_mm, random.Random(f"{seed} {page}")))
        pictures[page] = camera.take_picture()
    return enrol_pages(card_reader(), "soak", pictures, mat_mm)


def _play(name: str, seed: int, rendered: bool, art: str | None = None, glare: float = 0.0) -> Tally:
    """Play the game of that name and seed; from rendered pictures only its beginning.

    With ``art`` its cards are those of an invented one. On ``glare`` of the looks glare lies on a card; now and then
    somebody bumps into the camera.
    """
    kind = _GAMES.get(name, Game)
    if not rendered:
        return kind(name, seed, strewn=name != FIRST or seed % _STREWN == 0).play()
    cv2.setNumThreads(1)
    game = kind(name, seed, misread=0.0)
    sprites = CardSprites if art is None else partial(Sprites, art)
    camera, chance = SimulatedCamera(game.layout.mat_mm, seed, None, sprites), random.Random(f"glare {seed}")
    deck = _learn_deck(camera, game.layout.mat_mm, seed, game.referee.cards)
    eye = TableReader(card_reader(), deck, game.referee, game.layout).eye

    def look(cards: Sequence[Placed]) -> Any:
        if chance.random() < _KNOCKS:
            spread = chance.uniform
            tilt, fill = spread(1.0, 4.5), spread(0.91, 0.93)
            camera.hang(Lens(tilt=tilt, swing=spread(-2.5, 2.5), roll=spread(-2.0, 2.0), fill=fill))
        camera.show(cards)
        some = [card for card in cards if card.card]
        if some and chance.random() < glare:
            card = chance.choice(some)
            camera.glare = (card.x + chance.uniform(-15, 15), card.y + chance.uniform(-40, 40))
        reading = eye.read(camera.take_picture())
        camera.glare = None
        # Dice are not painted; they are seen as they lie.
        return game.referee.observe(Detections(reading.sightings, reading.unread, game.dice), game.layout)

    game.look = look
    return game.play(_RENDERED_ATTEMPTS)


_RENDERED_ATTEMPTS = 150
_STREWN = 10
"""One of the first game in so many is judged with strewn cards as well."""
_GAMES: dict[str, type[Game]] = {"laminate": Papers, "seven_euchre": Gathered}
"""What a game's soak has beside that of any game."""


def _add_up(whole: C, play: Callable[[int], C], seeds: range, jobs: int, chunk: int = 1) -> C:
    """Try each of these seeds, some at a time, and tell of faults at once."""
    with ProcessPoolExecutor(jobs) as pool:
        for number, one in enumerate(pool.map(play, seeds, chunksize=chunk), 1):
            whole.add(one)
            for fault in one.faults:
                print(f"  FAULT {fault}", flush=True)
            if number % 50 == 0:
                print(f"  {number} of {len(seeds)}, {len(whole.faults)} faults", flush=True)
    return whole


def _play_silently(play: Callable[[int], Tally], seed: int) -> Tally:
    """Play a game whose verdicts nobody wants to read."""
    tally = play(seed)
    tally.verdicts.clear()
    return tally


def _soak(chosen: argparse.Namespace, verdicts: TextIO | None) -> bool:
    """Soak games of the chosen name, from table views and from rendered pictures; tell whether everything held."""
    good = True
    for rendered, count in ((False, chosen.games), (True, chosen.rendered)):
        if not count:
            continue
        seeds = range(chosen.seed, chosen.seed + count)
        play = partial(_play, chosen.game, rendered=rendered, art=chosen.art, glare=chosen.glare)
        whole = _add_up(Tally(), play if verdicts is not None else partial(_play_silently, play), seeds, chosen.jobs)
        if verdicts is not None:
            verdicts.writelines(f"{line}\n" for line in whole.verdicts)
        how = "rendered" if rendered else "table views"
        report(f"{chosen.game}, {how}, seeds {seeds.start} to {seeds.stop - 1}", whole)
        good &= not whole.faults and not whole.is_slow
        if rendered and not chosen.glare:
            share = whole.cannot_see / max(1, whole.attempts)
            print(f"  looks at which a card could not be read: {share:.2%}")
            good &= share < _MOST_UNSEEN
    return good


def _play_evening(hours: float, play: Callable[[int], Tally], seed: int) -> int:
    """Play games back to back, in this process, for so many hours of a simulated evening; does memory grow?"""
    began, at, attempts, faults = time.monotonic(), 0.0, 0, 0
    resident: list[float] = []
    while at < hours * 3600:
        tally = play(seed + len(resident))
        attempts, faults = attempts + tally.attempts, faults + len(tally.faults)
        at += tally.attempts * _SECONDS_A_TURN
        resident.append(_resident_mb())
        print(f"  {at / 3600:.1f} h: {resident[-1]:.0f} MB after {len(resident)} games, {faults} faults", flush=True)
    grown = resident[-1] - resident[0]
    print(f"evening: {attempts} changes in {time.monotonic() - began:.0f} s, {grown:+.0f} MB since the first game")
    return 0 if grown <= _MOST_GROWN_MB and not faults else 1


_SECONDS_A_TURN = 25.0
_MOST_GROWN_MB = 40.0


def _resident_mb() -> float:
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def _watch_sessions(count: int, seed: int, jobs: int) -> bool:
    """Hold what sessions settled against a fresh judge; False where anything differed."""
    seeds = range(seed, seed + count)
    whole = _add_up(Watch(), watch, seeds, jobs, 4)
    print(f"\nsessions, seeds {seeds.start} to {seeds.stop - 1}: {whole.sessions}")
    print(
        f"  settled {whole.settled}: accepted {whole.accepted}, asked {whole.asked}, answers {whole.answered}, "
        f"two turns offered {whole.offered}, checks after an undo {whole.checked}"
    )
    print(f"  other than a fresh judgement of the same look: {len(whole.faults)}")
    return not whole.faults


def _set_by_hand(count: int, seed: int, jobs: int) -> bool:
    """Set positions by hand and play each to its end; False where one could not be."""
    seeds = range(seed, seed + count)
    whole = _add_up(ByHand(), set_and_play, seeds, jobs, 40)
    print(f"\npositions set by hand, seeds {seeds.start} to {seeds.stop - 1}: {whole.positions}")
    print(f"  moves {whole.moves}; tables from which none could be set, and why was said: {whole.hindered}")
    print("  " + ", ".join(f"{stage} {number}" for stage, number in sorted(whole.stages.items())))
    print(f"  that could not be played to their end: {len(whole.faults)}")
    return not whole.faults


def _played_naming(name: str, seed: int) -> Namings:
    game = NamingGame(name, seed)
    game.play()
    return game.tally


def _name_unread(name: str, count: int, seed: int, jobs: int) -> bool:
    """Play games in which players name truly what they can't read; False where a name led anywhere else."""
    seeds = range(seed, seed + count)
    whole = _add_up(Namings(), partial(_played_naming, name), seeds, jobs)
    print(f"\n{name}, cards named by hand, seeds {seeds.start} to {seeds.stop - 1}: {whole.games} games")
    print(f"  legal moves {whole.legal}; named when asked {whole.asked_for}, unasked {whole.unasked}")
    print(f"  of these named already {whole.again}; light seen to, as names did not help, {whole.lit}")
    print("  " + ", ".join(f"{how} {number}" for how, number in sorted(whole.changed.items())))
    for kind, number in sorted(Counter(fault.split(": ")[1] for fault in whole.faults).items()):
        print(f"  {kind.lower()}: {number}")
    return not whole.faults


def main(arguments: list[str]) -> int:
    """Play, print, and return the exit code."""
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="games judged from table views")
    parser.add_argument("--rendered", type=int, default=30, help="games judged from rendered pictures")
    parser.add_argument("--sessions", type=int, default=1000, help="sessions held against a fresh judge")
    parser.add_argument("--by-hand", type=int, default=10_000, help="positions set by hand and played to their end")
    parser.add_argument("--named", type=int, default=20, help="games in which players name what lies in glare")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first game; the others follow")
    parser.add_argument("--jobs", type=int, default=2, help="games at a time")
    parser.add_argument(
        "--game", choices=list(load_referees()), default=FIRST, help="which game (default: %(default)s)"
    )
    parser.add_argument("--art", choices=list(ARTS), help="with --rendered: cards of this invented art")
    parser.add_argument("--glare", type=float, default=0.0, help="with --rendered: how often glare lies on a card")
    parser.add_argument("--verdicts", type=Path, metavar="FILE", help="write all verdicts there, as JSON Lines")
    parser.add_argument("--evening", type=float, default=0.0, metavar="HOURS", help="instead: does memory grow?")
    chosen = parser.parse_args(arguments)
    if chosen.evening:
        play = partial(_play, chosen.game, rendered=chosen.rendered > 0)
        return _play_evening(chosen.evening, play, chosen.seed)
    with chosen.verdicts.open("w", encoding="utf-8") if chosen.verdicts else nullcontext() as verdicts:
        good = _soak(chosen, verdicts)
    if chosen.game == FIRST and chosen.sessions:
        good &= _watch_sessions(chosen.sessions, chosen.seed, chosen.jobs)
    if chosen.game == FIRST and chosen.by_hand:
        good &= _set_by_hand(chosen.by_hand, chosen.seed, chosen.jobs)
    if chosen.named:
        good &= _name_unread(chosen.game, chosen.named, chosen.seed, chosen.jobs)
    print("\nheld" if good else "\nNOT HELD")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
