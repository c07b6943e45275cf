"""A phone scores a finished table: the real reader in its worker, questions, keeping; and what may not come in."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import cv2
import pytest
from PIL import Image

from cli.main import main
from device.storage.scored import ScoredTables
from tests.device.test_score import Shelf, pictured, shelf  # noqa: F401 - the fixture
from tests.referee.finished.finals import MAT
from tests.web.phone import Phone, phone
from tools.bench.score import a_table
from vision.mat import find_mat
from web import uploads
from web.scorer import KILLED, ONE_AT_A_TIME, TOO_SLOW, Scorer

SEED = 203
TABLE = {"game": "laminate", "seats": "4", "deck": "reference"}


@pytest.fixture(scope="module")
def scoring(shelf: Shelf) -> Iterator[Phone]:  # noqa: F811
    with phone(shelf.state) as client:
        yield client


def sent(client: Phone, picture: bytes, accept: str = "application/json", **fields: str) -> Any:
    seats = str(len(a_table(SEED)[0].players))
    data = {**TABLE, "seats": seats, **fields}
    return client.post("/score", data=data, files={"file": ("table.jpg", picture)}, headers={"accept": accept})


def test_a_picture_gives_what_the_command_prints(scoring: Phone) -> None:
    position, _ = a_table(SEED)
    assert position.outcome is not None
    answer = sent(scoring, pictured(SEED))
    found = answer.json()
    assert answer.status_code == 200
    assert (found["image"], found["game"], found["deck"]) == ("table.jpg", "laminate", "reference")
    assert found["final"] == list(position.outcome.points)
    assert found["winners"] == list(position.outcome.winners)
    assert (found["faults"], found["unread"]) == ([], [])
    assert scoring.get(f"{answer.headers['location']}.json").json()["final"] == found["final"]


def test_the_result_has_a_page_and_the_picture_drawn_on_and_is_kept(scoring: Phone, shelf: Shelf) -> None:  # noqa: F811
    names = ["Ada <b>", "Bo", "Cy", "Di", "Ed"][: len(a_table(SEED)[0].players)]
    answer = sent(scoring, pictured(SEED), "text/html", players=",".join(names))
    assert answer.status_code == 303
    place = answer.headers["location"]
    page = scoring.get(place).text
    assert "Ada &lt;b&gt;" in page
    assert "Ada <b>" not in page
    drawn = Image.open(BytesIO(scoring.get(f"{place}/picture.png").content))
    assert (drawn.format, max(drawn.size)) == ("PNG", 2000)
    kept = scoring.post(f"{place}/keep")
    assert kept.headers["location"] == "/games/s1"
    assert list(ScoredTables(shelf.state).read_table(1).data["final"]) == list(a_table(SEED)[0].points)
    assert "Ada &lt;b&gt;" in scoring.get("/games/s1").text
    assert scoring.get(place).headers["location"] == "/games/s1", "what is kept is found by its upload"
    assert scoring.get("/games/s1.jpg").headers["content-type"] == "image/jpeg"
    assert scoring.get("/games/s1.csv").content.startswith(b"\xef\xbb\xbfseat,player")


def test_the_picture_says_how_many_play_and_the_game_is_the_one_before(scoring: Phone) -> None:
    seats = len(a_table(SEED)[0].players)
    asked = {"game": "laminate", "deck": "reference"}
    picture, json_wanted = {"file": pictured(SEED)}, {"accept": "application/json"}
    first = scoring.post("/score", data=asked, files=picture, headers=json_wanted)
    assert first.json()["final"] == list(a_table(SEED)[0].points)
    assert len(first.json()["players"]) == seats
    page = scoring.get("/score").text
    assert '<input type="hidden" name="game" value="laminate">' in page
    assert '<option value="" selected>as the picture shows</option>' in page
    assert 'name="player"' not in page, "who plays is asked where it is known how many"
    again = scoring.post("/score", data={"deck": "reference"}, files=picture, headers=json_wanted)
    assert again.json()["final"] == first.json()["final"]


@pytest.fixture
def blurred(shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> bytes:  # noqa: F811
    """Return the picture with a card of the first player's out of focus."""
    file = tmp_path / "table.jpg"
    file.write_bytes(pictured(SEED))
    capsys.readouterr()
    assert main(["read", str(file), "--deck", "reference", "--state", str(shelf.state), "--json"]) == 0
    cards = json.loads(capsys.readouterr().out)["cards"]
    image = cv2.imread(str(file))
    assert image is not None
    mat = find_mat(image, MAT)
    card = max((one for one in cards if "/" not in one["card"] and one["card"] != "back"), key=lambda one: one["y"])
    x, y = (int(v) for v in mat.to_px([(card["x"], card["y"])])[0])
    side = int(45 * mat.px_per_mm)
    part = image[max(0, y - side) : y + side, max(0, x - side) : x + side]
    part[:] = cv2.GaussianBlur(part, (0, 0), 3 * mat.px_per_mm)
    return cv2.imencode(".jpg", image)[1].tobytes()


