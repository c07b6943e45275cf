"""What each command takes, and what helps to use it, in both languages."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path

from cli.line import values
from cli.line.endings import SHEETS, pages_of_a_deck
from cli.line.parser import Parser
from rules.text import Language, Text, join_row, make_sentence, verbatim

Handler = Callable[[argparse.Namespace], int]

_JSON = Text("one JSON object a line")
_MAT = Text("the mat's size in mm (default: measured)")
_PHONES = Text("show the table on phones too: where they reach it")
_DRAW = Text("write each picture with what was seen drawn on into this folder")


def command_line(language: Language, handlers: Mapping[str, Handler]) -> Parser:
    """Build the parser of the whole command line, which helps in that language and has a handler for each command."""
    words = Text("A camera above a card table that referees games of SEVEN cards.")
    parser = Parser(prog="sevenmat", description=words.said(language), language=language)
    shown = f"sevenmat {version('sevenmat')}"
    told = Text("show the version and exit")
    parser.option("--version", words=told, action="version", version=shown)
    _spoken(parser, default=None)
    title = Text("commands").said(language)
    commands = parser.add_subparsers(title=title, metavar="COMMAND", dest="command", required=True)
    for name, (words, fill) in _COMMANDS.items():
        described = make_sentence(words).said(language)
        command = commands.add_parser(name, help=words.said(language), description=described, language=language)
        fill(command)
        command.set_defaults(handler=handlers[name])
    return parser


def _spoken(parser: Parser, default: str | None = argparse.SUPPRESS) -> None:
    words = Text("what messages and screens are written in (default: as the locale)")
    parser.option("--language", words=words, choices=[language.code for language in Language.all()], default=default)


def _with_state(parser: Parser) -> None:
    words = Text("the folder that keeps decks, games and settings (default: your own)")
    parser.option("--state", words=words, type=Path, metavar="DIR")


def _run(run: Parser) -> None:
    _with_state(run)
    _spoken(run)
    run.option(
        "--camera",
        words=Text("which camera: auto, picamera2, usb, usb:0, http://…, rtsp://…, folder:PATH, video:PATH"),
        metavar="NAME",
    )
    run.option("--display", words=Text("which display: auto, window, kmsdrm, fbtft, dummy"), metavar="NAME")
    run.option(
        "--buttons", words=Text("which buttons: auto, keyboard, display-hat-mini, pitft, custom"), metavar="NAME"
    )
    _size(run, None)
    run.option("--web", words=_PHONES, type=values.listen, metavar="[HOST:]PORT")
    _in_a_hall(run)
    run.option(
        "--players", words=Text("begin a game of these, by seat"), type=values.names, default=(), metavar="A,B,C"
    )
    run.option("--first", words=Text("with --players: who begins (default: 1)"), type=int, default=1, metavar="SEAT")
    run.option("--deck", words=Text("with --players: the deck on the table"), metavar="NAME")
    run.option("--house-papers", words=Text("with --players: your own papers ('enrol --help')"), metavar="NAMES")
    run.option(
        "--game",
        words=Text(
            "a number of 'sevenmat games': go on with that game; a game's name in records, with --players or "
            "--simulated: begin that one"
        ),
        type=values.game,
        metavar="GAME",
    )
    run.option("--simulated", words=Text("before a simulated table with simulated players"), action="store_true")
    run.option("--seed", words=Text("with --simulated: another game, any number from 0"), type=values.seed, default=1)
    run.option("--headless", words=Text("show the screens nowhere"), action="store_true")
    run.option("--screens", words=Text("write every screen there instead"), type=Path, metavar="DIR")
    run.option("--service", words=Text("as systemd's service: wrong settings stop nothing"), action="store_true")


def _doctor(doctor: Parser) -> None:
    _with_state(doctor)
    _spoken(doctor)
    as_run = Text("as with run (default: the settings')")
    for device in ("--camera", "--display", "--buttons"):
        doctor.option(device, words=as_run, metavar="NAME")
    asked = Text("do not ask for buttons to be pressed")
    doctor.option("--no-buttons", words=asked, action="store_true")
    doctor.option(
        "--report",
        words=Text(
            "write all of it into one file to send, without names and pictures, and ask what was tried at the table"
        ),
        type=Path,
        metavar="FILE",
    )
    _json(doctor)


def _demo(demo: Parser) -> None:
    _spoken(demo)
    demo.option("--game", words=Text("which game, by its name in records (default: the first one)"), metavar="NAME")
    demo.option("--headless", words=Text("open no window, write screens to a folder"), action="store_true")
    demo.option(
        "--screens", words=Text("write every screen there (headless: ./demo-screens)"), type=Path, metavar="DIR"
    )
    demo.option(
        "--record", words=Text("keep what the camera and buttons gave as a recording"), type=Path, metavar="DIR"
    )
    demo.option("--seed", words=Text("another game: any whole number from 0"), type=values.seed, default=None)
    _size(demo, (480, 320))
    demo.option("--web", words=_PHONES, type=values.listen, metavar="[HOST:]PORT")
    _in_a_hall(demo)


def _enrol(enrol: Parser) -> None:
    enrol.ending = pages_of_a_deck
    _with_state(enrol)
    _spoken(enrol)
    enrol.option("--deck", words=Text("what to call the deck"), required=True, metavar="NAME")
    enrol.option("--seven", words=Text("the 49 SEVEN cards, 7 × 7"), metavar="IMG")
    enrol.option("--review", words=Text("the 16 papers in order, under review, and a face-down card"), metavar="IMG")
    enrol.option("--complete", words=Text("the 16 papers in order, complete, and the face-down card"), metavar="IMG")
    enrol.option(
        "--back",
        words=Text("one card face down in the mat's middle: with --seven, for games without papers"),
        metavar="IMG",
    )
    enrol.option(
        "--page",
        words=Text("any page by its name, for games that have pages of their own"),
        type=values.page,
        action="append",
        default=[],
        metavar="NAME=IMG",
    )
    enrol.option(
        "--house-papers",
        words=Text("papers that you made yourselves, into a deck that is known: see below"),
        metavar="NAMES",
    )
    enrol.option(
        "--card",
        words=Text(
            "learn one card of the deck anew (H7, three/review, back): upright on its place, or alone on the mat"
        ),
        nargs=2,
        action="append",
        metavar=("CARD", "IMG"),
    )
    enrol.option("--mat", words=_MAT, type=values.size, metavar="WxH")
    enrol.option(
        "--as-laid",
        words=Text("every card is what it should be, the papers in order: do not doubt it"),
        action="store_true",
    )
    enrol.option("--json", words=Text("one JSON object"), action="store_true")


def _decks(decks: Parser) -> None:
    _with_state(decks)
    _spoken(decks)
    _what(decks, "list", "show", "export", "import", "delete")
    decks.option("of", words=Text("show NAME, export NAME FILE, import FILE, delete NAME"), nargs="*", metavar="NAME")
    decks.option("--as", words=Text("import: what to call it (default: its own name)"), dest="name", metavar="NAME")
    decks.option("--replace", words=Text("export, import: overwrite what is there"), action="store_true")
    _json(decks, "list", "show")
    _yes(decks)


def _read(read: Parser) -> None:
    _with_state(read)
    _spoken(read)
    read.option("image", words=Text("a picture of the mat"), nargs="+", metavar="IMAGE")
    read.option("--deck", words=Text("the deck that lies there"), metavar="NAME")
    read.option("--dice", words=Text("read the dice instead of the cards"), action="store_true")
    read.option("--dice-mm", words=Text("a die's usual edge (default: 16)"), type=float, default=16.0, metavar="MM")
    read.option(
        "--px-per-mm",
        words=Text("the table's scale in a picture of dice that shows no markers"),
        type=float,
        metavar="P",
    )
    read.option("--mat", words=_MAT, type=values.size, metavar="WxH")
    read.option("--draw", words=_DRAW, type=Path, metavar="DIR")
    _json(read)


def _score(score: Parser) -> None:
    _with_state(score)
    _spoken(score)
    score.option(
        "image",
        words=Text(
            "a picture of the table, from any camera or phone; one for each part, where not all find room at once"
        ),
        nargs="+",
        metavar="IMAGE",
    )
    score.option("--game", words=Text("the game that was played"), required=True, metavar="NAME")
    score.option(
        "--deck",
        words=Text(
            "the deck that lies there; unless named, the settings' one, the only one learnt with the game's "
            "cards, or the printed one"
        ),
        metavar="NAME",
    )
    score.option(
        "--seats", words=Text("how many play; unless named, as many as FILE tells of"), type=values.seats, metavar="N"
    )
    score.option("--players", words=Text("their names, by seat"), type=values.names, default=(), metavar="A,B,C")
    score.option("--told", words=Text("what no camera sees, as a JSON object"), type=Path, metavar="FILE")
    score.option("--mat", words=_MAT, type=values.size, metavar="WxH")
    score.option("--draw", words=_DRAW, type=Path, metavar="DIR")
    _json(score)


def _web(web: Parser) -> None:
    _with_state(web)
    _spoken(web)
    web.option(
        "listen",
        words=Text("where it is reached (default: as set, else port {port})", port=7777),
        type=values.listen,
        nargs="?",
        metavar="[HOST:]PORT",
    )


def _hall(hall: Parser) -> None:
    _with_state(hall)
    _spoken(hall)
    hall.option("--broker", words=Text("the MQTT broker, and the hall's name"), metavar="mqtt[s]://USER@HOST/HALL")
    hall.option(
        "--db",
        words=Text("the database: sqlite:///FILE or postgresql://USER@HOST/NAME (default: a file in DIR)"),
        metavar="URL",
    )
    hall.option(
        "--web",
        words=Text("where the board is reached (default: port {port})", port=7780),
        type=values.listen,
        metavar="[HOST:]PORT",
    )
    hall.option(
        "--password-file", words=Text("the password at the broker is its first line"), type=Path, metavar="FILE"
    )
    hall.option("--ca", words=Text("who has signed the broker's certificate (default: as the system)"), type=Path,
        metavar="FILE")  # fmt: skip
    parts = hall.add_subparsers(metavar="COMMAND", dest="part")
    words = Text("write who may do what at a Mosquitto broker")
    described = make_sentence(words).said(hall.language)
    acl = parts.add_parser("acl", help=words.said(hall.language), description=described, language=hall.language)
    _spoken(acl)
    acl.option("--hall", words=Text("the hall's name"), required=True, metavar="NAME")
    acl.option("--tables", words=Text("the tables, each a user by its name"), type=values.table_names, metavar="A,B")
    acl.option("--tables-file", words=Text("the same from a file, one a line"), type=Path, metavar="FILE")
    acl.option("--count", words=Text("so many tables: T1, T2, …"), type=values.table_count, metavar="N")
    acl.option("--user", words=Text("the hall's own user (default: hall)"), default="hall", metavar="NAME")
    acl.option("--out", words=Text("the file to write (default: standard output)"), type=Path, metavar="FILE")
    words = Text("play at many tables from records, to see what a broker and a hall bear")
    described = make_sentence(words).said(hall.language)
    simulate = parts.add_parser(
        "simulate", help=words.said(hall.language), description=described, language=hall.language
    )
    _simulate(simulate)


def _simulate(simulate: Parser) -> None:
    _spoken(simulate)
    broker = Text("the MQTT broker, and the hall's name")
    simulate.option("--broker", words=broker, required=True, metavar="mqtt[s]://USER@HOST/HALL")
    simulate.option("--tables", words=Text("so many tables"), type=values.table_count, required=True, metavar="N")
    rate = Text("changes a second at each table (default: 1)")
    simulate.option("--rate", words=rate, type=values.rate, default=1.0, metavar="R")
    seconds = Text("how long they play (default: 600)")
    simulate.option("--seconds", words=seconds, type=values.seconds, default=600.0, metavar="S")
    simulate.option("--seed", words=Text("other games: any whole number from 0"), type=values.seed, default=1)
    made = Text("write there every result that was made, to hold the hall's against it")
    simulate.option("--results", words=made, type=Path, metavar="FILE")
    password = Text("the password at the broker is its first line")
    simulate.option("--password-file", words=password, type=Path, metavar="FILE")
    authority = Text("who has signed the broker's certificate (default: as the system)")
    simulate.option("--ca", words=authority, type=Path, metavar="FILE")


def _relay(relay: Parser) -> None:
    _with_state(relay)
    _spoken(relay)
    _in_a_hall(relay)


def _replay(replay: Parser) -> None:
    _with_state(replay)
    _spoken(replay)
    replay.option("recording", words=Text("the recording's folder"), type=Path, metavar="DIR")
    replay.option("--deck", words=Text("the deck that was played with"), required=True, metavar="NAME")
    _json(replay)
    replay.option("--screens", words=Text("write there what the display showed"), type=Path, metavar="DIR")
    _size(replay, (480, 320))


def _check(check: Parser) -> None:
    _spoken(check)
    check.option("record", words=Text("a record, JSON Lines"), nargs="+", metavar="RECORD")
    _json(check)


def _print(sheets: Parser) -> None:
    sheets.ending = lambda: SHEETS
    _spoken(sheets)
    sheets.option("what", words=Text("what to print"), choices=("markers", "mat", "papers", "deck", "pages", "guide"))
    sheets.option("out", words=Text("the PDF to write"), type=Path, metavar="OUT.pdf")
    sheets.option("--game", words=Text("mat, pages, guide, deck: for which game (default: the first)"), metavar="NAME")
    sheets.option("--players", words=Text("mat, guide: whose seats are shown (default: 4)"), type=int, metavar="N")
    sheets.option(
        "--mat",
        words=Text("mat, pages: the mat's size in mm"),
        type=values.size,
        default=(1189.0, 841.0),
        metavar="WxH",
    )
    sheets.option(
        "--paper",
        words=Text("A4, A3, Letter or WxH in mm: mat, pages: as tiles; papers, deck: on it (A4)"),
        metavar="PAPER",
    )
    sheets.option(
        "--house-papers",
        words=Text("papers, pages: your own papers alone, by their names ('enrol --help')"),
        metavar="NAMES",
    )
    sheets.option(
        "--overlap",
        words=Text("what tiles share with their neighbours (10)"),
        type=values.overlap,
        default=10.0,
        metavar="MM",
    )
    sheets.option(
        "--bleed",
        words=Text("ground beyond the cut (default: 3 round sheets, 0 round cards)"),
        type=values.bleed,
        metavar="MM",
    )


def _games(games: Parser) -> None:
    _with_state(games)
    _spoken(games)
    _what(games, "list", "show", "export", "delete", "resume")
    games.option(
        "game", words=Text("the number in the list; s1 is a scored table"), nargs="?", type=values.listed, metavar="ID"
    )
    games.option(
        "out",
        words=Text("export: a game's record OUT.jsonl, a scored table's OUT.json or OUT.csv"),
        nargs="?",
        type=Path,
        metavar="OUT",
    )
    _json(games, "list", "show")
    _yes(games)


def _settings(settings: Parser) -> None:
    _with_state(settings)
    _spoken(settings)
    what = settings.add_mutually_exclusive_group()
    show = Text("print all settings as they hold now (default)")
    write = Text("write settings.toml with every default and a comment")
    what.add_argument("--show", action="store_true", help=show.said(settings.language))
    what.add_argument("--write", action="store_true", help=write.said(settings.language))


# What several commands take


def _size(parser: Parser, usual: tuple[int, int] | None) -> None:
    words = Text("the screen's size in px")
    parser.option("--size", words=words, type=values.panel, default=usual, metavar="WxH")


def _in_a_hall(parser: Parser) -> None:
    words = Text("send what the table does to a hall: its MQTT broker and its name")
    parser.option("--hall", words=words, metavar="mqtts://USER@HOST/HALL")
    parser.option("--table", words=Text("with --hall: this table's name in it"), metavar="NAME")


def _json(parser: Parser, *of: str) -> None:
    words = Text("{commands}: {what}", commands=join_row(map(verbatim, of)), what=_JSON) if of else _JSON
    parser.option("--json", words=words, action="store_true")


def _what(parser: Parser, *choices: str) -> None:
    words = Text("what to do (default: list)")
    parser.option("what", words=words, nargs="?", choices=choices, default="list")


def _yes(parser: Parser) -> None:
    parser.option("--yes", words=Text("delete: do not ask"), action="store_true")


_COMMANDS: Mapping[str, tuple[Text, Callable[[Parser], None]]] = {
    "run": (Text("referee at the table"), _run),
    "doctor": (
        Text("say what works and how to mend what doesn't"),
        _doctor,
    ),
    "demo": (
        Text("play a whole game at a simulated table"),
        _demo,
    ),
    "enrol": (
        Text("learn a deck, live or from pictures of its three pages"),
        _enrol,
    ),
    "decks": (
        Text("list, show, export, import or delete enrolled decks"),
        _decks,
    ),
    "read": (Text("name the cards in pictures"), _read),
    "score": (
        Text("score a finished table from pictures of it"),
        _score,
    ),
    "replay": (Text("play a recording through the whole chain"), _replay),
    "check": (
        Text("check records of games by the rules alone"),
        _check,
    ),
    "print": (
        Text("make PDFs at true size to cut out, to lay cards on, and to read"),
        _print,
    ),
    "web": (
        Text("the page for phones alone: scores tables and looks back, without a camera"),
        _web,
    ),
    "hall": (
        Text("the server of a hall: what its tables play, on a board; results and standings"),
        _hall,
    ),
    "relay": (
        Text("send what the table does to its hall, as the service beside the table's"),
        _relay,
    ),
    "games": (
        Text("list the journal's games; show, export, delete, resume one"),
        _games,
    ),
    "settings": (
        Text("print the settings, or write the file to begin from"),
        _settings,
    ),
}
