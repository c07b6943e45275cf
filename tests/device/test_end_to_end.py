"""The commands with the real models on pictures of the simulated camera: enrol, read, replay."""

from __future__ import annotations

import json
import math
import random
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from cli.main import main
from device.hardware.buttons import Button
from device.storage.recording import RecordingWriter
from referee.laminate.simulated.game import SimulatedGame
from referee.laminate.simulated.table import SimulatedTable
from referee.laminate.view.layouts import layout_for
from referee.placing import Placed
from rules.cards import Card
from simulator.camera import SimulatedCamera
from simulator.pages import lay_page
from simulator.truth import measure_visible_shares
from tests.device.openings import header
from vision.enrol import PAGES

PLAYERS = ("Hilbert", "Banach", "Noether")
LAYOUT = layout_for(3)


@dataclass(frozen=True)
class Evening:
    """A state folder with the reference deck enrolled, the pictures of its pages, and the camera they came from."""

    state: Path
    pages: dict[str, Path]
    camera: SimulatedCamera

    def enrol(self, **instead: Path) -> list[str]:
        options = [part for page in PAGES for part in (f"--{page}", str(instead.get(page, self.pages[page])))]
        return ["enrol", "--deck", "reference", *options, "--state", str(self.state), "--language", "en"]


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    folder = tmp_path_factory.mktemp("evening")
    camera = SimulatedCamera(LAYOUT.mat_mm, seed=3)
    pages = {}
    for page in PAGES:
        camera.show(lay_page(page, LAYOUT.mat_mm, random.Random(page)))
        pages[page] = folder / f"{page}.jpg"
        pages[page].write_bytes(camera.jpeg().tobytes())
    evening = Evening(folder / "state", pages, camera)
    assert main(evening.enrol()) == 0
    return evening


def deck_bytes(evening: Evening) -> bytes:
    return (evening.state / "decks" / "reference.deck").read_bytes()


