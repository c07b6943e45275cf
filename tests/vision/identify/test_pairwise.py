"""Cards that look alike are told apart where their templates differ, as far as that shows."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrays import Floats, Picture
from vision.config import CONFIG
from vision.identify.deck import Deck, DeckCard
from vision.identify.embedder import Embeddings
from vision.identify.pairwise import PairOutcome, PairwiseVerifier, _compare_misfits
from vision.identify.templates import AlignedCrop, EnrolledTemplate, TemplatePair, normalise_crop

WIDE = (66, 170, 3)


def _crop(mark: str, band: tuple[int, int, int] = (60, 60, 190)) -> Picture:
    """Draw a crop (56, 160, 3) with a band along its top, a number, and a mark of its own below it."""
    crop = np.full((56, 160, 3), 225, np.uint8)
    crop[3:9] = band
    cv2.putText(crop, "7", (10, 24), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (40, 40, 40), 1, cv2.LINE_AA)
    if mark == "square":
        crop[30:38, 10:18] = 60
    elif mark == "bar":
        crop[30:38, 13:15] = 60
    elif mark == "dot":
        cv2.circle(crop, (14, 34), 4, (60, 60, 60), -1, cv2.LINE_AA)
    return crop


MARKS = ("square", "bar", "dot")
_STRIPS = [_crop(mark) for mark in MARKS]
_LOOKS = np.eye(6, 128, dtype=np.float32)
DECK = Deck(
    "alike",
    tuple(DeckCard(mark, (crop, crop)) for mark, crop in zip(MARKS, _STRIPS, strict=True)),
    Embeddings(_LOOKS, np.zeros((6, 15), np.float32), np.zeros((6, 32), np.float32)),
    "x",
)


def seen(mark: str, shift: tuple[int, int] = (0, 0), light: float = 1.0, noise: float = 4.0) -> Picture:
    """Return the crop as found on a table, with its margin (66, 170, 3)."""
    wide = cv2.copyMakeBorder(_crop(mark), 5, 5, 5, 5, cv2.BORDER_REPLICATE)
    wide = np.roll(wide, shift, (0, 1)).astype(np.float32) * light
    return np.clip(wide + np.random.default_rng(3).normal(0, noise, WIDE), 0, 255).astype(np.uint8)


def _enrolled(verifier: PairwiseVerifier, row: int) -> Floats:
    return EnrolledTemplate.from_crop(verifier.deck.cards[row // 2].crops[row % 2]).part.values


def _pair(one: Picture, other: Picture) -> TemplatePair:
    return TemplatePair.align(EnrolledTemplate.from_crop(one), EnrolledTemplate.from_crop(other))


def outcome(verifier: PairwiseVerifier, crop: Picture, one: int, other: int, occluded: Picture | None = None) -> float:
    """How a comparison over a crop with its margin (66, 170, 3) turns out between two of the deck's rows."""
    return verifier.verify_pair(
        AlignedCrop.align_to(normalise_crop(crop), _enrolled(verifier, one), occluded), one, other, occluded
    ).won


@pytest.mark.few(2)
@pytest.mark.parametrize("shift", [(0, 0), (2, -3), (-3, 1)])
@pytest.mark.parametrize("light", [0.6, 1.0])
def test_the_card_whose_mark_shows_wins(shift: tuple[int, int], light: float) -> None:
    verifier = PairwiseVerifier(DECK)
    for k, mark in enumerate(MARKS):
        for rival in range(3):
            if rival != k:
                assert outcome(verifier, seen(mark, shift, light), 2 * k, 2 * rival) > 0.3


def test_a_pairwise_comparison_is_the_other_way_round_for_the_other() -> None:
    verifier, crop = PairwiseVerifier(DECK), seen("bar")
    assert outcome(verifier, crop, 2, 0) == pytest.approx(-outcome(verifier, crop, 0, 2), abs=0.1)


def test_what_lies_over_the_mark_decides_nothing() -> None:
    verifier, crop = PairwiseVerifier(DECK), seen("square")
    mask = np.zeros(WIDE[:2], np.uint8)
    mask[32:] = 255
    crop[32:] = seen("bar")[32:]  # the next card of the column, with another mark in the same place
    assert outcome(verifier, crop, 0, 2) < -0.3
    assert outcome(verifier, crop, 0, 2, mask) == 0.0