@pytest.mark.slow  # tests/device/test_scoring.py asks; test_taking_back.py answers
def test_what_is_doubtful_is_asked_with_its_close_up(scoring: Phone, blurred: bytes) -> None:
    place = sent(scoring, blurred).headers["location"]
    page = scoring.get(place).text
    places = re.findall(r'name="at\.(\d+)" value="([^"]+)"', page)
    assert places, "something is asked"
    closeup = re.search(rf'src="({place}/close-up[^"]+)"', page)
    assert closeup is not None
    assert Image.open(BytesIO(scoring.get(closeup[1]).content)).format == "PNG"
    form = {f"at.{number}": at for number, at in places} | {f"card.{number}": "none" for number, _ in places}
    assert scoring.post(place, data=form).status_code == 303
    assert not re.findall(r'name="at\.', scoring.get(place).text)
    again = scoring.post(place, data=form)
    assert again.status_code == 400, "the places are settled: another phone was quicker"


@pytest.mark.slow  # tests/device/test_scoring.py
def test_faults_may_be_let_stand(scoring: Phone) -> None:
    seats = len(a_table(SEED)[0].players)
    wrong = "3" if seats != 3 else "4"
    answer = scoring.post(
        "/score", data={**TABLE, "seats": wrong}, files={"file": pictured(SEED)}, headers={"accept": "application/json"}
    )
    assert answer.status_code in (200, 400)
    if answer.status_code == 400:
        assert "players" in answer.json()["error"]["en"]


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"game": "chess"}, "No table of 'chess' can be scored"),
        ({"seats": "17"}, "played by"),
        ({"seats": "many"}, "is no number"),
        ({"players": "A,B"}, "2 players are named"),
        ({"players": ",".join(["A"] * 4)}, "Names are different"),
        ({"players": "A" * 2000 + ",B,C,D"}, "up to 20 letters"),
        ({"told": "[1]"}, "is no JSON object"),
        ({"told": "{"}, "is no JSON"),
        ({"mat": "1x1"}, "is no mat size"),
        ({"deck": "nobody's"}, "nobody's"),
    ],
)
def test_what_cant_be_is_said(fields: dict[str, str], said: str, scoring: Phone) -> None:
    answer = sent(scoring, pictured(SEED), **fields)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert said in error["en"]
    assert error["ja"]


@pytest.mark.few(2)
@pytest.mark.parametrize("picture", [b"", b"no picture", b"\xff\xd8\xff\xe0 torn", b"\x89PNG\r\n\x1a\n torn"])
def test_what_is_no_picture_is_said(picture: bytes, scoring: Phone) -> None:
    assert sent(scoring, picture).status_code == 400


def test_a_bomb_is_not_decoded(scoring: Phone) -> None:
    out = BytesIO()
    Image.new("1", (20_000, 20_000)).save(out, "PNG")
    answer = sent(scoring, out.getvalue())
    assert answer.status_code == 400
    assert "far too large (20000 × 20000)" in answer.json()["error"]["en"]


