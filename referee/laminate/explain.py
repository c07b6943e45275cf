"""What was understood and what to put right, as sentences for players in English and Japanese."""

from __future__ import annotations

from collections.abc import Iterable

from referee.laminate.expected_layout import Agreed, Difference, What
from referee.table import Sighting, cant_read
from referee.verdict import Mend, Spot
from rules.cards import Card
from rules.laminate.moves import Deal, EndFlag, Move, Publish, Research, Review, Setup
from rules.laminate.papers import END_FLAG
from rules.laminate.position import Ending, Phase, Position
from rules.text import Both, Text, inside, listed, listing, number, player, sentence_case

# --- names


def paper_words(position: Position, kind: str) -> Text:
    """A paper kind's name."""
    if kind in position.catalogue:
        known = position.catalogue[kind]
        return Both(known.en, known.ja)
    return Text("paper {kind!r}", kind=kind)


def whose_paper(position: Position, seat: int, kind: str) -> Text:
    """A paper with its author: ``Banach's Three Cards``."""
    words, who = paper_words(position, kind), player(position.name(seat))
    return Text("{who}'s {words}", who=who, words=words)


def place_words(position: Position, place: str) -> Text:
    """A place of the table (as in ``Mend``) in words."""
    spot, _, kind = place.partition("/")
    name, _, seat = spot.partition(":")
    if kind:
        return whose_paper(position, int(seat), kind)
    who = player(position.name(int(seat))) if seat else Text("")
    return {
        "draw": Text("the draw pile"),
        "discard": Text("the discard pile"),
        "payment": Text("{who}'s payment spot", who=who),
        "seat": Text("{who}'s area", who=who),
        "hand": Text("{who}'s hand", who=who),
        "supply": Text("the supply of paper cards"),
    }.get(name, Text("the table"))


# --- what was understood


def understood(move: Move, before: Position, after: Position) -> tuple[Text, ...]:
    """A move, played in ``before``, as a sentence, and what follows from it: a paper complete, the End Flag, the
    countdown, the end.
    """
    return (describe(move, before), *_consequences(move, before, after))


def describe(move: Move, before: Position) -> Text:
    """A move, played in ``before``, as a sentence."""
    if isinstance(move, Setup):
        first = player(before.name(before.first_seat))
        return Text(
            "The cards are dealt, {discard} lies on the discard pile; {first} begins.",
            discard=move.discard,
            first=first,
        )
    if isinstance(move, Deal):
        return Text("The cards are dealt.")
    who = player(before.name(move.seat))
    if isinstance(move, Research):
        return _research(move, before, who)
    if isinstance(move, Publish):
        return _publish(move, before, who)
    if isinstance(move, Review):
        own = move.of == move.seat
        paper = paper_words(before, move.paper)
        whose = whose_paper(before, move.of, move.paper)
        return Both(
            f"{who.en} reviews {'their own ' + paper.en if own else whose.en} and takes {move.take.en}.",
            f"{who.ja}が{'自分の' + paper.ja if own else whose.ja}を査読し、{move.take.ja}を取りました。",
        )
    if isinstance(move, EndFlag):
        flag = paper_words(before, END_FLAG)
        return Text("{who} takes the {flag} and lays {card} to it.", who=who, flag=flag, card=move.card)
    return Text("{who} passes.", who=who)


def _research(move: Research, before: Position, who: Text) -> Text:
    if move.source == "discard" and move.keep is not None:
        return Text("{who} takes {keep} from the discard pile.", who=who, keep=move.keep)
    shuffled = before.reshuffle_on_draw != "none"
    en = f"{who.en} draws{' through a reshuffle' if shuffled else ' from the draw pile'}"
    ja = f"{who.ja}が{'捨て札をシャッフルして' if shuffled else ''}山札から引き、"
    if move.discard is None:
        return Both(f"{en} the only card left and discards nothing.", f"{ja}最後の1枚を手札に加えました。")
    return Both(f"{en} and discards {move.discard.en}.", f"{ja}{move.discard.ja}を捨てました。")


