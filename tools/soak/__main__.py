"""``make soak``: many simulated games with mistakes in them, refereed from table views and from rendered pictures,
sessions at a restless table, and positions set by hand. With ``--game NAME`` another game than the first one is played,
through a session, from table views with and without something misread, and from rendered pictures.

Prints figures and seeds, and ends with 1 where an illegal move was accepted, a legal one refused, a mistake named
wrongly, a ranking missed, or more than one confirm in a hundred of the rendered games answered with can't see.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import cv2
import numpy as np

from device.capture.eye import card_reader
from device.capture.table_reader import TableReader
from referee.game import CardSet
from referee.laminate.referee import REFEREE
from referee.laminate.simulated.game import SimulatedGame
from referee.laminate.simulated.mistakes import MISTAKES
from referee.placing import Placed
from referee.registry import load_referees
from referee.table import Detections
from simulator.camera import CardSprites, SimulatedCamera
from simulator.pages import lay_page
from tests.vision.faces.more_art import ARTS
from tests.vision.faces.tables import Sprites
from tools.soak import any_game
from tools.soak.by_hand import ByHand, set_and_play
from tools.soak.eyes import ReadingEye
from tools.soak.game import Tally, new_game, referee_game
from tools.soak.gathered import Gathered
from tools.soak.naming import NamingGame, Namings
from tools.soak.sessions import Watch, watch
from vision.enrol import PAGES, enrol_pages
from vision.identify.deck import Deck

_GLARE = 0.02
_KNOCKS = 0.01
_CARELESSNESS_RENDERED = 0.15
_MOST_UNSEEN = 0.01


def rendered_game(seed: int) -> Tally:
    """Referee the game of that seed from rendered pictures, read with a deck enrolled from rendered pages."""
    cv2.setNumThreads(1)
    game = new_game(seed, _CARELESSNESS_RENDERED)
    eye = _reading_eye(game, seed, _GLARE)
    return referee_game(seed, eye, game)


def _reading_eye(game: SimulatedGame, seed: int, glare: float) -> ReadingEye:
    layout = game.table.layout
    camera = SimulatedCamera(layout.mat_mm, seed)
    read = TableReader(card_reader(), _learn_deck(camera, layout.mat_mm, seed), REFEREE, layout)
    return ReadingEye(camera, read, random.Random(f"eye {seed}"), glare, _KNOCKS)


def _learn_deck(camera: SimulatedCamera, mat_mm: tuple[float, float], seed: int, own: CardSet | None = None) -> Deck:
    """Learn the deck of all pages; of ``own`` cards by their own ones, where they have some."""
    pictures = {}
    for page in own.pages if own is not None and own.grids else PAGES:
        camera.show(lay_page(page, mat_mm, random.Random(f"{seed} {page}")))
        pictures[page] = camera.take_picture()
    return enrol_pages(card_reader(), "soak", pictures, mat_mm)


def _any_game(name: str, seed: int, rendered: bool, art: str | None = None, glare: float = 0.0) -> any_game.Tally:
    """Play the game of that name and seed; from rendered pictures only its beginning.

    With ``art`` its cards are those of an invented one. On ``glare`` of the looks glare lies on a card.
    """
    if not rendered:
        return _GAMES.get(name, any_game.Game)(name, seed, strewn=True).play()
    cv2.setNumThreads(1)
    game = any_game.Game(name, seed, misread=0.0)
    sprites = CardSprites if art is None else partial(Sprites, art)
    camera, chance = SimulatedCamera(game.layout.mat_mm, seed, None, sprites), random.Random(f"glare {seed}")
    deck = _learn_deck(camera, game.layout.mat_mm, seed, game.referee.cards)
    eye = TableReader(card_reader(), deck, game.referee, game.layout).eye

    def look(cards: Sequence[Placed]) -> Any:
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
_GAMES: dict[str, type[any_game.Game]] = {"seven_euchre": Gathered}
"""What a game's soak has beside that of any game."""


