"""Settings, deck files and pictures, damaged, with the commands that read them and those that must not be stopped."""

from __future__ import annotations

import hashlib
import io
import json
import random
import re
import tempfile
import zipfile
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image

from cli.doctor import check_decks, check_settings
from cli.run import RunOptions, _load_settings
from device.hardware.cameras import choose_camera
from device.settings.settings_file import change_setting, settings_text
from device.settings.values import Settings
from device.speech import Language
from device.storage.deck_store import DeckShelf
from simulator.camera import SimulatedCamera
from tests.vision.identify.test_deck import small_deck
from tests.words import en, ja
from tools.fuzz.judging import Call, choose_language, expect_error
from tools.fuzz.mutate import bend_value, damage, lines_mixed, spell_value

# --- settings

_TOML = (
    "1", "-1", "0", "10000", "1e400", "1e5", "-0.0", "nan", "inf", "true", "1979-05-27", "07:32:00",
    "1979-05-27T07:32:00Z", '""', "''", '"x"', '"\\u0000"', '"\\u001b[31m"', '"\\u202e"', '"\\ud800"', "[]", "[[]]",
    "[1, 2]", "[1, 2, 3, 4]", "[0.5]", '["A", "A"]', "{}", "{ a = 1 }", "9" * 30, "9" * 400, "9" * 5000,
    "0x" + "f" * 5000, "[" * 3000, "[" * 3000 + "]" * 3000, "[" * 400 + "]" * 400, "{a=" * 900 + "1" + "}" * 900,
    '"' + "a" * 5000 + '"', '"""', "'''a\nb'''", '"folder:' + "a" * 5000 + '"', '"usb:1"', '"usb:-1"', '"auto"', "90",
    '"folder:/dev/zero"', "1__0", "0o7", "# none", "'", '"', "a.b.c", "=", "\x00", "\x1b", "\u202e", "\ud800",
)  # fmt: skip
_KEYS = (
    "language", "camera", "game.names", "x", '""', "''", '"\\u0000"', '"\\u001b"', "a" * 5000, "[" * 3000, "[camera",
    "[[camera]]", "[a.b.c]", "[" + " " * 3000, " " * 3000, "[recording]", "recording.on", "é", '"' + "b" * 3000 + '"',
    "a." * 900 + "b", "\ufeff", "\u202e", '"\u202e"',
)  # fmt: skip


@cache
def _settings_lines() -> tuple[str, ...]:
    """Write the lines of a file that sets everything as it is by default."""
    text = settings_text(Settings(), Language.EN)
    lines = [line.removeprefix("#") if not line.startswith("# ") else line for line in text.splitlines()]
    return tuple(f"#{line}" if line.endswith(" =") else line for line in lines)


def call_settings(chance: random.Random, folder: Path) -> list[Call]:
    """Call ``settings``, and those who must not be stopped by wrong ones: doctor, the service, the menu."""
    path = folder / "settings.toml"
    lines = list(_settings_lines())
    if chance.random() < 0.3:
        path.write_bytes(damage("\n".join(lines).encode(), chance))
    else:
        for _ in range(chance.choice((1, 1, 2, 5))):
            at = chance.choice([n for n, line in enumerate(lines) if "=" in line and not line.startswith("# ")])
            key, _, value = lines[at].partition("=")
            match chance.randrange(4):
                case 0:
                    lines[at] = f"{chance.choice(_KEYS)} = {value}"
                case 1:
                    lines.insert(chance.randrange(len(lines)), f"{chance.choice(_KEYS)} = {chance.choice(_TOML)}")
                case 2:
                    lines = lines_mixed(lines, chance)
                    break
                case _:
                    lines[at] = f"{key.removeprefix('#')}= {chance.choice(_TOML)}"
        path.write_bytes("\n".join(lines).encode("utf-8", "surrogatepass"))
    text = path.read_bytes()

    def call_doctor() -> None:
        _, finding = check_settings(folder)
        assert en(finding.found)
        assert ja(finding.found)

    def call_service() -> None:
        found, _ = _load_settings(RunOptions(folder, service=True))
        expect_error(lambda: choose_camera(found.camera.source, found.camera.size))
        if found.game.deck:
            expect_error(lambda: DeckShelf(folder).load(found.game.deck))

    def call_menu() -> None:
        expect_error(lambda: change_setting(folder, "recording.on", True))
        path.write_bytes(text)

    words = ("settings", "--state", str(folder), *choose_language(chance))
    return [
        Call(words),
        Call((), call_doctor, "doctor"),
        Call((), call_service, "service"),
        Call((), call_menu, "menu"),
    ]


