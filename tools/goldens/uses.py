"""How the command is used, rightly and wrongly: help, error sentences, exit codes, settings, PDFs, doctor."""

from __future__ import annotations

import re
from pathlib import Path

from PIL import Image

from tools.goldens.checkout import Room
from tools.goldens.compare import Harvest, Item
from tools.goldens.pictures import demo_recording, state_with

COMMANDS = ("run", "doctor", "demo", "enrol", "decks", "read", "replay", "check", "print", "games", "settings")

WRONG = """
fly
--help --nonsense
read
read x.jpg
read x.jpg --deck
read x.jpg --dec a
read x.jpg --deck a --mat wide
read x.jpg --deck a --mat 12x9
read x.jpg --deck a --mat 299x900
read x.jpg --deck a --state empty
read x.jpg --deck ../a --state empty
read x.jpg --deck . --state empty
read x.jpg --deck .hidden --state empty
read x.jpg --deck xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx --state empty
read x.jpg --deck half --state damaged
read x.jpg --deck newer --state damaged
read x.jpg --deck demo --state STATE
read text.jpg --deck demo --state STATE --json
read short.jpg --deck demo --state STATE --json
read small.png --deck demo --state STATE --json
read grey.png --deck demo --state STATE --json
read grey.png --deck demo --state STATE
read empty --deck demo --state STATE
enrol
enrol --deck
enrol --deck a --seven x.jpg --state empty
enrol --deck a --seven x.jpg --review x.jpg --state empty
enrol --deck ../a --state empty
enrol --deck a --seven x.jpg --review x.jpg --complete x.jpg --state empty
enrol --deck a --seven text.jpg --review text.jpg --complete text.jpg --state empty
enrol --deck a --seven grey.png --review grey.png --complete grey.png --state empty
enrol --deck a --seven grey.png --review grey.png --complete grey.png --state empty --json
enrol --deck a --seven PAGES/enrol-review.jpg --review PAGES/enrol-seven.jpg --complete PAGES/enrol-complete.jpg \
--state empty
enrol --deck a --seven PAGES/enrol-seven.jpg --review PAGES/enrol-complete.jpg --complete PAGES/enrol-review.jpg \
--state empty --json
enrol --deck a --seven PAGES/enrol-seven.jpg --review PAGES/enrol-review.jpg --complete PAGES/enrol-review.jpg \
--state empty --mat 900x600
enrol --deck a --card H7 x.jpg --seven x.jpg --state empty
enrol --deck a --card H7 x.jpg --state empty
enrol --deck demo --card H9 PAGES/enrol-seven.jpg --state STATE
enrol --deck demo --card H7 text.jpg --state STATE
enrol --deck demo --card H7
enrol --deck a --seven x.jpg --review x.jpg --complete x.jpg --state text.jpg
decks --state empty
decks fly
decks show --state empty
decks show a --state empty
decks show half --state damaged
decks list --state damaged
decks list --state damaged --json
decks list all --state empty
decks export a --state empty
decks export demo empty --state STATE
decks export demo text.jpg --state STATE
decks export demo no/such/folder/a.deck --state STATE
decks import --state empty
decks import x.deck --state empty
decks import text.jpg --state empty
decks import damaged/decks/newer.deck --state empty
decks import empty --state empty
decks delete --state empty
decks delete a --state empty
decks delete a --yes --state empty
decks delete demo --state STATE
demo --seed seven
demo --size 1x1
demo --size 480
demo --langauge ja
demo --language de
demo --headless --screens text.jpg
demo --headless --screens screens --record text.jpg
print
print posters x.pdf
print markers
print markers no/such/folder/x.pdf
print mat x.pdf --players 6
print mat x.pdf --mat 12x9
print markers empty
replay
replay none
replay none --deck demo --state STATE
replay empty --deck demo --state STATE
replay text.jpg --deck demo --state STATE
replay recordings/game --deck demo --state STATE
replay recordings/players --deck demo --state STATE
replay recordings/first --deck demo --state STATE
replay recordings/mat --deck demo --state STATE
replay recordings/seats --deck demo --state STATE
replay recordings/json --deck demo --state STATE
replay recordings/missing --deck demo --state STATE
replay recordings/outside --deck demo --state STATE
replay recordings/button --deck demo --state STATE
replay recordings/backwards --deck demo --state STATE
replay recordings/early --deck demo --state STATE --json
replay recordings/noframe --deck demo --state STATE
replay recordings/torn --deck demo --state STATE --json
replay recordings/unreadable --deck demo --state STATE --json
replay recordings/nothing --deck demo --state STATE --json
replay recordings/nothing --deck demo --state STATE
replay recordings/entries --deck demo --state STATE
replay recordings/follow --deck demo --state STATE
replay PAGES --deck none --state STATE
replay PAGES --deck demo --state STATE --size 12x12
check
check none.jsonl
check text.jpg
check bytes.jsonl
check empty
check PAGES/timeline.jsonl
check text.jpg none.jsonl --json
games --state empty
games --state empty --json
games show --state empty
games show 1 --state empty
games show one --state empty
games show 1 2 --state empty
games export --state empty
games export 1 --state empty
games export 1 x.jsonl --state empty
games delete 1 --state empty
games resume 1 --state empty
games fly
games list 1 --state empty
games --state rubbish
games --state text.jpg
run --players Ada,Emmy --state empty
run --players Ada,Ada,Emmy --state empty
run --players ,,, --state empty
run --players Ada,Emmy,Sofia --state empty --display dummy
run --players Ada,Emmy,Sofia --deck a --state empty --display dummy
run --players Ada,Emmy,Sofia --deck half --state damaged --display dummy
run --players Ada,Emmy,Sofia --first 4 --deck demo --state STATE --display dummy --buttons keyboard
run --display hologram --state empty
run --display dummy --buttons feet --state empty
run --display dummy --state empty
run --size 12x12 --state empty
run --game one --state empty
run --state faulty-0
run --simulated --headless --state text.jpg
settings --show --write
settings --state empty
settings --write --state text.jpg
settings fly
doctor --fly
"""
"""One use a line. PAGES is a simulated game's recording, STATE a folder in which the deck ``demo`` is known."""