def _soak_of(chosen: argparse.Namespace) -> bool:
    """Soak games of the chosen name, from table views and from rendered pictures; tell whether everything held."""
    good = True
    for rendered, count in ((False, chosen.games), (True, chosen.rendered)):
        whole, seeds = any_game.Tally(), range(chosen.seed, chosen.seed + count)
        with ProcessPoolExecutor(chosen.jobs) as pool:
            for tally in pool.map(
                partial(_any_game, chosen.game, rendered=rendered, art=chosen.art, glare=chosen.glare), seeds
            ):
                whole.add(tally)
                for fault in tally.faults:
                    print(f"  FAULT {fault}", flush=True)
                if rendered or whole.games % 50 == 0:
                    print(f"  {whole.games} of {count} games, {len(whole.faults)} faults", flush=True)
        if count:
            how = "rendered" if rendered else "table views"
            any_game.report(f"{chosen.game}, {how}, seeds {seeds.start} to {seeds.stop - 1}", whole)
        good &= not whole.faults and not whole.is_slow
    return good


def _play_all(
    games: Callable[[int], Tally], seeds: Iterable[int], jobs: int, name: str, verdicts: TextIO | None = None
) -> Tally:
    """Play the games of these seeds, some at a time, and tell now and then how far it is; write down ``verdicts``."""
    whole, began = Tally(), time.monotonic()
    seeds = list(seeds)
    with ProcessPoolExecutor(jobs) as pool:
        for number, tally in enumerate(pool.map(games, seeds), 1):
            if verdicts is not None:
                verdicts.writelines(f"{line}\n" for line in tally.verdicts)
            tally.verdicts.clear()
            whole.add(tally)
            for fault in tally.faults:
                print(f"  FAULT {fault}", flush=True)
            if name == "rendered" or number % 50 == 0:
                minutes = (time.monotonic() - began) / 60
                print(
                    f"  {name}: {number} of {len(seeds)} games, {len(whole.faults)} faults, {minutes:.1f} min",
                    flush=True,
                )
    return whole


def _report(name: str, tally: Tally) -> None:
    said = [fault.partition(": ")[2] for fault in tally.faults]
    counted = {kind: sum(fault.startswith(kind) for fault in said) for kind in _KINDS}
    other = len(said) - sum(counted.values())
    print(f"\n{name}: {tally.games} games, {tally.finished} finished, {tally.no_room} stopped for want of room")
    mistakes = tally.mistakes.total()
    print(f"  confirms {tally.confirms}: legal moves {tally.legal}, mistakes {mistakes}, questions {tally.asked}")
    print(
        f"  can't see {tally.cannot_see}, of them without a card made hard to read {tally.unseen}, "
        f"with every card read {tally.blind}"
    )
    for kind, count in counted.items():
        print(f"  {kind.lower()}: {count}")
    print(f"  other faults: {other}")
    print(f"  refusals whose steps led back to a lawful table: {tally.mended}")
    print(f"  mistakes hidden by an unread card, beside a move that was understood: {tally.hidden}")
    print(f"  mistakes named by another fault that looks the same: {dict(tally.instead)}")
    print(f"  mistakes that looked like a legal move, not counted: {dict(tally.lookalikes)}")
    print("  mistakes made: " + ", ".join(f"{name} {tally.mistakes[name]}" for name in ("thanks_left", *MISTAKES)))
    if tally.judging_s:
        ms = np.array(tally.judging_s) * 1000
        half, most, worst = np.percentile(ms, 50), np.percentile(ms, 99), ms.max()
        where = tally.judged_at[int(ms.argmax())]
        print(f"  judging, ms of processor time: 50 % {half:.1f}, 99 % {most:.1f}, most {worst:.0f} ({where})")


_KINDS = ("ILLEGAL ACCEPTED", "LEGAL REFUSED", "WRONG CODE", "WRONGLY UNDERSTOOD", "NOT MENDED", "WRONG END")


def _play_evening(hours: float, play: Callable[[int], Tally], seed: int) -> int:
    """Play games back to back, in this process, for so many hours of a simulated evening; does memory grow?"""
    began, at, confirms, faults = time.monotonic(), 0.0, 0, 0
    resident: list[float] = []
    while at < hours * 3600:
        tally = play(seed + len(resident))
        confirms, faults = confirms + tally.confirms, faults + len(tally.faults)
        at += tally.confirms * _SECONDS_A_TURN
        resident.append(_resident_mb())
        print(f"  {at / 3600:.1f} h: {resident[-1]:.0f} MB after {len(resident)} games, {faults} faults", flush=True)
    grown = resident[-1] - resident[0]
    print(f"evening: {confirms} confirms in {time.monotonic() - began:.0f} s, {grown:+.0f} MB since the first game")
    return 0 if grown <= _MOST_GROWN_MB and not faults else 1


_SECONDS_A_TURN = 25.0
_MOST_GROWN_MB = 40.0


