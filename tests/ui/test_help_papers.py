"""Every kind of paper is looked up with an example of cards that make it, those of the house too."""

from __future__ import annotations

import pytest

from rules.laminate.house.kinds import FAMILIAR
from rules.laminate.papers import BUILT_IN
from rules.laminate.rules import RULES
from rules.text import Language
from ui.help.laminate import example_of, list_leaves

MORE = ("sets7x1_9p1", "sets2x6_9p1", "sets2x11_9p1", "sets6x2_9p1", "straight12_9p1", "sum300plus_9p1", "sum7_1p1")
PLAYERS = ("Hilbert", "Banach", "Noether")
POSITION = RULES.start(PLAYERS, {"house_papers": [*FAMILIAR, *MORE]})


@pytest.mark.parametrize("name", [kind.name for kind in POSITION.catalogue if kind.combination is not None])
def test_an_example_is_such_a_paper(name: str) -> None:
    kind = POSITION.catalogue[name]
    (cards,) = example_of(kind)
    assert kind.is_met_by(cards)


@pytest.mark.parametrize("language", Language.all())
def test_papers_of_the_house_have_a_leaf_each(language: Language) -> None:
    plain = list_leaves(RULES.start(PLAYERS, {}), language)
    assert len(list_leaves(POSITION, language)) == len(plain) + len(FAMILIAR) + len(MORE)
    assert len(plain) >= len(BUILT_IN)
