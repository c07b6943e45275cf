"""What single arguments may be: lengths, sizes, numbers, names; anything else is refused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cli.line.wrong_use import WrongArgumentError
from device.addresses import without_password
from rules.plain import are_different, is_name, shorten_line
from rules.text import Text

if TYPE_CHECKING:
    from cli.games import Scored


def parse_size(text: str) -> tuple[float, float]:
    """Read a mat's size such as ``1189x841``."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)[x×](\d+(?:\.\d+)?)", text)
    if not found or not all(300 <= float(side) <= 3000 for side in found.groups()):
        raise WrongArgumentError(
            Text("{text!r} is no mat size from 300x300 to 3000x3000 mm, such as 1189x841", text=shorten_line(text)),
        )
    return float(found[1]), float(found[2])


def _parse_mm(text: str, least: float, most: float, words: Text) -> float:
    """Read a length in mm such as ``3`` or ``2.5``."""
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,3})?", text) or not least <= float(text) <= most:
        raise WrongArgumentError(
            Text(
                "{text!r} is no {words} from {least:g} to {most:g} mm",
                text=shorten_line(text),
                words=words,
                least=least,
                most=most,
            ),
        )
    return float(text)


def parse_listen(text: str) -> tuple[str, int]:
    """Read where the page is reached, such as ``8080`` or ``127.0.0.1:0``."""
    from device.settings.kinds import listen_at  # loads what draws

    found = listen_at(text)
    if found is None:
        shown = shorten_line(without_password(text))
        raise WrongArgumentError(Text("{text!r} is no port or address such as 8080 or 127.0.0.1:0", text=shown))
    return found


def parse_overlap(text: str) -> float:
    """Read what tiles share with their neighbours."""
    return _parse_mm(text, 5, 30, Text("overlap"))


def parse_bleed(text: str) -> float:
    """Ground that goes on beyond the cut."""
    return _parse_mm(text, 0, 5, Text("bleed"))


def parse_panel(text: str) -> tuple[int, int]:
    """Read a screen's size such as ``480x320``."""
    found = re.fullmatch(r"(\d+)[x×](\d+)", text)
    if not found or not (240 <= int(found[1]) <= 3840 and 200 <= int(found[2]) <= 2160):
        raise WrongArgumentError(
            Text("{text!r} is no screen size from 240x200 to 3840x2160 px, such as 480x320", text=shorten_line(text)),
        )
    return int(found[1]), int(found[2])


def parse_seats(text: str) -> int:
    """Read how many play, such as ``4``."""
    if not re.fullmatch(r"[1-9]", text):
        raise WrongArgumentError(Text("{text!r} is no number of players from 1 to 9", text=shorten_line(text)))
    return int(text)


def parse_listed(text: str) -> int | Scored:
    """Read a game by its number in the list, such as ``2``, or a scored table, such as ``s1``."""
    found = re.fullmatch(r"(s?)([0-9]{1,40})", text)
    if found is None:
        raise WrongArgumentError(Text("{text!r} is no number of the list such as 2 or s1", text=shorten_line(text)))
    if not found[1]:
        return int(found[2])
    from cli.games import Scored

    return Scored(int(found[2]))


def parse_game(text: str) -> int | str:
    """Read a game of the journal by its number, such as ``2``, or a kind of game by its name."""
    return int(text) if re.fullmatch("[0-9]{1,18}", text) else text


def parse_seed(text: str) -> int:
    """Read what chance begins with, such as ``7``."""
    if not re.fullmatch(r"[0-9]{1,18}", text):
        raise WrongArgumentError(
            Text("{text!r} is no whole number from 0, of up to 18 digits", text=shorten_line(text))
        )
    return int(text)


def parse_page(text: str) -> tuple[str, str]:
    """Read a page and its picture, such as ``seven=page.jpg``."""
    page, _, file = text.partition("=")
    if not (page and file):
        raise WrongArgumentError(
            Text("{text!r} is no page with its picture such as seven=page.jpg", text=shorten_line(text)),
        )
    return page, file


def parse_table_names(text: str) -> tuple[str, ...]:
    """Read tables of a hall such as ``T1,T2``."""
    return tuple(name.strip() for name in text.split(","))


def parse_table_count(text: str) -> int:
    """Read how many tables a hall has, such as ``200``."""
    if not re.fullmatch(r"[0-9]{1,4}", text) or not 1 <= int(text) <= 5000:
        raise WrongArgumentError(Text("{text!r} is no number of tables from 1 to 5000", text=shorten_line(text)))
    return int(text)


def parse_tables(text: str) -> tuple[str, ...]:
    """Read the tables of a hall: how many, such as ``6``, or their names such as ``Red,Blue``."""
    if text.isascii() and text.isdecimal():
        return tuple(f"T{number}" for number in range(1, parse_table_count(text) + 1))
    return parse_table_names(text)


def parse_port(text: str) -> int:
    """Read a port such as ``8883``."""
    if not re.fullmatch(r"[0-9]{1,5}", text) or not 0 < int(text) < 65536:
        raise WrongArgumentError(Text("{text!r} is no port from 1 to 65535", text=shorten_line(text)))
    return int(text)


def parse_names(text: str) -> tuple[str, ...]:
    """Read players such as ``Ada,Emmy,Sofia``, by seat."""
    found = tuple(name.strip() for name in text.split(","))
    right = all(is_name(name) and len(name) <= 20 for name in found)
    if not 2 <= len(found) <= 5 or not are_different(found) or not right:
        raise WrongArgumentError(
            Text(
                "{text!r} are not two to five different names of up to 20 letters such as Hilbert,Banach,Noether",
                text=text,
            ),
        )
    return found


def parse_rate(text: str) -> float:
    """Read how often something happens in a second, such as ``1`` or ``0.5``."""
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,3})?", text) or not 0.01 <= float(text) <= 100:
        raise WrongArgumentError(Text("{text!r} is no rate from 0.01 to 100 a second", text=shorten_line(text)))
    return float(text)


def parse_seconds(text: str) -> float:
    """Read how long something lasts, in s, such as ``600``."""
    if not re.fullmatch(r"[0-9]{1,6}", text) or int(text) == 0:
        raise WrongArgumentError(Text("{text!r} is no number of seconds from 1 to 999,999", text=shorten_line(text)))
    return float(text)
