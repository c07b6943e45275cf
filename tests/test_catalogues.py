"""Every message of the program has its translation, and a language is one file more."""

from __future__ import annotations

import ast
import string
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from tools.deb.contents import read_project

ROOT = Path(__file__).parents[1]
ROOMS = read_project().rooms
KEYWORDS = {
    "Text": None,
    "DeviceError": None,
    "plural": (1, 2),
    "in_context": ((1, "c"), 2),
    "Sentence": (2,),
    "PluralSentence": (2, 3),
}
WAYS = [("**.py", "python"), ("**.html", "jinja2")]
CATALOGUES = sorted(ROOT.glob("ui/locale/*/LC_MESSAGES/*.po"))


def catalogue(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


def key(message: Message) -> tuple[str | None, str]:
    return message.context, message.id if isinstance(message.id, str) else message.id[0]


def slots(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.fixture(scope="module")
def wanted() -> dict[tuple[str | None, str], object]:
    """Return the messages that stand in the code, by context and template."""
    found: dict[tuple[str | None, str], object] = {}
    for room in ROOMS:
        for _, _, said, _, context in extract_from_dir(ROOT / room, WAYS, keywords=KEYWORDS):
            first = said if isinstance(said, str) else said[0]
            if first:
                found[context, first] = said
    return found


@pytest.mark.parametrize("path", CATALOGUES, ids=str)
def test_a_catalogue_has_each_message_and_no_other(path: Path, wanted: dict[tuple[str | None, str], object]) -> None:
    there = {key(message): message for message in catalogue(path) if message.id}
    missing = sorted((found for found in wanted if found not in there or not there[found].string), key=str)
    assert not missing, "translate these: make languages enters them"
    assert not [found for found in there if found not in wanted]
    assert not [found for found, message in there.items() if message.fuzzy]


@pytest.mark.slow  # test_a_catalogue_has_each_message_and_no_other
def test_babel_finds_every_message(wanted: dict[tuple[str | None, str], object]) -> None:
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KEYWORDS:
                    first = node.args[:1] if node.func.id in ("Text", "DeviceError", "plural") else node.args[:2]
                    said = [one.value for one in first if isinstance(one, ast.Constant)]
                    if len(said) == len(first) and said and said[-1]:
                        context = said[0] if node.func.id == "in_context" else None
                        assert (context, said[-1]) in wanted, f"{path}:{node.lineno}: it stands too deep in other calls"


@pytest.mark.parametrize("path", CATALOGUES, ids=str)
def test_a_translation_has_no_slot_that_the_message_has_not(path: Path) -> None:
    for message in catalogue(path):
        if message.id:
            templates = (message.id,) if isinstance(message.id, str) else message.id
            for told in (message.string,) if isinstance(message.string, str) else message.string:
                assert slots(told) <= set().union(*map(slots, templates)), key(message)
