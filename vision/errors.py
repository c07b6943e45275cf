"""What vision says when it can't go on: one clear sentence for the players, in English and Japanese."""

from __future__ import annotations

from rules.text import SaidError, Text


class VisionError(SaidError):
    """Something in the picture stops the reader; the message says what to do about it.

    ``error.text`` is the sentence.
    """


class PictureError(VisionError):
    """A file or bytes that are no whole picture."""


class MatError(VisionError):
    """The mat can't be measured from this picture."""


class MatSizeError(MatError):
    """The markers show a mat of quite another size; ``measured_mm`` is what they show."""

    def __init__(self, text: Text, measured_mm: tuple[float, float]) -> None:
        super().__init__(text)
        self.measured_mm = measured_mm

    def __reduce__(self) -> tuple[type[MatSizeError], tuple[Text, tuple[float, float]]]:
        return type(self), (self.text, self.measured_mm)


class LightError(VisionError):
    """The light on the markers can't be measured."""
