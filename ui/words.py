"""The display's own words: titles, labels and button hints.

What the referee says about a move comes with its verdict; these are the words around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from rules.text import Language, Text, in_context, join_row, plural, verbatim
from ui.screen_state import Mood

LAST_TURN_OF_ALL = Text("LAST TURN")
"""What nobody may miss: the player has no further turn."""
FLAG_STEP = Text("Lay the End Flag and 1 hand card")
"""What the player does now, to be read from afar."""
SETUP_TITLE = Text("Set-up")
"""The title before the first turn."""
TOGETHER_TITLE = Text("All players")
"""The band's words while everybody is to move at once."""
PUT_BACK = Text("Put right")
"""The heading over what has to be mended on the table."""
LAST_TURN = Text("Last turn")
"""The heading over what was understood of the turn before."""
WAITING_HINT = Text("Move your cards, then press confirm.")
"""What to do while it is somebody's turn and nothing else needs saying."""
_CONFIRM = Text("Confirm")
_CONFIRMS = {Mood.MENU: Text("Take it"), Mood.PAUSED: in_context("button", "Go on"), Mood.FINISHED: Text("Leave")}
UP_MENU, CHOOSE, BACK = Text("▲ Menu"), Text("Choose"), Text("Back")
"""The up button where it opens the menu, the up and down buttons, and the back button."""
HOLD_TO_UNDO = Text("Hold: undo")
"""The back button, held down."""
MOOD_TITLES = {
    Mood.NOTICE: Text("Sevenmat"),
    Mood.WAITING: Text("to move"),
    Mood.HANDS: Text("Hands over the mat"),
    Mood.READING: Text("Reading the table"),
    Mood.PREVIEW: Text("Confirm?"),
    Mood.FAULT: Text("Not right yet"),
    Mood.ACCEPTED: Text("Accepted"),
    Mood.REFUSED: Text("Not accepted"),
    Mood.QUESTION: Text("Which is it?"),
    Mood.CANT_SEE: Text("Can't see"),
    Mood.OUT_OF_STEP: Text("Out of step"),
    Mood.CHECK: Text("Lay it back"),
    Mood.MENU: Text("Menu"),
    Mood.PAUSED: Text("Paused"),
    Mood.BLIND: Text("Can't see the mat"),
    Mood.FINISHED: Text("The game is over"),
}
"""What the referee is doing."""
_TURN = (Mood.WAITING, Mood.HANDS, Mood.READING, Mood.ACCEPTED)
_GAME_OVER = Text("Game over")
_SHORTER = {Mood.BLIND: Text("No mat seen"), Mood.HANDS: Text("Hands off?"), Mood.FINISHED: _GAME_OVER}
_FAR = {Mood.PREVIEW: Text("confirm?"), Mood.FAULT: Text("not yet"), Mood.QUESTION: Text("which?")}
_HINTS = {
    Mood.HANDS: Text("Waiting for hands off"),
    Mood.READING: Text("Looking…"),
    Mood.PAUSED: Text("Press any button to resume"),
}
_BRIEF = {
    "out_of_turn": Text("Not your turn"),
    "table_disturbed": Text("The table differs"),
    "cannot_see": Text("A card can't be read"),
    "game_over": in_context("refusal", "The game is over"),
    "two_actions": Text("One action only"),
    "card_not_in_hand": Text("Not in that hand"),
}


def far_titles(language: Language, mood: Mood, name: str, short: str) -> tuple[str, ...]:
    """Say what the band at the top says to people a metre away, in several ways, the longest one first.

    ``name`` is the player whose turn it is or who comes next, ``short`` the name's short form.
    """
    words, names = _FAR.get(mood), (name, short)
    if mood in _TURN and name:
        ways = []
        for who in names:
            ways += [Text("{name}'s turn", name=who), in_context("short", "{name}'s turn", name=who)]
        ways.append(verbatim(short))
    elif mood is Mood.REFUSED and name:
        ways = [*map(verbatim, names)]
    elif words is not None and name:
        ways = [Text("{name}: {words}", name=who, words=words) for who in names]
        if mood is Mood.PREVIEW:
            ways[1:1] = [verbatim(f"{who}: OK?") for who in names]
        ways.append(Text("{words!c}", words=words))
    else:
        ways = [MOOD_TITLES[mood], *([_SHORTER[mood]] if mood in _SHORTER else [])]
    return _say_each(language, ways)


def say_winners(
    language: Language, names: Sequence[str], shorts: Sequence[str], partners: bool = False
) -> tuple[str, ...]:
    """Say who has won, in several ways, the longest one first; ``partners`` win together, which is no draw."""
    ways = []
    for who in (names, shorts):
        row = reduce(lambda found, name: Text("{names} & {name}", names=found, name=name), map(verbatim, who))
        ways.append(plural("{names} wins", "{names} win", count=len(who), names=row))
    if partners:
        ways.append(_GAME_OVER)
    else:
        ways.append(Text("It's a draw") if len(names) > 1 else verbatim(shorts[0]))
    return _say_each(language, ways)


def flag_reached(language: Language, name: str, short: str) -> tuple[str, ...]:
    """Say who has reached the end of the game, in several ways, the longest one first."""
    return _say_each(language, (Text("{name}: 15!", name=who) for who in (name, short)))


def _say_each(language: Language, ways: Iterable[Text]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(way.said(language) for way in ways))


def far_hint(language: Language, mood: Mood) -> str:
    """Say what is waited for, to be read from afar; empty where nothing is."""
    return _HINTS[mood].said(language) if mood in _HINTS else ""


def say_last_turn(language: Language, name: str) -> tuple[str, ...]:
    """Say whose last turn it is, and without the name, where that has no room."""
    return Text("{name}'s last turn", name=name).said(language), LAST_TURN_OF_ALL.said(language)


def say_briefly(language: Language, code: str) -> str:
    """Say a refusal that every game has, in a few words; empty for a game's own."""
    return _BRIEF[code].said(language) if code in _BRIEF else ""


def confirm(language: Language, mood: Mood) -> str:
    """Label the confirm button; nothing while the table is not seen."""
    live = mood not in (Mood.READING, Mood.BLIND)
    return f"✓ {_CONFIRMS.get(mood, _CONFIRM).said(language)}" if live else ""


def turn_over(language: Language, card: str = "") -> str:
    """Say a step: a card is turned over where it lies; ``card`` are its words where it is not drawn."""
    return (Text("turn over {card}", card=card) if card else Text("turn over the card")).said(language)


def step_to(place: str, card: str = "") -> str:
    """Say a step: where cards go; ``card`` are the words of one that is not drawn."""
    return f"{card} → {place}".strip()


def count_papers(count: int) -> Text:
    """Say a number of complete papers."""
    return plural("{count} paper", "{count} papers", count=count)


def join_briefly(language: Language, parts: Sequence[str]) -> str:
    """Join the words on the cards of a move in one line, without the cards."""
    return join_row(map(verbatim, parts)).said(language) if parts else ""


def more_steps(count: int) -> Text:
    """Say what stands for steps that found no room."""
    return Text("and {count} more", count=count)


def label_more(pages: int) -> Text:
    """Label the down button where there is more to read."""
    return Text("▼ More 1/{pages}", pages=pages)


def page_of(page: int, pages: int) -> Text:
    """Label the up and down buttons on a page that is read near by."""
    return Text("▲▼ Page {page}/{pages}", page=page, pages=pages)
