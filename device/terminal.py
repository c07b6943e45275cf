"""What is printed reaches the terminal without control characters, whatever file it came from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO, cast

from rules.plain import plain_lines


class PlainStream:
    """A text stream that lets no control character through but the end of a line.

    What the stream's encoding can't write is escaped too, all of it as in JSON, so that lines of JSON stay such.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text; returns its length."""
        escaped = plain_lines(text)
        try:
            self._stream.write(escaped)
        except UnicodeEncodeError:
            encoding = self._stream.encoding
            self._stream.write("".join(_writable(letter, encoding) for letter in escaped))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _writable(letter: str, encoding: str) -> str:
    try:
        letter.encode(encoding)
    except UnicodeEncodeError:
        return json.dumps(letter)[1:-1]
    return letter


@contextmanager
def plain_output(out: TextIO, err: TextIO) -> Iterator[None]:
    """While this lasts, all that is printed goes through ``PlainStream``."""
    with redirect_stdout(cast(TextIO, PlainStream(out))), redirect_stderr(cast(TextIO, PlainStream(err))):
        yield
