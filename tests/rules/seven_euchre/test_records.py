"""Records of Seven Euchre: the shared ones, whole games written and checked, and lines that can't be read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules.record import check_record
from tests.rules.seven_euchre.table import deal_of

HEADER = '{"game":"seven_euchre","version":1,"players":["N","E","S","W"],"dealer":4,"target":100}'
DEAL = json.dumps(deal_of("", "", "", "", middle="F10").to_json())
HANDS = json.loads(DEAL)["hands"]


def verdicts(*lines: str) -> list[dict[str, Any]]:
    return list(check_record(lines))


def bad_deal(**changes: Any) -> str:
    data = {**json.loads(DEAL), **changes}
    return json.dumps({key: value for key, value in data.items() if value != "gone"})


BAD = [
    ('{"do":"bid","seat":1,"trump":"C"}', "lacks 'tricks'"),
    ('{"do":"bid","seat":1,"tricks":8}', "lacks 'trump'"),
    ('{"do":"bid","seat":1,"trump":null,"tricks":8}', "a suit's letter or 'NT', not None"),
    ('{"do":"bid","seat":1,"trump":"C","tricks":6}', "from 7 to 12"),
    ('{"do":"bid","seat":1,"trump":"C","tricks":13}', "from 7 to 12"),
    ('{"do":"bid","seat":1,"trump":"c","tricks":8}', "a suit's letter or 'NT', not 'c'"),
    ('{"do":"bid","seat":1,"trump":"N","tricks":8}', "a suit's letter or 'NT', not 'N'"),
    ('{"do":"exchange","seat":1}', "lacks 'lay_aside'"),
    ('{"do":"annul"}', "no deal is taken back"),
    ('{"do":"back_to"}', "lacks 'trick'"),
    ('{"do":"back_to","trick":1}', "no deal is taken back"),
    ('{"do":"back_to","trick":0}', "from 1 to 12"),
    ('{"do":"back_to","trick":13}', "from 1 to 12"),
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


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"dealer":4', '"dealer":0'),
        ('"dealer":4', '"dealer":5'),
        ('"dealer":4', '"dealer":"4"'),
        ('"target":100', '"target":0'),
        ('"target":100', '"target":-7'),
        ('"target":100', '"target":100.0'),
        ('"target":100', '"target":true'),
        ('"target":100', '"target":null'),
    ],
)
def test_a_header_that_can_t_be_used_is_refused(old: str, new: str) -> None:
    first, second, _ = verdicts(HEADER.replace(old, new), '{"do":"deal"}')
    assert (first["line"], first["code"], second["code"]) == (1, "bad_record", "bad_record")
