"""Why a move is refused: a value with a code, the cards concerned and words for players in English and Japanese.

The codes and their order are those of FORMATS.md. A ``Reason`` is one broken rule; a ``Refusal`` is all of them, the
first in the order as its ``code`` and text, the others in ``also``. A text names only cards that the move itself
names or that lie open on the table, so it never gives away a hidden card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rules.cards import Card

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

_LONGEST_NAME = 60

_PLACES = {code: place for place, code in enumerate(CODES)}


@dataclass(frozen=True, slots=True)
class Reason:
    """One broken rule: its code, the cards concerned and one clear sentence in each language."""

    code: str
    cards: tuple[Card, ...]
    en: str
    ja: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """A move refused: the first code in FORMATS.md's order, the other codes, the cards concerned, and the words."""

    code: str
    also: tuple[str, ...]
    cards: tuple[Card, ...]
    en: str
    ja: str

    @classmethod
    def of(cls, *reasons: Reason) -> Refusal:
        """The refusal that these reasons, one or more, add up to.

        Raises:
            ValueError: there is no reason, or one of an unknown code.
        """
        if not reasons:
            raise ValueError("a refusal needs a reason")
        for reason in reasons:
            if reason.code not in _PLACES:
                raise ValueError(f"no such refusal code: {reason.code!r}")
        first, *others = sorted(reasons, key=lambda reason: _PLACES[reason.code])
        also = dict.fromkeys(reason.code for reason in others if reason.code != first.code)
        return cls(first.code, tuple(also), first.cards, first.en, first.ja)

    def __str__(self) -> str:
        return f"{self.code}: {self.en}"


class Illegal(Exception):  # noqa: N818 - a refused move is no error of the program
    """A move that the rules refuse was played; ``refusal`` says why. Nothing has changed."""

    def __init__(self, refusal: Refusal, move: object = None) -> None:
        super().__init__(f"{refusal} ({move})" if move is not None else str(refusal))
        self.refusal = refusal
        self.move = move


@dataclass(frozen=True, slots=True)
class Words:
    """A thing's name in English and in Japanese."""

    en: str
    ja: str


def player(name: str) -> Words:
    """A player's name, with the Japanese form of address."""
    return Words(name, f"{name}さん")


def listed(cards: Iterable[Card]) -> Words:
    """Cards in words: ``heart 7, onion 8 and coin 10``."""
    cards = tuple(cards)
    names = [card.en for card in cards]
    en = names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1] if names else "no card"
    return Words(en, "、".join(card.ja for card in cards) or "カードなし")


def shortened(name: str) -> str:
    """A name that somebody else wrote, cut where it is too long for a sentence."""
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def number(count: int) -> Words:
    """A number of cards in words: ``1 card``, ``2枚``."""
    return Words(f"{count} card" if count == 1 else f"{count} cards", f"{count}枚")


def bad_record(cause: Words) -> Reason:
    """A line that is no JSON object, or lacks or misspells what its move needs."""
    return Reason("bad_record", (), f"This line can't be used: {cause.en}.", f"この行は使えません。{cause.ja}。")


def game_over() -> Reason:
    """The game has ended."""
    return Reason("game_over", (), "The game has ended; no more moves.", "ゲームは終わりました。もう手番はありません。")


def flag_due(who: Words) -> Reason:
    """Any move but the flag, while it must be taken."""
    return Reason(
        "flag_due",
        (),
        f"{who.en} has 15 points or more and must first take the End Flag with one hand card.",
        f"15点以上になった{who.ja}が、まず手札1枚と合わせてエンドフラグを取ります。",
    )


def out_of_turn(who: Words, to_move: Words) -> Reason:
    """Another seat is to move."""
    return Reason(
        "out_of_turn",
        (),
        f"It is not {who.en}'s turn; {to_move.en} is to move.",
        f"{who.ja}の番ではありません。今は{to_move.ja}の番です。",
    )


def unknown_paper(name: str) -> Reason:
    """No such kind of paper."""
    name = shortened(name)
    return Reason(
        "unknown_paper", (), f"There is no paper {name!r} in this game.", f"「{name}」という論文はありません。"
    )


def flag_not_published(flag: Words) -> Reason:
    """The End Flag published as if it were a paper."""
    return Reason(
        "unknown_paper",
        (),
        f"The {flag.en} can't be published; it is taken by the first player to reach 15 points.",
        f"{flag.ja}は発表できません。最初に15点に達したプレイヤーが取ります。",
    )


