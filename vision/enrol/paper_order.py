"""Papers that seem to lie in each other's place on an enrolment page, by what is printed on them.

That both pages show a paper on one place proves nothing: both may be laid wrong. What may contradict a place are the
points printed on the papers, their names, and their similarity to a printed set that is known. Any deck may look like
anything, so where nothing of this is found nothing is doubted, and a doubt is no more than a question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

from referee.papers import PaperCard
from rules.text import Text, in_context, join_names, join_row, join_with_and
from vision.arrays import Picture
from vision.enrol.pages import PageFault
from vision.enrol.paper_names import PrintedPapers, find_mixed_up_by_faces, find_mixed_up_by_names
from vision.enrol.paper_points import find_mixed_up_by_points
from vision.enrol.paper_print import outlines_of
from vision.identify.deck import PAPER_KINDS

MixedUp = tuple[int, ...]
"""Places (0 to 15, row by row) that seem to have each other's papers."""
_ACROSS = 4
_LISTED = 6
"""Of more papers out of place it is the order that is said."""
_ON = {
    ("review",): Text("on the under-review page"),
    ("complete",): Text("on the complete page"),
    ("review", "complete"): Text("on both pages"),
}


def find_papers_in_doubt(pages: Mapping[str, Sequence[Picture]], printed: PrintedPapers) -> list[PageFault]:
    """List the doubts about the order of the papers on the two paper pages, or on the first of them.

    Args:
        pages: by page (``review``, ``complete``) the 16 papers' faces, (225, 160, 3) BGR uint8 each.
        printed: papers as they may be printed.
    """
    seen = {page: _find_mixed_up(page, faces, printed) for page, faces in pages.items()}
    doubts: list[MixedUp] = []
    for some in sorted((some for found in seen.values() for some in found), key=len):
        if not any(set(some) & set(other) for other in doubts):
            doubts.append(some)
    if sum(map(len, doubts)) > _LISTED:
        doubts = [tuple(sorted(set[int]().union(*doubts)))]
    told_by = [[page for page, found in seen.items() if _share_places(some, found)] for some in doubts]
    return [_make_fault(some, told, pages, printed.papers) for some, told in zip(doubts, told_by, strict=True)]


def _find_mixed_up(page: str, faces: Sequence[Picture], printed: PrintedPapers) -> list[MixedUp]:
    """Find what is mixed up on one page; the cue that tells papers of equal points apart is believed first."""
    outlines = outlines_of(faces)
    points = [printed.papers[kind].points for kind in PAPER_KINDS]
    found: list[MixedUp] = []
    for cue in (
        find_mixed_up_by_faces(outlines, outlines_of(printed.faces[page])),
        find_mixed_up_by_names(outlines, printed.letterings),
        find_mixed_up_by_points(outlines, points),
    ):
        found += [some for some in cue if not _share_places(some, found)]
    return found


def _share_places(some: MixedUp, others: Sequence[MixedUp]) -> bool:
    return any(set(some) & set(other) for other in others)


def describe_places(places: Sequence[int], papers: Mapping[str, PaperCard]) -> Text:
    """Describe where the papers of some places (0 to 15, row by row) belong, as a player counts rows and columns."""

    def describe_place(place: int, first: bool) -> Text:
        slots = {"paper": papers[PAPER_KINDS[place]], "row": place // _ACROSS + 1, "column": place % _ACROSS + 1}
        if first:
            return Text("{paper} belongs in row {row}, column {column}", **slots)
        return Text("{paper} in row {row}, column {column}", **slots)

    return Text("{places}", places=join_row(describe_place(place, not number) for number, place in enumerate(places)))


def _make_fault(
    some: MixedUp, told_by: Sequence[str], pages: Mapping[str, object], papers: Mapping[str, PaperCard]
) -> PageFault:
    # A page that tells nothing may have been laid like the one that does, so the first page is to be laid anew.
    first = next(iter(pages))
    on = _ON[tuple(told_by)]
    if len(some) > _LISTED:
        rows = reduce(
            lambda before, row: Text("{before}; {row}", before=before, row=row),
            (_describe_row(number, papers) for number in range(_ACROSS)),
        )
        text = Text("The papers seem to lie in another order {on}: lay them {rows}.", on=on, rows=rows)
    else:
        kinds = join_with_and(in_context("paper", "{paper}", paper=papers[PAPER_KINDS[place]]) for place in some)
        slots = {"papers": kinds, "on": on, "belongs": describe_places(some, papers)}
        text = (
            Text("The papers {papers} seem to lie in each other's place {on}: {belongs}.", **slots)
            if len(some) == 2
            else Text("Some of the papers {papers} seem to lie in each other's place {on}: {belongs}.", **slots)
        )
    return PageFault(first, tuple(PAPER_KINDS[place] for place in some), text, doubtful=True)


def _describe_row(number: int, papers: Mapping[str, PaperCard]) -> Text:
    """Describe one row of the page in words."""
    kinds = [papers[kind].text for kind in PAPER_KINDS[_ACROSS * number : _ACROSS * (number + 1)]]
    return Text("{papers} in row {row}", papers=join_names(kinds), row=number + 1)
