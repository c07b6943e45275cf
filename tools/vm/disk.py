"""A disk that keeps what it was asked to flush, and of the rest, when the plug is pulled, whatever chance leaves.

An NBD server in this process (the fixed newstyle handshake, read, write, flush and FUA), to which QEMU connects its
drive. A write is answered at once and kept in a cache, as a real disk does; a flush makes all answered writes last.
``pull`` then drops, tears by sectors or keeps each write of the cache. QEMU's own kill would lose nothing that it has
handed to the host.
"""

from __future__ import annotations

import os
import random
import socket
import struct
import threading
from pathlib import Path

BLOCK, SECTOR = 4096, 512
_HAS_FLAGS, _FLUSH, _FUA = 1, 4, 8
_READ, _WRITE, _DISCONNECT, _FLUSH_NOW = 0, 1, 2, 3
_MAGIC, _OPTION, _REPLY = b"NBDMAGIC", b"IHAVEOPT", 0x3E889045565A9
_REQUEST = struct.Struct(">IHHQQI")
_EXPORT_NAME, _ABORT, _INFO, _GO = 1, 2, 6, 7


class ForgetfulDisk:
    """The disk, served at the socket ``path``: over ``base``, which is only read, or blank; ``size`` in bytes."""

    def __init__(self, path: Path, base: Path) -> None:
        self.path, self.size = path, base.stat().st_size
        self._base = os.open(base, os.O_RDONLY)
        self._lasting: dict[int, bytes] = {}
        self._now: dict[int, bytes] = {}
        self._cache: list[tuple[int, bytes]] = []
        self.flushes = 0
        """How often the machine asked for its writes to last."""
        path.unlink(missing_ok=True)
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(path))
        self._socket.listen(1)
        self._served: threading.Thread | None = None

    def serve(self) -> None:
        """Serve the next machine, until it is gone."""
        self._served = threading.Thread(target=self._serve, daemon=True)
        self._served.start()

    def pull(self, chance: random.Random) -> tuple[int, int]:
        """Pull the plug: how many unflushed writes there were, and how many of them are not whole now."""
        assert self._served is not None
        self._served.join(30)
        assert not self._served.is_alive(), "the machine still has the disk"
        # A cache that reached the disk wholly, not at all, or in part and out of order.
        share = chance.choice((0.0, 0.0, chance.random(), chance.random(), 1.0))
        lost, writes = 0, len(self._cache)
        for offset, data in self._cache:
            whole = True
            for at in range(0, len(data), SECTOR):
                if chance.random() < share:
                    self._put(self._lasting, offset + at, data[at : at + SECTOR])
                else:
                    whole = False
            lost += not whole
        self._cache.clear()
        self._now.clear()
        return writes, lost

    def save(self, path: Path) -> None:
        """Write what lasts as an image file."""
        with path.open("wb") as file:
            for at in range(0, self.size, 1 << 20):
                file.write(self._get(at, min(1 << 20, self.size - at)))

    def close(self) -> None:
        """Let go of socket and base."""
        self._socket.close()
        self.path.unlink(missing_ok=True)
        os.close(self._base)

    def _get(self, offset: int, length: int) -> bytes:
        data = bytearray(os.pread(self._base, length, offset))
        for block in range(offset // BLOCK, -(-(offset + length) // BLOCK)):
            written = self._now.get(block) or self._lasting.get(block)
            if written is not None:
                at = block * BLOCK - offset
                cut = max(0, -at)
                part = written[cut : length - at]
                data[at + cut : at + cut + len(part)] = part
        return bytes(data)

    def _put(self, blocks: dict[int, bytes], offset: int, data: bytes) -> None:
        done = 0
        while done < len(data):
            block, within = divmod(offset + done, BLOCK)
            part = data[done : done + BLOCK - within]
            if len(part) < BLOCK:
                old = blocks.get(block)
                if old is None:
                    old = self._lasting.get(block) or os.pread(self._base, BLOCK, block * BLOCK).ljust(BLOCK, b"\0")
                part = old[:within] + part + old[within + len(part) :]
            blocks[block] = bytes(part)
            done += BLOCK - within

    def _flush(self) -> None:
        self.flushes += 1
        self._lasting.update(self._now)
        self._now.clear()
        self._cache.clear()

    def _serve(self) -> None:
        link, _ = self._socket.accept()
        with link:
            try:
                self._greet(link)
                while self._answer(link):
                    pass
            except (ConnectionError, struct.error):
                return  # the machine is gone

    def _greet(self, link: socket.socket) -> None:
        flags = _HAS_FLAGS | _FLUSH | _FUA
        link.sendall(_MAGIC + _OPTION + struct.pack(">H", 3))
        _take(link, 4)
        while True:
            _, option, length = struct.unpack(">8sII", _take(link, 16))
            _take(link, length)
            if option == _EXPORT_NAME:
                link.sendall(struct.pack(">QH", self.size, flags))
                return
            if option in (_INFO, _GO):
                export = struct.pack(">HQH", 0, self.size, flags)
                link.sendall(struct.pack(">QIII", _REPLY, option, 3, len(export)) + export)
                link.sendall(struct.pack(">QIII", _REPLY, option, 1, 0))
                if option == _GO:
                    return
            else:
                link.sendall(struct.pack(">QIII", _REPLY, option, 1 if option == _ABORT else 0x80000001, 0))

    def _answer(self, link: socket.socket) -> bool:
        _, flags, kind, handle, offset, length = _REQUEST.unpack(_take(link, _REQUEST.size))
        error, data = 0, b""
        if kind == _READ:
            data = self._get(offset, length)
        elif kind == _WRITE:
            written = _take(link, length)
            self._put(self._now, offset, written)
            self._cache.append((offset, written))
            if flags & 1:  # FUA: this write, and no other, is to last
                self._cache.pop()
                self._put(self._lasting, offset, written)
        elif kind == _FLUSH_NOW:
            self._flush()
        elif kind == _DISCONNECT:
            return False
        else:
            error = 22
        link.sendall(struct.pack(">IIQ", 0x67446698, error, handle) + data)
        return True


def _take(link: socket.socket, count: int) -> bytes:
    """Take exactly so many bytes.

    Raises:
        ConnectionError: the other side is gone.
    """
    data = bytearray()
    while len(data) < count:
        part = link.recv(count - len(data))
        if not part:
            raise ConnectionError
        data += part
    return bytes(data)
