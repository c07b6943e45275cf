"""Learn a deck from three pages: check each page, say what to mend, and only then make a deck of it.

The pages are those of the table standard: ``seven`` is a grid of 7 × 7, ``review`` and ``complete`` hold the 16 papers
and one SEVEN card face down; see ``page_places``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import DECK, Card, Suit
from vision.deck import BACK, PAPER_KINDS, Deck, DeckCard
from vision.errors import VisionError
from vision.light import Light
from vision.mat import Mat, find_mat
from vision.networks import End, Floats, Looks, Picture, end_of_card
from vision.reader import MIN_PX_PER_MM, Reader, burnt_share, narrow, raw_strip, sharpness

Doubles = NDArray[np.float64]

PAGES = ("seven", "review", "complete")
_SEVEN_PITCH = (100.0, 112.0)
_PAPER_PITCH = (110.0, 130.0)
_BACK_RIGHT_MM = 385.0
_REACH_MM = 30.0
"""A card this far from its place still lies on it."""
_TILT_DEG = 15.0
_GLARE_SHARE = 0.12
_BLUR = 9.0
_SUIT_WEIGHT = 60.0
"""What a suit vector's distance (1 − cosine) to its column's weighs against a log probability of the rank."""
_SWAP = 4.0
_MUTUAL_SWAP, _EACH = 2.4, 0.8
"""From this gain on two cards are said to lie in each other's place: from the first one on in any case, from the second
one on where each of the two fits the other place better by itself. Right pages of several decks stay below 1.8."""
_MISPLACED = 6.0
"""The same for a single card that looks like another one; right pages stay below 2."""
_SUIT_NOISE = 1.5
_TWIN, _TWIN_COST = 0.9, 3.5
_ALIKE = 0.75


@dataclass(frozen=True, slots=True)
class Fault:
    """Something to mend on a page: its page, the cards concerned, and the sentence in English and Japanese."""

    page: str
    cards: tuple[str, ...]
    en: str
    ja: str


class EnrolError(VisionError):
    """A page can't be accepted as it lies; ``faults`` lists all that is to mend."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(" ".join(f.en for f in faults), "".join(f.ja for f in faults))
        self.faults = tuple(faults)

    def __reduce__(self) -> tuple[type[EnrolError], tuple[tuple[Fault, ...]]]:  # type: ignore[override]
        return type(self), (self.faults,)


@dataclass(frozen=True)
class Page:
    """One accepted page: for each name the two strips (upper end, lower end) and what the namer makes of them."""

    page: str
    names: tuple[str, ...]
    strips: tuple[tuple[Picture, Picture], ...]
    looks: Looks


