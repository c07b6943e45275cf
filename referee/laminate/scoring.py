"""The score of a finished table of Laminate Rummy, from one look and without a record of the game.

What can't have come about by the rules is a fault, and so is a card whose place leaves open whose it is; either leaves
the result open. A paper's state is what its cards say; the side it shows only has to go with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from referee.finished.score import (
    SEATS,
    Fault,
    Finished,
    Item,
    Score,
    Tally,
    area_words,
    in_two_places,
    open_faults,
    unread_words,
    with_tie_break,
)
from referee.finished.seating import Seating, compare_seatings, seat_faults
from referee.laminate.referee import REFEREE
from referee.laminate.view.layouts import PaperLayout, layout_for
from referee.laminate.view.naming import name_groups
from referee.laminate.view.observing import BACK
from referee.laminate.view.table import PaperSeen, TableView
from referee.layout import TableLayout as AnyLayout
from referee.table import Detections, Unread
from referee.zones import NameGroups
from rules import refusal as common
from rules.cards import Card
from rules.game import GameOption
from rules.laminate import refusals as because
from rules.laminate.house.kinds import with_house_papers
from rules.laminate.papers import END_FLAG, PaperKind, Papers
from rules.laminate.position import POINTS_TO_END
from rules.laminate.rules import RULES
from rules.text import Text, say_cards

Players = Sequence[Text]

_ANSWERS = ((True, Text("Yes")), (False, Text("No")))
_OVER = GameOption("over", Text("Is the game over?"), lambda _: _ANSWERS, optional=True)
"""Whether the game is over, where nothing on the table says so."""


class LaminateScoring:
    """Complete papers by seat, and what can't be."""

    rules = RULES
    cards = REFEREE.cards
    asked = (SEATS, _OVER)
    lay = Text("Leave the papers as they lie at the end of the game, each in its player's own area.")

    def make_layout(self, players: int, mat_mm: tuple[float, float]) -> PaperLayout:
        """Return the standard layout."""
        return layout_for(players, mat_mm)

    def observe(self, seen: Detections, layout: AnyLayout) -> TableView:
        """Observe papers, piles and payment spots."""
        return REFEREE.observe(seen, layout)

    def list_names(self) -> NameGroups:
        """Return SEVEN cards by suit, paper cards by side, a back."""
        return name_groups(RULES.catalogue)

    def score(self, view: TableView, finished: Finished) -> Score:
        """Score who has how many points, who wins, and what on the table can't be."""
        layout, players = finished.layout, finished.players
        assert isinstance(layout, PaperLayout), "the layout is that of this game"
        tallies = tuple(_count_tally(seat, view, _list_kinds(view)) for seat in range(1, len(players) + 1))
        unread = tuple(
            (mark, unread_words(mark, _place_words(mark, view, players, layout))) for mark in _that_matter(view, layout)
        )
        found = [*_find_faults(view, players, layout, tallies), *_seat_faults(view, finished)]
        flagged = any(paper.kind == END_FLAG for paper in view.papers)
        # With an empty hand there is no flag, though the countdown runs.
        if not (flagged or finished.told.get(_OVER.key) or any(tally.points >= POINTS_TO_END for tally in tallies)):
            found.append(Fault(None, because.perhaps_not_over(needed=POINTS_TO_END)))
        faults = open_faults(found, because.CODES, finished)
        final = tuple(tally.points for tally in tallies)
        if faults or unread:
            return Score(tallies, final, None, None, faults, unread)
        settles = [tally.settles for tally in tallies]
        return Score(tallies, final, *with_tie_break(final, settles, players, _LEVEL, _FEWEST))


# --- how many play


def compare_papers_with_seats(view: TableView) -> tuple[Seating, ...]:
    """Return what the papers say of each number of players."""
    layouts = [layout_for(number, view.mat_mm) for number in RULES.seats]
    heads = [(paper.x, paper.y) for paper in view.papers]
    return compare_seatings(heads, layouts, lambda own: _count_contradictions([view.papers[number] for number in own]))


def _count_contradictions(own: Sequence[PaperSeen]) -> int:
    """Count how often one player can't have these papers: kinds twice, the End Flag with too few points."""
    twice = sum(count - 1 for count in Counter(paper.kind for paper in own).values())
    flagged = any(paper.kind == END_FLAG for paper in own)
    # A paper of which a card can't be read may be complete.
    most = sum(RULES.find_kind(paper.kind).points for paper in own if paper.kind != END_FLAG and len(paper.cards) < 2)
    return twice + (flagged and most < POINTS_TO_END)


def _seat_faults(view: TableView, finished: Finished) -> Iterator[Fault]:
    def words(number: int) -> Text:
        return RULES.find_kind(view.papers[number].kind).text

    return seat_faults(compare_papers_with_seats(view), finished.players, words, "seats" in finished.told)


# --- points


def _list_kinds(view: TableView) -> Papers:
    """Return the built-in kinds, and the house papers that lie there."""
    return with_house_papers(sorted({paper.kind for paper in view.papers} - {kind.name for kind in RULES.catalogue}))


def _is_complete(paper: PaperSeen) -> bool:
    return len(paper.cards) == 1 and not paper.doubtful


def _count_tally(seat: int, view: TableView, catalogue: Papers) -> Tally:
    complete: list[Item] = []
    review: list[Item] = []
    for paper in view.papers:
        if paper.seat != seat:
            continue
        kind = catalogue[paper.kind]
        if _is_complete(paper):
            data = {"paper": kind.name, "card": str(paper.cards[0]), "points": kind.points}
            complete.append(Item(_with_cards(kind, paper.cards), kind.points, data))
        else:
            data = {"paper": kind.name, "cards": list(map(str, paper.cards))}
            words = _with_cards(kind, paper.cards)
            review.append(Item(Text("{paper} (under review)", paper=words), 0, data))
    groups = {"complete": tuple(complete), "review": tuple(review)}
    return Tally(seat, sum(item.points for item in complete), groups, len(complete), settles=-len(complete))


