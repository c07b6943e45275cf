"""The languages spoken beside English: gettext catalogues below ``ui/locale``, compiled at installation."""

from __future__ import annotations

import gettext
import struct
from contextlib import suppress
from pathlib import Path

from rules.text import translate

_DOMAIN = "sevenmat"


def load_catalogues(folder: Path = Path(__file__).parent / "locale") -> None:
    """Load catalogues: from now on, texts are said in each language that has one in the folder.

    One that is damaged is as if it were not there (``Language.can_be_spoken``).
    """
    for found in sorted(folder.glob(f"*/LC_MESSAGES/{_DOMAIN}.mo")):
        with suppress(OSError, ValueError, LookupError, struct.error), found.open("rb") as file:
            translate(found.parts[-3], gettext.GNUTranslations(file))
