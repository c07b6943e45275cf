"""The plug pulled while ``make install`` is at work over a service that plays: what the next boot finds.

Each installation is marked in every room of the program, so that half an old and half a new one is seen. After each cut
the old program or the new one must run, whole and by itself; where none does, installing again must mend it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from tools.vm.alone import Figures
from tools.vm.machine import Machine, MachineError
from tools.vm.served import Served, find_lost

_PATIENCE_S = 300.0
_TRIES = 4
"""Ended so often at its start, it will end again."""
# There is no network here; Debian's packages and the wheels are there already.
_INSTALL = "cd /root/sevenmat && PATH=/root/fake:$PATH systemd/install.sh install"
_NO_APT = "mkdir -p /root/fake; printf '#!/bin/sh\\nexit 0\\n' > /root/fake/apt-get; chmod +x /root/fake/apt-get; sync"
_MARK = (
    "for room in rules referee vision ui device web hall printing simulator cli; "
    "do echo MARK = {} > /root/sevenmat/$room/mark.py; done; sync"
)


def cut_install(times: int, seed: int, say: Callable[[str], None]) -> Figures:
    """Pull the plug so many times while it is installed, or soon after it was.

    Raises:
        MachineError: it could not be set up.
    """
    figures, chance, served = Figures(), random.Random(seed), Served()
    with served.turn_on() as machine:
        machine.wait_until_up()
        _running_mark(served, machine, 0)
        machine.run_script(f"{_NO_APT}; {_MARK.format(1)}", 300)
        before, began = len(served.people.list_said()), time.monotonic()
        machine.run_script(_INSTALL, 600)
        takes_s = time.monotonic() - began
        if _running_mark(served, machine, before) != 1:
            raise MachineError("another program runs than the one that was installed")
        say(f"an installation takes {takes_s:.0f} s")
        machine.run_script("sync")
    served.disk.pull(chance)
    old = new = 1
    for number in range(2, times + 3):
        last = number == times + 2  # the life that only looks what the last cut left
        before = len(served.people.list_said())
        with served.turn_on() as machine:
            how, marked = _comes_up(served, machine, before)
            if marked not in (old, new):
                figures.faults.append(f"life {number}: {how} installation {marked} runs, after {old} and {new}")
            if not last:
                machine.run_script(_MARK.format(number))
                machine.run_script(f"systemd-run --quiet --unit=installer sh -c '{_INSTALL}'")
                after_s = chance.uniform(0, 1.15 * takes_s)
                time.sleep(after_s)
                old, new = marked, number
        writes, dropped = served.disk.pull(chance)
        figures.kinds[how] = figures.kinds.get(how, 0) + 1
        if last:
            say(f"after the last cut: installation {marked} runs {how}")
        else:
            figures.cuts += 1
            figures.unflushed += writes > 0
            figures.dropped += dropped
            say(
                f"cut {figures.cuts}: installation {marked} runs {how}; {number} was cut after {after_s:.0f} s, "
                f"{writes} writes unflushed, {dropped} lost; {len(figures.faults)} faults"
            )
    # that a program of too few packages can't run is no fault of what it keeps
    if wrong := find_lost([line for line in served.people.list_said() if "fault" not in line]):
        figures.faults.append(wrong)
    figures.things = sum("accepted" in line for line in served.people.list_said())
    return figures


def _comes_up(served: Served, machine: Machine, before: int) -> tuple[str, int]:
    """Report how a program has come to run, and of which installation it is.

    Raises:
        MachineError: none runs, even once it was installed again.
    """
    machine.wait_until_up()
    try:
        return "by itself", _running_mark(served, machine, before)
    except MachineError:
        why = machine.run_script("journalctl -u sevenmat -n 6 --no-pager -o cat", check=False).strip()[-400:]
        before = len(served.people.list_said())
        said = machine.run_script(_INSTALL, 600, check=False).strip()[-400:]
        try:
            return "once it was installed again", _running_mark(served, machine, before)
        except MachineError as error:
            raise MachineError(f"{error}, even once it was installed again ({said!r}); before: {why!r}") from error


def _running_mark(served: Served, machine: Machine, before: int) -> int:
    """Return the mark of the program that is READY and has begun since that line; -1 for one of several parts.

    Raises:
        MachineError: none is.
    """
    end = time.monotonic() + _PATIENCE_S
    ask = "systemctl show -p ActiveState --value sevenmat; systemctl show -p NRestarts --value sevenmat"
    while True:
        state, restarts = machine.run_script(ask).split()
        begun = [line for line in served.people.list_said()[before:] if "moves" in line]
        if state == "active" and begun:
            marks = set(begun[-1]["marks"])
            return int(marks.pop()) if len(marks) == 1 else -1
        if time.monotonic() > end or int(restarts) >= _TRIES:
            raise MachineError(f"no program runs, though it was started anew {restarts} times")
        time.sleep(1)
