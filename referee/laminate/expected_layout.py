"""What must lie on the table in an agreed position, and where a table view differs from it.

A ``ExpectedTable`` is the confirmed position as the camera could see it: papers by seat and kind, piles, thank-you
cards. Where papers lie within a seat's area and in which order does not matter, nor the order of the cards within a
paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from referee.laminate.view.layouts import PaperLayout
from referee.laminate.view.table import PaperSeen, TableView
from referee.table import Sighting, Unread
from rules.cards import Card
from rules.laminate.papers import LAMINATE, Papers
from rules.laminate.position import Position

PaperKey = tuple[int, str]
"""A paper's author and kind: nobody has two of a kind."""


@dataclass(frozen=True)
class Agreed:
    """What everybody agrees on: the position, and what lies on the table beyond it.

    ``position`` holds public information only, and knows whatever the table has shown in the discard pile: it is
    told so here, whoever makes an ``Agreed``, so that no placing of a card can pass it by. ``thanks`` counts by seat
    the thank-you cards of the last publication that nobody has seen taken away yet.

    What no move tells and the look that led here showed: ``shown`` names set-up discards by their place in the
    discard pile, 0 the lowest; ``peeping`` are all those seen below the top whose place nobody knows.

    Raises:
        ValueError: a card can't lie in the discard pile where it is said to have shown.
    """

    position: Position
    thanks: Mapping[int, int] = field(default_factory=dict)
    shown: Mapping[int, Card] = field(default_factory=dict, compare=False)
    peeping: frozenset[Card] = field(default=frozenset(), compare=False)

    def __post_init__(self) -> None:
        before = self.position.discards
        position = self.position.discards_seen(self.shown, self.peeping)
        if position is None:
            raise ValueError("cards are said to have shown in the discard pile that can't lie there")
        placed = {
            place: card
            for place, (was, card) in enumerate(zip(before, position.discards, strict=True))
            if card is not None and was is None
        }
        object.__setattr__(self, "position", position)
        object.__setattr__(self, "shown", {**self.shown, **placed})
        object.__setattr__(self, "peeping", position.peeping)

    @property
    def discards(self) -> tuple[Card | None, ...]:
        """The discard pile, bottom to top; ``None`` for a card that nobody has seen."""
        return self.position.discards

    def to_json(self) -> dict[str, Any]:
        """Return all of it as JSON-able data, for the journal; ``Agreed.from_json`` restores it."""
        return {
            "position": self.position.to_json(),
            "thanks": {str(seat): count for seat, count in sorted(self.thanks.items())},
            "shown": {str(place): str(card) for place, card in sorted(self.shown.items())},
            "peeping": [str(card) for card in sorted(self.peeping)],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], catalogue: Papers = LAMINATE) -> Agreed:
        """Restore what ``to_json`` gave; ``catalogue`` must hold the same paper kinds.

        Raises:
            ValueError: other paper kinds, or unknown cards.
            KeyError: something is missing.
        """
        return cls(
            Position.from_json(data["position"], catalogue),
            {int(seat): count for seat, count in data["thanks"].items()},
            {int(place): Card.parse(name) for place, name in data["shown"].items()},
            frozenset(Card.parse(name) for name in data["peeping"]),
        )


@dataclass(frozen=True)
class ExpectedTable:
    """What must lie on the table.

    ``thanks`` gives by seat the fewest and the most thank-you cards that may lie; ``peeping`` are cards that lie in the
    discard pile in a place that nobody knows.
    """

    papers: Mapping[PaperKey, frozenset[Card]]
    discards: tuple[Card | None, ...]
    draw: int | None
    """Cards in the draw pile; ``None`` where the move that led here leaves it open."""
    thanks: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    peeping: frozenset[Card] = frozenset()

    def complete(self, key: PaperKey) -> bool:
        """Tell whether that paper shows its complete side; it stays so where somebody took the last card by mistake."""
        return len(self.papers[key]) <= 1


def expect_table(agreed: Agreed) -> ExpectedTable:
    """Return what must lie on the table once the thank-you cards are taken away, in the confirmed position."""
    return ExpectedTable(
        {(paper.seat, paper.kind): frozenset(paper.cards) for paper in agreed.position.papers},
        agreed.discards,
        agreed.position.draw_count,
        peeping=agreed.peeping,
    )


