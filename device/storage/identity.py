"""What tells a game from all others, on whichever table and in whichever copy of a journal: 128 random bits."""

from __future__ import annotations

import re
import secrets
from hashlib import blake2b

from device.storage.game_file import Lines, read_content, text_of

_FORM = re.compile(r"[0-9a-f]{32}")


def new_identity() -> str:
    """Make the identity of a game that begins now, as hexadecimal digits."""
    return secrets.token_hex(16)


def identity_of(lines: Lines) -> str:
    """Return the identity of the game that has these lines.

    It stands in the first of them. What an older version began has the one that follows from that line.
    """
    told = read_content(lines[0]).get("id")
    if isinstance(told, str) and _FORM.fullmatch(told):
        return told
    return blake2b(text_of(lines[0]), digest_size=16).hexdigest()