def paper_already_held(who: Words, paper: Words) -> Reason:
    """This seat has that kind already, complete or not."""
    return Reason(
        "paper_already_held",
        (),
        f"{who.en} has {paper.en} already, and nobody may have two of a kind.",
        f"{who.ja}はもう{paper.ja}を持っています。同じ論文は1人1枚までです。",
    )


def supply_exhausted(paper: Words) -> Reason:
    """None of the kind is left."""
    return Reason(
        "supply_exhausted",
        (),
        f"No {paper.en} is left in the supply.",
        f"{paper.ja}の論文カードはもう残っていません。",
    )


def nothing_new(paper: Words) -> Reason:
    """No hand card in the paper: citations alone are no paper."""
    return Reason(
        "nothing_new",
        (),
        f"{_first(paper.en)} needs at least one card from the hand; citations alone are no paper.",
        f"{paper.ja}には手札から少なくとも1枚出してください。引用だけでは論文になりません。",
    )


def card_not_in_hand(who: Words, cards: Sequence[Card]) -> Reason:
    """Cards used or paid that are not in that hand, or can't be."""
    names = listed(cards)
    verb = "are" if len(cards) > 1 else "is"
    return Reason(
        "card_not_in_hand",
        tuple(cards),
        f"{_first(names.en)} {verb} not among the cards {who.en} can have in hand.",
        f"{names.ja}は{who.ja}の手札にはありえません。",
    )


def not_all_in_hand(who: Words, cards: Sequence[Card]) -> Reason:
    """Cards that might each be in that hand, but not all of them together."""
    names = listed(cards)
    return Reason(
        "card_not_in_hand",
        tuple(cards),
        f"{who.en} can't have all of {names.en} in hand at once.",
        f"{who.ja}が{names.ja}をすべて手札に持っていることはありえません。",
    )


def card_used_twice(who: Words, cards: Sequence[Card]) -> Reason:
    """The same card laid or paid more than once: each card exists once."""
    names = listed(cards)
    return Reason(
        "card_not_in_hand",
        tuple(cards),
        f"{who.en} has {names.en} only once; the cards laid down and the cards paid are different cards.",
        f"{names.ja}は1枚しかありません。出すカードと渡すカードは別のカードです。",
    )


def card_not_in_deck(cards: Sequence[Card]) -> Reason:
    """Cards said to be drawn that can't be in the draw pile."""
    names = listed(cards)
    return Reason(
        "card_not_in_deck",
        tuple(cards),
        f"{_first(names.en)} can't have been drawn from the draw pile.",
        f"{names.ja}は山札から引けたはずがありません。",
    )


def last_card_not_drawn(cards: Sequence[Card]) -> Reason:
    """The one card left in the draw pile must be among the two that were drawn."""
    names = listed(cards)
    return Reason(
        "card_not_in_deck",
        tuple(cards),
        f"The last card of the draw pile is drawn first, so {names.en} can't be the cards drawn.",
        f"山札の最後の1枚を必ず引くので、引いたカードが{names.ja}ということはありえません。",
    )


def not_the_top_discard(card: Card) -> Reason:
    """A card said to be taken that is not the top discard."""
    return Reason(
        "card_not_in_deck",
        (card,),
        f"{_first(card.en)} is not the top card of the discard pile; only the top one may be taken.",
        f"{card.ja}は捨て札の一番上ではありません。取れるのは一番上のカードだけです。",
    )


def wrong_count(can_draw: int) -> Reason:
    """Two cards could be drawn and none was discarded, or only one could and one was."""
    if can_draw >= 2:
        return Reason(
            "wrong_count",
            (),
            "Two cards are drawn: one is kept and the other is discarded face up.",
            "カードは2枚引き、1枚を手札に加え、もう1枚を表向きに捨てます。",
        )
    return Reason(
        "wrong_count",
        (),
        "Only one card can be drawn: it is kept and nothing is discarded.",
        "引けるカードは1枚だけなので、それを手札に加え、何も捨てません。",
    )


def nothing_discarded_here(card: Card) -> Reason:
    """A card discarded although the top discard was taken."""
    return Reason(
        "wrong_count",
        (card,),
        f"Whoever takes the top discard discards nothing, not even {card.en}.",
        f"捨て札を取ったときは何も捨てません（{card.ja}）。",
    )