SETTINGS = (
    "[camera]\nsauce = 'usb'\n",
    "[camera]\nsource = 'tv'\nrotation = 45\n",
    "langauge = 'en'\n",
    "language = 'de'\n[gmae]\ndeck = 'a'\n",
    "language = 7\n",
    "[game]\nnames = ['A', 'A']\n",
    "[game]\nnames = 'A'\ndeck = 5\n",
    "[game]\nnames = ['', 'B']\n",
    "[table]\nmat_mm = [1, 2]\nmarker_mm = 500\n",
    "[table]\nmat_mm = [1189]\n",
    "table = 5\n",
    "[display]\nsize = [10, 10]\ndriver = 'paper'\n",
    "[display]\nsize = [320]\n",
    "[buttons]\nprofile = 'feet'\npins = [1, 2, 3, 4]\n",
    "[buttons]\nprofile = 'custom'\n",
    "[buttons]\nprofile = 'custom'\npins = [5, 5, 6, 7]\n",
    "[buttons]\nprofile = 'display-hat-mini'\n[signals]\nlamp_pin = 5\nbuzzer_pin = 5\n",
    "[buttons]\nlong_press_s = 'long'\ndebounce_ms = -1\n",
    "[recording]\non = 1\nmost_mb = 3.5\n",
    "[recording]\nfree_mb = true\n",
    "[service]\npower_off = 'no'\n",
    "language = 'en'\nlanguage = 'ja'\n",
    "[camera\n",
    "language = \n",
    "x = [1,\n",
    "[camera.source]\na = 1\n",
    "[camera]\nwhite = [1.5]\nexposure = nan\n",
    "[signals]\nlamp_pin = 28\n",
)
"""Settings files with faults in them."""

GOOD_SETTINGS = (
    "language = 'ja'\n",
    "# ours\nlanguage = 'en'  # since 2024\n\n[game]\nnames = ['J. Hilbert', '太郎']\ndeck = 'mine'\n",
    "[table]\nmat_mm = [1000, 700.5]\n[camera]\nsource = 'folder:/x'\nwhite = [1.5, 2]\nsize = [4056, 3040]\n",
    "[buttons]\nprofile = 'custom'\npins = [5, 6, 16, 24]\n[signals]\nlamp_pin = 20\nsounds = false\n",
    "\ufeff[display]\nsize = [320, 240]\nrotation = 90\n",
)


