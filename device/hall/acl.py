"""Who may do what at a Mosquitto broker: each table writes below its own name alone, the hall reads all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from device.errors import DeviceError
from device.hall.messages import Topic, TopicKind, is_topic_name, topics_of_all
from rules.plain import shortly
from rules.text import Text

BAD_NAME = Text("{name!r} is no name of a table or a hall: 1 to 40 letters, none of them / + or #.", name="")
SAME_NAME = Text("{name!r} is named twice: each table, and the hall's user, has a name of its own.", name="")


def acl_lines(hall: str, tables: Sequence[str], user: str) -> Iterator[str]:
    """The lines of Mosquitto's ``acl_file``: tables are users by their names, ``user`` is the hall's own.

    Raises:
        DeviceError: a name can't be, or is there twice.
    """
    _check(hall, tables, user)
    yield "# Written by 'sevenmat hall acl'. Each table is a user by its name, and may write below that name alone."
    yield f"user {user}"
    yield from (f"topic read {topics_of_all(hall, kind)}" for kind in TopicKind)
    yield f"topic write {topics_of_all(hall, TopicKind.CALL)}"
    for table in tables:
        yield ""
        yield f"user {table}"
        for kind in TopicKind:
            # Of all topics a table reads only its own call, which the hall takes away once somebody comes.
            yield f"topic {'readwrite' if kind is TopicKind.CALL else 'write'} {Topic(hall, table, kind)}"


def _check(hall: str, tables: Sequence[str], user: str) -> None:
    names = [user, *tables]
    wrong = next((name for name in (hall, *names) if not is_topic_name(name)), None)
    if wrong is not None:
        raise DeviceError(BAD_NAME.refilled(name=shortly(wrong)))
    if len(set(names)) < len(names):
        raise DeviceError(SAME_NAME.refilled(name=next(name for name in names if names.count(name) > 1)))