@pytest.mark.slow  # tests/vision/test_reader.py reads columns
def test_a_table_is_read_without_a_fault(evening: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = SimulatedTable(LAYOUT, random.Random(11))
    table.lay_paper(1, "straight7", [Card.parse(n) for n in ["H2", "O3", "B4", "C5", "S6", "T7", "F8"]], False)
    table.lay_paper(2, "three", [Card.parse("C9")], True)
    table.lay_paper(3, "sum49", [Card.parse(n) for n in ["FK", "S11", "T12"]], False)
    table.stack_draw(20)
    table.lay_discard(Card.parse("HA"))
    table.pay(1, 2)
    evening.camera.show(table)
    image = tmp_path / "table.jpg"
    image.write_bytes(evening.camera.jpeg().tobytes())
    options = ["--deck", "reference", "--state", str(evening.state), "--mat", "1189x841", "--json"]
    assert main(["read", str(image), *options]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    found = json.loads(line)
    assert found["image"] == str(image)
    assert found["mat"]["found"]
    placed = list(table)
    shown = [
        card for card, share in zip(placed, measure_visible_shares(placed, LAYOUT.mat_mm), strict=True) if share > 0.15
    ]
    assert sorted(card["card"] for card in found["cards"]) == sorted(card.name for card in shown)
    for card in shown:
        same = [c for c in found["cards"] if c["card"] == card.name]
        near = [c for c in same if math.dist((c["x"], c["y"]), (card.x, card.y)) < 10]
        assert near, card
        assert 0 <= near[0]["angle"] < 360
        assert 0 <= near[0]["confidence"] <= 1


@pytest.mark.slow  # so does tests/vision/test_reader.py
def test_two_swapped_cards_are_named_and_the_deck_stays(
    evening: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = deck_bytes(evening)
    cards = {card.name: card for card in lay_page("seven", LAYOUT.mat_mm, random.Random(1))}
    a, b = cards["H3"], cards["S9"]
    cards["H3"], cards["S9"] = Placed("S9", a.x, a.y, a.angle), Placed("H3", b.x, b.y, b.angle)
    evening.camera.show(cards.values())
    page = tmp_path / "swapped.jpg"
    page.write_bytes(evening.camera.jpeg().tobytes())
    assert main(evening.enrol(seven=page)) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "heart 3" in said.err
    assert "star 9" in said.err
    assert deck_bytes(evening) == before


def swap(evening: Evening, page: str, a: str, b: str, image: Path) -> Path:
    """Picture a page on which these two cards lie in each other's place."""
    names = {f"{a}/{page}": f"{b}/{page}", f"{b}/{page}": f"{a}/{page}"}
    cards = lay_page(page, LAYOUT.mat_mm, random.Random(page))
    evening.camera.show(replace(card, name=names.get(card.name, card.name)) for card in cards)
    image.write_bytes(evening.camera.jpeg().tobytes())
    return image


@pytest.mark.slow  # tests/device/test_enrolling.py asks the same live
def test_papers_swapped_on_both_pages_are_asked_about_unless_they_lie_right(
    evening: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = deck_bytes(evening)
    pages = {page: swap(evening, page, "three", "sum49", tmp_path / f"{page}.jpg") for page in ("review", "complete")}
    assert main(evening.enrol(**pages)) == 1
    said = capsys.readouterr()
    sentence, hint = said.err.splitlines()
    assert said.out == ""
    assert "Three Cards belongs in row 2, column 1" in sentence
    assert "49 in row 3, column 4" in sentence
    assert "--as-laid" in hint
    assert deck_bytes(evening) == before
    here = ["--state", str(tmp_path), "--as-laid"]
    assert main([*evening.enrol(**pages), *here]) == 0
    assert (tmp_path / "decks" / "reference.deck").is_file()
    assert deck_bytes(evening) == before


@pytest.mark.slow  # tests/vision/test_reader.py: a missing card is named
def test_a_missing_card_is_named_and_the_deck_stays(
    evening: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = deck_bytes(evening)
    evening.camera.show(c for c in lay_page("seven", LAYOUT.mat_mm, random.Random(1)) if c.name != "T9")
    page = tmp_path / "missing.jpg"
    page.write_bytes(evening.camera.jpeg().tobytes())
    assert main(evening.enrol(seven=page)) == 1
    assert "ime 9" in capsys.readouterr().err
    assert deck_bytes(evening) == before
    assert sorted(path.name for path in (evening.state / "decks").iterdir()) == ["reference.deck"]


@pytest.mark.slow  # test_enrolling_two_pages.py learns, test_score_page.py reads
def test_pictures_without_a_mat_are_one_sentence_each_and_the_rest_is_read(
    evening: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = tmp_path / "bare.jpg"
    cv2.imwrite(str(bare), np.full((1500, 2000, 3), 90, np.uint8))
    two = tmp_path / "two.jpg"
    seen = cv2.imread(str(evening.pages["review"]))
    assert seen is not None
    seen[:, -600:] = 60
    cv2.imwrite(str(two), seen)
    text = tmp_path / "text.jpg"
    text.write_text("no picture at all")
    good = str(evening.pages["review"])
    options = ["--deck", "reference", "--state", str(evening.state), "--json", "--language", "en"]
    assert main(["read", str(bare), str(two), str(text), str(tmp_path / "none.jpg"), good, *options]) == 2
    said = capsys.readouterr()
    errors = said.err.splitlines()
    assert len(errors) == 4
    for line, name in zip(errors, ("bare.jpg", "two.jpg", "text.jpg", "none.jpg"), strict=True):
        assert line.startswith("sevenmat: ")
        assert line.count(name) == 1
    lines = [json.loads(line) for line in said.out.splitlines()]
    assert [line["mat"]["found"] for line in lines] == [False, False, True]
    assert len(lines[2]["cards"]) == 17


@pytest.mark.slow  # test_replay.py
def test_a_recording_is_replayed_with_a_refusal_in_it(
    evening: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = SimulatedGame(PLAYERS, LAYOUT, random.Random(577))
    writer = RecordingWriter(tmp_path, header(PLAYERS, 1), LAYOUT)
    wanted: list[tuple[float, str, object]] = []
    for number, attempt in enumerate(game.play_game()):
        t = 3.0 * number
        evening.camera.show(game.table)
        writer.write_frame(t, evening.camera.jpeg().tobytes())
        writer.write_button(t + 2, Button.CONFIRM)
        if attempt.move is not None:
            wanted.append((t + 2, "accepted", attempt.move.to_json()))
        else:
            wanted.append((t + 2, "refused", attempt.code))
        if attempt.code:
            break
    writer.close()
    assert main(["replay", str(tmp_path), "--deck", "reference", "--state", str(evening.state), "--json"]) == 0
    *lines, last = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    got = [(line["t"], line["verdict"], line.get("move") or line["code"]) for line in lines]
    assert got == wanted
    assert last == {"final": [0, 0, 0], "winners": None}
