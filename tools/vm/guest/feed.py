"""A webcam: `feed.py DEVICE FPS WHICH` writes MJPG frames into a v4l2loopback device until it is ended.

Root, in the machine, after `modprobe v4l2loopback video_nr=9 card_label=Webcam exclusive_caps=1`. WHICH is a text file
with the path of the JPEG to show, read again for every frame; a number after the path cuts so many bytes off (a torn
picture), and an empty file stops the frames (a frozen camera). All pictures must have the first one's size.
"""

import fcntl
import struct
import sys
import time
from io import FileIO


def open_output(device: str, size: tuple[int, int], most: int) -> FileIO:
    """Open the device and tell it what will come: VIDIOC_S_FMT on its output side."""
    file = FileIO(device, "w")
    width, height = size
    pix = struct.pack("<IIIIIIII", width, height, int.from_bytes(b"MJPG", "little"), 1, 0, most, 8, 0)
    # type, four bytes of padding, then the union of 200 bytes
    fcntl.ioctl(file, 0xC0D05605, struct.pack("<II", 2, 0) + pix.ljust(200, b"\0"))
    return file


def size_of(jpeg: bytes) -> tuple[int, int]:
    """Read width and height from the start-of-frame segment."""
    at = 2
    while True:
        mark, length = struct.unpack(">HH", jpeg[at : at + 4])
        if 0xFFC0 <= mark <= 0xFFC2:
            height, width = struct.unpack(">HH", jpeg[at + 5 : at + 9])
            return width, height
        at += 2 + length


def main() -> None:
    device, fps, which = sys.argv[1], float(sys.argv[2]), sys.argv[3]
    out: FileIO | None = None
    kept: dict[str, bytes] = {}
    while True:
        with open(which) as asked:
            words = asked.read().split()
        if words:
            if words[0] not in kept:
                with open(words[0], "rb") as file:
                    kept = {words[0]: file.read()}
            frame = kept[words[0]]
            if out is None:
                out = open_output(device, size_of(frame), 4 * len(frame))
                print("feeding pictures of", *size_of(frame), flush=True)
            out.write(frame[: len(frame) - int(words[1])] if len(words) > 1 else frame)
        time.sleep(1 / fps)


if __name__ == "__main__":
    main()
