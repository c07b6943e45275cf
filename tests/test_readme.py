"""The README and the Japanese one tell the same, and what they show and link to is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
READMES = ("README.md", "README.ja.md")
_FENCED = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def prose(name: str) -> str:
    return _FENCED.sub("", (ROOT / name).read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", _FENCED.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("name", [*READMES, "models/README.md"])
def test_every_link_leads_somewhere(name: str) -> None:
    page = ROOT / name
    links = [link for link in _LINK.findall(prose(name)) if "://" not in link]
    assert links
    for link in links:
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.is_file(), link
        assert not anchor or anchor in anchors(target), link


def test_both_tell_the_same() -> None:
    english, japanese = (prose(name) for name in READMES)
    for outline in (
        lambda text: re.findall(r"^#+ ", text, re.MULTILINE),
        lambda text: [line.replace(r"\|", "").count("|") for line in text.splitlines() if line.startswith("|")],
        lambda text: sorted(re.findall(r"`[^`]+`", text)),
        lambda text: sorted(re.sub(r"\.(en|ja)\.(png|jpg)|(\.ja)?\.md|#.*", "", link) for link in _LINK.findall(text)),
    ):
        assert outline(english) == outline(japanese)