def _resident_mb() -> float:
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def _watch_sessions(count: int, seed: int, jobs: int) -> bool:
    """Hold what sessions settled against a fresh judge; False where anything differed."""
    whole, seeds = Watch(), range(seed, seed + count)
    with ProcessPoolExecutor(jobs) as pool:
        for seen in pool.map(watch, seeds, chunksize=4):
            whole.add(seen)
            for differing in seen.differing:
                print(f"  FAULT {differing}", flush=True)
    print(f"\nsessions, seeds {seeds.start} to {seeds.stop - 1}: {whole.sessions}")
    print(
        f"  settled {whole.settled}: accepted {whole.accepted}, asked {whole.asked}, answers {whole.answered}, "
        f"two turns offered {whole.offered}, checks after an undo {whole.checked}"
    )
    print(f"  other than a fresh judgement of the same look: {len(whole.differing)}")
    return not whole.differing


def _set_by_hand(count: int, seed: int, jobs: int) -> bool:
    """Set positions by hand and play each to its end; False where one could not be."""
    whole, seeds = ByHand(), range(seed, seed + count)
    with ProcessPoolExecutor(jobs) as pool:
        for one in pool.map(set_and_play, seeds, chunksize=40):
            whole.add(one)
            for fault in one.faults:
                print(f"  FAULT {fault}", flush=True)
            if whole.positions % 1000 == 0:
                print(f"  by hand: {whole.positions} of {count}, {len(whole.faults)} faults", flush=True)
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
    whole, seeds = Namings(), range(seed, seed + count)
    with ProcessPoolExecutor(jobs) as pool:
        for tally in pool.map(partial(_played_naming, name), seeds):
            whole.add(tally)
            for fault in tally.faults:
                print(f"  FAULT {fault}", flush=True)
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
    parser.add_argument("--game", choices=list(load_referees()), help="another game than the first one")
    parser.add_argument("--art", choices=list(ARTS), help="with --game and --rendered: cards of this invented art")
    parser.add_argument("--glare", type=float, default=0.0, help="with --game: how often glare lies on a card")
    parser.add_argument("--verdicts", type=Path, metavar="FILE", help="write all verdicts there, as JSON Lines")
    parser.add_argument("--evening", type=float, default=0.0, metavar="HOURS", help="instead: does memory grow?")
    chosen = parser.parse_args(arguments)
    if chosen.evening:
        return _play_evening(chosen.evening, rendered_game if chosen.rendered else referee_game, chosen.seed)
    if chosen.game and chosen.game != next(iter(load_referees())):
        good = _soak_of(chosen)
        if chosen.named:
            good &= _name_unread(chosen.game, chosen.named, chosen.seed, chosen.jobs)
        print("\nheld" if good else "\nNOT HELD")
        return 0 if good else 1
    with chosen.verdicts.open("w", encoding="utf-8") if chosen.verdicts else nullcontext() as verdicts:
        good = _soak(chosen, verdicts)
    print("\nheld" if good else "\nNOT HELD")
    return 0 if good else 1


def _soak(chosen: argparse.Namespace, verdicts: TextIO | None) -> bool:
    """Soak both kinds of games; tell whether everything held."""
    good = True
    for name, count, play in (
        ("table views", chosen.games, referee_game),
        ("rendered", chosen.rendered, rendered_game),
    ):
        if not count:
            continue
        seeds = range(chosen.seed, chosen.seed + count)
        tally = _play_all(play, seeds, chosen.jobs, name, verdicts)
        _report(f"{name}, seeds {seeds.start} to {seeds.stop - 1}", tally)
        good &= not tally.faults and tally.blind == 0
        if name == "rendered":
            share = tally.unseen / max(1, tally.confirms)
            print(f"  confirms answered with can't see where no glare lay: {share:.2%}")
            good &= share < _MOST_UNSEEN
    if chosen.games:
        few = {"game": next(iter(load_referees())), "games": max(1, chosen.games // 10), "rendered": 0}
        good &= _soak_of(argparse.Namespace(**{**vars(chosen), **few}))
    if chosen.sessions:
        good &= _watch_sessions(chosen.sessions, chosen.seed, chosen.jobs)
    if chosen.by_hand:
        good &= _set_by_hand(chosen.by_hand, chosen.seed, chosen.jobs)
    if chosen.named:
        good &= _name_unread(next(iter(load_referees())), chosen.named, chosen.seed, chosen.jobs)
    return good


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
