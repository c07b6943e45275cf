"""Where the other end of a card must lie of which one end was found."""

from __future__ import annotations

from collections.abc import Sequence

from vision.cover import hides, lies_on
from vision.decode import pair_ends
from vision.networks import End, end_of_card


def opposite_ends(ends: Sequence[End]) -> dict[int, End]:
    """For each end found without its opposite one, where that should be; by the end's number.

    Left out are those that surely lie under another card: in a column most do, and looking there is in vain.
    """
    opposite = {}
    for k in (group[0] for group in pair_ends(ends) if len(group) == 1):
        end = end_of_card(*ends[k].centre, ends[k].angle + 180, kind=ends[k].kind)
        if not any(lies_on(other, ends[k]) and hides(other, end) for other in ends if other is not ends[k]):
            opposite[k] = end
    return opposite
