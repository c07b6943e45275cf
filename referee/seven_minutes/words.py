"""What the referee says in a game of Seven Minutes: moves, what follows from them, what is still to be done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from referee.seven_minutes.layout import ROW
from referee.verdict import Mend
from rules.cards import RANK_NAMES, Card
from rules.seven_minutes.legal_moves import FACES
from rules.seven_minutes.moves import Deal, Flip, Move, Roll, Setup, Stop
from rules.seven_minutes.position import Cause, Phase, Position
from rules.seven_minutes.row import KING, SEVEN, Row, Take, count_worth
from rules.text import Text, join_sentences, player, plural, say_cards, say_number

_MOST_NAMED = 7
"""A sentence names no more cards than that; of more it gives the number."""


def cards_words(cards: Sequence[Card]) -> Text:
    """Name some cards within a sentence."""
    return say_cards(cards) if len(cards) <= _MOST_NAMED else say_number(len(cards))


def move_words(move: Move, before: Position) -> Text:
    """Describe a move as a sentence."""
    if isinstance(move, Setup | Deal):
        return Text("The draw pile lies ready.")
    who = player(before.get_name(move.seat))
    if isinstance(move, Flip):
        return Text("{who} flips {card}.", who=who, card=move.card)
    if isinstance(move, Stop):
        return Text("{who} stops flipping.", who=who)
    one, other = move.dice
    return Text("{who} rolls {one} and {other}: {total}.", who=who, one=one, other=other, total=move.total)


def describe_effects(move: Move, before: Position, after: Position) -> Iterator[Text]:
    """Yield what follows from a move."""
    if isinstance(move, Setup | Deal):
        yield flips_due(after)
    elif isinstance(move, Flip):
        yield from _after_flip(after)
    elif isinstance(move, Stop):
        yield rolls_due(after)
    elif after.phase is Phase.JUDGEMENT:
        yield _no_hit(after)
    elif after.taken is not None:
        yield struck_words(move, after.taken)
        yield to_take(after, after.taken)
        if after.outcome is not None:
            yield Text("The draw pile has run out, so the game is over.")


def _after_flip(after: Position) -> Iterator[Text]:
    if after.phase is Phase.JUDGEMENT:
        yield ended_by(after)
        yield rolls_due(after)
    elif after.king_left:
        yield flips_due(after)


def ended_by(position: Position) -> Text:
    """Say what ended the flipping of a judgement."""
    return _ENDED_BY[position.cause or Cause.STOP]


_ENDED_BY = {
    Cause.SEVEN: Text("A 7 ends the flipping."),
    Cause.KING_SEVEN: Text("There is a 7 among the K's three cards, so the flipping ends."),
    Cause.DECK_EMPTY: Text("The draw pile has run out."),
    Cause.STOP: Text("The player has stopped."),
}


def flips_due(position: Position) -> Text:
    """Say how many cards must be flipped."""
    who = player(position.get_name(position.seat))
    if not position.king_left:
        return Text("{who} flips at least one card.", who=who)
    return plural(
        "Because of the K, {who} must flip {count} more card.",
        "Because of the K, {who} must flip {count} more cards.",
        count=position.king_left,
        who=who,
    )


def many_dice(count: int) -> Text:
    """Say that there are more dice than the game has."""
    return Text("{count} dice are seen; only two are rolled. Please take the others away.", count=count)


def one_die() -> Text:
    """Say that one of the two dice is not seen."""
    return Text("Only one die is seen; both must lie in the tray.")


def no_dice() -> Text:
    """Say that neither of the two dice is seen: they are in a hand, or under one."""
    return Text("No die is seen in the tray: throw both into it, and take your hands away.")


def unread_die() -> Text:
    """Say that a die lies there whose top can't be read."""
    return Text("A die can't be read. Uncover it, or press down and enter this roll by hand.")


def rolls_due(position: Position) -> Text:
    """Say how many rolls are still to come, and what each may strike."""
    return plural(
        "{who} still has {count} roll to make.",
        "{who} still has {count} rolls to make.",
        count=position.rolls_left,
        who=player(position.get_name(position.seat)),
    )


def _no_hit(after: Position) -> Text:
    due = rolls_due(after)
    return Text("No card is struck. {due}", due=due)


def struck_words(roll: Roll, take: Take) -> Text:
    """Tell whether the last roll struck the row."""
    if take.face_up:
        return Text("No card was struck by any roll.")
    return Text("It strikes the {total}.", total=roll.total)


def to_take(position: Position, take: Take) -> Text:
    """Say which cards are taken, and how they are laid."""
    who, cards, side = player(position.get_name(take.seat)), cards_words(take.cards), lying_words(take.face_up)
    if take.face_up and len(take.cards) > 1:
        return Text("{who} takes the whole row, {cards}, {side}.", who=who, cards=cards, side=side)
    return Text("{who} takes {cards} {side}.", who=who, cards=cards, side=side)


def lying_words(face_up: bool) -> Text:
    """Say how cards lie, within a sentence."""
    return Text("face up") if face_up else Text("face down")


