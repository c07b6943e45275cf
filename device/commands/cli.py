"""The ``sevenmat`` command: one subcommand for each thing the program does.

Exit codes: 0 done, 1 refused or faults found, 2 wrong use. Errors are one clear line on standard error.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Collection, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from device.commands.wrong_use import WrongUseError, language_in, wrong_argument
from device.terminal import plain_output
from rules.plain import is_name, plain, quoted, sentence, shortly
from rules.text import Language, Text, sentence_case

if TYPE_CHECKING:
    from device.commands.games import Scored

# What this module needs at once is small; a command imports what it needs itself, so that --help answers quickly.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
# NumPy's own worker threads spin while they wait, which costs more than they gain on products as small as ours.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# What OpenCV warns of, such as a camera that isn't there, the program says itself.
os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")

_STOPPED = Text("stopped.", "中断しました。")

Handler = Callable[[argparse.Namespace], int]

_PAGES = """what lies on the pages, each card upright on its place:
  seven     the SEVEN cards, 7 x 7: heart, onion, book, coin, star, time and coffin from the left,
            each from its lowest rank at the top down to its highest
  review    the 16 papers, under-review side up, 4 x 4, and a SEVEN card face down to their right:
{rows}
  complete  the papers on the same places, complete side up, and the face-down card again
  back      one SEVEN card face down in the mat's middle; with seven alone, for games without papers

House papers, which players made themselves, are learnt into a deck that is known, from two pictures more:
  sevenmat enrol --deck NAME --house-papers straight6_2p3,sum21_1p4 --review IMG --complete IMG
They lie on the papers' places in the order of their names, row by row, and nothing else. A name says what a paper
takes, its points and its copies: straight6_2p3 is a straight of six, 2 points, 3 copies; straight_flush3_2p3 three
in one suit, sets4x1_2p3 four of one rank, sets2x5_8p1 pairs of five ranks, sum21_1p4 adds to 21, sum77plus_4p2 to
77 or more, ranks_1_7_13_3p2 is A, 7 and K. The menus offer:
{house}

Papers that seem to lie in each other's place, by their points, their names, or their likeness to the set that
'sevenmat print papers' prints, are asked about; --as-laid answers that they lie right.
"""
_ACROSS = 4
_SHEETS = """what there is:
  markers  the four markers, on one page
  mat      a mat with markers, seats, and the game's places: one sheet, or tiles to join with --paper A4 or A3
  papers   the paper cards, two-sided
  deck     the 49 SEVEN cards, which 'Sevenmat printed deck' knows without learning; with --game, the plain set of a
           game that has cards of its own, as many as --players need
  pages    sheets to lay the cards on when a deck is learnt: one sheet each, or tiles with --paper
  guide    a quick start and the game's rules in brief, in both languages or in that of --language

Print at 100 %, never "fit to page": every page has a ruler to check that.
"""


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one sentence; options are written out in full."""

    ending: Callable[[], str] | None = None
    """Makes the last part of the help, where that takes what isn't loaded at every start."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "allow_abbrev": False})

    def format_help(self) -> str:
        if self.ending:
            self.epilog = self.ending()
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        raise WrongUseError(message, self.prog)


def _size(text: str) -> tuple[float, float]:
    """A mat's size such as ``1189x841``."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)[x×](\d+(?:\.\d+)?)", text)
    if not found or not all(300 <= float(side) <= 3000 for side in found.groups()):
        raise wrong_argument(
            f"{text!r} is no mat size in mm such as 1189x841",
            f"{text!r} はマットの大きさ（mm）ではありません（例：1189x841）",
        )
    return float(found[1]), float(found[2])


def _mm(text: str, least: float, most: float, words: Text) -> float:
    """A length in mm such as ``3`` or ``2.5``."""
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,3})?", text) or not least <= float(text) <= most:
        raise wrong_argument(
            f"{shortly(text)!r} is no {words.en} from {least:g} to {most:g} mm",
            f"{shortly(text)!r} は{words.ja}ではありません（{least:g}～{most:g} mm）",
        )
    return float(text)


