"""The ``sevenmat`` command: one subcommand for each thing the program does.

Exit codes: 0 done, 1 refused or faults found, 2 wrong use. Errors are one clear line on standard error.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import ui  # noqa: F401 - the languages are loaded with it
from cli.line.options import Handler, build_parser
from cli.line.wrong_use import WrongUseError, find_language
from device.speech import default_language
from device.terminal import plain_output
from rules.plain import escape_line, quote_value, shorten_line, shorten_sentence
from rules.text import Language, Text, join_row, plural, verbatim

if TYPE_CHECKING:
    from device.capture.drawing import Drawings

# What this module needs at once is small; a command imports what it needs itself, so that --help answers quickly.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
# NumPy's own worker threads spin while they wait, which costs more than they gain on products as small as ours.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# What OpenCV warns of, such as a camera that isn't there, the program says itself.
os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")

_NO_WORDS = Text("The words of the language {language!r} are missing or damaged: install Sevenmat again.", language="")
_STOPPED = Text("stopped.")


def _handle_read(args: argparse.Namespace) -> int:
    from cli.read import read_pictures
    from cli.read_dice import read_dice
    from device.capture.mat_finder import MatFinder
    from device.enrol.ready_decks import deck_shelf
    from device.errors import DeviceError
    from device.settings.settings_file import load_settings

    table = load_settings(args.state).table
    find = MatFinder(args.mat, table.marker_mm, table.mat_mm)
    if args.dice:
        return read_dice(args.image, find, args.px_per_mm, args.dice_mm, args.json, args.language)
    if args.deck is None:
        raise DeviceError(
            "Name the deck that lies there with --deck, or ask for the dice with --dice (see 'sevenmat read --help')."
        )
    deck = deck_shelf(args.state).load(args.deck)
    return read_pictures(args.image, deck, find, args.json, args.language, _open_drawings(args.draw))


def _open_drawings(folder: Path | None) -> Drawings | None:
    from device.capture.drawing import Drawings

    return Drawings(folder) if folder is not None else None


def _handle_score(args: argparse.Namespace) -> int:
    from cli.score import read_entered, score_pictures
    from device.capture.mat_finder import MatFinder
    from device.enrol.ready_decks import deck_for_game, deck_shelf
    from device.scoring.table import Table
    from device.settings.settings_file import load_settings

    told = read_entered(args.told) if args.told is not None else {}
    table = Table.set_up(args.game, args.seats, args.players, args.mat, told)
    shelf, settings = deck_shelf(args.state), load_settings(args.state)
    deck = shelf.load(args.deck or deck_for_game(shelf, table.scoring, settings.game.deck))
    find = MatFinder(args.mat, settings.table.marker_mm, settings.table.mat_mm)
    return score_pictures(args.image, deck, table, find, args.json, args.language, _open_drawings(args.draw))


def _handle_enrol(args: argparse.Namespace) -> int:
    from device.enrol.enrolling import enrol_pictures, teach_cards
    from device.enrol.ready_decks import deck_shelf
    from device.errors import DeviceError
    from referee.registry import load_referees, own_card_sets

    named = {"seven": args.seven, "review": args.review, "complete": args.complete, "back": args.back}
    given = [*((page, file) for page, file in named.items() if file is not None), *args.page]
    pages = dict(given)
    if len(pages) < len(given):
        twice = next(page for page in pages if [name for name, _ in given].count(page) > 1)
        raise DeviceError("Give one picture for each page: the page {page!r} is named twice.", page=shorten_line(twice))
    how = (args.mat, deck_shelf(args.state), args.language, args.as_laid, args.json)
    if args.house_papers is not None:
        return _enrol_house_papers(args, pages)
    if args.card:
        if pages:
            raise DeviceError(
                "Teach single cards or whole pages, not both: --card goes without --seven, --review and --complete."
            )
        return teach_cards(args.deck, args.card, *how)
    if not pages:
        from cli.run import RunOptions, run

        deck_shelf(args.state).get_path(args.deck)
        return run(RunOptions(args.state, args.language if args.spoken else None, enrol=args.deck))
    known = [cards.pages for cards in (*(one.cards for one in load_referees().values()), *own_card_sets())]
    if strange := [page for page in pages if not any(page in kind for kind in known)]:
        names = list(dict.fromkeys(page for kind in known for page in kind))
        raise DeviceError(
            "There is no page {page}: the pages are {names}.",
            page=quote_value(strange[0]),
            names=join_row(map(verbatim, names)),
        )
    if set(pages) not in map(set, known):
        raise _make_pages_error(pages, [cards.pages for cards in own_card_sets()])
    return enrol_pictures(args.deck, {page: pages[page] for kind in known for page in kind if page in pages}, *how)


def _enrol_house_papers(args: argparse.Namespace, pages: dict[str, str]) -> int:
    """Learn papers of the house into a deck that is known, from two pictures or live."""
    from cli.house_papers import find_papers
    from device.enrol.enrolling import enrol_house_papers
    from device.enrol.ready_decks import deck_shelf
    from device.errors import DeviceError

    kinds, shelf = [paper.name for paper in find_papers(args.house_papers)], deck_shelf(args.state)
    if args.card or (pages and set(pages) != {"review", "complete"}):
        raise DeviceError(
            "House papers are learnt from their own two pictures: give --review and --complete, and nothing else."
        )
    if shelf.load(args.deck).faces is not None:
        raise DeviceError(
            "House papers belong to a SEVEN deck, and the deck '{deck}' is of a game that has no papers.",
            deck=shorten_line(args.deck),
        )
    if not pages:
        from cli.run import RunOptions, run

        language = args.language if args.spoken else None
        return run(RunOptions(args.state, language, enrol=args.deck, house_papers=tuple(kinds)))
    return enrol_house_papers(
        args.deck, kinds, pages, args.mat, shelf, args.language, as_laid=args.as_laid, as_json=args.json
    )


def _make_pages_error(pages: Collection[str], own: Sequence[tuple[str, ...]]) -> Exception:
    """Return the error that these are not exactly one deck's pages; ``own`` are those of games with their own."""
    from device.errors import DeviceError

    for kind in own:
        missing = [page for page in kind if page not in pages]
        if len(missing) < len(kind):
            strange = [page for page in pages if page not in kind]
            wrong = strange or missing
            named, wanted = join_row(map(verbatim, wrong)), join_row(map(verbatim, kind))
            if not strange:
                return DeviceError(
                    plural(
                        "The page {pages} is missing: this deck is learnt from the pages {wanted}, one picture each.",
                        "The pages {pages} are missing: this deck is learnt from the pages {wanted}, one picture each.",
                        count=len(wrong),
                        pages=named,
                        wanted=wanted,
                    ),
                )
            return DeviceError(
                plural(
                    "The page {pages} is of another deck: this deck is learnt from the pages {wanted}, and no others.",
                    "The pages {pages} are of another deck: this deck is learnt from the pages {wanted}, and no "
                    "others.",
                    count=len(wrong),
                    pages=named,
                    wanted=wanted,
                ),
            )
    return DeviceError(
        "A deck is learnt from three pages: give --seven, --review and --complete together. For games "
        "without papers --seven and --back are enough."
    )


