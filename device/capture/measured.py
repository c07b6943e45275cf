"""What is asked where the markers show a mat of another size than is set."""

from __future__ import annotations

from rules.text import Text, verbatim
from ui.setting_up.camera_view import NO_BREAK

Size = tuple[float, float]


def size_words(mm: Size) -> str:
    """Write a size that no line breaks: ``901 × 598 mm``."""
    return f"{mm[0]:.0f} × {mm[1]:.0f} mm".replace(" ", NO_BREAK)


def other_size(measured: Size, given: Size) -> Text:
    """Ask whether to take the measured size in place of the given one (mm)."""
    return Text("Measured {measured}, not {given}. Use it?", measured=size_words(measured), given=size_words(given))


def use_words(measured: Size) -> Text:
    """Return the answer that takes the measured size."""
    return verbatim(f"{measured[0]:.0f} × {measured[1]:.0f}")