def test_a_pairwise_comparison_won_outweighs_a_similarity_that_was_mistaken() -> None:
    odds = np.full((1, 6), 40.0, np.float32)
    odds[0, 0], odds[0, 2] = 53.0, 55.0
    settled = PairwiseVerifier(DECK).verify([seen("square")], odds)
    assert settled[0].argmax() == 0
    assert (
        settled[0, 0] - settled[0, 2] <= CONFIG.identify.pairwise.weight - CONFIG.identify.pairwise.share * 2.0 + 1e-3
    )


def test_only_corners_that_may_be_a_card_s_are_compared_pairwise() -> None:
    """Mats and marks look like many cards a little; a card veiled by light still looks nearly as much like its own."""
    odds = np.full((2, 6), 20.0, np.float32)
    odds[:, 0], odds[:, 2] = (
        (CONFIG.identify.similarity.nothing_odds - 8, CONFIG.identify.similarity.nothing_odds - 4),
        (CONFIG.identify.similarity.nothing_odds - 3.5, CONFIG.identify.similarity.nothing_odds - 2.5),
    )
    equal, veiled = PairwiseVerifier(DECK).verify([seen("square")] * 2, odds)
    assert equal.tolist() == pytest.approx(odds[0].tolist())
    assert veiled.argmax() == 0


@pytest.mark.parametrize(("behind", "kind", "compared"), [(6.5, "", True), (8.0, "", False), (8.0, "/review", True)])
def test_rivals_far_behind_are_asked_only_of_papers(behind: float, kind: str, compared: bool) -> None:
    """A numeral alone tells one paper from another, and weighs little in the whole."""
    cards = tuple(DeckCard(card.name + kind, card.crops) for card in DECK.cards)
    odds = np.full((1, 6), 20.0, np.float32)
    odds[0, 0], odds[0, 2] = 55.0 - behind, 55.0
    (settled,) = PairwiseVerifier(Deck("alike", cards, DECK.embeddings, "x")).verify([seen("square")], odds)
    assert (settled[0] > odds[0, 0] + 1) == compared


def test_only_corners_that_may_still_be_of_use_are_compared_pairwise() -> None:
    """Who looks for a corner elsewhere needs it to show the deck better there than here; a pair adds at most 4."""
    odds = np.full((2, 6), 20.0, np.float32)
    odds[:, 0], odds[:, 2] = 50.0, 53.0
    short, enough = PairwiseVerifier(DECK).verify([seen("square")] * 2, odds, least=[57.0, 56.9])
    assert short.tolist() == odds[0].tolist()
    assert enough.argmax() == 0
    assert enough.max() <= 57.0


def test_cards_whose_templates_are_the_same_stay_undecided() -> None:
    twins = Deck(
        "twins",
        (DECK.cards[0], DeckCard("twin", DECK.cards[0].crops)),
        Embeddings(_LOOKS[:4], np.zeros((4, 15), np.float32), np.zeros((4, 32), np.float32)),
        "x",
    )
    assert outcome(PairwiseVerifier(twins), seen("square"), 0, 2) == 0.0


def test_a_pairwise_comparison_with_a_card_alike_at_both_corners_settles_both() -> None:
    pairs = np.repeat(np.eye(3, 128, dtype=np.float32), 2, axis=0)
    deck = Deck("two corners", DECK.cards, Embeddings(pairs, DECK.embeddings.rank, DECK.embeddings.suit), "x")
    odds = np.full((1, 6), 30.0, np.float32)
    odds[0, :4] = 53.0, 52.5, 55.0, 54.0
    settled = PairwiseVerifier(deck).verify([seen("square")], odds)[0]
    assert settled[:2].min() > settled[2:4].max() + 3


def test_templates_laid_askew_differ_only_where_the_cards_do() -> None:
    """One page's card lay half a pixel and a degree off: the number, the band and the frame are no difference."""
    askew = cv2.getRotationMatrix2D((80, 28), 1.0, 1)
    askew[:, 2] += np.array((0.5, -0.5))
    other = cv2.warpAffine(_STRIPS[1], askew, (160, 56), flags=cv2.INTER_LANCZOS4, borderMode=cv2.BORDER_REPLICATE)
    pair = _pair(_STRIPS[0], np.asarray(other, np.uint8))
    assert pair.boxes
    for x, y, w, h in pair.boxes:
        assert (CONFIG.identify.part.left_px + x + w / 2, CONFIG.identify.part.top_px + y + h / 2) == pytest.approx(
            (14, 34), abs=6
        )


