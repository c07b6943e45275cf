"""Refused moves: every code with its words, the order of several, and no hidden card in any sentence."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from rules.cards import DECK
from rules.refusal import Illegal, Reason
from rules.text import Text
from rules.wild_seven import refusals as because
from rules.wild_seven.moves import Deal, Get, Move, Play, Reveal, Setup
from rules.wild_seven.play import deal
from rules.wild_seven.position import Position
from rules.wild_seven.rules import RULES
from tests.rules.wild_seven.table import card, cards, get, play, random_game, table
from tests.words import en, ja

SHARED = Path(__file__).resolve().parents[4] / "shared"
PAGE = SHARED / "games" / "wild_seven.md"
WHO, OTHER = Text("Hilbert"), Text("Banach")


@pytest.mark.shared
@pytest.mark.skipif(not PAGE.is_file(), reason="the shared page is not beside this checkout")
def test_the_codes_are_those_of_the_page_in_its_order() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    codes = [code for row in rows for code in re.findall(r"`([a-z_]+)`", row)]
    own = [code for code in codes if code not in ("bad_record", "reveal", "card")]
    assert ("bad_record", *own) == RULES.codes


START = Position.start("ABC")
DEALT = START.do(Setup(cards("C9 S5")))
OVER = table("- S9 -", hands=("S5", "", "H3"), wanted="O2").do(play(1, "S5"))
NINE = table("C7 S9 -", wanted="H6 O8", captured=("HA", "", "H2"))
"""Seat 1 has coin 7 in front; heart 6 is smaller, onion 8 is not."""


def codes(position: Position, move: Move) -> tuple[str, ...]:
    refusal = position.verify(move)
    return () if refusal is None else (refusal.code, *refusal.also)


@pytest.mark.parametrize(
    ("position", "move", "expected"),
    [
        (START, play(1, "H5"), ("bad_record",)),
        (START, get(1), ("bad_record",)),
        (START, Reveal(cards("H5 O2 B9")), ("bad_record",)),
        (START, Setup(cards("C9")), ("bad_record",)),
        (START, Setup(cards("C9 S5 H3")), ("bad_record",)),
        (START, Setup(cards("C9 C9")), ("bad_record",)),
        (START, Setup(cards("C9 T9")), ("bad_record",)),
        (DEALT, Setup(cards("C9 S5")), ("bad_record",)),
        (DEALT, play(1, "H5"), ("bad_record",)),
        (DEALT, get(1), ("bad_record",)),
        (DEALT, Reveal(cards("H5 O2")), ("bad_record",)),
        (DEALT, Reveal(cards("H5 O2 B9 B8")), ("bad_record",)),
        (DEALT, Reveal(cards("H5 O2 H5")), ("bad_record",)),
        (DEALT, Reveal(cards("H5 O2 F9")), ("bad_record",)),
        (DEALT, Reveal(cards("H5 O2 C9")), ("card_not_in_hand",)),
        (NINE, Setup(cards("C9 S5")), ("bad_record",)),
        (NINE, deal(3, Random(1)), ("bad_record",)),
        (NINE, Reveal(cards("H5 O2 B9")), ("bad_record",)),
        (OVER, Setup(cards("C9 S5")), ("bad_record", "game_over")),
        (OVER, deal(3, Random(1)), ("bad_record", "game_over")),
        (OVER, Reveal(cards("H5 O2 B9")), ("bad_record", "game_over")),
        (OVER, play(4, "H5"), ("bad_record", "game_over")),
        (OVER, play(3, "H3"), ("game_over",)),
        (OVER, play(3, "F9"), ("bad_record", "game_over")),
        (OVER, get(1, "O2"), ("game_over",)),
        (OVER, get(2), ("game_over", "must_play")),
        (NINE, play(4, "H5"), ("bad_record", "out_of_turn")),
        (NINE, get(9), ("bad_record", "out_of_turn")),
        (NINE, play(0, "H5"), ("bad_record", "out_of_turn")),
        (NINE, play(1, "T6"), ("bad_record", "must_get")),
        (NINE, get(1, "FK"), ("bad_record",)),
        (NINE, play(3, "H5"), ("out_of_turn",)),
        (NINE, play(2, "H6"), ("out_of_turn", "must_get", "card_not_in_hand")),
        (NINE, get(3, "H5"), ("out_of_turn", "must_play", "not_wanted")),
        (NINE, get(2), ("out_of_turn", "get_compulsory")),
        (NINE, play(1, "H5"), ("must_get",)),
        (NINE, play(1, "C7"), ("must_get", "card_not_in_hand")),
        (NINE, get(1, "O8"), ("not_smaller",)),
        (NINE, get(1, "H5"), ("not_wanted",)),
        (NINE, get(1, "HA"), ("not_wanted",)),
        (NINE, get(1, "B9"), ("not_wanted", "not_smaller")),
        (NINE, get(1, "C7"), ("not_wanted", "not_smaller")),
        (NINE, get(1), ("get_compulsory",)),
        (NINE, get(1, "H6"), ()),
        (table("C7 - -", wanted="O7 C8"), get(1, "O7"), ("not_smaller",)),
        (table("C7 - -", wanted="O7 C8"), get(1), ("get_compulsory",)),
        (table("C7 - -", wanted="O7 C8"), get(1, "C8"), ()),
        (table("C7 - -", wanted="O7 B8"), get(1, "B8"), ("not_smaller",)),
        (table("C7 - -", wanted=""), get(1, "C8"), ("not_wanted",)),
        (table("- C7 -", wanted="H6"), get(1, "H6"), ("must_play",)),
        (table("- C7 -", wanted="H6"), get(1), ("must_play",)),
        (table("- C7 -", wanted="H6"), play(1, "H6"), ("card_not_in_hand",)),
        (table("- C7 -", wanted="H6"), play(1, "C7"), ("card_not_in_hand",)),
        (table("- C7 -", captured=("", "", "B4")), play(1, "B4"), ("card_not_in_hand",)),
        (table("- C7 -", hands=("H3", "H4", "")), play(1, "H4"), ("card_not_in_hand",)),
        (table("S5 C7 -", sizes=(0, 2, 2)), play(1, "H4"), ("must_get", "card_not_in_hand")),
    ],
)
def test_a_move_has_every_code_that_applies_in_the_page_s_order(
    position: Position, move: Move, expected: tuple[str, ...]
) -> None:
    assert codes(position, move) == expected
    assert sorted({reason.code for reason in position.find_reasons(move)}) == sorted(expected)
    assert position.is_legal(move) is (not expected)
    assert (move in RULES.legal_moves(position)) is (not expected)
    if expected:
        before = position.to_json()
        with pytest.raises(Illegal) as raised:
            position.do(move)
        assert raised.value.refusal == position.verify(move)
        assert position.to_json() == before


def words(position: Position, move: Move) -> tuple[str, str]:
    refusal = position.verify(move)
    assert refusal is not None
    return en(refusal.text), ja(refusal.text)


def test_the_words_name_the_rule_and_the_cards() -> None:
    assert words(NINE, play(1, "H5")) == (
        "P1 has coin 7 in front and so must Get; Play is only for a player with no card in front.",
        "P1さんの前にはコイン7があるので、《ゲット》を行います。《プレイ》は前にカードがないときだけです。",
    )
    assert words(NINE, get(1, "O8")) == (
        "Onion 8 is not smaller than coin 7, and a smaller card (heart 6) is wanted.",
        "オニオン8はコイン7より小さくありません。より小さい「お尋ね者」（ハート6）があります。",
    )
    assert words(NINE, get(1)) == (
        "P1 has to take a wanted card with coin 7, for one can be taken (heart 6).",
        "コイン7で「お尋ね者」（ハート6）を獲得できるので、P1さんは1枚獲得しなければなりません。",
    )
    assert words(table("C7 - -", wanted="H5 H6"), get(1))[0].endswith("can be taken (heart 5, say).")
    assert words(table("C7 - -", wanted="O7 C8"), get(1, "O7"))[0] == (
        "No wanted card is smaller than coin 7, so only a coin may be taken, not onion 7."
    )
    assert "so only an onion may be taken" in words(table("O7 - -", wanted="C8 H7"), get(1, "C8"))[0]
    assert words(DEALT, Reveal(cards("S5 O2 C9"))) == (
        "Everybody reveals a card of their own hand, but star 5 can't be in A's hand and coin 9 can't be in C's hand.",
        "公開するのは自分の手札のカードですが、スター5はAさんの手札、コイン9はCさんの手札にはありえません。",
    )


@pytest.mark.parametrize(
    ("reason", "code", "told", "named"),
    [
        (because.bump_missing(card("S5"), [(OTHER, card("S9"))]), "bump_missing", "star 9 in front of Banach", "S9"),
        (
            because.bump_missing(card("S5"), [(OTHER, card("S9")), (WHO, card("S7"))]),
            "bump_missing",
            "star 9 in front of Banach and star 7 in front of Hilbert join the wanted",
            "S9 S7",
        ),
        (
            because.card_left_behind(who=WHO, card=card("H5")),
            "bump_missing",
            "Heart 5 in front of Hilbert has yet to",
            "H5",
        ),
        (because.bump_wrong([(OTHER, card("C9"))]), "bump_wrong", "coin 9 stays in front of Banach", "C9"),
        (because.own_card_left(who=WHO, own=card("C7")), "own_card_left", "Hilbert's coin 7 must go there", "C7"),
        (because.play_and_get(who=WHO), "two_actions", "both Play and Get", ""),
        (because.two_cards(who=WHO, cards=cards("H2 H3")), "two_actions", "not heart 2 and heart 3", "H2 H3"),
    ],
)
def test_the_table_s_faults_have_words_of_their_own(reason: Reason, code: str, told: str, named: str) -> None:
    assert code in because.CODES
    assert reason.code == code
    assert told in en(reason.text)
    assert reason.cards == cards(named)
    for one in cards(named):
        assert en(one) in en(reason.text).lower()
        assert ja(one) in ja(reason.text)
    assert ja(reason.text).endswith("。")
    assert en(reason.text).endswith(".")


def _all_moves(position: Position) -> list[Move]:
    seats = range(1, len(position.players) + 1)
    turns: list[Move] = [kind(seat, one) for seat in seats for one in DECK for kind in (Play, Get)]
    return [*turns, *(Get(seat) for seat in seats)]


@pytest.mark.few(1)
@pytest.mark.parametrize(("seed", "every"), [(0, 43), (0, 11), (1, 11)])
def test_no_sentence_gives_away_a_hidden_card_or_one_that_was_captured(seed: int, every: int) -> None:
    """A sentence names the move's own card, and else only cards that lie open."""
    for position, _, _ in random_game(seed)[2::every]:
        seats = range(1, len(position.players) + 1)
        fronts = {position.in_front(seat) for seat in seats}
        for move in _all_moves(position):
            refusal = position.verify(move)
            if refusal is None:
                continue
            open_cards = {*position.wanted, *fronts, getattr(move, "card", None)}
            told = {one for one in DECK if re.search(rf"\b{en(one)}\b", en(refusal.text).lower())}
            assert told <= open_cards
            assert set(refusal.cards) <= open_cards
            assert {one for one in DECK if re.search(rf"{ja(one)}(?!\d)", ja(refusal.text))} <= open_cards


def test_a_deal_is_refused_with_the_cause() -> None:
    dealt = deal(4, Random(7))
    start = Position.start("ABCD")
    assert start.verify(dealt) is None
    first, *others = dealt.hands
    wrong = [
        (Deal(tuple(others), dealt.wanted), "4 hands of 10 cards"),
        (Deal((first[1:], *others), dealt.wanted), "4 hands of 10 cards"),
        (Deal(dealt.hands, dealt.wanted[1:]), "2 cards"),
        (Deal(dealt.hands, (first[0], dealt.wanted[1])), "is named twice"),
        (Deal(dealt.hands, (card("F8"), dealt.wanted[1])), "coffin stays in the box with 4 players"),
    ]
    for move, cause in wrong:
        refusal = start.verify(move)
        assert refusal is not None
        assert (refusal.code, refusal.also) == ("bad_record", ())
        assert cause in en(refusal.text)
