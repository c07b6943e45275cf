"""Screens of real games look as they were approved (``make screens``), and can be read: all pages of all of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from rules.text import Language
from tests.ui.checks import all_pages, faults, lost
from tests.ui.gallery import APPROVED, BLOCK_DIFFERS, SIZES, difference, file_of, gallery, picture
from tests.ui.real import real_states
from ui.screen import draw
from ui.screen_state import PlayScreen

WIDE = "thanks of two that may be old"
"""A question of 100 letters whose answers have 200: everybody's points give way to it."""


@pytest.mark.few(2)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", Language.all())
def test_screens_look_as_approved(language: Language, size: tuple[int, int]) -> None:
    for name, state in gallery(language).items():
        path = APPROVED / file_of(name, language, size)
        assert path.is_file(), f"make screens draws {path.name}"
        approved = np.asarray(Image.open(path).convert("RGB"))
        away = difference(picture(state, size), approved)
        assert away <= BLOCK_DIFFERS, f"{path} differs by {away:.0f}: look at it, then make screens"


def test_every_approved_picture_is_of_a_screen() -> None:
    wanted = {APPROVED / file_of(name, L, size) for L in Language.all() for name in gallery(L) for size in SIZES}
    assert set(APPROVED.rglob("*.png")) == wanted


def test_another_letter_is_another_picture() -> None:
    """One figure of a tile, one letter of a sentence, one dot: each is found."""
    state = gallery(Language.EN)["countdown"]
    assert isinstance(state, PlayScreen)
    ending = replace(state.ending, by_player=(1, *state.ending.by_player[1:]))
    here = picture(state, (480, 320))
    assert difference(here, here) == 0
    group = state.tiles[-1]
    tile = replace(group.tiles[0], label="9")
    changes = (
        replace(state, tiles=(*state.tiles[:-1], replace(group, tiles=(tile,)))),
        replace(state, details=tuple(text.replace("next", "nest") for text in state.details)),
        replace(state, standing=replace(state.standing, ending=ending)),
    )
    for changed in changes:
        assert difference(picture(changed, (480, 320)), here) > BLOCK_DIFFERS


@pytest.mark.slow  # it tells of the comparison alone
def test_another_rasteriser_is_the_same_picture() -> None:
    """Edges of letters that are a little softer, and all colours off by two of 255."""
    for name, state in gallery(Language.JA).items():
        here = picture(state, (480, 320)).astype(float)
        softer = here.copy()
        for axis in (0, 1):
            softer = 0.8 * softer + 0.1 * np.roll(softer, 1, axis) + 0.1 * np.roll(softer, -1, axis)
        other = np.clip(softer + 2, 0, 255).astype(np.uint8)
        assert difference(other, here.astype(np.uint8)) < BLOCK_DIFFERS, name


@pytest.mark.few(1)
@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("language", Language.all())
def test_all_real_screens_can_be_read(language: Language, every: int) -> None:
    """Tables that the referee is asked about in its tests, in all sizes by turns; each language has its own ones."""
    for number, (name, state) in enumerate(
        list(real_states(language).items())[Language.all().index(language) :: every]
    ):
        size = SIZES[number % len(SIZES)]
        assert not lost(state, size), name
        for turned, drawing in all_pages(state, size):
            found = faults(turned, drawing, size)
            if name.startswith(WIDE):
                found = [fault for fault in found if not fault.startswith("the points of")]
            assert not found, (name, turned.page, size, found)


@pytest.mark.slow  # test_all_real_screens_can_be_read, tests/ui/test_screen.py
@pytest.mark.parametrize("language", Language.all())
def test_the_gallery_can_be_read(language: Language) -> None:
    for size in SIZES:
        for name, state in gallery(language).items():
            assert not faults(state, draw(state, size), size), name