def test_a_file_too_large_is_refused(scoring: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MOST_BYTES", 1000)
    answer = sent(scoring, b"\xff\xd8" + b"x" * 2000)
    assert answer.status_code == 400
    assert "MB at most" in answer.json()["error"]["en"]


def test_too_many_files_are_refused(scoring: Phone) -> None:
    files = [("file", (f"{n}.jpg", b"x")) for n in range(uploads.MOST_FILES + 1)]
    assert scoring.post("/score", data=TABLE, files=files).status_code == 400


def test_before_the_first_score_the_game_is_asked_for(tmp_path: Path) -> None:
    with phone(tmp_path, "application/json") as client:
        assert 'href="/score?game=wild_seven"' in client.get("/score", headers={"accept": "text/html"}).text
        answer = client.post("/score", data={}, files={"file": b"x"})
    assert answer.status_code == 400
    assert "Say which game" in answer.json()["error"]["en"]


def test_watching_phones_do_not_score(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('[web]\nmay = "watch"\n')
    with phone(tmp_path, "application/json") as client:
        answer = client.post("/score", data=TABLE, files={"file": b"x"})
    assert answer.status_code == 403


def test_a_japanese_phone_is_answered_in_japanese(tmp_path: Path) -> None:
    with phone(tmp_path, language="ja,en;q=0.5") as client:
        page = client.get("/score?game=laminate")
        assert '<html lang="ja">' in page.text
        assert "ラミネートラミー" in page.text
        client.post("/language", data={"language": "en", "back": "/score"})
        assert '<html lang="en">' in client.get("/score").text


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example", "/\\evil.example", ""])
def test_the_way_back_stays_on_the_page(back: str, tmp_path: Path) -> None:
    with phone(tmp_path) as client:
        answer = client.post("/language", data={"language": "ja", "back": back})
    assert answer.headers["location"] == "/"


class _Worker(Scorer):
    """A scorer whose worker is another program."""

    program: str = ""

    async def _start_worker(self) -> asyncio.subprocess.Process:
        if self._process is None:
            pipe = asyncio.subprocess.PIPE
            self._process = await asyncio.create_subprocess_exec("sh", "-c", self.program, stdin=pipe, stdout=pipe)
        return self._process


def asked(tmp_path: Path, program: str, patience_s: float = 10.0) -> str:
    picture = tmp_path / "picture"
    picture.write_bytes(b"x")

    async def ask() -> str:
        scorer = _Worker(tmp_path, patience_s)
        scorer.program = program
        try:
            await scorer.score([("table.jpg", picture)], {})
        except Exception as error:
            return str(error)
        finally:
            await scorer.close()
        return ""

    return asyncio.run(ask())


def test_a_picture_that_kills_its_worker_is_said(tmp_path: Path) -> None:
    assert asked(tmp_path, "read job; kill -9 $$") == str(KILLED)


def test_a_picture_that_takes_for_ever_is_given_up(tmp_path: Path) -> None:
    assert asked(tmp_path, "read job; exec sleep 60", 0.3) == str(TOO_SLOW)


def test_what_was_found_so_far_is_told_before_the_answer(tmp_path: Path) -> None:
    async def ask() -> list[Any]:
        scorer = _Worker(tmp_path, 10.0)
        scorer.program = """read job; echo '{"progress": {"markers": {"0": []}}}'; sleep 0.5; echo '{"cards": 3}'"""
        (tmp_path / "picture").write_bytes(b"x")

        async def score() -> Any:
            with scorer.hold_place("a"):
                return (await scorer.score([("t", tmp_path / "picture")], {}))[1].answer

        scoring = asyncio.create_task(score())
        found = [scorer.find_progress("a")]
        while not scorer.find_progress("a"):
            await asyncio.sleep(0.01)
        found += [dict(scorer.find_progress("a")), scoring.done(), await scoring, scorer.find_progress("b")]
        await scorer.close()
        return found

    assert asyncio.run(ask()) == [{}, {"markers": {"0": []}}, False, {"cards": 3}, {}]


def test_the_worker_tells_of_corner_marks_before_it_reads(scoring: Phone) -> None:
    sent(scoring, pictured(SEED))
    told = scoring.get("/score/progress.json").json()
    assert sorted(told["markers"]) == ["0", "1", "2", "3"]
    assert all(0 < share < 1 for corners in told["markers"].values() for place in corners for share in place)
    assert told["cards"] > 20
    assert sent(scoring, b"no picture").status_code == 400
    assert scoring.get("/score/progress.json").json() == {}, "of the last picture"


def test_one_table_for_each_phone_and_two_that_wait(tmp_path: Path) -> None:
    async def ask() -> list[str]:
        scorer = _Worker(tmp_path, 5.0)
        scorer.program = "while read job; do sleep 0.5; echo '{}'; done"
        files = []
        for number in range(6):
            files.append(tmp_path / f"picture-{number}")
            files[-1].write_bytes(b"x")
        phones = ("a", "a", "b", "c", "d")

        async def score(who: str, file: Path) -> object:
            with scorer.hold_place(who):
                return await scorer.score([("t", file)], {})

        done = await asyncio.gather(*map(score, phones, files), return_exceptions=True)
        await scorer.close()
        return [str(one) if isinstance(one, Exception) else "scored" for one in done]

    first, again, second, third, fourth = asyncio.run(ask())
    assert (first, second, third) == ("scored", "scored", "scored")
    assert again == str(ONE_AT_A_TIME)
    assert fourth not in ("scored", str(ONE_AT_A_TIME))


def test_the_worker_is_nice_and_bounded(shelf: Shelf) -> None:  # noqa: F811
    import subprocess
    import sys

    script = (
        "import web.worker as w, resource, os, sys, io;"
        f"sys.argv = ['w', {str(shelf.state)!r}]; sys.stdin = io.StringIO('');"
        "w.main(); print(os.nice(0), resource.getrlimit(resource.RLIMIT_AS)[0] == w.MEMORY_BYTES)"
    )
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1] == "10 True"