def _overlap(text: str) -> float:
    """What tiles share with their neighbours."""
    return _mm(text, 5, 30, Text("overlap", "のりしろの幅"))


def _bleed(text: str) -> float:
    """Ground that goes on beyond the cut."""
    return _mm(text, 0, 5, Text("bleed", "塗り足しの幅"))


def _panel(text: str) -> tuple[int, int]:
    """A screen's size such as ``480x320``."""
    found = re.fullmatch(r"(\d+)[x×](\d+)", text)
    if not found or not (240 <= int(found[1]) <= 3840 and 200 <= int(found[2]) <= 2160):
        raise wrong_argument(
            f"{text!r} is no screen size in px such as 480x320",
            f"{text!r} は画面の大きさ（画素）ではありません（例：480x320）",
        )
    return int(found[1]), int(found[2])


def _seats(text: str) -> int:
    """How many play, such as ``4``."""
    if not re.fullmatch(r"[1-9]", text):
        raise wrong_argument(
            f"{shortly(text)!r} is no number of players such as 4", f"{shortly(text)!r} は人数ではありません（例：4）"
        )
    return int(text)


def _listed(text: str) -> int | Scored:
    """A game by its number in the list, such as ``2``, or a scored table, such as ``s1``."""
    found = re.fullmatch(r"(s?)([0-9]{1,40})", text)
    if found is None:
        raise wrong_argument(
            f"{shortly(text)!r} is no number of the list such as 2 or s1",
            f"{shortly(text)!r} は一覧の番号ではありません（例：2、s1）",
        )
    if not found[1]:
        return int(found[2])
    from device.commands.games import Scored

    return Scored(int(found[2]))


def _seed(text: str) -> int:
    """What chance begins with, such as ``7``."""
    if not re.fullmatch(r"[0-9]{1,18}", text):
        raise wrong_argument(
            f"{shortly(text)!r} is no whole number from 0, of up to 18 digits",
            f"{shortly(text)!r} は0以上の整数（18桁まで）ではありません",
        )
    return int(text)


def _read(args: argparse.Namespace) -> int:
    from device.commands.read import read_pictures
    from device.commands.read_dice import read_dice
    from device.enrol.ready_decks import deck_shelf
    from device.errors import DeviceError

    if args.dice:
        return read_dice(args.image, args.mat, args.px_per_mm, args.dice_mm, args.json, args.language)
    if args.deck is None:
        raise DeviceError(
            "Name the deck that lies there with --deck, or ask for the dice with --dice (see 'sevenmat read --help').",
            "--deck でデッキを指定してください。ダイスを読むときは --dice です（sevenmat read --help）。",
        )
    deck = deck_shelf(args.state).load(args.deck)
    return read_pictures(args.image, deck, args.mat, args.json, args.language)


def _score(args: argparse.Namespace) -> int:
    from device.commands.score import score_pictures, told_in
    from device.enrol.ready_decks import deck_shelf
    from device.scoring.table import Table

    told = told_in(args.told) if args.told is not None else {}
    table = Table.of(args.game, args.seats, args.players, args.mat, told)
    deck = deck_shelf(args.state).load(args.deck)
    return score_pictures(args.image, deck, table, args.json, args.language)


