"""What the service lives through: hung loops, a full disk, a wrong clock, little memory, an update."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager

from tools.vm.image import WORK
from tools.vm.machine import Machine, MachineError, Mutation
from tools.vm.served import People, find_lost
from tools.vm.stages import Check, Stage

_WATCHDOG_S = 45
"""A Pi's is 30 s; the emulated machine is slower."""
_PATIENCE_S = 300.0
_RESTARTS = "systemctl show -p NRestarts --value sevenmat"
_STATUS = "systemctl show -p StatusText --value sevenmat"


class Played:
    """The service with people at its table, in a running machine."""

    def __init__(self, machine: Machine, people: People) -> None:
        self.machine, self.people = machine, people

    def count_moves(self) -> int:
        """Count how many moves the screen has shown as accepted in the game that goes on."""
        shown = 0
        for line in self.people.list_said():
            if "moves" in line:
                shown = max(shown, len(line["moves"]))
            shown = 0 if "finished" in line else max(shown, line.get("accepted", 0))
        return shown

    def wait_for_more(self, patience_s: float = _PATIENCE_S) -> bool:
        """Tell whether further moves are accepted within that time."""
        before, lines = self.count_moves(), len(self.people.list_said())
        return self.wait(
            lambda: self.count_moves() != before or "finished" in str(self.people.list_said()[lines:]), patience_s
        )

    def wait(self, so: Callable[[], bool], patience_s: float) -> bool:
        """Tell whether it becomes so within that time."""
        end = time.monotonic() + patience_s
        while not (good := so()) and time.monotonic() < end:
            time.sleep(0.5)
        return good

    def read_marks(self) -> set[int]:
        """Read which installations the rooms of the program come from that was started last."""
        return set(next((line["marks"] for line in reversed(self.people.list_said()) if "marks" in line), ()))

    def count_restarts(self) -> int:
        """Count how often systemd has started it anew."""
        return int(self.machine.run_script(_RESTARTS).strip() or 0)


@contextmanager
def _play_game(name: str) -> Iterator[Played]:
    people = People(WORK / (f"{name}-people" + ("-mutant" if Mutation.put_in else "")))
    with Machine(name, screen=(320, 240), share=people.share, table=people.table) as machine:
        people.invite(machine, _WATCHDOG_S)
        (people.table / "unrecorded").touch()  # on a full disk the end of a recording would be all that is said
        machine.run_script("mount /table; systemctl daemon-reload; systemctl restart --no-block sevenmat")
        played = Played(machine, people)
        if not played.wait_for_more():
            raise MachineError(
                f"no move was accepted: {machine.run_script('journalctl -u sevenmat -n 5 --no-pager', check=False)}"
            )
        yield played


def check_watchdog() -> Generator[Check]:
    """Hang the screen and the camera: each has the service started anew, and the game goes on."""
    with _play_game("watchdog") as played:
        for what in ("screen", "camera"):
            before, began = played.count_restarts(), time.monotonic()
            played.people.hang(what)
            again = played.wait(lambda before=before: played.count_restarts() > before, 240)  # type: ignore[misc]
            seconds = time.monotonic() - began
            played.people.hang("")
            yield Check(again, f"a hung {what}: started anew after {seconds:.0f} s (watchdog {_WATCHDOG_S} s)")
            yield Check(played.wait_for_more(), f"and moves are accepted again; {played.count_moves()} in the game")
        why = played.machine.run_script(
            "journalctl -u sevenmat --no-pager | grep -ci 'watchdog timeout'", check=False
        ).strip()
        yield Check(int(why or 0) >= 2, f"it was the watchdog each time ({why})")
        yield _nothing_lost(played)


