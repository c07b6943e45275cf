"""Records that are larger than any game: refused at once, in short sentences. And seats that the table hasn't."""

from __future__ import annotations

import json
import time
from random import Random
from typing import Any

import pytest

from rules.laminate.correction import _count_steps, _is_bounded
from rules.laminate.game import Game, as_seen
from rules.laminate.moves import Citation, EndFlag, Pass, Publish, Research, Review, move_from_json
from rules.laminate.play import deal, random_move
from rules.laminate.position import Position
from rules.laminate.refusals import CODES
from rules.parsing import BadRecordError
from rules.record import LONGEST_LINE, Header, check_record, header_line, move_line, read_header, read_object

NAMES = ("A", "B", "C")
HEADER = header_line(Header("laminate", tuple(NAMES), {"first_seat": 1}))
SETUP = '{"do":"setup","discard":"T8"}'
TAKE = '{"seat":1,"do":"research","source":"discard","keep":"T8"}'
LONGEST_TEXT = 500


def refused(*lines: object) -> list[tuple[str, str]]:
    """Code and words of these lines, each refused after the set-up in short sentences, and soon."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    began = time.process_time()
    first, *verdicts, take, _ = check_record([HEADER, SETUP, *texts, TAKE])
    assert time.process_time() - began < 2
    assert (first["verdict"], take["verdict"]) == ("accepted", "accepted")
    for verdict in verdicts:
        assert verdict["verdict"] == "refused"
        assert len(verdict["text"]) < LONGEST_TEXT
        assert len(verdict["text_ja"]) < LONGEST_TEXT
    return [(verdict["code"], verdict["text"]) for verdict in verdicts]


def publication(**changes: Any) -> dict[str, Any]:
    return {"seat": 1, "do": "publish", "paper": "three", "cards": ["H7", "O7", "B7"], **changes}


# --- longer than a deck


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("line", "cause"),
    [
        (publication(cards=["H7"] * 60_000), "more cards in 'cards' than the deck has"),
        (publication(cards=["H7"] * 50), "more cards in 'cards'"),
        (publication(pay={"2": ["H7"] * 60_000}), "more cards in 'pay'"),
        (publication(pay={"2": ["O3"] * 30, "3": ["O4"] * 30}), "more cards in 'cards' and 'pay'"),
        (publication(pay={"2": 50}), "more cards in 'pay'"),
        (publication(pay={"2": 10**4000}), "more cards in 'pay'"),
        (publication(pay={str(seat): 1 for seat in range(1, 1000)}), "more cards in 'cards' and 'pay'"),
        (publication(cite=[{"seat": 2, "paper": "three"}] * 20_000), "more papers than there are cards"),
        ({"seat": 1, "do": "review", "of": 2, "paper": "three", "take": ["H7"] * 60_000}, "more cards in 'take'"),
        ({"do": "deal", "hands": [["H7"] * 60_000], "discard": []}, "more cards in 'hands'"),
        ({"do": "deal", "hands": [["H7"]] * 60_000, "discard": []}, "more cards in 'hands'"),
        ({"do": "deal", "hands": [["H7"] * 40] * 2, "discard": []}, "more cards in 'hands'"),
        ({"do": "deal", "hands": [["H7"] * 49], "discard": ["H7"]}, "more cards in 'hands'"),
        ({"do": "deal", "hands": [], "discard": ["H7"] * 60_000}, "more cards in 'discard'"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_a_line_with_more_cards_than_the_deck_has_is_refused_at_once(line: object, cause: str) -> None:
    ((code, text),) = refused(line)
    assert code == "bad_record"
    assert cause in text


def test_a_record_line_of_300000_cards_is_refused_at_once() -> None:
    ((code, text),) = refused(publication(cards=["H7"] * 300_000))
    assert code == "bad_record"
    assert f"longer than {LONGEST_LINE:,} letters" in text


def test_as_many_cards_as_the_deck_has_are_judged_by_the_rules() -> None:
    ((code, _),) = refused(publication(cards=["H7"] * 49))
    assert code == "card_not_in_hand"
    ((code, _),) = refused(publication(cite=[{"seat": 2, "paper": "three"}] * 49))
    assert code == "cited_twice"
    ((code, _),) = refused(publication(cards=["H7"], pay={"2": 48}))
    assert code == "not_a_meld"


@pytest.mark.few(6)
@pytest.mark.parametrize(
    ("line", "cause"),
    [
        (publication(paper="x" * 500_000), "'xxx"),
        (publication(cite=[{"seat": 2, "paper": "y" * 20_000}] * 40), "yyy"),
        ({"seat": 1, "do": "review", "of": 2, "paper": "z" * 500_000, "take": "H7"}, "zzz"),
        ({"seat": 1, "do": "x" * 500_000}, "no move 'xxx"),
        ({"seat": 10**4000, "do": "pass"}, "no seat: 1000"),
        ({"seat": 1000, "do": "pass"}, "no seat: 1000"),
        ({"seat": [[]] * 100_000, "do": "pass"}, "no seat: [[]"),
        ('{"seat":' + "[" * 400 + "]" * 400 + ',"do":"pass"}', "no seat: [[["),
        ('{"seat":' + '{"a":' * 400 + "1" + "}" * 400 + ',"do":"pass"}', "no seat: {'a'"),
        ('{"do":' + "[" * 400 + "]" * 400 + "}", "no move [[["),
        ({"seat": 1, "do": "research", "source": ["deck"] * 100_000}, "not ['deck', 'deck'"),
        (publication(cards=["H" * 500_000]), "no SEVEN card: 'HHH"),
        (publication(pay={"9" * 500_000: 1}), "names no seat: '999"),
        (publication(pay={"2": "9" * 500_000}), "not '999"),
        ('{"seat":1' + "0" * 500_000 + ',"do":"pass"}', "no JSON object"),
        ('{"seat":1e400,"do":"pass"}', "no seat: inf"),
        ("[" * 500_000, "no JSON object"),
    ],
    ids=lambda given: given if isinstance(given, str) and len(given) < 40 else "",
)
def test_values_of_any_length_and_depth_are_told_in_short(line: object, cause: str) -> None:
    ((_, text),) = refused(line)
    assert cause in text


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "changed",
    [
        {"players": ["x" * 201, "B", "C"]},
        {"players": ["A"] * 100_000},
        {"game": "y" * 500_000},
        {"version": [[]] * 100_000},
        {"first_seat": 10**4000},
    ],
    ids=["long name", "many players", "game", "version", "first seat"],
)
def test_a_header_larger_than_any_is_refused_in_short(changed: dict[str, Any]) -> None:
    header, *_ = check_record([json.dumps(json.loads(HEADER) | changed), SETUP])
    assert (header["line"], header["code"]) == (1, "bad_record")
    assert len(header["text"]) < LONGEST_TEXT


def test_the_longest_line_and_the_longest_name_are_read() -> None:
    longest = '{"do":"pass","why":"' + "x" * (LONGEST_LINE - 22) + '"}'
    assert len(longest) == LONGEST_LINE
    assert read_object(longest)["do"] == "pass"
    with pytest.raises(BadRecordError, match="it is longer than"):
        read_object(longest + " ")
    assert (
        read_header(header_line(Header("laminate", ("x" * 200, "B", "C"), {"first_seat": 1}))).players[0] == "x" * 200
    )
    with pytest.raises(BadRecordError, match="longer than 200 letters"):
        read_header(header_line(Header("laminate", ("x" * 201, "B", "C"), {"first_seat": 1})))


def test_a_line_that_is_empty_is_called_so() -> None:
    ((code, text),) = refused("")
    assert (code, text) == ("bad_record", "This line can't be used: it is empty and so no JSON object.")
    header, _ = check_record([""])
    assert "is empty" in header["text"]
    assert "空行" in header["text_ja"]


# --- positions set by hand


def _saved() -> dict[str, Any]:
    return Position.start(NAMES).do(move_from_json(read_object(SETUP))).do(move_from_json(read_object(TAKE))).to_json()


def _correction(**changes: Any) -> dict[str, Any]:
    return {"do": "correction", "by_hand": "position", "position": _saved() | changes}


def test_a_saved_position_larger_than_any_is_refused_at_once() -> None:
    saved = _saved()
    look = [["leave", 0, ["H2"]], ["enter", 0, ["H2"]]]
    deep: list[Any] = saved["known"]
    for _ in range(200):
        deep = [["either", deep, saved["known"]]]
    wide = saved["known"]
    for _ in range(9):
        wide = [["either", wide + look, wide + look]]
    for changes in (
        {"known": saved["known"] + look * 5_000},
        {"known": deep},
        {"known": wide},
        {"areas": [[{"paper": "three", "cards": ["H2"]}] * 10_000, [], []]},
        {"areas": [[]] * 100_000},
        {"areas": [[{"paper": "three", "cards": ["H2"] * 50_000}], [], []]},
        {"discards": ["H2"] * 50_000},
    ):
        ((code, text),) = refused(_correction(**changes))
        assert code == "bad_record"
        assert "'position' is none of this game" in text


def _knowing(steps: int) -> list[Any]:
    """Return saved knowledge of that many steps, in histories of a thousand at most."""
    known: list[Any] = [["move", 0, 1, 1]] * min(steps, 1_000)
    while (missing := steps - _count_steps(known)) > 0:
        known = [["either", known, [["move", 0, 1, 1]] * min(missing - 1, 1_000)]]
    return known


def test_the_largest_saved_position_that_is_read() -> None:
    """Far more than a game comes to: steps of knowledge, cards of a pile or paper, papers, and areas."""

    def bounded(known: int = 1, cards: int = 49, papers: int = 99, areas: int = 5) -> bool:
        laid = [{"cards": ["H2"] * cards}] * papers
        lie = {"discards": ["H2"] * cards, "areas": [laid, *[[]] * (areas - 1)]}
        return _is_bounded({"known": _knowing(known), **lie})

    assert bounded()
    assert not bounded(papers=100)
    assert not bounded(cards=50, papers=1)
    assert not bounded(cards=50, papers=0)
    assert not bounded(areas=6)
    assert bounded(known=5_000)
    assert not bounded(known=5_001)
    assert not bounded(known=0)


def test_how_much_saved_knowledge_may_hold() -> None:
    """A thousand steps at a stretch, eight histories in each other, and the deck in each step."""
    step = ["leave", 0, ["H2"] * 49]
    assert [_count_steps([step] * count) for count in (0, 1, 1_000, 1_001)] == [0, 1, 1_000, 0]
    assert _count_steps([["leave", 0, ["H2"] * 50]]) == 0
    assert _count_steps([step, ["either", [step] * 2, [step] * 3], step]) == 8
    for one, other in (([step] * 1_001, [step]), ([step], [step] * 1_001), ([], [step]), ([step], [])):
        assert _count_steps([["either", one, other]]) == 0
    deep: list[Any] = [step]
    for depth in range(1, 10):
        deep = [["either", deep, [step]]]
        assert _count_steps(deep) == (0 if depth > 8 else 2 * depth + 1)


@pytest.mark.parametrize(
    "step",
    [
        ["move", 0, 1, -1],
        ["move", 0, 1, True],
        ["move", 0, 9, 0],
        ["move", -1, 1, 0],
        ["move", 1, 1, 0],
        ["enter", -1, ["H2"]],
        ["leave", 1.0, ["T8"]],
        ["look", 1, ["T8"]],
        ["start", [-1, 50], []],
    ],
)
def test_a_saved_position_with_a_step_that_no_game_has_is_refused(step: list[Any]) -> None:
    ((code, _),) = refused(_correction(known=[*_saved()["known"], step]))
    assert code == "bad_record"


def test_a_saved_position_of_a_whole_game_is_taken() -> None:
    chance = Random(22)
    game = Game(tuple("ABCDE"), 1)
    game.play(deal(5, chance))
    while game.position.to_move is not None:
        game.play(random_move(game.position, chance))
    position = game.positions[0]
    for move in game.moves[:-1]:
        position = position.do(as_seen(move))
    line = json.dumps({"do": "correction", "position": position.to_json()})
    first, last = (move_line(as_seen(game.moves[at])) for at in (0, -1))
    lines = [header_line(Header("laminate", tuple(position.players), {"first_seat": 1})), first, line, last]
    *verdicts, final = check_record(lines)
    assert [verdict["verdict"] for verdict in verdicts] == ["accepted"] * 3
    assert final["winners"]


# --- seats that the table hasn't


@pytest.mark.parametrize("seat", [-1, 0, 4, 9, 10**30, 1.0, "1", True, None, [1]], ids=str)
def test_a_seat_that_is_none_of_the_tables_is_a_bad_record(seat: object) -> None:
    lines = [
        {"seat": seat, "do": "pass"},
        {"seat": seat, "do": "research", "source": "deck", "discard": "H7"},
        {"seat": seat, "do": "end_flag", "card": "H7"},
        {"seat": seat, "do": "review", "of": 1, "paper": "three", "take": "H7"},
        publication(seat=seat),
        {"seat": 1, "do": "review", "of": seat, "paper": "three", "take": "H7"},
        publication(cite=[{"seat": seat, "paper": "three"}]),
    ]
    if not isinstance(seat, str):
        lines += [publication(pay={str(seat): given}) for given in (0, 1, [], ["H3"])]
    assert {code for code, _ in refused(*lines)} == {"bad_record"}


@pytest.mark.parametrize("seat", [0, -1, 4])
@pytest.mark.parametrize("phase", ["play", "flag", "over"])
def test_a_seat_that_is_none_comes_first_and_the_other_reasons_after_it(seat: int, phase: str) -> None:
    position = _at(phase)
    mover = position.to_move or 1
    expected = {"play": ("out_of_turn",), "flag": ("flag_due", "out_of_turn"), "over": ("game_over",)}[phase]
    for move in (Pass(seat), Research(seat, "deck"), Publish(seat, "three", ())):
        refusal = position.verify(move)
        assert refusal is not None
        assert (refusal.code, refusal.also) == ("bad_record", expected)
    flag = position.verify(EndFlag(seat, _card(position)))
    assert flag is not None
    assert (flag.code, flag.also) == ("bad_record", tuple(code for code in expected if code != "flag_due"))
    for wrong in (
        Review(mover, seat, "three", _card(position)),
        Publish(mover, "three", (_card(position),), (Citation(seat, "three"),)),
        Publish(mover, "three", (_card(position),), pay={seat: 1}),
    ):
        refusal = position.verify(wrong)
        assert refusal is not None
        assert refusal.code == "bad_record"
        assert set(refusal.also) <= set(CODES)


def _at(phase: str) -> Position:
    """Return a random game's first position of that phase."""
    for seed in range(50):
        chance = Random(seed)
        position = Position.start(NAMES).do(deal(3, chance))
        while position.phase != phase and position.to_move is not None:
            position = position.do(random_move(position, chance))
        if position.phase == phase:
            return position
    raise AssertionError(f"no game comes to {phase}")


def _card(position: Position) -> Any:
    return next(card for seat in (1, 2, 3) for card in position.get_hand(seat))
