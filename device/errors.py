"""What this room says when it can't go on: one clear sentence for people, in English and Japanese."""

from __future__ import annotations

import os
from typing import Self

from rules.plain import shorten_line
from rules.text import SaidError, Text


class DeviceError(SaidError):
    """Something can't be done as asked. ``error.text`` is the sentence.

    A command that meets it ends with exit code 2. ``on_a_phone`` is another sentence where the first one names an
    option of the command line.
    """

    on_a_phone: Text | None = None

    def told_on_a_phone(self, words: Text) -> Self:
        """Say the same to people who have no command line in front of them."""
        self.on_a_phone = words
        return self


def reason_of(error: Exception) -> str:
    """Why the system refused something, in its own words."""
    return getattr(error, "strerror", None) or str(error)


def refused_by_the_system(error: OSError) -> DeviceError:
    """Turn what the system refused into an error with the file's name and the reason, such as a full disk."""
    reason = error.strerror or type(error).__name__
    if not isinstance(error.filename, (str, bytes)):
        return DeviceError("The system refuses it: {reason}.", reason=reason)
    name = shorten_line(os.fsdecode(error.filename), 200)
    return DeviceError("{name} can't be used: {reason}.", name=name, reason=reason)
