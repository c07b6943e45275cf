"""Every page looks as it was approved (``make screens``), in both languages and sizes, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from PIL import Image

from rules.text import Language
from tests.ui.gallery import difference
from tests.web.gallery import DIFFERS, PAGES, SIZES, PagesShown, chromium, file_of, pages_of
from tests.web.test_browser import CHROMIUM, visit

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt install chromium")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PagesShown]:
    with pages_of(tmp_path_factory.mktemp("gallery") / "state") as shown:
        yield shown


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("fonts")) as running:
        yield running


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("size", [SIZES[0], pytest.param(SIZES[1], marks=pytest.mark.slow)])
@pytest.mark.parametrize("language", Language.all())
def test_pages_look_as_approved(
    language: Language, size: tuple[int, int], every: int, pages: PagesShown, browser: Any
) -> None:
    phone = visit(browser, pages.entrance, size, language.code)
    for name in list(PAGES)[::every]:
        path = file_of(name, language, size)
        assert path.is_file(), f"make screens takes {path.name}"
        away = difference(pages.shot(phone, name, language), np.asarray(Image.open(path).convert("RGB")))
        assert away <= DIFFERS, f"{path} differs by {away:.0f}: look at it, then make screens"
    phone.context.close()


@pytest.mark.slow  # it tells of the comparison alone
def test_what_moves_or_is_coloured_otherwise_is_found(pages: PagesShown, browser: Any) -> None:
    phone = visit(browser, pages.entrance, SIZES[0], "en")
    here = pages.shot(phone, "table, question", Language.EN)
    assert difference(here, pages.shot(phone, "table, question", Language.EN)) == 0
    for change in (
        "main { padding-top: 1.5rem; }",
        ".say { background: #80b0ff !important; }",
        ".buttons { display: none; }",
    ):
        phone.add_init_script(
            f"addEventListener('load', () => document.adoptedStyleSheets = [sheet]);"
            f"const sheet = new CSSStyleSheet(); sheet.replaceSync({change!r});"
        )
        assert difference(pages.shot(phone, "table, question", Language.EN), here) > DIFFERS, change
    phone.context.close()
