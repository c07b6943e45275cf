"""What each command takes, and what helps to use it, in both languages."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path

from device.commands.line import values
from device.commands.line.endings import SHEETS, pages_of_a_deck
from device.commands.line.parser import Parser
from rules.text import Language, Text, sentence_case

Handler = Callable[[argparse.Namespace], int]

_JSON = Text("one JSON object a line", "1行に1つのJSONで出力する")
_MAT = Text("the mat's size in mm (default: measured)", "マットの大きさ（mm。初期値：測った大きさ）")


def command_line(language: Language, handlers: Mapping[str, Handler]) -> Parser:
    """The parser of the whole command line, which helps in that language; each command has its handler by its name."""
    words = Text(
        "A camera above a card table that referees games of SEVEN cards.",
        "カメラでテーブルを見て、セブンのカードを使うゲームの審判をします。",
    )
    parser = Parser(prog="sevenmat", description=words.said(language), language=language)
    shown = f"sevenmat {version('sevenmat')}"
    told = Text("show the version and exit", "バージョンを表示して終了する")
    parser.option("--version", words=told, action="version", version=shown)
    _spoken(parser, default=None)
    title = Text("commands", "コマンド").said(language)
    commands = parser.add_subparsers(title=title, metavar="COMMAND", dest="command", required=True)
    for name, (words, fill) in _COMMANDS.items():
        described = Text(sentence_case(words.en) + ".", words.ja + "。").said(language)
        command = commands.add_parser(name, help=words.said(language), description=described, language=language)
        fill(command)
        command.set_defaults(handler=handlers[name])
    return parser


def _spoken(parser: Parser, default: str | None = argparse.SUPPRESS) -> None:
    words = Text(
        "what messages and screens are written in (default: as the locale)",
        "メッセージと画面の言語（初期値：ロケールに合わせる）",
    )
    parser.option("--language", words=words, choices=("ja", "en"), default=default)


def _with_state(parser: Parser) -> None:
    words = Text(
        "the folder that keeps decks, games and settings (default: your own)",
        "デッキ、ゲーム、設定を保存するフォルダー（初期値：自分用の場所）",
    )
    parser.option("--state", words=words, type=Path, metavar="DIR")


def _run(run: Parser) -> None:
    _with_state(run)
    _spoken(run)
    run.option(
        "--camera",
        words=Text(
            "which camera: auto, picamera2, usb, usb:0, folder:PATH, video:PATH",
            "カメラ：auto、picamera2、usb、usb:0、folder:PATH、video:PATH",
        ),
        metavar="NAME",
    )
    run.option(
        "--display",
        words=Text(
            "which display: auto, window, kmsdrm, fbtft, dummy", "ディスプレイ：auto、window、kmsdrm、fbtft、dummy"
        ),
        metavar="NAME",
    )
    run.option(
        "--buttons",
        words=Text(
            "which buttons: auto, keyboard, display-hat-mini, pitft, custom",
            "ボタン：auto、keyboard、display-hat-mini、pitft、custom",
        ),
        metavar="NAME",
    )
    _size(run, None)
    run.option(
        "--players",
        words=Text("begin a game of these, by seat", "この名前（席順）でゲームを始める"),
        type=values.names,
        default=(),
        metavar="A,B,C",
    )
    run.option(
        "--first",
        words=Text("with --players: who begins (default: 1)", "--players と併用：最初の手番の席（初期値：1）"),
        type=int,
        default=1,
        metavar="SEAT",
    )
    run.option(
        "--deck",
        words=Text("with --players: the deck on the table", "--players と併用：テーブルにあるデッキ"),
        metavar="NAME",
    )
    run.option(
        "--house-papers",
        words=Text(
            "with --players: your own papers ('enrol --help')", "--players と併用：自作の論文（enrol --help を参照）"
        ),
        metavar="NAMES",
    )
    run.option(
        "--game",
        words=Text(
            "a number of 'sevenmat games': go on with that game; a game's name in records, with --players or "
            "--simulated: begin that one",
            "sevenmat games の番号：そのゲームを続ける。記録でのゲームの名前：--players か --simulated と併用して、"
            "そのゲームを始める",
        ),
        type=values.game,
        metavar="GAME",
    )
    run.option(
        "--simulated",
        words=Text(
            "before a simulated table with simulated players", "シミュレーションのテーブルとプレイヤーを相手に動かす"
        ),
        action="store_true",
    )
    run.option(
        "--seed",
        words=Text(
            "with --simulated: another game, any number from 0", "--simulated と併用：別の展開にする0以上の整数"
        ),
        type=values.seed,
        default=1,
    )
    run.option("--headless", words=Text("show the screens nowhere", "画面をどこにも表示しない"), action="store_true")
    run.option(
        "--screens",
        words=Text("write every screen there instead", "表示する代わりに、すべての画面をここに書き出す"),
        type=Path,
        metavar="DIR",
    )
    run.option(
        "--service",
        words=Text(
            "as systemd's service: wrong settings stop nothing",
            "systemdのサービスとして動かす（設定の誤りでは止まらない）",
        ),
        action="store_true",
    )


def _doctor(doctor: Parser) -> None:
    _with_state(doctor)
    _spoken(doctor)
    as_run = Text("as with run (default: the settings')", "runと同じ（初期値：設定のとおり）")
    for device in ("--camera", "--display", "--buttons"):
        doctor.option(device, words=as_run, metavar="NAME")
    asked = Text("do not ask for buttons to be pressed", "ボタンを押すように求めない")
    doctor.option("--no-buttons", words=asked, action="store_true")
    doctor.option(
        "--report",
        words=Text(
            "write all of it into one file to send, without names and pictures, and ask what was tried at the table",
            "結果を1つのファイルに書き込む（名前や写真を含まず、そのまま送れる）。テーブルで試したことも尋ねる",
        ),
        type=Path,
        metavar="FILE",
    )
    _json(doctor)


def _demo(demo: Parser) -> None:
    _spoken(demo)
    demo.option(
        "--game",
        words=Text(
            "which game, by its name in records (default: the first one)",
            "ゲームの種類（記録での名前。初期値：最初のゲーム）",
        ),
        metavar="NAME",
    )
    demo.option(
        "--headless",
        words=Text("open no window, write screens to a folder", "ウィンドウを開かず、画面をフォルダーに書き出す"),
        action="store_true",
    )
    demo.option(
        "--screens",
        words=Text(
            "write every screen there (headless: ./demo-screens)",
            "すべての画面をここに書き出す（--headless での初期値：./demo-screens）",
        ),
        type=Path,
        metavar="DIR",
    )
    demo.option(
        "--record",
        words=Text(
            "keep what the camera and buttons gave as a recording", "カメラの画像とボタンの操作を録画として保存する"
        ),
        type=Path,
        metavar="DIR",
    )
    demo.option(
        "--seed",
        words=Text("another game: any whole number from 0", "別の展開にする0以上の整数"),
        type=values.seed,
        default=None,
    )
    _size(demo, (480, 320))


def _enrol(enrol: Parser) -> None:
    enrol.ending = pages_of_a_deck
    _with_state(enrol)
    _spoken(enrol)
    enrol.option("--deck", words=Text("what to call the deck", "デッキに付ける名前"), required=True, metavar="NAME")
    enrol.option("--seven", words=Text("the 49 SEVEN cards, 7 × 7", "セブンのカード49枚（7 × 7）"), metavar="IMG")
    enrol.option(
        "--review",
        words=Text(
            "the 16 papers in order, under review, and a face-down card",
            "論文カード16種類を順に査読中の面で、裏向きのカード1枚と",
        ),
        metavar="IMG",
    )
    enrol.option(
        "--complete",
        words=Text(
            "the 16 papers in order, complete, and the face-down card",
            "論文カード16種類を順に完成の面で、裏向きのカード1枚と",
        ),
        metavar="IMG",
    )
    enrol.option(
        "--back",
        words=Text(
            "one card face down in the mat's middle: with --seven, for games without papers",
            "マットの中央に裏向きの1枚：論文カードのないゲームのために、--seven と併用",
        ),
        metavar="IMG",
    )
    enrol.option(
        "--page",
        words=Text(
            "any page by its name, for games that have pages of their own",
            "名前で指定したページの写真。専用のページがあるゲームのために",
        ),
        type=values.page,
        action="append",
        default=[],
        metavar="NAME=IMG",
    )
    enrol.option(
        "--house-papers",
        words=Text(
            "papers that you made yourselves, into a deck that is known: see below",
            "自作の論文を、登録済みのデッキに追加する（下の説明を参照）",
        ),
        metavar="NAMES",
    )
    enrol.option(
        "--card",
        words=Text(
            "learn one card of the deck anew (H7, three/review, back): upright on its place, or alone on the mat",
            "デッキの1枚（H7、three/review、backなど）を登録し直す：正しい向きで、元の場所に、またはマットに1枚だけ",
        ),
        nargs=2,
        action="append",
        metavar=("CARD", "IMG"),
    )
    enrol.option("--mat", words=_MAT, type=values.size, metavar="WxH")
    enrol.option(
        "--as-laid",
        words=Text(
            "every card is what it should be, the papers in order: do not doubt it",
            "どのカードも正しく、論文カードの順も合っているので、疑わない",
        ),
        action="store_true",
    )
    enrol.option("--json", words=Text("one JSON object", "1つのJSONで出力する"), action="store_true")


def _decks(decks: Parser) -> None:
    _with_state(decks)
    _spoken(decks)
    _what(decks, "list", "show", "export", "import", "delete")
    decks.option(
        "of",
        words=Text(
            "show NAME, export NAME FILE, import FILE, delete NAME",
            "表示はshow NAME、書き出しはexport NAME FILE、取り込みはimport FILE、削除はdelete NAME",
        ),
        nargs="*",
        metavar="NAME",
    )
    decks.option(
        "--as",
        words=Text("import: what to call it (default: its own name)", "import：付ける名前（初期値：元の名前）"),
        dest="name",
        metavar="NAME",
    )
    decks.option(
        "--replace",
        words=Text("export, import: overwrite what is there", "export、import：すでにあるものを置き換える"),
        action="store_true",
    )
    _json(decks, "list, show")
    _yes(decks)


def _read(read: Parser) -> None:
    _with_state(read)
    _spoken(read)
    read.option("image", words=Text("a picture of the mat", "マットの写真"), nargs="+", metavar="IMAGE")
    read.option("--deck", words=Text("the deck that lies there", "写っているデッキ"), metavar="NAME")
    read.option(
        "--dice",
        words=Text("read the dice instead of the cards", "カードの代わりにダイスを読む"),
        action="store_true",
    )
    read.option(
        "--dice-mm",
        words=Text("a die's usual edge (default: 16)", "ダイスの一辺（mm。初期値：16）"),
        type=float,
        default=16.0,
        metavar="MM",
    )
    read.option(
        "--px-per-mm",
        words=Text(
            "the table's scale in a picture of dice that shows no markers",
            "マーカーの写っていないダイスの写真の縮尺（1 mmあたりの画素）",
        ),
        type=float,
        metavar="P",
    )
    read.option("--mat", words=_MAT, type=values.size, metavar="WxH")
    _json(read)


def _score(score: Parser) -> None:
    _with_state(score)
    _spoken(score)
    score.option(
        "image",
        words=Text(
            "a picture of the table, from any camera or phone; one for each part, where not all find room at once",
            "テーブルの写真。カメラでもスマートフォンでもよい。一度に全員分を置けないときは、分けた写真を順に",
        ),
        nargs="+",
        metavar="IMAGE",
    )
    score.option("--game", words=Text("the game that was played", "遊んだゲーム"), required=True, metavar="NAME")
    score.option(
        "--deck",
        words=Text(
            "the deck that lies there; unless named, the settings' one, the only one learnt with the game's cards, or "
            "the printed one",
            "写っているデッキ。指定しなければ、設定のデッキ、そのゲームのカードで登録された唯一のデッキ、または印刷したデッキ",
        ),
        metavar="NAME",
    )
    score.option(
        "--seats",
        words=Text("how many play; unless named, as many as FILE tells of", "人数。指定しなければ、FILEに書かれた人数"),
        type=values.seats,
        metavar="N",
    )
    score.option(
        "--players",
        words=Text("their names, by seat", "プレイヤーの名前（席順）"),
        type=values.names,
        default=(),
        metavar="A,B,C",
    )
    score.option(
        "--told",
        words=Text("what no camera sees, as a JSON object", "カメラに見えないことを書いたJSONのファイル"),
        type=Path,
        metavar="FILE",
    )
    score.option("--mat", words=_MAT, type=values.size, metavar="WxH")
    _json(score)


def _replay(replay: Parser) -> None:
    _with_state(replay)
    _spoken(replay)
    replay.option("recording", words=Text("the recording's folder", "録画のフォルダー"), type=Path, metavar="DIR")
    replay.option(
        "--deck", words=Text("the deck that was played with", "遊んだときのデッキ"), required=True, metavar="NAME"
    )
    _json(replay)
    replay.option(
        "--screens",
        words=Text("write there what the display showed", "ディスプレイに出た画面をここに書き出す"),
        type=Path,
        metavar="DIR",
    )
    _size(replay, (480, 320))


def _check(check: Parser) -> None:
    _spoken(check)
    check.option("record", words=Text("a record, JSON Lines", "記録（JSON Lines）"), nargs="+", metavar="RECORD")
    _json(check)


def _print(sheets: Parser) -> None:
    sheets.ending = lambda: SHEETS
    _spoken(sheets)
    sheets.option(
        "what",
        words=Text("what to print", "印刷するもの"),
        choices=("markers", "mat", "papers", "deck", "pages", "guide"),
    )
    sheets.option("out", words=Text("the PDF to write", "書き出すPDF"), type=Path, metavar="OUT.pdf")
    sheets.option(
        "--game",
        words=Text(
            "mat, pages, guide, deck: for which game (default: the first)",
            "mat、pages、guide、deck：どのゲームのものか（初期値：最初のゲーム）",
        ),
        metavar="NAME",
    )
    sheets.option(
        "--players",
        words=Text("mat, guide: whose seats are shown (default: 4)", "mat、guide：席を描く人数（初期値：4）"),
        type=int,
        metavar="N",
    )
    sheets.option(
        "--mat",
        words=Text("mat, pages: the mat's size in mm", "mat、pages：マットの大きさ（mm）"),
        type=values.size,
        default=(1189.0, 841.0),
        metavar="WxH",
    )
    sheets.option(
        "--paper",
        words=Text(
            "A4, A3, Letter or WxH in mm: mat, pages: as tiles; papers, deck: on it (A4)",
            "用紙（A4、A3、Letter、mmでWxH）。mat、pages：その大きさに分割する。papers、deck：その用紙に並べる（初期値：A4）",
        ),
        metavar="PAPER",
    )
    sheets.option(
        "--house-papers",
        words=Text(
            "papers, pages: your own papers alone, by their names ('enrol --help')",
            "papers、pages：自作の論文だけ。名前で指定する（enrol --help を参照）",
        ),
        metavar="NAMES",
    )
    sheets.option(
        "--overlap",
        words=Text(
            "what tiles share with their neighbours (10)", "分割した紙が隣と重なるのりしろの幅（mm。初期値：10）"
        ),
        type=values.overlap,
        default=10.0,
        metavar="MM",
    )
    sheets.option(
        "--bleed",
        words=Text(
            "ground beyond the cut (default: 3 round sheets, 0 round cards)",
            "切る線の外側の塗り足しの幅（mm。初期値：1枚ものは3、カードは0）",
        ),
        type=values.bleed,
        metavar="MM",
    )


def _games(games: Parser) -> None:
    _with_state(games)
    _spoken(games)
    _what(games, "list", "show", "export", "delete", "resume")
    games.option(
        "game",
        words=Text("the number in the list; s1 is a scored table", "一覧の番号。s1のような番号は採点したテーブル"),
        nargs="?",
        type=values.listed,
        metavar="ID",
    )
    games.option(
        "out",
        words=Text(
            "export: a game's record OUT.jsonl, a scored table's OUT.json or OUT.csv",
            "export：ゲームの記録はOUT.jsonl、採点したテーブルはOUT.jsonかOUT.csv",
        ),
        nargs="?",
        type=Path,
        metavar="OUT",
    )
    _json(games, "list, show")
    _yes(games)


def _settings(settings: Parser) -> None:
    _with_state(settings)
    _spoken(settings)
    what = settings.add_mutually_exclusive_group()
    show = Text("print all settings as they hold now (default)", "今のすべての設定を表示する（初期値）")
    write = Text(
        "write settings.toml with every default and a comment",
        "すべての設定の初期値と説明を書いたsettings.tomlを作る",
    )
    what.add_argument("--show", action="store_true", help=show.said(settings.language))
    what.add_argument("--write", action="store_true", help=write.said(settings.language))


# What several commands take


def _size(parser: Parser, usual: tuple[int, int] | None) -> None:
    words = Text("the screen's size in px", "画面の大きさ（画素）")
    parser.option("--size", words=words, type=values.panel, default=usual, metavar="WxH")


def _json(parser: Parser, of: str = "") -> None:
    words = Text(f"{of}: {_JSON.en}", f"{of.replace(', ', '、')}：{_JSON.ja}") if of else _JSON
    parser.option("--json", words=words, action="store_true")


def _what(parser: Parser, *choices: str) -> None:
    words = Text("what to do (default: list)", "すること（初期値：list）")
    parser.option("what", words=words, nargs="?", choices=choices, default="list")


def _yes(parser: Parser) -> None:
    parser.option("--yes", words=Text("delete: do not ask", "delete：確認しない"), action="store_true")


_COMMANDS: Mapping[str, tuple[Text, Callable[[Parser], None]]] = {
    "run": (Text("referee at the table", "テーブルで審判をする"), _run),
    "doctor": (
        Text("say what works and how to mend what doesn't", "何が動き、動かないものをどう直すかを調べる"),
        _doctor,
    ),
    "demo": (
        Text("play a whole game at a simulated table", "シミュレーションのテーブルでゲームを最後まで見せる"),
        _demo,
    ),
    "enrol": (
        Text(
            "learn a deck, live or from pictures of its three pages",
            "デッキを、テーブルで、または3つのページの写真から登録する",
        ),
        _enrol,
    ),
    "decks": (
        Text(
            "list, show, export, import or delete enrolled decks",
            "登録したデッキの一覧、表示、書き出し、取り込み、削除をする",
        ),
        _decks,
    ),
    "read": (Text("name the cards in pictures", "画像のカードを読み取る"), _read),
    "score": (
        Text("score a finished table from pictures of it", "終わったゲームを写真から採点する"),
        _score,
    ),
    "replay": (Text("play a recording through the whole chain", "録画を全体に通して再生する"), _replay),
    "check": (
        Text("check records of games by the rules alone", "ゲームの記録をルールだけで検査する"),
        _check,
    ),
    "print": (
        Text(
            "make PDFs at true size to cut out, to lay cards on, and to read",
            "切り取るもの、カードを置くもの、読むものを、実寸のPDFで作る",
        ),
        _print,
    ),
    "games": (
        Text(
            "list the journal's games; show, export, delete, resume one",
            "保存されたゲームの一覧を出す。1つを表示、書き出し、削除、再開する",
        ),
        _games,
    ),
    "settings": (
        Text("print the settings, or write the file to begin from", "設定を表示する。または設定ファイルのひな形を作る"),
        _settings,
    ),
}