def _publish(move: Publish, before: Position, who: Text) -> Text:
    paper = paper_words(before, move.paper)
    laid = listed(move.cards)
    en = f"{who.en} publishes {paper.en} with {laid.en}"
    ja = f"{who.ja}が{laid.ja}で{paper.ja}を発表"
    if move.cite:
        cited = []
        for citation in move.cite:
            own = citation.seat == move.seat
            name = paper_words(before, citation.paper)
            whose = whose_paper(before, citation.seat, citation.paper)
            cited.append(Text("their own {name}", name=name) if own else whose)
        joined = listing(cited)
        en += f", cites {joined.en}"
        ja += f"、{joined.ja}を引用"
    paid = {s: n if isinstance(n, int) else len(n) for s, n in sorted(move.pay.items())}
    for seat, count in paid.items():
        author = player(before.name(seat))
        en += f", pays {author.en} {number(count).en}"
        ja += f"、{author.ja}にお礼{number(count).ja}"
    return Both(en + ".", ja + "。")


def _consequences(move: Move, before: Position, after: Position) -> list[Text]:
    told: list[Text] = []
    was = {(paper.seat, paper.kind) for paper in before.papers if paper.complete}
    for paper in after.papers:
        if paper.complete and (paper.seat, paper.kind) not in was and paper.kind != END_FLAG:
            whose = whose_paper(after, paper.seat, paper.kind)
            told.append(Text("{whose} is complete.", whose=whose))
    if after.phase is Phase.FLAG and after.to_move is not None:
        who = player(after.name(after.to_move))
        told.append(
            Text("{who} has 15 points or more: lay the End Flag and one hand card in your area, then confirm.", who=who)
        )
    if after.turns_left is not None and before.turns_left is None:
        told.append(Text("{turns_left} more turns, then the game ends.", turns_left=after.turns_left))
    outcome = after.outcome
    if outcome is not None:
        winners = listing([player(after.name(seat)) for seat in outcome.winners])
        why = Text("Everybody has passed") if outcome.reason is Ending.PASSES else Text("The last turn is over")
        wins = "win" if len(outcome.winners) > 1 else "wins"
        told.append(Both(f"{why.en}: {winners.en} {wins}.", f"{why.ja}。{winners.ja}の勝ちです。"))
    return told


# --- what differs


def sighting_words(position: Position, sighting: Sighting) -> Text:
    """A loose card by name."""
    if sighting.name == "back":
        return Text("A face-down card")
    kind, slash, _ = sighting.name.partition("/")
    if slash:
        words = paper_words(position, kind)
        return Text("The paper card {words}", words=words)
    card = Card.parse(sighting.name)
    return Both(sentence_case(card.en), card.ja)


def changed(difference: Difference, agreed: Agreed, place: str) -> Text:
    """What a difference is, as a sentence without its end; ``place`` is where a loose card lies."""
    position = agreed.position
    cards = listed(difference.cards)
    were = "were" if len(difference.cards) > 1 else "was"
    whose = whose_paper(position, difference.seat, difference.kind) if difference.kind else Text("")
    what = difference.what
    if what is What.PAPER_ADDED:
        holding = Text(" with {cards}", cards=cards) if difference.cards else Text("")
        return Text("{whose}{holding} was added", whose=whose, holding=holding)
    if what is What.PAPER_GONE:
        return Text("{whose} is gone from its place", whose=whose)
    if what is What.CARDS_ADDED:
        return Both(f"{cards.en} {were} added to {whose.en}", f"{whose.ja}に{cards.ja}が増えています")
    if what is What.CARDS_GONE:
        return Both(f"{cards.en} {were} gone from {whose.en}", f"{whose.ja}から{cards.ja}がなくなっています")
    if what is What.TOP:
        if difference.seen is None:
            return Both(
                f"the discard pile is gone{', with ' + cards.en + ' on top' if difference.cards else ''}",
                f"捨て札{'（一番上は' + cards.ja + '）' if difference.cards else ''}がなくなっています",
            )
        if not difference.cards:
            return Text("{seen} lies on the discard pile, which should be empty", seen=difference.seen)
        return Text("{seen} lies on top of the discard pile in place of {cards}", seen=difference.seen, cards=cards)
    if what is What.UNDER:
        return Both(
            f"{cards.en} {'show' if len(difference.cards) > 1 else 'shows'} under the top of the discard pile",
            f"捨て札の下に{cards.ja}が見えます",
        )
    if what is What.DRAW_GONE:
        return Text("the draw pile is gone")
    if what is What.DRAW_THERE:
        return Text("a card lies where the draw pile should be empty")
    if what in (What.THANKS_ADDED, What.THANKS_GONE):
        author = player(position.name(difference.seat))
        cards = number(difference.count)
        if what is What.THANKS_ADDED:
            return Text("{cards} too many on {author}'s payment spot", cards=cards, author=author)
        return Text("{cards} missing on {author}'s payment spot", cards=cards, author=author)
    assert difference.sighting is not None
    name, where = sighting_words(position, difference.sighting), place_words(position, place)
    return Text("{name} lies where it does not belong, at {where}", name=name, where=where)


