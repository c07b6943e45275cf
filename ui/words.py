"""The display's own words in Japanese and English: titles, labels and button hints.

What the referee says about a move comes with its verdict; these are the words around it.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.text import Both, Language, sentence_case
from ui.screen_state import Mood

_TITLES: dict[Mood, tuple[str, str]] = {
    Mood.NOTICE: ("Sevenmat", "Sevenmat"),
    Mood.WAITING: ("手番です", "to move"),
    Mood.HANDS: ("手が離れるのを待っています", "Hands over the mat"),
    Mood.READING: ("読み取り中", "Reading the table"),
    Mood.PREVIEW: ("これでよければ確定", "Confirm?"),
    Mood.FAULT: ("まだ確定できません", "Not right yet"),
    Mood.ACCEPTED: ("受け付けました", "Accepted"),
    Mood.REFUSED: ("受け付けられません", "Not accepted"),
    Mood.QUESTION: ("どちらですか？", "Which is it?"),
    Mood.CANT_SEE: ("よく見えません", "Can't see"),
    Mood.OUT_OF_STEP: ("盤面が違います", "Out of step"),
    Mood.CHECK: ("並べ直し", "Lay it back"),
    Mood.MENU: ("メニュー", "Menu"),
    Mood.PAUSED: ("休憩中", "Paused"),
    Mood.BLIND: ("マットが見えません", "Can't see the mat"),
    Mood.FINISHED: ("ゲーム終了", "The game is over"),
}


def _pick(language: Language, ja: str, en: str) -> str:
    return Both(en, ja).said(language)


def far_titles(language: Language, mood: Mood, name: str, short: str) -> tuple[str, ...]:
    """What the band at the top says to people a metre away, in several ways, the longest one first.

    ``name`` is the player whose turn it is or who comes next, ``short`` the name's short form.
    """
    en, ja = _FAR.get(mood, ("", ""))
    if mood in _TURN and name:
        ways = [(f"{who}'s turn", f"{who}の{turn}") for who in (name, short) for turn in ("手番", "番")]
        ways.append((short, short))
    elif mood is Mood.REFUSED and name:
        ways = [(name, name), (short, short)]
    elif en and name:
        ways = [(f"{who}: {en}", f"{who}：{ja}") for who in (name, short)]
        if mood is Mood.PREVIEW:
            ways[1:1] = [(f"{who}: OK?", f"{who}: OK?") for who in (name, short)]
        ways += [(sentence_case(en), ja)]
    else:
        ways = [(_TITLES[mood][1], _TITLES[mood][0]), *_SHORTER.get(mood, ())]
    return tuple(dict.fromkeys(_pick(language, ja, en) for en, ja in ways))


_TURN = (Mood.WAITING, Mood.HANDS, Mood.READING, Mood.ACCEPTED)
_SHORTER = {
    Mood.BLIND: (("No mat seen", "マットなし"),),
    Mood.HANDS: (("Hands off?", "お待ちください"),),
    Mood.FINISHED: (("Game over", "ゲーム終了"),),
}
_FAR = {
    Mood.PREVIEW: ("confirm?", "確定？"),
    Mood.FAULT: ("not yet", "まだです"),
    Mood.QUESTION: ("which?", "どちら？"),
}


def won(language: Language, names: Sequence[str], shorts: Sequence[str], partners: bool = False) -> tuple[str, ...]:
    """Who has won, in several ways, the longest one first; ``partners`` win together, which is no draw."""
    ways = []
    for who in (names, shorts):
        verb = "wins" if len(who) == 1 else "win"
        ways.append((f"{' & '.join(who)} {verb}", f"{'・'.join(who)}の勝ち"))
    if partners:
        ways.append(("Game over", "ゲーム終了"))
    else:
        ways.append(("It's a draw", "引き分け") if len(names) > 1 else (shorts[0], shorts[0]))
    return tuple(_pick(language, ja, en) for en, ja in ways)


def last_turn_of_all(language: Language) -> str:
    """What nobody may miss: the player has no further turn."""
    return _pick(language, "最後の手番", "LAST TURN")


def flag_reached(language: Language, name: str, short: str) -> tuple[str, ...]:
    """Who has reached the end of the game, in several ways, the longest one first."""
    ways = [(f"{who}: 15!", f"{who} 15点") for who in (name, short)]
    return tuple(dict.fromkeys(_pick(language, ja, en) for en, ja in ways))


def flag_step(language: Language) -> str:
    """What the player does now, to be read from afar."""
    return _pick(language, "エンドフラグと手札1枚を自分の場へ", "Lay the End Flag and 1 hand card")


def far_hint(language: Language, mood: Mood) -> str:
    """What is waited for, to be read from afar; empty where nothing is."""
    hints = {
        Mood.HANDS: ("手が離れるのを待ちます", "Waiting for hands off"),
        Mood.READING: ("読み取り中…", "Looking…"),
        Mood.PAUSED: ("どのボタンを押しても再開します", "Press any button to resume"),
    }
    return _pick(language, *hints[mood]) if mood in hints else ""


def brief(language: Language, code: str) -> str:
    """A refusal that every game has, in a few words; empty for a game's own."""
    found = _BRIEF.get(code)
    return _pick(language, *found) if found else ""


