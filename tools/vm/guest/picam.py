"""The program's own adapter on picamera2 and libcamera's vimc: what it starts with, gives, and says that is missing."""

import logging
import sys

logging.basicConfig(format="%(message)s", stream=sys.stdout)
from device.hardware.picamera import PiCamera, open_picamera2  # noqa: E402

asked = sys.argv[1].split("x") if len(sys.argv) > 1 else []
size = (int(asked[0]), int(asked[1])) if asked else None
for _ in range(2):  # begun, ended, begun again
    camera = PiCamera(size, open_picamera2)
    print(
        "preview",
        camera.take_preview().shape,
        "picture",
        camera.take_picture().shape,
        camera.read_settled(),
        flush=True,
    )
    camera.close()