def capitalised(words: Text) -> Text:
    """The same words as the start of a sentence."""
    return Both(sentence_case(words.en), words.ja)


# --- what to put right


def mend(position: Position, item: str, source: str, target: str, count: int = 1) -> Mend:
    """Put something from one place to another; a paper card that heads a paper lies in its author's area."""
    what = _item_words(position, item, count)
    head = "/" in item
    start = place_words(position, source.partition("/")[0] if head else source)
    end = place_words(position, target.partition("/")[0] if head else target)
    if head and start == end:
        before = Both("Lay ", f"{end.ja}の")
        after = Both(f" with its cards in order again in {end.en}.", "を、そのカードと一緒に並べ直してください。")
    elif target.startswith("hand"):
        before = Both("Take ", f"{start.ja}の")
        after = Both(f" from {start.en} into {end.en}.", f"を{end.ja}に入れてください。")
    else:
        onto = "on" if target.partition(":")[0] in ("draw", "discard", "payment") else "in"
        origin = Text("") if source.partition(":")[0] in ("hand", "table") else start
        before = Both("Put ", f"{origin.ja}の" if origin.ja else "")
        from_it = f" from {origin.en}" if origin.en else ""
        after = Both(f"{from_it} back {onto} {end.en}.", f"を{end.ja}に戻してください。")
    if head or item == "back":
        return Mend(item, source, target, inside(before, what, after), count)
    return Mend.framed(item, source, target, before, what, after)


def lay_on_top(card: Card, source: str) -> Mend:
    """Lay a card on top of the discard pile."""
    after = Text(" face up on top of the discard pile.")
    return Mend.framed(str(card), source, "discard", Both("Lay ", ""), card.text, after)


def lay_any_discard(position: Position, seat: int) -> Mend:
    """Lay a player's discard, whichever card it is."""
    who = player(position.name(seat))
    return Mend(
        "back",
        f"hand:{seat}",
        "discard",
        Text("Lay {who}'s discard face up on the discard pile.", who=who),
    )


def turn_over(position: Position, seat: int, kind: str, complete: bool) -> Mend:
    """Turn a paper card to its other side."""
    whose = whose_paper(position, seat, kind)
    place = f"seat:{seat}/{kind}"
    side = Text("complete") if complete else Text("under-review")
    return Mend(
        f"{kind}/{'complete' if complete else 'review'}",
        place,
        place,
        Text("Turn the paper card of {whose} to its {side} side.", whose=whose, side=side),
    )


def pay(position: Position, payer: int, author: int, count: int) -> Mend:
    """Lay thank-you cards."""
    to = place_words(position, f"payment:{author}")
    cards = number(count)
    return Mend(
        "back",
        f"hand:{payer}",
        f"payment:{author}",
        Text("Lay {cards} more face down on {to}, or take the publication back.", cards=cards, to=to),
        count,
    )


def card_words(position: Position, name: str) -> Text:
    """A card by the name that the reader gives it, within a sentence."""
    kind, slash, _ = name.partition("/")
    if slash:
        paper = paper_words(position, kind)
        return Text("the paper card {paper}", paper=paper)
    return Text("a face-down card") if name == "back" else Card.parse(name).text


def _item_words(position: Position, item: str, count: int) -> Text:
    if item == "back":
        return Both(
            "the face-down card" if count == 1 else f"{count} face-down cards",
            "裏向きのカード" + ("" if count == 1 else f"{count}枚"),
        )
    kind, slash, _ = item.partition("/")
    if slash:
        words = paper_words(position, kind)
        return Text("the paper card {words}", words=words)
    card = Card.parse(item)
    return Both(card.en, card.ja)


# --- what can't be seen


def unseen(position: Position, spots: Iterable[Spot]) -> tuple[Text, ...]:
    """Which spots can't be read, and why."""
    return (
        cant_read((place_words(position, spot.place), spot.cause) for spot in spots),
        Text("Please uncover or straighten it and confirm again."),
    )