class DifferenceKind(Enum):
    """In what way the table differs."""

    PAPER_ADDED = "paper added"
    PAPER_GONE = "paper gone"
    CARDS_ADDED = "cards added"
    CARDS_GONE = "cards gone"
    SIDE = "wrong side"
    TOP = "other top discard"
    UNDER = "card under the discards"
    DRAW_GONE = "draw pile gone"
    DRAW_THERE = "draw pile there"
    THANKS_ADDED = "thanks added"
    THANKS_GONE = "thanks gone"
    LOOSE = "loose card"


@dataclass(frozen=True)
class Difference:
    """One way in which the table differs from what must lie there.

    ``cards`` are the SEVEN cards concerned: those of an added or gone paper, those added or gone, the expected top
    discard (none where it is not known or there should be none). ``seen`` is the top discard that lies there instead,
    ``count`` a number of thank-you cards, ``paper_seen`` and ``sighting`` what was seen where.
    """

    what: DifferenceKind
    seat: int = 0
    kind: str = ""
    cards: tuple[Card, ...] = ()
    seen: Card | None = None
    count: int = 0
    paper_seen: PaperSeen | None = None
    sighting: Sighting | None = None

    @property
    def weight(self) -> float:
        """How much it speaks against a reading of the table."""
        if self.what is DifferenceKind.PAPER_GONE:
            return 1 + len(self.cards)
        if self.what in (DifferenceKind.CARDS_ADDED, DifferenceKind.CARDS_GONE, DifferenceKind.UNDER):
            return len(self.cards)
        if self.what in (DifferenceKind.TOP, DifferenceKind.PAPER_ADDED, DifferenceKind.DRAW_GONE):
            # A legal move beside another action is less likely than one illegal move that explains it all.
            return 2
        return max(1, self.count)


def matched_papers(
    must: Mapping[PaperKey, frozenset[Card]], seen: Iterable[PaperSeen]
) -> tuple[dict[PaperKey, PaperSeen], list[PaperSeen]]:
    """Pair the papers seen with those that must lie there; what is left over comes second.

    Where a seat shows two papers of a kind, the one that shares more cards is the paper that must lie there.
    """
    pairs: dict[PaperKey, PaperSeen] = {}
    rest: list[PaperSeen] = []
    for paper in sorted(seen, key=lambda p: -len(must.get((p.seat, p.kind), frozenset()) & set(p.cards))):
        key = (paper.seat, paper.kind)
        if key in must and key not in pairs:
            pairs[key] = paper
        else:
            rest.append(paper)
    return pairs, rest


def find_differences(must: ExpectedTable, view: TableView) -> tuple[Difference, ...]:
    """Return every way in which the view differs from what must
    lie there; cards that could not be named count as absent.
    """
    found: list[Difference] = []
    pairs, rest = matched_papers(must.papers, view.papers)
    for key, cards in must.papers.items():
        seat, kind = key
        paper = pairs.get(key)
        if paper is None:
            found.append(Difference(DifferenceKind.PAPER_GONE, seat, kind, tuple(sorted(cards))))
            continue
        there = frozenset(paper.cards)
        if gone := cards - there:
            found.append(Difference(DifferenceKind.CARDS_GONE, seat, kind, tuple(sorted(gone)), paper_seen=paper))
        if added := there - cards:
            found.append(Difference(DifferenceKind.CARDS_ADDED, seat, kind, tuple(sorted(added)), paper_seen=paper))
        if paper.complete_side != must.complete(key):
            found.append(Difference(DifferenceKind.SIDE, seat, kind, paper_seen=paper))
    found += [
        Difference(DifferenceKind.PAPER_ADDED, p.seat, p.kind, tuple(sorted(p.cards)), paper_seen=p) for p in rest
    ]
    found += _pile_differences(must, view)
    for seat in sorted(set(must.thanks) | set(view.payments)):
        fewest, most = must.thanks.get(seat, (0, 0))
        there_now = view.payments.get(seat, 0)
        if there_now > most:
            found.append(Difference(DifferenceKind.THANKS_ADDED, seat, count=there_now - most))
        elif there_now < fewest:
            found.append(Difference(DifferenceKind.THANKS_GONE, seat, count=fewest - there_now))
    found += [
        Difference(DifferenceKind.LOOSE, sighting=sighting, cards=_name_card(sighting)) for sighting in view.loose
    ]
    return tuple(found)


