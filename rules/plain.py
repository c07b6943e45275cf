"""Text as it may reach a terminal or a display: in one line, without control characters, and no longer than a sentence.

Names come from files that anybody may have written. A control character in one could move the cursor, colour what
follows or turn the reading direction round, so a name that is asked for is refused with it, and one that is only said
of is shown with the character escaped.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection

MOST_NAME = 100
"""No player's name is longer; the display has room for about 20 letters."""
_MOST_SENTENCE = 600
_CONTROL = r"\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
"""C0 but for the line's end, DEL, C1, marks that end lines or turn the direction of reading, half surrogate pairs."""
_UNSAFE = re.compile(f"[{_CONTROL}]+")
_UNSAFE_IN_A_LINE = re.compile(f"[\n{_CONTROL}]+")


def is_plain(text: str) -> bool:
    r"""Tell whether a text is one line without control characters.

    >>> is_plain("a\nb"), is_plain("\x1b[31mred"), is_plain("\u202eabc"), is_plain("\ud800")
    (False, False, False, False)
    """
    return _UNSAFE_IN_A_LINE.search(text) is None


def is_name(value: object) -> bool:
    """Tell whether this can be a player's name: something to be seen in one line, not too long."""
    return isinstance(value, str) and 0 < len(value.strip()) <= MOST_NAME and is_plain(value)


def name_key(name: str) -> str:
    r"""Return what a player's name is compared by: the same for all that look alike, whatever their case and width.

    >>> name_key("Jose\u0301") == name_key("\uff2aOS\xc9 "), name_key("\u304b\u3099") == name_key("\u304c")
    (True, True)
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join("".join(letter for letter in folded if unicodedata.category(letter) != "Cf").split())


def are_different(names: Collection[str]) -> bool:
    """Tell whether no two of these are one name."""
    return len(set(map(name_key, names))) == len(names)


def escape_line(text: str) -> str:
    r"""Return the text in one line, every control character escaped as JSON writes it.

    >>> escape_line("a\nb\x1b[2J")
    'a\\nb\\u001b[2J'
    """
    return _UNSAFE_IN_A_LINE.sub(_escape, text)


def escape_lines(text: str) -> str:
    """Return the text with its lines as they are, every other control character escaped as JSON writes it."""
    return _UNSAFE.sub(_escape, text)


def shorten_line(text: str, most: int = 60) -> str:
    """Return the text in one line, cut to at most ``most`` characters.

    >>> shorten_line("a" * 5000, 5)
    'aaaa…'
    """
    escaped = escape_line(text[: most + 1])
    return escaped if len(text) <= most and len(escaped) <= most else f"{escaped[: most - 1]}…"


def shorten_sentence(text: str) -> str:
    """Return a sentence in one line; of one with a name far too long in it, the beginning and the end.

    >>> shorten_sentence("a" * 5000 + " can't be read.")[-19:]
    "aaaa can't be read."
    """
    escaped = escape_line(text)
    return escaped if len(escaped) <= _MOST_SENTENCE else f"{escaped[:300]}…{escaped[-200:]}"


def quote_value(value: object, most: int = 60) -> str:
    """Quote a value from a file, to be named in a sentence.

    >>> quote_value("whist"), quote_value([1, "a"]), quote_value(10**400, 8), quote_value("a" * 5000, 8)
    ("'whist'", "[1, 'a']", '1000000…', "'aaaaaa…")
    """
    try:
        return shorten_line(repr(value[: most + 1] if isinstance(value, str) else value), most)
    except (RecursionError, ValueError):  # nested too deeply, or a number of more digits than Python writes
        return "…"


def _escape(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1]