# --- deck files


@cache
def _deck_file() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        small_deck().save(Path(folder) / "mine.deck")
        return (Path(folder) / "mine.deck").read_bytes()


def call_decks(chance: random.Random, folder: Path) -> list[Call]:
    """Call ``decks`` with a deck file on the shelf, and one to bring in; half of them damaged with a right digest."""
    path = folder / "decks" / "mine.deck"
    path.parent.mkdir(exist_ok=True)
    raw = _deck_file()
    line, _, body = raw.partition(b"\n")
    head = json.loads(line)
    match chance.randrange(5):
        case 0:
            raw = damage(raw, chance)
        case 1:
            raw = spell_value(bend_value(head, chance), chance).encode("utf-8", "surrogatepass") + b"\n" + body
        case 2:
            body = damage(body, chance)
            raw = _with_digest(head, body)
        case 3:
            raw = _with_digest(head, _odd_archive(body, chance))
        case _:
            raw = _with_digest(head, _bent_arrays(body, chance))
    path.write_bytes(raw)
    state = ("--state", str(folder), *choose_language(chance))

    def call_doctor() -> None:
        assert [en(finding.found) for finding in check_decks(DeckShelf(folder), "mine")]

    return [
        Call(("decks", "list", *state)),
        Call(("decks", "show", "mine", *state)),
        Call(("decks", "import", str(path), "--as", "other", "--replace", *state)),
        Call(("decks", "import", str(path), "--replace", *state)),
        Call(("decks", "export", "mine", str(folder / "out"), "--replace", *state)),
        Call((), call_doctor, "doctor"),
    ]


def _with_digest(head: dict[str, Any], body: bytes) -> bytes:
    return json.dumps({**head, "sha256": hashlib.sha256(body).hexdigest()}).encode() + b"\n" + body


def _odd_archive(body: bytes, chance: random.Random) -> bytes:
    """Change one member's bytes or name in an archive, its sums right again."""
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = chance.choice([*members])
    match chance.randrange(5):
        case 0:
            members[name] = damage(members[name], chance)
        case 1:
            members[name] = damage(members[name][:128], chance) + members[name][128:]
        case 2:
            members[f"{name}x"] = members.pop(name)
        case 3:
            shape = chance.choice(("(1000000000000,)", "(-1,)", "(" * 90, "(2**9,)", "()", "(8, 56, 160, 3, 0)", "'a'"))
            members[name] = re.sub(rb"\([^)]*\), \}", f"{shape}, }}".encode(), members[name], count=1)
        case _:
            members[name] = chance.choice((b"", b"text", b"\x93NUMPY", b"\x93NUMPY\x01\x00\xff\xff"))
    out = io.BytesIO()
    how = chance.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA))
    with zipfile.ZipFile(out, "w", how) as archive:
        for member, data in members.items():
            archive.writestr(member, data)
    return out.getvalue()


def _bent_arrays(body: bytes, chance: random.Random) -> bytes:
    with np.load(io.BytesIO(body)) as stored:
        arrays: dict[str, Any] = dict(stored)
    for _ in range(chance.choice((1, 1, 2))):
        name = chance.choice([*arrays])
        array = np.asarray(arrays[name])
        match chance.randrange(8):
            case 0:
                kind = chance.choice(("u1", "f4", "f8", "?", "U9", "S9", "i8", "c8", "M8[s]", "V4"))
                arrays[name] = np.zeros(array.shape, kind)
            case 1:
                arrays[name] = array[: chance.randrange(len(array) + 1)] if array.ndim else array
            case 2:
                arrays[name] = np.concatenate([array, array]) if array.ndim else array
            case 3:
                arrays[name] = array[..., None]
            case 4:
                arrays[name] = np.asarray(chance.choice((0, 1.5, "three", True)))
            case 5 if array.dtype.kind == "f":
                arrays[name] = np.full_like(array, chance.choice((np.nan, np.inf, 0, 1e38)))
            case 6:
                arrays[name] = np.zeros((0, *array.shape[1:]), array.dtype)
            case _:
                arrays[name] = np.flip(array)
    if chance.random() < 0.3:
        del arrays[chance.choice([*arrays])]
    packed = io.BytesIO()
    np.savez_compressed(packed, **arrays)
    return packed.getvalue()


