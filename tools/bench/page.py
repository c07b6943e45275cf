"""The page's figures: what phones that watch cost the referee, how soon a verdict is on a phone, how soon a page is.

``python -m tools.bench.page [PAIRS]`` plays so many pairs of the same simulated game, with no phone and with 50 that
watch by turns; then a real Chromium opens every page cold. Processor time is that of each process alone.
"""

from __future__ import annotations

import asyncio
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

PAIRS = 5
PHONES = 50
SEED = 577
_TIMED = 10
"""Of so many phones one takes the state as data, by which it knows when it was shown."""


def main() -> None:
    """Print the figures."""
    pairs = [
        (_play_game(0), _play_game(PHONES)) if number % 2 else (_play_game(PHONES), _play_game(0))[::-1]
        for number in range(PAIRS)
    ]
    _tell(pairs)


def _play_game(phones: int) -> dict[str, float]:
    """Play a game with that many phones: processor time of referee and page in s, seconds a look, delays in ms.

    It is played again where the machine was too busy for the simulated players.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tools.bench.page", "play", folder]
        game = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert game.stdout is not None
        watching, figures = None, {}
        for line in game.stdout:
            if line.startswith("page "):
                watch = [sys.executable, "-m", "tools.bench.page", "watch", line.split()[1], str(phones)]
                watching = subprocess.Popen(watch, stdout=subprocess.PIPE, text=True)
            elif line.startswith("{"):
                figures = json.loads(line)
        ended = game.wait()
        assert watching is not None
        figures |= json.loads(watching.communicate()[0])
    if ended != 0:
        print("played again", file=sys.stderr)
        return _play_game(phones)
    print(phones, "phones:", json.dumps(figures), flush=True)
    return figures


def _play(folder: str) -> None:
    """Play a demo as people start it; report at its end what it took."""
    from cli.main import main as sevenmat
    from device.capture.table_reader import TableReader

    looks: list[tuple[float, float]] = []
    reads = TableReader.__call__

    def read_timed(self: TableReader, *args: Any, **more: Any) -> Any:
        wall, used = time.perf_counter(), time.process_time()
        try:
            return reads(self, *args, **more)
        finally:
            looks.append((time.perf_counter() - wall, time.process_time() - used))

    TableReader.__call__ = read_timed  # type: ignore[method-assign]
    words = ["--headless", "--screens", folder, "--language", "en", "--seed", str(SEED), "--web", "127.0.0.1:0"]
    assert sevenmat(["demo", *words]) == 0
    time.sleep(5)  # the page ends after its table
    own, page = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    figures = {
        "referee_s": own.ru_utime + own.ru_stime,
        "page_s": page.ru_utime + page.ru_stime,
        "looks": len(looks),
        "look_s": statistics.median(used for _, used in looks),
        "look_wall_s": statistics.median(wall for wall, _ in looks),
    }
    print(f"\n{json.dumps(figures)}", flush=True)


async def _watch(address: str, phones: int) -> None:
    """Let ``phones`` phones watch until the page is gone; one of ten says how late its messages come."""
    place = urlsplit(address)
    key = parse_qs(place.query)["key"][0]
    late_ms: list[float] = []
    heard = 0

    async def run_phone(number: int) -> None:
        nonlocal heard
        timed = number % _TIMED == 0
        reader, writer = await asyncio.open_connection(place.hostname, place.port, limit=1 << 20)
        path = "/events" if timed else "/events?html"
        head = f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\nCookie: sevenmat_key={key}\r\n\r\n"
        writer.write(head.encode())
        first = True
        while line := await reader.readline():
            if line.startswith(b"data: "):
                heard += 1
                if timed and not first:
                    at = datetime.fromisoformat(json.loads(line[6:])["at"]).timestamp()
                    late_ms.append(1000 * (time.time() - at))
                first = False

    await asyncio.gather(*map(run_phone, range(phones)), return_exceptions=True)
    print(json.dumps({"told": heard, **_measure_delays(late_ms)}))


def _measure_delays(late_ms: list[float]) -> dict[str, float]:
    if not late_ms:
        return {}
    late_ms.sort()
    return {"p50_ms": statistics.median(late_ms), "p99_ms": late_ms[int(0.99 * (len(late_ms) - 1))]}


def _tell(pairs: list[tuple[dict[str, float], dict[str, float]]]) -> None:
    for name, words in (("referee_s", "processor time of a game"), ("look_s", "processor time of a look")):
        shares = [100 * (more[name] / none[name] - 1) for none, more in pairs]
        mean, spread = statistics.mean(shares), statistics.stdev(shares) if len(shares) > 1 else 0.0
        each = ", ".join(f"{share:+.1f}" for share in shares)
        print(f"{words}: {mean:+.1f} % ± {spread:.1f} with {PHONES} phones ({each})")
    for number, phones in enumerate((0, PHONES)):
        page = statistics.mean(pair[number]["page_s"] for pair in pairs)
        print(f"the page's own: {page:.1f} s a game with {phones} phones")
    p50, p99 = (statistics.median(pair[1][name] for pair in pairs) for name in ("p50_ms", "p99_ms"))
    print(f"from the display to {PHONES} phones: {p50:.0f} ms at the median, {p99:.0f} ms in the 99th percentile")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["play", folder]:
            _play(folder)
        case ["watch", address, phones]:
            asyncio.run(_watch(address, int(phones)))
        case [pairs]:
            PAIRS = int(pairs)
            main()
        case _:
            main()
