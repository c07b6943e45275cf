"""A picture of another tone than the deck was learnt in is read as any other; what tells nothing changes nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.placing import Placed
from tests.vision.faces.test_reading import ASKEW, COLUMN, STRANGE, above, look, reader
from vision.arrays import Picture
from vision.faces.reading import Memory
from vision.faces.table import FlatMat
from vision.faces.tone import ToneCurve
from vision.identify.faces import Faces
from vision.mat import find_mat
from vision.mat.light import Light

READ = ["altar", "forum", "stone_pit", "theater"]


def in_tone(picture: Picture, power: float, colour: float) -> Picture:
    """Return a picture (h, w, 3) as a camera of another curve, with paler colours, gives it."""
    toned = 255 * (picture / 255) ** power
    grey = toned.mean(axis=2, keepdims=True)
    return np.asarray(np.clip(grey + colour * (toned - grey) + 0.5, 0, 255), np.uint8)


def read_in(power: float, colour: float, cards: tuple[Placed, ...] = (*COLUMN, *STRANGE, ASKEW)) -> Memory:
    above().glare = None
    above().show(list(cards))
    shot = in_tone(above().take_picture(), power, colour)
    mat = find_mat(shot)
    return reader().read(FlatMat.from_picture(shot, mat, Light.measure(shot, mat)))


@pytest.mark.slow  # test_reading.py
@pytest.mark.parametrize(("power", "colour"), [(1.8, 1.0), (0.6, 1.0), (1.0, 0.5), (1.4, 0.3)])
def test_cards_are_read_in_any_tone_and_no_others(power: float, colour: float) -> None:
    seen = read_in(power, colour)
    assert sorted(card.name for card in seen.sightings) == READ
    assert seen.reader is not reader()


@pytest.mark.slow  # test_reading.py
def test_without_colour_what_differs_in_it_alone_is_asked() -> None:
    seen = read_in(1.0, 0.0)
    assert {card.name for card in seen.sightings} <= {*READ}
    assert len(seen.sightings) >= 2


def test_in_the_deck_s_own_tone_its_own_faces_are_compared() -> None:
    assert look().seen.reader is reader()


@pytest.mark.slow  # test_reading.py
def test_too_few_cards_tell_no_tone() -> None:
    assert ToneCurve.from_cards(reader().fitter, look().flat, look().seen.found[0][:1]) == ToneCurve()
    assert read_in(1.8, 1.0, COLUMN[:1]).reader is reader()


def test_what_fits_a_head_less_well_tells_no_tone() -> None:
    fitter, flat = reader().fitter, look().flat
    cards = [card for card, _ in look().seen.found]
    turned = [
        replace(
            card,
            pose=card.pose.move_by(0.0, 2 * fitter.strips.middle_offset(card.lower), 180.0),
            names=(0,),
            likeness=0.86,
        )
        for card in cards
    ]
    told = ToneCurve.from_cards(fitter, flat, [*turned, *cards])
    assert told == ToneCurve.from_cards(fitter, flat, cards) != ToneCurve()


def test_the_tone_is_found_out_nearly() -> None:
    fitter, cards = reader().fitter, [card for card, _ in look().seen.found]
    flat = look().flat
    toned = in_tone(flat.fine, 1.5, 0.6)
    usual, seen = (
        ToneCurve.from_cards(fitter, flat, cards),
        ToneCurve.from_cards(fitter, replace(flat, fine=toned), cards),
    )
    assert usual.is_near(ToneCurve())
    assert seen.power / usual.power == pytest.approx(1.5, abs=0.2)
    assert seen.colour / usual.colour == pytest.approx(0.6, abs=0.1)


def test_faces_in_a_tone_keep_white_and_black_and_lose_the_colour_they_are_to() -> None:
    faces = Faces(("one",), np.array([[[[0, 0, 0], [235, 235, 235], [40, 120, 200]]]], np.uint8), (65.0, 100.0))
    toned = ToneCurve(1.5, 1.0, 0.0).apply_to_faces(faces).pictures[0, 0]
    assert toned[0].tolist() == [0, 0, 0]
    assert toned[1].tolist() == [235, 235, 235]
    assert len(set(toned[2].tolist())) == 1
    assert ToneCurve().apply_to_faces(faces).pictures.tolist() == faces.pictures.tolist()
