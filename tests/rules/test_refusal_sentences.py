"""The sentences of every game's refusals: one at least for each code, whole in every language, naming their cards."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from string import Formatter
from types import ModuleType
from typing import Any, get_type_hints

import pytest

from rules import refusal as common
from rules.cards import Card
from rules.refusal import Reason, Refusal, Sentence
from rules.registry import load_games
from rules.seven_wonders.cards import Building, find_building
from rules.seven_wonders.trade import Pay
from rules.text import Text, player, say_cards, say_number
from tests.words import en, ja

WHO = player("Hilbert")
CARDS = Card.parse("H7"), Card.parse("FK")
BUILDINGS = (find_building("altar"),)
LONGEST = 250
VALUES: dict[Any, tuple[Any, ...]] = {
    Text: (WHO,),
    str: ("royal",),
    int: (1, 2),
    bool: (False, True),
    Card: CARDS[:1],
    Card | None: (None, CARDS[0]),
    Building: BUILDINGS[:1],
    Pay: (Pay(3, 0),),
    Sequence[Card]: (CARDS[:1], CARDS),
    Sequence[Building]: (BUILDINGS,),
    Sequence[Pay]: ((Pay(2, 0), Pay(0, 2)),),
    Sequence[int]: ((3,), (3, 5)),
    Sequence[Text]: ((WHO,), (WHO, WHO)),
    Sequence[tuple[Text, Card]]: (((WHO, CARDS[0]),), ((WHO, CARDS[0]), (WHO, CARDS[1]))),
}
"""What is given for an argument of each type: one after the other."""
SLOTS: dict[str, Any] = {
    "count": 2,
    "due": say_number(2),
    "example": CARDS[0],
    "faults": say_cards(CARDS),
    "left": say_number(1),
    "needed": say_number(2),
    "cards": say_number(2),
    "paid": 1,
    "trick": 3,
    "what": BUILDINGS[0].text,
}
"""What a sentence's slots hold that hold no word."""

GAMES = [game for game in load_games() if find_spec(f"rules.{game}.refusals")]
"""A small game may have none but those that all games share."""
SEEN_BY_ALL = {("seven_wonders", "two_cards"), ("seven_wonders", "card_outside")}
"""Refusals that say where the cards lie instead."""


def sentences(because: ModuleType, cards: Sequence[Any]) -> Iterator[Reason]:
    """Every sentence of a game's table, filled; a slot of several cards is one that its name tells so."""
    for name, sentence in inspect.getmembers(because, lambda member: isinstance(member, Sentence)):
        parts = Formatter().parse(sentence.template + (sentence.many or ""))
        slots = {re.split(r"[.\[]", slot)[0] for _, slot, _, _ in parts if slot}
        given = {slot: SLOTS.get(slot, WHO) for slot in slots}
        given |= {slot: cards if slot.endswith("s") else cards[0] for slot in sentence.cards}
        if not name.startswith("_"):
            yield sentence(**given)
            if "count" in slots:
                yield sentence(**{**given, "count": 1})


def made(because: ModuleType) -> Iterator[Reason]:
    """Yield what every function of it gives that makes a reason, for all that it may be given."""
    for name, make in inspect.getmembers(because, inspect.isfunction):
        hints = get_type_hints(make) if make.__module__ == because.__name__ and not name.startswith("_") else {}
        if hints.pop("return", None) is Reason and Reason not in hints.values():
            for values in product(
                *(VALUES[hint] if name != "what" else (SLOTS[name],) for name, hint in hints.items())
            ):
                if values[-2:] == (False, False):
                    continue  # a pass is refused for one of two things that could be done
                yield make(**dict(zip(hints, values, strict=True)))


def reasons(game: str) -> list[Reason]:
    because = import_module(f"rules.{game}.refusals")
    cards = BUILDINGS if game == "seven_wonders" else CARDS
    shared = [common.bad_record(WHO), common.game_over(), common.out_of_turn(WHO, WHO)]
    return [*shared, *sentences(because, cards), *made(because), common.table_disturbed(WHO), common.cannot_see(WHO)]


@pytest.mark.parametrize("game", GAMES)
def test_every_code_has_a_sentence_and_the_first_in_their_order_is_told(game: str) -> None:
    codes: tuple[str, ...] = import_module(f"rules.{game}.refusals").CODES
    every = reasons(game)
    assert {reason.code for reason in every} == set(codes)
    assert len(set(codes)) == len(codes)
    refusal = Refusal.from_reasons(codes, *reversed(every))
    assert (refusal.code, refusal.also) == (codes[0], codes[1:])


@pytest.mark.parametrize(
    ("game", "reason"), [pytest.param(game, one, id=f"{game} {one.code}") for game in GAMES for one in reasons(game)]
)
def test_a_sentence_is_whole_in_every_language_and_names_its_cards(game: str, reason: Reason) -> None:
    english, japanese = en(reason.text), ja(reason.text)
    assert english[0].isupper()
    assert english.endswith(".")
    assert japanese.endswith(("。", "。）"))
    assert re.search("[ぁ-んァ-ヶ一-龥]", japanese)
    assert not re.search(r"_|  |[{}]", english + japanese)
    assert max(len(english), len(japanese)) < LONGEST
    for card in reason.cards if (game, reason.code) not in SEEN_BY_ALL else ():
        assert en(card).lower() in english.lower()
        assert ja(card) in japanese
