"""A table's page as a process: ``python -m web.child STATE LISTENING LINK``, both sockets by their numbers."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import ui  # noqa: F401 - the languages are loaded with it
from web.link import open_inherited
from web.server import serve

NICENESS = 5
"""Phones wait for the referee, never the referee for phones."""


def main() -> int:
    """Answer phones until the table is gone."""
    state, listening, link = sys.argv[1:4]
    os.nice(NICENESS)
    # Ctrl-C at the terminal is the table's, which ends its page.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    serve(Path(state), open_inherited(int(listening)), open_inherited(int(link)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
