"""Laminate Rummy on the display: papers in the list of points, the countdown, the ranking, the table from above."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

from referee.laminate.view.layouts import PaperLayout
from referee.laminate.view.table import TableView
from referee.layout import TableLayout as AnyLayout
from referee.steps import group_steps
from referee.verdict import Mend, Spot
from rules.cards import Card
from rules.game import Ranked
from rules.laminate.moves import EndFlag, Move, Publish, Research, Review, Setup
from rules.laminate.position import Phase, Position
from rules.text import Language, Text, in_context, join_names, join_row, join_with_and, player, plural, verbatim
from ui.game import GameScreen
from ui.help.laminate import list_hints, list_leaves
from ui.parts.card_tiles import FLAG, card_tile, card_tiles, make_backs
from ui.parts.names import short_names
from ui.screen_state import (
    Arrow,
    CardTile,
    Countdown,
    Mood,
    Outside,
    PaperMark,
    PlayerLine,
    PlayScreen,
    Point,
    RankLine,
    Standing,
    TablePicture,
    TileGroup,
    TileRole,
)
from ui.table_picture import spots_picture
from ui.teaching.laminate import TEACHING

_EDGE = 0.03


class LaminateScreen(GameScreen):
    """What the display shows of a game of papers."""

    gives_hints = True
    teaching = TEACHING
    briefs: ClassVar = {
        "flag_due": Text("Take the End Flag first"),
        "paper_already_held": Text("That paper is there"),
        "supply_exhausted": Text("No such paper left"),
        "nothing_new": Text("Nothing new in it"),
        "card_not_in_hand": Text("Not from that hand"),
        "card_not_in_deck": Text("No such card now"),
        "wrong_count": Text("Wrong number of cards"),
        "cited_twice": Text("Cited twice"),
        "not_citable": Text("Can't be cited"),
        "not_a_meld": Text("Not that paper"),
        "cannot_pay": Text("Too few cards to pay"),
        "payment_missing": Text("Thank-you card missing"),
        "payment_excess": Text("Too many thank-you cards"),
        "not_reviewable": Text("Can't be reviewed"),
        "took_two_cards": Text("Only one card may go"),
        "discard_empty": Text("No discards"),
        "research_impossible": Text("No card can be drawn"),
        "pass_not_allowed": Text("Nothing has changed"),
        "flag_not_due": Text("No End Flag yet"),
        "turn_the_paper": Text("Turn the paper over"),
        "payment_not_taken": Text("Take the thank-you card"),
    }

    def make_base(self, position: Position, language: Language, mood: Mood) -> PlayScreen:
        """Show players with their papers and points, the End Flag that is due, the turns that are left."""
        ending = Countdown(position.turns_left, position.phase is Phase.FLAG, _count_turns_by_player(position))
        return PlayScreen(language, mood, standing=Standing(_list_players(position), ending))

    def move_tiles(self, position: Position, move: Move, language: Language) -> tuple[TileGroup, ...]:
        """Show what is laid, cited, paid, taken and discarded, a group each."""

        def make_group(role: TileRole, words: Text, tiles: Sequence[CardTile], short: Text | None = None) -> TileGroup:
            return TileGroup(role, words.said(language), tuple(tiles), (short or words).said(language))

        def tile_of(card: Card, role: TileRole) -> tuple[CardTile, ...]:
            return card_tiles((card,), role)

        match move:
            case Setup(discard):
                return (make_group(TileRole.SHOWN, Text("discard pile"), tile_of(discard, TileRole.SHOWN)),)
            case Research(_, source, keep, discard):
                drawn = tile_of(keep, TileRole.TAKEN) if keep is not None else make_backs(1, TileRole.TAKEN)
                where = Text("from the discards") if source == "discard" else Text("draws")
                groups = [make_group(TileRole.TAKEN, where, drawn)]
                if discard is not None:
                    groups.append(make_group(TileRole.SHOWN, Text("discards"), tile_of(discard, TileRole.SHOWN)))
                return tuple(groups)
            case Publish():
                laid = card_tiles(move.cards, TileRole.LAID)
                return (
                    make_group(TileRole.LAID, _name_kind(position, move.paper), laid),
                    *(_show_cited(position, move, seat, language) for seat in _list_authors(move)),
                )
            case Review(_, of, paper, take, more):
                kind, taken = _name_kind(position, paper), card_tiles((take, *more), TileRole.TAKEN)
                full, short = (
                    Text("from {name}'s {kind}", name=player(name), kind=kind) for name in _name_player(position, of)
                )
                return (make_group(TileRole.TAKEN, full, taken, short),)
            case EndFlag(_, card):
                flag = card_tile("end_flag/complete", TileRole.LAID, FLAG)
                return (make_group(TileRole.LAID, Text("End Flag"), (flag, *tile_of(card, TileRole.LAID))),)
        return ()

    def make_tile(self, position: Position, name: str) -> CardTile:
        """Show a paper card with its points, any other card as it is."""
        kind, slash, _ = name.partition("/")
        return card_tile(name, label=_write_points(position, kind) if slash else "")

    def title_card(self, position: Position, name: str) -> Text | None:
        """Name a paper card by its kind."""
        kind, slash, _ = name.partition("/")
        return _name_kind(position, kind) if slash else None

    def note_stack(self, position: Position, moves: Sequence[Move], place: str) -> tuple[Text, ...]:
        """Say who has cited a paper."""
        citing = [
            player(position.get_name(move.seat))
            for move in moves
            if isinstance(move, Publish)
            for one in move.cite
            if place == f"seat:{one.seat}/{one.paper}"
        ]
        return (Text("Cited by {names}.", names=join_names(citing)),) if citing else ()

    def ending_words(self, position: Position) -> tuple[Text, ...]:
        """Say why the winners have won, and name the best paper."""
        return tuple(_ending_words(position))

    write_help = staticmethod(list_leaves)

    write_hints = staticmethod(list_hints)

    def show_rank(self, position: Position, ranked: Ranked) -> RankLine:
        """Show a player's place, with the complete papers, of which fewer are better."""
        papers = position.complete_papers[ranked.seat - 1]
        return replace(super().show_rank(position, ranked), complete_papers=papers)

    def picture_table(
        self, view: TableView, layout: AnyLayout, mends: Sequence[Mend] = (), unseen: Sequence[Spot] = ()
    ) -> TablePicture:
        """Picture papers, piles and payment spots as they were seen."""
        assert isinstance(layout, PaperLayout), "the layout is that of this game"
        arrows = []
        for group in group_steps(mends):
            first = group[0]
            start = _place(first.source, first.item, view, layout)
            end = start if first.source == first.target else _place(first.target, first.item, view, layout)
            outside = Outside.START if first.source == "supply" else Outside.NEITHER
            arrows.append(Arrow(start, end, Outside.END if first.target == "supply" else outside))
        return replace(
            spots_picture(layout, unseen),
            piles=(_share_of(layout.draw, layout), _share_of(layout.discard, layout)),
            payments=layout.payments,
            papers=tuple((_share_of((paper.x, paper.y), layout), paper.complete_side) for paper in view.papers),
            arrows=tuple(arrows),
            unseen=tuple(_share_of((spot.x, spot.y), layout) for spot in unseen),
        )