def test_a_lens_s_colour_fringes_are_no_difference() -> None:
    """Where a card lies on a page says how far red and blue lie apart: a grey line turns red here and blue there."""
    one, other = (np.full((56, 160, 3), 220, np.uint8) for _ in range(2))
    for crop, mark in ((one, 12), (other, 15)):
        crop[6:8, 10:150] = crop[8:40, 10:12] = 60  # a frame
        crop[26:34, mark : mark + 3] = 60
    shift = np.array([[1, 0, 0.6], [0, 1, 0.6]], np.float32)
    for crop, channel in ((one, 0), (other, 2)):
        crop[..., channel] = cv2.warpAffine(crop[..., channel], shift, (160, 56), borderMode=cv2.BORDER_REPLICATE)
    pair = _pair(one, other)
    assert pair.boxes
    for x, y, w, h in pair.boxes:
        assert (CONFIG.identify.part.left_px + x + w / 2, CONFIG.identify.part.top_px + y + h / 2) == pytest.approx(
            (15, 30), abs=6
        )


@pytest.mark.parametrize("fall", [(0.12, 0.0), (0.0, 0.12), (-0.08, 0.08)])
def test_uneven_light_on_an_enrolment_page_is_no_difference(fall: tuple[float, float]) -> None:
    """Of two cards with a small mark each, one was enrolled in light that falls off: it differs by its mark alone."""
    plain = np.full((56, 160, 3), 200, np.uint8)
    rows, columns = np.mgrid[-1:1:56j, -1:1:160j][..., None]
    one, other = plain.copy(), np.clip(plain * (1 + fall[0] * rows + fall[1] * columns), 0, 255).astype(np.uint8)
    one[24:30, 12:18] = 170
    other[24:30, 14:16] = 150
    pair = _pair(one, other)
    assert pair.boxes
    for x, y, w, h in pair.boxes:
        assert x + CONFIG.identify.part.left_px + w / 2 == pytest.approx(15, abs=6)
        assert y + CONFIG.identify.part.top_px + h / 2 == pytest.approx(27, abs=6)


def test_a_veil_of_light_over_the_mark_takes_no_side() -> None:
    verifier = PairwiseVerifier(DECK)
    crop = seen("bar", noise=1.0)
    crop[5 + 22 : 5 + 46, :40] = np.clip(crop[5 + 22 : 5 + 46, :40].astype(int) + 25, 0, 255)
    assert outcome(verifier, crop, 2, 0) > 0.3
    assert outcome(verifier, crop, 0, 2) < -0.3


def test_the_lower_corners_are_compared_by_their_own_templates() -> None:
    """A deck whose lower corner shows the index elsewhere, upside down."""
    cards = tuple(DeckCard(m, (s, np.ascontiguousarray(s[::-1, ::-1]))) for m, s in zip(MARKS, _STRIPS, strict=True))
    verifier = PairwiseVerifier(Deck("one way", cards, DECK.embeddings, "x"))
    for k in range(3):
        crop = cv2.copyMakeBorder(cards[k].crops[1], 5, 5, 5, 5, cv2.BORDER_REPLICATE)
        for rival in range(3):
            if rival != k:
                assert outcome(verifier, np.asarray(crop, np.uint8), 2 * k + 1, 2 * rival + 1) > 0.3


def test_who_beats_the_likeliest_meets_the_others_too() -> None:
    """Two cards beat the likeliest, the wrong one more clearly; against each other the right one wins.

    How clearly two rivals win against a third does not say which of the two it is.
    """

    class CachedEvidence(PairwiseVerifier):
        """Comparisons with given outcomes: of 0 against 2 and 4, and of 2 against 4."""

        def verify_pair(self, laid: AlignedCrop, one: int, other: int, occluded: Picture | None = None) -> PairOutcome:
            table = {(0, 2): -0.9, (0, 4): -0.5, (2, 4): -0.8}
            a, b = one // 2 * 2, other // 2 * 2
            return PairOutcome(table[a, b] if (a, b) in table else -table[b, a], False)

    odds = np.full((1, 6), 40.0, np.float32)
    odds[0, 0], odds[0, 2], odds[0, 4] = 50.0, 49.0, 48.5
    settled = CachedEvidence(DECK).verify([seen("square")], odds)[0]
    assert settled.argmax() == 4
    assert settled[4] - settled[2] > 3
    assert 50.0 <= settled[4] <= 55.0  # beating others hardly makes it likelier to be a card at all