def _enrol(args: argparse.Namespace) -> int:
    from device.enrol.enrolling import enrol_pictures, teach_cards
    from device.enrol.ready_decks import deck_shelf
    from device.errors import DeviceError
    from referee.registry import own_card_sets, referees

    named = {"seven": args.seven, "review": args.review, "complete": args.complete, "back": args.back}
    given = [*((page, file) for page, file in named.items() if file is not None), *args.page]
    pages = dict(given)
    if len(pages) < len(given):
        twice = next(page for page in pages if [name for name, _ in given].count(page) > 1)
        raise DeviceError(
            f"Give one picture for each page: the page {quoted(twice)} is named twice.",
            f"1つのページに指定できる画像は1枚です。ページ「{shortly(twice)}」が2回指定されています。",
        )
    how = (args.mat, deck_shelf(args.state), args.language, args.as_laid, args.json)
    if args.house_papers is not None:
        return _enrol_house_papers(args, pages)
    if args.card:
        if pages:
            raise DeviceError(
                "Teach single cards or whole pages, not both: --card goes without --seven, --review and --complete.",
                "--card は --seven、--review、--complete と同時には使えません。",
            )
        return teach_cards(args.deck, args.card, *how)
    if not pages:
        from device.commands.run import RunOptions, run

        deck_shelf(args.state).path(args.deck)
        return run(RunOptions(args.state, args.language if args.spoken else None, enrol=args.deck))
    known = [cards.pages for cards in (*(one.cards for one in referees().values()), *own_card_sets())]
    if strange := [page for page in pages if not any(page in kind for kind in known)]:
        names = list(dict.fromkeys(page for kind in known for page in kind))
        raise DeviceError(
            f"There is no page {quoted(strange[0])}: the pages are {', '.join(names)}.",
            f"{quoted(strange[0])}というページはありません。ページは{'、'.join(names)}です。",
        )
    if set(pages) not in map(set, known):
        raise _not_all_pages(pages, [cards.pages for cards in own_card_sets()])
    return enrol_pictures(args.deck, {page: pages[page] for kind in known for page in kind if page in pages}, *how)


def _enrol_house_papers(args: argparse.Namespace, pages: dict[str, str]) -> int:
    """Learn papers of the house into a deck that is known, from two pictures or live."""
    from device.commands.house_papers import papers_named
    from device.enrol.enrolling import enrol_house_papers
    from device.enrol.ready_decks import deck_shelf
    from device.errors import DeviceError

    kinds, shelf = [paper.name for paper in papers_named(args.house_papers)], deck_shelf(args.state)
    if args.card or (pages and set(pages) != {"review", "complete"}):
        raise DeviceError(
            "House papers are learnt from their own two pictures: give --review and --complete, and nothing else.",
            "自作の論文は専用の2枚の画像で登録します。--review と --complete だけを指定してください。",
        )
    if not pages:
        from device.commands.run import RunOptions, run

        shelf.load(args.deck)
        language = args.language if args.spoken else None
        return run(RunOptions(args.state, language, enrol=args.deck, house_papers=tuple(kinds)))
    return enrol_house_papers(
        args.deck, kinds, pages, args.mat, shelf, args.language, as_laid=args.as_laid, as_json=args.json
    )


def _not_all_pages(pages: Collection[str], own: Sequence[tuple[str, ...]]) -> Exception:
    """That these are not exactly the pages of one kind of deck; ``own`` are those of games with pages of their own."""
    from device.errors import DeviceError

    for kind in own:
        missing = [page for page in kind if page not in pages]
        if len(missing) < len(kind):
            more = [page for page in pages if page not in kind]
            en, ja = ", ".join(missing or more), "、".join(missing or more)
            all_en, all_ja = ", ".join(kind), "、".join(kind)
            if missing:
                return DeviceError(
                    f"The page {en} is missing: this deck is learnt from the pages {all_en}, one picture each.",
                    f"ページ{ja}がありません。このデッキは{all_ja}のページを1枚ずつの写真で登録します。",
                )
            return DeviceError(
                f"The page {en} is of another deck: this deck is learnt from the pages {all_en}, and no others.",
                f"ページ{ja}は別のデッキのものです。このデッキは{all_ja}のページだけで登録します。",
            )
    return DeviceError(
        "A deck is learnt from three pages: give --seven, --review and --complete together. "
        "For games without papers --seven and --back are enough.",
        "デッキの登録には3つのページが必要です。--seven、--review、--complete をすべて指定してください。"
        "論文カードのないゲームなら --seven と --back だけで登録できます。",
    )


def _decks(args: argparse.Namespace) -> int:
    from device.commands.decks import decks_command
    from device.commands.games import ask
    from device.enrol.ready_decks import deck_shelf

    sure = (lambda _: True) if args.yes else ask
    shelf = deck_shelf(args.state)
    return decks_command(shelf, args.what, args.of, args.name, args.replace, args.json, sure, args.language)


def _replay(args: argparse.Namespace) -> int:
    from device.commands.replay import replay
    from device.enrol.ready_decks import deck_shelf
    from device.storage.recording import Recording

    recording = Recording.load(args.recording)
    deck = deck_shelf(args.state).load(args.deck)
    return replay(recording, deck, args.json, args.language, args.screens, args.size)