def _handle_decks(args: argparse.Namespace) -> int:
    from cli.decks import decks_command
    from cli.games import ask
    from device.enrol.ready_decks import deck_shelf

    sure = (lambda _: True) if args.yes else ask
    shelf = deck_shelf(args.state)
    return decks_command(shelf, args.what, args.of, args.name, args.replace, args.json, sure, args.language)


def _handle_replay(args: argparse.Namespace) -> int:
    from cli.replay import replay
    from device.enrol.ready_decks import deck_shelf
    from device.storage.recording import Recording

    recording = Recording.load(args.recording)
    deck = deck_shelf(args.state).load(args.deck)
    return replay(recording, deck, args.json, args.language, args.screens, args.size)


def _handle_check(args: argparse.Namespace) -> int:
    from cli.check import check_records

    return check_records(args.record, args.json, args.language)


def _handle_print(args: argparse.Namespace) -> int:
    from cli.printing import print_sheets

    return print_sheets(args)


def _handle_demo(args: argparse.Namespace) -> int:
    from simulator.demo import demo

    return demo(
        seed=args.seed,
        headless=args.headless,
        screens=args.screens,
        record=args.record,
        size=args.size,
        language=args.language,
        game=args.game,
        web=args.web,
        hall=args.hall,
        table=args.table,
        teach=args.teach,
    )


def _handle_run(args: argparse.Namespace) -> int:
    from cli.house_papers import find_papers
    from cli.run import Devices, RunOptions, run

    devices = ("camera", "display", "buttons", "size", "screens", "headless")
    chosen = ("players", "deck", "simulated")
    options = RunOptions(
        state=args.state,
        language=args.language if args.spoken else None,
        game=args.game if isinstance(args.game, int) else None,
        kind=args.game if isinstance(args.game, str) else None,
        devices=Devices(**{name: getattr(args, name) for name in devices}),
        first_seat=args.first,
        seed=args.seed,
        service=args.service,
        web=args.web,
        hall=(args.hall, args.table),
        house_papers=tuple(paper.name for paper in find_papers(args.house_papers)) if args.house_papers else (),
        **{name: getattr(args, name) for name in chosen},
    )
    return run(options)


