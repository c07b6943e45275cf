"""The broken rules of Laminate Rummy: a function for each sentence, and the codes in their order.

Source: FORMATS.md, "Refusal codes".
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.cards import Card
from rules.refusal import Reason
from rules.text import Both, Text, listed, number, sentence_case, shortened

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


def flag_due(who: Text) -> Reason:
    """Any move but the flag, while it must be taken."""
    return Reason(
        "flag_due",
        (),
        Text("{who} has 15 points or more and must first take the End Flag with one hand card.", who=who),
    )


def unknown_paper(name: str) -> Reason:
    """No such kind of paper."""
    name = shortened(name)
    return Reason("unknown_paper", (), Text("There is no paper {name!r} in this game.", name=name))


def flag_not_published(flag: Text) -> Reason:
    """The End Flag published as if it were a paper."""
    return Reason(
        "unknown_paper",
        (),
        Text("The {flag} can't be published; it is taken by the first player to reach 15 points.", flag=flag),
    )


def paper_already_held(who: Text, paper: Text) -> Reason:
    """This seat has that kind already, complete or not."""
    return Reason(
        "paper_already_held",
        (),
        Text("{who} has {paper} already, and nobody may have two of a kind.", who=who, paper=paper),
    )


def supply_exhausted(paper: Text) -> Reason:
    """None of the kind is left."""
    return Reason(
        "supply_exhausted",
        (),
        Text("No {paper} is left in the supply.", paper=paper),
    )


def nothing_new(paper: Text) -> Reason:
    """No hand card in the paper: citations alone are no paper."""
    return Reason(
        "nothing_new",
        (),
        Text("{paper!c} needs at least one card from the hand; citations alone are no paper.", paper=paper),
    )


def card_not_in_hand(who: Text, cards: Sequence[Card]) -> Reason:
    """Cards used or paid that are not in that hand, or can't be."""
    names = listed(cards)
    verb = "are" if len(cards) > 1 else "is"
    return Reason(
        "card_not_in_hand",
        tuple(cards),
        Both(
            f"{sentence_case(names.en)} {verb} not among the cards {who.en} can have in hand.",
            f"{names.ja}は{who.ja}の手札にはありえません。",
        ),
    )


def not_all_in_hand(who: Text, cards: Sequence[Card]) -> Reason:
    """Cards that might each be in that hand, but not all of them together."""
    names = listed(cards)
    return Reason(
        "card_not_in_hand",
        tuple(cards),
        Text("{who} can't have all of {names} in hand at once.", who=who, names=names),
    )


def card_used_twice(who: Text, cards: Sequence[Card]) -> Reason:
    """The same card laid or paid more than once: each card exists once."""
    names = listed(cards)
    return Reason(
        "card_not_in_hand",
        tuple(cards),
        Both(
            f"{who.en} has {names.en} only once; the cards laid down and the cards paid are different cards.",
            f"{names.ja}は1枚しかありません。出すカードと渡すカードは別のカードです。",
        ),
    )


def card_not_in_deck(cards: Sequence[Card]) -> Reason:
    """Cards said to be drawn that can't be in the draw pile."""
    names = listed(cards)
    return Reason(
        "card_not_in_deck",
        tuple(cards),
        Text("{names!c} can't have been drawn from the draw pile.", names=names),
    )


def last_card_not_drawn(cards: Sequence[Card]) -> Reason:
    """The one card left in the draw pile must be among the two that were drawn."""
    names = listed(cards)
    return Reason(
        "card_not_in_deck",
        tuple(cards),
        Text("The last card of the draw pile is drawn first, so {names} can't be the cards drawn.", names=names),
    )


def not_the_top_discard(card: Card) -> Reason:
    """A card said to be taken that is not the top discard."""
    return Reason(
        "card_not_in_deck",
        (card,),
        Text("{card!c} is not the top card of the discard pile; only the top one may be taken.", card=card),
    )


def wrong_count(can_draw: int) -> Reason:
    """Two cards could be drawn and none was discarded, or only one could and one was."""
    if can_draw >= 2:
        return Reason(
            "wrong_count",
            (),
            Text("Two cards are drawn: one is kept and the other is discarded face up."),
        )
    return Reason(
        "wrong_count",
        (),
        Text("Only one card can be drawn: it is kept and nothing is discarded."),
    )


def nothing_discarded_here(card: Card) -> Reason:
    """A card discarded although the top discard was taken."""
    return Reason(
        "wrong_count",
        (card,),
        Text("Whoever takes the top discard discards nothing, not even {card}.", card=card),
    )


def cited_twice(papers: Sequence[Text]) -> Reason:
    """The same paper cited twice."""
    return Reason(
        "cited_twice",
        (),
        Text(
            "{papers} is cited more than once; each paper may be cited once in a publication.", papers=_papers(papers)
        ),
    )