def cited_twice(papers: Sequence[Words]) -> Reason:
    """The same paper cited twice."""
    return Reason(
        "cited_twice",
        (),
        f"{_papers(papers).en} is cited more than once; each paper may be cited once in a publication.",
        f"{_papers(papers).ja}が2回引用されています。引用は1つの論文につき1回だけです。",
    )


def not_citable(papers: Sequence[Words], cards: Sequence[Card] = ()) -> Reason:
    """Papers cited that are under review, or are not there."""
    return Reason(
        "not_citable",
        tuple(cards),
        f"{_papers(papers).en} can't be cited; only complete papers on the table can.",
        f"{_papers(papers).ja}は引用できません。引用できるのは場にある完成した論文だけです。",
    )


def not_a_meld(paper: Words, rule: Words, cards: Sequence[Card]) -> Reason:
    """The cards, with those cited, are not the paper's combination, or some are not part of it."""
    names = listed(cards)
    return Reason(
        "not_a_meld",
        tuple(cards),
        f"{_first(names.en)} do not make {paper.en}, which takes {rule.en}."
        if len(cards) != 1
        else f"{_first(names.en)} does not make {paper.en}, which takes {rule.en}.",
        f"{names.ja}では{paper.ja}になりません。必要なのは「{rule.ja}」です。",
    )


def cannot_pay(who: Words, needed: int, left: int) -> Reason:
    """Too few hand cards left to pay."""
    return Reason(
        "cannot_pay",
        (),
        f"{who.en} must pay {number(needed).en} for the citations but has only {number(left).en} left in hand.",
        f"引用のお礼に{needed}枚必要ですが、{who.ja}の手札は{left}枚しか残りません。",
    )


def payment_missing(author: Words, due: int, paid: int) -> Reason:
    """Fewer thank-you cards for a seat than papers cited from it."""
    return Reason(
        "payment_missing",
        (),
        f"{author.en} is due {number(due).en} for the papers cited and was given {paid}.",
        f"引用のお礼として{author.ja}に{due}枚渡しますが、{paid}枚しかありません。",
    )


def payment_excess(author: Words, due: int, paid: int) -> Reason:
    """More thank-you cards for a seat than papers cited from it."""
    return Reason(
        "payment_excess",
        (),
        f"{author.en} is due {number(due).en} for the papers cited but was given {paid}.",
        f"{author.ja}へのお礼は{due}枚ですが、{paid}枚あります。",
    )


def nothing_owed_yet(author: Words, lying: int) -> Reason:
    """Cards on a payment spot before the first turn."""
    return Reason(
        "payment_excess",
        (),
        f"Nobody has cited {author.en} yet, but {number(lying).en} lay on {author.en}'s payment spot.",
        f"{author.ja}の論文はまだ引用されていませんが、お礼置き場にカードが{number(lying).ja}あります。",
    )


def paid_oneself(who: Words, paid: int) -> Reason:
    """Thank-you cards on the publisher's own payment spot."""
    return Reason(
        "payment_excess",
        (),
        f"{who.en} pays nothing for own papers, but {number(paid).en} lay there.",
        f"自分の論文の引用にお礼はいりません（{who.ja}の場に{paid}枚）。",
    )


def paper_not_there(author: Words, paper: Words) -> Reason:
    """A review of a paper that is not there."""
    return Reason(
        "not_reviewable", (), f"{author.en} has no {paper.en} to review.", f"{author.ja}の場に{paper.ja}はありません。"
    )


def paper_complete(author: Words, paper: Words, card: Card) -> Reason:
    """A review of a paper with a single card."""
    return Reason(
        "not_reviewable",
        (card,),
        f"{author.en}'s {paper.en} is complete: its last card, {card.en}, stays.",
        f"{author.ja}の{paper.ja}は完成しています。最後の{card.ja}は取れません。",
    )


def card_not_in_paper(author: Words, paper: Words, card: Card) -> Reason:
    """A review that takes a card which does not lie in the paper."""
    return Reason(
        "not_reviewable",
        (card,),
        f"{_first(card.en)} does not lie in {author.en}'s {paper.en}.",
        f"{author.ja}の{paper.ja}に{card.ja}はありません。",
    )


def took_two_cards(cards: Sequence[Card]) -> Reason:
    """More than one card taken in review."""
    names = listed(cards)
    return Reason(
        "took_two_cards",
        tuple(cards),
        f"A review takes one card only, but {names.en} were taken.",
        f"査読で取れるのは1枚だけですが、{names.ja}が取られています。",
    )


