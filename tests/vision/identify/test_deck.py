"""A deck file is read whole or refused with a sentence, and never replaced by half of another."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from vision.geometry import CENTRE_CROP_SHAPE, CROP_SHAPE
from vision.identify.deck import SEVEN_NAMES, Deck, DeckCard, DeckError, find_index_box
from vision.identify.embedder import Embeddings

MIDDLES_OF = ("HA", "three/review")


def small_deck(name: str = "mine", with_middle: tuple[str, ...] = MIDDLES_OF) -> Deck:
    rng = np.random.default_rng(1)
    cards = tuple(
        DeckCard(
            n,
            (rng.integers(0, 255, CROP_SHAPE, np.uint8), rng.integers(0, 255, CROP_SHAPE, np.uint8)),
            rng.integers(0, 255, CENTRE_CROP_SHAPE, np.uint8) if n in with_middle else None,
        )
        for n in ("HA", "FK", "three/review", "back")
    )
    rows = 2 * len(cards)
    embeddings = Embeddings(
        rng.random((rows, 128), np.float32), rng.random((rows, 15), np.float32), rng.random((rows, 32), np.float32)
    )
    return Deck(name, cards, embeddings, "abc")


def test_a_saved_deck_comes_back_equal(tmp_path: Path) -> None:
    deck = small_deck()
    deck.save(tmp_path / "mine.deck")
    back = Deck.load(tmp_path / "mine.deck")
    assert back.names == deck.names
    assert back.model == deck.model
    np.testing.assert_array_equal(back.embeddings.vectors, deck.embeddings.vectors)
    for one, other in zip(back.cards, deck.cards, strict=True):
        np.testing.assert_array_equal(one.crops[0], other.crops[0])
        np.testing.assert_array_equal(one.crops[1], other.crops[1])
    assert [card.name for card in back.cards if card.centre_crop is not None] == list(MIDDLES_OF)
    for name in MIDDLES_OF:
        crop, again = (read.cards[read.names.index(name)].centre_crop for read in (back, deck))
        np.testing.assert_array_equal(crop, again)


def test_a_saved_deck_has_its_name_on_the_disk_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without that a power cut right after it was learnt takes the whole deck."""
    flushed: list[tuple[bool, bool]] = []
    path = tmp_path / "mine.deck"
    monkeypatch.setattr("os.fsync", lambda n: flushed.append((stat.S_ISDIR(os.fstat(n).st_mode), path.exists())))
    small_deck().save(path)
    assert flushed == [(False, False), (True, True)], "the contents before the new name is given, the name after it"


def rewritten(path: Path, change: Callable[[dict[str, np.ndarray]], None]) -> Path:
    """Write the deck file with other arrays, its checksum made right again."""
    head, _, body = path.read_bytes().partition(b"\n")
    with np.load(BytesIO(body)) as stored:
        arrays = dict(stored)
    change(arrays)
    packed = BytesIO()
    np.savez_compressed(packed, **arrays)
    line = {**json.loads(head), "sha256": hashlib.sha256(packed.getvalue()).hexdigest()}
    path.write_bytes(json.dumps(line).encode() + b"\n" + packed.getvalue())
    return path


def test_a_deck_file_of_an_earlier_version_has_no_centre_crops(tmp_path: Path) -> None:
    small_deck().save(tmp_path / "mine.deck")

    def older(arrays: dict[str, np.ndarray]) -> None:
        del arrays["middles"], arrays["has_middle"]

    deck = Deck.load(rewritten(tmp_path / "mine.deck", older))
    assert deck.names == small_deck().names
    assert [card.centre_crop for card in deck.cards] == [None] * 4


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "change",
    [
        {"has_middle": np.array([True, True, True, False])},
        {"has_middle": np.array([True, True])},
        {"has_middle": np.array([1, 0, 1, 0])},
        {"middles": np.zeros((2, 10, 10, 3), np.uint8)},
        {"middles": np.zeros((2, *CENTRE_CROP_SHAPE), np.float32)},
    ],
)
def test_a_deck_file_with_centre_crops_that_do_not_fit_is_refused(
    tmp_path: Path, change: dict[str, np.ndarray]
) -> None:
    small_deck().save(tmp_path / "mine.deck")
    with pytest.raises(DeckError, match="damaged"):
        Deck.load(rewritten(tmp_path / "mine.deck", lambda arrays: arrays.update(change)))