_BRIEF = {
    "out_of_turn": ("手番が違います", "Not your turn"),
    "table_disturbed": ("盤面が違います", "The table differs"),
    "cannot_see": ("カードが読めません", "A card can't be read"),
    "game_over": ("ゲームは終わりました", "The game is over"),
    "two_actions": ("行動は1つだけです", "One action only"),
    "card_not_in_hand": ("手札にないカードです", "Not in that hand"),
}


def turn_over(language: Language, card: str = "") -> str:
    """A step: a card is turned over where it lies; ``card`` are its words where it is not drawn."""
    return _pick(language, f"{card}を裏返す" if card else "裏返す", f"turn over {card or 'the card'}")


def step_to(place: str, card: str = "") -> str:
    """A step: where cards go; ``card`` are the words of one that is not drawn."""
    return f"{card} → {place}".strip()


def near_more(language: Language, pages: int) -> str:
    """The down button where there is more to read."""
    return _pick(language, f"▼くわしく 1/{pages}", f"▼ More 1/{pages}")


def near_page(language: Language, page: int, pages: int) -> str:
    """The up and down buttons on a page that is read near by."""
    return _pick(language, f"▲▼ページ {page}/{pages}", f"▲▼ Page {page}/{pages}")


def up(language: Language, does: str) -> str:
    """The up button where a game has a use for it."""
    return _pick(language, f"▲{does}", f"▲ {does}")


def down(language: Language, does: str) -> str:
    """The down button where a game has a use for it."""
    return _pick(language, f"▼{does}", f"▼ {does}")


def up_menu(language: Language) -> str:
    """The up button where it opens the menu."""
    return _pick(language, "▲メニュー", "▲ Menu")


def papers(language: Language, count: int) -> str:
    """A number of complete papers."""
    return _pick(language, f"論文{count}", f"{count} paper" if count == 1 else f"{count} papers")


def put_back(language: Language) -> str:
    """The heading over what has to be mended on the table."""
    return _pick(language, "直すこと", "Put right")


def setup_title(language: Language) -> str:
    """The title before the first turn."""
    return _pick(language, "準備", "Set-up")


def together_title(language: Language) -> str:
    """The band's words while everybody is to move at once."""
    return _pick(language, "全員の番", "All players")


def more(language: Language, count: int) -> str:
    """What stands for steps that found no room."""
    return _pick(language, f"ほか{count}件", f"and {count} more")


def last_turn(language: Language) -> str:
    """The heading over what was understood of the turn before."""
    return _pick(language, "前の手番", "Last turn")


def told_briefly(language: Language, told: Sequence[str]) -> str:
    """The words on the cards of a move in one line, without the cards."""
    return _pick(language, "、", ", ").join(told)


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


def leave(language: Language) -> str:
    """The confirm button where the game is over."""
    return _pick(language, "終わる", "Leave")


def hold_to_undo(language: Language) -> str:
    """The back button, held down."""
    return _pick(language, "長押し:取消", "Hold: undo")
