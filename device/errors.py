"""What this room says when it can't go on: one clear sentence for people, in English and Japanese."""

from __future__ import annotations

import os

from rules.plain import shortly
from rules.text import Both, Text


class DeviceError(Exception):
    """Something can't be done as asked. ``str(error)`` is the English sentence, ``error.ja`` the Japanese one.

    A command that meets it ends with exit code 2.
    """

    def __init__(self, en: str, ja: str) -> None:
        super().__init__(en)
        self.en = en
        self.ja = ja

    @property
    def text(self) -> Text:
        """The sentence in both languages."""
        return Both(self.en, self.ja)

    def __reduce__(self) -> tuple[type[DeviceError], tuple[str, str]]:
        return type(self), (self.en, self.ja)


def refused_by_the_system(error: OSError) -> DeviceError:
    """What the system refused, with the file's name and its reason: a name too long, a folder closed, a disk full."""
    reason = error.strerror or type(error).__name__
    if not isinstance(error.filename, (str, bytes)):
        return DeviceError(f"The system refuses it: {reason}.", f"システムに拒否されました（{reason}）。")
    name = shortly(os.fsdecode(error.filename), 200)
    return DeviceError(f"{name} can't be used: {reason}.", f"{name}を使えません（{reason}）。")
