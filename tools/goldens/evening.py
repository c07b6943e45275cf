"""An evening at the table: the program itself, from an unknown deck to a game with everything in it, and on after that.

The keys are pressed and the pictures changed by ``tools.goldens.puppet``. What the older checkout leaves in its state
folder (settings, deck, journal, recordings) is then taken up by both.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from tools.goldens.checkout import Room
from tools.goldens.compare import Harvest, Item, pictures_of
from tools.goldens.pictures import demo_recording
from tools.goldens.walks import spoil_frames

PUPPET = Path(__file__).resolve().parent / "puppet.py"
SETTINGS = """# how we like it
language = "en"   # until grandmother comes

[game]
names = ["Ada", "Emmy", "Sofia", "太郎"]

[recording]
on = true

# Keys are pressed in every menu, and this machine has other things to do.
[service]
power_off = false
"""
MOVES = 9
"""How many of the recorded turns are played."""

Step = list[str]


def _do(*keys: str) -> Iterator[Step]:
    """Press keys one after the other, as ``confirm``, ``hold:confirm``, ``down*3``; keep a screen after the last."""
    for key in keys:
        what, _, name = key.rpartition(":")
        name, _, times = name.partition("*")
        for _ in range(int(times or 1)):
            yield [what or "press", name]
    yield ["screen"]


def _learn_pages(folder: str) -> Iterator[Step]:
    """Learn the deck's three pages, one of them wrong at first."""
    yield ["put", f"{folder}/enrol-seven.jpg"]
    yield ["screen"]
    yield from _do("confirm")
    yield from _do("confirm")
    yield from _do("confirm")
    yield from _do("confirm")  # the same page once more, which is the wrong one now
    yield from _do("down")
    yield ["next", f"{folder}/enrol-review.jpg"]
    yield from _do("confirm")
    yield ["next", f"{folder}/enrol-complete.jpg"]
    yield from _do("confirm")
    yield from _do("confirm")


def _begin_game(first_frame: str) -> Iterator[Step]:
    """Go through the menus that lead to a game of three."""
    yield ["put", first_frame]
    for keys in (("up",), ("down", "confirm"), ("back",), ("confirm",), ("confirm",), ("down", "confirm")):
        yield from _do(*keys)
    yield from _do("down", "confirm")
    yield from _do("confirm")
    yield from _do("confirm")


def _play_turns(recording: Path, folder: str, turns: int, after: int = 0) -> Iterator[Step]:
    """Play ``turns`` recorded confirms with the frames before them; ``after`` were played already."""
    seen = 0
    for line in (recording / "timeline.jsonl").read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if seen >= after:
            if "frame" in event:
                yield ["next", f"{folder}/{event['frame']}"]
                yield ["screen"]
            else:
                yield from _do(event["button"])
        seen += "button" in event
        if seen >= after + turns:
            return


def _list_frames(recording: Path, turns: int) -> list[str]:
    """List the frames that lay there at the first confirms."""
    frame, frames = "", []
    for line in (recording / "timeline.jsonl").read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        frame = event.get("frame", frame)
        if "button" in event:
            frames.append(frame)
    return frames[:turns]


def _set_right(recording: Path, folder: str, spoilt: list[str]) -> Iterator[Step]:
    """Use everything that sets a game right: taking back, putting back, comparing, naming, setting the position."""
    before, _, now = (f"{folder}/{frame}" for frame in _list_frames(recording, MOVES)[-3:])
    yield from _do("hold:back")
    yield from _do("confirm")
    yield ["next", before]
    yield from _do("confirm")
    yield ["next", now]
    yield from _do("confirm")
    yield from _do("hold:confirm")
    yield from _do("down", "confirm")
    yield from _do("hold:confirm")
    yield from _do("down*2", "confirm")
    yield from _do("confirm")
    yield from _do("hold:confirm")
    yield from _do("down*2", "confirm")
    for picture in spoilt:
        yield ["next", picture]
        yield from _do("confirm")
        yield from _do("hold:confirm")
        yield from _do("down*3", "confirm")
        for _ in range(4):
            yield from _do("confirm")
        yield from _do("back*3")
    yield ["next", f"{folder}/{_list_frames(recording, MOVES + 6)[-1]}"]
    yield from _do("confirm")
    yield from _do("confirm")
    yield from _do("hold:confirm")
    yield from _do("down*3", "confirm")
    for _ in range(6):
        yield from _do("confirm")
    yield from _do("back*3")
    yield ["next", now]
    yield from _do("confirm")


