"""A result on a phone: the winner first, everybody's cards drawn and to be corrected, names, one picture to send."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from device.scoring.table import choose_tables
from device.storage.scored import ScoredTables
from referee.table import Detections
from rules.text import Language
from tests.web.phone import Phone
from tests.web.test_taking_back import POSITION, REVIEWED, SEATS, WINNER, final, here, sent  # noqa: F401 - a fixture
from web import worker
from web.results.cards import draw_card, name_winners
from web.results.photo import find_frame, join_photos

NAMES = ["Ada", "Bo", "Cy", "Di", "Ed"][:SEATS]


def test_the_winner_comes_first_and_any_drawn_card_can_be_corrected(here: Phone) -> None:  # noqa: F811
    place = sent(here).headers["location"]
    page = here.get(place).text
    assert page.index(f"Seat {WINNER} wins!") < page.index("Keep the result") < page.index('class="result')
    shown = [int(points) for points in re.findall(r'class="points">(\d+)<', page)]
    assert shown == sorted(POSITION.points, reverse=True)
    piles = re.findall(r'<li class="pile">(.*?)</li>', page, re.S)
    assert len(piles) == len(POSITION.papers), "every paper is drawn with its cards"
    card = rf'/cards/(\d+)" class="pile-card"><svg[^>]*aria-label="{draw_card(REVIEWED)["words"]}"'
    number = re.search(card, page, re.IGNORECASE)
    assert number is not None
    address = f"{place}/cards/{number[1]}"
    at = re.search(r'name="at" value="([^"]*)"', here.get(address).text)
    assert at is not None
    here.post(address, data={"at": at[1], "card": "none"})
    assert final(here, place) != list(POSITION.points)


def test_names_come_with_keeping_and_are_offered_at_the_next_table(here: Phone, tmp_path: Path) -> None:  # noqa: F811
    place = sent(here).headers["location"]
    assert here.post(f"{place}/keep", data={"player": [NAMES[0], *[""] * (SEATS - 1)]}).status_code == 400
    kept = here.post(f"{place}/keep", data={"player": NAMES}).headers["location"]
    page = here.get(kept).text
    assert f"{NAMES[WINNER - 1]} wins!" in page
    table = ScoredTables(tmp_path).read_table(1).data
    assert [who["en"] for who in table["players"]] == NAMES
    assert all(table["photo"]["frames"].values()), "each has the picture of the own area"
    again = here.get(sent(here).headers["location"]).text
    assert all(f'<button type="button">{name}</button>' in again for name in NAMES)


def test_a_kept_result_is_sent_as_one_picture(here: Phone) -> None:  # noqa: F811
    kept = here.post(f"{sent(here).headers['location']}/keep").headers["location"]
    for language in ("en", "ja"):
        answer = here.get(f"{kept}/result.jpg", headers={"accept-language": language})
        picture = Image.open(BytesIO(answer.content))
        assert (picture.format, picture.width) == ("JPEG", 1080)
        assert len(answer.content) < 900_000
        # The winner's card has an edge in amber, and no other one.
        left = [picture.getpixel((42, y)) for y in range(400, picture.height)]
        amber = [
            y for y, colour in enumerate(left) if isinstance(colour, tuple) and colour[0] > 225 and colour[2] < 110
        ]
        assert amber
        assert max(amber) - min(amber) < picture.height / 2
    page = here.get(kept).text
    assert f'href="{kept}/result.jpg" download' in page
    assert here.get("/games/s99/result.jpg").status_code == 400


def test_a_tie_is_told_with_what_settles_it() -> None:
    ada, bo = ({"name": name, "named": True, "points": 9, "winner": True, "papers": 3} for name in ("Ada", "Bo"))
    why = {"en": "Ada and Bo have 9 points each and share the win.", "ja": "引き分けです。"}
    won = name_winners([ada, bo], why, Language.EN)
    assert won == {"headline": "Ada and Bo share the win!", "below": why["en"]}
    won = name_winners([ada, {**bo, "winner": False, "points": 8}], why, Language.EN)
    assert won == {"headline": "Ada wins!", "below": "9 points, 3 papers"}
    assert name_winners([{**ada, "winner": False}], None, Language.EN) is None


def test_what_lies_beside_a_players_area_is_not_in_the_picture() -> None:
    def outline(x: int, y: int) -> list[list[int]]:
        return [[x, y], [x + 20, y], [x + 20, y + 30], [x, y + 30]]

    area = [[0, 0], [200, 0], [200, 200], [0, 200]]
    cards = [{"outline": outline(100, 100)}, {"outline": outline(300, 100)}]
    sheet = {"cards": cards, "photo": {"size": [400, 300], "seats": {"1": area, "2": [[0, 200], [0, 290]]}}}
    assert find_frame(sheet, 1) == (66, 66, 88, 98)
    assert find_frame(sheet, 2) is None, "nothing lies there"
    assert find_frame(sheet, 3) is None


def test_where_two_numbers_of_players_fit_it_is_asked(
    here: Phone,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = SEATS - 1
    monkeypatch.setattr(
        worker, "choose_tables", lambda tables, *_: [one for one in tables if len(one.players) in (other, SEATS)]
    )
    answer = sent(here, seats="")
    assert answer.status_code == 400
    assert answer.json()["error"]["en"] == "Say how many play."
    place = answer.headers["location"]
    page = here.get(place).text
    asked = re.findall(r'name="seats" value="(\d)">\d players', page)
    assert asked == [str(other), str(SEATS)]
    assert "Keep the result" not in page
    assert here.post(f"{place}/keep").status_code == 400
    here.post(place, data={"seats": str(SEATS)})
    assert final(here, place) == list(POSITION.points)
    assert "Keep the result" in here.get(place).text


def test_of_several_numbers_of_players_those_without_a_fault_are_chosen() -> None:
    def table(*faults: str) -> Any:
        return SimpleNamespace(score=lambda *_: SimpleNamespace(faults=faults))

    sound, also, faulty, worse = table(), table(), table("a"), table("a", "b")
    assert choose_tables([faulty, sound], Detections(), (1.0, 1.0)) == (sound,)
    assert choose_tables([sound, faulty, also], Detections(), (1.0, 1.0)) == (sound, also)
    assert choose_tables([worse, faulty], Detections(), (1.0, 1.0)) == (faulty,)


def test_what_was_taken_of_each_part_is_joined_below_each_other() -> None:
    rng = np.random.default_rng(1)
    first, second = (rng.integers(0, 255, (900, wide, 3), dtype=np.uint8) for wide in (2000, 1000))
    photo = join_photos([(first, (100, 0, 1900, 900)), (second, (0, 0, 1000, 800))])
    assert len(photo.jpeg) <= 160_000, "a whole page stays below 250 kB"
    assert photo.size == (1200, 600 + 800)
    assert photo.find_places(np.array([(1800.0, 900.0)]), 0).tolist() == [[1200, 600]], "made as wide as a phone needs"
    assert photo.find_places(np.array([(10.0, 20.0)]), 1).tolist() == [[10, 620]]