def _with_cards(kind: PaperKind, cards: Sequence[Card]) -> Text:
    names = say_cards(cards)
    return Text("{kind}: {names}", kind=kind, names=names)


_LEVEL = Text("{who} have {most} points each and {counts} complete papers")
_FEWEST = Text("{tied}: {won} wins with the fewest.")


# --- what can't be


def _find_faults(view: TableView, players: Players, layout: PaperLayout, tallies: Sequence[Tally]) -> Iterator[Fault]:
    catalogue = _list_kinds(view)
    lying = Counter(paper.kind for paper in view.papers)
    for name, count in lying.items():
        kind = catalogue[name]
        if count > kind.copies:
            for seat in sorted({paper.seat for paper in view.papers if paper.kind == name}):
                yield Fault(seat, because.more_than_supply(paper=kind.text, count=kind.copies, lying=count))
    for (seat, name), count in Counter((paper.seat, paper.kind) for paper in view.papers).items():
        if count > 1:
            yield Fault(seat, because.paper_already_held(who=players[seat - 1], paper=catalogue[name].text))
    for paper in view.papers:
        for reason in _of_paper(paper, players[paper.seat - 1], catalogue[paper.kind]):
            yield Fault(paper.seat, reason)
    for tally in tallies:
        flagged = any(paper.seat == tally.seat and paper.kind == END_FLAG for paper in view.papers)
        besides = sum(item.points for item in tally.groups["complete"] if item.data["paper"] != END_FLAG)
        doubtful = any(paper.seat == tally.seat and paper.doubtful for paper in view.papers)
        if flagged and besides < POINTS_TO_END and not doubtful:
            yield Fault(
                tally.seat, because.flag_with_too_few(who=players[tally.seat - 1], points=besides, needed=POINTS_TO_END)
            )
    yield from _find_loose(view, players, layout)
    yield from _find_doubles(view, players, layout)


def _of_paper(paper: PaperSeen, author: Text, kind: PaperKind) -> Iterator[common.Reason]:
    """Yield what is wrong with one paper for itself."""
    named, words = len(paper.cards), kind.text
    if not named and not paper.doubtful:
        yield because.paper_without_card(author=author, paper=words)
    elif kind.name == END_FLAG and named > 1:
        yield because.flag_with_one_card(who=author)
    elif paper.complete_side and named > 1:
        yield because.turn_the_paper(author, words, complete=False)
    elif not paper.complete_side and _is_complete(paper):
        yield because.turn_the_paper(author, words, complete=True)
    if named and kind.combination is not None and not kind.can_hold(paper.cards):
        alone = [card for card in paper.cards if not kind.can_hold([card])]
        rule = kind.combination.describe_rule()
        yield because.not_part_of(author=author, paper=words, rule=rule, cards=alone or paper.cards)


def _find_loose(view: TableView, players: Players, layout: PaperLayout) -> Iterator[Fault]:
    """Yield cards without a paper and papers in nobody's area; a card that lies face down is nobody's point."""
    for seen in view.loose:
        name, slash, _ = seen.name.partition("/")
        seat = layout.seat_at(seen.x, seen.y)
        if slash:
            yield Fault(None, because.paper_of_nobody(paper=RULES.find_kind(name).text))
        elif name != BACK:
            place = area_words(seat, players)
            yield Fault(seat, because.card_without_paper(place=place, card=Card.parse(name)))


def _find_doubles(view: TableView, players: Players, layout: PaperLayout) -> Iterator[Fault]:
    """Yield SEVEN cards seen in more than one place, whether the reader named them there or took them for that card."""
    places: dict[str, list[tuple[int | None, Text]]] = {}
    for paper in view.papers:
        for card in paper.cards:
            where = _paper_words(paper, players)
            places.setdefault(str(card), []).append((paper.seat, where))
    for seen in view.loose:
        seat = layout.seat_at(seen.x, seen.y)
        places.setdefault(seen.name, []).append((seat, area_words(seat, players)))
    pile = view.discard_under if view.discard_top is None else (view.discard_top, *view.discard_under)
    for card in pile:
        places.setdefault(str(card), []).append((None, _DISCARD))
    for mark in _that_matter(view, layout):
        # Of two cards that look the same the reader names neither, and both are left without a likely other name.
        if len(mark.candidates) == 1:
            seat = layout.seat_at(mark.x, mark.y)
            places.setdefault(mark.candidates[0], []).append((seat, _place_words(mark, view, players, layout)))
    yield from in_two_places(places)


# --- what can't be read


def _that_matter(view: TableView, layout: PaperLayout) -> Iterator[Unread]:
    """Yield the unread cards that may change the result: what lies on the piles does not."""
    in_papers = [mark for paper in view.papers for mark in paper.doubtful]
    for mark in view.unread:
        if mark in in_papers or layout.spot_at(mark.x, mark.y) not in ("draw", "discard"):
            yield mark


def _place_words(mark: Unread, view: TableView, players: Players, layout: PaperLayout) -> Text:
    for paper in view.papers:
        if mark in paper.doubtful:
            return _paper_words(paper, players)
    seat = layout.seat_at(mark.x, mark.y)
    return area_words(seat, players)


_DISCARD = Text("the discard pile")


def _paper_words(paper: PaperSeen, players: Players) -> Text:
    who, kind = players[paper.seat - 1], RULES.find_kind(paper.kind)
    return Text("{who}'s {kind}", who=who, kind=kind)


SCORING = LaminateScoring()