def _leave_game() -> Iterator[Step]:
    """Go through the last lines of the menus: a pause, the other language, the first menu, and on with the game."""
    for up in (4, 3, 2, 1):
        yield from _do("hold:confirm", f"up*{up}")
        yield from _do("confirm")
        yield from _do("confirm")
    yield ["quit"]


def steps_of(recording: Path, folder: str, spoilt: list[str]) -> list[Step]:
    """List the whole evening's steps, its screens numbered."""
    steps = [
        *_learn_pages(folder),
        *_begin_game(f"{folder}/{_list_frames(recording, 1)[0]}"),
        *_play_turns(recording, folder, MOVES),
        *_set_right(recording, folder, spoilt),
        *_leave_game(),
    ]
    return number_screens(steps)


def number_screens(steps: list[Step]) -> list[Step]:
    """Return the same steps, each screen with its number as its name."""
    named, number = [], 0
    for step in steps:
        if step == ["screen"]:
            named.append(["screen", f"{number:03d}"])
            number += 1
        else:
            named.append(step)
    return named


def play(room: Room, state: str, steps: list[Step], screens: str, *words: str, code: int | None = 0) -> str:
    """Have the room's checkout run at the state folder, played by a puppet; what it says."""
    script = {"camera": f"{screens}-camera", "screens": screens, "steps": steps}
    (room.folder / f"{screens}.json").write_text(json.dumps(script), encoding="utf-8")
    run = ("run", "--state", state, "--display", "window", "--camera", f"folder:{screens}-camera", *words)
    return room.run_python(PUPPET, f"{screens}.json", room.checkout.command, *run, code=code).text


def _play_evening(room: Room) -> None:
    folder = demo_recording(room)
    recording = room.folder / folder
    (room.folder / "spoilt").mkdir()
    spoilt = spoil_frames(recording, room.folder / "spoilt", [_list_frames(recording, MOVES)[-1]], "evening")
    (room.folder / "state").mkdir()
    (room.folder / "state" / "settings.toml").write_text(SETTINGS, encoding="utf-8")
    pictures = [f"spoilt/{name}" for name in spoilt.values()]
    said = play(room, "state", steps_of(recording, folder, pictures), "screens")
    (room.folder / "said.txt").write_text(said, encoding="utf-8")


def play_evening(room: Room) -> Harvest:
    """Play an evening: the first menu, learning a deck, a game with every way to set it right, each screen at rest."""
    store = room.given if room.checkout.name == "old" else room.own
    folder = store.make_once("evening", _play_evening)
    pictures = pictures_of(folder / "screens")
    return {
        "said": (folder / "said.txt").read_text(encoding="utf-8"),
        "number of screens": str(len(pictures)),
        "screens": pictures,
        "settings afterwards": (folder / "state" / "settings.toml").read_text(encoding="utf-8"),
        **read_journal(room, str(folder / "state")),
        **_read_recorded(folder / "state" / "recordings"),
    }


def read_journal(room: Room, state: str) -> Harvest:
    """Ask the journal in a state folder in every way in which it can be asked."""
    at = ("--state", state)
    listed = room.run_sevenmat("games", "--json", *at, mask=drop_times)
    found: dict[str, Item] = {"games": listed.text}
    for language in ("en", "ja"):
        found[f"games, {language}"] = room.run_sevenmat("games", *at, "--language", language, mask=drop_times).text
    numbers = [json.loads(line)["game"] for line in listed.out.splitlines() if line.startswith("{")]
    for number in map(str, numbers):
        found[f"game {number}"] = room.run_sevenmat("games", "show", number, "--json", *at).text
        for language in ("en", "ja"):
            words = ("games", "show", number, *at, "--language", language)
            found[f"game {number}, {language}"] = room.run_sevenmat(*words, mask=drop_times).text
        found[f"export of game {number}"] = room.run_sevenmat("games", "export", number, f"{number}.jsonl", *at).text
        found[f"record of game {number}"] = (room.folder / f"{number}.jsonl").read_text(encoding="utf-8")
    return found


