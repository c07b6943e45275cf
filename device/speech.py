"""Which language people are spoken to in, and how our errors are said in it."""

from __future__ import annotations

import os
from collections.abc import Mapping

from device.errors import DeviceError
from rules.text import Language
from vision.errors import VisionError

__all__ = ["Language", "default_language", "say"]


def default_language(environment: Mapping[str, str] = os.environ) -> Language:
    """Japanese where the locale is Japanese, otherwise English."""
    locale = next((environment[key] for key in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(key)), "")
    return Language.JA if locale.startswith("ja") else Language.EN


def say(error: DeviceError | VisionError, language: Language) -> str:
    """The error's one sentence in that language."""
    return error.text.said(language)