def _write_recordings(folder: Path, frame: bytes) -> None:
    """Make recordings with one fault each, two without, by the folder's name."""
    header = '{"game":"laminate","players":["A","B","C"],"seats":3,"first_seat":1,"mat_mm":[1189,841],"marker_mm":50}'
    first, confirm = '{"t":0.0,"frame":"frames/000.jpg"}', '{"t":2.0,"button":"confirm"}'
    faults: dict[str, tuple[str, list[str]]] = {
        "game": (header.replace("laminate", "chess"), [first]),
        "players": (header.replace('"A","B","C"', '"A","B"'), [first]),
        "first": (header.replace('"first_seat":1', '"first_seat":4'), [first]),
        "mat": (header.replace("[1189,841]", "[1189]"), [first]),
        "seats": (header.replace('"seats":3', '"seats":4'), [first]),
        "json": (header[:-4], [first]),
        "missing": (header, [first, '{"t":1,"frame":"frames/001.jpg"}']),
        "outside": (header, [first, '{"t":1,"frame":"../game/frames/000.jpg"}']),
        "button": (header, [first, '{"t":2.0,"button":"fire"}']),
        "backwards": (header, ['{"t":3.0,"frame":"frames/000.jpg"}', confirm]),
        "early": (header, ['{"t":0.0,"button":"confirm"}', first]),
        "noframe": (header, [confirm]),
        "torn": (header, [first, confirm, '{"t":3.0,"fra']),
        "unreadable": (header, [first, confirm]),
        "nothing": (header, [first, confirm]),
        "entries": (f'{header[:-1]},"entries":[{{"kind":"move"}}]}}', [first]),
        "follow": (f'{header[:-1]},"entries":[{{"kind":"undo","data":{{}}}}]}}', [first]),
    }
    for name, (head, timeline) in faults.items():
        frames = folder / name / "frames"
        frames.mkdir(parents=True)
        (folder / name / "recording.json").write_text(head)
        (folder / name / "timeline.jsonl").write_text("\n".join(timeline) + "\n")
        (frames / "000.jpg").write_bytes(b"no picture" if name == "unreadable" else frame)


