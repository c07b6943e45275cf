"""The README's picture of the page on phones, which ``make screens`` draws anew: three phones side by side."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image

from rules.text import Language
from tests.web.gallery import SIZES, PagesShown, chromium, pages_of
from tests.web.test_browser import visit

DOCS = Path(__file__).resolve().parents[2] / "docs"
SHOWN = ("table, refused", "score, result", "game")
_GAP = 24
_GROUND = (96, 104, 100)


def pictured(browser: Any, pages: PagesShown, language: Language) -> Image.Image:
    """Draw the phones beside each other."""
    phone = visit(browser, pages.entrance, SIZES[0], language.code, device_scale_factor=1.5)
    shots = []
    for name in SHOWN:
        pages.shot(phone, name, language)
        shots.append(Image.open(BytesIO(phone.screenshot())).convert("RGB"))
    phone.context.close()
    width, height = shots[0].size
    whole = Image.new("RGB", (len(shots) * (width + _GAP) + _GAP, height + 2 * _GAP), _GROUND)
    for number, shot in enumerate(shots):
        whole.paste(shot, (_GAP + number * (width + _GAP), _GAP))
    return whole


def main() -> None:
    """Draw it in both languages."""
    with TemporaryDirectory() as folder, pages_of(Path(folder) / "state") as pages, chromium(Path(folder)) as browser:
        for language in Language.all():
            path = DOCS / f"page.{language.code}.jpg"
            pictured(browser, pages, language).save(path, quality=82, optimize=True)
            print(path)


if __name__ == "__main__":
    main()
