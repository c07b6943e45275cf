"""The last part of a command's help: what lies on the pages of a deck, and which sheets can be printed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from itertools import count

from referee.papers import PaperCard
from rules.text import Language, Text, in_context, join_row

_ACROSS = 4
SHEETS = Text(
    """what there is:
  markers  the four markers, on one page
  mat      a mat with markers, seats, and the game's places: one sheet, or tiles to join with --paper A4 or A3
  papers   the paper cards, two-sided
  deck     the 49 SEVEN cards, which 'Sevenmat printed deck' knows without learning; with --game, the plain set of a
           game that has cards of its own, as many as --players need
  pages    sheets to lay the cards on when a deck is learnt: one sheet each, or tiles with --paper
  guide    a quick start and the game's rules in brief, in both languages or in that of --language

Print at 100 %, never "fit to page": every page has a ruler to check that.
"""
)


def describe_pages() -> Text:
    """Describe what lies on the enrolment pages, with the papers row by row as their players know them."""
    from cli.house_papers import list_offered
    from referee.registry import load_papers

    kinds, house = list(load_papers().values()), list(list_offered())
    rows = [join_row(map(_name_paper, kinds[first : first + _ACROSS])) for first in range(0, len(kinds), _ACROSS)]
    return Text(
        """what lies on the pages, each card upright on its place:
  seven     the SEVEN cards, 7 x 7: heart, onion, book, coin, star, time and coffin from the left,
            each from its lowest rank at the top down to its highest
  review    the 16 papers, under-review side up, 4 x 4, and a SEVEN card face down to their right:
{rows}
  complete  the papers on the same places, complete side up, and the face-down card again
  back      one SEVEN card face down in the mat's middle; with seven alone, for games without papers

House papers, which players made themselves, are learnt into a deck that is known, from two pictures more:
  sevenmat enrol --deck NAME --house-papers straight6_2p3,sum21_1p4 --review IMG --complete IMG
They lie on the papers' places in the order of their names, row by row, and nothing else. A name says what a paper
takes, its points and its copies: straight6_2p3 is a straight of six, 2 points, 3 copies; straight_flush3_2p3 three
in one suit, sets4x1_2p3 four of one rank, sets2x5_8p1 pairs of five ranks, sum21_1p4 adds to 21, sum77plus_4p2 to
77 or more, ranks_1_7_13_3p2 is A, 7 and K. The menus offer:
{house}

Papers that seem to lie in each other's place, by their points, their names, or their likeness to the set that
'sevenmat print papers' prints, are asked about; --as-laid answers that they lie right.
""",
        rows=_join_lines(map(_format_row, count(1), rows)),
        house=_join_lines(map(_house_paper, house)),
    )


def _format_row(number: int, names: Text) -> Text:
    return Text("            {number}. {names}", number=number, names=names)


def _house_paper(paper: PaperCard) -> Text:
    words = _name_paper(paper)
    return Text("  {name:28}{words}", name=paper.name, words=words)


def _name_paper(paper: PaperCard) -> Text:
    """Return a paper's name, in English with the Japanese one beside it where they differ."""
    japanese = paper.text.said(Language.JA)
    if str(paper.text) == japanese:
        return paper.text
    return in_context("paper", "{name} {japanese}", name=paper, japanese=japanese)


def _join_lines(texts: Iterable[Text]) -> Text:
    return reduce(lambda before, line: Text("{before}\n{line}", before=before, line=line), texts)
