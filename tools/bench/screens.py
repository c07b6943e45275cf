"""How long a changed screen takes to draw: ``python -m tools.bench screens``.

The average is given in passes of the reference load (``tools.bench.reference_load``), so that other work on the
machine, and other machines, do not matter; the slowest screen in the processor's own time, which other work changes
little. Before
there were two layers, the screens of ``tests.ui.states`` took ``BEFORE`` passes on average, with new words, measured
beside these in the same runs.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import replace

from rules.text import Language
from tests.ui.gallery import gallery
from tests.ui.states import states as states_by_hand
from tools.bench.reference_load import ReferenceLoad
from ui.fonts import open_font
from ui.parts import card_tiles, names, pen, suits
from ui.screen import draw
from ui.screen_state import ScreenState
from ui.wrapping import split_phrases

SIZE = (480, 320)
TARGET_MS = 20.0
BEFORE = 0.026
"""Measured in passes of an earlier load (0.044, three runs of both in turns; the two layers took 0.028) and reckoned in
those of this one, each 1.7 times as long; not measured anew."""
MOST = 1.5 * BEFORE
_ROUNDS = 5
_CACHES = (pen._wrap_text, split_phrases, suits.draw_shape, names._shorten, card_tiles._darken)


def list_states() -> list[ScreenState]:
    """List all screens of the gallery, in both languages."""
    return [state for language in Language.all() for state in gallery(language).values()]


def _forget_drawn() -> None:
    """Forget what was broken into lines and drawn before, as for a screen whose words are new."""
    for cache in _CACHES:
        cache.cache_clear()


def _time_screens(shown: list[ScreenState], cold: bool, clock: Callable[[], float] = time.perf_counter) -> list[float]:
    spent = []
    for state in shown:
        if cold:
            _forget_drawn()
        began = clock()
        draw(state, SIZE)
        spent.append((clock() - began) * 1000)
    return spent


def main() -> None:
    """Print the figures."""
    shown = list_states()
    load = ReferenceLoad()
    _time_screens(shown, cold=False)  # opens the fonts, as the first screens of an evening do
    print(f"{len(shown)} screens of {SIZE[0]} x {SIZE[1]}")
    for words, cold in (("with new words", True), ("with words drawn before", False)):
        took = statistics.mean(statistics.mean(_time_screens(shown, cold)) for _ in range(_ROUNDS))
        passes = took / statistics.median(load.pass_ms() for _ in range(_ROUNDS))
        rounds = [_time_screens(shown, cold, time.thread_time) for _ in range(_ROUNDS)]
        slowest = max(map(min, zip(*rounds, strict=True)))
        print(f"{words}: {took:.2f} ms on average ({passes:.3f} passes), slowest {slowest:.2f} ms of the processor")
        assert slowest <= TARGET_MS, f"a screen takes over {TARGET_MS} ms"
    known = [state for language in Language.all() for state in states_by_hand(language).values()]
    _time_screens(known, cold=False)
    passes = statistics.mean(_time_screens(known, cold=True)) / statistics.median(load.pass_ms() for _ in range(5))
    print(f"those of tests.ui.states: {passes:.3f} passes, before the two layers {BEFORE}")
    assert passes <= MOST, f"a changed screen takes over 1.5 times what it took, {passes:.3f} passes"
    open_font.cache_clear()
    began = time.perf_counter()
    draw(replace(shown[0], headline=shown[0].headline), SIZE)
    print(f"the first screen of all, with its fonts: {(time.perf_counter() - began) * 1000:.1f} ms")


if __name__ == "__main__":
    main()
