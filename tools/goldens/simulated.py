"""``sevenmat run --simulated``: the whole program before simulated players, asked to end after some turns."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import time

from tools.goldens.checkout import BrokenError, Ran, Room, make_environment
from tools.goldens.compare import Harvest, Item
from tools.goldens.evening import drop_times, read_journal

SETTINGS = "[recording]\non = true\n[service]\npower_off = false\n"
PLAYERS = {4: "Ada,Emmy,Sofia,Mary", 5: "Ada,Emmy,Sofia,Mary,Grace"}
TURNS = 5
_PATIENCE_S = 900.0


def run_simulated(room: Room, players: int, turns: int = TURNS) -> Ran:
    """Let the program play until its screens have said so often that a turn was accepted; then tell it to end.

    Raises:
        BrokenError: it ends before, or does not come so far.
    """
    state, screens = room.folder / "state", room.folder / "screens"
    state.mkdir()
    (state / "settings.toml").write_text(SETTINGS, encoding="utf-8")
    words = [room.checkout.command, "run", "--simulated", "--seed", str(players), "--players", PLAYERS[players]]
    process = subprocess.Popen(
        [*map(str, words), "--state", "state", "--screens", "screens", "--language", "en"],
        cwd=room.folder,
        env=make_environment(room.home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        began = time.monotonic()
        while len(list(screens.glob("*-accepted.png"))) <= turns:
            if process.poll() is not None or time.monotonic() - began > _PATIENCE_S:
                process.kill()
                said = process.communicate()[1].strip() or "nothing was said"
                raise BrokenError(f"run --simulated does not come to its turn {turns}: {said.splitlines()[-1]}")
            time.sleep(0.2)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=_PATIENCE_S)
    finally:
        process.kill()
    return Ran(process.returncode, out, err)


def run_players(room: Room) -> Harvest:
    """Run the program before simulated players: its end, its first turns; the older one's recording, five players."""
    ran = run_simulated(room, 4)
    shown = room.run_sevenmat("games", "show", "1", "--json", "--state", "state")
    lines = [line for line in map(json.loads, shown.out.splitlines()) if line["kind"] == "move"]
    found: dict[str, Item] = {
        "said": ran.text,
        "first turns": "".join(f"{json.dumps(line)}\n" for line in lines[:TURNS]),
        "decks": room.run_sevenmat("decks", "--json", "--state", "state").text,
    }
    given = room.given.make_once("simulated", _give_simulated)
    for number, folder in enumerate(sorted((given / "state" / "recordings").iterdir())):
        words = ("replay", f"given/simulated/state/recordings/{folder.name}", "--deck", "simulated")
        found[f"recording {number} replayed"] = room.run_sevenmat(
            *words, "--state", "given/simulated/state", "--json"
        ).text
    shutil.copytree(given / "state", room.folder / "taken-up")
    taken_up = read_journal(room, "taken-up")
    return {**found, **{f"older journal, {name}": item for name, item in taken_up.items()}}


def _give_simulated(room: Room) -> None:
    ran = run_simulated(room, 5)
    if ran.code:
        raise BrokenError(f"run --simulated ends with {ran.code} in the older checkout: {drop_times(ran.err)}")
