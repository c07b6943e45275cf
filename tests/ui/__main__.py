"""``make screens``: draw every screen of the gallery anew, say which ones differ from the approved, and keep them.

Look at what has changed before it is committed: these pictures are what ``make test`` holds the screens to.
"""

from __future__ import annotations

import sys

import numpy as np
from PIL import Image

from rules.text import Language
from tests.ui.checks import faults
from tests.ui.gallery import APPROVED, BLOCK_DIFFERS, SIZES, difference, file_of, gallery, picture, saved
from ui.screen import draw


def main() -> int:
    """Draw all of them; the exit code is 1 where one of them can't be read as it should."""
    wrong, changed, kept = 0, 0, set()
    for language in Language.all():
        for name, state in gallery(language).items():
            for size in SIZES:
                for fault in faults(state, draw(state, size), size):
                    wrong += 1
                    print(f"{name}, {language.code}, {size[0]} x {size[1]}: {fault}")
                path, drawn = APPROVED / file_of(name, language, size), picture(state, size)
                kept.add(path)
                if path.is_file():
                    away = difference(drawn, np.asarray(Image.open(path).convert("RGB")))
                    if away <= BLOCK_DIFFERS:
                        continue
                changed += 1
                print(f"{'changed' if path.is_file() else 'new'}: {path.relative_to(APPROVED)}")
                saved(drawn, path)
    for path in set(APPROVED.rglob("*.png")) - kept:
        print(f"no longer there: {path.relative_to(APPROVED)}")
        path.unlink()
    print(f"{len(kept)} screens in {APPROVED}, {changed} of them new or changed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
