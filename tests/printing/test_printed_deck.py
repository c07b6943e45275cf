"""The printed deck and mat under a camera: known without learning, and read from what the printer gets."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

import device.enrol.printed_deck as printed_decks
from cli.main import main
from device.capture.eye import card_reader
from device.enrol.ready_decks import PRINTED_DECK, deck_shelf
from device.errors import DeviceError
from device.storage.deck_store import DeckShelf
from printing.cards import fit_grid
from printing.paper_sizes import A4
from printing.sheets import print_deck, print_mat, print_pages, print_papers
from referee.layout import SEATS
from referee.placing import Placed
from referee.registry import load_papers
from rules.cards import DECK
from tests.decks import kept, the_printed_deck
from tests.printing.raster import raster
from vision.arrays import Picture
from vision.enrol import EnrolError, place_cards, read_page
from vision.identify.deck import BACK, Deck
from vision.mat.finding import find_mat
from vision.reader import Reader

S = 3.0
MAT = (1189.0, 841.0)
SLUG = 22.0
BORDER = 10.0


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="module")
def deck(state: Path) -> Deck:
    with pytest.MonkeyPatch.context() as kept_one:
        kept_one.setattr(printed_decks, "printed_deck", lambda name: the_printed_deck())
        return deck_shelf(state).load(PRINTED_DECK)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return card_reader()


@pytest.fixture(scope="module")
def cut_out(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Picture]:
    """Every face as it is cut out of the printed pages, at S px/mm."""
    return kept("cut out", lambda: cut_out_in(tmp_path_factory.mktemp("cards")))


def cut_out_in(folder: Path) -> dict[str, Picture]:
    print_deck(folder / "deck.pdf")
    print_papers(folder / "papers.pdf")
    kinds = [kind.name for kind in load_papers().values() for _ in range(kind.copies)]
    grid = fit_grid(A4, (63.0, 88.0), 0.0)
    found: dict[str, Picture] = {}

    @cache
    def page_of(pdf: str, number: int) -> Picture:
        return raster(folder / f"{pdf}.pdf", number, 2 * S)

    for pdf, fronts, backs in (
        ("deck", [str(card) for card in DECK], [BACK] * len(DECK)),
        ("papers", [f"{kind}/review" for kind in kinds], [f"{kind}/complete" for kind in kinds]),
    ):
        for turned, names in ((False, fronts), (True, backs)):
            for number, name in enumerate(names):
                if name not in found:
                    page = page_of(pdf, 2 * (number // grid.each) + turned)
                    x, y = (round(side * 2 * S) for side in grid.find_corner(number % grid.each, turned))
                    card = page[y : y + round(88 * 2 * S), x : x + round(63 * 2 * S)]
                    found[name] = cv2.resize(card, (round(63 * S), round(88 * S)), interpolation=cv2.INTER_AREA)
    return found


def bare(pdf: Path, size: tuple[float, float]) -> Picture:
    """Draw a mat's sheet on a table, from ``MARGIN`` mm round the mat."""
    sheet = raster(pdf, 0, S)
    edge = round(SLUG * S)
    trimmed = sheet[edge : edge + round((size[1] + 2 * BORDER) * S), edge : edge + round((size[0] + 2 * BORDER) * S)]
    more = round(40 * S)
    return cv2.copyMakeBorder(trimmed, more, more, more, more, cv2.BORDER_CONSTANT, value=(120, 140, 165))


