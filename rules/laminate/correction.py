"""Positions set by hand, read from a file that may hold anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.cards import DECK, mask_of
from rules.judged import set_by_hand
from rules.laminate.papers import LAMINATE, Papers
from rules.laminate.position import Phase, Position

_MOST_STEPS = 5_000
"""Steps of public knowledge that a saved position may hold. A game comes to 250, twice as many for each reshuffle that
leaves two histories open."""

_MOST_STEPS_AT_A_STRETCH = 1_000
_DEEPEST = 8
_MOST_PAPERS = 100


@set_by_hand
def read_correction(
    saved: Any, players: Sequence[str], first_seat: int, catalogue: Papers = LAMINATE
) -> Position | None:
    """Read the position that a correction by hand sets.

    Raises:
        BadRecordError: no such position can come up in this game.
    """
    if not _is_bounded(saved):
        return None
    position = Position.from_json(saved, catalogue)
    return position if _is_sound(position, saved, tuple(players), first_seat) else None


def _is_bounded(saved: dict[str, Any]) -> bool:
    """Tell whether a saved position is no larger than one of a game, so that reading it takes no longer either."""
    cards = [saved["discards"], *(paper["cards"] for area in saved["areas"] for paper in area)]
    return (
        len(saved["areas"]) <= 5
        and len(cards) <= _MOST_PAPERS
        and all(len(some) <= len(DECK) for some in cards)
        and 0 < _count_steps(saved["known"]) <= _MOST_STEPS
    )


def _count_steps(known: Sequence[Any], depth: int = 0) -> int:
    """Count the steps that saved knowledge holds, those of its two
    histories included; 0 where it is too long or deep.
    """
    count = len(known)
    if depth > _DEEPEST or count > _MOST_STEPS_AT_A_STRETCH:
        return 0
    for name, *rest in known:
        for log in rest if name == "either" else ():
            inner = _count_steps(log, depth + 1)
            if not inner:
                return 0
            count += inner
        if name != "either" and any(len(some) > len(DECK) for some in rest if isinstance(some, list)):
            return 0
    return count


def _is_sound(position: Position, saved: dict[str, Any], players: tuple[str, ...], first_seat: int) -> bool:
    """Tell whether a saved public position holds every card once, with the numbers that go with it."""
    return (
        (position.players, position.first_seat) == (players, first_seat)
        and position.phase is not Phase.SETUP
        and not position.full
        and _has_its_numbers(position, saved)
        and (position.phase is Phase.OVER) == (position.outcome is not None)
        and _has_its_papers(position)
        and _has_its_cards(position, _count_unseen(position, saved))
    )


def _count_unseen(position: Position, saved: dict[str, Any]) -> list[int]:
    """Count the cards that nobody sees: in the draw pile, in each hand, and under the discards."""
    return [position.draw_count, *saved["sizes"], position.discards.count(None)]


def _has_its_numbers(position: Position, saved: dict[str, Any]) -> bool:
    n = len(position.players)
    numbers = [*_count_unseen(position, saved), saved["seat"], saved["passes"]]
    numbers += [saved[key] for key in ("turns_left", "flag_seat") if saved[key] is not None]
    return (
        all(isinstance(number, int) and not isinstance(number, bool) and number >= 0 for number in numbers)
        and isinstance(saved["met"], bool)
        and len(saved["sizes"]) == len(saved["areas"]) == n
        and 1 <= saved["seat"] <= n
        and (saved["flag_seat"] is None or 1 <= saved["flag_seat"] <= n)
    )


def _has_its_papers(position: Position) -> bool:
    """Tell whether each seat has a kind once, no more of it lie there than there are, and none is without cards."""
    kinds = [(paper.seat, paper.kind) for paper in position.papers]
    return (
        len(kinds) == len(set(kinds))
        and all(kind in position.catalogue and position.count_supply(kind) >= 0 for _, kind in kinds)
        and all(paper.cards for paper in position.papers)
    )


def _has_its_cards(position: Position, counts: list[int]) -> bool:
    """Tell whether every card is in one place, seen or not, and what is publicly known agrees."""
    known, places = position._known, range(len(counts))
    cards = [card for paper in position.papers for card in paper.cards]
    cards += [card for card in position.discards if card is not None]
    return (
        known is not None
        and known.consistent
        and known.under == len(counts) - 1
        and [known.count(place) for place in places] == counts
        and len(set(cards)) == len(cards) == len(DECK) - sum(counts)
        and not any(known.find_possible(place, mask_of(cards)) for place in places)
    )
