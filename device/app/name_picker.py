"""Writing a name with four buttons: up and down choose a row, then a letter in it; confirm takes, back takes away.

Confirm held down ends the name, up or down held changes between Latin letters, hiragana and katakana. What a player
has to know of that stands on the screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from device.hardware.buttons import Button, Press
from device.speech import Language
from rules.plain import name_key
from rules.text import Text
from ui.screen_state import ButtonWords, Mood, NamePad, PadScreen
from ui.setting_up.names import name_fault

_HIRAGANA = (
    "あいうえおぁぃぅぇぉ",
    "かきくけこがぎぐげご",
    "さしすせそざじずぜぞ",
    "たちつてとっだぢづでど",
    "なにぬねの",
    "はひふへほばびぶべぼぱぴぷぺぽ",
    "まみむめも",
    "やゆよゃゅょ",
    "らりるれろ",
    "わをんー・",
)
_LATIN = ("ABCDEF", "GHIJKL", "MNOPQR", "STUVWX", "YZ.-'", "0123456789")
_KATAKANA_AFTER = ord("ァ") - ord("ぁ")
_SPACE = "␣"
_LONG_STEP = 5
"""Up or down held goes so far among letters."""


class Script(Enum):
    """A kind of letters."""

    LATIN = "ABC"
    HIRAGANA = "あいう"
    KATAKANA = "アイウ"

    @property
    def next(self) -> Script:
        """The one to change to."""
        every = list(Script)
        return every[(every.index(self) + 1) % len(every)]


def _to_katakana(row: str) -> str:
    return "".join(chr(ord(kana) + _KATAKANA_AFTER) if "ぁ" <= kana <= "ん" else kana for kana in row)


_ROWS = {
    Script.LATIN: _LATIN,
    Script.HIRAGANA: _HIRAGANA,
    Script.KATAKANA: tuple(map(_to_katakana, _HIRAGANA)),
}
_FIRST = {Language.JA: Script.HIRAGANA}
_DONE, _DELETE, _CASE = Text("Done"), Text("Delete"), Text("a/A")
_DELETES = Text("← delete")


@dataclass(frozen=True)
class NamePicker:
    """A name being written. ``take_press`` gives the next state, the finished name, or ``None`` where it was left.

    ``taken`` are names that others at the table have. The first row holds what ends and mends a name; the choice
    begins below it.
    """

    title: Text
    language: Language
    taken: tuple[str, ...] = ()
    script: Script = Script.LATIN
    typed: str = ""
    row: int = 1
    column: int | None = None
    turned: bool = False
    """Whether the next Latin letter is small where it would be a capital, and the other way round."""
    fault: Text | None = None

    @classmethod
    def begin(cls, title: Text, language: Language, taken: Sequence[str] = ()) -> NamePicker:
        """Begin a name of which nothing is written yet, in the letters of the language."""
        return cls(title, language, tuple(taken), _FIRST.get(language, Script.LATIN))

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The rows as they are shown; in the first one what isn't a letter."""
        letters = [tuple(self._match_case(row)) for row in _ROWS[self.script]]
        tools = [self.script.next.value, _SPACE]
        if self.script is Script.LATIN:
            tools.append(_CASE.said(self.language))
        first = (_DONE.said(self.language), _DELETE.said(self.language), *tools)
        return (first, *letters)

    @property
    def _capital(self) -> bool:
        begins = not self.typed or self.typed[-1] in " .-'"
        return begins is not self.turned

    def _match_case(self, row: str) -> str:
        return row if self.script is not Script.LATIN or self._capital else row.lower()

    def take_press(self, press: Press) -> NamePicker | str | None:
        """Return the picker after a press; the name once it is done, ``None`` where it is given up."""
        calm = replace(self, fault=None)
        if press.button is Button.CONFIRM:
            return calm._finish_name() if press.long else calm._take()
        if press.button is Button.BACK:
            return calm._go_back(press.long)
        return calm._move_by(1 if press.button is Button.DOWN else -1, press.long)

    def _move_by(self, by: int, held: bool) -> NamePicker:
        if self.column is not None:
            by *= _LONG_STEP if held else 1
            return replace(self, column=(self.column + by) % len(self.rows[self.row]))
        if held:
            return self._change_script(self.script.next)
        return replace(self, row=(self.row + by) % len(self.rows))

    def _change_script(self, script: Script) -> NamePicker:
        return replace(self, script=script, row=1, column=None, turned=False)

    def _go_back(self, held: bool) -> NamePicker | None:
        if held or (self.column is None and not self.typed):
            return None
        if self.column is not None:
            return replace(self, column=None)
        return replace(self, typed=self.typed[:-1])

    def _take(self) -> NamePicker | str:
        if self.column is None:
            return replace(self, column=0)
        if self.row > 0:
            return self._add_letter(self.rows[self.row][self.column])
        match self.column:
            case 0:
                return self._finish_name()
            case 1:
                return replace(self, typed=self.typed[:-1])
            case 2:
                return self._change_script(self.script.next)
            case 3:
                return self._add_letter(" ")
            case _:
                return replace(self, turned=not self.turned, row=1, column=None)

    def _add_letter(self, letter: str) -> NamePicker:
        typed = (self.typed + letter).lstrip()
        fault = name_fault(typed) if typed else None
        if fault is not None:
            return replace(self, column=None, fault=fault)
        return replace(self, typed=typed, row=max(1, self.row), column=None, turned=False)

    def _finish_name(self) -> NamePicker | str:
        name = self.typed.strip()
        fault = name_fault(name)
        if fault is None and name_key(name) in map(name_key, self.taken):
            fault = Text("{name} sits at the table already.", name=name)
        return name if fault is None else replace(self, column=None, fault=fault)

    def make_screen(self) -> PadScreen:
        """Show the letters and what is written."""
        choosing_row = self.column is None
        back = _LEAVE if choosing_row and not self.typed else _DELETES if choosing_row else _ROWS_AGAIN
        fault = "" if self.fault is None else self.fault.said(self.language)
        buttons = ButtonWords(
            *(words.said(self.language) for words in (_HOLD_FOR_DONE, _ROW if choosing_row else _LETTER, back))
        )
        pad = NamePad(self.typed, self.rows, self.row, self.column, fault)
        return PadScreen(self.language, Mood.MENU, self.title.said(self.language), buttons=buttons, pad=pad)


_HOLD_FOR_DONE = Text("✓ hold: done")
_ROW, _LETTER = Text("▲▼ row"), Text("▲▼ letter")
_LEAVE, _ROWS_AGAIN = Text("← leave"), Text("← rows")
