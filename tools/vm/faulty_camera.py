"""A webcam (v4l2loopback) that freezes, tears, goes black, is unplugged or changed: said each time, and over after."""

from __future__ import annotations

import shutil
import time
from collections.abc import Generator
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageChops

from device.app.sighting import Aiming, Purpose
from device.capture.live import Live
from device.hardware.steady import CameraState, CameraTrouble
from device.speech import Language
from rules.text import Text
from simulator.camera import SimulatedCamera
from tools.vm.image import WORK
from tools.vm.machine import GUEST, Machine, MachineError, Mutation
from tools.vm.stages import Check, draw_state, press, start

_STATUS = "systemctl show -p StatusText --value sevenmat"
_SEEN, _BLIND = "What the camera sees", "blind"
_SIZE, _OTHER_SIZE = (1400, 1050), (800, 600)
_PLUG = "modprobe v4l2loopback video_nr=9 card_label=Webcam exclusive_caps=1"
_UNPLUG = "systemctl stop feed; for n in $(seq 60); do modprobe -r v4l2loopback && break; sleep 0.5; done"
_FEED = "systemd-run --quiet --unit=feed --collect python3 /mnt/feed.py /dev/video9 3 /run/feed"


def _write_pictures(folder: Path) -> None:
    """Write an empty mat, the same smaller, and darkness."""
    camera = SimulatedCamera((1189.0, 841.0), 4)
    camera.show(())
    mat = camera.take_picture()
    dark = np.random.default_rng(1).integers(0, 12, (_SIZE[1], _SIZE[0], 3), np.uint8)
    cv2.imwrite(str(folder / "mat.jpg"), cv2.resize(mat, _SIZE, interpolation=cv2.INTER_AREA))
    cv2.imwrite(str(folder / "other.jpg"), cv2.resize(mat, _OTHER_SIZE, interpolation=cv2.INTER_AREA))
    cv2.imwrite(str(folder / "dark.jpg"), dark)


class _Told(Live):
    """A camera's view that was set to one thing."""

    def __init__(self, words: Text) -> None:
        self._words = words

    def start(self) -> None:
        pass

    def take_news(self) -> Text:
        return self._words

    def stop(self) -> None:
        pass


@cache
def _draw_own(state: CameraState) -> Image.Image:
    """Draw what the program draws where a camera's trouble is said."""
    trouble = CameraTrouble.from_cause(state)
    stage = Aiming(_Told(trouble.text), Language.EN, Purpose((1189.0, 841.0), lambda mm: mm, lambda: None))
    stage.run_round()
    return draw_state(stage.make_screen(), (480, 320))


def check_faults() -> Generator[Check]:
    """Check what the display says while the camera does as it likes, in the menu's view of the camera's picture."""
    share = WORK / ("faulty-camera" + ("-mutant" if Mutation.put_in else ""))
    shutil.rmtree(share, ignore_errors=True)
    shutil.copytree(GUEST, share)
    _write_pictures(share)
    with Machine("faults", share=share) as machine:
        machine.wait_until_up()
        machine.run_script(f"{_PLUG}; echo /mnt/mat.jpg > /run/feed; {_FEED}; sleep 3")
        start(machine)
        machine.ask_until(_STATUS, "What would you like to do?", 90)
        for button in ("down", "down", "confirm"):
            press(machine, button)
        yield _check_becomes(machine, _SEEN, "the camera's picture is shown", 120)
        half = (share / "mat.jpg").stat().st_size // 2
        for words, feed, state in (
            ("frozen", "", CameraState.STALLED),
            ("torn", f"/mnt/mat.jpg {half}", CameraState.TORN),
            ("black", "/mnt/dark.jpg", CameraState.BLACK),
        ):
            machine.run_script(f"echo '{feed}' > /run/feed")
            yield _check_becomes(machine, _BLIND, f"{words} pictures are said")
            yield _check_stays(machine, words, state)
            machine.run_script("echo /mnt/mat.jpg > /run/feed")
            yield _check_becomes(machine, _SEEN, "and it goes on with good ones")
        machine.run_script(_UNPLUG)
        gone = machine.run_script("ls /dev/video9", check=False)
        yield Check("cannot access" in gone, "the camera is unplugged")
        yield _check_becomes(machine, _BLIND, "which is said")
        yield _check_stays(machine, "unplugged", None)
        machine.run_script(f"{_PLUG}; {_FEED}")
        yield _check_becomes(machine, _SEEN, "plugged in again it goes on")
        machine.run_script(f"{_UNPLUG}; {_PLUG}; echo /mnt/other.jpg > /run/feed; {_FEED}")
        yield _check_becomes(machine, _BLIND, "another camera, whose pictures are smaller, is said")
        yield _check_becomes(machine, _SEEN, "and taken as it is")
        machine.run_script(f"{_UNPLUG}; {_PLUG}; echo /mnt/mat.jpg > /run/feed; {_FEED}")
        time.sleep(5)
        yield _check_becomes(machine, _SEEN, "and with the usual size it goes on")
        restarts = machine.run_script("systemctl show -p NRestarts --value sevenmat").strip()
        yield Check(restarts == "0", f"the service was started anew {restarts} times")


def _check_stays(machine: Machine, words: str, state: CameraState | None, seconds: float = 15.0) -> Check:
    """Tell whether no picture is shown all the while, and the display says what is the matter."""
    end, said = time.monotonic() + seconds, state is None
    while time.monotonic() < end:
        if _SEEN in (status := machine.run_script(_STATUS)):
            return Check(False, f"a {words} picture was shown: {status.strip()!r}")
        shown = Image.open(machine.save_screen(f"{words}.png")).convert("RGB")
        said |= state is not None and ImageChops.difference(shown, _draw_own(state)).getbbox() is None
    return Check(said, f"for {seconds:.0f} s no picture is shown" + (f", and {state.value!r} is said" if state else ""))


def _check_becomes(machine: Machine, wanted: str, words: str, patience_s: float = 120) -> Check:
    began = time.monotonic()
    try:
        machine.ask_until(_STATUS, wanted, patience_s)
        return Check(True, f"{words}, after {time.monotonic() - began:.0f} s")
    except MachineError as error:
        return Check(False, f"{words}: {error}")