def check_troubles() -> Generator[Check]:
    """Trouble the clock, the disk and the memory; no move is lost, and none shown that isn't kept."""
    with _play_game("troubles") as played:
        machine = played.machine
        pid = machine.run_script("systemctl show -p MainPID --value sevenmat").strip()
        first = _measure_size(machine, pid)
        for year in (2041, 1999, 2026):
            machine.run_script(f"date -s {year}-11-25")
            yield Check(played.wait_for_more(), f"in the year {year} moves are accepted")
        yield Check(played.count_restarts() == 0, "and nothing was started anew")
        machine.run_script(
            "touch /tmp/since; sleep 1; fallocate -l $(df -B1 --output=avail / | tail -1) /filled", check=False
        )
        machine.run_script(
            "runuser -u sevenmat -- sh -c 'cat /dev/zero > /var/lib/sevenmat/filled' 2>/dev/null", check=False
        )
        said = machine.ask_until(f"{_STATUS}; sleep 1", "disk is full", 120).strip()
        before = played.count_moves()
        time.sleep(10)
        yield Check(played.count_moves() <= before + 1, f"on a full disk nothing is accepted: {said!r}")
        machine.run_script("rm /filled /var/lib/sevenmat/filled")
        yield Check(played.wait_for_more(), "and with room again the game goes on")
        # As the kernel does it on a worn card, whatever is open; mount alone refuses where something is.
        machine.run_script("echo 1 > /proc/sys/kernel/sysrq; echo u > /proc/sysrq-trigger; sleep 3")
        refused = "Read-only" in machine.run_script("touch /var/lib/sevenmat/x", check=False)
        before = played.count_moves()
        time.sleep(15)
        said = machine.run_script(_STATUS).strip()
        good = played.count_moves() <= before + 1
        yield Check(good if refused else None, f"on a disk that is read-only nothing is accepted: {said!r}")
        machine.run_script("mount -o remount,rw /")
        yield Check(played.wait_for_more(), "and once it can be written the game goes on")
        last = _measure_size(machine, pid)
        more = _describe_more(last[0] - first[0])
        few = sum((last[0] - first[0]).values()) <= 5
        yield Check(
            few, f"descriptors: {first[0].total()} at first, {last[0].total()} now ({more}); {first[1]}, {last[1]} MB"
        )
        ours = machine.run_script(
            "find / -xdev -newer /tmp/since -user sevenmat -not -path '/proc/*' -not -path '/var/lib/sevenmat*' "
            "-not -path '/var/cache/sevenmat*' -not -path '/run/*' 2>/dev/null",
            check=False,
        ).split()
        yield Check(not ours, f"it has written nothing outside its state{': ' + ' '.join(ours[:3]) if ours else ''}")
        machine.run_script("systemctl set-property --runtime sevenmat MemoryMax=60M", check=False)
        killed = played.wait(lambda: played.count_restarts() > 0, 120)
        machine.run_script("systemctl set-property --runtime sevenmat MemoryMax=infinity", check=False)
        yield Check(killed and played.wait_for_more(), f"out of memory it ends ({killed}) and is there again")
        yield _nothing_lost(played)


def update() -> Generator[Check]:
    """Run the installer over a service with a game in its state, away again, and back."""
    with _play_game("update") as played:
        machine = played.machine
        # There is no network here, and Debian's packages are there already.
        machine.run_script(
            "mkdir -p /run/fake; printf '#!/bin/sh\\nexit 0\\n' > /run/fake/apt-get; chmod +x /run/fake/apt-get"
        )
        machine.run_script("cp -a /var/cache/sevenmat-build /root/fetched")
        install = "cd /root/sevenmat && PATH=/run/fake:$PATH systemd/install.sh"
        machine.run_script(
            "cd /root/sevenmat; for one in */__init__.py; do echo MARK = 2 > $(dirname $one)/mark.py; done"
        )
        began = time.monotonic()
        machine.run_script(f"{install} install", 600)
        yield Check(True, f"installed over the running service in {time.monotonic() - began:.0f} s")
        # The old program may still accept a move while it ends.
        new = played.wait(lambda: played.read_marks() == {2}, _PATIENCE_S)
        yield Check(new, f"what runs then is the new program: marked {played.read_marks()}")
        yield Check(played.wait_for_more(), f"the game goes on by itself; {played.count_moves()} moves in it")
        yield _nothing_lost(played)
        machine.run_script(f"{install} uninstall", 120)
        left = machine.run_script(
            "ls -d /opt/sevenmat /usr/bin/sevenmat /usr/lib/systemd/system/sevenmat.service 2>/dev/null", check=False
        ).split()
        active = machine.run_script("systemctl is-active sevenmat", check=False).strip()
        yield Check(not left and active != "active", f"uninstalled: left of it {left}, the service is {active}")
        games = machine.run_script("ls /var/lib/sevenmat/journal | wc -l").strip()
        yield Check(int(games) >= 2, "the games are still there")
        machine.run_script("cp -a /root/fetched /var/cache/sevenmat-build")
        began = time.monotonic()
        machine.run_script(f"{install} install", 600)
        yield Check(True, f"installed again from nothing in {time.monotonic() - began:.0f} s")
        yield Check(played.wait_for_more(), f"the game goes on by itself; {played.count_moves()} moves in it")
        yield _nothing_lost(played)
        machine.run_script(f"{install} --purge uninstall", 120)
        gone = machine.run_script("ls -d /var/lib/sevenmat 2>/dev/null; id sevenmat 2>/dev/null", check=False).strip()
        yield Check(not gone, f"and with --purge nothing is{': ' + gone if gone else ''}")


def _nothing_lost(played: Played) -> Check:
    wrong = find_lost(played.people.list_said())
    return Check(not wrong, wrong or f"no move that was shown is lost ({played.count_moves()})")


def _measure_size(machine: Machine, pid: str) -> tuple[Counter[str], int]:
    """Open descriptors by what they are, and memory in MB."""
    opened = machine.run_script(f"for n in /proc/{pid}/fd/*; do readlink $n; done", check=False).splitlines()
    memory = machine.run_script(f"awk '/VmRSS/ {{ print $2 }}' /proc/{pid}/status")
    # A font is open once for each size that was drawn, and there are only so many.
    others = [name for name in opened if not name.endswith(".otf")]
    return Counter(name.split(":")[0].split(" ")[0] for name in others), int(memory) // 1000


def _describe_more(more: Counter[str]) -> str:
    return ", ".join(f"{count} × {name}" for name, count in more.items()) or "none more"


LASTING: dict[str, Stage] = {"watchdog": check_watchdog, "troubles": check_troubles, "update": update}
