"""An evening of the installed package under systemd, with a phone and a hall on, and what goes wrong on evenings.

python -m tools.deb.evening [--minutes 480] [--suite trixie] [--keep FILE] PACKAGE

Every ten minutes the clock is set forth and back, the disk is filled and freed, and the camera is pulled and put back;
in between memory, descriptors, log and state are measured. Prints one line for each thing looked at, and ends with 1
where one was not as it should be. ``--keep`` keeps all figures, and a drawing beside them. It needs root, debootstrap
and systemd-nspawn.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np

from tools.deb.contents import ROOT
from tools.deb.root import Root, explain_missing
from tools.deb.trying import STATE, Checks, is_active, print_checks, wait_until

TABLE, HALL = "sevenmat.service", "sevenmat-hall.service"
UNITS = (TABLE, HALL)
ROUND_S = 600.0
"""So often everything goes wrong once."""
LASTS_S = 45.0
"""So long a trouble lasts."""
LOOK_S = 15.0
WARM = 0.5
"""What is measured in this part of the evening is the start: the first games load what the later ones have."""
MOST_MB_AN_HOUR = 1.0
MOST_DESCRIPTORS = 3
MOST_LINES_AN_HOUR = 200
_PATIENCE_S = 240.0
_DISK_MB = 400
SETTINGS = """language = "en"

[web]
listen = "7777"

[hall]
broker = "mqtt://127.0.0.1"
name = "Cafe"
table = "T1"
"""
DROP_IN = """[Service]
ExecStart=
ExecStart=/opt/sevenmat/program/bin/python -P /mnt/given/guest/evening.py run --service --simulated --headless \
--state ${STATE_DIRECTORY}
Environment=LD_PRELOAD=/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1 FAKETIME_TIMESTAMP_FILE=/mnt/given/clock
Environment=FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 FAKETIME_DISABLE_SHM=1
"""
PACKAGES = "mosquitto mosquitto-clients libfaketime"
BESIDE = {
    "board": "/usr/bin/mosquitto_sub -q 1 -t 'sevenmat/#' -v",
    "phone": f"/usr/bin/python3 /mnt/given/guest/phone.py {STATE}/page-key",
}
"""What runs beside the table and the hall's broker, by its unit: who listens there, and a phone."""
_MEASURE = """
for unit in sevenmat.service sevenmat-hall.service; do
    kb=0 open=0
    for pid in $(grep -l "/$unit" /proc/[0-9]*/cgroup 2>/dev/null | cut -d/ -f3); do
        kb=$((kb + $(awk '/^Pss:/ { print $2 }' /proc/$pid/smaps_rollup 2>/dev/null || echo 0)))
        open=$((open + $(ls /proc/$pid/fd 2>/dev/null | wc -l)))
    done
    echo $kb $open $(journalctl -u $unit -o cat | wc -l) $(systemctl show -p NRestarts --value $unit)
done
du -sk --exclude filled /var/lib/sevenmat | cut -f1
"""


def main() -> int:
    """Play the evening; 0 all is as it should be, 1 something is not, 2 it can't be played here."""
    parser = argparse.ArgumentParser(prog="python -m tools.deb.evening", description=__doc__)
    parser.add_argument("package", type=Path, help="of this machine's architecture")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--suite", default="trixie", choices=("bookworm", "trixie"))
    parser.add_argument("--keep", type=Path, help="a file for all figures, as JSON")
    options = parser.parse_args()
    if why := explain_missing("amd64"):
        print(why, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="sevenmat-evening-") as name:
        given = Path(name)
        given.chmod(0o755)
        shutil.copy(options.package, given / "first.deb")
        root = Root(options.suite, "amd64", given, given)
        evening = Evening(root, given)
        ended = print_checks(evening.play(60 * options.minutes))
        if options.keep is not None:
            options.keep.write_text(json.dumps(evening.figures, indent=1))
            options.keep.with_suffix(".svg").write_text(draw_evening(evening.figures))
    return ended