def side_words(face_up: bool) -> Text:
    """Name a pile by its side, before the word pile."""
    return Text("face-up") if face_up else Text("face-down")


def lay_steps(take: Take, name: str) -> tuple[Mend, ...]:
    """Return where the cards taken go: a step for each or, where they are too many to be named, one for all."""
    who, place = player(name), f"seat:{take.seat}"
    side = lying_words(take.face_up)
    words = Text("Put {card} {side} in {who}'s area.", card=say_number(len(take.cards)), side=side, who=who)
    if len(take.cards) <= _MOST_NAMED:
        return tuple(Mend(str(card), ROW, place, words.refill(card=card), joins=True) for card in take.cards)
    return (Mend(str(take.cards[0]), ROW, place, words),)


def taken_words(position: Position, take: Take) -> Text:
    """Say that what was taken is right."""
    who, cards, side = player(position.get_name(take.seat)), say_number(len(take.cards)), lying_words(take.face_up)
    return Text("{who} has taken {cards} {side}.", who=who, cards=cards, side=side)


# Chances


def chance_of_hit(row: Row) -> float:
    """Return how likely one roll strikes a stack of the row, from 0 to 1."""
    ranks = {stack.rank for stack in row.stacks}
    return sum(one + other in ranks for one in FACES for other in FACES) / len(FACES) ** 2


def format_percent(share: float) -> str:
    """Say a share; what is nearly sure is not said to be sure."""
    rounded = round(100 * share)
    if 0 < share < 1:
        rounded = min(max(rounded, 1), 99)
    return f"{rounded} %"


def total_of(cards: Iterable[Card]) -> int:
    """Return what cards count together."""
    return sum(map(count_worth, cards))


def stop_now(position: Position) -> Text:
    """Say what stopping now would take, and how likely; and what each roll would strike with."""
    row = position.row
    hit = chance_of_hit(row)
    gain, miss = total_of(row.cards), format_percent((1 - hit) ** row.rolls)
    stop = Text("Stop now: {miss} chance of +{gain}.", miss=miss, gain=gain)
    if row.rolls == 1:
        return join_sentences((stop, Text("1 roll: {hit} chance of a hit.", hit=format_percent(hit))))
    return join_sentences(
        (stop, Text("{rolls} rolls: {hit} chance of a hit each.", rolls=row.rolls, hit=format_percent(hit)))
    )


def next_seven(position: Position) -> Text:
    """Say how likely the next card is a 7, which ends the flipping."""
    sevens = sum(card.rank == SEVEN for card in position.draw_pile)
    share = format_percent(sevens / position.draw_count)
    if not position.king_left:
        return Text("{share} chance that the next card is a 7.", share=share)
    return Text(
        "{share} chance that the next card is a 7 (within the K's three, it does not end the flipping at once).",
        share=share,
    )


def next_roll(position: Position) -> Text:
    """Say which roll of how many is next, and how likely it strikes the row."""
    done, due = len(position.rolls), position.rolls_due
    hit = format_percent(chance_of_hit(position.row))
    return Text("Roll {done} of {due}: {hit} chance of a hit.", done=done + 1, due=due, hit=hit)


def ranks_of(row: Row) -> str:
    """Write the ranks of the row from the draw pile on, with the number of cards where there are more."""
    return " ".join(
        RANK_NAMES[stack.rank] + (f"×{len(stack.cards)}" if len(stack.cards) > 1 else "") for stack in row.stacks
    )


def row_words(row: Row) -> Text:
    """Say the row from the draw pile on, each stack by its rank and, where there are more, its number of cards."""
    if not row.stacks:
        return Text("The row is empty.")
    sentences = [Text("Row: {ranks}.", ranks=ranks_of(row))]
    if row.place(KING):
        sentences.append(Text("Only the places from the K on are rolled for."))
    if row.has_ace:
        sentences.append(Text("With the A, a hit takes what lies beyond it."))
    return join_sentences(sentences)


def won_words(position: Position, seat: int) -> Text:
    """Say how a player's points came: both piles, the 7s in them, and the sum."""
    who = player(position.get_name(seat))
    parts: list[Text] = []
    for face_up, cards in ((True, position.face_up(seat)), (False, position.face_down(seat))):
        sevens = sum(card.rank == SEVEN for card in cards)
        pile = Text("{cards} {side}", cards=say_number(len(cards)), side=lying_words(face_up))
        if sevens:
            pile = Text("{pile}, {sevens} of them 7s", pile=pile, sevens=sevens)
        points = f"{'+' if face_up else '-'}{total_of(cards)}" if cards else "0"
        parts.append(Text("{pile}: {points}", pile=pile, points=points))
    up, down = parts
    total = position.points[seat - 1]
    return Text("{who}: {up}; {down}; total {total}.", who=who, up=up, down=down, total=total)


def won_briefly(position: Position, seat: int) -> str:
    """Write a player's points in figures: what was taken face up, less what was taken face down."""
    return f"{total_of(position.face_up(seat))} - {total_of(position.face_down(seat))}"


def gone_words(card: Card) -> Text:
    """Say that a card of the row is not there."""
    return Text("{card!c} is gone from the row.", card=card)
