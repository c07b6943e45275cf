"""The display's own words in Japanese and English: titles, labels and button hints.

What the referee says about a move comes with its verdict; these are the words around it.
"""

from __future__ import annotations

from rules.text import Language, Text
from ui.screen_state import Mood

_TITLES: dict[Mood, tuple[str, str]] = {
    Mood.NOTICE: ("Sevenmat", "Sevenmat"),
    Mood.WAITING: ("手番です", "to move"),
    Mood.HANDS: ("手を待っています", "Hands over the mat"),
    Mood.READING: ("読み取り中", "Reading the table"),
    Mood.PREVIEW: ("これでよければ確定", "Confirm?"),
    Mood.FAULT: ("まだ確定できません", "Not right yet"),
    Mood.ACCEPTED: ("受け付けました", "Accepted"),
    Mood.REFUSED: ("受け付けられません", "Not accepted"),
    Mood.QUESTION: ("どちらですか？", "Which is it?"),
    Mood.CANT_SEE: ("よく見えません", "Can't see"),
    Mood.OUT_OF_STEP: ("盤面が合いません", "Out of step"),
    Mood.CHECK: ("並べ直し", "Lay it back"),
    Mood.MENU: ("メニュー", "Menu"),
    Mood.PAUSED: ("休憩中", "Paused"),
    Mood.BLIND: ("マットが見えません", "Can't see the mat"),
    Mood.FINISHED: ("ゲーム終了", "The game is over"),
}


def _pick(language: Language, ja: str, en: str) -> str:
    return Text(en, ja).said(language)


def title(language: Language, mood: Mood) -> str:
    """The words that name a mood in the band at the top."""
    return _pick(language, *_TITLES[mood])


def turn_of(language: Language, name: str) -> str:
    """Whose turn it is: ``Hilbertさんの手番`` or ``Hilbert to move``."""
    return _pick(language, f"{name}さんの手番", f"{name} to move")


def flag_title(language: Language) -> str:
    """The title while the End Flag must be taken."""
    return _pick(language, "エンドフラグ", "Take the End Flag")


def flag_words(language: Language, name: str) -> str:
    """What the player who met the end condition has to do now."""
    return _pick(
        language,
        f"{name}さんは15点以上になりました。エンドフラグと手札1枚を自分の場に置き、確定を押してください。",
        f"{name} has reached 15 points: lay the End Flag with one hand card in your area, then confirm.",
    )


def turns_left(language: Language, count: int) -> str:
    """The countdown badge."""
    return _pick(language, f"残り{count}手番", f"{count} turn left" if count == 1 else f"{count} turns left")


def points(language: Language, count: int) -> str:
    """Points with their unit."""
    return _pick(language, f"{count}点", f"{count} pt" if count == 1 else f"{count} pts")


def papers(language: Language, count: int) -> str:
    """A number of complete papers."""
    return _pick(language, f"論文{count}", f"{count} paper" if count == 1 else f"{count} papers")


def put_back(language: Language) -> str:
    """The heading over what has to be mended on the table."""
    return _pick(language, "直すこと", "Put right")


def setup_title(language: Language) -> str:
    """The title before the first turn."""
    return _pick(language, "準備", "Set-up")


def busy_hint(language: Language, mood: Mood) -> str:
    """What the referee waits for while it can't judge."""
    if mood is Mood.HANDS:
        return _pick(language, "手がマットから離れるまで待ちます。", "Waiting until the hands have left the mat.")
    return _pick(language, "テーブルを読んでいます…", "Looking at the table…")


def more(language: Language, count: int) -> str:
    """What stands for steps that found no room."""
    return _pick(language, f"ほか{count}件", f"and {count} more")


def last_turn(language: Language) -> str:
    """The heading over what was understood of the turn before."""
    return _pick(language, "前の手番", "Last turn")


def waiting_hint(language: Language) -> str:
    """What to do while it is somebody's turn and nothing else needs saying."""
    return _pick(language, "カードを動かし、確定を押してください。", "Move your cards, then press confirm.")


def confirm(language: Language) -> str:
    """The confirm button."""
    return _pick(language, "確定", "Confirm")


def back(language: Language) -> str:
    """The back button."""
    return _pick(language, "戻る", "Back")


def choose(language: Language) -> str:
    """The up and down buttons."""
    return _pick(language, "選ぶ", "Choose")


def choose_this(language: Language) -> str:
    """The confirm button in a menu."""
    return _pick(language, "決める", "Take it")


def go_on(language: Language) -> str:
    """The confirm button while the game is paused."""
    return _pick(language, "再開", "Go on")


def steps(language: Language) -> str:
    """The up and down buttons where several steps put the table right."""
    return _pick(language, "直す順", "Steps")


def menu(language: Language) -> str:
    """The up and down buttons where there is nothing to choose."""
    return _pick(language, "メニュー", "Menu")


def hold_to_undo(language: Language) -> str:
    """The back button, held down."""
    return _pick(language, "長押しで取消", "Hold: undo")


def hold_for_menu(language: Language) -> str:
    """The confirm button, held down."""
    return _pick(language, "✓ 長押しでメニュー", "Hold ✓: menu")


def pause_hint(language: Language) -> str:
    """What to do to end a pause."""
    return _pick(language, "どのボタンでも再開します。", "Any button goes on.")