def _check(args: argparse.Namespace) -> int:
    from device.commands.check import check_records

    return check_records(args.record, args.json, args.language)


def _print(args: argparse.Namespace) -> int:
    from device.commands.printing import print_sheets

    return print_sheets(args)


def _demo(args: argparse.Namespace) -> int:
    from device.simulated.demo import demo

    return demo(
        seed=args.seed,
        headless=args.headless,
        screens=args.screens,
        record=args.record,
        size=args.size,
        language=args.language,
        game=args.game,
    )


def _page(text: str) -> tuple[str, str]:
    """A page and its picture, such as ``seven=page.jpg``."""
    page, _, file = text.partition("=")
    if not (page and file):
        raise wrong_argument(
            f"{shortly(text)!r} is no page with its picture such as seven=page.jpg",
            f"{shortly(text)!r} はページと画像の組ではありません（例：seven=page.jpg）",
        )
    return page, file


def _names(text: str) -> tuple[str, ...]:
    """Players such as ``Ada,Emmy,Sofia``, by seat."""
    names = tuple(name.strip() for name in text.split(","))
    right = all(is_name(name) and len(name) <= 20 for name in names)
    if not 3 <= len(names) <= 5 or len(set(names)) != len(names) or not right:
        raise wrong_argument(
            f"{text!r} are not three to five different names of up to 20 letters such as Hilbert,Banach,Noether",
            f"{text!r} は20字までの異なる名前3～5個ではありません（例：Hilbert,Banach,Noether）",
        )
    return names


def _run(args: argparse.Namespace) -> int:
    from device.commands.house_papers import papers_named
    from device.commands.run import Devices, RunOptions, run

    devices = ("camera", "display", "buttons", "size", "screens", "headless")
    chosen = ("players", "deck", "game", "simulated")
    options = RunOptions(
        state=args.state,
        language=args.language if args.spoken else None,
        devices=Devices(**{name: getattr(args, name) for name in devices}),
        first_seat=args.first,
        seed=args.seed,
        service=args.service,
        house_papers=tuple(paper.name for paper in papers_named(args.house_papers)) if args.house_papers else (),
        **{name: getattr(args, name) for name in chosen},
    )
    return run(options)


def _doctor(args: argparse.Namespace) -> int:
    from device.commands.doctor import Patient, doctor

    patient = Patient(args.state, args.camera, args.display, args.buttons, not args.no_buttons)
    return doctor(patient, args.json, args.language)


def _games(args: argparse.Namespace) -> int:
    from device.commands.games import ask, games_command

    sure = (lambda _: True) if args.yes else ask
    return games_command(args.state, args.what, args.game, args.out, args.json, sure, args.language)


def _settings(args: argparse.Namespace) -> int:
    from device.settings.settings_file import show_settings, write_settings

    if args.write:
        print(plain(str(write_settings(args.state, args.language))))
    else:
        show_settings(args.state, args.language)
    return 0


def _pages_of_a_deck() -> str:
    """What lies on the enrolment pages, with the papers row by row as their players know them."""
    from device.commands.house_papers import offered
    from referee.registry import papers

    names = [f"{kind.en} {kind.ja}" if kind.en != kind.ja else kind.en for kind in papers().values()]
    rows = [", ".join(names[first : first + _ACROSS]) for first in range(0, len(names), _ACROSS)]
    house = [f"  {paper.name:28}{paper.en}" + f" {paper.ja}" * (paper.en != paper.ja) for paper in offered()]
    numbered = (f"            {number}. {row}" for number, row in enumerate(rows, 1))
    return _PAGES.format(rows="\n".join(numbered), house="\n".join(house))


