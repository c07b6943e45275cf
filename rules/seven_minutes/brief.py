"""The rules of Seven Minutes in brief, for a page beside the mat. Source: the starter book with RULINGS.md."""

from __future__ import annotations

from rules.game import make_section
from rules.text import Text

BRIEF = (
    make_section(
        Text("The aim"), Text("Flip as many cards as you dare, and take them face up before the dice hit the row.")
    ),
    make_section(
        Text("Set-up"),
        Text("All 49 cards are the draw pile, face down, at one end of the table; two dice lie in the tray."),
    ),
    make_section(
        Text("Your turn: flip"),
        Text(
            "Flip the top card to the end of the row that grows away from the draw pile. A card whose "
            "number lies in the row is laid onto it, and the row becomes no longer."
        ),
        Text("Flip one card at least, then go on or stop as you like. Then comes the judgement."),
        Text("A 7 ends the flipping at once, stacked or not."),
        Text(
            "A K demands three more cards, all of them even past a 7. With a 7 among them judgement "
            "follows; without one you may stop or go on."
        ),
    ),
    make_section(
        Text("Judgement: roll"),
        Text(
            "Roll both dice as often as the row is long, counted before the first roll. Where a K lies "
            "in the row, count from its place on, away from the draw pile."
        ),
        Text(
            "A sum that is a number in the row ends the judgement: take that stack and all nearer the draw pile, "
            "face down. Where an A lies in the row, take that stack and all farther away instead."
        ),
        Text(
            "What is left closes up and stays for the next player; a K or an A in it keeps its effect, "
            "but demands no cards."
        ),
        Text("After the last roll without a hit, take the whole row face up."),
    ),
    make_section(
        Text("The end"),
        Text(
            "When the draw pile runs out, even within the K's three, judgement follows at once, and the "
            "game ends with that turn. What then stays in the row is nobody's."
        ),
        Text(
            "A 7 counts 3, any other card 1. Face-up cards add, face-down cards subtract. Most points win; ties share."
        ),
    ),
)