def _lay_out(room: Room) -> None:
    """Lay out the files that the uses name."""
    folder = room.folder
    (folder / "empty").mkdir()
    (folder / "rubbish").mkdir()
    (folder / "rubbish" / "journal").mkdir()
    (folder / "rubbish" / "journal" / "00001.jsonl").write_bytes(b"no journal" * 500)
    (folder / "text.jpg").write_text("this is no picture\n")
    (folder / "bytes.jsonl").write_bytes(b"\xff\xfe\x00")
    (folder / "damaged" / "decks").mkdir(parents=True)
    (folder / "damaged" / "decks" / "half.deck").write_bytes(b"half a deck")
    (folder / "damaged" / "decks" / "newer.deck").write_bytes(b'{"sevenmat_deck": 99, "name": "newer"}\n')
    Image.new("RGB", (800, 600), (90, 90, 90)).save(folder / "grey.png")
    Image.new("RGB", (80, 60), (90, 90, 90)).save(folder / "small.png")
    Image.new("RGB", (800, 600), (90, 90, 90)).save(folder / "grey.jpg")
    grey = (folder / "grey.jpg").read_bytes()
    (folder / "short.jpg").write_bytes(grey[: len(grey) // 2])
    _write_recordings(folder / "recordings", grey)
    for number, text in enumerate(SETTINGS):
        (folder / f"faulty-{number}").mkdir()
        (folder / f"faulty-{number}" / "settings.toml").write_text(text, encoding="utf-8")


def wrong_uses(room: Room) -> Harvest:
    """Try every wrong use: its sentence in both languages, and its exit code."""
    pages = demo_recording(room)
    # A copy of its own: some of these uses would change what others share, if a version did what it must not do.
    own = room.own.make_once("with-demo-for-uses", lambda own: None)
    state = f"own/{own.name}/state"
    known = room.folder / state_with(room, "demo", pages) / "decks"
    (own / "state" / "decks").mkdir(parents=True, exist_ok=True)
    (own / "state" / "decks" / "demo.deck").write_bytes((known / "demo.deck").read_bytes())
    _lay_out(room)
    found: dict[str, Item] = {"nothing": room.run_sevenmat(code=2).text}
    for use in WRONG.replace("\\\n", "").strip().splitlines():
        words = use.replace("PAGES", pages).replace("STATE", state).split(" ")
        found[use] = room.run_sevenmat(*words, code=None, env={"LANG": "en_GB.UTF-8"}).text
        if "--help'" not in str(found[use]):  # what the options' parser says is tested for itself
            found[f"{use}, ja"] = room.run_sevenmat(*words, code=None, env={"LANG": "ja_JP.UTF-8"}).text
    left = sorted(path.relative_to(room.folder) for path in (room.folder / "empty").rglob("*"))
    found["what is in the empty folder"] = "".join(f"{path}\n" for path in left)
    return found


def read_helps(room: Room) -> Harvest:
    """Read every command's help, and the version."""
    found: dict[str, Item] = {"help": room.run_sevenmat("--help").text, "version": room.run_sevenmat("--version").text}
    for command in COMMANDS:
        found[f"help {command}"] = room.run_sevenmat(command, "--help").text
    return found


def show_settings(room: Room) -> Harvest:
    """Show settings files, good and faulty, and check that the file that is written is read again."""
    found: dict[str, Item] = {}
    for language in ("en", "ja"):
        for kind, texts in (("faulty", SETTINGS), ("good", GOOD_SETTINGS)):
            for number, text in enumerate(texts):
                state = room.folder / f"{kind}-{number}"
                state.mkdir(exist_ok=True)
                (state / "settings.toml").write_text(text, encoding="utf-8")
                words = ("settings", "--state", state.name, "--language", language)
                code = 2 if kind == "faulty" else 0
                found[f"{kind} {number}, {language}"] = room.run_sevenmat(*words, code=code).text
        words = ("settings", "--state", f"written-{language}", "--language", language)
        (room.folder / f"written-{language}").mkdir()
        found[f"write, {language}"] = room.run_sevenmat(*words, "--write").text
        file = room.folder / f"written-{language}" / "settings.toml"
        found[f"the file written, {language}"] = file.read_text(encoding="utf-8")
        found[f"write once more, {language}"] = room.run_sevenmat(*words, "--write", code=(0, 2)).text
        found[f"the file read, {language}"] = room.run_sevenmat(*words).text
    return found


def make_sheets(room: Room) -> Harvest:
    """Make the PDFs, byte by byte, which reportlab makes without a date."""
    found: dict[str, Item] = {}
    for what in ("markers", "mat", "papers", "deck"):
        found[f"{what}, said"] = room.run_sevenmat("print", what, f"{what}.pdf").text
        found[what] = _read_pdf(room.folder / f"{what}.pdf")
    room.run_sevenmat("print", "mat", "small.pdf", "--mat", "900x600", "--players", "5")
    found["mat, another"] = _read_pdf(room.folder / "small.pdf")
    return found


def _read_pdf(file: Path) -> str:
    return file.read_bytes().decode("latin-1")


def ask_doctor(room: Room) -> Harvest:
    """Ask the doctor about a machine without devices and a simulated camera; its measured numbers left out."""
    pages = demo_recording(room)
    state = state_with(room, "demo", pages)
    found: dict[str, Item] = {}
    for language in ("en", "ja"):
        for camera in ("auto", "simulated"):
            words = ("doctor", "--state", state, "--no-buttons", "--camera", camera, "--language", language)
            more = ("--display", "dummy") if camera == "simulated" else ()
            ran = room.run_sevenmat(*words, *more, code=(0, 1), mask=_drop_numbers)
            found[f"{camera}, {language}"] = ran.text
    ran = room.run_sevenmat("doctor", "--state", "none", "--no-buttons", "--json", code=1, mask=_drop_numbers)
    return {**found, "json": ran.text}


def _drop_numbers(text: str) -> str:
    return re.sub(r"\d+(?:[.:]\d+)*", "…", text)