def _parser() -> _Parser:
    parser = _Parser(prog="sevenmat", description="A camera above a card table that referees games of SEVEN cards.")
    parser.add_argument("--version", action="version", version=f"sevenmat {version('sevenmat')}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command", required=True)

    spoken = _Parser(add_help=False)
    spoken.add_argument(
        "--language", choices=("ja", "en"), help="what messages and screens are written in (default: as the locale)"
    )
    with_state = _Parser(add_help=False)
    with_state.add_argument("--state", type=Path, metavar="DIR", help="the folder that keeps decks (default: your own)")

    def command(name: str, handler: Handler, words: str, *parents: _Parser) -> _Parser:
        sub = commands.add_parser(name, help=words, description=sentence_case(words) + ".", parents=parents)
        sub.set_defaults(handler=handler)
        return sub

    run = command("run", _run, "referee at the table", with_state, spoken)
    run.add_argument("--camera", metavar="NAME", help="auto, picamera2, usb, usb:0, folder:PATH, video:PATH")
    run.add_argument("--display", metavar="NAME", help="auto, window, kmsdrm, fbtft, dummy")
    run.add_argument("--buttons", metavar="NAME", help="auto, keyboard, display-hat-mini, pitft, custom")
    run.add_argument("--size", type=_panel, metavar="WxH", help="the screen's size in px")
    run.add_argument("--players", type=_names, default=(), metavar="A,B,C", help="begin a game of these, by seat")
    run.add_argument("--first", type=int, default=1, metavar="SEAT", help="with --players: who begins (default: 1)")
    run.add_argument("--deck", metavar="NAME", help="with --players: the deck on the table")
    run.add_argument("--house-papers", metavar="NAMES", help="with --players: your own papers ('enrol --help')")
    run.add_argument("--game", type=int, metavar="ID", help="go on with this game ('sevenmat games' lists them)")
    run.add_argument("--simulated", action="store_true", help="before a simulated table with simulated players")
    run.add_argument("--seed", type=_seed, default=1, help="with --simulated: another game, any number from 0")
    run.add_argument("--headless", action="store_true", help="show the screens nowhere")
    run.add_argument("--screens", type=Path, metavar="DIR", help="write every screen there instead")
    run.add_argument("--service", action="store_true", help="as systemd's service: wrong settings stop nothing")

    doctor = command("doctor", _doctor, "say what works and how to mend what doesn't", with_state, spoken)
    doctor.add_argument("--camera", metavar="NAME", help="as with run (default: the settings')")
    doctor.add_argument("--display", metavar="NAME", help="as with run (default: the settings')")
    doctor.add_argument("--buttons", metavar="NAME", help="as with run (default: the settings')")
    doctor.add_argument("--no-buttons", action="store_true", help="do not ask for buttons to be pressed")
    doctor.add_argument("--json", action="store_true", help="one JSON object a line")

    demo = command("demo", _demo, "play a whole game at a simulated table", spoken)
    demo.add_argument("--game", metavar="NAME", help="which game, by its name in records (the first one)")
    demo.add_argument("--headless", action="store_true", help="open no window, write screens to a folder")
    demo.add_argument("--screens", type=Path, metavar="DIR", help="write every screen there (headless: ./demo-screens)")
    demo.add_argument("--record", type=Path, metavar="DIR", help="keep what the camera and buttons gave as a recording")
    demo.add_argument("--seed", type=_seed, default=None, help="another game: any whole number from 0")
    demo.add_argument("--size", type=_panel, default=(480, 320), metavar="WxH", help="the screen's size in px")

    enrol = command("enrol", _enrol, "learn a deck, live or from pictures of its three pages", with_state, spoken)
    enrol.ending, enrol.formatter_class = _pages_of_a_deck, argparse.RawDescriptionHelpFormatter
    enrol.add_argument("--deck", required=True, metavar="NAME", help="what to call the deck")
    enrol.add_argument("--seven", metavar="IMG", help="the 49 SEVEN cards, 7 × 7")
    enrol.add_argument("--review", metavar="IMG", help="the 16 papers in order, under review, and a face-down card")
    enrol.add_argument("--complete", metavar="IMG", help="the 16 papers in order, complete, and the face-down card")
    enrol.add_argument(
        "--back", metavar="IMG", help="one card face down in the mat's middle: with --seven, for games without papers"
    )
    enrol.add_argument(
        "--page",
        type=_page,
        action="append",
        default=[],
        metavar="NAME=IMG",
        help="any page by its name, for games that have pages of their own",
    )
    enrol.add_argument(
        "--house-papers", metavar="NAMES", help="papers that you made yourselves, into a deck that is known: see below"
    )
    enrol.add_argument(
        "--card",
        nargs=2,
        action="append",
        metavar=("CARD", "IMG"),
        help="learn one card of the deck anew (H7, three/review, back): upright on its place, or alone on the mat",
    )
    enrol.add_argument("--mat", type=_size, metavar="WxH", help="the mat's size in mm (default: measured)")
    enrol.add_argument(
        "--as-laid", action="store_true", help="every card is what it should be, the papers in order: do not doubt it"
    )
    enrol.add_argument("--json", action="store_true", help="one JSON object")

    decks = command("decks", _decks, "list, show, export, import or delete enrolled decks", with_state, spoken)
    decks.add_argument(
        "what", nargs="?", choices=("list", "show", "export", "import", "delete"), default="list", help="default: list"
    )
    decks.add_argument("of", nargs="*", metavar="NAME", help="show NAME, export NAME FILE, import FILE, delete NAME")
    decks.add_argument("--as", dest="name", metavar="NAME", help="import: what to call it (default: its own name)")
    decks.add_argument("--replace", action="store_true", help="export, import: overwrite what is there")
    decks.add_argument("--json", action="store_true", help="list, show: one JSON object a line")
    decks.add_argument("--yes", action="store_true", help="delete: do not ask")

    read = command("read", _read, "name the cards in pictures", with_state, spoken)
    read.add_argument("image", nargs="+", metavar="IMAGE", help="a picture of the mat")
    read.add_argument("--deck", metavar="NAME", help="the deck that lies there")
    read.add_argument("--dice", action="store_true", help="read the dice instead of the cards")
    read.add_argument("--dice-mm", type=float, default=16.0, metavar="MM", help="a die's usual edge (default: 16)")
    read.add_argument(
        "--px-per-mm", type=float, metavar="P", help="the table's scale in a picture of dice that shows no markers"
    )
    read.add_argument("--mat", type=_size, metavar="WxH", help="the mat's size in mm (default: measured)")
    read.add_argument("--json", action="store_true", help="one JSON object a line")

    score = command("score", _score, "score a finished table from pictures of it", with_state, spoken)
    score.add_argument("image", nargs="+", metavar="IMAGE", help="a picture of the table, from any camera or phone")
    score.add_argument("--game", required=True, metavar="NAME", help="the game that was played")
    score.add_argument("--deck", required=True, metavar="NAME", help="the deck that lies there")
    score.add_argument("--seats", required=True, type=_seats, metavar="N", help="how many play")
    score.add_argument("--players", type=_names, default=(), metavar="A,B,C", help="their names, by seat")
    score.add_argument("--told", type=Path, metavar="FILE", help="what no camera sees, as a JSON object")
    score.add_argument("--mat", type=_size, metavar="WxH", help="the mat's size in mm (default: measured)")
    score.add_argument("--json", action="store_true", help="one JSON object a line")

    replay = command("replay", _replay, "play a recording through the whole chain", with_state, spoken)
    replay.add_argument("recording", type=Path, metavar="DIR", help="the recording's folder")
    replay.add_argument("--deck", required=True, metavar="NAME", help="the deck that was played with")
    replay.add_argument("--json", action="store_true", help="one JSON object a line")
    replay.add_argument("--screens", type=Path, metavar="DIR", help="write there what the display showed")
    replay.add_argument("--size", type=_panel, default=(480, 320), metavar="WxH", help="the screens' size in px")

    check = command("check", _check, "check records of games by the rules alone", spoken)
    check.add_argument("record", nargs="+", metavar="RECORD", help="a record, JSON Lines")
    check.add_argument("--json", action="store_true", help="one JSON object a line")

    sheets = command("print", _print, "make PDFs at true size to cut out, to lay cards on, and to read", spoken)
    sheets.epilog, sheets.formatter_class = _SHEETS, argparse.RawDescriptionHelpFormatter
    sheets.add_argument("what", choices=("markers", "mat", "papers", "deck", "pages", "guide"), help="what to print")
    sheets.add_argument("out", type=Path, metavar="OUT.pdf", help="the PDF to write")
    sheets.add_argument("--game", metavar="NAME", help="mat, pages, guide, deck: for which game (default: the first)")
    sheets.add_argument("--players", type=int, metavar="N", help="mat, guide: whose seats are shown (default: 4)")
    sheets.add_argument(
        "--mat", type=_size, default=(1189.0, 841.0), metavar="WxH", help="mat, pages: the mat's size in mm"
    )
    sheets.add_argument(
        "--paper", metavar="PAPER", help="A4, A3, Letter or WxH in mm: mat, pages: as tiles; papers, deck: on it (A4)"
    )
    sheets.add_argument(
        "--house-papers", metavar="NAMES", help="papers, pages: your own papers alone, by their names ('enrol --help')"
    )
    sheets.add_argument(
        "--overlap", type=_overlap, default=10.0, metavar="MM", help="what tiles share with their neighbours (10)"
    )
    sheets.add_argument(
        "--bleed", type=_bleed, metavar="MM", help="ground beyond the cut (default: 3 round sheets, 0 round cards)"
    )

    games = command("games", _games, "list the journal's games; show, export, delete, resume one", with_state, spoken)
    games.add_argument(
        "what", nargs="?", choices=("list", "show", "export", "delete", "resume"), default="list", help="default: list"
    )
    games.add_argument(
        "game", nargs="?", type=_listed, metavar="ID", help="the number in the list; s1 is a scored table"
    )
    games.add_argument(
        "out",
        nargs="?",
        type=Path,
        metavar="OUT",
        help="export: a game's record OUT.jsonl, a scored table's OUT.json or OUT.csv",
    )
    games.add_argument("--json", action="store_true", help="list, show: one JSON object a line")
    games.add_argument("--yes", action="store_true", help="delete: do not ask")

    settings = command("settings", _settings, "print the settings, or write the file to begin from", with_state, spoken)
    what = settings.add_mutually_exclusive_group()
    what.add_argument("--show", action="store_true", help="print all settings as they hold now (default)")
    what.add_argument("--write", action="store_true", help="write settings.toml with every default and a comment")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (default: those of the process) and return its exit code."""
    with plain_output(sys.stdout, sys.stderr):
        try:
            args = _parser().parse_args(argv)
        except SystemExit as done:
            return done.code if isinstance(done.code, int) else 2
        except WrongUseError as error:
            from device.speech import default_language

            language = language_in(sys.argv[1:] if argv is None else argv, default_language())
            print(f"sevenmat: {error.words.said(language)}", file=sys.stderr)
            return 2
        return _run_command(args)


def _run_command(args: argparse.Namespace) -> int:
    from device.errors import DeviceError, refused_by_the_system
    from device.speech import default_language, say
    from device.storage.deck_store import default_state
    from ui.errors import UiError
    from vision.errors import VisionError

    def complain(words: str) -> None:
        print(f"sevenmat: {sentence(words)}", file=sys.stderr)

    args.spoken = args.language is not None
    args.language = Language(args.language) if args.language else default_language()
    if getattr(args, "state", ...) is None:
        args.state = default_state()
    try:
        code: int = args.handler(args)
        sys.stdout.flush()
        return code
    except (DeviceError, VisionError) as error:
        complain(say(error, args.language))
        return 2
    except UiError as error:
        complain(Text(error.en, error.ja).said(args.language))
        return 2
    except KeyboardInterrupt:
        complain(_STOPPED.said(args.language))
        return 2
    except BrokenPipeError:
        # Whoever read our output has had enough; keep Python from complaining about it while it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        complain(say(refused_by_the_system(error), args.language))
        return 2
    except Exception as error:
        if os.environ.get("SEVENMAT_DEBUG"):
            raise
        cause = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        fault = Text(
            f"an unforeseen fault ({cause}); SEVENMAT_DEBUG=1 shows where.",
            f"予期しないエラーです（{cause}）。SEVENMAT_DEBUG=1 で場所がわかります。",
        )
        complain(fault.said(args.language))
        return 2


if __name__ == "__main__":
    sys.exit(main())
