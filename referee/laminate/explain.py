"""What was understood and what to put right, as sentences for players in English and Japanese."""

from __future__ import annotations

from collections.abc import Iterator

from referee.laminate.expected_layout import Agreed, Difference, DifferenceKind
from referee.table import Sighting
from referee.verdict import Mend
from rules.cards import Card
from rules.laminate.moves import Deal, EndFlag, Move, Publish, Research, Review, Setup
from rules.laminate.papers import END_FLAG
from rules.laminate.position import Ending, Phase, Position
from rules.text import Text, capitalise, join_names, join_row, player, plural, say_cards, say_number

# --- names


def paper_words(position: Position, kind: str) -> Text:
    """Return a paper kind's name."""
    if kind in position.catalogue:
        return position.catalogue[kind].text
    return Text("paper {kind!r}", kind=kind)


def whose_paper(position: Position, seat: int, kind: str) -> Text:
    """Name a paper with its author: ``Banach's Three Cards``."""
    words, who = paper_words(position, kind), player(position.get_name(seat))
    return Text("{who}'s {paper}", who=who, paper=words)


def place_words(position: Position, place: str) -> Text:
    """Name a place of the table (as in ``Mend``)."""
    spot, _, kind = place.partition("/")
    name, _, seat = spot.partition(":")
    if kind:
        return whose_paper(position, int(seat), kind)
    who = player(position.get_name(int(seat))) if seat else Text()
    return {
        "draw": Text("the draw pile"),
        "discard": Text("the discard pile"),
        "payment": Text("{who}'s payment spot", who=who),
        "seat": Text("{who}'s area", who=who),
        "hand": Text("{who}'s hand", who=who),
        "supply": Text("the supply of paper cards"),
    }.get(name, Text("the table"))


# --- what was understood


def describe(move: Move, before: Position) -> Text:
    """Describe a move, played in ``before``, as a sentence."""
    if isinstance(move, Setup):
        first = player(before.get_name(before.first_seat))
        return Text(
            "The cards are dealt, {card} lies on the discard pile; {who} begins.",
            card=move.discard,
            who=first,
        )
    if isinstance(move, Deal):
        return Text("The cards are dealt.")
    who = player(before.get_name(move.seat))
    if isinstance(move, Research):
        return _describe_research(move, before, who)
    if isinstance(move, Publish):
        return _publish(move, before, who)
    if isinstance(move, Review):
        paper = _paper_of(before, move.of, move.paper, move.seat)
        return Text("{who} reviews {paper} and takes {card}.", who=who, paper=paper, card=move.take)
    if isinstance(move, EndFlag):
        flag = paper_words(before, END_FLAG)
        return Text("{who} takes the {flag} and lays {card} to it.", who=who, flag=flag, card=move.card)
    return Text("{who} passes.", who=who)


def _describe_research(move: Research, before: Position, who: Text) -> Text:
    if move.source == "discard" and move.keep is not None:
        return Text("{who} takes {card} from the discard pile.", who=who, card=move.keep)
    shuffled = before.reshuffle_on_draw != "none"
    draws = Text("draws through a reshuffle") if shuffled else Text("draws from the draw pile")
    if move.discard is None:
        return Text("{who} {draws} the only card left and discards nothing.", who=who, draws=draws)
    return Text("{who} {draws} and discards {card}.", who=who, draws=draws, card=move.discard)


def _paper_of(position: Position, seat: int, kind: str, reader: int) -> Text:
    """Name a paper with its author as its reader says it."""
    if seat == reader:
        return Text("their own {name}", name=paper_words(position, kind))
    return whose_paper(position, seat, kind)


def _publish(move: Publish, before: Position, who: Text) -> Text:
    paper, cards = paper_words(before, move.paper), say_cards(move.cards)
    acts = [Text("{who} publishes {paper} with {cards}", who=who, paper=paper, cards=cards)]
    if move.cite:
        cited = join_names(_paper_of(before, one.seat, one.paper, move.seat) for one in move.cite)
        acts.append(Text("cites {papers}", papers=cited))
    for seat, paid in sorted(move.pay.items()):
        cards = say_number(paid if isinstance(paid, int) else len(paid))
        acts.append(Text("pays {author} {cards}", author=player(before.get_name(seat)), cards=cards))
    return Text("{acts}.", acts=join_row(acts))


def describe_effects(move: Move, before: Position, after: Position) -> Iterator[Text]:
    """Yield what follows from a move: a paper complete, the End Flag, the countdown, the end."""
    was = {(paper.seat, paper.kind) for paper in before.papers if paper.complete}
    for paper in after.papers:
        if paper.complete and (paper.seat, paper.kind) not in was and paper.kind != END_FLAG:
            whose = whose_paper(after, paper.seat, paper.kind)
            yield Text("{paper} is complete.", paper=whose)
    if after.phase is Phase.FLAG and after.to_move is not None:
        who = player(after.get_name(after.to_move))
        yield Text(
            "{who} has 15 points or more: lay the End Flag and one hand card in your area, then confirm.", who=who
        )
    if after.turns_left is not None and before.turns_left is None:
        yield plural(
            "{count} more turn, then the game ends.",
            "{count} more turns, then the game ends.",
            count=after.turns_left,
        )
    outcome = after.outcome
    if outcome is not None:
        winners = join_names([player(after.get_name(seat)) for seat in outcome.winners])
        why = Text("Everybody has passed") if outcome.reason is Ending.PASSES else Text("The last turn is over")
        yield plural("{why}: {who} wins.", "{why}: {who} win.", count=len(outcome.winners), why=why, who=winners)


