"""The broken rules of Laminate Rummy: a sentence for each, and the codes in their order.

Source: FORMATS.md, "Refusal codes".
"""

from __future__ import annotations

from rules.refusal import PluralSentence, Reason, Sentence
from rules.text import Text, in_context

CODES: tuple[str, ...] = (
    "bad_record",
    "game_over",
    "flag_due",
    "out_of_turn",
    "unknown_paper",
    "paper_already_held",
    "supply_exhausted",
    "nothing_new",
    "card_not_in_hand",
    "card_not_in_deck",
    "wrong_count",
    "cited_twice",
    "not_citable",
    "not_a_meld",
    "cannot_pay",
    "payment_missing",
    "payment_excess",
    "not_reviewable",
    "took_two_cards",
    "two_actions",
    "discard_empty",
    "research_impossible",
    "pass_not_allowed",
    "flag_not_due",
    "turn_the_paper",
    "payment_not_taken",
    "table_disturbed",
    "cannot_see",
)
"""Every code of FORMATS.md, in the order in which one of several becomes the ``code``."""

flag_due = Sentence("flag_due", "{who} has 15 points or more and must first take the End Flag with one hand card.")
flag_with_one_card = Sentence("flag_due", "{who} lays exactly one hand card to the End Flag.")

unknown_paper = Sentence("unknown_paper", "There is no paper {name!r} in this game.")
flag_not_published = Sentence(
    "unknown_paper", "The {flag} can't be published; it is taken by the first player to reach 15 points."
)
paper_already_held = Sentence("paper_already_held", "{who} has {paper} already, and nobody may have two of a kind.")
supply_exhausted = Sentence("supply_exhausted", "No {paper} is left in the supply.")
nothing_new = Sentence("nothing_new", "{paper!c} needs at least one card from the hand; citations alone are no paper.")

card_not_in_hand = PluralSentence(
    "card_not_in_hand",
    "{cards!c} is not among the cards {who} can have in hand.",
    "{cards!c} are not among the cards {who} can have in hand.",
    cards=("cards",),
)
not_all_in_hand = Sentence("card_not_in_hand", "{who} can't have all of {cards} in hand at once.", cards=("cards",))
card_used_twice = Sentence(
    "card_not_in_hand",
    "{who} has {cards} only once; the cards laid down and the cards paid are different cards.",
    cards=("cards",),
)
card_not_in_deck = Sentence("card_not_in_deck", "{cards!c} can't have been drawn from the draw pile.", cards=("cards",))
last_card_not_drawn = Sentence(
    "card_not_in_deck",
    "The last card of the draw pile is drawn first, so {cards} can't be the cards drawn.",
    cards=("cards",),
)
not_the_top_discard = Sentence(
    "card_not_in_deck",
    "{card!c} is not the top card of the discard pile; only the top one may be taken.",
    cards=("card",),
)
one_of_two_not_discarded = Sentence(
    "wrong_count", "Two cards are drawn: one is kept and the other is discarded face up."
)
only_one_drawn = Sentence("wrong_count", "Only one card can be drawn: it is kept and nothing is discarded.")
nothing_discarded_here = Sentence(
    "wrong_count", "Whoever takes the top discard discards nothing, not even {card}.", cards=("card",)
)
cited_twice = Sentence(
    "cited_twice", "{papers} is cited more than once; each paper may be cited once in a publication."
)
not_citable = Sentence("not_citable", "{papers} can't be cited; only complete papers on the table can.")

not_a_meld = PluralSentence(
    "not_a_meld",
    "{cards!c} does not make {paper}, which takes {rule}.",
    "{cards!c} do not make {paper}, which takes {rule}.",
    cards=("cards",),
)
cannot_pay = Sentence("cannot_pay", "{who} must pay {needed} for the citations but has only {left} left in hand.")
payment_missing = Sentence("payment_missing", "{author} is due {due} for the papers cited and was given {paid}.")
payment_excess = Sentence("payment_excess", "{author} is due {due} for the papers cited but was given {paid}.")
nothing_owed_yet = Sentence(
    "payment_excess", "Nobody has cited {author} yet, but {lying} lay on {author}'s payment spot."
)
paid_oneself = Sentence("payment_excess", "{who} pays nothing for own papers, but {paid} lay there.")
paper_not_there = Sentence("not_reviewable", "{author} has no {paper} to review.")
paper_complete = Sentence(
    "not_reviewable", "{author}'s {paper} is complete: its last card, {card}, stays.", cards=("card",)
)
card_not_in_paper = Sentence("not_reviewable", "{card!c} does not lie in {author}'s {paper}.", cards=("card",))
took_two_cards = Sentence("took_two_cards", "A review takes one card only, but {cards} were taken.", cards=("cards",))
two_actions = Sentence(
    "two_actions", "{who} did more than one thing; a turn is one of research, publish (one paper) or review."
)
discard_empty = Sentence("discard_empty", "The discard pile is empty; there is no card to take from it.")
research_impossible = Sentence(
    "research_impossible", "The draw pile and the discard pile are both empty; research is impossible."
)

pass_not_allowed = PluralSentence(
    "pass_not_allowed",
    "{who} may not pass while {actions} is possible.",
    "{who} may not pass while {actions} are possible.",
)
RESEARCH, REVIEW = in_context("action", "research"), in_context("action", "review")
flag_not_due = Sentence(
    "flag_not_due", "The End Flag is not {who}'s to take now; it goes to the first player to end a turn with 15 points."
)
flag_comes_next = Sentence("flag_not_due", "{who} takes the End Flag only after this move has been confirmed.")
_turn_to_complete = Sentence(
    "turn_the_paper", "{author}'s {paper} is complete: turn its paper card to the complete side."
)
_turn_to_review = Sentence(
    "turn_the_paper", "{author}'s {paper} is still under review: turn its paper card to the under-review side."
)


def turn_the_paper(author: Text, paper: Text, complete: bool) -> Reason:
    """Return the reason for a paper whose shown side does not match its state; ``complete`` is the state it is in."""
    return (_turn_to_complete if complete else _turn_to_review)(author=author, paper=paper)


payment_not_taken = Sentence("payment_not_taken", "{author} has yet to take {cards} of thanks into the hand.")

# --- a finished table, looked at without its record

more_than_supply = PluralSentence(
    "supply_exhausted",
    "There is only one {paper}, but {lying} lie on the table.",
    "There are only {count} cards of {paper}, but {lying} lie on the table.",
)
not_part_of = Sentence(
    "not_a_meld", "{cards!c} can't be part of {author}'s {paper}, which takes {rule}.", cards=("cards",)
)
paper_without_card = Sentence(
    "table_disturbed", "{author}'s {paper} has no card, but the last card of a paper always stays."
)
card_without_paper = Sentence("table_disturbed", "{card!c} lies in {place} without a paper.", cards=("card",))
paper_of_nobody = Sentence("table_disturbed", "{paper!c} lies in nobody's area.")
flag_with_too_few = Sentence(
    "flag_not_due", "{who} has only {points} points besides the End Flag; {needed} were needed to take it."
)
perhaps_not_over = Sentence(
    "cannot_see", "Nobody has the End Flag or {needed} points, so the game may not be over: play on, or say that it is."
)
