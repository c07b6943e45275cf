"""Papers that seem to lie in each other's place on an enrolment page, by what is printed on them.

That both pages show a paper on one place proves nothing: both may be laid wrong. What may contradict a place are the
points printed on the papers, their names, and their similarity to a printed set that is known. Any deck may look like
anything, so where nothing of this is found nothing is doubted, and a doubt is no more than a question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.papers import Paper
from rules.text import Both
from vision.arrays import Picture
from vision.enrol.pages import PageFault
from vision.enrol.paper_names import PrintedPapers, mixed_up_by_faces, mixed_up_by_names
from vision.enrol.paper_points import mixed_up_by_points
from vision.enrol.paper_print import outlines_of
from vision.identify.deck import PAPER_KINDS

MixedUp = tuple[int, ...]
"""Places (0 to 15, row by row) that seem to have each other's papers."""
_ACROSS = 4
_LISTED = 6
"""Of more papers out of place it is the order that is said."""
_ON = {
    ("review",): ("on the under-review page", "査読中の面のページで"),
    ("complete",): ("on the complete page", "完成の面のページで"),
    ("review", "complete"): ("on both pages", "両方のページで"),
}


def papers_in_doubt(pages: Mapping[str, Sequence[Picture]], printed: PrintedPapers) -> list[PageFault]:
    """The doubts about the order of the papers on the two paper pages, or on the first of them.

    Args:
        pages: by page (``review``, ``complete``) the 16 papers' faces, (225, 160, 3) BGR uint8 each.
        printed: papers as they may be printed.
    """
    seen = {page: _mixed_up(page, faces, printed) for page, faces in pages.items()}
    doubts: list[MixedUp] = []
    for some in sorted((some for found in seen.values() for some in found), key=len):
        if not any(set(some) & set(other) for other in doubts):
            doubts.append(some)
    if sum(map(len, doubts)) > _LISTED:
        doubts = [tuple(sorted(set[int]().union(*doubts)))]
    told_by = [[page for page, found in seen.items() if _touched(some, found)] for some in doubts]
    return [_fault(some, told, pages, printed.papers) for some, told in zip(doubts, told_by, strict=True)]


def _mixed_up(page: str, faces: Sequence[Picture], printed: PrintedPapers) -> list[MixedUp]:
    """What is mixed up on one page; the cue that tells papers of equal points apart is believed first."""
    outlines = outlines_of(faces)
    points = [printed.papers[kind].points for kind in PAPER_KINDS]
    found: list[MixedUp] = []
    for cue in (
        mixed_up_by_faces(outlines, outlines_of(printed.faces[page])),
        mixed_up_by_names(outlines, printed.letterings),
        mixed_up_by_points(outlines, points),
    ):
        found += [some for some in cue if not _touched(some, found)]
    return found


def _touched(some: MixedUp, others: Sequence[MixedUp]) -> bool:
    return any(set(some) & set(other) for other in others)


def belongings(places: Sequence[int], papers: Mapping[str, Paper]) -> tuple[str, str]:
    """Where the papers of some places (0 to 15, row by row) belong, in words, as a player counts rows and columns."""
    en: list[str] = []
    ja: list[str] = []
    for place in places:
        kind, row, column = papers[PAPER_KINDS[place]], place // _ACROSS + 1, place % _ACROSS + 1
        en.append(f"{kind.text.en} {'' if en else 'belongs '}in row {row}, column {column}")
        ja.append(f"{kind.text.ja}は上から{row}段目の左から{column}番目")
    return ", ".join(en), "、".join(ja) + "に置きます"


def _fault(
    some: MixedUp, told_by: Sequence[str], pages: Mapping[str, object], papers: Mapping[str, Paper]
) -> PageFault:
    # A page that tells nothing may have been laid like the one that does, so the first page is to be laid anew.
    first = next(iter(pages))
    on, on_ja = _ON[tuple(told_by)]
    kinds = [papers[PAPER_KINDS[place]] for place in some]
    if len(some) > _LISTED:
        rows, rows_ja = zip(*(_row(number, papers) for number in range(_ACROSS)), strict=True)
        text = f"The papers seem to lie in another order {on}: lay them {'; '.join(rows)}."
        text_ja = f"論文カードの順番が{on_ja}違っているようです（{'、'.join(rows_ja)}の順に並べてください）。"
    else:
        belongs, belongs_ja = belongings(some, papers)
        few = len(some) == 2
        who, which = ("The papers", "") if few else ("Some of the papers", "のうちいくつか")
        names, names_ja = _listed([kind.text.en for kind in kinds]), "と".join(f"「{kind.text.ja}」" for kind in kinds)
        text = f"{who} {names} seem to lie in each other's place {on}: {belongs}."
        text_ja = f"論文カード{names_ja}{which}が{on_ja}入れ替わっているようです（{belongs_ja}）。"
    return PageFault(first, tuple(PAPER_KINDS[place] for place in some), Both(text, text_ja), doubtful=True)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1]


def _row(number: int, papers: Mapping[str, Paper]) -> tuple[str, str]:
    """One row of the page in words."""
    kinds = [papers[kind] for kind in PAPER_KINDS[_ACROSS * number : _ACROSS * (number + 1)]]
    words = _listed([kind.text.en for kind in kinds])
    return f"{words} in row {number + 1}", f"{number + 1}段目は{'・'.join(kind.text.ja for kind in kinds)}"