def not_citable(papers: Sequence[Text], cards: Sequence[Card] = ()) -> Reason:
    """Papers cited that are under review, or are not there."""
    return Reason(
        "not_citable",
        tuple(cards),
        Text("{papers} can't be cited; only complete papers on the table can.", papers=_papers(papers)),
    )


def not_a_meld(paper: Text, rule: Text, cards: Sequence[Card]) -> Reason:
    """The cards, with those cited, are not the paper's combination, or some are not part of it."""
    names = listed(cards)
    return Reason(
        "not_a_meld",
        tuple(cards),
        Both(
            f"{sentence_case(names.en)} do not make {paper.en}, which takes {rule.en}."
            if len(cards) != 1
            else f"{sentence_case(names.en)} does not make {paper.en}, which takes {rule.en}.",
            f"{names.ja}では{paper.ja}になりません。必要なのは「{rule.ja}」です。",
        ),
    )


def cannot_pay(who: Text, needed: int, left: int) -> Reason:
    """Too few hand cards left to pay."""
    return Reason(
        "cannot_pay",
        (),
        Both(
            f"{who.en} must pay {number(needed).en} for the citations but has only {number(left).en} left in hand.",
            f"引用のお礼に{needed}枚必要ですが、{who.ja}の手札は{left}枚しか残りません。",
        ),
    )


def payment_missing(author: Text, due: int, paid: int) -> Reason:
    """Fewer thank-you cards for a seat than papers cited from it."""
    return Reason(
        "payment_missing",
        (),
        Both(
            f"{author.en} is due {number(due).en} for the papers cited and was given {paid}.",
            f"引用のお礼として{author.ja}に{due}枚渡しますが、{paid}枚しかありません。",
        ),
    )


def payment_excess(author: Text, due: int, paid: int) -> Reason:
    """More thank-you cards for a seat than papers cited from it."""
    return Reason(
        "payment_excess",
        (),
        Both(
            f"{author.en} is due {number(due).en} for the papers cited but was given {paid}.",
            f"{author.ja}へのお礼は{due}枚ですが、{paid}枚あります。",
        ),
    )


def nothing_owed_yet(author: Text, lying: int) -> Reason:
    """Cards on a payment spot before the first turn."""
    return Reason(
        "payment_excess",
        (),
        Text(
            "Nobody has cited {author} yet, but {lying} lay on {author}'s payment spot.",
            author=author,
            lying=number(lying),
        ),
    )


def paid_oneself(who: Text, paid: int) -> Reason:
    """Thank-you cards on the publisher's own payment spot."""
    return Reason(
        "payment_excess",
        (),
        Both(
            f"{who.en} pays nothing for own papers, but {number(paid).en} lay there.",
            f"自分の論文の引用にお礼はいりません（{who.ja}の場に{paid}枚）。",
        ),
    )


def paper_not_there(author: Text, paper: Text) -> Reason:
    """A review of a paper that is not there."""
    return Reason(
        "not_reviewable",
        (),
        Text("{author} has no {paper} to review.", author=author, paper=paper),
    )


def paper_complete(author: Text, paper: Text, card: Card) -> Reason:
    """A review of a paper with a single card."""
    return Reason(
        "not_reviewable",
        (card,),
        Text("{author}'s {paper} is complete: its last card, {card}, stays.", author=author, paper=paper, card=card),
    )


def card_not_in_paper(author: Text, paper: Text, card: Card) -> Reason:
    """A review that takes a card which does not lie in the paper."""
    return Reason(
        "not_reviewable",
        (card,),
        Text("{card!c} does not lie in {author}'s {paper}.", card=card, author=author, paper=paper),
    )


def took_two_cards(cards: Sequence[Card]) -> Reason:
    """More than one card taken in review."""
    names = listed(cards)
    return Reason(
        "took_two_cards",
        tuple(cards),
        Text("A review takes one card only, but {names} were taken.", names=names),
    )


def two_actions(who: Text) -> Reason:
    """More than one of the three actions in a turn."""
    return Reason(
        "two_actions",
        (),
        Text("{who} did more than one thing; a turn is one of research, publish (one paper) or review.", who=who),
    )


def discard_empty() -> Reason:
    """No discard to take."""
    return Reason(
        "discard_empty",
        (),
        Text("The discard pile is empty; there is no card to take from it."),
    )


def research_impossible() -> Reason:
    """Both piles are empty."""
    return Reason(
        "research_impossible",
        (),
        Text("The draw pile and the discard pile are both empty; research is impossible."),
    )