def _list_players(position: Position) -> tuple[PlayerLine, ...]:
    lines = []
    for seat, name in enumerate(position.players, 1):
        papers = [paper for paper in position.papers if paper.seat == seat]
        marks = tuple(
            PaperMark(paper.complete, position.catalogue[paper.kind].points if paper.complete else len(paper.cards))
            for paper in papers
        )
        lines.append(PlayerLine(name, position.points[seat - 1], marks, position.to_move == seat))
    return tuple(lines)


def _ending_words(position: Position) -> Iterator[Text]:
    """Say how the first place was decided, and which complete paper brought most."""
    if position.outcome is None:
        return
    most = max(position.points)
    level = [seat for seat in range(1, len(position.players) + 1) if position.points[seat - 1] == most]
    names = [player(position.get_name(seat)) for seat in level]
    tied = join_with_and(names)
    few = min(position.complete_papers[seat - 1] for seat in level)
    if len(level) == 1:
        yield Text("{name} has most points: {most}.", name=tied, most=most)
    elif len(position.outcome.winners) == len(level):
        yield Text(
            "{names} have {most} points each and as many complete papers, {few}: they share the win.",
            names=tied,
            most=most,
            few=few,
        )
    else:
        counts = [
            in_context("papers", "{name} {count}", name=name, count=position.complete_papers[seat - 1])
            for name, seat in zip(names, level, strict=True)
        ]
        yield Text(
            "{names} have {most} points each. Then fewer complete papers win: {counts}.",
            names=tied,
            most=most,
            counts=join_row(counts),
        )
    complete = [paper for paper in position.papers if paper.complete]
    best = max((position.catalogue[paper.kind].points for paper in complete), default=0)
    found = [paper for paper in complete if best and position.catalogue[paper.kind].points == best]
    if found:
        listed = [
            Text("{kind} of {name}", kind=_name_kind(position, paper.kind), name=player(position.get_name(paper.seat)))
            for paper in found
        ]
        yield plural(
            "Best paper, {count} point: {papers}.",
            "Best paper, {count} points: {papers}.",
            count=best,
            papers=join_row(listed),
        )


