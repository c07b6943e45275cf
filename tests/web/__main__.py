"""Take every page of the gallery anew, say which ones differ from the approved, and keep them: ``make screens``.

Look at what has changed before it is committed: these pictures are what ``make test`` holds the pages to.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PIL import Image

from rules.text import Language
from tests.ui.gallery import difference, saved
from tests.web.gallery import APPROVED, DIFFERS, PAGES, SIZES, chromium, file_of, pages_of
from tests.web.test_browser import CHROMIUM, visit


def main() -> int:
    """Take all of them; the exit code is 1 where there is no Chromium."""
    if CHROMIUM is None:
        print("no Chromium here: apt install chromium", file=sys.stderr)
        return 1
    kept, changed = set(), 0
    with TemporaryDirectory() as folder, pages_of(Path(folder) / "state") as pages, chromium(Path(folder)) as browser:
        for language in Language.all():
            for size in SIZES:
                phone = visit(browser, pages.entrance, size, language.code)
                for name in PAGES:
                    seen, path = pages.shot(phone, name, language), file_of(name, language, size)
                    kept.add(path)
                    if path.is_file() and difference(seen, np.asarray(Image.open(path).convert("RGB"))) <= DIFFERS:
                        continue
                    changed += 1
                    print(f"{'changed' if path.is_file() else 'new'}: {path.relative_to(APPROVED)}")
                    saved(seen, path)
                phone.context.close()
    for path in set(APPROVED.rglob("*.png")) - kept:
        print(f"no longer there: {path.relative_to(APPROVED)}")
        path.unlink()
    print(f"{len(kept)} pictures of pages in {APPROVED}, {changed} of them new or changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
