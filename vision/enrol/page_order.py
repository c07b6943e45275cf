"""Whether the cards of an enrolment page lie in each other's place, from the embeddings of a deck never seen before.

Ranks can be read in most decks, suits can't: which sign is the onion is the deck's own affair. What holds in any deck
is that a column's cards share their suit's sign and ink, and that both sides of a paper carry the same title. Each cue
counts as much as it is worth in this deck: where ranks are hardly read, or suits hardly differ, less is said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import cv2
import numpy as np

from referee.papers import PaperCard
from referee.registry import load_papers
from rules.cards import DECK, Card, Suit
from rules.text import Text, join_numbers
from vision.arrays import Doubles, Floats
from vision.config import CONFIG
from vision.enrol.pages import Page, PageFault, name_card, name_page
from vision.enrol.paper_order import describe_places
from vision.identify.deck import PAPER_KINDS, Template
from vision.identify.embedder import Embeddings

_ORDER_CUES = CONFIG.enrol.order_cues
_SEVEN_ORDER = CONFIG.enrol.seven_order
_PAPER_ORDER = CONFIG.enrol.paper_order


def find_seven_out_of_order(page: Page) -> list[PageFault]:
    """Find what lies on another card's place on the seven page: the whole page, columns, or single cards."""
    rank = np.maximum(page.embeddings.rank[0::2, :13], page.embeddings.rank[1::2, :13]).clip(_ORDER_CUES.rank_floor)
    unlike = _unlike_suits(page)
    fault = _whole_page(rank, unlike) or _find_swapped_columns(rank)
    return [fault] if fault else _find_single_cards(page, rank, unlike)


def find_papers_out_of_order(review: Page, complete: Page, papers: Mapping[str, PaperCard]) -> list[PageFault]:
    """Find papers whose two sides don't fit together: turned to the same side, turned round, swapped, or laid twice.

    ``papers`` are the kinds by name, of which is spoken.
    """
    same = _find_same_sides(review, complete)
    if same:
        return same
    faults = _find_swapped_papers(review, complete, papers)
    named = {name.split("/")[0] for fault in faults for name in fault.cards}
    return faults + [fault for fault in _find_turned_papers(review, complete) if fault.cards[0] not in named]


# The seven page


def _unlike_suits(page: Page) -> list[Doubles]:
    """Measure how unlike two cards (49, 49) are as suits, by each cue, 1 being usual within a column of this deck."""
    suit = page.embeddings.suit[0::2]
    suit = suit / np.linalg.norm(suit, axis=1, keepdims=True)
    ink = np.stack([Template.from_crop(crops[0], _ORDER_CUES.whole_crop_px).ink_colour for crops in page.crops])
    angle = np.degrees(np.arccos(np.clip(ink @ ink.T, -1, 1))).astype(np.float64)
    blank = ~ink.any(axis=1)
    angle[blank] = angle[:, blank] = np.nan
    return [np.asarray(1 - suit @ suit.T, np.float64), angle]


