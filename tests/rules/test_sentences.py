"""Sentences of broken rules are given the words and cards that their templates have slots for, wherever one is used."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from rules.cards import Card
from rules.refusal import Reason, Sentence
from rules.text import Text, player

ROOT = Path(__file__).parents[2]
_IMPORTED = re.compile(r"from (rules\.\w+) import refusals as because")


def uses() -> Iterator[tuple[str, Sentence, set[str | None]]]:
    """Each place where a sentence is filled, and the names of what it is given."""
    for path in sorted((*ROOT.glob("rules/**/*.py"), *ROOT.glob("referee/**/*.py"))):
        source = path.read_text(encoding="utf-8")
        if (found := _IMPORTED.search(source)) is None:
            continue
        because = importlib.import_module(f"{found[1]}.refusals")
        for node in ast.walk(ast.parse(source)):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="because"), attr=name), keywords=given):
                    if isinstance(sentence := getattr(because, name), Sentence):
                        yield f"{path.name}:{node.lineno}", sentence, {word.arg for word in given}


@pytest.mark.parametrize(("place", "sentence", "given"), [pytest.param(*use, id=use[0]) for use in uses()])
def test_what_is_given_are_its_slots_and_its_cards(place: str, sentence: Sentence, given: set[str | None]) -> None:
    templates = [template for template in (sentence.template, sentence.many) if template is not None]
    parts = [part for template in templates for part in Formatter().parse(template)]
    slots = {re.split(r"[.\[]", slot)[0] for _, slot, _, _ in parts if slot}
    may_be = slots.union(sentence.cards, ("count",) if sentence.many is not None else ())
    assert slots <= given <= may_be, place


def test_a_sentence_is_the_reason_with_its_words_and_cards() -> None:
    seven, eight = Card.parse("H7"), Card.parse("O8")
    both = Sentence("two", "{who} laid {cards} on {on}.", cards=("cards", "on"))
    reason = both(who=player("Hilbert"), cards=[seven, eight], on=eight)
    assert (reason.code, reason.cards) == ("two", (seven, eight, eight))
    assert str(reason.text) == "Hilbert laid heart 7 and onion 8 on onion 8."
    assert Sentence("over", "The game has ended.")() == Reason("over", (), Text("The game has ended."))