def _count_turns_by_player(position: Position) -> tuple[int, ...]:
    """Count how many turns of the countdown are whose."""
    count, seat = len(position.players), position.to_move
    if position.turns_left is None or seat is None:
        return ()
    turns = [0] * count
    for number in range(position.turns_left):
        turns[(seat - 1 + number) % count] += 1
    return tuple(turns)


def _share_of(point: tuple[float, float], layout: PaperLayout) -> Point:
    w, h = layout.mat_mm
    return min(max(point[0] / w, 0.0), 1.0), min(max(point[1] / h, 0.0), 1.0)


def _place(place: str, item: str, view: TableView, layout: PaperLayout) -> Point:
    """Find where a place of ``Mend`` is drawn; hands lie at their player's edge, the supply at the mat's left edge."""
    spot, _, kind = place.partition("/")
    name, _, seat = spot.partition(":")
    if name == "draw":
        return _share_of(layout.draw, layout)
    if name == "discard":
        return _share_of(layout.discard, layout)
    if name == "payment":
        return layout.payments[int(seat) - 1]
    loose = next((seen for seen in view.loose if seen.name == item), None)
    if name in ("seat", "hand"):
        area = layout.seats[int(seat) - 1]
        middle = (area.x0 + area.x1) / 2
        if name == "hand":
            return middle, _EDGE if layout.faces_down(int(seat)) else 1 - _EDGE
        for paper in view.papers:
            if (paper.seat, paper.kind) == (int(seat), kind):
                return _share_of((paper.x, paper.y), layout)
        if not kind and loose is not None:
            return _share_of((loose.x, loose.y), layout)
        return middle, (area.y0 + area.y1) / 2
    if name == "supply":
        return _EDGE, 0.5
    return (0.5, 0.5) if loose is None else _share_of((loose.x, loose.y), layout)


def _name_kind(position: Position, paper: str) -> Text:
    return position.catalogue[paper].text if paper in position.catalogue else verbatim(paper)


def _list_authors(move: Publish) -> list[int]:
    """List whose papers are cited and who is paid, in the order of the citations."""
    return list(dict.fromkeys([*(one.seat for one in move.cite), *sorted(move.pay)]))


def _show_cited(position: Position, move: Publish, seat: int, language: Language) -> TileGroup:
    """Show one author's papers, each with its points, and beside them the cards that the author is paid."""
    cited = [one.paper for one in move.cite if one.seat == seat]
    tiles = [card_tile(f"{kind}/complete", TileRole.CITED, _write_points(position, kind)) for kind in cited]
    full, short = (
        Text("cites {name}", name=player(name)) if cited else Text("pays {name}", name=player(name))
        for name in _name_player(position, seat)
    )
    paid = make_backs(_count(move.pay.get(seat, 0)), TileRole.PAID)
    return TileGroup(TileRole.CITED, full.said(language), (*tiles, *paid), short.said(language))


def _write_points(position: Position, kind: str) -> str:
    return str(position.catalogue[kind].points) if kind in position.catalogue else ""


def _name_player(position: Position, seat: int) -> tuple[str, str]:
    """Return a player's name and its short form."""
    return position.get_name(seat), short_names(position.players)[seat - 1]


def _count(paid: tuple[Card, ...] | int) -> int:
    return paid if isinstance(paid, int) else len(paid)


SCREEN = LaminateScreen()
