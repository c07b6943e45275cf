"""The rules of Wild Seven in brief, for a page beside the mat. Source: the starter book with RULINGS.md."""

from __future__ import annotations

from rules.game import make_section
from rules.text import Text

BRIEF = (
    make_section(
        Text("The aim"), Text("You are gunmen: capture the wanted, and mind that you don't become wanted yourself.")
    ),
    make_section(
        Text("Set-up"),
        Text(
            "Three play without coffin and time, four without coffin, five with all seven suits. Deal "
            "all cards evenly; what is left over lies face up in the middle: the wanted."
        ),
        Text(
            "All show one hand card at once. The lowest number begins (if level, the lower suit); then "
            "these cards join the wanted."
        ),
        Text("Suits from the lowest: heart, onion, book, coin, star, time, coffin."),
    ),
    make_section(
        Text("Your turn"),
        Text(
            "Play, with no card in front of you: lay a hand card face up. Every larger card of that suit "
            "in front of others joins the wanted."
        ),
        Text(
            "Get, with a card in front of you: take a smaller one of the wanted, of any suit, onto your "
            "pile, face down. Only where there is none, take one of your card's suit. Your own card then "
            "joins the wanted."
        ),
        Text(
            "You must take one where you can. Nobody looks at captured cards but their owner, and not in the own turn."
        ),
    ),
    make_section(
        Text("The end"),
        Text("The game ends when the player whose turn comes has no card in front and none in hand."),
        Text(
            "For each suit captured: its highest number, and 7 for each further card of it. Most points "
            "win; ties share."
        ),
    ),
)
