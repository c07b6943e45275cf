"""What this room says when it can't go on: one clear sentence for people, in English and Japanese."""

from __future__ import annotations


class DeviceError(Exception):
    """Something can't be done as asked. ``str(error)`` is the English sentence, ``error.ja`` the Japanese one.

    A command that meets it ends with exit code 2.
    """

    def __init__(self, en: str, ja: str) -> None:
        super().__init__(en)
        self.en = en
        self.ja = ja

    def __reduce__(self) -> tuple[type[DeviceError], tuple[str, str]]:
        return type(self), (self.en, self.ja)
