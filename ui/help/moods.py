"""What each kind of screen says, and what the buttons do there: the answer to "what is this?"."""

from __future__ import annotations

from rules.text import Language, Text
from ui.help.leaf import make_leaf
from ui.screen_state import Leaf, Mood

TITLE = Text("This screen")

_USUAL = Text("Up opens the menu, down shows every word. Hold back to take the last turn back.")
_STEPS = Text("Down shows why, and all steps.")
_WORDS = {
    Mood.WAITING: Text(
        "Somebody is to move: the name is at the top. Play with the cards on the table, take your hands away and "
        "press confirm."
    ),
    Mood.HANDS: Text("Hands are over the mat. As soon as they are gone, the table is looked at again."),
    Mood.READING: Text("The picture of the table is being read; wait a moment."),
    Mood.PREVIEW: Text(
        "This is what lies on the table. Nothing is settled yet: press confirm if it is meant so, or go on moving "
        "cards."
    ),
    Mood.FAULT: Text(
        "What lies on the table is not a legal turn yet. How to put it right is shown; finish your turn or follow "
        "the steps."
    ),
    Mood.ACCEPTED: Text(
        "The turn was accepted. The next player is named at the top; below the points stands who did what."
    ),
    Mood.REFUSED: Text(
        "The turn can't be accepted. Nothing has changed in the record: put the cards right as shown, or make "
        "another turn, and press confirm again."
    ),
    Mood.QUESTION: Text(
        "The table alone does not tell what was meant. Choose an answer with up and down and take it with confirm; "
        "back leaves the question."
    ),
    Mood.CANT_SEE: Text(
        "Something can't be read. Straighten it and take it out of the shade or the glare, or press confirm until "
        "you are asked for the card's name."
    ),
    Mood.OUT_OF_STEP: Text(
        "The table is not as recorded, and no turn explains it. Put it right step by step, or take the position from "
        "the table in the menu."
    ),
    Mood.CHECK: Text(
        "A turn was taken back or put back. Lay the cards as shown; the game goes on as soon as they lie so."
    ),
    Mood.BLIND: Text("The camera does not see the whole mat: look for a hand, a hidden marker or a pushed camera."),
    Mood.FINISHED: Text(
        "The game is over. Down explains the ranking; up opens the menu with all turns, the points turn by turn, and "
        "a rematch."
    ),
}
"""By mood; menus, a pause and notices say themselves what they are."""
_MORE = {
    Mood.FAULT: _STEPS,
    Mood.REFUSED: _STEPS,
    Mood.FINISHED: Text("Confirm leaves the game; it stays in the list."),
    **dict.fromkeys((Mood.WAITING, Mood.HANDS, Mood.READING, Mood.PREVIEW, Mood.ACCEPTED), _USUAL),
}
"""What the buttons do there, where that is worth a word."""


def screen_help(language: Language, mood: Mood) -> Leaf | None:
    """Explain a screen of this mood; return ``None`` where the screen says so itself."""
    found = [words[mood] for words in (_WORDS, _MORE) if mood in words]
    return make_leaf(language, TITLE, *found) if found else None