def two_actions(who: Words) -> Reason:
    """More than one of the three actions in a turn."""
    return Reason(
        "two_actions",
        (),
        f"{who.en} did more than one thing; a turn is one of research, publish (one paper) or review.",
        f"{who.ja}は2つ以上の行動をしています。1手番には研究・論文発表（1つ）・査読のどれか1つだけです。",
    )


def discard_empty() -> Reason:
    """No discard to take."""
    return Reason(
        "discard_empty",
        (),
        "The discard pile is empty; there is no card to take from it.",
        "捨て札がないので、捨て札からは取れません。",
    )


def research_impossible() -> Reason:
    """Both piles are empty."""
    return Reason(
        "research_impossible",
        (),
        "The draw pile and the discard pile are both empty; research is impossible.",
        "山札も捨て札もないので、研究はできません。",
    )


def pass_not_allowed(who: Words, research: bool, review: bool) -> Reason:
    """Research or review is possible."""
    en = " and ".join(word for word, possible in (("research", research), ("review", review)) if possible)
    ja = "と".join(word for word, possible in (("研究", research), ("査読", review)) if possible)
    return Reason(
        "pass_not_allowed",
        (),
        f"{who.en} may not pass while {en} {'are' if research and review else 'is'} possible.",
        f"{ja}ができるので、{who.ja}はパスできません。",
    )


def flag_not_due(who: Words) -> Reason:
    """The End Flag is not this seat's to take."""
    return Reason(
        "flag_not_due",
        (),
        f"The End Flag is not {who.en}'s to take now; it goes to the first player to end a turn with 15 points.",
        f"{who.ja}は今エンドフラグを取れません。最初に15点以上で手番を終えたプレイヤーだけが取ります。",
    )


def flag_comes_next(who: Words) -> Reason:
    """The End Flag was laid together with the move that earns it."""
    return Reason(
        "flag_not_due",
        (),
        f"{who.en} takes the End Flag only after this move has been confirmed.",
        f"{who.ja}がエンドフラグを取るのは、この手を確定した後です。",
    )


def flag_with_one_card(who: Words) -> Reason:
    """The End Flag that is due was laid without a hand card, or with several."""
    return Reason(
        "flag_due",
        (),
        f"{who.en} lays exactly one hand card to the End Flag.",
        f"{who.ja}がエンドフラグと一緒に置く手札は1枚だけです。",
    )


def turn_the_paper(author: Words, paper: Words, complete: bool) -> Reason:
    """A paper's shown side does not match its state; ``complete`` is the state it is in."""
    if complete:
        return Reason(
            "turn_the_paper",
            (),
            f"{author.en}'s {paper.en} is complete: turn its paper card to the complete side.",
            f"{author.ja}の{paper.ja}は完成しました。論文カードを完成の面にしてください。",
        )
    return Reason(
        "turn_the_paper",
        (),
        f"{author.en}'s {paper.en} is still under review: turn its paper card to the under-review side.",
        f"{author.ja}の{paper.ja}はまだ査読中です。論文カードを査読中の面にしてください。",
    )


def payment_not_taken(author: Words, count: int) -> Reason:
    """Thank-you cards of an earlier turn still lie on a payment spot."""
    return Reason(
        "payment_not_taken",
        (),
        f"{author.en} has yet to take {number(count).en} of thanks into the hand.",
        f"{author.ja}はお礼のカード{count}枚を手札に取ってください。",
    )


def table_disturbed(change: Words, cards: Sequence[Card] = ()) -> Reason:
    """Something changed that the move does not explain; ``change`` says what, as a whole sentence without its end."""
    return Reason(
        "table_disturbed",
        tuple(cards),
        f"{change.en}; please put it back.",
        f"{change.ja}。元に戻してください。",
    )


def cannot_see(where: Words, cause: Words | None = None) -> Reason:
    """A card that matters can't be read surely; ``where`` names its spot and ``cause`` the trouble."""
    en, ja = (f" ({cause.en})", f"（{cause.ja}）") if cause is not None else ("", "")
    return Reason(
        "cannot_see",
        (),
        f"The card at {where.en} can't be read surely{en}; please uncover or straighten it.",
        f"{where.ja}のカードがはっきり読めません{ja}。よく見えるように直してください。",
    )


def _first(text: str) -> str:
    """The text as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def _papers(papers: Sequence[Words]) -> Words:
    return Words(" and ".join(paper.en for paper in papers), "と".join(paper.ja for paper in papers))