def _handle_doctor(args: argparse.Namespace) -> int:
    from cli.doctor import Patient, run_doctor

    patient = Patient(args.state, args.camera, args.display, args.buttons, not args.no_buttons)
    return run_doctor(patient, args.json, args.language, args.report)


def _handle_games(args: argparse.Namespace) -> int:
    from cli.games import ask, games_command

    sure = (lambda _: True) if args.yes else ask
    return games_command(args.state, args.what, args.game, args.out, args.json, sure, args.language)


def _handle_web(args: argparse.Namespace) -> int:
    from cli.web import serve_page

    return serve_page(args.state, args.listen, args.language)


def _handle_hall(args: argparse.Namespace) -> int:
    if args.part == "acl":
        from hall.acl import list_tables, write_acl

        tables = list_tables(args.tables, args.tables_file, args.count)
        return write_acl(args.hall, tables, args.user, args.out, args.language)
    if args.part == "simulate":
        from simulator.hall.command import simulate_hall

        how = args.tables, args.rate, args.seconds, args.seed, args.results
        return simulate_hall(args.broker, args.password_file, args.ca, *how, args.language)
    if args.part in ("set-up", "sheet"):
        from hall.setting_up.command import SHEET, SetUp, print_hall_sheet, set_up_hall

        out = args.out or SHEET
        if args.part == "sheet":
            return print_hall_sheet(args.root, args.tables, args.new, out, args.language)
        asked = SetUp(args.name, args.tables, args.root, args.host, args.port, args.board, out)
        return set_up_hall(asked, args.language)
    from hall.hall_server import HallOptions, run_hall

    given = {name: getattr(args, name) for name in ("broker", "db", "web", "ca", "invitations")}
    return run_hall(HallOptions(args.state, password=args.password_file, **given), args.language)


def _handle_relay(args: argparse.Namespace) -> int:
    from hall.service import send_to_hall

    return send_to_hall(args.state, args.hall, args.table, args.language)


def _handle_settings(args: argparse.Namespace) -> int:
    from device.settings.settings_file import show_settings, write_settings

    if args.write:
        print(escape_line(str(write_settings(args.state, args.language))))
    else:
        show_settings(args.state, args.language)
    return 0


_HANDLERS: Mapping[str, Handler] = {
    "run": _handle_run,
    "doctor": _handle_doctor,
    "demo": _handle_demo,
    "enrol": _handle_enrol,
    "decks": _handle_decks,
    "read": _handle_read,
    "score": _handle_score,
    "replay": _handle_replay,
    "check": _handle_check,
    "print": _handle_print,
    "games": _handle_games,
    "web": _handle_web,
    "hall": _handle_hall,
    "relay": _handle_relay,
    "settings": _handle_settings,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (default: those of the process) and return its exit code."""
    with plain_output(sys.stdout, sys.stderr):
        language = find_language(sys.argv[1:] if argv is None else argv, default_language())
        if not language.can_be_spoken:
            # In English, as there is nothing else.
            print(f"sevenmat: {_NO_WORDS.refill(language=language.code)}", file=sys.stderr)
        try:
            args = build_parser(language, _HANDLERS).parse_args(argv)
        except SystemExit as done:
            return done.code if isinstance(done.code, int) else 2
        except WrongUseError as error:
            print(f"sevenmat: {error.text.said(language)}", file=sys.stderr)
            return 2
        return _run_command(args)


def _run_command(args: argparse.Namespace) -> int:
    from device.errors import DeviceError, refused_by_the_system
    from device.speech import say
    from ui.errors import UiError
    from vision.errors import VisionError

    def complain(words: str) -> None:
        print(f"sevenmat: {shorten_sentence(words)}", file=sys.stderr)

    args.spoken = args.language is not None
    args.language = Language.from_code(args.language) if args.language else default_language()
    if getattr(args, "state", ...) is None:
        args.state = _find_usual_state()
    try:
        code: int = args.handler(args)
        sys.stdout.flush()
        return code
    except (DeviceError, VisionError) as error:
        complain(say(error, args.language))
        return 2
    except UiError as error:
        complain(error.text.said(args.language))
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
        fault = Text("an unforeseen fault ({cause}); SEVENMAT_DEBUG=1 shows where.", cause=cause)
        complain(fault.said(args.language))
        return 2


def _find_usual_state() -> Path:
    """Return the folder that keeps decks, games and settings by default."""
    import platformdirs

    return Path(platformdirs.user_state_dir("sevenmat", appauthor=False))


if __name__ == "__main__":
    sys.exit(main())