# --- pictures


@cache
def _write_pictures() -> tuple[tuple[str, bytes], ...]:
    """Write a small bare mat as files of many formats."""
    whole = SimulatedCamera((600.0, 600.0), 1).take_picture()
    small = cv2.resize(whole, (640, 480), interpolation=cv2.INTER_AREA)
    picture = Image.fromarray(np.ascontiguousarray(small[..., ::-1]))
    exif = Image.Exif()
    exif[0x0112] = 6
    forms: list[tuple[str, dict[str, Any]]] = [
        ("JPEG", {"quality": 90, "exif": exif}),
        ("JPEG", {"quality": 60, "progressive": True}),
        ("PNG", {}),
        ("TIFF", {"compression": "tiff_lzw"}),
        ("TIFF", {}),
        ("BMP", {}),
        ("GIF", {}),
        ("WEBP", {"quality": 60}),
        ("PPM", {}),
        ("TGA", {}),
        ("ICO", {}),
        ("PCX", {}),
        ("SGI", {}),
        ("EPS", {}),
        ("PDF", {}),
        ("DDS", {}),
        ("JPEG2000", {}),
    ]
    made = []
    for name, options in forms:
        out = io.BytesIO()
        picture.save(out, name, **options)
        made.append((name, out.getvalue()))
    return (("JPEG", made[0][1]), ("JPEG", made[0][1]), ("PNG", made[2][1]), *made)


def call_read(chance: random.Random, folder: Path) -> list[Call]:
    """Call ``read`` with a picture."""
    if not (folder / "decks").exists():
        small_deck().save(folder / "decks" / "mine.deck")
    path = folder / "table.jpg"
    name, data = chance.choice(_write_pictures())
    match chance.randrange(6):
        case 0:
            data = data[: chance.randrange(len(data))]
        case 1:
            data = damage(data[:600], chance) + data[600:]
        case 2:
            data = _enlarge_size(name, data, chance)
        case 3:
            data = data + data if chance.random() < 0.5 else chance.randbytes(2000)
        case 4:
            pass
        case _:
            data = damage(data, chance)
    path.write_bytes(data)
    asked = chance.choice((("read", str(path)), ("score", str(path), "--game", "laminate", "--seats", "3")))
    words = (*asked, "--deck", "mine", "--state", str(folder), *choose_language(chance, json_too=True))
    return [Call(words)]


def _enlarge_size(name: str, data: bytes, chance: random.Random) -> bytes:
    """Put another size in the picture's header, as far as we know where that stands."""
    size = chance.choice((0, 1, 13000, 14000, 60000, 2**31 - 1, 2**32 - 1))
    if name == "PNG":
        head = data[12:16] + size.to_bytes(4) + chance.choice((size, 480)).to_bytes(4) + data[24:29]
        return data[:12] + head + zlib.crc32(head).to_bytes(4) + data[33:]
    if name == "BMP":
        return data[:18] + size.to_bytes(4, "little") * 2 + data[26:]
    if name == "JPEG":
        at = data.find(b"\xff\xc0") if b"\xff\xc0" in data else data.find(b"\xff\xc2")
        return data[: at + 5] + min(size, 65535).to_bytes(2) * 2 + data[at + 9 :]
    if name == "GIF":
        return data[:6] + min(size, 65535).to_bytes(2, "little") * 2 + data[10:]
    if name == "PPM":
        return data.replace(b"640 480", f"{size} {size}".encode(), 1)
    return damage(data, chance)
