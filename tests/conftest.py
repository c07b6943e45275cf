"""What every test needs."""

from __future__ import annotations

import ui  # noqa: F401 - the languages are loaded with it