def page_places(page: str, mat_mm: tuple[float, float]) -> dict[str, tuple[float, float]]:
    """Where each card of a page lies: its centre in mat mm by name.

    Raises:
        ValueError: there is no such page.
    """
    cx, cy = mat_mm[0] / 2, mat_mm[1] / 2
    if page == "seven":
        dx, dy = _SEVEN_PITCH
        return {
            str(Card(suit, suit.lowest + row)): (cx + (column - 3) * dx, cy + (row - 3) * dy)
            for column, suit in enumerate(Suit)
            for row in range(7)
        }
    if page not in PAGES:
        raise ValueError(f"there is no page {page!r}: the pages are {', '.join(PAGES)}")
    dx, dy = _PAPER_PITCH
    places = {
        f"{kind}/{page}": (cx + (k % 4 - 1.5) * dx, cy + (k // 4 - 1.5) * dy) for k, kind in enumerate(PAPER_KINDS)
    }
    places[BACK] = (cx + _BACK_RIGHT_MM, cy)
    return places


def spoken(name: str) -> tuple[str, str]:
    """A card's name for a player, in English and Japanese."""
    if name == BACK:
        return "the face-down card", "裏向きのカード"
    if "/" in name:
        return f"the paper card {name.split('/')[0]}", f"論文カード {name.split('/')[0]}"
    card = Card.parse(name)
    return card.en, card.ja


def _list(names: Sequence[str]) -> tuple[str, str]:
    said = [spoken(n) for n in names[:6]]
    more = len(names) - len(said)
    en = ", ".join(s[0] for s in said) + (f" and {more} more" if more else "")
    ja = "、".join(s[1] for s in said) + (f" ほか{more}枚" if more else "")
    return en, ja


def read_page(reader: Reader, page: str, picture: Picture, mat_mm: tuple[float, float] | None = None) -> Page:
    """Check one page and cut its cards out.

    Args:
        reader: finds and describes the cards.
        page: ``seven``, ``review`` or ``complete``.
        picture: the still picture of the page, (h, w, 3) BGR uint8.
        mat_mm: the mat's size, measured from the markers where absent.

    Raises:
        EnrolError: the page is not as it should be; every fault is listed.
        MatError: the mat can't be measured.
    """
    mat = find_mat(picture, mat_mm)
    if mat.min_px_per_mm < MIN_PX_PER_MM:
        raise EnrolError([_too_small(page, mat)])
    light = Light.measure(picture, mat)
    places = page_places(page, mat.size_mm)
    cards, faults = _find_cards(reader.find(picture, mat, light), page, places, mat)
    if faults:
        raise EnrolError(faults)
    names = tuple(places)
    ends = [end for name in names for end in cards[name]]
    wide, looks = reader.look(picture, mat, light, ends)
    strips = [np.ascontiguousarray(narrow(strip)) for strip in wide]
    pairs = tuple((strips[2 * k], strips[2 * k + 1]) for k in range(len(names)))
    faults = _quality(page, names, [raw_strip(picture, mat, end) for end in ends]) or _order(page, names, looks)
    if faults:
        raise EnrolError(faults)
    return Page(page, names, pairs, looks)


def enrol(
    reader: Reader,
    name: str,
    seven: Picture,
    review: Picture,
    complete: Picture,
    mat_mm: tuple[float, float] | None = None,
) -> Deck:
    """Learn the deck from its three pages.

    Raises:
        EnrolError: something on a page is to mend; the faults of all three pages are listed.
        MatError: the mat can't be measured in a picture.
    """
    pages: list[Page] = []
    faults: list[Fault] = []
    for page, picture in zip(PAGES, (seven, review, complete), strict=True):
        try:
            pages.append(read_page(reader, page, picture, mat_mm))
        except EnrolError as error:
            faults += error.faults
    if not faults:
        faults += _sides(pages[1], pages[2])
    if faults:
        raise EnrolError(faults)
    cards: list[DeckCard] = []
    rows: list[int] = []
    at = 0
    for learnt in pages:
        for k, card in enumerate(learnt.names):
            if not (card == BACK and learnt.page == "complete"):  # one back is enough
                cards.append(DeckCard(card, learnt.strips[k]))
                rows += [at + 2 * k, at + 2 * k + 1]
        at += 2 * len(learnt.names)
    looks = Looks(
        *(np.concatenate([getattr(p.looks, part) for p in pages])[rows] for part in ("embedding", "rank", "suit"))
    )
    return Deck(name, tuple(cards), looks, reader.model)


def look_alikes(deck: Deck) -> list[tuple[str, str]]:
    """Pairs of cards of this deck whose upper ends look too alike to be told apart with ease."""
    upper = deck.looks.embedding[0::2]
    like = upper @ upper.T
    names = deck.names
    return [(names[i], names[j]) for i in range(len(names)) for j in range(i) if like[i, j] > _ALIKE]


def _too_small(page: str, mat: Mat) -> Fault:
    return Fault(
        page,
        (),
        f"The {page} page has only {mat.min_px_per_mm:.1f} pixels a millimetre, {MIN_PX_PER_MM} are needed: "
        "bring the camera nearer or use a sharper one.",
        f"{page} ページは1ミリあたり{mat.min_px_per_mm:.1f}画素しかありません（{MIN_PX_PER_MM}以上必要）。"
        "カメラを近づけてください。",
    )


def _find_cards(
    ends: Sequence[End], page: str, places: dict[str, tuple[float, float]], mat: Mat
) -> tuple[dict[str, tuple[End, End]], list[Fault]]:
    """The two ends of the card on each place, or what is wrong."""
    cards: dict[str, tuple[End, End]] = {}
    missing: list[str] = []
    turned: list[str] = []
    off: list[str] = []
    for name, (x, y) in places.items():
        here = [e for e in ends if math.dist(e.centre, (x, y)) < _REACH_MM and e.score > 0.35]
        upright = [e for e in here if abs((e.angle + 180) % 360 - 180) < _TILT_DEG]
        upside = [e for e in here if abs((e.angle) % 360 - 180) < _TILT_DEG]
        if not here:
            near = [e for e in ends if math.dist(e.centre, (x, y)) < 1.9 * _REACH_MM]
            (off if near else missing).append(name)
            continue
        if not upright and not upside:
            turned.append(name)
            continue
        cards[name] = _both_ends(upright, upside)
    faults = []
    if len(missing) > len(places) / 2:
        faults.append(
            Fault(
                page,
                tuple(missing),
                f"The {page} page is not laid out as it should be: only {len(places) - len(missing)} of {len(places)} "
                f"cards were found on their places. Check that this is the {page} page and that the picture shows "
                "the cards clearly.",
                f"{page} ページの並べ方が違います。"
                f"{len(places)}枚のうち{len(places) - len(missing)}枚しか見つかりません。"
                "ページと写真を確かめてください。",
            )
        )
        return cards, faults
    for names, en, ja in (
        (
            missing,
            "is missing on the {page} page: lay it on its place.",
            "が {page} ページにありません。所定の位置に置いてください。",
        ),
        (
            off,
            "does not lie on its place on the {page} page: move it there.",
            "が {page} ページの所定の位置にありません。動かしてください。",
        ),
        (
            turned,
            "lies askew on the {page} page: lay it upright.",
            "が {page} ページで傾いています。まっすぐ置いてください。",
        ),
    ):
        if names:
            said = _list(names)
            text = en.format(page=page)
            if len(names) > 1:
                text = text.replace("is missing", "are missing").replace(
                    "does not lie on its place", "do not lie on their places"
                )
                text = (
                    text.replace("lies askew", "lie askew")
                    .replace("lay it", "lay them")
                    .replace("move it", "move them")
                )
            faults.append(Fault(page, tuple(names), f"{said[0].capitalize()} {text}", said[1] + ja.format(page=page)))
    return cards, faults


def _both_ends(upright: Sequence[End], upside: Sequence[End]) -> tuple[End, End]:
    top = max(upright, key=lambda e: e.score, default=None)
    bottom = max(upside, key=lambda e: e.score, default=None)
    if top is not None and bottom is not None:
        (ax, ay), (bx, by) = top.centre, bottom.centre
        x, y = (ax + bx) / 2, (ay + by) / 2
        angle = math.degrees(math.atan2(bottom.y - top.y, bottom.x - top.x) - math.atan2(70.0, 45.0))
    elif top is not None:
        (x, y), angle = top.centre, top.angle
    elif bottom is not None:
        (x, y), angle = bottom.centre, bottom.angle + 180
    else:
        raise ValueError("no end given")
    return end_of_card(x, y, angle), end_of_card(x, y, angle + 180)


def _quality(page: str, names: Sequence[str], raw: Sequence[Picture]) -> list[Fault]:
    """Glare on a card, and pages out of focus, from two raw strips a card."""
    burnt = []
    for k, name in enumerate(names):
        shares = [burnt_share(strip) for strip in raw[2 * k : 2 * k + 2]]
        if max(shares) > _GLARE_SHARE and max(shares) > 3 * min(shares) + 0.05:
            burnt.append(name)
    sharp = [sharpness(strip) for strip in raw[0::2]]
    faults = []
    if burnt:
        en, ja = _list(burnt)
        faults.append(
            Fault(
                page,
                tuple(burnt),
                f"Glare lies over {en} on the {page} page: move the lamp or tilt the card.",
                f"{page} ページの{ja}が光っています。照明の位置を変えてください。",
            )
        )
    if float(np.median(sharp)) < _BLUR:
        faults.append(
            Fault(
                page,
                (),
                f"The {page} page is blurred: focus the camera and keep it still.",
                f"{page} ページがぼやけています。ピントを合わせ、カメラを動かさないでください。",
            )
        )
    return faults


def _kind_of(looks: Looks, k: int) -> str:
    """``seven``, ``paper`` or ``back``, from the rank head of an upper end."""
    row = looks.rank[2 * k]
    paper, back = float(row[13]), float(row[14])
    best = float(row[:13].max())
    return "seven" if best >= max(paper, back) else "paper" if paper > back else "back"


def _order(page: str, names: Sequence[str], looks: Looks) -> list[Fault]:
    """Cards that lie on each other's place, cards of which two are there, and cards of another sort."""
    faults: list[Fault] = []
    wanted = ["back" if n == BACK else "paper" if "/" in n else "seven" for n in names]
    odd = [n for k, n in enumerate(names) if wanted[k] != _kind_of(looks, k)]
    if len(odd) > len(names) / 3:
        faults.append(
            Fault(
                page,
                tuple(odd),
                f"This does not look like the {page} page: check which picture is which.",
                f"{page} ページではないようです。写真を確かめてください。",
            )
        )
        return faults
    return _sevens_out_of_place(names, looks) if page == "seven" else []


def _place_cost(cards: Sequence[Card], looks: Looks) -> Doubles:
    """What it costs to believe that the card found on place i belongs on place j, (49, 49), in log odds.

    By its rank, and by how far its suit vector lies from those of the column's other cards. In a deck whose suits the
    namer hardly tells apart that distance counts less; two cards out of place do not change the deck's own measure.
    """
    rank = np.maximum(looks.rank[0::2, :13], looks.rank[1::2, :13]).clip(-8.0)
    suit = looks.suit[0::2]
    away = np.zeros((len(cards), len(cards)))
    for j, place in enumerate(cards):
        mates = [k for k, c in enumerate(cards) if c.suit == place.suit]
        for i in range(len(cards)):
            middle = suit[[k for k in mates if k not in (i, j)]].mean(0)
            away[i, j] = 1 - float(suit[i] @ middle) / float(np.linalg.norm(middle))
    weight = min(_SUIT_WEIGHT, _SUIT_NOISE / float(np.percentile(np.diag(away), 90)))
    ranks = np.array([card.rank - 1 for card in cards])
    return np.asarray(weight * away - rank[:, ranks], np.float64)


def _sevens_out_of_place(names: Sequence[str], looks: Looks) -> list[Fault]:
    """Cards in each other's place, cards laid twice, and cards on a place that is not theirs."""
    cards = [Card.parse(n) for n in names]
    cost = _place_cost(cards, looks)
    own = np.diag(cost)
    gain = own[:, None] + own[None, :] - cost - cost.T
    faults = []
    used: set[int] = set()
    for flat in np.argsort(-gain, axis=None):
        i, j = divmod(int(flat), len(cards))
        if gain[i, j] < _MUTUAL_SWAP:
            break
        mutual = min(own[i] - cost[i, j], own[j] - cost[j, i]) >= _EACH
        if i == j or used & {i, j} or (gain[i, j] < _SWAP and not mutual):
            continue
        used |= {i, j}
        faults.append(_swapped(names, i, j))
    faults += _twins(names, looks, own, cost, used)
    faults += _misplaced(cards, own, cost, used)
    return faults


def _swapped(names: Sequence[str], i: int, j: int) -> Fault:
    a, b = sorted((i, j))
    (en_a, ja_a), (en_b, ja_b) = spoken(names[a]), spoken(names[b])
    return Fault(
        "seven",
        (names[a], names[b]),
        f"The cards {en_a} and {en_b} lie in each other's place on the seven page: swap them.",
        f"seven ページの{ja_a}と{ja_b}が入れ替わっています。入れ替えてください。",
    )


def _twins(names: Sequence[str], looks: Looks, own: Doubles, cost: Doubles, used: set[int]) -> list[Fault]:
    """Cards of which a second one lies on another's place: they look the same, and one fits its place far worse.

    Looking the same is not enough: in some decks two suits differ in little.
    """
    upper = looks.embedding[0::2]
    like = upper @ upper.T
    faults = []
    for i in range(len(names)):
        for j in range(len(names)):
            if i == j or used & {i, j} or like[i, j] < _TWIN or own[j] - cost[j, i] < _TWIN_COST:
                continue
            used |= {i, j}
            if own[i] > cost[i, j]:  # the other one fits this place better too: no second copy, but two look-alikes
                faults.append(_swapped(names, i, j))
                continue
            (a, aj), (b, bj) = spoken(names[i]), spoken(names[j])
            faults.append(
                Fault(
                    "seven",
                    (names[i], names[j]),
                    f"On the place of {b} on the seven page lies a second {a}, it seems: lay {b} there, and take out "
                    "cards of another deck.",
                    f"seven ページの{bj}の位置に2枚目の{aj}があるようです。{bj}を置いてください。"
                    "別のデッキのカードは取り除いてください。",
                )
            )
    return faults


def _misplaced(cards: Sequence[Card], own: Doubles, cost: Doubles, used: set[int]) -> list[Fault]:
    """Single cards whose rank is clearly another than the place's, as when three cards went round."""
    faults = []
    for i, card in enumerate(cards):
        best = int(cost[i].argmin())
        if i in used or own[i] - cost[i, best] < _MISPLACED:
            continue
        en, ja = spoken(str(card))
        seen_en, seen_ja = spoken(str(DECK[best]))
        faults.append(
            Fault(
                "seven",
                (str(card),),
                f"On the place of {en} on the seven page lies what looks like {seen_en}: lay {en} there.",
                f"seven ページの{ja}の位置に{seen_ja}のようなカードがあります。{ja}を置いてください。",
            )
        )
    return faults


def _titles(page: Page) -> list[Floats]:
    """Each paper's title region as edges, free of ground colour and ink: (h, w) float, zero mean, unit norm."""
    out = []
    for pair in page.strips[: len(PAPER_KINDS)]:
        grey = cv2.cvtColor(pair[0], cv2.COLOR_BGR2GRAY).astype(np.float32)
        body = np.abs(cv2.GaussianBlur(grey, (0, 0), 1.0) - cv2.GaussianBlur(grey, (0, 0), 6.0))[6:-4, 16:-16]
        body -= body.mean()
        out.append(body / max(1e-6, float(np.linalg.norm(body))))
    return out


def _sides(review: Page, complete: Page) -> list[Fault]:
    """Papers that lie in each other's place on one of the two pages: both sides of a kind carry the same title.

    Where the two sides of this deck's papers have no title in common, nothing can be said and nothing is.
    """
    a, b = _titles(review), _titles(complete)
    n = len(PAPER_KINDS)
    like = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            inner = b[j][4:-4, 6:-6]
            like[i, j] = float(cv2.matchTemplate(a[i], inner, cv2.TM_CCOEFF_NORMED).max())
    right = sum(int(like[i].argmax() == i) for i in range(n))
    if right < n - 6:
        return []
    faults = []
    done: set[int] = set()
    for i in range(n):
        j = int(like[i].argmax())
        crossed = like[i, j] + like[j, i] - like[i, i] - like[j, j]
        if j != i and crossed > 0.25 and not done & {i, j}:
            done |= {i, j}
            a_kind, b_kind = PAPER_KINDS[min(i, j)], PAPER_KINDS[max(i, j)]
            faults.append(
                Fault(
                    "complete",
                    (a_kind, b_kind),
                    f"The paper cards {a_kind} and {b_kind} lie in each other's place on the review or "
                    "the complete page: check both pages.",
                    f"論文カード {a_kind} と {b_kind} が review か complete のページで入れ替わっています。"
                    "両方のページを確かめてください。",
                )
            )
    return faults
