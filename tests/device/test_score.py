"""``sevenmat score`` with the real models on rendered finished tables, as a phone takes them."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pygame
import pytest
from PIL import Image

from cli.main import main
from device.scoring.looking import TableLook
from device.scoring.screen_photo import shows_a_screen
from device.scoring.table import Table
from device.speech import Language
from device.storage.deck_store import DeckShelf
from referee.table import NEAR_MM
from simulator.camera import SimulatedCamera
from tests.decks import kept, reference_deck
from tests.device.photographed_screen import photographed
from tests.referee.finished.finals import MAT
from tools.bench.score import a_table, photograph
from ui.screen import draw
from ui.screen_state import Mood, RankLine, ScoreScreen
from vision.mat import find_mat
from vision.picture import load_picture, read_picture_bytes


@cache
def pictured(seed: int) -> bytes:
    """Picture the table of that seed as a phone takes it, when nothing on it was changed."""
    return kept(f"table {seed}", lambda: photograph(a_table(seed)[1], seed))


@dataclass(frozen=True)
class Shelf:
    """A state folder with the reference deck."""

    state: Path

    def words(self, seats: int, *more: str) -> list[str]:
        return ["--game", "laminate", "--deck", "reference", "--seats", str(seats), "--state", str(self.state), *more]


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    state = tmp_path_factory.mktemp("score")
    DeckShelf(state).save("reference", reference_deck())
    return Shelf(state)


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def held(picture: np.ndarray, orientation: int) -> Image.Image:
    """Return the picture as a phone stores it that was held that way."""
    turns = {1: 0, 3: 2, 6: 1, 8: -1}[orientation]
    return Image.fromarray(np.ascontiguousarray(np.rot90(picture, turns)[..., ::-1]))


def as_file(picture: np.ndarray, form: str, orientation: int) -> bytes:
    exif = Image.Exif()
    exif[0x0112] = orientation
    out = io.BytesIO()
    held(picture, orientation).save(out, form, quality=92, exif=exif)
    return out.getvalue()


@pytest.mark.slow  # tests/vision/mat/test_mat.py tilts, the next test reads
@pytest.mark.parametrize("seed", [203, pytest.param(211, marks=pytest.mark.slow)])
def test_a_tilted_picture_of_a_finished_table_is_scored(
    seed: int, shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    position, _ = a_table(seed)
    image = tmp_path / "final.jpg"
    image.write_bytes(pictured(seed))
    capsys.readouterr()
    assert main(["score", str(image), *shelf.words(len(position.players), "--json")]) == 0
    (found,) = lines(capsys)
    assert position.outcome is not None
    assert (found["image"], found["game"]) == (str(image), "laminate")
    assert found["final"] == list(position.outcome.points)
    assert found["winners"] == list(position.outcome.winners)
    assert (found["faults"], found["unread"]) == ([], [])
    for player in found["players"]:
        own = [paper for paper in position.papers if paper.seat == player["seat"]]
        assert player["points"] == position.points[player["seat"] - 1]
        assert sorted((p["paper"], p["card"]) for p in player["complete"]) == sorted(
            (p.kind, str(p.cards[0])) for p in own if p.complete
        )
        assert sorted((p["paper"], *sorted(p["cards"])) for p in player["review"]) == sorted(
            (p.kind, *sorted(map(str, p.cards))) for p in own if not p.complete
        )


@pytest.mark.slow
def test_every_way_to_hold_a_phone_and_every_format_give_the_same(
    shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    position, _ = a_table(204)
    picture = cv2.imdecode(np.frombuffer(pictured(204), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    files = []
    for form, orientation in (("JPEG", 3), ("PNG", 8), ("WebP", 6)):
        files.append(tmp_path / f"{orientation}.{form.lower()}")
        files[-1].write_bytes(as_file(picture, form, orientation))
    capsys.readouterr()
    assert main(["score", *map(str, files), *shelf.words(len(position.players), "--json")]) == 0
    found = lines(capsys)
    assert position.outcome is not None
    assert [one["final"] for one in found] == [list(position.outcome.points)] * len(files)
    assert [one["winners"] for one in found] == [list(position.outcome.winners)] * len(files)


@pytest.mark.slow
def test_a_mat_seen_from_its_side_is_scored_as_well(
    shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    position, _ = a_table(205)
    picture = cv2.imdecode(np.frombuffer(pictured(205), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    image = tmp_path / "from-the-side.png"
    cv2.imwrite(str(image), np.rot90(picture))
    capsys.readouterr()
    assert main(["score", str(image), *shelf.words(len(position.players), "--json")]) == 0
    assert position.outcome is not None
    assert lines(capsys)[0]["final"] == list(position.outcome.points)


@pytest.mark.slow  # tests/referee/finished/test_laminate.py
def test_a_turned_paper_leaves_the_result_open_and_is_told_in_both_languages(
    shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    position, table = a_table(203)
    paper = next(paper for paper in position.papers if paper.complete)
    table.turn_paper(paper.seat, paper.kind)
    image = tmp_path / "turned.jpg"
    image.write_bytes(photograph(table, 203))
    names = ("Ada", "Emmy", "Sofia", "Mary", "Lise")[: len(position.players)]
    words = shelf.words(len(names), "--players", ",".join(names))
    capsys.readouterr()
    assert main(["score", str(image), *words, "--json"]) == 1
    (found,) = lines(capsys)
    assert found["winners"] is None
    assert [(fault["code"], fault["seat"]) for fault in found["faults"]] == [("turn_the_paper", paper.seat)]
    assert main(["score", str(image), *words, "--language", "en"]) == 1
    english = capsys.readouterr().out
    assert f"{names[paper.seat - 1]}'s" in english
    assert "The result is open until this is put right.\n" in english
    assert english.endswith("may be told in a file by --told FILE: 'seats', 'over'.\n")
    assert main(["score", str(image), *words, "--language", "ja"]) == 1
    japanese = capsys.readouterr().out
    assert f"{names[paper.seat - 1]}さんの" in japanese
    assert "結果は決まりません" in japanese


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--game", "whist", "--seats", "3"], "No table of 'whist' can be scored"),
        (["--game", "laminate", "--seats", "7"], "is played by 3 to 5 players, not 7"),
        (["--game", "laminate", "--seats", "0"], "'0' is no number of players"),
        (
            ["--game", "laminate", "--seats", "4", "--players", "A,B,C"],
            "--players names 3 players, but 4 play; see --seats",
        ),
    ],
)
def test_wrong_words_are_one_sentence(
    words: list[str], said: str, shelf: Shelf, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--deck", "reference", "--state", str(shelf.state), "--language", "en"]
    assert main(["score", "none.jpg", *words, *options]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert said in out.err
    assert len(out.err.splitlines()) == 1


@pytest.mark.slow  # tests/vision/test_picture.py
def test_pictures_that_can_be_no_table_are_one_sentence_each(
    shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def file(name: str, picture: np.ndarray) -> str:
        cv2.imwrite(str(tmp_path / name), picture)
        return str(tmp_path / name)

    whole = cv2.imdecode(np.frombuffer(pictured(204), np.uint8), cv2.IMREAD_COLOR)
    assert whole is not None
    camera = SimulatedCamera(MAT, 9)
    camera.show(())
    images = [
        file("bare.jpg", np.full((1500, 2000, 3), 90, np.uint8)),
        file("tiny.jpg", cv2.resize(whole, (400, 300))),
        file("coarse.jpg", cv2.resize(whole, (1000, 750), interpolation=cv2.INTER_AREA)),
        file("empty.jpg", camera.take_picture()),
        str(tmp_path),
        str(tmp_path / "none.jpg"),
    ]
    capsys.readouterr()
    assert main(["score", *images, *shelf.words(3, "--json", "--language", "en")]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    errors = out.err.splitlines()
    assert len(errors) == len(images), errors
    assert all(line.startswith("sevenmat: ") and image in line for line, image in zip(errors, images, strict=True))


def test_more_players_than_were_told_are_one_sentence(
    shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    position, _ = a_table(203)
    assert len(position.players) == 5
    image = tmp_path / "final.jpg"
    image.write_bytes(pictured(203))
    capsys.readouterr()
    assert main(["score", str(image), *shelf.words(4, "--language", "en")]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert "looks like a table of 5 players, not of 4" in out.err


@pytest.mark.slow  # test_a_card_that_cannot_be_read_is_shown_upright_as_the_camera_sees_it
def test_a_blurred_picture_wins_nobody_anything(
    shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    position, _ = a_table(203)
    picture = cv2.imdecode(np.frombuffer(pictured(203), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    image = tmp_path / "blurred.jpg"
    cv2.imwrite(str(image), cv2.GaussianBlur(picture, (0, 0), 9))
    capsys.readouterr()
    code = main(["score", str(image), *shelf.words(len(position.players), "--json", "--language", "en")])
    out = capsys.readouterr()
    assert (code == 2 and len(out.err.splitlines()) == 1) or (code == 1 and '"winners": null' in out.out)


@pytest.mark.slow  # tests/device/test_scoring.py asks with a close-up
def test_a_card_that_cannot_be_read_is_shown_upright_as_the_camera_sees_it(shelf: Shelf) -> None:
    picture = read_picture_bytes(pictured(203))
    look = TableLook.prepare(DeckShelf(shelf.state), Table.set_up("laminate", 4), "reference", MAT, 50.0)
    seen = look(picture).seen
    assert not seen.unread
    card = next(one for one in seen.sightings if "/" in one.name)
    mat = find_mat(picture, MAT)
    for along, across in product((-1, 1), (-1, 1)):
        turned = np.exp(1j * np.radians(card.angle)) * complex(along * 26, across * 38)
        x, y = np.rint(mat.to_px([[card.x + turned.real, card.y + turned.imag]])[0]).astype(int)
        around = picture[y - 100 : y + 100, x - 100 : x + 100]
        around[:] = cv2.GaussianBlur(around, (0, 0), 7)
    glimpse = look(picture)
    # the next card's title is half blurred too
    (mark,) = (mark for mark in glimpse.seen.unread if np.hypot(mark.x - card.x, mark.y - card.y) < NEAR_MM)
    shown = glimpse.close_up(mark)
    assert shown is not None
    width, height = shown.size
    close = np.frombuffer(shown.rgb, np.uint8).reshape(height, width, 3)[..., ::-1]
    turned = np.exp(1j * np.radians(mark.angle)) * complex(20, -40)
    x, y = mat.to_px([[mark.x + turned.real, mark.y + turned.imag]])[0]
    there = cv2.getRectSubPix(picture, (9, 9), (float(x), float(y))).mean(axis=(0, 1))
    row, column = height // 2 - round(40 * height / 110), width // 2 + round(20 * width / 110)
    assert close[row - 1 : row + 2, column - 1 : column + 2].mean(axis=(0, 1)) == pytest.approx(there, abs=12)


@pytest.mark.parametrize(
    ("screen", "turn"), [((1440, 1080), 0.0), pytest.param((2560, 1920), 7.0, marks=pytest.mark.slow)]
)
def test_a_photograph_of_a_screen_is_known_by_its_pixels(screen: tuple[int, int], turn: float) -> None:
    picture = read_picture_bytes(pictured(203))
    assert not shows_a_screen(picture, find_mat(picture))
    shown = photographed(picture, screen, (4032, 3024), turn)
    assert shows_a_screen(shown, find_mat(shown))


@pytest.mark.slow
def test_pictures_of_screens_and_of_other_decks_are_one_sentence_each(
    shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    position, _ = a_table(211)
    picture = read_picture_bytes(pictured(211))
    cv2.imwrite(str(tmp_path / "screen.jpg"), photographed(picture, (1440, 1080), (4032, 3024)))
    ranking = ScoreScreen(Language.EN, Mood.FINISHED, ranking=(RankLine(1, "Ada", 17, 6, True),))
    shown = pygame.surfarray.array3d(draw(ranking, (480, 320)).surface).transpose(1, 0, 2)[..., ::-1]
    cv2.imwrite(str(tmp_path / "display.jpg"), photographed(np.ascontiguousarray(shown), (800, 600), (3280, 2464)))
    capsys.readouterr()
    words = shelf.words(len(position.players), "--language", "en")
    assert main(["score", str(tmp_path / "screen.jpg"), str(tmp_path / "display.jpg"), *words]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    first, second = out.err.splitlines()
    assert "photograph of a screen" in first
    assert "markers" in second.lower() or "marker" in second


@pytest.mark.slow  # tests/vision/test_reader.py: never learnt cards are none of the deck
def test_cards_of_another_deck_are_one_sentence(
    shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every face lies mirrored, as no deck has it."""
    position, table = a_table(211)
    image = tmp_path / "final.jpg"
    image.write_bytes(pictured(211))
    picture = load_picture(image)
    mat = find_mat(picture)
    for card in table:
        quad = mat.to_px(np.array(card.find_corners())).astype(np.float32)
        left, top, width, height = cv2.boundingRect(quad)
        part = picture[max(0, top) : top + height, max(0, left) : left + width]
        box = np.array(((0, 0), (252, 0), (252, 352), (0, 352)), np.float32)
        to_box = cv2.getPerspectiveTransform(quad - np.array((max(0, left), max(0, top)), np.float32), box)
        face = cv2.warpPerspective(part, to_box, (252, 352))[:, ::-1]
        back, size = np.linalg.inv(to_box), part.shape[1::-1]
        where = cv2.warpPerspective(np.full((352, 252), 255, np.uint8), back, size)
        part[where > 0] = cv2.warpPerspective(np.ascontiguousarray(face), back, size)[where > 0]
    cv2.imwrite(str(image), picture)
    capsys.readouterr()
    code = main(["score", str(image), *shelf.words(len(position.players), "--language", "en")])
    out = capsys.readouterr()
    assert code == 2
    assert "name the deck that lies there" in out.err
    assert len(out.err.splitlines()) == 1


@pytest.mark.slow  # tests/vision/mat/test_mat.py
@pytest.mark.parametrize("axis", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_picture_with_a_strip_lost_is_left_open_unless_that_is_the_mat(
    axis: int, shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A mat of another size than the settings say is no sure one, as nobody sees what may be missing of it."""
    position, _ = a_table(203)
    picture = read_picture_bytes(pictured(203))
    image = tmp_path / "strip.png"
    middle = picture.shape[axis] // 2
    cv2.imwrite(str(image), np.delete(picture, np.s_[middle : middle + 130], axis=axis))
    words = [str(image), *shelf.words(len(position.players), "--json", "--language", "en")]
    capsys.readouterr()
    assert main(["score", *words]) == 1
    (found,) = lines(capsys)
    assert found["winners"] is None
    assert "The markers measure the mat as about" in found["faults"][-1]["text"]
    width, height = map(round, find_mat(read_picture_bytes(image.read_bytes())).size_mm)
    assert main(["score", *words, "--mat", f"{width}x{height}"]) in (0, 1, 2)
    assert "measure the mat" not in capsys.readouterr().out
