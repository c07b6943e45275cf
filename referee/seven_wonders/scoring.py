"""The score sheet of finished cities of Seven Wonders, from one look and without a record of the game.

Cards and stages are read. Boards, coins and tokens no camera reads: they are entered. What the rules say of a finished
city, and of tokens, is what they say of a record in the mode ``score``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.finished.areas import other_cards
from referee.finished.score import (
    SEATS,
    Fault,
    Finished,
    Item,
    Score,
    Tally,
    open_faults,
    unread_words,
    with_tie_break,
)
from referee.finished.seating import nothing_there
from referee.layout import TableLayout as AnyLayout
from referee.seven_wonders.faults import report_misplaced
from referee.seven_wonders.finished import FinishedCities, parts_beside_boards
from referee.seven_wonders.layout import CITY, WONDER, Layout
from referee.seven_wonders.referee import REFEREE
from referee.seven_wonders.words import place_words, say_coins
from referee.table import Detections
from referee.zones import NameGroups
from rules.game import GameOption, OptionPart
from rules.parsing import BadRecordError, quote_value
from rules.refusal import Reason
from rules.seven_wonders.boards import find_board
from rules.seven_wonders.judging import find_reasons, tokens_together, victories_of_the_last_age
from rules.seven_wonders.moves import MOST_DEFEATS, MOST_VICTORIES, FinishedCity, Tell, Tokens, tokens_in
from rules.seven_wonders.position import Position
from rules.seven_wonders.rules import RULES
from rules.seven_wonders.scoring import CATEGORIES, CATEGORY_WORDS, choose_copied
from rules.seven_wonders.steps import apply_move
from rules.text import Text, capitalise, join_names, join_row, plural, say_number, verbatim

_MOST_COINS = 99
"""At most this many coins can be entered by the buttons; a file may hold more."""


def _list_numbers(most: int) -> list[tuple[int, Text]]:
    return [(count, verbatim(count)) for count in range(most + 1)]


def _ask_coins(_: Sequence[str]) -> Sequence[tuple[int, Text]]:
    return _list_numbers(_MOST_COINS)


def _coins_fault(value: Any, players: Sequence[str]) -> Text | None:
    n = len(players)
    if not isinstance(value, list) or len(value) != n:
        return Text("'coins' must be a list of {players} numbers, one for each player", players=n)
    for coins in value:
        if type(coins) is not int or coins < 0:
            shown = quote_value(coins)
            return Text("'coins' must be whole numbers from 0 on, not {shown}", shown=shown)
    return None


def _ask_tokens(_: Sequence[str]) -> Sequence[tuple[list[int], Text]]:
    none = Tokens().to_json()
    return [(none, Text("none"))]


def _tokens_fault(value: Any, players: Sequence[str]) -> Text | None:
    n = len(players)
    if not isinstance(value, list) or len(value) != n:
        return Text(
            "'tokens' must be a list of {n}, one for each player, each with three numbers of victories and "
            "one of defeats",
            n=n,
        )
    try:
        for tokens in value:
            tokens_in(tokens)
    except BadRecordError as error:
        return error.text
    return None


_WORTH = (1, 3, 5)
"""Points of a victory by its age."""
_TOLD_PARTS = (
    *(
        OptionPart(
            Text("how many victories of age {age}, worth {worth}?", age=age, worth=worth), _list_numbers(MOST_VICTORIES)
        )
        for age, worth in enumerate(_WORTH, 1)
    ),
    OptionPart(Text("how many defeats?"), _list_numbers(MOST_DEFEATS)),
)
_BOARDS = next(option for option in RULES.options if option.key == "boards")
COINS = GameOption("coins", Text("How many coins?"), _ask_coins, _coins_fault, each_seat=True)
TOKENS = GameOption(
    "tokens", Text("Which tokens of war?"), _ask_tokens, _tokens_fault, each_seat=True, parts=_TOLD_PARTS
)


@dataclass(frozen=True, repr=False)
class _Sheet(Position):
    """A score sheet whose players are called as they are at this table."""

    called: tuple[Text, ...] = ()

    def name_player(self, seat: int) -> Text:
        """Name the player at that seat, from 0."""
        return self.called[seat]


class SevenWondersScoring:
    """Seven categories for each city."""

    rules = RULES
    cards = REFEREE.cards
    asked = (_BOARDS, COINS, TOKENS, SEATS)
    lay = Text(
        "Lay all as in the game: boards, staged cards sticking out below, columns with each head showing; no "
        "coins, no tokens."
    )

    def split_seats(self, players: int) -> tuple[int, ...]:
        """Return as many cities as find room; of more players about half of them each time."""
        most = max(REFEREE.seats)
        return (players,) if players <= most else ((players + 1) // 2, players // 2)

    def join_views(self, views: Sequence[FinishedCities]) -> FinishedCities:
        """Join the cities of all parts."""
        return FinishedCities.join_views(views)

    def make_layout(self, players: int, mat_mm: tuple[float, float]) -> Layout:
        """Return the game's own layout."""
        return REFEREE.make_layout(players, mat_mm)

    def cards_among(self, seen: Detections, layout: AnyLayout) -> Detections:
        """Return what was seen, but for the boards; of what may be a board only what reaches beyond it is left."""
        assert isinstance(layout, Layout), "the layout is that of this game"
        bare = REFEREE.without_boards(seen, layout)
        beyond = (part for mark in seen.unread if mark not in bare.unread for part in parts_beside_boards(mark, layout))
        return replace(bare, unread=(*bare.unread, *beyond))

    def observe(self, seen: Detections, layout: AnyLayout) -> FinishedCities:
        """Observe what lies in each city."""
        assert isinstance(layout, Layout), "the layout is that of this game"
        return FinishedCities.from_view(REFEREE.observe(self.cards_among(seen, layout), layout), layout)

    def list_names(self) -> NameGroups:
        """Return the faces by age, the guilds, and the backs."""
        return REFEREE.name_groups(None)

    def score(self, view: FinishedCities, finished: Finished) -> Score:
        """Return everybody's points by category, who wins, and what can't be."""
        empty, n = _empty_sheet(finished), len(finished.players)
        cities = view.list_cities(n)
        tell = Tell(tuple(finished.told["coins"]), tuple(map(tokens_in, finished.told["tokens"])))
        found: list[Fault] = []
        sheet = empty
        for seat, cards in enumerate(cities, 1):
            city = FinishedCity(seat, cards, view.stages.get(seat, 0))
            found += [Fault(seat, why) for why in _drop_repeats(find_reasons(sheet, city))]
            sheet = apply_move(sheet, city)
        marked = any(place.partition(":")[0] in (CITY, WONDER) for _, place in view.marks)
        if not marked:  # what can't be read may have shields
            found += [Fault(seat + 1, why, "tokens") for seat, why in victories_of_the_last_age(sheet, tell.tokens)]
        found += [Fault(None, reason, "tokens") for reason in tokens_together(tell.tokens)]
        found += _find_misplaced(view, sheet, "seats" in finished.told)
        sheet = apply_move(sheet, tell)
        tallies = tuple(_count_tally(sheet, seat) for seat in range(n))
        unread = tuple((mark, unread_words(mark, place_words(sheet, place))) for mark, place in view.marks)
        faults = open_faults(found, RULES.codes, finished)
        names = tuple(CATEGORY_WORDS.values())
        if faults or unread:
            return Score(tallies, sheet.points, None, None, faults, unread, names)
        coins_held = [city.coins for city in sheet.cities]
        won, why = with_tie_break(sheet.points, coins_held, sheet.called, _LEVEL, _MOST)
        return Score(tallies, sheet.points, won, why, categories=names)


