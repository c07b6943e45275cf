"""What vision says when it can't go on: one clear sentence for the players, in English and Japanese."""

from __future__ import annotations

from rules.text import Both, Text


class VisionError(Exception):
    """Something in the picture stops the reader; the message says what to do about it.

    ``str(error)`` is the English sentence, ``error.ja`` the same in Japanese.
    """

    def __init__(self, en: str, ja: str) -> None:
        super().__init__(en)
        self.en = en
        self.ja = ja

    @property
    def text(self) -> Text:
        """The sentence in both languages."""
        return Both(self.en, self.ja)

    def __reduce__(self) -> tuple[type[VisionError], tuple[str, str]]:
        return type(self), (self.en, self.ja)


class PictureError(VisionError):
    """A file or bytes that are no whole picture."""


class MatError(VisionError):
    """The mat can't be measured from this picture."""


class MatSizeError(MatError):
    """The markers show a mat of quite another size; ``measured_mm`` is what they show."""

    def __init__(self, en: str, ja: str, measured_mm: tuple[float, float]) -> None:
        super().__init__(en, ja)
        self.measured_mm = measured_mm

    def __reduce__(self) -> tuple[type[MatSizeError], tuple[str, str, tuple[float, float]]]:  # type: ignore[override]
        return type(self), (self.en, self.ja, self.measured_mm)


class LightError(VisionError):
    """The light on the markers can't be measured."""