def _fine(mark: int, noise: float, seed: int) -> Picture:
    """Draw a crop (56, 160, 3) with a frame and four thin strokes, standing or lying, in a template's own noise."""
    crop = np.full((56, 160, 3), 200, np.float32)
    crop[6, 8:152] = crop[6:50, 8] = 150
    for k in range(4):
        if mark:
            crop[36:46, 14 + 3 * k] = 150
        else:
            crop[36 + 3 * k, 14:24] = 150
    crop += np.random.default_rng(seed).normal(0, noise, crop.shape)
    return np.asarray(np.clip(cv2.GaussianBlur(crop, (0, 0), 0.6), 0, 255), np.uint8)


FINE = Deck(
    "fine",
    tuple(DeckCard(str(k), (_fine(k, 6, k), _fine(k, 6, k + 2))) for k in range(2)),
    Embeddings(_LOOKS[:4], np.zeros((4, 15), np.float32), np.zeros((4, 32), np.float32)),
    "x",
)


@pytest.mark.parametrize("softened", [0.0, 0.5, 0.8])
@pytest.mark.parametrize("askew", [0.0, 0.5])
def test_thin_strokes_are_told_apart_however_sharp_and_where_they_lie(softened: float, askew: float) -> None:
    for k in range(2):
        wide = cv2.copyMakeBorder(_fine(k, 6, 7), 5, 5, 5, 5, cv2.BORDER_REPLICATE)
        turn = cv2.getRotationMatrix2D((85, 33), askew, 1)
        turn[:, 2] += askew
        wide = cv2.warpAffine(wide, turn, wide.shape[1::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        if softened:
            wide = cv2.GaussianBlur(wide, (0, 0), softened)
        assert outcome(PairwiseVerifier(FINE), np.asarray(wide, np.uint8), 2 * k, 2 - 2 * k) > 0.2


def test_the_noise_of_two_enrolled_templates_is_no_difference() -> None:
    """Two faint templates differ by their mark, and everywhere a little by noise."""
    pair = _pair(FINE.cards[0].crops[0], FINE.cards[1].crops[0])
    x, y, w, h = pair.boxes[0]
    assert (CONFIG.identify.part.left_px + x + w / 2, CONFIG.identify.part.top_px + y + h / 2) == pytest.approx(
        (19, 41), abs=5
    )
    assert w * h < 20 * 20
    assert sum(w * h for _, _, w, h in pair.boxes[1:]) < 100


def test_what_the_next_card_covers_leads_no_pairwise_comparison_astray() -> None:
    """Half of a mark shows; below it lies a card with a frame of its own."""
    for k in range(2):
        wide = cv2.copyMakeBorder(_fine(k, 6, 7), 5, 5, 5, 5, cv2.BORDER_REPLICATE)
        wide[47:] = 230
        wide[49, 8:] = 60
        mask = np.zeros(WIDE[:2], np.uint8)
        mask[47:] = 255
        assert outcome(PairwiseVerifier(FINE), np.asarray(wide, np.uint8), 2 * k, 2 - 2 * k, mask) > 0.15


@pytest.mark.parametrize("cut", [30, 34, 38])
def test_a_crop_is_aligned_by_what_the_next_card_leaves_free(cut: int) -> None:
    """The next card's frame just below its edge is like the mark that it covers, some px off."""
    wide = cv2.copyMakeBorder(_fine(0, 6, 7), 5, 5, 5, 5, cv2.BORDER_REPLICATE)
    wide[cut + 5 :] = 70
    mask = np.zeros(WIDE[:2], np.uint8)
    mask[cut + 5 :] = 255
    laid = AlignedCrop.align_to(normalise_crop(np.asarray(wide, np.uint8)), _enrolled(PairwiseVerifier(FINE), 0), mask)
    assert (laid.x, laid.y) == (CONFIG.identify.part.left_px + 5, CONFIG.identify.part.top_px + 5)


def _numbered(ink: tuple[int, int, int], mark: int) -> Picture:
    """Draw a crop (56, 160, 3) whose number is in a thin ink of its own and whose mark is black and far bolder."""
    crop = np.full((56, 160, 3), 225, np.uint8)
    cv2.putText(crop, "11", (8, 20), cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, 1, cv2.LINE_AA)
    crop[30:42, 8 + mark : 20 + mark] = 20
    return crop


_THIN = [_numbered((110, 150, 90), 0), _numbered((80, 80, 80), 8)]
THIN = Deck(
    "thin",
    tuple(DeckCard(name, (crop, crop)) for name, crop in zip(("T11", "F11"), _THIN, strict=True)),
    Embeddings(_LOOKS[:4], np.zeros((4, 15), np.float32), np.zeros((4, 32), np.float32)),
    "x",
)


@pytest.mark.parametrize("cut", [26, 28])
def test_where_the_mark_is_covered_the_ink_of_the_number_tells(cut: int) -> None:
    for k, crop in enumerate(_THIN):
        wide = cv2.copyMakeBorder(crop, 5, 5, 5, 5, cv2.BORDER_REPLICATE).astype(np.float32)
        wide[cut + 5 :] = 225
        seen_so = np.clip(wide + np.random.default_rng(5).normal(0, 3, WIDE), 0, 255).astype(np.uint8)
        mask = np.zeros(WIDE[:2], np.uint8)
        mask[cut + 5 :] = 255
        assert outcome(PairwiseVerifier(THIN), seen_so, 2 * k, 2 - 2 * k, mask) > 0.1


def _inked(ink: tuple[int, int, int], book: bool) -> Picture:
    """Draw a crop (56, 160, 3) whose number and mark, a book or a heart, are in one ink."""
    crop = np.full((56, 160, 3), 225, np.uint8)
    cv2.putText(crop, "4", (10, 22), cv2.FONT_HERSHEY_SIMPLEX, 0.6, ink, 2, cv2.LINE_AA)
    if book:
        crop[31:41, 10:24] = ink
        crop[31:33, 15:19] = 225
    else:
        cv2.circle(crop, (13, 34), 4, ink, -1, cv2.LINE_AA)
        cv2.circle(crop, (20, 34), 4, ink, -1, cv2.LINE_AA)
        crop[36:41, 13:21] = ink
    return crop


_HUES = [_inked((60, 60, 200), book=True), _inked((150, 110, 215), book=False)]
HUES = Deck(
    "hues",
    tuple(DeckCard(name, (crop, crop)) for name, crop in zip(("B4", "H4"), _HUES, strict=True)),
    Embeddings(_LOOKS[:4], np.zeros((4, 15), np.float32), np.zeros((4, 32), np.float32)),
    "x",
)


@pytest.mark.few(3)
@pytest.mark.parametrize("cut", [34, 36, 38])
@pytest.mark.parametrize("too_low", [0, 2, 4])
def test_red_and_pink_are_told_apart_where_the_next_card_cuts_the_mark(cut: int, too_low: int) -> None:
    """Its corner may be found a little too low, so that its white counts for ink; and blur makes red beside it pink."""
    for k, crop in enumerate(_HUES):
        wide = cv2.copyMakeBorder(crop, 5, 5, 5, 5, cv2.BORDER_REPLICATE)
        wide[cut + 5 :] = 225
        noise = np.random.default_rng(3).normal(0, 5, WIDE)
        seen_so = np.clip(cv2.GaussianBlur(wide, (0, 0), 1.0) * 0.9 + noise, 0, 255).astype(np.uint8)
        mask = np.zeros(WIDE[:2], np.uint8)
        mask[cut + 5 + too_low :] = 255
        assert outcome(PairwiseVerifier(HUES), seen_so, 2 * k, 2 - 2 * k, mask) > 0.3


def test_without_its_mark_a_card_is_not_told_by_the_grain_of_one_enrolled_template() -> None:
    """A fringe on a frame of one template of a card, which its other corner lacks, named a card whose mark was
    covered."""
    grainy = _crop("bar")
    grainy[12:20, 60:120] = np.clip(grainy[12:20, 60:120].astype(int) - 60, 0, 255)
    templates = ((_crop("square"),) * 2, (grainy, _crop("bar")))
    embeddings = Embeddings(
        np.eye(2).repeat(2, axis=0).astype(np.float32), np.zeros((4, 15), np.float32), DECK.embeddings.suit[:4]
    )
    cards = tuple(DeckCard(mark, corners) for mark, corners in zip(MARKS, templates, strict=False))
    verifier = PairwiseVerifier(Deck("grain", cards, embeddings, "x"))
    assert verifier.deck.symmetric.all()
    mask = np.zeros(WIDE[:2], np.uint8)
    mask[33:] = 255
    alone, hidden = verifier._compare_templates(
        AlignedCrop.align_to(normalise_crop(seen("bar")), _enrolled(verifier, 0), mask), 0, 2, mask
    )
    assert hidden
    assert alone > 0.5
    for k in (2, 3):
        assert outcome(verifier, seen("bar"), 0, k, mask) == 0


@pytest.mark.parametrize(("one", "other"), [(0, 1), (1, 0), (2, 1), (1, 2)])
def test_the_shadow_of_the_card_below_takes_no_side(one: int, other: int) -> None:
    """It deepens towards the next card's edge."""
    crop = seen(MARKS[one], noise=1.0).astype(np.float32)
    crop[28:46] *= np.linspace(1, 0.45, 18, dtype=np.float32)[:, None, None]
    assert outcome(PairwiseVerifier(DECK), crop.astype(np.uint8), 2 * one, 2 * other) > 0.3


def test_a_sensor_s_noise_does_not_make_a_crop_like_neither() -> None:
    """Dark cards under a weak lamp: a thin mark's strokes are as strong as the noise, but there are many."""
    for k in range(2):
        wide = cv2.copyMakeBorder(_fine(k, 6, 7), 5, 5, 5, 5, cv2.BORDER_REPLICATE)
        noisy = wide + np.random.default_rng(9).normal(0, 45, WIDE)
        assert outcome(PairwiseVerifier(FINE), np.clip(noisy, 0, 255).astype(np.uint8), 2 * k, 2 - 2 * k) > 0.1


@pytest.mark.parametrize(("one", "other"), [(0, 1), (1, 0), (2, 1), (1, 2)])
def test_the_edge_of_the_next_card_may_lie_a_little_higher_than_it_was_found(one: int, other: int) -> None:
    """All of the mark seemed to show; its lowest rows lie under the edge, which is dark, and under the card."""
    crop = seen(MARKS[one], noise=1.0)
    crop[41:43], crop[43:] = 20, 225
    mask = np.zeros(WIDE[:2], np.uint8)
    mask[45:] = 255
    assert outcome(PairwiseVerifier(DECK), crop, 2 * one, 2 * other, mask) > 0.6


def test_what_is_left_of_a_hidden_mark_weighs_less() -> None:
    odds = np.full((1, 4), 40.0, np.float32)
    odds[0, 0], odds[0, 2] = 53.0, 53.0
    ahead = []
    for cut in (60, 26):
        wide = cv2.copyMakeBorder(_THIN[0], 5, 5, 5, 5, cv2.BORDER_REPLICATE)
        mask = np.zeros(WIDE[:2], np.uint8)
        mask[cut + 5 :], wide[cut + 5 :] = 255, 225
        settled = PairwiseVerifier(THIN).verify([wide], odds, [mask])[0]
        ahead.append(float(settled[0] - settled[2]))
    assert 1 < ahead[1] <= 0.7 * CONFIG.identify.pairwise.weight + 1e-3 < ahead[0]


def test_templates_are_compared_at_each_place_without_veil_and_shadow() -> None:
    """The sums over all places at once are those of one place after the other."""
    rng = np.random.default_rng(5)
    h, w, rows = 9, 14, 7
    around = rng.uniform(0, 1, (h + 6, w + 6, 3)).astype(np.float32)
    templates = rng.uniform(0, 1, (2, h, w, 3)).astype(np.float32)

    def misfit(seen: Floats, part: Floats) -> float:
        places = [(y, x) for y in range(7) for x in range(7)]
        y, x = min(places, key=lambda at: float(np.square(seen[at[0] :, at[1] :][:rows, :w] - part).sum()))
        away = (seen[y : y + rows, x : x + w] - part).astype(np.float64)
        ramp = np.linspace(-1, 1, rows)[:, None, None]
        veil, shadow = away.mean(), (away * ramp).sum() / (ramp**2).sum() / (3 * w)
        return float(np.square(away - np.clip(veil, -0.25, 0.25) - np.clip(shadow, -0.3, 0.3) * ramp).sum())

    one, other = templates[:, :rows]
    framed = [np.pad(part, ((3, 3), (3, 3), (0, 0)), mode="edge") for part in (one, other)]
    differ = (misfit(framed[0], other) + misfit(framed[1], one)) / 2
    asked = [misfit(around[: rows + 6], part) for part in (one, other)]
    assert _compare_misfits(around, templates, rows) == pytest.approx((*asked, differ, one.size), rel=1e-4)
