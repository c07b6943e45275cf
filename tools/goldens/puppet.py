"""Plays ``sevenmat run`` in a window that nobody sees: presses keys, changes what the camera sees, keeps screens.

Run by a checkout's own interpreter as ``puppet.py SCRIPT COMMAND WORDS…``; it imports nothing of Sevenmat and knows
only that the command opens a pygame window, hears keys, and sees the pictures of a folder one after the other, each for
ten seconds. All names in that folder stand for one picture, which the script changes.

SCRIPT is a JSON file: ``camera``, the folder as the command is given it; ``screens``, where screens go; ``steps``:

* ``["put", FILE]``: the camera will see this picture when it looks next
* ``["next", FILE]``: the camera sees this picture now
* ``["press", KEY]``, ``["hold", KEY]``
* ``["screen", NAME]``: the window as it has come to rest
* ``["quit"]``: the window's close box; ``["kill"]``: as a pulled plug
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

os.environ["SDL_VIDEODRIVER"] = "dummy"

import pygame
from PIL import Image

KEYS = {"confirm": pygame.K_RETURN, "back": pygame.K_ESCAPE, "up": pygame.K_UP, "down": pygame.K_DOWN}
HOLD_S = 1.2
"""Longer than a long press."""
PICTURE_S = 10.0
"""How long the folder camera shows a picture."""
REST_S = 0.5
"""A window that shows the same for so long, while the program does next to nothing, has come to rest."""
STILL_S = 1.8
"""A new picture is read after this time at the soonest: the table has to lie still for a second."""
BUSY = 0.7
"""A thread that works, or would if it were let, for more than this share of the time is still reading a picture."""
NAMES = 720
"""So many names has the one picture: two hours."""
PATIENCE_S = 600.0

_now = time.monotonic


_Work = dict[str, float]


def _work() -> _Work:
    """Measure how long each thread of this process but the puppet's has worked or waited for a processor, in s."""
    done = {}
    for thread in os.listdir("/proc/self/task"):
        if int(thread) != threading.get_native_id():
            with suppress(OSError), open(f"/proc/self/task/{thread}/schedstat", encoding="ascii") as stat:
                worked, waited, _ = stat.read().split()
                done[thread] = (int(worked) + int(waited)) / 1e9
    return done


def _measure_share(a: tuple[float, _Work], b: tuple[float, _Work]) -> float:
    """Return the share of the time between two moments that the busiest thread was at work."""
    longest = max((after - a[1].get(thread, 0.0) for thread, after in b[1].items()), default=0.0)
    return longest / max(b[0] - a[0], 1e-6)


class Clock:
    """``time.monotonic`` as the program sees it: it leaps to where the folder's next picture is due."""

    def __init__(self) -> None:
        self._ahead = 0.0

    def __call__(self) -> float:
        return _now() + self._ahead

    def leap(self, by_s: float) -> None:
        self._ahead += max(0.0, by_s)


class Puppet:
    """The hands at the keys and the eyes at the window."""

    def __init__(self, script: dict[str, Any], clock: Clock) -> None:
        self._clock = clock
        self._camera = Path(script["camera"]).absolute()
        self._screens, self._steps = Path(script["screens"]), script["steps"]
        self._opened, self._opened_s = 0, 0.0
        self._at_rest = False
        self._picture = self._camera.with_name(f"{self._camera.name}-shows.bmp")
        self._camera.mkdir()
        for number in range(NAMES):
            (self._camera / f"{number:04d}.bmp").symlink_to(self._picture)
        sys.addaudithook(self._opening)

    def _opening(self, event: str, details: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(details[0], (str, os.PathLike)):
            name = os.fspath(details[0])
            if isinstance(name, str) and os.path.dirname(os.path.abspath(name)) == str(self._camera):
                self._opened_s = self._clock()
                self._opened += 1

    def play(self) -> None:
        """Play the whole script; where it can't go on, the program is ended with another code."""
        try:
            self._screens.mkdir(parents=True, exist_ok=True)
            for step, *words in self._steps:
                getattr(self, f"_{step}")(*words)
        except Exception as error:
            print(f"puppet: {error}", file=sys.stderr, flush=True)
            os._exit(3)

    def _press(self, key: str) -> None:
        self._key(pygame.KEYDOWN, key)
        time.sleep(0.03)
        self._key(pygame.KEYUP, key)
        self._rest()

    def _hold(self, key: str) -> None:
        self._key(pygame.KEYDOWN, key)
        time.sleep(HOLD_S)
        self._key(pygame.KEYUP, key)
        self._rest()

    def _key(self, kind: int, key: str) -> None:
        pygame.event.post(pygame.event.Event(kind, key=KEYS[key]))

    def _put(self, file: str) -> None:
        # Unpacked here, so that on a busy machine the camera is not held to be broken for being slow.
        part = self._picture.with_suffix(".part")
        with Image.open(file) as picture:
            picture.save(part, "BMP")
        part.replace(self._picture)

    def _next(self, file: str) -> None:
        self._put(file)
        before, began = self._opened, _now()
        self._clock.leap(self._opened_s + PICTURE_S + 0.2 - self._clock())
        while self._opened == before:
            if _now() - began > PATIENCE_S:
                raise RuntimeError("the next picture was never looked at")
            time.sleep(0.02)
        self._rest(STILL_S)

    def _screen(self, name: str) -> None:
        if not self._at_rest:
            self._rest()
        pygame.image.save(pygame.display.get_surface().copy(), str(self._screens / f"{name}.png"))

    def _quit(self) -> None:
        pygame.event.post(pygame.event.Event(pygame.QUIT))

    def _kill(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def _rest(self, still_s: float = 0.0) -> None:
        """Wait until the window has shown the same for a while, and no thread has been at work meanwhile.

        It is waited ``still_s`` at least; longer, where the machine has other things to do.
        """
        slow = min(8.0, max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)))
        began = _now()
        shown, history = b"", [(began, _work())]
        while _now() - began < PATIENCE_S:
            time.sleep(0.05)
            now = self._copy_pixels()
            if now != shown:
                shown, history = now, []
            history.append((_now(), _work()))
            since = history[-1][0] - history[0][0]
            if since < REST_S * slow:
                continue
            lately = next(one for one in history if one[0] >= history[-1][0] - REST_S * slow / 3)
            if _measure_share(history[0], history[-1]) > BUSY or _measure_share(lately, history[-1]) > BUSY:
                history = history[-1:]
            elif shown and _now() - began >= still_s * slow:
                self._at_rest = True
                return
        raise RuntimeError("the window does not come to rest")

    @staticmethod
    def _copy_pixels() -> bytes:
        surface = pygame.display.get_surface() if pygame.display.get_init() else None
        return pygame.image.tobytes(surface, "RGB") if surface is not None else b""


def main(script: str, command: str, *words: str) -> None:
    """Run the command in this process, played by a puppet in a thread of its own."""
    clock = Clock()
    time.monotonic = clock
    puppet = Puppet(json.loads(Path(script).read_text(encoding="utf-8")), clock)
    threading.Thread(target=puppet.play, daemon=True).start()
    sys.argv = [command, *words]
    runpy.run_path(command, run_name="__main__")


if __name__ == "__main__":
    main(*sys.argv[1:])
