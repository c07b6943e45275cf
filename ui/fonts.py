"""The display's two font weights, opened once for each size."""

from __future__ import annotations

from enum import Enum
from functools import cache
from pathlib import Path

import noto_cjk_sans_jp_bold
import noto_cjk_sans_jp_regular
import pygame

from rules.text import Text
from ui.errors import UiError


class Weight(Enum):
    """A weight of Noto Sans CJK JP, which draws Japanese and English alike."""

    REGULAR = "regular"
    BOLD = "bold"


def font_file(weight: Weight) -> Path:
    """Find where the font of that weight lies on the disk.

    Raises:
        UiError: the font's package is installed without its file.
    """
    package = noto_cjk_sans_jp_bold if weight is Weight.BOLD else noto_cjk_sans_jp_regular
    path = Path(str(package.FONT_PATH))
    if not path.is_file():
        raise UiError(
            Text("The font {name} is missing; install Sevenmat again.", name=path.name),
        )
    return path


@cache
def open_font(size: int, weight: Weight = Weight.REGULAR) -> pygame.font.Font:
    """Return the font at that size in px; opening one costs milliseconds, asking again nothing."""
    if not pygame.font.get_init():
        pygame.font.init()
    return pygame.font.Font(str(font_file(weight)), size)
