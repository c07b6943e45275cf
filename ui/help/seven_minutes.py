"""Seven Minutes, looked up: what may be done now, the judgement, how points are counted."""

from __future__ import annotations

from rules.seven_minutes.position import Phase, Position
from rules.text import Language, Text
from ui.help.leaf import NOW, SCORE, SETUP, make_leaf
from ui.screen_state import Leaf

_JUDGEMENT = Text("Judgement")
_SETUP = Text("Shuffle all 49 cards as a face-down draw pile; both dice lie in the tray.")
_FLIP = (
    Text(
        "Flip the top card and lay it at the end of the row, or onto the cards of its number if there are "
        "any. Flip at least one card; then go on or stop."
    ),
    Text("A 7 ends the flipping at once. A K demands three more cards. To stop, press confirm or just roll."),
)
_ROLLS = (
    Text("Roll both dice once for each place of the row; with a K in it, only for those from the K on."),
    Text(
        "A sum that lies in the row ends it: take that stack and all nearer the draw pile face down or, with "
        "an A in the row, that stack and all farther away."
    ),
    Text("After the last roll without a hit, take the whole row face up."),
)
_SCORE = Text(
    "7s count 3, other cards 1; face-down cards subtract. The game ends with the turn in which the draw pile runs out."
)


def list_leaves(position: Position, language: Language) -> tuple[Leaf, ...]:
    """List all leaves; the first one is what may be done now."""
    now = {Phase.SETUP: (_SETUP,), Phase.FLIP: _FLIP, Phase.JUDGEMENT: _ROLLS}.get(position.phase, (_SCORE,))
    others = (
        make_leaf(language, SETUP, _SETUP),
        make_leaf(language, _JUDGEMENT, *_ROLLS),
        make_leaf(language, SCORE, _SCORE),
    )
    return (make_leaf(language, NOW, *now), *others)
