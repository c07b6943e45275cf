"""What the players lay for each page of a deck: in words, and as a grid of names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from device.speech import Language
from referee.registry import papers
from rules.text import Text, said
from ui.screen_state import PageGrid
from vision.identify.deck import BACK, PAPER_KINDS

PAGE_WORDS: Mapping[str, Text] = {
    "seven": Text(
        "The 49 SEVEN cards, 7 × 7: heart, onion, book, coin, star, time and coffin from the left, lowest at the top.",
        "セブンのカード49枚を7×7に並べます。列は左からハート、オニオン、ブック、コイン、スター、タイム、コフィン、上が小さい数字です。",
    ),
    "review": Text(
        "The 16 papers in this order, under-review side up, and a SEVEN card face down to their right.",
        "論文カード16種類をこの順に査読中の面で並べ、右にセブンのカードを1枚裏向きに置きます。",
    ),
    "complete": Text(
        "The papers on the same places, complete side up, and the face-down card again.",
        "同じ場所に論文カードを完成の面で並べ、裏向きのカードもそのまま置きます。",
    ),
}
"""What to lay for each page."""
_FACE_DOWN = Text("face down", "裏向き")
_PAPER_PAGES = ("review", "complete")
_ACROSS = 4


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a page: which, counted from 0, of how many, and its cards."""

    number: int
    count: int
    cards: tuple[str, ...]


def laying_words(page: str, part: Part | None) -> tuple[Text, ...]:
    """What to lay for a page, or for the part of it for which the mat has room."""
    if part is None:
        return (PAGE_WORDS[page],)
    count = len(part.cards)
    return (
        Text(
            f"The mat has no room for all at once: lay these {count} in its middle, in the same rows and columns.",
            f"マットに全部は置けません。この{count}枚を、同じ並びのままマットの中央に置いてください。",
        ),
    )


def page_grid(page: str, language: Language, part: Part | None = None) -> PageGrid | None:
    """Which paper lies where on a paper page or a part of one, by the names that players know; else nothing."""
    if page not in _PAPER_PAGES:
        return None
    known = papers()
    kinds = [kind for kind in PAPER_KINDS if part is None or f"{kind}/{page}" in part.cards]
    rows: dict[int, list[str]] = {}
    for kind in kinds:
        rows.setdefault(PAPER_KINDS.index(kind) // _ACROSS, []).append(said(known[kind], language))
    aside = _FACE_DOWN.said(language) if part is None or BACK in part.cards else ""
    return PageGrid(tuple(tuple(row) for row in rows.values()), aside)
