"""Seven Wonders on the display: a round of all cities at once, who pays whom, what cities are worth so far, wars."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from referee.layout import TableLayout
from referee.seven_wonders.cards import BACKS
from referee.seven_wonders.layout import CITY, PILE, SPOT, WONDER
from referee.seven_wonders.layout import Layout as WondersLayout
from referee.seven_wonders.words import passing_words
from referee.steps import group_steps
from referee.verdict import Mend, Spot
from rules.game import Ranked
from rules.seven_wonders.cards import BUILDINGS, Building
from rules.seven_wonders.effects import Colour, Science
from rules.seven_wonders.moves import Act, Do, FromDiscard, Move, Round, Seventh
from rules.seven_wonders.position import Position
from rules.seven_wonders.rules import RULES
from rules.seven_wonders.scoring import CATEGORY_WORDS, choose_copied, left_of
from rules.seven_wonders.state import ROUNDS, AgePhase
from rules.seven_wonders.steps import PASSED_RIGHT
from rules.text import Language, Text, in_context, join_names, join_row, plural, verbatim
from ui.game import GameScreen
from ui.help.seven_wonders import list_leaves
from ui.parts.card_tiles import card_tile
from ui.screen_state import (
    Arrow,
    CardTile,
    Mood,
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
from ui.teaching.seven_wonders import TEACHING

_COLOURS = {
    Colour.BROWN: (122, 84, 54),
    Colour.GREY: (150, 152, 156),
    Colour.YELLOW: (226, 178, 52),
    Colour.BLUE: (52, 102, 178),
    Colour.GREEN: (46, 132, 80),
    Colour.RED: (182, 58, 52),
    Colour.PURPLE: (118, 74, 148),
}
_STAGED, _DISCARDED = (214, 170, 84), (88, 96, 104)
_SYMBOLS = {
    Science.COMPASS: Text("compass"),
    Science.GEAR: Text("gear"),
    Science.TABLET: Text("tablet"),
    Science.ANY: Text("any symbol"),
}
_FACES = {face.id: face for face in BUILDINGS}
_EDGE = 0.02
_HAND, _BESIDE = (0.0, 12.0), (150.0, 340.0)
"""Where in a city's block a hand is drawn, and what lies in no zone, in mm."""