def _pile_differences(must: ExpectedTable, view: TableView) -> list[Difference]:
    found: list[Difference] = []
    top = must.discards[-1] if must.discards else None
    hidden_top = bool(must.discards) and top is None
    if view.discard_top is None:
        if must.discards:
            found.append(Difference(DifferenceKind.TOP, cards=() if top is None else (top,)))
    elif view.discard_top != top and not (hidden_top and view.discard_top not in must.discards):
        found.append(Difference(DifferenceKind.TOP, cards=() if top is None else (top,), seen=view.discard_top))
    foreign = strange_below(must.discards, must.peeping, view)
    if len(foreign) > unseen_below(must.discards, must.peeping, view):
        found.append(Difference(DifferenceKind.UNDER, cards=tuple(sorted(foreign))))
    if must.draw is not None:
        if must.draw and not view.draw_backs:
            found.append(Difference(DifferenceKind.DRAW_GONE))
        if not must.draw and view.draw_backs:
            found.append(Difference(DifferenceKind.DRAW_THERE, count=view.draw_backs))
    return found


def strange_below(discards: Sequence[Card | None], peeping: Iterable[Card], view: TableView) -> tuple[Card, ...]:
    """Return the cards showing under the top discard that are not known to lie in the pile, each of them once."""
    return tuple(sorted(set(view.discard_under) - {*discards, *peeping, view.discard_top}))


def unseen_below(discards: Sequence[Card | None], peeping: frozenset[Card], view: TableView) -> int:
    """Return how many cards lie under the top discard that nobody has seen."""
    hidden_top = bool(discards) and discards[-1] is None
    return discards.count(None) - hidden_top - len(peeping - {view.discard_top})


def _name_card(sighting: Sighting) -> tuple[Card, ...]:
    return () if "/" in sighting.name or sighting.name == "back" else (Card.parse(sighting.name),)


@dataclass(frozen=True)
class Covered:
    """What is left of the differences once every unread card stands for one that must lie there.

    ``depends_on_unread`` are unread cards on which an agreement rests, each with its paper, pile or spot
    (``seat:1/three``, ``discard``, ``draw``, ``payment:1``); ``open`` are unread cards that stand for nothing expected,
    and ``blind`` those that stand for an expected one although the reader saw nothing that speaks for it first of all.
    """

    differences: tuple[Difference, ...]
    depends_on_unread: tuple[tuple[str, Unread], ...]
    open: tuple[Unread, ...]
    blind: tuple[Unread, ...] = ()


def cover(must: ExpectedTable, view: TableView, layout: PaperLayout) -> Covered:
    """Compare as ``find_differences`` does, letting unread cards stand for cards that must lie where they are.

    An unread card may stand for an expected one where its candidates hold that card; in a column, also where the
    reader could name no candidate at all. What lies on no spot and in no seat's area is passed over.
    """
    if not view.unread:
        return Covered(find_differences(must, view), (), ())
    covering = _Covering(must, view, layout)
    covering.hidden_heads()
    left = [rest for difference in find_differences(must, covering.view) if (rest := covering.rest_of(difference))]
    return Covered(tuple(left), tuple(covering.depends_on_unread), tuple(covering.still_open()), tuple(covering.blind))


def _is_any_head(mark: Unread) -> bool:
    """Tell whether an unread card may be any paper card: it is none of the deck's, but looks like one."""
    return not mark.guesses and any("/" in name for name in mark.candidates)


def paper_place(seat: int, kind: str) -> str:
    """Return a paper's place, as in ``Covered.depends_on_unread``."""
    return f"seat:{seat}/{kind}"