def laid(table: Picture, cards: Sequence[Placed], faces: dict[str, Picture]) -> Picture:
    """Lay cards on the table, bottom to top, each with a soft shadow."""
    picture = table.astype(np.float32)
    origin = (40 + BORDER) * S
    reach = round(60 * S)  # a card, however turned, with its shadow
    for card in cards:
        face = faces[card.name].astype(np.float32)
        height, width = face.shape[:2]
        x, y = origin + card.x * S, origin + card.y * S
        left, top = round(x) - reach, round(y) - reach
        part = picture[top : top + 2 * reach, left : left + 2 * reach]
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), -card.angle, 1.0)
        turn[:, 2] += np.array([x - left - width / 2, y - top - height / 2])
        size = part.shape[1::-1]
        mask = cv2.warpAffine(np.ones((height, width), np.float32), turn, size, flags=cv2.INTER_LINEAR)
        shadow = cv2.GaussianBlur(np.roll(mask, (3, 2), (0, 1)), (0, 0), 3)[..., None] * 0.35
        colour = cv2.warpAffine(face, turn, size, flags=cv2.INTER_LINEAR)
        part[:] = part * (1 - shadow) * (1 - mask[..., None]) + colour
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def seen(table: Picture, seed: int) -> Picture:
    """Return what ink, lamp and camera make of a table: duller, warmer, askew, soft and noisy."""
    chance = np.random.default_rng(seed)
    height, width = table.shape[:2]
    ink = 18 + table.astype(np.float32) * 0.86
    ink = 0.9 * ink + 0.1 * ink.mean(axis=2, keepdims=True)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    moved = corners + chance.uniform(-30, 30, (4, 2)).astype(np.float32)
    askew = cv2.warpPerspective(
        ink, cv2.getPerspectiveTransform(corners, moved), (width, height), borderMode=cv2.BORDER_REPLICATE
    )
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    lamp = 1.0 - 0.25 * ((x / width - 0.3) ** 2 + (y / height - 0.2) ** 2)
    lit = askew * lamp[..., None] * np.array([0.86, 0.95, 1.0], np.float32)
    soft = cv2.GaussianBlur(lit, (0, 0), 0.9) + chance.normal(0, 3, lit.shape)
    coded = cv2.imencode(".jpg", np.clip(soft, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 90])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def sloppy_table(seed: int) -> list[Placed]:
    """Papers as columns in four areas, single cards and a fan of backs in between; no card twice."""
    chance = random.Random(seed)
    cards = [str(card) for card in DECK]
    chance.shuffle(cards)
    kinds = list(load_papers())
    chance.shuffle(kinds)
    placed: list[Placed] = []
    for area in SEATS[4]:
        down = area.y0 < 0.25
        for column in range(3):
            x = (area.x0 + 0.16 + 0.11 * column) * MAT[0] + chance.uniform(-5, 5)
            angle = chance.uniform(-5, 5) + (180 if down else 0)
            side = chance.choice(("review", "complete"))
            names = [f"{kinds.pop()}/{side}", *(cards.pop() for _ in range(chance.randint(1, 4)))]
            for number, name in enumerate(names):
                y = 600 + 22 * number
                placed.append(Placed(name, x, MAT[1] - y if down else y, angle + chance.uniform(-2, 2)))
            if len(kinds) == 0:
                return placed
    placed += [Placed(BACK, 0.46 * MAT[0], 0.5 * MAT[1], 2.0), Placed(cards.pop(), 0.54 * MAT[0], 0.5 * MAT[1], -4.0)]
    return placed


@pytest.mark.slow  # test_cards_on_a_page_sheet_are_learnt_and_a_missing_one_is_missed
@pytest.mark.parametrize("seed", [1])
def test_a_table_of_printed_cards_is_read_without_learning(
    tmp_path: Path, deck: Deck, reader: Reader, cut_out: dict[str, Picture], seed: int
) -> None:
    print_mat(tmp_path / "mat.pdf", MAT, 4)
    cards = sloppy_table(seed)
    picture = seen(laid(bare(tmp_path / "mat.pdf", MAT), cards, cut_out), seed)
    assert find_mat(picture).size_mm == pytest.approx(MAT, rel=0.02)
    reading = reader.read(picture, find_mat(picture, MAT), deck)
    left = list(cards)
    for sighting in reading.sightings:
        near = [one for one in left if np.hypot(one.x - sighting.x, one.y - sighting.y) < 12]
        assert sighting.name in [one.name for one in near], sighting
        left.remove(next(one for one in near if one.name == sighting.name))
    assert len(left) == len(reading.unread)
    assert len(left) <= 1