class SevenWondersScreen(GameScreen):
    """What the display shows of a game of seven wonders."""

    teaching = TEACHING
    briefs: ClassVar = {
        "deal_due": Text("The next age first"),
        "round_due": Text("A round is due"),
        "seventh_due": Text("The seventh card first"),
        "from_discard_due": Text("The discards first"),
        "card_not_in_deck": Text("A card of another age"),
        "no_copy_left": Text("No such card is left"),
        "not_in_discard": Text("Not in the discards"),
        "already_built": Text("Built already"),
        "no_stage_left": Text("No stage is left"),
        "no_free_build": Text("Not free"),
        "cannot_produce": Text("Resources are missing"),
        "coins_short": Text("Coins are missing"),
        "pay_unclear": Text("Who is paid?"),
        "overpaid": Text("Too much is paid"),
        "underpaid": Text("Too little is paid"),
        "nothing_laid": Text("A card is missing"),
        "two_cards": Text("Two cards at once"),
        "card_outside": Text("A card in no zone"),
        "wrong_age": Text("A card of another age"),
        "discard_not_gathered": Text("Gather the discards"),
    }

    def make_base(self, position: Position, language: Language, mood: Mood) -> PlayScreen:
        """Show players with their points so far; coins, shields, stages, symbols and where points come from."""
        to_move = RULES.to_move(position)
        lines = tuple(
            PlayerLine(name, position.points[seat - 1], to_move=seat in to_move)
            for seat, name in enumerate(position.players, 1)
        )
        # A question wants the room, and so do the cards of a round that is seen.
        texts = _write_details(position) if mood is not Mood.QUESTION else ()
        details = tuple(text.said(language) for text in texts)
        brief = _write_brief(position).said(language) if mood is not Mood.PREVIEW else ""
        return PlayScreen(language, mood, details=details, standing=Standing(lines), brief=brief)

    write_help = staticmethod(list_leaves)

    def show_rank(self, position: Position, ranked: Ranked) -> RankLine:
        """Show a player's place, with the points by category."""
        points = " ".join(map(str, position.categories[ranked.seat - 1]))
        return replace(super().show_rank(position, ranked), note=points.replace("-", "−"))

    def make_tile(self, position: Position, name: str) -> CardTile:
        """Show a building in its colour, a face-down card, or a board."""
        if name in BACKS:
            return replace(card_tile(name), label="I" * BACKS[name])
        return _make_tile(face, TileRole.SHOWN) if (face := _FACES.get(name)) else CardTile(name, "", _STAGED)

    def count_coins(self, position: Position, seat: int) -> int:
        """Count a city's coins."""
        return position.cities[seat - 1].coins

    def ending_words(self, position: Position) -> tuple[Text, ...]:
        """Say every city's points by category, and what settled a tie."""
        return tuple(_write_ending(position))

    def move_tiles(self, position: Position, move: Move, language: Language) -> tuple[TileGroup, ...]:
        """Show what each city does, all at once: a card of its colour, or one that lies face down."""
        if isinstance(move, Round):
            return tuple(_make_group(position, seat, act, language) for seat, act in enumerate(move.acts))
        if isinstance(move, Seventh):
            return (_make_group(position, move.seat - 1, move.act, language),)
        if isinstance(move, FromDiscard) and move.card is not None:
            return (_make_group(position, move.seat - 1, Act(Do.BUILD, move.card), language),)
        return ()

    def picture_table(
        self, view: Any, layout: TableLayout, mends: Sequence[Mend] = (), unseen: Sequence[Spot] = ()
    ) -> TablePicture:
        """Picture the cities with their cards, the discard spots and the pile, with an arrow for each step to mend."""
        assert isinstance(layout, WondersLayout), "the layout is that of this game"
        w, h = layout.mat_mm
        cards = [
            (seen.x / w, seen.y / h)
            for place, some in view.cards.items()
            for seen in some
            if place.partition(":")[0] in (CITY, WONDER)
        ]
        spots = [layout.discard_spot(seat) for seat in range(1, len(layout.seats) + 1)]
        steps = [group[0] for group in group_steps(mends)]
        return replace(
            spots_picture(layout, unseen),
            piles=((layout.pile[0] / w, layout.pile[1] / h),),
            payments=tuple((x / w, y / h) for x, y in spots),
            papers=tuple((card, False) for card in cards),
            arrows=tuple(Arrow(_place_point(step.source, layout), _place_point(step.target, layout)) for step in steps),
        )


def _place_point(place: str, layout: WondersLayout) -> Point:
    """Find where a place of ``Mend`` is drawn; hands lie at their player's edge, cards from nowhere at the left."""
    kind, _, seat = place.partition(":")
    w, h = layout.mat_mm
    if kind == PILE:
        x, y = layout.pile
    elif not seat:
        return _EDGE, 0.5
    elif kind == WONDER:
        x, y = layout.stage_spot(int(seat), 0, 1)
    elif kind in (CITY, SPOT):
        x, y = layout.middle_of(kind, int(seat))
    else:
        x, y = layout.locate_point(int(seat), *(_HAND if kind == "hand" else _BESIDE))
    return x / w, y / h


def _make_tile(card: Building, role: TileRole) -> CardTile:
    """Make a tile of a card in its colour, with the points or shields that it brings."""
    effect = card.effect
    label = str(effect.points or effect.shields or "") if card.colour in (Colour.BLUE, Colour.RED) else ""
    return CardTile(card.id, label, _COLOURS[card.colour], role)


def _make_group(position: Position, seat: int, act: Act, language: Language) -> TileGroup:
    """Show what one city, from 0, does: a card of its colour, the number of a stage, or coins for a discard."""
    name = position.players[seat]
    words, tile = Text("discard"), CardTile("", "+3", _DISCARDED, TileRole.LAID)
    if act.do is Do.BUILD and act.card is not None:
        # Cards are called the same in both languages.
        called = act.card.name.replace("_", " ")
        words, tile = verbatim(called), _make_tile(act.card, TileRole.LAID)
    elif act.do is Do.STAGE:
        number = str(position.cities[seat].stages + 1)
        words, tile = in_context("tile", "stage {number}", number=number), CardTile("", number, _STAGED, TileRole.LAID)
    sentence = Text("{name}: {words}", name=name, words=words)
    return TileGroup(TileRole.LAID, sentence.said(language), (tile,), words.said(language))


