"""A plain screen in place of one that could not be made or drawn, and the fault in the log."""

from __future__ import annotations

import logging
import traceback
from functools import lru_cache

from rules.text import Language, Text
from ui.screen_state import Mood, NoticeScreen

_LOG = logging.getLogger(__name__)

_KEPT = Text(
    "This screen can't be shown, for a reason that was not foreseen. Nothing is lost: hold confirm for the "
    "menu, or press back."
)
_FAULTS = 64


def plain_screen(language: Language) -> NoticeScreen:
    """Make the screen in place of one that can't be shown."""
    return NoticeScreen(language, Mood.NOTICE, headline=_KEPT.said(language))


def log_once(what: str, error: BaseException) -> None:
    """Log an unforeseen error with all that led to it, once however often it comes up."""
    _log("".join((f"{what}\n", *traceback.format_exception(error))))


@lru_cache(_FAULTS)
def _log(told: str) -> None:
    _LOG.error("%s", told)
