"""What is told in English and Japanese is the same, and what the documents name, show and link to is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image

from cli.main import main
from tests.web.moving_picture import MADE_BY

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted(str(path.relative_to(ROOT)) for path in (*ROOT.glob("*.md"), *ROOT.glob("*/*.md")))
IN_JAPANESE = [name for name in DOCUMENTS if name.endswith(".ja.md")]
_FENCED = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def prose(name: str) -> str:
    return _FENCED.sub("", (ROOT / name).read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", _FENCED.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_link_leads_somewhere(name: str) -> None:
    page = ROOT / name
    for link in [link for link in _LINK.findall(prose(name)) if "://" not in link]:
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.is_file(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("name", IN_JAPANESE)
def test_both_languages_tell_the_same(name: str) -> None:
    japanese, english = prose(name), prose(name.replace(".ja.md", ".md"))
    for outline in (
        lambda text: re.findall(r"^#+ ", text, re.MULTILINE),
        lambda text: [line.replace(r"\|", "").count("|") for line in text.splitlines() if line.startswith("|")],
        lambda text: sorted(re.findall(r"`[^`]+`", text)),
        lambda text: sorted(
            re.sub(r"\.(en|ja)\.(png|jpg|webp)|(\.ja)?\.md|#.*", "", link) for link in _LINK.findall(text)
        ),
    ):
        assert outline(english) == outline(japanese)


@pytest.mark.parametrize("path", sorted(ROOT.glob("docs/*.webp")), ids=lambda path: path.name)
def test_the_moving_picture_is_small_and_says_what_made_it(path: Path) -> None:
    with Image.open(path) as film:
        assert film.format == "WEBP"
        assert film.getexif()[0x0131] == MADE_BY
        assert film.info["loop"] == 0
        lasts_ms = 0
        for number in range(film.n_frames):
            film.seek(number)
            film.load()
            lasts_ms += film.info["duration"]
        assert 12_000 <= lasts_ms <= 20_000
        assert film.width <= 900
    assert path.stat().st_size <= 3_000_000


@pytest.mark.few(5)
@pytest.mark.parametrize("name", [name for name in DOCUMENTS if name != "CHANGELOG.md"])
def test_the_commands_that_are_named_are_there(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"`([^`\n]+)`", _FENCED.sub("", text)) + _FENCED.findall(text))
    for command, options in re.findall(r"\bsevenmat (?!sevenmat)([a-z]+)\b(.*)", code):
        part = re.findall(r"^ ([a-z][a-z-]*[a-z])(?![\w-])", options)
        assert main([command, *part, "--help", "--language", "en"]) == 0, command
        helped = capsys.readouterr().out
        for option in re.findall(r"(?<= )--[a-z-]+", options):
            assert option == "--help" or option in helped, f"{command} {option}"
    targets = set(re.findall(r"^(?:[A-Z_]+: )?([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"(?:^|[ \n])make ([a-z-]+)", code)) <= targets
    for module in re.findall(r"python -m ((?:tests|tools|models)[a-z_.]*)", code):
        path = ROOT / module.rstrip(".").replace(".", "/")
        assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file(), module