def _write_brief(position: Position) -> Text:
    """Write where the game stands, to be read from afar."""
    age, phase = position.age, position.phase
    if phase is AgePhase.ROUND:
        way = Text("hands right") if age == PASSED_RIGHT else Text("hands left")
        number = position.rounds + 1
        return Text("Age {age}, {number}/{rounds}, {way}", age=age, number=number, rounds=ROUNDS, way=way)
    if phase is AgePhase.DEAL:
        return Text("Age {age} begins", age=age + 1)
    if phase is AgePhase.SEVENTH:
        return Text("The seventh card")
    if phase is AgePhase.FROM_DISCARD:
        return Text("From the discards")
    return Text()


def _write_details(position: Position) -> Iterator[Text]:
    """Write how the cities stand; before the first age, who has which board."""
    if position.phase is AgePhase.OVER:
        return
    if not position.age:
        for name, city in zip(position.players, position.cities, strict=True):
            yield Text("{name}: {board}.", name=name, board=city.board)
        return
    for seat in range(position.n):
        yield _write_city(position, seat)
    if position.phase is AgePhase.ROUND:
        yield passing_words(position, position.age)
        yield _write_strength(position)
    for seat in range(position.n):
        yield _write_points(position, seat)


def _write_city(position: Position, seat: int) -> Text:
    """Say what a city has: coins, shields, stages, symbols."""
    city, name = position.cities[seat], position.players[seat]
    shields = plural("{count} shield", "{count} shields", count=city.shields)
    stages = Text("stages {built}/{stages}", built=city.stages, stages=len(city.board.stages))
    held = [effect.science for effect in city.effects if effect.science is not None]
    symbols = [(words, held.count(symbol)) for symbol, words in _SYMBOLS.items() if symbol in held]
    return plural(
        "{name}: {count} coin, {others}.",
        "{name}: {count} coins, {others}.",
        count=city.coins,
        name=name,
        others=join_row((shields, stages, *_count_each(symbols))),
    )


def _count_each(found: Iterable[tuple[Text, int]]) -> Iterator[Text]:
    """Name each with its number."""
    for words, count in found:
        yield Text("{what} {count}", what=words, count=str(count).replace("-", "−"))


def _write_points(position: Position, seat: int) -> Text:
    """Say a city's points so far by category."""
    name, score = position.players[seat], zip(CATEGORY_WORDS.values(), position.categories[seat], strict=True)
    counted = [(words, points) for words, points in score if points]
    if not counted:
        return Text("{name}: no points yet.", name=name)
    return Text("{name}, points so far: {points}.", name=name, points=join_row(_count_each(counted)))


def _write_strength(position: Position) -> Text:
    """Write who would win the war between each two neighbours now."""
    wins: list[Text] = []
    for seat in range(position.n):
        other = left_of(seat, position.n)
        mine, theirs = position.cities[seat].shields, position.cities[other].shields
        if mine != theirs:
            won, lost = (seat, other) if mine > theirs else (other, seat)
            wins.append(Text("{won} beats {lost}", won=position.players[won], lost=position.players[lost]))
    if not wins:
        return Text("If war came now: all are level.")
    return Text("If war came now: {wins}.", wins=join_names(wins))


def _write_ending(position: Position) -> Iterator[Text]:
    outcome = position.outcome
    if outcome is None:
        return
    order = join_names(CATEGORY_WORDS.values())
    yield Text("In the table, from the left: {order}.", order=order)
    for line in sorted(range(position.n), key=lambda seat: -position.points[seat]):
        name = position.players[line]
        points = join_row(_count_each(zip(CATEGORY_WORDS.values(), position.categories[line], strict=True)))
        yield Text("{name} {total}: {points}.", name=name, total=position.points[line], points=points)
        guild = choose_copied(position.cities, line)
        if guild is not None:
            yield Text("{name} copies the {guild}.", name=name, guild=guild)
    best = [seat for seat in range(position.n) if position.points[seat] == max(position.points)]
    if len(best) > 1:
        held = ", ".join(f"{position.players[seat]} {position.cities[seat].coins}" for seat in best)
        yield Text("Level in points, so coins decide: {held}.", held=held)


SCREEN = SevenWondersScreen()
