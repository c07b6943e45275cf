"""The rules of Seven Euchre in brief, for a page beside the mat. Source: its rule sheet with RULINGS.md."""

from __future__ import annotations

from rules.game import make_section
from rules.text import Text

BRIEF = (
    make_section(
        Text("The aim"), Text("Two against two, partners opposite: take as many tricks as your side has bid.")
    ),
    make_section(
        Text("Set-up"),
        Text("Deal 12 cards to each, one by one, clockwise. The last card lies face down in the middle."),
    ),
    make_section(
        Text("Auction"),
        Text(
            "From the dealer's left, bid 7 to 12 tricks with a trump suit or no trump, higher than the "
            "last bid, or pass. Whoever has passed may bid again."
        ),
        Text(
            "More tricks are higher; as many are higher in this order: coffin, time, star, coin, book, "
            "onion, heart, no trump."
        ),
        Text(
            "The auction ends at 12 with no trump, or when three pass in a row. The highest bidder takes "
            "the middle card and lays one card aside, face down."
        ),
        Text(
            "If all four pass at first, the middle card is turned up: its suit is trumps, and only "
            "numbers are bid. It stays out of play. If all four pass again, the next dealer deals."
        ),
    ),
    make_section(
        Text("Tricks"),
        Text(
            "The highest bidder leads any card. Follow the led suit if you can. The highest trump wins, "
            "without one the highest card of the led suit; the winner leads next."
        ),
        Text("With a trump suit all seven 7s are trumps, for leading and following too. A is 1, K is 13."),
        Text(
            "Trumps from the top: the trump suit's 7; its cards above 7, K first; the other 7s: coffin, "
            "time, star, coin, book, onion, heart; its cards below 7."
        ),
        Text("At no trump, 7s are ordinary cards."),
    ),
    make_section(
        Text("Points"),
        Text("Every trick is 1 point for the side that took it."),
        Text(
            "A made bid adds coffin 7, time 8, star 9, coin 10, book 11, onion 12, heart 13, no trump "
            "14, and 8 for each trick bid above 7."
        ),
        Text("For a failed bid the other side gets the tricks short times the tricks that it took."),
        Text(
            "The deal passes to the left. After a whole deal, the higher side with the target or more "
            "wins; if level, play on."
        ),
    ),
)
