"""What each command takes, and what helps to use it, in both languages."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from cli.line import values
from cli.line.endings import SHEETS, describe_pages
from cli.line.parser import Parser
from rules.text import Language, Text, join_row, make_sentence, verbatim

Handler = Callable[[argparse.Namespace], int]

_JSON = Text("one JSON object a line")
_MAT = Text("the mat's size in mm (default: measured)")
_PHONES = Text("show the table on phones too: where they reach it")
_DRAW = Text("write each picture with what was seen drawn on into this folder")


def build_parser(language: Language, handlers: Mapping[str, Handler]) -> Parser:
    """Build the parser of the whole command line, which helps in that language and has a handler for each command."""
    words = Text("A camera above a card table that referees games of SEVEN cards.")
    parser = Parser(prog="sevenmat", description=words.said(language), language=language)
    shown = f"sevenmat {version('sevenmat')}"
    told = Text("show the version and exit")
    parser.add_option("--version", words=told, action="version", version=shown)
    _add_language(parser, default=None)
    title = Text("commands").said(language)
    commands = parser.add_subparsers(title=title, metavar="COMMAND", dest="command", required=True)
    for name, (words, fill) in _COMMANDS.items():
        described = make_sentence(words).said(language)
        command = commands.add_parser(name, help=words.said(language), description=described, language=language)
        fill(command)
        command.set_defaults(handler=handlers[name])
    return parser


def _add_language(parser: Parser, default: str | None = argparse.SUPPRESS) -> None:
    words = Text("what messages and screens are written in (default: as the locale)")
    parser.add_option(
        "--language", words=words, choices=[language.code for language in Language.all()], default=default
    )


def _add_state(parser: Parser) -> None:
    words = Text("the folder that keeps decks, games and settings (default: your own)")
    parser.add_option("--state", words=words, type=Path, metavar="DIR")


def _add_run_options(run: Parser) -> None:
    _add_state(run)
    _add_language(run)
    run.add_option(
        "--camera",
        words=Text("which camera: auto, picamera2, usb, usb:0, http://…, rtsp://…, folder:PATH, video:PATH"),
        metavar="NAME",
    )
    run.add_option("--display", words=Text("which display: auto, window, kmsdrm, fbtft, dummy"), metavar="NAME")
    run.add_option(
        "--buttons", words=Text("which buttons: auto, keyboard, display-hat-mini, pitft, custom"), metavar="NAME"
    )
    _add_size(run, None)
    run.add_option("--web", words=_PHONES, type=values.parse_listen, metavar="[HOST:]PORT")
    _add_hall(run)
    run.add_option(
        "--players", words=Text("begin a game of these, by seat"), type=values.parse_names, default=(), metavar="A,B,C"
    )
    run.add_option(
        "--first", words=Text("with --players: who begins (default: 1)"), type=int, default=1, metavar="SEAT"
    )
    run.add_option("--deck", words=Text("with --players: the deck on the table"), metavar="NAME")
    run.add_option("--house-papers", words=Text("with --players: your own papers ('enrol --help')"), metavar="NAMES")
    run.add_option(
        "--game",
        words=Text(
            "a number of 'sevenmat games': go on with that game; a game's name in records, with --players or "
            "--simulated: begin that one"
        ),
        type=values.parse_game,
        metavar="GAME",
    )
    run.add_option("--simulated", words=Text("before a simulated table with simulated players"), action="store_true")
    run.add_option(
        "--seed", words=Text("with --simulated: another game, any number from 0"), type=values.parse_seed, default=1
    )
    run.add_option("--headless", words=Text("show the screens nowhere"), action="store_true")
    run.add_option("--screens", words=Text("write every screen there instead"), type=Path, metavar="DIR")
    run.add_option("--service", words=Text("as systemd's service: wrong settings stop nothing"), action="store_true")


def _add_doctor_options(doctor: Parser) -> None:
    _add_state(doctor)
    _add_language(doctor)
    as_run = Text("as with run (default: the settings')")
    for device in ("--camera", "--display", "--buttons"):
        doctor.add_option(device, words=as_run, metavar="NAME")
    asked = Text("do not ask for buttons to be pressed")
    doctor.add_option("--no-buttons", words=asked, action="store_true")
    doctor.add_option(
        "--report",
        words=Text(
            "write all of it into one file to send, without names and pictures, and ask what was tried at the table"
        ),
        type=Path,
        metavar="FILE",
    )
    _add_json(doctor)


def _add_demo_options(demo: Parser) -> None:
    _add_language(demo)
    demo.add_option("--game", words=Text("which game, by its name in records (default: the first one)"), metavar="NAME")
    demo.add_option("--headless", words=Text("open no window, write screens to a folder"), action="store_true")
    demo.add_option(
        "--screens", words=Text("write every screen there (headless: ./demo-screens)"), type=Path, metavar="DIR"
    )
    demo.add_option(
        "--record", words=Text("keep what the camera and buttons gave as a recording"), type=Path, metavar="DIR"
    )
    demo.add_option("--seed", words=Text("another game: any whole number from 0"), type=values.parse_seed, default=None)
    demo.add_option("--teach", words=Text("the game teaches itself, as a first one does"), action="store_true")
    _add_size(demo, (480, 320))
    demo.add_option("--web", words=_PHONES, type=values.parse_listen, metavar="[HOST:]PORT")
    _add_hall(demo)


def _add_enrol_options(enrol: Parser) -> None:
    enrol.ending = describe_pages
    _add_state(enrol)
    _add_language(enrol)
    enrol.add_option("--deck", words=Text("what to call the deck"), required=True, metavar="NAME")
    enrol.add_option("--seven", words=Text("the 49 SEVEN cards, 7 × 7"), metavar="IMG")
    enrol.add_option(
        "--review", words=Text("the 16 papers in order, under review, and a face-down card"), metavar="IMG"
    )
    enrol.add_option(
        "--complete", words=Text("the 16 papers in order, complete, and the face-down card"), metavar="IMG"
    )
    enrol.add_option(
        "--back",
        words=Text("one card face down in the mat's middle: with --seven, for games without papers"),
        metavar="IMG",
    )
    enrol.add_option(
        "--page",
        words=Text("any page by its name, for games that have pages of their own"),
        type=values.parse_page,
        action="append",
        default=[],
        metavar="NAME=IMG",
    )
    enrol.add_option(
        "--house-papers",
        words=Text("papers that you made yourselves, into a deck that is known: see below"),
        metavar="NAMES",
    )
    enrol.add_option(
        "--card",
        words=Text(
            "learn one card of the deck anew (H7, three/review, back): upright on its place, or alone on the mat"
        ),
        nargs=2,
        action="append",
        metavar=("CARD", "IMG"),
    )
    enrol.add_option("--mat", words=_MAT, type=values.parse_size, metavar="WxH")
    enrol.add_option(
        "--as-laid",
        words=Text("every card is what it should be, the papers in order: do not doubt it"),
        action="store_true",
    )
    enrol.add_option("--json", words=Text("one JSON object"), action="store_true")


def _add_decks_options(decks: Parser) -> None:
    _add_state(decks)
    _add_language(decks)
    _add_what(decks, "list", "show", "export", "import", "delete")
    decks.add_option(
        "of", words=Text("show NAME, export NAME FILE, import FILE, delete NAME"), nargs="*", metavar="NAME"
    )
    decks.add_option("--as", words=Text("import: what to call it (default: its own name)"), dest="name", metavar="NAME")
    decks.add_option("--replace", words=Text("export, import: overwrite what is there"), action="store_true")
    _add_json(decks, "list", "show")
    _add_yes(decks)


def _add_read_options(read: Parser) -> None:
    _add_state(read)
    _add_language(read)
    read.add_option("image", words=Text("a picture of the mat"), nargs="+", metavar="IMAGE")
    read.add_option("--deck", words=Text("the deck that lies there"), metavar="NAME")
    read.add_option("--dice", words=Text("read the dice instead of the cards"), action="store_true")
    read.add_option("--dice-mm", words=Text("a die's usual edge (default: 16)"), type=float, default=16.0, metavar="MM")
    read.add_option(
        "--px-per-mm",
        words=Text("the table's scale in a picture of dice that shows no markers"),
        type=float,
        metavar="P",
    )
    read.add_option("--mat", words=_MAT, type=values.parse_size, metavar="WxH")
    read.add_option("--draw", words=_DRAW, type=Path, metavar="DIR")
    _add_json(read)


def _add_score_options(score: Parser) -> None:
    _add_state(score)
    _add_language(score)
    score.add_option(
        "image",
        words=Text(
            "a picture of the table, from any camera or phone; one for each part, where not all find room at once"
        ),
        nargs="+",
        metavar="IMAGE",
    )
    score.add_option("--game", words=Text("the game that was played"), required=True, metavar="NAME")
    score.add_option(
        "--deck",
        words=Text(
            "the deck that lies there; unless named, the settings' one, the only one learnt with the game's "
            "cards, or the printed one"
        ),
        metavar="NAME",
    )
    score.add_option(
        "--seats",
        words=Text("how many play; unless named, as many as FILE tells of"),
        type=values.parse_seats,
        metavar="N",
    )
    score.add_option(
        "--players", words=Text("their names, by seat"), type=values.parse_names, default=(), metavar="A,B,C"
    )
    score.add_option("--told", words=Text("what no camera sees, as a JSON object"), type=Path, metavar="FILE")
    score.add_option("--mat", words=_MAT, type=values.parse_size, metavar="WxH")
    score.add_option("--draw", words=_DRAW, type=Path, metavar="DIR")
    _add_json(score)


def _add_web_options(web: Parser) -> None:
    _add_state(web)
    _add_language(web)
    web.add_option(
        "listen",
        words=Text("where it is reached (default: as set, else port {port})", port=7777),
        type=values.parse_listen,
        nargs="?",
        metavar="[HOST:]PORT",
    )


def _add_hall_options(hall: Parser) -> None:
    _add_state(hall)
    _add_language(hall)
    hall.add_option("--broker", words=Text("the MQTT broker, and the hall's name"), metavar="mqtt[s]://USER@HOST/HALL")
    hall.add_option(
        "--db",
        words=Text("the database: sqlite:///FILE or postgresql://USER@HOST/NAME (default: a file in DIR)"),
        metavar="URL",
    )
    hall.add_option(
        "--web",
        words=Text("where the board is reached (default: port {port})", port=7780),
        type=values.parse_listen,
        metavar="[HOST:]PORT",
    )
    hall.add_option(
        "--password-file", words=Text("the password at the broker is its first line"), type=Path, metavar="FILE"
    )
    hall.add_option("--ca", words=Text("who has signed the broker's certificate (default: as the system)"), type=Path,
        metavar="FILE")  # fmt: skip
    hall.add_option(
        "--invitations",
        words=Text("what 'sevenmat hall set-up' has sealed for the tables, which join by a short code"),
        type=Path,
        metavar="FILE",
    )
    parts = hall.add_subparsers(metavar="COMMAND", dest="part")
    _add_set_up_options(parts, hall.language)
    words = Text("write who may do what at a Mosquitto broker")
    described = make_sentence(words).said(hall.language)
    acl = parts.add_parser("acl", help=words.said(hall.language), description=described, language=hall.language)
    _add_language(acl)
    acl.add_option("--hall", words=Text("the hall's name"), required=True, metavar="NAME")
    acl.add_option(
        "--tables", words=Text("the tables, each a user by its name"), type=values.parse_table_names, metavar="A,B"
    )
    acl.add_option("--tables-file", words=Text("the same from a file, one a line"), type=Path, metavar="FILE")
    acl.add_option("--count", words=Text("so many tables: T1, T2, …"), type=values.parse_table_count, metavar="N")
    acl.add_option("--user", words=Text("the hall's own user (default: hall)"), default="hall", metavar="NAME")
    acl.add_option("--out", words=Text("the file to write (default: standard output)"), type=Path, metavar="FILE")
    words = Text("play at many tables from records, to see what a broker and a hall bear")
    described = make_sentence(words).said(hall.language)
    simulate = parts.add_parser(
        "simulate", help=words.said(hall.language), description=described, language=hall.language
    )
    _add_simulate_options(simulate)


def _add_set_up_options(parts: Any, language: Language) -> None:
    def add_command(name: str, words: Text) -> Parser:
        described = make_sentence(words).said(language)
        command: Parser = parts.add_parser(name, help=words.said(language), description=described, language=language)
        _add_language(command)
        command.add_option(
            "--out", words=Text("the sheet to write (default: hall-sheet.pdf)"), type=Path, metavar="FILE"
        )
        root = Text("below this folder, not in the system: to try it, without being root")
        command.add_option("--root", words=root, type=Path, default=Path("/"), metavar="DIR")
        return command

    set_up = add_command("set-up", Text("set up a hall on this machine: broker, passwords, board, and a sheet to join"))
    set_up.add_option("name", words=Text("the hall's name"), metavar="NAME")
    tables = Text("so many tables, T1, T2, …, or their names; those that are there stay")
    set_up.add_option("--tables", words=tables, type=values.parse_tables, required=True, metavar="N|A,B")
    host = Text("the address that tables are told (default: this machine's own)")
    set_up.add_option("--host", words=host, metavar="HOST")
    broker = Text("the broker's port (default: {port})", port=8883)
    set_up.add_option("--port", words=broker, type=values.parse_port, metavar="PORT")
    board = Text("the board's port (default: {port})", port=7780)
    set_up.add_option("--web", words=board, type=values.parse_port, dest="board", metavar="PORT")
    sheet = add_command("sheet", Text("print the sheet to join by once more"))
    only = Text("these tables alone (default: all)")
    sheet.add_option("--tables", words=only, type=values.parse_table_names, metavar="A,B")
    anew = Text("with other codes: a lost sheet is good no more, and these tables join once more")
    sheet.add_option("--new", words=anew, action="store_true")


def _add_simulate_options(simulate: Parser) -> None:
    _add_language(simulate)
    broker = Text("the MQTT broker, and the hall's name")
    simulate.add_option("--broker", words=broker, required=True, metavar="mqtt[s]://USER@HOST/HALL")
    simulate.add_option(
        "--tables", words=Text("so many tables"), type=values.parse_table_count, required=True, metavar="N"
    )
    rate = Text("changes a second at each table (default: 1)")
    simulate.add_option("--rate", words=rate, type=values.parse_rate, default=1.0, metavar="R")
    seconds = Text("how long they play (default: 600)")
    simulate.add_option("--seconds", words=seconds, type=values.parse_seconds, default=600.0, metavar="S")
    simulate.add_option("--seed", words=Text("other games: any whole number from 0"), type=values.parse_seed, default=1)
    made = Text("write there every result that was made, to hold the hall's against it")
    simulate.add_option("--results", words=made, type=Path, metavar="FILE")
    password = Text("the password at the broker is its first line")
    simulate.add_option("--password-file", words=password, type=Path, metavar="FILE")
    authority = Text("who has signed the broker's certificate (default: as the system)")
    simulate.add_option("--ca", words=authority, type=Path, metavar="FILE")


def _add_relay_options(relay: Parser) -> None:
    _add_state(relay)
    _add_language(relay)
    _add_hall(relay)


def _add_replay_options(replay: Parser) -> None:
    _add_state(replay)
    _add_language(replay)
    replay.add_option("recording", words=Text("the recording's folder"), type=Path, metavar="DIR")
    replay.add_option("--deck", words=Text("the deck that was played with"), required=True, metavar="NAME")
    _add_json(replay)
    replay.add_option("--screens", words=Text("write there what the display showed"), type=Path, metavar="DIR")
    _add_size(replay, (480, 320))


def _add_check_options(check: Parser) -> None:
    _add_language(check)
    check.add_option("record", words=Text("a record, JSON Lines"), nargs="+", metavar="RECORD")
    _add_json(check)


def _add_print_options(sheets: Parser) -> None:
    sheets.ending = lambda: SHEETS
    _add_language(sheets)
    sheets.add_option(
        "what", words=Text("what to print"), choices=("markers", "mat", "papers", "deck", "pages", "guide")
    )
    sheets.add_option("out", words=Text("the PDF to write"), type=Path, metavar="OUT.pdf")
    sheets.add_option(
        "--game", words=Text("mat, pages, guide, deck: for which game (default: the first)"), metavar="NAME"
    )
    sheets.add_option("--players", words=Text("mat, guide: whose seats are shown (default: 4)"), type=int, metavar="N")
    sheets.add_option(
        "--mat",
        words=Text("mat, pages: the mat's size in mm"),
        type=values.parse_size,
        default=(1189.0, 841.0),
        metavar="WxH",
    )
    sheets.add_option(
        "--paper",
        words=Text("A4, A3, Letter or WxH in mm: mat, pages: as tiles; papers, deck: on it (A4)"),
        metavar="PAPER",
    )
    sheets.add_option(
        "--house-papers",
        words=Text("papers, pages: your own papers alone, by their names ('enrol --help')"),
        metavar="NAMES",
    )
    sheets.add_option(
        "--overlap",
        words=Text("what tiles share with their neighbours (10)"),
        type=values.parse_overlap,
        default=10.0,
        metavar="MM",
    )
    sheets.add_option(
        "--bleed",
        words=Text("ground beyond the cut (default: 3 round sheets, 0 round cards)"),
        type=values.parse_bleed,
        metavar="MM",
    )


def _add_games_options(games: Parser) -> None:
    _add_state(games)
    _add_language(games)
    _add_what(games, "list", "show", "export", "delete", "resume")
    games.add_option(
        "game",
        words=Text("the number in the list; s1 is a scored table"),
        nargs="?",
        type=values.parse_listed,
        metavar="ID",
    )
    games.add_option(
        "out",
        words=Text("export: a game's record OUT.jsonl, a scored table's OUT.json or OUT.csv"),
        nargs="?",
        type=Path,
        metavar="OUT",
    )
    _add_json(games, "list", "show")
    _add_yes(games)


def _add_settings_options(settings: Parser) -> None:
    _add_state(settings)
    _add_language(settings)
    what = settings.add_mutually_exclusive_group()
    show = Text("print all settings as they hold now (default)")
    write = Text("write settings.toml with every default and a comment")
    what.add_argument("--show", action="store_true", help=show.said(settings.language))
    what.add_argument("--write", action="store_true", help=write.said(settings.language))


# What several commands take


def _add_size(parser: Parser, usual: tuple[int, int] | None) -> None:
    words = Text("the screen's size in px")
    parser.add_option("--size", words=words, type=values.parse_panel, default=usual, metavar="WxH")


def _add_hall(parser: Parser) -> None:
    words = Text("send what the table does to a hall: its MQTT broker and its name")
    parser.add_option("--hall", words=words, metavar="mqtts://USER@HOST/HALL")
    parser.add_option("--table", words=Text("with --hall: this table's name in it"), metavar="NAME")


def _add_json(parser: Parser, *of: str) -> None:
    words = Text("{commands}: {what}", commands=join_row(map(verbatim, of)), what=_JSON) if of else _JSON
    parser.add_option("--json", words=words, action="store_true")


def _add_what(parser: Parser, *choices: str) -> None:
    words = Text("what to do (default: list)")
    parser.add_option("what", words=words, nargs="?", choices=choices, default="list")


def _add_yes(parser: Parser) -> None:
    parser.add_option("--yes", words=Text("delete: do not ask"), action="store_true")


_COMMANDS: Mapping[str, tuple[Text, Callable[[Parser], None]]] = {
    "run": (Text("referee at the table"), _add_run_options),
    "doctor": (
        Text("say what works and how to mend what doesn't"),
        _add_doctor_options,
    ),
    "demo": (
        Text("play a whole game at a simulated table"),
        _add_demo_options,
    ),
    "enrol": (
        Text("learn a deck, live or from pictures of its three pages"),
        _add_enrol_options,
    ),
    "decks": (
        Text("list, show, export, import or delete enrolled decks"),
        _add_decks_options,
    ),
    "read": (Text("name the cards in pictures"), _add_read_options),
    "score": (
        Text("score a finished table from pictures of it"),
        _add_score_options,
    ),
    "replay": (Text("play a recording through the whole chain"), _add_replay_options),
    "check": (
        Text("check records of games by the rules alone"),
        _add_check_options,
    ),
    "print": (
        Text("make PDFs at true size to cut out, to lay cards on, and to read"),
        _add_print_options,
    ),
    "web": (
        Text("the page for phones alone: scores tables and looks back, without a camera"),
        _add_web_options,
    ),
    "hall": (
        Text("the server of a hall: what its tables play, on a board; results and standings"),
        _add_hall_options,
    ),
    "relay": (
        Text("send what the table does to its hall, as the service beside the table's"),
        _add_relay_options,
    ),
    "games": (
        Text("list the journal's games; show, export, delete, resume one"),
        _add_games_options,
    ),
    "settings": (
        Text("print the settings, or write the file to begin from"),
        _add_settings_options,
    ),
}
