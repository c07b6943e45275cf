"""Stand-ins for what a Raspberry Pi has and a test machine hasn't: a sensor, libcamera, and picamera2 itself.

``PicameraDouble`` behaves as picamera2 was seen to in its source. ``real_picamera2`` is the true package, run over a
stand-in of libcamera, so that the same tests hold the double to it.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import threading
import types
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any
from unittest.mock import MagicMock

import numpy as np

BESIDE = Path(sys.prefix) / "picamera2"
"""Where ``make .venv`` unpacks picamera2: beside the installed packages, since it can't run here."""
NEW_CONTROLS = (
    *("ExposureTime", "ExposureTimeMode", "AnalogueGain", "AnalogueGainMode", "AeEnable", "AwbEnable", "ColourGains"),
    *("FrameDurationLimits", "NoiseReductionMode", "AfMode", "LensPosition"),
)
OLD_CONTROLS = tuple(name for name in NEW_CONTROLS if name not in ("ExposureTimeMode", "AnalogueGainMode"))


@dataclass
class Sensor:
    """What lies behind a double: the module's size, its controls, and what was asked of it."""

    size: tuple[int, int] = (1536, 864)
    controls: tuple[str, ...] = NEW_CONTROLS
    gives: tuple[str, ...] = ("lores", "raw")
    """Streams that the camera gives beside the full picture."""
    form: str = "RGB888"
    """The one format of the full picture that it gives."""
    stalled: bool = False
    metadata: dict[str, Any] = field(
        default_factory=lambda: {
            "ExposureTime": 12000,
            "AnalogueGain": 2.5,
            "ColourGains": (1.9, 1.6),
            "LensPosition": 2.2,
        }
    )
    config: dict[str, Any] = field(default_factory=dict)
    set: dict[str, Any] = field(default_factory=dict)
    closes: int = 0

    def buffer(self, name: str) -> np.ndarray[Any, Any]:
        """Return a frame as it lies in memory, rows padded to 64 bytes: blue to the left, red to the right."""
        width, height = self.config[name]["size"]
        if name == "lores":
            planes = np.zeros((height * 3 // 2, stride_of(self.config[name])), np.uint8)
            planes[:height, :width] = np.linspace(20, 220, width, dtype=np.uint8)
            planes[:height, :width] += np.arange(height, dtype=np.uint8)[:, None] % 3
            return planes
        rows = np.zeros((height, stride_of(self.config[name])), np.uint8)
        picture = np.zeros((height, width, 3), np.uint8)
        blue, red = (0, 2) if self.form == "RGB888" else (2, 0)
        picture[:, : width // 2, blue] = picture[:, width // 2 :, red] = 200
        rows[:, : 3 * width] = picture.reshape(height, -1)
        return rows


def stride_of(stream: dict[str, Any]) -> int:
    row = stream["size"][0] * (1 if stream["format"] == "YUV420" else 3)
    return int(-(-row // 64) * 64 + 64)


def refuse_streams(sensor: Sensor, config: dict[str, Any]) -> None:
    """As picamera2 0.3.38 ends where libcamera gives no configuration for so many streams, or no such picture."""
    if config["main"]["format"] != sensor.form:
        raise RuntimeError("Failed to start camera: Broken pipe")
    if any(config[name] is not None and name not in sensor.gives for name in ("lores", "raw")):
        raise AttributeError("'NoneType' object has no attribute 'orientation'")


class PicameraDouble:
    """The part of picamera2 that the program uses, as its source has it."""

    def __init__(self, sensor: Sensor) -> None:
        self.sensor = sensor
        self.sensor_resolution = sensor.size
        self.camera_controls = dict.fromkeys(sensor.controls, (0, 1, 0))
        self.started = False

    def create_still_configuration(
        self,
        main: dict[str, Any],
        lores: dict[str, Any] | None = None,
        raw: dict[str, Any] | None = MappingProxyType({}),  # type: ignore[assignment]
        buffer_count: int = 1,
        controls: dict[str, Any] | None = None,
        queue: bool = True,
    ) -> dict[str, Any]:
        return {
            "main": main,
            "lores": lores,
            "raw": raw,
            "buffer_count": buffer_count,
            "controls": controls or {},
            "queue": queue,
        }

    def configure(self, camera_config: dict[str, Any]) -> None:
        lores = camera_config["lores"]
        if lores is not None and any(lores["size"][n] > camera_config["main"]["size"][n] for n in (0, 1)):
            raise RuntimeError("lores stream dimensions may not exceed main stream")
        refuse_streams(self.sensor, camera_config)
        self.sensor.config = camera_config
        self.set_controls(camera_config["controls"])

    def start(self) -> None:
        self.started = True

    def set_controls(self, controls: dict[str, Any]) -> None:
        for name, value in controls.items():
            if name not in self.sensor.controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
            self.sensor.set[name] = value

    def capture_array(self, name: str = "main", wait: float | None = None) -> np.ndarray[Any, Any]:
        assert wait is not None, "would wait for ever"
        if self.sensor.stalled or not self.started:
            raise TimeoutError
        rows = self.sensor.buffer(name)
        width, height = self.sensor.config[name]["size"]
        return rows if name == "lores" else rows[:, : 3 * width].reshape(height, width, 3)

    def capture_metadata(self, wait: float | None = None) -> dict[str, Any]:
        assert wait is not None, "would wait for ever"
        if self.sensor.stalled or not self.started:
            raise TimeoutError
        return self.sensor.metadata

    def close(self) -> None:
        if self.started:
            self.sensor.closes += 1
        self.started = False


_STOOD_IN = (
    "libcamera",
    "piexif",
    "simplejpeg",
    "pidng",
    "prctl",
    "av",
    "libarchive",
    "tqdm",
    "jsonschema",
    "videodev2",
    "kms",
)


class _StandIn(types.ModuleType):
    """A module in which everything can be found."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        thing = type(name, (), {}) if name in ("Rectangle", "Size") else MagicMock(name=f"{self.__name__}.{name}")
        setattr(self, name, thing)
        return thing


class _StandIns(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, fullname: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] in _STOOD_IN:
            return importlib.machinery.ModuleSpec(fullname, self, is_package=True)
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return _StandIn(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        pass


def has_picamera2() -> bool:
    return BESIDE.is_dir() or importlib.util.find_spec("picamera2") is not None


@contextmanager
def real_picamera2() -> Iterator[types.ModuleType]:
    """Load the true package over stand-ins of what it can't have here; remove it again afterwards."""
    before = set(sys.modules)
    finder = _StandIns()
    sys.meta_path.insert(0, finder)
    sys.path.append(str(BESIDE))
    try:
        yield importlib.import_module("picamera2.picamera2")
    finally:
        sys.meta_path.remove(finder)
        sys.path.remove(str(BESIDE))
        for name in set(sys.modules) - before:
            if name.partition(".")[0] in (*_STOOD_IN, "picamera2"):
                del sys.modules[name]


def on_a_sensor(package: types.ModuleType, sensor: Sensor) -> Any:
    """Put a double's sensor into the true ``Picamera2`` in place of libcamera, for its own code to open."""
    libcamera = package.libcamera
    libcamera._libcamera.ColorSpace = libcamera._libcamera.Transform = MagicMock
    helpers = importlib.import_module("picamera2.request").Helpers
    controls = importlib.import_module("picamera2.controls").Controls

    class Request:
        """A completed frame."""

        def __init__(self, camera: Any) -> None:
            self.camera = camera
            good = MagicMock()
            good.metadata.status = libcamera.FrameMetadata.Status.Success
            self.request = MagicMock(buffers={"main": good})
            self.config = camera.camera_config
            self.configure_count = camera.configure_count

        def acquire(self) -> None:
            pass

        def release(self) -> None:
            sensor.set |= self.camera.controls.make_dict()

        def get_metadata(self) -> dict[str, Any]:
            return sensor.metadata

        def make_array(self, name: str) -> Any:
            return self.camera.helpers._make_array_shared(sensor.buffer(name).ravel(), self.config[name])

    class OnASensor(package.Picamera2):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            self._reset_flags()
            self._preview = None
            self.feeding: threading.Thread | None = None
            self._requests: list[Any] = []
            self._requestslock = threading.Lock()
            self.camera = MagicMock()
            self.camera_properties_ = {"ColorFilterArrangement": 0}
            self.camera_ctrl_info = {name: (MagicMock(), MagicMock()) for name in sensor.controls}
            self.sensor_resolution, self.sensor_format = sensor.size, "SRGGB10_CSI2P"
            self.helpers = helpers(self)

        def configure(self, camera_config: Any = None) -> None:
            self.check_camera_config(camera_config)
            refuse_streams(sensor, camera_config)
            for name in ("main", "lores") if camera_config["lores"] is not None else ("main",):
                camera_config[name]["stride"] = stride_of(camera_config[name])
            self.camera_config = sensor.config = camera_config
            self._max_queue_len = 1 if camera_config["queue"] and camera_config["buffer_count"] > 1 else 0
            self.controls = controls(self, controls=camera_config["controls"])

        def start(self, config: Any = None, show_preview: Any = False) -> None:
            self.stopping = threading.Event()
            self.feeding = threading.Thread(target=self.feed, daemon=True)
            self.feeding.start()

        def feed(self) -> None:
            while not self.stopping.wait(0.005):
                if not sensor.stalled:
                    with self._requestslock:
                        self._requests.append(Request(self))
                self.process_requests(MagicMock())

        def _run_process_requests(self) -> None:
            pass

        def close(self) -> None:
            if self.feeding is not None:
                sensor.closes += 1
                self.stopping.set()
                self.feeding.join()
            self.feeding = None

        def __del__(self) -> None:
            pass

    return OnASensor()
