"""Which camera is used: the one that is named, or the one that is found, with the reason."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from device.addresses import without_password
from device.errors import DeviceError
from device.hardware.camera import Camera
from device.hardware.footage import FolderCamera, VideoCamera
from device.hardware.network import SCHEMES, NetworkCamera
from device.hardware.picamera import PiCamera
from device.hardware.usb import UsbCamera
from rules.text import Text, verbatim

SOURCES = (
    "auto, picamera2, usb, usb:0, http://ADDRESS, https://ADDRESS, rtsp://ADDRESS, folder:PATH, video:PATH, simulated"
)
_NOT_CAMERAS = ("bcm2835", "rpi", "rp1", "unicam", "pispbe", "codec", "isp", "dec")
"""Parts of the names of a Pi's own video nodes: image processors, codecs and the ribbon connector's raw ends."""


@dataclass(frozen=True, slots=True)
class FoundCameras:
    """What cameras this machine has.

    ``ribbon`` are the models that libcamera names, ``ribbon_trouble`` why it can't be asked, ``usb`` numbers and names
    of V4L2 cameras.
    """

    ribbon: tuple[str, ...] = ()
    ribbon_trouble: Text | None = None
    usb: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CameraChoice:
    """The camera to use: its name in the settings, why it is the one, and how it is opened."""

    source: str
    why: Text
    open: Callable[[], Camera]


def look_for_cameras(sys_root: Path = Path("/sys")) -> FoundCameras:
    """Ask libcamera and the kernel for cameras, without opening any."""
    ribbon: tuple[str, ...] = ()
    trouble: Text | None = None
    if importlib.util.find_spec("picamera2") is None:
        trouble = Text("picamera2 is not installed")
    else:
        try:
            from picamera2 import Picamera2

            seen = Picamera2.global_camera_info()
            ribbon = tuple(str(info.get("Model", "?")) for info in seen if "/usb" not in str(info.get("Id", "")))
        except Exception as error:  # whatever a broken driver raises, the other cameras are still looked for
            trouble = verbatim(f"picamera2: {type(error).__name__}: {error}")
    return FoundCameras(ribbon, trouble, _usb_cameras(sys_root / "class" / "video4linux"))


def _usb_cameras(nodes: Path) -> tuple[tuple[int, str], ...]:
    cameras = []
    for node in nodes.glob("video*"):
        number = node.name.removeprefix("video")
        try:
            name = (node / "name").read_text(encoding="utf-8", errors="replace").strip()
            index = (node / "index").read_text(encoding="ascii").strip()
        except OSError:
            continue  # unplugged while it was looked at
        # a webcam's second node carries its metadata, no pictures
        if number.isdigit() and index == "0" and not any(part in name.lower() for part in _NOT_CAMERAS):
            cameras.append((int(number), name))
    return tuple(sorted(cameras))


def choose_camera(
    source: str = "auto",
    size: tuple[int, int] | None = None,
    look: Callable[[], FoundCameras] = look_for_cameras,
    simulated: Callable[[], Camera] | None = None,
) -> CameraChoice:
    """Choose the named camera, or with ``auto`` the first of: ribbon connector, USB. ``size`` is (width, height).

    ``look`` is only called where something has to be found; ``simulated`` opens the camera of that name.

    Raises:
        DeviceError: there is no such source, or nothing was found.
    """
    kind, _, rest = source.partition(":")
    named = Text("It was chosen by name: {source}.", source=without_password(source))
    if source == "picamera2":
        return CameraChoice(source, named, partial(PiCamera, size))
    if kind == "usb" and rest:
        return CameraChoice(source, named, partial(UsbCamera, int(rest) if rest.isdigit() else rest, size))
    if kind == "folder" and rest:
        return CameraChoice(source, named, partial(FolderCamera, Path(rest).expanduser()))
    if kind == "video" and rest:
        return CameraChoice(source, named, partial(VideoCamera, Path(rest).expanduser()))
    if kind in SCHEMES and rest:
        return CameraChoice(source, named, partial(NetworkCamera, source))
    if source == "simulated" and simulated is not None:
        return CameraChoice(source, named, simulated)
    if source not in ("auto", "usb"):
        raise DeviceError(
            "There is no camera {source!r}; name one of {sources}.", source=without_password(source), sources=SOURCES
        )
    found = look()
    if source == "auto" and found.ribbon:
        model = found.ribbon[0]
        return CameraChoice(
            "picamera2", Text("Found on the ribbon connector: {model}.", model=model), partial(PiCamera, size)
        )
    if found.usb:
        number, name = found.usb[0]
        return CameraChoice(
            f"usb:{number}",
            Text("Found on USB: {name} (/dev/video{number}).", name=name, number=number),
            partial(UsbCamera, number, size),
        )
    trouble = found.ribbon_trouble if source == "auto" else None
    none = Text("No camera was found") if trouble is None else Text("No camera was found ({trouble})", trouble=trouble)
    raise DeviceError("{none}: connect one, or name it in the settings ({sources}).", none=none, sources=SOURCES)
