"""What is printed reaches the terminal without control characters, whatever file it came from."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO, cast

from rules.plain import escape_lines

_HALF = re.compile("[\ud800-\udfff]")
"""What stands in a file's name for bytes that are no Unicode: half a character, which many a reader of JSON refuses."""


class PlainStream:
    """A text stream that lets no control character through but the end of a line.

    What the stream's encoding can't write is escaped too, all of it as in JSON, so that lines of JSON stay such. For
    what is no Unicode stands U+FFFD.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text; returns its length."""
        escaped = escape_lines(_HALF.sub("\ufffd", text))
        try:
            self._stream.write(escaped)
        except UnicodeEncodeError:
            encoding = self._stream.encoding
            self._stream.write("".join(_make_writable(letter, encoding) for letter in escaped))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _make_writable(letter: str, encoding: str) -> str:
    try:
        letter.encode(encoding)
    except UnicodeEncodeError:
        return json.dumps(letter)[1:-1]
    return letter


@contextmanager
def plain_output(out: TextIO | None, err: TextIO | None) -> Iterator[None]:
    """While this lasts, all that is printed goes through ``PlainStream``; ``None`` is a stream that was closed."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        ours, complaints = (cast(TextIO, PlainStream(stream or nowhere)) for stream in (out, err))
        with redirect_stdout(ours), redirect_stderr(complaints):
            yield


@contextmanager
def show_busy(words: str) -> Iterator[None]:
    """Say on the terminal what is being done while this lasts; nothing where nobody watches."""
    terminal = sys.__stderr__
    if terminal is None or not terminal.isatty():
        yield
        return
    from rich.console import Console  # only where it is seen: loading it takes a while
    from rich.text import Text as Plain

    with Console(file=terminal).status(Plain(words)):
        yield
