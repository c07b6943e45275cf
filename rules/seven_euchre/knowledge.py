"""What everybody can know: whether the unseen cards can be placed so that all fits that was seen.

Every unseen card lies in a hand, or where anything may lie: in the middle before it is taken, aside after that. The
sizes of the hands are known, and a hand that once did not follow a suit can't hold a card of it any more (ruling 5).
A placing is thus a matching of cards to places; by Hall's theorem there is one just where any hands together, for all
their places, have cards enough that one of them at least may hold. Four hands make fifteen such groups.

What follows from suits that others did not follow is true only if these had none. A card that lies on the table was in
its player's hand, whatever follows from that: where no placing has it there, one of the others holds a card of a suit
that it did not follow (``too_few``), and nobody can know which.

Sets of cards are masks (``rules.cards``); hands are counted from 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

_GROUPS = tuple(group for size in range(1, 5) for group in combinations(range(4), size))


def too_few(unseen: int, sizes: Sequence[int], barred: Sequence[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the groups of hands that the unseen cards can't fill, each with the cards that all its hands lack.

    Where there is such a group, some hand of it holds a card that it is barred from.
    """
    for group in _GROUPS:
        places, none_may_hold = 0, unseen
        for hand in group:
            places += sizes[hand]
            none_may_hold &= barred[hand]
        if places > (unseen & ~none_may_hold).bit_count():
            yield group, none_may_hold


def can_be_placed(unseen: int, sizes: Sequence[int], barred: Sequence[int]) -> bool:
    """Tell whether the unseen cards can fill hands of these sizes, none with a card it is barred from.

    What the hands do not take lies in the middle or aside.
    """
    return not any(too_few(unseen, sizes, barred))


def may_hold(unseen: int, sizes: Sequence[int], barred: Sequence[int], hand: int, card: int) -> bool:
    """Tell whether some placing has that card, a mask of one bit, in that hand."""
    if not card & unseen & ~barred[hand] or not sizes[hand]:
        return False
    fewer = [size - (place == hand) for place, size in enumerate(sizes)]
    return can_be_placed(unseen & ~card, fewer, barred)


def must_hold(unseen: int, sizes: Sequence[int], barred: Sequence[int], hand: int, cards: int) -> bool:
    """Tell whether every placing has one of these cards, or several, in that hand.

    It makes no difference whether only placings with another card in that hand are asked, where there are such: the
    hands it can have are the bases of a matroid, so a card that is in some of them is also in some without ``cards``.
    """
    without = [bar | cards if place == hand else bar for place, bar in enumerate(barred)]
    return not can_be_placed(unseen, sizes, without)
