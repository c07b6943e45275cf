"""Wrong keys, counted by where they come from."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable

MOST_WRONG = 10
"""So many wrong keys from one address within ``WINDOW_S``, and it waits."""
WINDOW_S = 60.0
_ADDRESSES = 1000
"""So many addresses are remembered, those of the last wrong keys."""
_LONGEST = 64
"""So much of a wrong key is remembered, to tell it from the next; a right one is shorter."""


class WrongTries:
    """Counts wrong keys by address."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tries: OrderedDict[str, deque[tuple[float, str]]] = OrderedDict()

    def add(self, address: str, key: str, cookie: bool) -> None:
        """Remember a wrong key; the same old cookie, which a phone sends with everything it asks for, counts once."""
        key = key[:_LONGEST]
        tries = self._tries.setdefault(address, deque(maxlen=MOST_WRONG))
        self._tries.move_to_end(address)
        if len(self._tries) > _ADDRESSES:
            self._tries.popitem(last=False)
        if not cookie or all(key != other for _, other in tries):
            tries.append((self._clock(), key))

    def must_wait_s(self, address: str) -> float:
        """Seconds until keys from this address are looked at again; 0 where they are."""
        tries = self._tries.get(address)
        if tries is None or len(tries) < MOST_WRONG:
            return 0.0
        return max(0.0, tries[0][0] + WINDOW_S - self._clock())
