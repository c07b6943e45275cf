"""Rows read straight from the pages of an SQLite file and its write-ahead log, for when SQLite itself gives up.

Source: the "Database File Format" of sqlite.org. A damaged file often lacks a page or two; all other pages still hold
their rows. What is damaged is passed over, so whoever reads these rows has to know which of them to believe.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

Value = int | float | str | bytes | None
Row = tuple[int, tuple[Value, ...]]
"""A row's number in its table and its columns."""

_TABLE_LEAF = 0x0D
_DEFAULT_PAGE = 4096
_FILE_HEADER, _WAL_HEADER, _FRAME_HEADER = 100, 32, 24
_WAL_MAGIC = (0x377F0682, 0x377F0683)
_INTEGER_BYTES = (0, 1, 2, 3, 4, 6, 8)


class _BrokenError(ValueError):
    """A page or a cell that is not what it should be."""


def rows_in(database: Path, log: Path) -> Iterator[Row]:
    """Every row of every table that can still be read, older versions of a page before newer ones.

    ``log`` is the write-ahead log beside the file. A file that is missing, or is no SQLite file, has no rows.
    """
    data = database.read_bytes() if database.is_file() else b""
    frames = list(_frames(log.read_bytes() if log.is_file() else b"", _page_size(data)))
    size = frames[0].page_size if frames and not data.startswith(b"SQLite format 3\0") else _page_size(data)
    pages = {number: data[at : at + size] for number, at in enumerate(range(0, len(data), size), 1)}
    newest = pages | {frame.page: frame.data for frame in frames}
    for number, page in pages.items():
        yield from _leaf_rows(number, page, newest)
    for frame in frames:
        yield from _leaf_rows(frame.page, frame.data, newest)


def has_lost_commits(log: Path) -> bool:
    """Whether a write-ahead log breaks off before transactions that had been finished.

    SQLite reads such a log up to the first frame whose sum is wrong and drops the rest without a word. After a power
    cut the rest is at most the one transaction that was being written; two are a damage.
    """
    data = log.read_bytes() if log.is_file() else b""
    if len(data) < _WAL_HEADER + _FRAME_HEADER:
        return False
    if not _is_whole_head(data):
        return True
    order, sums = _byte_order(data), struct.unpack_from(">II", data, 24)
    whole, lost = True, 0
    for frame in _frames(data, _DEFAULT_PAGE):
        if whole:
            sums = _checksum(frame.head[:8] + frame.data, sums, order)
            whole = sums == struct.unpack_from(">II", frame.head, 16)
        if not whole:
            lost += frame.commits
    return lost >= 2


def _byte_order(log: bytes) -> str:
    return ">" if log[3] & 1 else "<"


def _is_whole_head(log: bytes) -> bool:
    magic, page_size = struct.unpack_from(">I4xI", log)
    if magic not in _WAL_MAGIC or not _is_page_size(page_size):
        return False
    return _checksum(log[:24], (0, 0), _byte_order(log)) == struct.unpack_from(">II", log, 24)


class _Frame:
    """One page as a transaction left it in the write-ahead log."""

    def __init__(self, head: bytes, data: bytes) -> None:
        self.head, self.data = head, data
        self.page, size_after = struct.unpack_from(">II", head)
        self.commits = size_after > 0

    @property
    def page_size(self) -> int:
        """The page's size in bytes."""
        return len(self.data)


def _frames(data: bytes, page_size: int) -> Iterator[_Frame]:
    """The frames written since the log was last begun anew, whether their sums are right or not."""
    if len(data) < _WAL_HEADER + _FRAME_HEADER:
        return
    salt = data[_WAL_HEADER + 8 : _WAL_HEADER + 16]  # of the first frame, where the log's head can't be believed
    if _is_whole_head(data):
        salt = data[16:24]
        (page_size,) = struct.unpack_from(">I", data, 8)
    step = _FRAME_HEADER + page_size
    for at in range(_WAL_HEADER, len(data) - step + 1, step):
        head = data[at : at + _FRAME_HEADER]
        if head[8:16] == salt:
            yield _Frame(head, data[at + _FRAME_HEADER : at + step])


def _checksum(data: bytes, start: tuple[int, int], order: str) -> tuple[int, int]:
    first, second = start
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for place in range(0, len(words), 2):
        first = (first + words[place] + second) & 0xFFFFFFFF
        second = (second + words[place + 1] + first) & 0xFFFFFFFF
    return first, second


def _is_page_size(size: int) -> bool:
    return 512 <= size <= 65536 and size & (size - 1) == 0


def _page_size(data: bytes) -> int:
    if len(data) < _FILE_HEADER:
        return _DEFAULT_PAGE
    (size,) = struct.unpack_from(">H", data, 16)
    size = 65536 if size == 1 else size
    return size if _is_page_size(size) else _DEFAULT_PAGE


def _leaf_rows(number: int, page: bytes, pages: dict[int, bytes]) -> Iterator[Row]:
    start = _FILE_HEADER if number == 1 else 0
    if len(page) < start + 8 or page[start] != _TABLE_LEAF:
        return
    (count,) = struct.unpack_from(">H", page, start + 3)
    for place in range(count):
        try:
            (at,) = struct.unpack_from(">H", page, start + 8 + 2 * place)
            yield _cell(page, at, pages)
        except (_BrokenError, IndexError, struct.error, UnicodeDecodeError):
            continue


def _cell(page: bytes, at: int, pages: dict[int, bytes]) -> Row:
    size, at = _varint(page, at)
    rowid, at = _varint(page, at)
    if rowid >= 1 << 63:
        rowid -= 1 << 64
    usable = len(page)
    if size <= usable - 35:
        payload = page[at : at + size]
    else:
        least = (usable - 12) * 32 // 255 - 23
        here = least + (size - least) % (usable - 4)
        here = here if here <= usable - 35 else least
        (following,) = struct.unpack_from(">I", page, at + here)
        payload = page[at : at + here] + _overflow(following, size - here, pages)
    if len(payload) != size:
        raise _BrokenError
    return rowid, _columns(payload)


def _overflow(page: int, size: int, pages: dict[int, bytes]) -> bytes:
    parts: list[bytes] = []
    while size > 0:
        if page not in pages or len(parts) > len(pages):
            raise _BrokenError
        part = pages[page][4 : 4 + size]
        (page,) = struct.unpack_from(">I", pages[page])
        size -= len(part)
        parts.append(part)
    return b"".join(parts)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for place in range(8):
        byte = data[at + place]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + place + 1
    return value << 8 | data[at + 8], at + 9


def _columns(payload: bytes) -> tuple[Value, ...]:
    end, at = _varint(payload, 0)
    kinds: list[int] = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    values: list[Value] = []
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    return tuple(values)


def _value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind == 0:
        return None, at
    if kind in (8, 9):
        return kind - 8, at
    if kind in (10, 11):
        raise _BrokenError
    size = _INTEGER_BYTES[kind] if kind < 7 else 8 if kind == 7 else (kind - 12) // 2
    raw = payload[at : at + size]
    if len(raw) != size:
        raise _BrokenError
    if kind < 7:
        return int.from_bytes(raw, "big", signed=True), at + size
    if kind == 7:
        return float(struct.unpack(">d", raw)[0]), at + size
    return (raw.decode("utf-8") if kind % 2 else raw), at + size
