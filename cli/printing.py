"""``sevenmat print``: what was asked for, as one PDF."""

from __future__ import annotations

import argparse

from cli.house_papers import find_papers
from device.errors import DeviceError
from printing import sheets
from printing.paper_sizes import A4, parse_paper_size
from rules.plain import escape_line
from rules.text import Language, Text

_TAKES = {
    "markers": (),
    "mat": ("game", "players", "paper", "bleed"),
    "pages": ("game", "paper", "bleed", "house_papers"),
    "guide": ("game", "players"),
    "papers": ("paper", "bleed", "house_papers"),
    "deck": ("game", "players", "paper", "bleed"),
}
"""Which options go with what is printed."""


def print_sheets(args: argparse.Namespace) -> int:
    """Write the PDF that was asked for. Returns the exit code.

    Raises:
        DeviceError: an option that doesn't go with it, a paper, game or number of players that can't be, or a file that
            can't be written.
    """
    for option in ("game", "players", "paper", "bleed", "house_papers"):
        if getattr(args, option) is not None and option not in _TAKES[args.what]:
            flag = option.replace("_", "-")
            raise DeviceError("--{flag} does not go with 'print {what}': leave it out.", flag=flag, what=args.what)
    house = find_papers(args.house_papers) if args.house_papers is not None else ()
    paper = None if args.paper is None else parse_paper_size(args.paper)
    if args.what == "mat":
        sheets.print_mat(args.out, args.mat, args.players, args.game, paper, args.bleed, args.overlap)
    elif args.what == "pages":
        sheets.print_pages(args.out, args.mat, args.game, paper, args.bleed, args.overlap, house)
    elif args.what == "guide":
        languages = (args.language,) if args.spoken else Language.all()
        sheets.print_guide(args.out, args.game, args.players, languages)
    elif args.what == "papers":
        sheets.print_papers(args.out, paper or A4, args.bleed, house)
    elif args.what == "deck":
        sheets.print_deck(args.out, paper or A4, args.bleed, args.game, args.players)
    else:
        sheets.print_markers(args.out)
    where = escape_line(str(args.out))
    written = Text("{where} is written ({what}): print it at 100 %.", where=where, what=args.what)
    print(written.said(args.language))
    return 0
