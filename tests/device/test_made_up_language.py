"""A language is one file more: one that was made up for the test is spoken through a whole game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from cli.main import main
from rules.text import MISSING, Language
from simulator.demo import DEFAULT_SEED, Demo, Shown
from simulator.opening import PLAYERS
from tests.simulator.test_demo import TINY, perfect
from ui.catalogues import load_catalogues
from ui.screen_state import ScreenState

ROOT = Path(__file__).parents[2]
JAPANESE = ROOT / "ui/locale/ja/LC_MESSAGES/sevenmat.po"
SPOKEN = re.compile("«[^«»]*»")


class Seen:
    """A display that remembers what it was to show."""

    def __init__(self) -> None:
        self.screens: list[ScreenState] = []

    def show(self, state: ScreenState) -> None:
        self.screens.append(state)

    def close(self) -> None:
        pass


@pytest.fixture
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Language:
    """Make up a language whose every message stands in guillemets."""
    monkeypatch.setattr(Language, "_known", dict(Language._known))
    with JAPANESE.open("rb") as file:
        messages = read_po(file)
    said = Catalog(locale="eo")
    for message in messages:
        if message.id:
            ids = (message.id,) if isinstance(message.id, str) else message.id
            words = tuple(f"«{template}»" for template in ids)
            said.add(message.id, words[0] if isinstance(message.id, str) else words, context=message.context)
    folder = tmp_path / "eo" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "sevenmat.mo").open("wb") as compiled:
        write_mo(compiled, said)
    load_catalogues(tmp_path)
    return Language.from_code("eo")


@pytest.mark.parametrize("torn_at", [0, 10, 500, 20_000])
def test_without_its_catalogue_a_language_is_said_to_be_missing(
    torn_at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = JAPANESE.with_suffix(".mo").read_bytes()
    folder = tmp_path / "ja" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "sevenmat.mo").write_bytes(whole[:torn_at])
    monkeypatch.setattr(Language.JA, "catalogue", MISSING)
    load_catalogues(tmp_path)
    assert main(["read", "--language", "ja"]) == 2
    missing, said = capsys.readouterr().err.splitlines()
    assert "'ja' are missing or damaged: install Sevenmat again" in missing
    assert "required: IMAGE" in said


def words_on(screen: ScreenState) -> Iterator[str]:
    yield from (screen.headline, *screen.details, *screen.put_back, *screen.choices, getattr(screen, "brief", ""))


@pytest.mark.slow  # tests/test_catalogues.py holds each catalogue
def test_a_language_is_one_file_more(made_up: Language) -> None:
    seen = Seen()
    assert Demo(DEFAULT_SEED, Shown([seen]), made_up, lens=TINY, open_look=perfect()).run() == 0
    told = {words for screen in seen.screens for words in words_on(screen) if words}
    assert len(told) > 100
    untold = set()
    for words in told:
        left = words
        while left != (left := SPOKEN.sub("", left)):
            pass
        if re.search("[a-z]{2,}", left) and left not in PLAYERS:
            untold.add(words)
    assert not untold