def _empty_sheet(finished: Finished) -> _Sheet:
    """Return the sheet before the first city is entered."""
    players = [str(words) for words in finished.players]
    sides = [find_board(name) for name in finished.told["boards"]]
    return replace(_Sheet.start(players, sides, score_only=True), called=finished.players)


def _drop_repeats(broken: Sequence[Reason]) -> list[Reason]:
    """Return each broken rule once: of two faces of one name
    all say the same, and what is not in play has no copy left.
    """
    absent = {why.cards for why in broken if why.code == "card_not_in_deck"}
    said = {str(why.text): why for why in broken if why.code != "no_copy_left" or why.cards not in absent}
    return list(said.values())


def _find_misplaced(view: FinishedCities, sheet: _Sheet, counted_twice: bool) -> Iterator[Fault]:
    """Yield cards that lie where they don't count, cities without a card, cards of another game."""
    for one in view.astray:
        whose = one.place.partition(":")[2]
        for fault in report_misplaced(sheet, one):
            yield Fault(int(whose) if whose else None, fault.reason)
    if view.foreign:
        yield Fault(None, other_cards(count=view.foreign, game=RULES.title))
    if not counted_twice:
        for seat in range(1, sheet.n + 1):
            if view.is_bare(seat):
                yield Fault(seat, nothing_there(sheet.name_player(seat - 1), ()))


def _count_tally(sheet: _Sheet, seat: int) -> Tally:
    """Return the points of a city, from 0, by category, and what they are of."""
    city, points = sheet.cities[seat], sheet.categories[seat]
    items = tuple(
        Item(capitalise(CATEGORY_WORDS[name]), count, {"category": name, "points": count})
        for name, count in zip(CATEGORIES, points, strict=True)
        if count
    )
    facts = {"board": city.board.id, "cards": [card.id for card in city.cards], "stages": city.stages}
    return Tally(
        seat + 1,
        sheet.points[seat],
        {"sheet": items},
        categories=points,
        facts={**facts, "coins": city.coins, "tokens": city.tokens.to_json()},
        notes=tuple(_write_notes(sheet, seat)),
        settles=city.coins,
    )


def _write_notes(sheet: _Sheet, seat: int) -> Iterator[Text]:
    """Yield what was read and entered of a city."""
    city = sheet.cities[seat]
    stages = plural("{count} stage", "{count} stages", count=city.stages)
    yield join_row((city.board.text, stages, say_coins(city.coins)))
    if city.cards:
        count, built = say_number(len(city.cards)), join_names(card.text for card in city.cards)
        yield Text("{count}: {built}", count=count, built=built)
    guild = choose_copied(sheet.cities, seat)
    if guild is not None:
        yield Text("Copies the {guild}", guild=guild)


_LEVEL = Text("{who} have {most} points each and {counts} coins")
_MOST = Text("{tied}: {won} wins with the most.")


SCORING = SevenWondersScoring()