@pytest.mark.slow  # tests/printing/test_words.py keeps words off the zones
@pytest.mark.parametrize(("game", "players"), [("laminate", 5), pytest.param("wild_seven", 3, marks=pytest.mark.slow)])
def test_words_and_lines_of_a_mat_are_no_cards(
    tmp_path: Path, deck: Deck, reader: Reader, game: str, players: int
) -> None:
    print_mat(tmp_path / "mat.pdf", MAT, players, game)
    picture = seen(bare(tmp_path / "mat.pdf", MAT), 7)
    reading = reader.read(picture, find_mat(picture, MAT), deck)
    assert reading.sightings == ()
    assert reading.unread == ()


@pytest.mark.slow  # test_page_order.py and test_true_size.py
@pytest.mark.parametrize("number", [pytest.param(0, marks=pytest.mark.slow), 1])
def test_cards_on_a_page_sheet_are_learnt_and_a_missing_one_is_missed(
    tmp_path: Path, reader: Reader, cut_out: dict[str, Picture], number: int
) -> None:
    page = ("seven", "review")[number]
    print_mat(tmp_path / "mat.pdf", MAT, 3)
    print_pages(tmp_path / "pages.pdf", MAT)
    table = bare(tmp_path / "mat.pdf", MAT)
    places = place_cards(page, MAT)
    sheet = raster(tmp_path / "pages.pdf", number, S)
    edge = round(SLUG * S)
    sheet = sheet[edge : sheet.shape[0] - edge, edge : sheet.shape[1] - edge]
    # Its first outline's place says where it lies; the cross of both is then one.
    first_x, first_y = next(iter(places.values()))
    x, y = (round((40 + BORDER + at - half - 12) * S) for at, half in ((first_x, 31.5), (first_y, 44.0)))
    table[y : y + sheet.shape[0], x : x + sheet.shape[1]] = sheet
    chance = random.Random(3)
    cards = [Placed(name, x + chance.uniform(-2, 2), y + chance.uniform(-2, 2), 0.5) for name, (x, y) in places.items()]
    learnt = read_page(reader, page, seen(laid(table, cards, cut_out), 4), MAT, False)
    assert set(learnt.names) == set(places)
    missing = {cards.pop(chance.randrange(len(cards))).name for _ in range(4)}
    with pytest.raises(EnrolError) as refused:
        read_page(reader, page, seen(laid(table, cards, cut_out), 5), MAT, False)
    assert {card for fault in refused.value.faults for card in fault.cards} == missing


def test_the_printed_deck_is_made_once_and_then_lies_on_the_shelf(
    state: Path, deck: Deck, capsys: pytest.CaptureFixture[str]
) -> None:
    assert deck.name == PRINTED_DECK
    assert len(deck.cards) == 49 + 32 + 1

    def never() -> Deck:
        raise AssertionError("made again")

    assert DeckShelf(state, {PRINTED_DECK: (frozenset(), never)}).load(PRINTED_DECK).names == deck.names
    assert DeckShelf(state).list_names() == [PRINTED_DECK]
    assert main(["decks", "--state", str(state), "--language", "en"]) == 0
    assert capsys.readouterr().out.split("\n")[0] == f"{PRINTED_DECK:20} 82 faces"


def test_before_that_it_is_offered_and_other_names_are_not_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["decks", "--state", str(tmp_path), "--language", "en"]) == 0
    assert f"{PRINTED_DECK:20} known without learning" in capsys.readouterr().out
    with pytest.raises(DeviceError, match="no deck 'printed'"):
        deck_shelf(tmp_path).load("printed")