class Evening:
    """A table in a container, what goes wrong at it, and how large it is meanwhile."""

    def __init__(self, root: Root, given: Path) -> None:
        self._root, self._given = root, given
        self._clock, self._pulled = given / "clock", given / "pulled"
        self._began = 0.0
        self.figures: list[dict[str, float]] = []
        """One for each look: ``s`` since the beginning; of each unit memory in MB, descriptors, lines logged and starts
        made anew; ``state`` is the state folder in kB."""

    def play(self, seconds: float) -> Checks:
        """Play so long."""
        self._root.build()
        self._root.run_script("apt-get update -q && apt-get install -q -y /mnt/given/first.deb", 1800)
        self._root.run_script(
            "apt-get install -q -y --no-install-recommends mosquitto mosquitto-clients libfaketime", 600
        )
        self._lay_out()
        with self._root.boot():
            self._begin()
            yield wait_until(lambda: self._count_lines() >= 6), f"a game is played: {self._count_lines()} lines"
            self._began = time.monotonic()
            yield from self._go_wrong(seconds)
            yield from self._judge()

    def _lay_out(self) -> None:
        shutil.copytree(ROOT / "tools/deb/guest", self._given / "guest", ignore=shutil.ignore_patterns("__pycache__"))
        self._set_clock("+0")
        drop_in = self._root.folder / f"etc/systemd/system/{TABLE}.d/evening.conf"
        drop_in.parent.mkdir(parents=True, exist_ok=True)
        drop_in.write_text(DROP_IN)

    def _begin(self) -> None:
        """Give the state a small disk of its own, and start all that is there on an evening."""
        disk = f"mount -t tmpfs -o size={_DISK_MB}M,mode=750 tmpfs {STATE} && chown sevenmat:sevenmat {STATE}"
        settings = f"cat > {STATE}/settings.toml <<'END'\n{SETTINGS}END\nchown sevenmat: {STATE}/settings.toml"
        self._root.run_script(f"systemctl stop sevenmat; {disk}; {settings}")
        self._root.run_script(f"systemctl daemon-reload; systemctl start {TABLE}; systemctl enable --now {HALL}")
        for name, command in BESIDE.items():
            self._root.run_script(f"systemd-run --quiet --unit={name} -p Restart=always -p RestartSec=2 {command}")

    def _count_lines(self) -> int:
        """Count the lines of all games; what only the container has mounted is asked there."""
        return int(self._root.run_script(f"cat {STATE}/journal/*.jsonl | wc -l", check=False).split()[-1])

    def _has_more(self, lines: int) -> bool:
        return self._count_lines() > lines

    def _set_clock(self, ahead: str) -> None:
        unfinished = self._clock.with_suffix(".new")
        unfinished.write_text(f"{ahead}\n")
        unfinished.replace(self._clock)

    @contextmanager
    def _clock_is(self, ahead: str) -> Iterator[None]:
        self._set_clock(ahead)
        yield
        self._set_clock("+0")

    @contextmanager
    def _camera_pulled(self) -> Iterator[None]:
        self._pulled.touch()
        yield
        self._pulled.unlink()

    @contextmanager
    def _disk_full(self) -> Iterator[None]:
        self._root.run_script(f"cat /dev/zero > {STATE}/filled", check=False)
        yield
        self._root.run_script(f"rm {STATE}/filled")

    def _go_wrong(self, seconds: float) -> Checks:
        """Have one thing after the other go wrong, look meanwhile, and see that the game goes on after each."""
        troubles: dict[str, Callable[[], AbstractContextManager[None]]] = {
            "the clock ran twelve years ahead": lambda: self._clock_is("+12y"),
            "the camera was pulled": self._camera_pulled,
            "the disk was full": self._disk_full,
            "the clock ran a day behind": lambda: self._clock_is("-1d"),
        }
        count, started = 0, time.monotonic()
        while time.monotonic() - started < seconds:
            self._look_until(started + (count + 1) * ROUND_S / len(troubles) - LASTS_S)
            name, trouble = list(troubles.items())[count % len(troubles)]
            with trouble():
                self._look_until(time.monotonic() + LASTS_S)
            before = self._count_lines()
            goes_on = wait_until(partial(self._has_more, before + 1), _PATIENCE_S)
            yield goes_on, f"{name} for {LASTS_S:.0f} s: the game goes on, {self._count_lines()} lines"
            count += 1

    def _look_until(self, end_s: float) -> None:
        while time.monotonic() < end_s:
            self._look()
            time.sleep(max(0.0, min(LOOK_S, end_s - time.monotonic())))

    def _look(self) -> None:
        *units, state = self._root.run_script(_MEASURE).splitlines()
        figures = {"s": time.monotonic() - self._began, "state": float(state)}
        for unit, line in zip(UNITS, units, strict=True):
            kb, descriptors, logged, restarts = map(float, line.split())
            figures |= {
                f"{unit} MB": kb / 1024,
                f"{unit} descriptors": descriptors,
                f"{unit} logged": logged,
                f"{unit} restarts": restarts,
            }
        self.figures.append(figures)

    def _judge(self) -> Checks:
        """Say how the figures have gone."""
        settled = self.figures[int(WARM * len(self.figures)) :]
        hours = self.figures[-1]["s"] / 3600
        for unit in UNITS:
            slope, first, last = slope_an_hour(settled, f"{unit} MB")
            words = f"{unit}: {first:.1f} MB, {last:.1f} MB at the end, {slope:+.2f} MB an hour"
            yield slope < MOST_MB_AN_HOUR, words
            some = [one[f"{unit} descriptors"] for one in settled]
            at_first, at_last = median(some[: len(some) // 4 + 1]), median(some[-len(some) // 4 :])
            yield (
                at_last - at_first <= MOST_DESCRIPTORS,
                f"{unit}: {at_first:.0f} descriptors, {at_last:.0f} at the end",
            )
            lines = self.figures[-1][f"{unit} logged"]
            yield lines / hours < MOST_LINES_AN_HOUR, f"{unit}: {lines:.0f} lines logged in {60 * hours:.0f} minutes"
            yield (
                not self.figures[-1][f"{unit} restarts"],
                f"{unit}: {self.figures[-1][f'{unit} restarts']:.0f} starts anew",
            )
        yield is_active(self._root) == "active", f"the table is {is_active(self._root)}"
        size = self.figures[-1]["state"] / 1024
        yield size < _DISK_MB, f"the state folder has {size:.1f} MB"
        for name in ("phone", "board"):
            said = self._root.run_script(f"journalctl -u {name} -o cat | wc -l").strip()
            yield int(said) > 0, f"the {name} has had {said} answers"


def slope_an_hour(figures: list[dict[str, float]], name: str) -> tuple[float, float, float]:
    """Fit a line through these figures: its slope an hour, its beginning and its end."""
    hours, values = (np.array([one[key] for one in figures]) for key in ("s", name))
    slope, beginning = np.polyfit(hours / 3600, values, 1) if len(figures) > 1 else (0.0, values[0])
    return float(slope), float(beginning + slope * hours[0] / 3600), float(beginning + slope * hours[-1] / 3600)


def draw_evening(figures: list[dict[str, float]]) -> str:
    """Draw memory and descriptors of both units over the minutes, as an SVG."""
    wide, high, left, top = 640, 150, 60, 34
    minutes = [one["s"] / 60 for one in figures]
    drawn = ""
    for row, what in enumerate(("MB", "descriptors")):
        most = max(one[f"{unit} {what}"] for one in figures for unit in UNITS) * 1.1
        lines = "".join(
            f'<path d="M0 {high * n / 4:.0f}H{wide}" stroke="#ddd"/>'
            f'<text x="-6" y="{high * n / 4 + 4:.0f}" text-anchor="end">{most * (1 - n / 4):.0f}</text>'
            for n in range(5)
        )
        for ink, unit in zip(("#205c92", "#c0392b"), UNITS, strict=True):
            places = [
                f"{wide * at / max(minutes[-1], 0.1):.1f},{high * (1 - one[f'{unit} {what}'] / most):.1f}"
                for at, one in zip(minutes, figures, strict=True)
            ]
            last = places[-1].partition(",")[2]
            lines += f'<polyline points="{" ".join(places)}" fill="none" stroke="{ink}" stroke-width="1.5"/>'
            lines += (
                f'<text x="{wide + 6}" y="{float(last) + 4:.0f}" fill="{ink}">{unit.removesuffix(".service")}</text>'
            )
        title = f'<text y="-12" font-weight="bold">{"memory, MB" if what == "MB" else what}</text>'
        drawn += f'<g transform="translate({left},{top + row * (high + 60)})">{title}{lines}</g>'
    foot = f'<text x="{left}" y="{top + 2 * (high + 60) - 34}">0 to {minutes[-1]:.0f} minutes</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + wide + 110} {top + 2 * (high + 60) - 20}" '
        f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>{drawn}{foot}</svg>\n'
    )


if __name__ == "__main__":
    sys.exit(main())
