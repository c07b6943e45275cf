"""Who may do what at a Mosquitto broker: each table writes below its own name alone, the hall reads all of them."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from device.errors import DeviceError
from device.files import replace_file
from hall.messages import Topic, TopicKind, is_topic_name, make_topic_filter
from rules.plain import escape_line, shorten_line
from rules.text import Language, Text

BAD_NAME = Text("{name!r} is no name of a table or a hall: 1 to 40 letters, none of them / + or #.", name="")
SAME_NAME = Text("{name!r} is named twice: each table, and the hall's user, has a name of its own.", name="")

HOW = Text(
    "These two lines belong into mosquitto.conf, with 'allow_anonymous false'. Each password is set with\n"
    "  mosquitto_passwd {passwords} {user}    the hall's own; the first time with -c\n"
    "  mosquitto_passwd {passwords} {table}    and so for each table",
    passwords="",
    user="",
    table="",
)


def make_acl_lines(hall: str, tables: Sequence[str], user: str) -> Iterator[str]:
    """Yield the lines of Mosquitto's ``acl_file``: tables are users by their names, ``user`` is the hall's own.

    Raises:
        DeviceError: a name can't be, or is there twice.
    """
    check_names(hall, tables, user)
    yield "# Written by 'sevenmat hall acl'. Each table is a user by its name, and may write below that name alone."
    yield f"user {user}"
    yield from (f"topic read {make_topic_filter(hall, kind)}" for kind in TopicKind)
    yield f"topic write {make_topic_filter(hall, TopicKind.CALL)}"
    for table in tables:
        yield ""
        yield f"user {table}"
        for kind in TopicKind:
            # Of all topics a table reads only its own call, which the hall takes away once somebody comes.
            yield f"topic {'readwrite' if kind is TopicKind.CALL else 'write'} {Topic(hall, table, kind)}"


def check_names(hall: str, tables: Sequence[str], user: str) -> None:
    """Refuse names that a hall, its tables or its user can't have.

    Raises:
        DeviceError: one can't be, or is there twice.
    """
    names = [user, *tables]
    wrong = next((name for name in (hall, *names) if not is_topic_name(name)), None)
    if wrong is not None:
        raise DeviceError(BAD_NAME.refill(name=shorten_line(wrong)))
    if len(set(names)) < len(names):
        raise DeviceError(SAME_NAME.refill(name=next(name for name in names if names.count(name) > 1)))


def write_acl(hall: str, tables: Sequence[str], user: str, out: Path | None, language: Language) -> int:
    """Write who may do what at a Mosquitto broker, and say how it is used; without ``out`` to standard output.

    Returns the exit code.

    Raises:
        DeviceError: a name can't be, or the file can't be written.
    """
    text = "".join(f"{line}\n" for line in make_acl_lines(hall, tables, user))
    if out is None:
        print(text, end="")
        return 0
    with replace_file(out) as unfinished:
        unfinished.write_text(text, encoding="utf-8")
    passwords = out.resolve().parent / "sevenmat.passwd"
    print(f"acl_file {escape_line(str(out.resolve()))}")
    print(f"password_file {escape_line(str(passwords))}")
    how = HOW.refill(passwords=shlex.quote(str(passwords)), user=shlex.quote(user), table=shlex.quote(tables[0]))
    print(how.said(language), file=sys.stderr)
    return 0


def list_tables(names: Sequence[str] | None, path: Path | None, count: int | None) -> Sequence[str]:
    """Return the tables named in one of three ways: by their names, in a file with one a line, or by their number.

    Raises:
        DeviceError: in none or several, or the file can't be read or holds none.
    """
    if [names is None, path is None, count is None].count(False) != 1:
        raise DeviceError("Name the tables with one of --tables, --tables-file and --count.")
    if count is not None:
        return [f"T{number}" for number in range(1, count + 1)]
    return names or _names_in(path or Path())


def _names_in(path: Path) -> Sequence[str]:
    try:
        names = [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except UnicodeDecodeError:
        names = []
    if not names:
        raise DeviceError("{name} holds no names of tables, one a line.", name=shorten_line(str(path), 200))
    return names
