"""What is asked where the markers show a mat of another size than is set."""

from __future__ import annotations

from rules.text import Text
from ui.setting_up.camera_view import NO_BREAK

Size = tuple[float, float]


def size_words(mm: Size) -> str:
    """A size that no line breaks: ``901 × 598 mm``."""
    return f"{mm[0]:.0f} × {mm[1]:.0f} mm".replace(" ", NO_BREAK)


def other_size(measured: Size, given: Size) -> Text:
    """The question whether to take the measured size in place of the given one (mm)."""
    return Text(
        f"Measured {size_words(measured)}, not {size_words(given)}. Use it?",
        f"設定は{size_words(given)}、測った大きさは{size_words(measured)}。測った値を使いますか？",
    )


def use_words(measured: Size) -> Text:
    """The answer that takes it."""
    words = f"{measured[0]:.0f} × {measured[1]:.0f}"
    return Text(words, words)
