"""Whether a table's clock can be right, and when a game ended where it can't: a Raspberry Pi has none of its own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hall.messages import GameResult

BUILT = datetime(2026, 11, 29, tzinfo=UTC)
"""When this version was made, by the CHANGELOG: no clock that is right shows an earlier moment."""
_DAY = timedelta(days=1)


def can_be_right(shown: datetime, now: datetime, since: datetime | None = None) -> bool:
    """Return whether a clock can be right that shows this where the hall's shows ``now``.

    Args:
        shown: what the table's clock showed when it spoke.
        now: what the hall's shows; where that can't be right itself, nobody is judged by it.
        since: what the table said may have waited at the broker since then.
    """
    return now < BUILT or (shown >= BUILT and (since or now) - _DAY <= shown <= now + _DAY)


def find_end_heard(result: GameResult, sent: datetime | None, now: datetime, since: datetime | None) -> datetime | None:
    """Return when a game ended by the hall's clock; ``None`` where the table's clock is believed.

    A table may have been away for days, and says what its clock shows as it sends the result.
    """
    spoke = result.ended if sent is None else sent
    ended_right = now < BUILT or BUILT <= result.ended <= now + _DAY
    return None if ended_right and can_be_right(spoke, now, since) else now