def pass_not_allowed(who: Text, research: bool, review: bool) -> Reason:
    """Research or review is possible."""
    en = " and ".join(word for word, possible in (("research", research), ("review", review)) if possible)
    ja = "と".join(word for word, possible in (("研究", research), ("査読", review)) if possible)
    return Reason(
        "pass_not_allowed",
        (),
        Both(
            f"{who.en} may not pass while {en} {'are' if research and review else 'is'} possible.",
            f"{ja}ができるので、{who.ja}はパスできません。",
        ),
    )


def flag_not_due(who: Text) -> Reason:
    """The End Flag is not this seat's to take."""
    return Reason(
        "flag_not_due",
        (),
        Text(
            "The End Flag is not {who}'s to take now; it goes to the first player to end a turn with 15 points.",
            who=who,
        ),
    )


def flag_comes_next(who: Text) -> Reason:
    """The End Flag was laid together with the move that earns it."""
    return Reason(
        "flag_not_due",
        (),
        Text("{who} takes the End Flag only after this move has been confirmed.", who=who),
    )


def flag_with_one_card(who: Text) -> Reason:
    """The End Flag that is due was laid without a hand card, or with several."""
    return Reason(
        "flag_due",
        (),
        Text("{who} lays exactly one hand card to the End Flag.", who=who),
    )


def turn_the_paper(author: Text, paper: Text, complete: bool) -> Reason:
    """A paper's shown side does not match its state; ``complete`` is the state it is in."""
    if complete:
        return Reason(
            "turn_the_paper",
            (),
            Text(
                "{author}'s {paper} is complete: turn its paper card to the complete side.", author=author, paper=paper
            ),
        )
    return Reason(
        "turn_the_paper",
        (),
        Text(
            "{author}'s {paper} is still under review: turn its paper card to the under-review side.",
            author=author,
            paper=paper,
        ),
    )


def payment_not_taken(author: Text, count: int) -> Reason:
    """Thank-you cards of an earlier turn still lie on a payment spot."""
    return Reason(
        "payment_not_taken",
        (),
        Both(
            f"{author.en} has yet to take {number(count).en} of thanks into the hand.",
            f"{author.ja}はお礼のカード{count}枚を手札に取ってください。",
        ),
    )


# --- a finished table, looked at without its record


def more_than_supply(paper: Text, copies: int, lying: int) -> Reason:
    """More of a kind on the table than there are."""
    there = f"There is only one {paper.en}" if copies == 1 else f"There are only {copies} cards of {paper.en}"
    return Reason(
        "supply_exhausted",
        (),
        Both(f"{there}, but {lying} lie on the table.", f"{paper.ja}は{copies}枚しかありませんが、{lying}枚あります。"),
    )


def not_part_of(author: Text, paper: Text, rule: Text, cards: Sequence[Card]) -> Reason:
    """Cards in a paper that can't be what is left of it."""
    names = listed(cards)
    return Reason(
        "not_a_meld",
        tuple(cards),
        Text(
            "{names!c} can't be part of {author}'s {paper}, which takes {rule}.",
            names=names,
            author=author,
            paper=paper,
            rule=rule,
        ),
    )


def paper_without_card(author: Text, paper: Text) -> Reason:
    """A paper card alone: the last card of a paper always stays."""
    return Reason(
        "table_disturbed",
        (),
        Text("{author}'s {paper} has no card, but the last card of a paper always stays.", author=author, paper=paper),
    )


def card_without_paper(place: Text, card: Card) -> Reason:
    """A card that lies face up and belongs to no paper."""
    return Reason(
        "table_disturbed",
        (card,),
        Text("{card!c} lies in {place} without a paper.", card=card, place=place),
    )


def paper_of_nobody(paper: Text) -> Reason:
    """A paper that lies in no player's area."""
    return Reason(
        "table_disturbed",
        (),
        Text("{paper!c} lies in nobody's area.", paper=paper),
    )


def flag_with_too_few(who: Text, points: int, needed: int) -> Reason:
    """The End Flag where too few points lie with it; complete papers never leave."""
    return Reason(
        "flag_not_due",
        (),
        Text(
            "{who} has only {points} points besides the End Flag; {needed} were needed to take it.",
            who=who,
            points=points,
            needed=needed,
        ),
    )


def perhaps_not_over(needed: int) -> Reason:
    """Nothing on the table says that the game has come to its end."""
    return Reason(
        "cannot_see",
        (),
        Text(
            "Nobody has the End Flag or {needed} points, so the game may not be over: play on, or say that it is.",
            needed=needed,
        ),
    )


def _papers(papers: Sequence[Text]) -> Text:
    return Both(" and ".join(paper.en for paper in papers), "と".join(paper.ja for paper in papers))