# --- what differs


def sighting_words(position: Position, sighting: Sighting) -> Text:
    """Name a loose card."""
    return capitalise(card_words(position, sighting.name))


def describe_change(difference: Difference, agreed: Agreed, place: str) -> Text:
    """Say what a difference is, as a sentence without its end; ``place`` is where a loose card lies."""
    position = agreed.position
    cards = say_cards(difference.cards)
    whose = whose_paper(position, difference.seat, difference.kind) if difference.kind else Text()
    what = difference.what
    if what is DifferenceKind.PAPER_ADDED:
        bare = Text("{paper} was added", paper=whose)
        return Text("{paper} with {cards} was added", paper=whose, cards=cards) if difference.cards else bare
    if what is DifferenceKind.PAPER_GONE:
        return Text("{paper} is gone from its place", paper=whose)
    if what is DifferenceKind.CARDS_ADDED:
        return plural(
            "{cards} was added to {paper}",
            "{cards} were added to {paper}",
            count=len(difference.cards),
            cards=cards,
            paper=whose,
        )
    if what is DifferenceKind.CARDS_GONE:
        return plural(
            "{cards} was gone from {paper}",
            "{cards} were gone from {paper}",
            count=len(difference.cards),
            cards=cards,
            paper=whose,
        )
    if what is DifferenceKind.TOP:
        if difference.seen is None:
            with_top = Text("the discard pile is gone, with {cards} on top", cards=cards)
            return with_top if difference.cards else Text("the discard pile is gone")
        if not difference.cards:
            return Text("{card} lies on the discard pile, which should be empty", card=difference.seen)
        return Text("{card} lies on top of the discard pile in place of {cards}", card=difference.seen, cards=cards)
    if what is DifferenceKind.UNDER:
        return plural(
            "{cards} shows under the top of the discard pile",
            "{cards} show under the top of the discard pile",
            count=len(difference.cards),
            cards=cards,
        )
    if what is DifferenceKind.DRAW_GONE:
        return Text("the draw pile is gone")
    if what is DifferenceKind.DRAW_THERE:
        return Text("a card lies where the draw pile should be empty")
    if what in (DifferenceKind.THANKS_ADDED, DifferenceKind.THANKS_GONE):
        author = player(position.get_name(difference.seat))
        cards = say_number(difference.count)
        if what is DifferenceKind.THANKS_ADDED:
            return Text("{cards} too many on {author}'s payment spot", cards=cards, author=author)
        return Text("{cards} missing on {author}'s payment spot", cards=cards, author=author)
    assert difference.sighting is not None
    name, where = sighting_words(position, difference.sighting), place_words(position, place)
    return Text("{name} lies where it does not belong, at {where}", name=name, where=where)


# --- what to put right


def mend(position: Position, item: str, source: str, target: str, count: int = 1) -> Mend:
    """Put something from one place to another; a paper card that heads a paper lies in its author's area."""
    backs = Text("the face-down card") if count == 1 else Text("{count} face-down cards", count=count)
    card = backs if item == "back" else card_words(position, item)
    head = "/" in item
    start = place_words(position, source.partition("/")[0] if head else source)
    end = place_words(position, target.partition("/")[0] if head else target)
    onto = target.partition(":")[0] in ("draw", "discard", "payment")
    where = Text("on {where}", where=end) if onto else Text("in {where}", where=end)
    if head and start == end:
        words = Text("Lay {card} with its cards in order again {where}.", card=card, where=where)
    elif target.startswith("hand"):
        words = Text("Take {card} from {start} into {end}.", card=card, start=start, end=end)
    elif source.partition(":")[0] in ("hand", "table"):
        words = Text("Put {card} back {where}.", card=card, where=where)
    else:
        words = Text("Put {card} from {start} back {where}.", card=card, start=start, where=where)
    return Mend(item, source, target, words, count, joins=not head and item != "back")


def lay_on_top(card: Card, source: str) -> Mend:
    """Lay a card on top of the discard pile."""
    words = Text("Lay {card} face up on top of the discard pile.", card=card)
    return Mend(str(card), source, "discard", words, joins=True)


def lay_any_discard(position: Position, seat: int) -> Mend:
    """Lay a player's discard, whichever card it is."""
    who = player(position.get_name(seat))
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
        Text("Turn the paper card of {paper} to its {side} side.", paper=whose, side=side),
    )


def pay(position: Position, payer: int, author: int, count: int) -> Mend:
    """Lay thank-you cards."""
    to = place_words(position, f"payment:{author}")
    cards = say_number(count)
    return Mend(
        "back",
        f"hand:{payer}",
        f"payment:{author}",
        Text("Lay {cards} more face down on {place}, or take the publication back.", cards=cards, place=to),
        count,
    )


def card_words(position: Position, name: str) -> Text:
    """Name a card by the name that the reader gives it, within a sentence."""
    kind, slash, _ = name.partition("/")
    if slash:
        return Text("the paper card {paper}", paper=paper_words(position, kind))
    return Text("a face-down card") if name == "back" else Card.parse(name).text