def test_a_deck_without_any_centre_crop_is_saved_too(tmp_path: Path) -> None:
    small_deck(with_middle=()).save(tmp_path / "mine.deck")
    assert [card.centre_crop for card in Deck.load(tmp_path / "mine.deck").cards] == [None] * 4


def test_an_unknown_deck_says_how_to_enrol_it(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="enrol --deck blue"):
        Deck.load(tmp_path / "blue.deck")


@pytest.mark.parametrize("cut", [0, 1, 40, 200, 5000, -1])
def test_a_half_written_file_is_refused(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "mine.deck"
    small_deck().save(path)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(DeckError, match="damaged"):
        Deck.load(path)


def test_a_single_flipped_bit_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "mine.deck"
    small_deck().save(path)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(DeckError, match="damaged"):
        Deck.load(path)


def test_saving_over_a_deck_leaves_no_part_behind(tmp_path: Path) -> None:
    path = tmp_path / "mine.deck"
    small_deck("first").save(path)
    small_deck("second").save(path)
    assert Deck.load(path).name == "second"
    assert [p.name for p in tmp_path.iterdir()] == ["mine.deck"]


@pytest.mark.parametrize(("at", "wanted"), [(8, 3), (70, 60), (130, 110)])
def test_a_seven_card_is_compared_where_its_index_stands(at: int, wanted: int) -> None:
    rng = np.random.default_rng(4)
    crops = []
    for _ in range(30):
        crop = np.full((56, 160, 3), 225, np.uint8)
        crop[8:26, at : at + 16] = rng.integers(0, 2, (18, 16, 1)) * 200
        crops.append(crop)
    x0, y0, x1, y1 = find_index_box(crops)
    assert (x1 - x0, y1 - y0) == (43, 37)
    assert x0 <= max(at, wanted)
    assert x1 >= at + 12
    assert abs(x0 - wanted) < 30


def test_cards_that_nothing_tells_apart_are_compared_at_the_corner() -> None:
    assert find_index_box([np.full((56, 160, 3), 200, np.uint8)] * 5)[0] == 3
    assert find_index_box([])[0] == 3


def test_a_lower_corner_is_compared_where_its_own_index_stands() -> None:
    """A deck with its index down the left side: at the lower corner it stands on the right, upside down."""
    rng = np.random.default_rng(5)
    cards, rows = [], []
    for k, name in enumerate(SEVEN_NAMES[:20]):
        crop = np.full(CROP_SHAPE, 225, np.uint8)
        crop[6:34, 6:24] = rng.integers(0, 2, (28, 18, 1)) * 200
        cards.append(DeckCard(name, (crop, np.ascontiguousarray(crop[::-1, ::-1]))))
        rows += [np.eye(128, dtype=np.float32)[2 * k], np.eye(128, dtype=np.float32)[2 * k + (0 if k == 3 else 1)]]
    embeddings = Embeddings(np.stack(rows), np.zeros((40, 15), np.float32), np.zeros((40, 32), np.float32))
    deck = Deck("one way", tuple(cards), embeddings, "x")
    assert not deck.symmetric.any()  # though the embedder takes one card's corners for the same
    assert {own.x for own in deck.templates[0::2]} == {3}
    assert all(own.x + own.part.shape[1] >= 136 for own in deck.templates[1::2])


def test_a_paper_that_no_game_knows_is_no_card_of_a_deck(tmp_path: Path) -> None:
    def renamed(name: str) -> Callable[[dict[str, np.ndarray]], None]:
        def change(arrays: dict[str, np.ndarray]) -> None:
            names = arrays["names"].tolist()
            arrays["names"] = np.array([name if one == "three/review" else one for one in names])

        return change

    small_deck().save(tmp_path / "mine.deck")
    assert "straight6_2p3/review" in Deck.load(rewritten(tmp_path / "mine.deck", renamed("straight6_2p3/review"))).names
    small_deck().save(tmp_path / "mine.deck")
    with pytest.raises(DeckError):
        Deck.load(rewritten(tmp_path / "mine.deck", renamed("foo/review")))
