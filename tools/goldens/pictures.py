"""What is read from pictures: the learnt decks' numbers, tables read bit by bit, and recordings replayed."""

from __future__ import annotations

import shutil
from pathlib import Path

from tools.goldens.checkout import Room, SkippedError
from tools.goldens.compare import Harvest, Item, deck_numbers, pictures_of

SIZES = ("480x320", "320x240", "800x480", "1024x600", "320x480")
"""Screens' sizes, small to large, one of them upright."""
PAGES = ("seven", "review", "complete")
DEMO_SEEDS = (1, 2, 3)


def shared_table(room: Room, name: str) -> Path:
    """Return a folder of shared pictures.

    Raises:
        SkippedError: it isn't there.
    """
    if room.shared is None or not (room.shared / "tables" / name).is_dir():
        raise SkippedError(f"no shared/tables/{name} beside the checkout")
    return room.shared / "tables" / name


def pages_of(folder: str) -> list[str]:
    """List the words by which ``enrol`` is given the three pages in a recording's folder."""
    return [word for page in PAGES for word in (f"--{page}", f"{folder}/enrol-{page}.jpg")]


def state_with(room: Room, deck: str, folder: str) -> str:
    """Make a state folder, as seen from the room, in which this checkout has learnt a deck from pages in a folder."""

    def enrol(own: Room) -> None:
        own.run_sevenmat("enrol", "--deck", deck, *pages_of(folder), "--state", "state")

    room.own.make_once(f"with-{deck}", enrol)
    return f"own/with-{deck}/state"


def demo_recording(room: Room, seed: int = DEMO_SEEDS[0]) -> str:
    """Record a whole simulated game with the older checkout, with its deck's pages; a folder as both see it."""
    name = f"demo-{seed}"

    def give(given: Room) -> None:
        given.run_sevenmat("demo", "--headless", "--seed", str(seed), "--record", ".", "--screens", "screens")
        shutil.rmtree(given.folder / "screens")

    room.given.make_once(name, give)
    return f"given/{name}"


def learn_decks(room: Room) -> Harvest:
    """Learn decks from three pages, number by number: of shared tables and of a simulated game."""
    sources = {"simulated": demo_recording(room)}
    for name in ("opening-a", "reads-a"):
        try:
            shared_table(room, name)
            sources[name] = f"shared/tables/{name}"
        except SkippedError as reason:
            room.notes.append(str(reason))
    found: dict[str, Item] = {}
    for name, folder in sources.items():
        words = ("enrol", "--deck", name, *pages_of(folder), "--state", "state")
        found[f"{name}, enrol"] = room.run_sevenmat(*words, "--json").text
        head, numbers = deck_numbers(room.folder / "state" / "decks" / f"{name}.deck")
        found[f"{name}, head"] = head
        found[f"{name}, numbers"] = numbers
        found[f"{name}, show"] = room.run_sevenmat("decks", "show", name, "--json", "--state", "state").text
    one = f"{sources['simulated']}/enrol-seven.jpg"
    words = ("enrol", "--deck", "simulated", "--card", "H7", one, "--state", "state")
    found["simulated, one card again"] = room.run_sevenmat(*words, "--json").text
    found["simulated, numbers with it"] = deck_numbers(room.folder / "state" / "decks" / "simulated.deck")[1]
    for language in ("en", "ja"):
        found[f"list, {language}"] = room.run_sevenmat("decks", "--state", "state", "--language", language).text
    return found


def read_tables(room: Room) -> Harvest:
    """Read the tables of ``reads-a`` and ``finals-a``: every name, place, angle and confidence, and what is unread."""
    shared_table(room, "reads-a")
    state = state_with(room, "reads", "shared/tables/reads-a")
    found: dict[str, Item] = {}
    for name in ("reads-a", "finals-a"):
        try:
            folder = shared_table(room, name)
        except SkippedError as reason:
            room.notes.append(str(reason))
            continue
        pictures = [f"shared/tables/{name}/{path.name}" for path in sorted(folder.glob("[0-9]*.jpg"))]
        words = ("read", *pictures, "--deck", "reads", "--state", state)
        found[name] = room.run_sevenmat(*words, "--json").text
        for language in ("en", "ja"):
            found[f"{name}, in words, {language}"] = room.run_sevenmat(*words, "--language", language).text
    return found


def frames_read(room: Room) -> Harvest:
    """Read some frames of a simulated game, and two that show no table, one by one."""
    folder = demo_recording(room)
    state = state_with(room, "demo", folder)
    frames = sorted((room.folder / folder / "frames").glob("*.jpg"))[::9]
    names = [f"{folder}/frames/{path.name}" for path in frames]
    words = ("read", *names, "--deck", "demo", "--state", state)
    wrong = ("read", f"{folder}/enrol-complete.jpg", "--mat", "900x600", "--deck", "demo", "--state", state)
    return {
        "frames": room.run_sevenmat(*words, "--json").text,
        "page with a wrong size of mat": room.run_sevenmat(*wrong, "--json", code=None).text,
    }


def replay_opening(room: Room) -> Harvest:
    """Replay ``opening-a``: verdicts, words in both languages, screens of every size."""
    shared_table(room, "opening-a")
    return replay_recording(
        room, "shared/tables/opening-a", state_with(room, "opening", "shared/tables/opening-a"), "opening"
    )


def whole_game(room: Room) -> Harvest:
    """Replay a whole simulated game, as recorded by the older checkout."""
    folder = demo_recording(room)
    return replay_recording(room, folder, state_with(room, "demo", folder), "demo", SIZES[:2])


def replay_recording(room: Room, folder: str, state: str, deck: str, sizes: tuple[str, ...] = SIZES) -> Harvest:
    """Replay a recording with screens of each size, as JSON first, then in words, the languages taking turns."""
    words = ("replay", folder, "--deck", deck, "--state", state)
    found: dict[str, Item] = {}
    for number, size in enumerate(sizes):
        found |= run_shown(room, words, size, ("en", "ja")[number % 2], *(() if number else ("--json",)))
    return found


def run_shown(room: Room, words: tuple[str, ...], size: str, language: str, *more: str) -> Harvest:
    """Run a command in a language with its screens in that size: its output, the screens' names, their pixels."""
    screens = f"screens-{size}-{language}"
    how = ("--screens", screens, "--size", size, "--language", language, *more)
    text = room.run_sevenmat(*words, *how).text
    pictures = pictures_of(room.folder / screens)
    called = f"{size}, {language}"
    return {
        f"{called}, words": text,
        f"{called}, names of screens": "".join(f"{path.name}\n" for path in pictures),
        f"{called}, screens": pictures,
    }
