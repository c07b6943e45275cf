"""Differences that a step makes on purpose: ``expected.toml`` lists them, each with its reason.

::

    [[change]]
    where = "uses/help run"      # golden/item, with * and ? for many
    reason = "run has a new option --game-name"
    old = 'who begins \\(default: 1\\)'     # a regular expression in the older output …
    new = 'who begins'                     # … and what stands there now (\\1 for a group)

    [[change]]
    where = "demo/seed 1, screens"
    reason = "the countdown's badge is red"
    whole = true                 # whatever differs in these items, and whether they are there at all

With ``old`` and ``new`` the rest of the item must still be equal, so they are to be preferred.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from tools.goldens.checkout import WrongUseError
from tools.goldens.compare import Harvest, Item, first_difference


@dataclass
class Change:
    """One change on purpose; ``seen`` tells whether it was met with."""

    where: str
    reason: str
    old: str | None = None
    new: str = ""
    whole: bool = False
    seen: bool = field(default=False, compare=False)


def load_changes(path: Path) -> list[Change]:
    """The changes that a file lists.

    Raises:
        WrongUseError: the file can't be read or understood.
    """
    try:
        listed = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise WrongUseError(f"{path}: {error}") from error
    changes = []
    for number, entry in enumerate(listed.pop("change", ()), 1):
        try:
            change = Change(**entry)
            re.compile(change.old or "")
        except (TypeError, re.error) as error:
            raise WrongUseError(f"{path}, change {number}: {error}") from error
        if not change.where or not change.reason or (change.old is None) is not change.whole:
            raise WrongUseError(f"{path}, change {number}: it needs where, reason, and either old (and new) or whole")
        changes.append(change)
    if listed:
        raise WrongUseError(f"{path}: there is only [[change]], not {', '.join(listed)}")
    return changes


@dataclass(frozen=True)
class Found:
    """One item's outcome: where it differs first, and the reasons where that was expected."""

    name: str
    difference: str | None
    expected: tuple[str, ...] = ()


def compare_harvests(golden: str, old: Harvest, new: Harvest, changes: Iterable[Change] = ()) -> list[Found]:
    """Every item of both harvests, compared; the changes on purpose that were met with are marked as seen."""
    changes = list(changes)
    return [
        _compare_item(
            name, old.get(name), new.get(name), [c for c in changes if fnmatchcase(f"{golden}/{name}", c.where)]
        )
        for name in dict.fromkeys([*old, *new])
    ]


def _compare_item(name: str, old: Item | None, new: Item | None, changes: list[Change]) -> Found:
    reasons = []
    for change in changes:
        if isinstance(old, str) and change.old is not None:
            old, count = re.subn(change.old, change.new, old)
            if count:
                change.seen = True
                reasons.append(change.reason)
    how = _difference(old, new)
    whole = next((change for change in changes if change.whole), None)
    if how is not None and whole is not None:
        whole.seen = True
        return Found(name, None, (*reasons, whole.reason))
    return Found(name, how, tuple(reasons))


def _difference(old: Item | None, new: Item | None) -> str | None:
    if old is None:
        return "it is new"
    if new is None:
        return "it is gone"
    return first_difference(old, new)
