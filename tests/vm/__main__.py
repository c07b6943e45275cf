"""``make vm-test``: the installed product in a virtual machine with the kernel's simulated devices, stage by stage.

Prints one line for each thing that was looked at: passed, FAILED, or skipped with the reason.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time

from tests.vm.image import WORK, build, missing
from tests.vm.machine import KVM, MachineError
from tests.vm.stages import STAGES, Check


def main() -> int:
    """Build the image where that is due, and run the stages. Returns 1 where one failed, 2 where none could run."""
    parser = argparse.ArgumentParser(prog="python -m tests.vm", description=__doc__)
    parser.add_argument("stages", nargs="*", metavar="STAGE", help=f"of {', '.join(STAGES)} (default: all)")
    wanted = parser.parse_args().stages or list(STAGES)
    for name in wanted:
        if name not in STAGES:
            parser.error(f"there is no stage {name!r}: name some of {', '.join(STAGES)}")
    if why := missing():
        print(why, file=sys.stderr)
        return 2
    try:
        print(f"image: {build()}; {'KVM' if KVM else 'emulated, which is slow'}", flush=True)
    except subprocess.CalledProcessError as error:
        print(f"The image could not be built ({error}); the logs are in {WORK}.", file=sys.stderr)
        return 2
    failed = 0
    for name in wanted:
        began = time.monotonic()
        try:
            for check in STAGES[name]():
                failed += check.good is False
                _print(name, check, time.monotonic() - began)
        except MachineError as error:
            failed += 1
            _print(name, Check(False, str(error)), time.monotonic() - began)
    return 1 if failed else 0


def _print(stage: str, check: Check, seconds: float) -> None:
    said = {True: "passed", False: "FAILED", None: "skipped"}[check.good]
    print(f"{stage:9} {said:8} {seconds:5.0f} s  {check.words}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