def drop_times(text: str) -> str:
    """Return the text without dates and times of day."""
    return re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[+-]\d\d:\d\d)?", "<time>", text)


def _read_recorded(recordings: Path) -> Harvest:
    """Read the recordings' headers, and their timelines without the times."""
    found: dict[str, Item] = {}
    for number, folder in enumerate(sorted(recordings.iterdir())):
        found[f"recording {number}, header"] = (folder / "recording.json").read_text(encoding="utf-8")
        events = map(json.loads, (folder / "timeline.jsonl").read_text(encoding="utf-8").splitlines())
        timeline = [{key: value for key, value in event.items() if key != "t"} for event in events]
        found[f"recording {number}, timeline"] = "".join(f"{json.dumps(event)}\n" for event in timeline)
    return found


def take_up_kept(room: Room) -> Harvest:
    """Take up what the older checkout has left: settings, deck, journal, recordings; and the game goes on."""
    given = room.given.make_once("evening", _play_evening)
    state = room.folder / "state"
    shutil.copytree(given / "state", state, symlinks=True)
    folder = demo_recording(room)
    recording = room.folder / folder
    found: dict[str, Item] = {**read_journal(room, "state"), **_read_others(room, folder)}
    (deck,) = (path.stem for path in (state / "decks").glob("*.deck"))
    for number, one in enumerate(sorted((state / "recordings").iterdir())):
        words = ("replay", f"state/recordings/{one.name}", "--deck", deck, "--state", "state", "--json")
        found[f"recording {number} replayed"] = room.run_sevenmat(*words, code=None).text
    frames = [f"{folder}/{frame}" for frame in _list_frames(recording, MOVES + 4)[-5:]]
    resumed: list[Step] = [["put", frames[0]], ["screen"]]
    for frame in frames[1:]:
        resumed += [["next", frame], ["screen"], *_do("confirm")]
    last_game = str(json.loads(str(found["games"]).splitlines()[-1])["game"])
    found["goes on, said"] = play(
        room, "state", number_screens([*resumed, ["kill"]]), "on", "--game", last_game, code=-9
    )
    found["goes on, screens"] = pictures_of(room.folder / "on")
    again: list[Step] = [["put", frames[-1]], ["screen"], ["press", "confirm"], ["screen"], ["quit"]]
    found["after a pulled plug, said"] = play(room, "state", number_screens(again), "again")
    found["after a pulled plug, screens"] = pictures_of(room.folder / "again")
    return {**found, **{f"after going on, {name}": item for name, item in read_journal(room, "state").items()}}


def _read_others(room: Room, folder: str) -> dict[str, Item]:
    """Read settings and deck of a state folder, and check that the deck can be carried to another one."""
    at = ("--state", "state")
    found: dict[str, Item] = {"settings": room.run_sevenmat("settings", *at).text}
    listed = room.run_sevenmat("decks", "--json", *at)
    found["decks"] = listed.text
    deck = json.loads(listed.out.splitlines()[0])["deck"]
    frame = f"{folder}/{_list_frames(room.folder / folder, MOVES)[-1]}"
    found["read"] = room.run_sevenmat("read", frame, "--deck", deck, *at, "--json").text
    found["decks export"] = room.run_sevenmat("decks", "export", deck, "out.deck", *at).text
    found["decks import"] = room.run_sevenmat("decks", "import", "out.deck", "--as", "another", "--state", "other").text
    found["read with it"] = room.run_sevenmat("read", frame, "--deck", "another", "--state", "other", "--json").text
    return found