def _whole_page(rank: Floats, unlike: Sequence[Doubles]) -> PageFault | None:
    """Tell whether the page was laid the wrong way round as a whole, and report that."""
    ways: tuple[tuple[Text, Callable[[int, int], tuple[int, int]]], ...] = (
        (Text(), lambda c, r: (c, r)),
        (Text("each column runs from the highest rank down"), lambda c, r: (c, 6 - r)),
        (Text("the suits run from right to left"), lambda c, r: (6 - c, r)),
        (Text("the page lies upside down"), lambda c, r: (6 - c, 6 - r)),
    )
    read = []
    for _, way in ways:
        cards = [DECK[7 * c + r] for c, r in (way(k // 7, k % 7) for k in range(len(DECK)))]
        read.append(np.array([rank[k, card.rank - 1] for k, card in enumerate(cards)]))
    sums = [float(r.sum()) for r in read]
    best = int(np.argmax(sums))
    if (
        best
        and sums[best] - sums[0] > _SEVEN_ORDER.whole_page_odds
        and float(np.median(read[best])) > _SEVEN_ORDER.min_read
    ):
        how = ways[best][0]
    elif _in_rows(unlike):
        how = Text("each suit lies in a row")
    else:
        return None
    text = Text(
        "On the page of SEVEN cards {how}: lay heart, onion, book, coin, star, time, coffin from left to right, "
        "each from its lowest rank down.",
        how=how,
    )
    return PageFault("seven", (), text, doubtful=True)


def _in_rows(unlike: Sequence[Doubles]) -> bool:
    column, row = np.arange(49) // 7, np.arange(49) % 7
    across = (row[:, None] == row) & (column[:, None] != column)
    down = (column[:, None] == column) & (row[:, None] != row)
    agrees = []
    for cue, noise in zip(unlike, (_ORDER_CUES.suit_noise, _ORDER_CUES.ink_noise_deg), strict=True):
        if not np.isnan(cue[across]).all() and not np.isnan(cue[down]).all():
            beside, below = float(np.nanmedian(cue[across])), float(np.nanmedian(cue[down]))
            agrees.append(below > noise and beside < _SEVEN_ORDER.rows_share * below)
    return bool(agrees) and all(agrees)


def _find_swapped_columns(rank: Floats) -> PageFault | None:
    """Find whole columns that lie on each other's place: their ranks begin where another suit's do."""
    wrong: list[Suit] = []
    for column, suit in enumerate(Suit):
        cards = rank[7 * column : 7 * column + 7]
        fit = [sum(float(cards[row, other.lowest - 1 + row]) for row in range(7)) for other in Suit]
        if max(fit) - fit[column] > _SEVEN_ORDER.column_odds and max(fit) / 7 > _SEVEN_ORDER.min_read:
            wrong.append(suit)
    if len(wrong) < 2:
        return None
    text = Text(
        "Whole columns lie in each other's place on the page of SEVEN cards ({suits}): swap them, so "
        "that the suits run heart, onion, book, coin, star, time, coffin from left to right.",
        suits=join_numbers(wrong),
    )
    return PageFault(
        "seven", tuple(str(Card(suit, rank)) for suit in wrong for rank in suit.ranks), text, doubtful=True
    )


def _compute_costs(rank: Floats, unlike: Sequence[Doubles]) -> Doubles:
    """Compute the cost of believing that the card found on place i belongs on place j, (49, 49), in log odds."""
    ranks = np.array([card.rank - 1 for card in DECK])
    read = rank[:, ranks]
    worst = -float(np.percentile(np.diag(read), 10))
    cost = -min(1.0, _ORDER_CUES.rank_noise / max(worst, 1e-6)) * read.astype(np.float64)
    for cue, least in zip(unlike, (_ORDER_CUES.suit_noise, _ORDER_CUES.ink_noise_deg), strict=True):
        away = _from_mates(cue)
        usual = np.diag(away)
        if np.isnan(usual).mean() > 0.5:
            continue
        noise = max(least, float(np.nanpercentile(usual, 90)))
        cost += np.nan_to_num(np.minimum((away / noise) ** 2, _ORDER_CUES.max_unlike), nan=_ORDER_CUES.unknown)
    return cost


def _from_mates(unlike: Doubles) -> Doubles:
    """Measure how unlike card i is to place j's column mates, (49, 49): the median, so a stray mate does no harm."""
    away = np.full((49, 49), np.nan)
    for i in range(49):
        for column in range(7):
            mates = unlike[i, [k for k in range(7 * column, 7 * column + 7) if k != i]]
            if not np.isnan(mates).all():
                away[i, 7 * column : 7 * column + 7] = np.nanmedian(mates)
    return away


def _find_single_cards(page: Page, rank: Floats, unlike: Sequence[Doubles]) -> list[PageFault]:
    """Find cards in each other's place, cards laid twice, and cards on a place that is not theirs."""
    cost = _compute_costs(rank, unlike)
    own = np.diag(cost).copy()
    gain = own[:, None] - cost
    np.fill_diagonal(gain, -np.inf)
    upper = page.embeddings.vectors[0::2]
    like = upper @ upper.T
    both = gain + gain.T
    faults: list[PageFault] = []
    used: set[int] = set()
    for flat in np.argsort(-both, axis=None):
        i, j = divmod(int(flat), 49)
        if both[i, j] < _SEVEN_ORDER.swap_odds:
            break
        mutual = min(gain[i, j], gain[j, i]) >= _SEVEN_ORDER.each_odds
        if not used & {i, j} and (mutual or _is_left_over(i, j, own, gain) or _is_left_over(j, i, own, gain)):
            used |= {i, j}
            faults.append(_report_swap("seven", page.names[min(i, j)], page.names[max(i, j)]))
    rare = float(np.percentile(like[~np.eye(49, dtype=bool)], 99)) + _SEVEN_ORDER.striking_cosine
    for i in sorted(set(range(49)) - used):
        j = int(gain[i].argmax())
        twin = int(np.where(np.arange(49) == i, -1, like[i]).argmax())
        if like[i, j] > _SEVEN_ORDER.same_cosine and gain[i, j] > _SEVEN_ORDER.second_copy_odds and j not in used:
            faults.append(_other_card(page.names[i], page.names[j], second=True))
        elif gain[i, j] > _SEVEN_ORDER.misplaced_odds:
            faults.append(_other_card(page.names[i], page.names[j], second=False))
        elif (
            like[i, twin] > max(_SEVEN_ORDER.same_cosine, rare)
            and own[i] > max(_SEVEN_ORDER.poor_cost, own[twin] + _SEVEN_ORDER.each_odds)
            and twin not in used
        ):
            faults.append(_other_card(page.names[i], page.names[twin], second=True))
    return faults


def _is_left_over(i: int, j: int, own: Doubles, gain: Doubles) -> bool:
    """Tell whether place i surely holds j's card, while j's place holds one that fits neither there nor elsewhere."""
    return bool(
        gain[i, j] > _SEVEN_ORDER.misplaced_odds
        and own[j] > _SEVEN_ORDER.poor_cost
        and gain[j].max() < _SEVEN_ORDER.second_copy_odds
    )


def _report_swap(page: str, a: str, b: str) -> PageFault:
    text = Text(
        "The cards {one} and {other} lie in each other's place on the {page}: swap them.",
        one=name_card(a),
        other=name_card(b),
        page=name_page(page),
    )
    return PageFault(page, (a, b), text, doubtful=True)


def _other_card(place: str, seen: str, second: bool) -> PageFault:
    cards = {"card": name_card(place), "seen": name_card(seen)}
    if second:
        text = Text(
            "On the place of {card} on the page of SEVEN cards lies a second {seen}, it seems: lay {card} there, "
            "and take out cards of another deck.",
            **cards,
        )
        return PageFault("seven", (seen, place), text, doubtful=True)
    text = Text(
        "On the place of {card} on the page of SEVEN cards lies what looks like {seen}: lay {card} there.", **cards
    )
    return PageFault("seven", (place,), text, doubtful=True)


# The two paper pages


def _upper_and_lower(embeddings: Embeddings) -> tuple[Floats, Floats]:
    """Return the embeddings of the papers' upper and lower corners as unit vectors, (16, 128) each."""
    last = 2 * len(PAPER_KINDS)
    return embeddings.vectors[0:last:2], embeddings.vectors[1:last:2]


def _find_same_sides(review: Page, complete: Page) -> list[PageFault]:
    """Find papers that show the same side on both pages, judged by how alike both corners are."""
    (up, low), (up_c, low_c) = _upper_and_lower(review.embeddings), _upper_and_lower(complete.embeddings)
    like = np.minimum((up * up_c).sum(axis=1), (low * low_c).sum(axis=1))
    usual = float(np.median(like))
    if usual > _PAPER_ORDER.page_same_side:
        return [
            PageFault(
                "complete",
                (),
                Text(
                    "The under-review page and the complete page show the same side of the papers: turn them "
                    "all over for one of the two pictures."
                ),
                doubtful=True,
            )
        ]
    faults = []
    for k, kind in enumerate(PAPER_KINDS):
        if like[k] < _PAPER_ORDER.same_side or like[k] < usual + _PAPER_ORDER.stands_out:
            continue
        others = [n for n in range(len(PAPER_KINDS)) if n != k]
        as_review = float(np.median(low[others] @ low[k]) + np.median(up[others] @ up[k]))
        as_complete = float(np.median(low_c[others] @ low[k]) + np.median(up_c[others] @ up[k]))
        page = "complete" if as_review > as_complete else "review"
        faults.append(report_same_side(page, f"{kind}/{page}"))
    return faults


def report_same_side(page: str, name: str) -> PageFault:
    """Report that a paper shows the same side on both pages; on ``page`` it is to be turned."""
    text = Text(
        "{card!c} shows the same side on both pages: turn it over on the {page}.",
        card=name_card(name),
        page=name_page(page),
    )
    return PageFault(page, (name,), text, doubtful=True)


def _find_turned_papers(review: Page, complete: Page) -> list[PageFault]:
    """Find papers that lie upside down on one of the two pages."""
    (up, low), (up_c, low_c) = _upper_and_lower(review.embeddings), _upper_and_lower(complete.embeddings)
    upright = (up * up_c).sum(axis=1) + (low * low_c).sum(axis=1)
    turned = (up * low_c).sum(axis=1) + (low * up_c).sum(axis=1)
    faults = []
    for k in np.flatnonzero(turned - upright > _PAPER_ORDER.turned):
        kind = PAPER_KINDS[int(k)]
        text = Text(
            "{card!c} lies upside down on one of the two pages: turn it round.", card=name_card(f"{kind}/review")
        )
        faults.append(PageFault("complete", (kind,), text, doubtful=True))
    return faults


def _extract_titles(page: Page) -> list[Floats]:
    """Extract each paper's title region as edges, free of ground colour and ink: (h, w) float, zero mean, unit norm."""
    out = []
    for pair in page.crops[: len(PAPER_KINDS)]:
        grey = cv2.cvtColor(pair[0], cv2.COLOR_BGR2GRAY).astype(np.float32)
        body = np.abs(cv2.GaussianBlur(grey, (0, 0), 1.0) - cv2.GaussianBlur(grey, (0, 0), 6.0))[6:-4, 16:-16]
        body -= body.mean()
        out.append(body / max(1e-6, float(np.linalg.norm(body))))
    return out


def _find_swapped_papers(review: Page, complete: Page, papers: Mapping[str, PaperCard]) -> list[PageFault]:
    """Find papers that lie in each other's place on one of the two pages, or of which one page shows two.

    Where the two sides of this deck's papers have no title in common, nothing can be said and nothing is.
    """
    a, b = _extract_titles(review), [title[4:-4, 6:-6] for title in _extract_titles(complete)]
    like = _upper_and_lower(review.embeddings)[0] @ _upper_and_lower(complete.embeddings)[0].T
    for i, title in enumerate(a):
        for j, inner in enumerate(b):
            like[i, j] += float(cv2.matchTemplate(title, inner, cv2.TM_CCOEFF_NORMED).max())
    n = len(PAPER_KINDS)
    own = np.diag(like).copy()
    if int((like.argmax(axis=1) == np.arange(n)).sum()) < _PAPER_ORDER.known_titles:
        return []
    both = like + like.T - own[:, None] - own
    np.fill_diagonal(both, -np.inf)
    faults: list[PageFault] = []
    done: set[int] = set()
    for flat in np.argsort(-both, axis=None):
        i, j = divmod(int(flat), n)
        if both[i, j] < _PAPER_ORDER.paper_swap:
            break
        if not done & {i, j} and min(like[i, j] - own[i], like[j, i] - own[j]) > 0:
            done |= {i, j}
            faults.append(_swapped_kinds(min(i, j), max(i, j), papers))
    for page, fits in ((review, like), (complete, like.T)):
        upper = _upper_and_lower(page.embeddings)[0]
        for i in range(n):
            j = int(fits[i].argmax())
            twins = float(upper[i] @ upper[j]) > _SEVEN_ORDER.same_cosine
            if j != i and i not in done and twins and fits[i, j] - own[i] > _PAPER_ORDER.paper_misplaced:
                faults.append(_second_paper(page.page, PAPER_KINDS[i], PAPER_KINDS[j]))
    return faults


def _swapped_kinds(a: int, b: int, papers: Mapping[str, PaperCard]) -> PageFault:
    one, other = papers[PAPER_KINDS[a]], papers[PAPER_KINDS[b]]
    text = Text(
        "The papers {one} and {other} lie in each other's place on one of the two pages: {belongs}.",
        one=one,
        other=other,
        belongs=describe_places((a, b), papers),
    )
    return PageFault("complete", (PAPER_KINDS[a], PAPER_KINDS[b]), text, doubtful=True)


def _second_paper(page: str, place: str, seen: str) -> PageFault:
    text = Text(
        "On the place of {card} on the {page} lies a second paper card {seen}, it seems: lay {card} there.",
        card=name_card(f"{place}/{page}"),
        page=name_page(page),
        seen=load_papers()[seen],
    )
    return PageFault(page, (f"{seen}/{page}", f"{place}/{page}"), text, doubtful=True)
