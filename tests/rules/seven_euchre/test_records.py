"""Records of Seven Euchre: the shared ones, whole games written and checked, and lines that can't be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rules.record import Header, check_record, header_line, move_line, read_header, read_object
from rules.seven_euchre.moves import move_from_json
from tests.rules.seven_euchre.table import NAMES, deal_of, public_game, random_game

SHARED = Path(__file__).resolve().parents[3].parent / "shared"
RECORDS = sorted(path for path in (SHARED / "records" / "seven_euchre").glob("*.jsonl") if ".expect" not in path.name)


@pytest.mark.shared
@pytest.mark.skipif(not RECORDS, reason="the shared records are not beside this checkout")
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_shared_records(path: Path) -> None:
    """Every verdict as expected, with the expected code as the first one, and the final points and winners."""
    expect = [json.loads(line) for line in path.with_suffix(".expect.jsonl").read_text().splitlines()]
    *verdicts, final = check_record(path.read_text(encoding="utf-8").splitlines())
    found = {verdict["line"]: verdict for verdict in verdicts}
    for wanted in expect:
        if "final" in wanted:
            assert {key: final[key] for key in wanted} == wanted
        else:
            got = found[wanted["line"]]
            assert (got["verdict"], got.get("code")) == (wanted["verdict"], wanted.get("code")), wanted


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("public", [False, True])
def test_a_game_is_written_and_read_and_checked(seed: int, public: bool) -> None:
    positions, moves = (public_game if public else random_game)(seed)
    start, end = positions[0], positions[-1]
    header = Header("seven_euchre", NAMES, {"dealer": start.first_dealer, "target": start.target})
    lines = [header_line(header), *map(move_line, moves)]
    assert read_header(lines[0]) == header
    assert [move_from_json(read_object(line)) for line in lines[1:]] == moves
    *verdicts, final = check_record(lines)
    assert all(verdict == {"line": line, "verdict": "accepted"} for line, verdict in enumerate(verdicts, 2))
    assert end.outcome is not None
    assert final == {"final": list(end.points), "winners": list(end.outcome.winners), "reason": "target"}
    *_, cut = check_record(lines[:-1])
    assert cut == {"final": list(positions[-2].points), "winners": None, "reason": None}


HEADER = '{"game":"seven_euchre","version":1,"players":["N","E","S","W"],"dealer":4,"target":100}'
DEAL = json.dumps(deal_of("", "", "", "", middle="F10").to_json())
HANDS = json.loads(DEAL)["hands"]


def verdicts(*lines: str) -> list[dict[str, Any]]:
    return list(check_record(lines))


def bad_deal(**changes: Any) -> str:
    data = {**json.loads(DEAL), **changes}
    return json.dumps({key: value for key, value in data.items() if value != "gone"})


BAD = [
    ("", "no JSON object"),
    ("nonsense", "no JSON object"),
    ("[]", "no JSON object"),
    ("{}", "lacks 'do'"),
    ('{"do":"steal"}', "no move 'steal'"),
    ('{"do":7}', "no move 7"),
    ('{"DO":"pass","seat":1}', "lacks 'do'"),
    ('{"do":"pass"}', "lacks 'seat'"),
    ('{"do":"pass","Seat":1}', "lacks 'seat'"),
    ('{"do":"pass","seat":0}', "no seat: 0"),
    ('{"do":"pass","seat":5}', "no seat: 5"),
    ('{"do":"pass","seat":"1"}', "no seat: '1'"),
    ('{"do":"pass","seat":true}', "no seat: True"),
    ('{"do":"pass","seat":1.0}', "no seat: 1.0"),
    ('{"do":"pass","seat":null}', "no seat: None"),
    ('{"do":"pass","seat":' + "9" * 4000 + "}", "no seat: 999"),
    ('{"do":"bid","seat":1,"trump":"C"}', "lacks 'tricks'"),
    ('{"do":"bid","seat":1,"tricks":8}', "lacks 'trump'"),
    ('{"do":"bid","seat":1,"trump":null,"tricks":8}', "a suit's letter or 'NT', not None"),
    ('{"do":"bid","trump":"C","tricks":8}', "lacks 'seat'"),
    ('{"do":"bid","seat":1,"trump":"C","tricks":6}', "from 7 to 12"),
    ('{"do":"bid","seat":1,"trump":"C","tricks":13}', "from 7 to 12"),
    ('{"do":"bid","seat":1,"trump":"C","tricks":"8"}', "from 7 to 12"),
    ('{"do":"bid","seat":1,"trump":"C","tricks":8.0}', "from 7 to 12"),
    ('{"do":"bid","seat":1,"trump":"C","tricks":null}', "from 7 to 12"),
    ('{"do":"bid","seat":1,"trump":"c","tricks":8}', "a suit's letter or 'NT', not 'c'"),
    ('{"do":"bid","seat":1,"trump":"N","tricks":8}', "a suit's letter or 'NT', not 'N'"),
    ('{"do":"bid","seat":1,"trump":["C"],"tricks":8}', "a suit's letter or 'NT', not ['C']"),
    ('{"do":"bid","seat":1,"trump":7,"tricks":8}', "a suit's letter or 'NT', not 7"),
    ('{"do":"turn_up"}', "lacks 'card'"),
    ('{"do":"turn_up","card":"H8"}', "no SEVEN card: 'H8'"),
    ('{"do":"play","seat":1}', "lacks 'card'"),
    ('{"do":"play","card":"H7"}', "lacks 'seat'"),
    ('{"do":"play","seat":1,"card":7}', "no SEVEN card: 7"),
    ('{"do":"play","seat":1,"card":["H7"]}', "no SEVEN card: ['H7']"),
    ('{"do":"exchange"}', "lacks 'seat'"),
    ('{"do":"exchange","seat":1,"lay_aside":"H9"}', "no SEVEN card: 'H9'"),
    ('{"do":"exchange","seat":1,"lay_aside":false}', "no SEVEN card: False"),
    ('{"do":"exchange","seat":1}', "lacks 'lay_aside'"),
    ('{"do":"annul"}', "no deal is taken back"),
    ('{"do":"back_to"}', "lacks 'trick'"),
    ('{"do":"back_to","trick":1}', "no deal is taken back"),
    ('{"do":"back_to","trick":0}', "from 1 to 12"),
    ('{"do":"back_to","trick":13}', "from 1 to 12"),
    ('{"do":"back_to","trick":"1"}', "from 1 to 12"),
    ('{"do":"deal"}', "lacks the hands"),
    (bad_deal(hands="gone"), "lacks 'hands'"),
    (bad_deal(middle="gone"), "lacks 'middle'"),
    (bad_deal(middle="H8"), "no SEVEN card"),
    (bad_deal(middle=HANDS[0][0]), "dealt twice"),
    (bad_deal(hands=HANDS[:3]), "4 hands of 12"),
    (bad_deal(hands=[*HANDS, []]), "4 hands of 12"),
    (bad_deal(hands=[HANDS[0][:11], *HANDS[1:]]), "4 hands of 12"),
    (bad_deal(hands=[*HANDS[:3], [*HANDS[3], "F10"]]), "4 hands of 12"),
    (bad_deal(hands=[HANDS[0], *HANDS[:3]]), "dealt twice"),
    (bad_deal(hands=7), "list of hands"),
    (bad_deal(hands=[7, 7, 7, 7]), "list of cards"),
    (bad_deal(hands=[["zz"] * 12] * 4), "no SEVEN card"),
    (bad_deal(hands=[["H3"] * 5000] * 4), "more cards"),
    (bad_deal(hands=[[]] * 5000), "more cards"),
]


@pytest.mark.parametrize(("line", "cause"), BAD)
def test_lines_that_cannot_be_read_are_reported_and_the_rest_is_checked(line: str, cause: str) -> None:
    one, two, three, four = verdicts(HEADER, DEAL, line, '{"seat":1,"do":"pass"}')
    assert one == {"line": 2, "verdict": "accepted"}
    assert (two["line"], two["verdict"], two["code"]) == (3, "refused", "bad_record")
    assert cause in two["text"]
    assert two["text_ja"]
    assert three == {"line": 4, "verdict": "accepted"}
    assert four == {"final": [0, 0], "winners": None, "reason": None}


def test_a_deal_that_is_refused_does_not_settle_the_kind_of_record() -> None:
    found = verdicts(HEADER, bad_deal(middle=HANDS[0][0]), '{"do":"deal"}', '{"seat":1,"do":"pass"}', DEAL)
    assert [verdict.get("code") for verdict in found[:-1]] == ["bad_record", None, None, "bad_record"]
    assert found[3]["also"] == ["auction_due"]


def test_keys_that_a_move_does_not_need_are_passed_over() -> None:
    found = verdicts(HEADER, '{"do":"deal","note":1}', '{"seat":1,"do":"pass","trump":"C","tricks":1}')
    assert [verdict["verdict"] for verdict in found[:-1]] == ["accepted", "accepted"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"dealer":4', '"dealer":0'),
        ('"dealer":4', '"dealer":5'),
        ('"dealer":4', '"dealer":"4"'),
        ('"dealer":4,', ""),
        ('"target":100', '"target":0'),
        ('"target":100', '"target":-7'),
        ('"target":100', '"target":100.0'),
        ('"target":100', '"target":true'),
        ('"target":100', '"target":null'),
        (',"target":100', ""),
        (',"W"', ""),
        (',"W"', ',"W","X"'),
        ('"version":1', '"version":2'),
    ],
)
def test_a_header_that_can_t_be_used_is_refused(old: str, new: str) -> None:
    first, second, _ = verdicts(HEADER.replace(old, new), '{"do":"deal"}')
    assert (first["line"], first["code"], second["code"]) == (1, "bad_record", "bad_record")


@pytest.mark.parametrize("target", [1, 40, 77, 150, 12345])
def test_any_whole_number_from_1_is_a_target(target: int) -> None:
    assert verdicts(HEADER.replace("100", str(target)), DEAL)[0]["verdict"] == "accepted"