class _Covering:
    """Unread cards being matched with what must lie there; each stands for one card at most."""

    def __init__(self, must: ExpectedTable, view: TableView, layout: PaperLayout) -> None:
        self.must = must
        self.view = view
        self.layout = layout
        self.unread = list(view.unread)
        self.depends_on_unread: list[tuple[str, Unread]] = []
        self.blind: list[Unread] = []

    def find_spot(self, mark: Unread | Sighting) -> str | None:
        return self.layout.spot_at(mark.x, mark.y, self.view.payments)

    def lean(self, mark: Unread, place: str, *names: str) -> None:
        """Let a mark stand for the card of that name at that place."""
        self.unread.remove(mark)
        self.depends_on_unread.append((place, mark))
        if not mark.candidates or mark.candidates[0] not in names:
            self.blind.append(mark)

    def hidden_heads(self) -> None:
        """Find papers whose paper card can't be read but whose cards, loose for want of it, are all there."""
        pairs, _ = matched_papers(self.must.papers, self.view.papers)
        for key, cards in self.must.papers.items():
            if key in pairs:
                continue
            seat, kind = key
            sides = (f"{kind}/review", f"{kind}/complete")
            side = sides[self.must.complete(key)]
            here = [
                one for one in self.view.loose if set(_name_card(one)) & cards and self.find_spot(one) == f"seat:{seat}"
            ]
            at = [mark for mark in self.unread if self.find_spot(mark) == f"seat:{seat}"]
            heads = [mark for mark in at if side in mark.candidates or _is_any_head(mark)]
            if not heads or len(here) != len(cards):
                continue
            paper = PaperSeen(seat, kind, self.must.complete(key), tuple(sorted(cards)), heads[0].x, heads[0].y)
            self.view = replace(
                self.view,
                papers=(*self.view.papers, paper),
                loose=tuple(sighting for sighting in self.view.loose if sighting not in here),
            )
            self.lean(heads[0], paper_place(seat, kind), *sides)

    def rest_of(self, difference: Difference) -> Difference | None:
        """Return what is left of a difference once unread cards stand for what it misses."""
        what, place = difference.what, paper_place(difference.seat, difference.kind)
        if what is DifferenceKind.CARDS_GONE and difference.paper_seen is not None:
            missing = list(difference.cards)
            for mark in difference.paper_seen.doubtful:
                fits = [card for card in missing if mark.may_be(str(card))]
                if mark in self.unread and fits:
                    missing.remove(fits[0])
                    self.lean(mark, place, str(fits[0]))
            return replace(difference, cards=tuple(missing)) if missing else None
        if what is DifferenceKind.TOP and difference.seen is None and difference.cards:
            return None if self.fill("discard", str(difference.cards[0])) else difference
        if what is DifferenceKind.DRAW_GONE:
            return None if self.fill("draw", "back") else difference
        if what is DifferenceKind.THANKS_GONE:
            filled = sum(self.fill(f"payment:{difference.seat}", "back") for _ in range(difference.count))
            return replace(difference, count=difference.count - filled) if filled < difference.count else None
        return difference

    def fill(self, spot: str, name: str) -> bool:
        """Let an unread card on that spot stand for the card of that name; return ``False`` where none can.

        On the draw pile a card without any candidate may be a back as well.
        """
        for mark in self.unread:
            fits = name in mark.candidates or (spot == "draw" and not mark.candidates)
            if self.find_spot(mark) == spot and fits:
                self.lean(mark, spot, name)
                return True
        return False

    def still_open(self) -> list[Unread]:
        """Return marks that stand for nothing expected, but for
        covered cards of a pile, of which any number may show.
        """
        must, view = self.must, self.view
        below = {*must.discards[:-1], *must.peeping} - {None, view.discard_top, *view.discard_under}
        unseen = unseen_below(must.discards, must.peeping, view)
        unseen -= len(strange_below(must.discards, must.peeping, view))
        lie_open = {str(card) for card in (*must.discards, *(card for cards in must.papers.values() for card in cards))}
        left = []
        for mark in sorted(self.unread, key=lambda mark: not mark.candidates):
            spot = self.find_spot(mark)
            if spot == "discard" and view.discard_top is not None:
                stands_for = next((card for card in below if mark.may_be(str(card))), None)
                elsewhere = bool(mark.candidates) and lie_open.issuperset(mark.candidates)
                in_pile = stands_for is not None or (unseen > 0 and not elsewhere)
                below.discard(stands_for)
                unseen -= stands_for is None
            else:
                in_pile = spot == "draw" and must.draw != 0 and {*mark.candidates} == {"back"}
            if spot is not None and not in_pile:
                left.append(mark)
        return left
