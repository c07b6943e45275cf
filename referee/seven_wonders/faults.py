"""What is wrong with a table of Seven Wonders, each fault with its reason and the steps that mend it."""

from __future__ import annotations

from collections.abc import Iterator

from referee.seven_wonders.cards import BACKS
from referee.seven_wonders.layout import CITY, PILE, SPOT, WONDER
from referee.seven_wonders.look import Astray, CityLook, Laid, Look, faces_named
from referee.seven_wonders.state import WondersState
from referee.seven_wonders.words import card_words, place_words
from referee.verdict import Disturbance, Mend
from rules.seven_wonders import refusals as because
from rules.seven_wonders.cards import Building
from rules.seven_wonders.moves import Do
from rules.seven_wonders.position import Position
from rules.text import Text, join_names, player

PLACE_OF = {Do.BUILD: CITY, Do.STAGE: WONDER, Do.DISCARD: SPOT}
"""The zone of each act."""
NOT_YET = ("nothing_laid", "discard_not_gathered")
"""Codes of what is only waited for before confirm is pressed."""


def find_disturbances(state: WondersState, look: Look) -> Iterator[Disturbance]:
    """Yield what no act explains: cards gone, astray or in no
    zone. Of the discard pile nobody can tell what is missing.
    """
    position: Position = state.position
    for city in look.cities:
        yield from _find_gone(position, city, look)
    for one in (*look.astray, *look.outside):
        yield from report_misplaced(position, one)


def report_misplaced(position: Position, one: Astray) -> Iterator[Disturbance]:
    """Refuse a card where it must not lie, in a zone or in none."""
    if one.place == "table" or one.place.startswith("seat:"):
        yield _report_outside(position, one)
        return
    yield _report_astray(position, one)
    if one.place.startswith(SPOT) and one.home is None:
        # A card of a column that does not fit lies there as well as a discard that is not turned.
        where = place_words(position, one.place)
        yield Disturbance(because.card_outside(where=Text("face up on {where}", where=where), cards=_name_faces(one)))


def find_uncollected(position: Position, look: Look) -> Iterator[Disturbance]:
    """Yield discards of the last round that still lie on their spots."""
    yield from (not_gathered(position, city.seat) for city in look.cities if city.uncollected)


def not_gathered(position: Position, seat: int) -> Disturbance:
    """Refuse a discard of an earlier round that lies on its spot."""
    who = player(position.players[seat - 1])
    words = Text("Lay {who}'s earlier discard on the discard pile.", who=who)
    mend = Mend(f"back{max(1, position.age)}", f"{SPOT}:{seat}", PILE, words)
    return Disturbance(because.discard_not_gathered(who=who), (mend,))


def wrong_age(position: Position, look: Look) -> Iterator[Disturbance]:
    """Yield cards laid face down that are of another age."""
    for city in look.cities:
        for one in city.laid:
            if one.do is not Do.BUILD and BACKS[one.name] != position.age:
                who = player(position.players[city.seat - 1])
                yield Disturbance(
                    because.wrong_age(who=who, age=position.age), (back_to_hand(position, city.seat, one),)
                )


def two_cards(position: Position, look: Look) -> Iterator[Disturbance]:
    """Yield seats that have laid more than one card."""
    for city in look.cities:
        if len(city.laid) > 1:
            who = player(position.players[city.seat - 1])
            faces = [faces_named(one.name)[0] for one in city.laid if one.do is Do.BUILD and faces_named(one.name)]
            cards = join_names([_laid_words(one) for one in city.laid])
            words = Text("{who} takes all but one of these back: {cards}.", who=who, cards=cards)
            last = city.laid[-1]
            mend = Mend(last.name, f"{PLACE_OF[last.do]}:{city.seat}", f"hand:{city.seat}", words)
            yield Disturbance(because.two_cards(who=who, cards=faces), (mend,))


def nothing_laid(position: Position, look: Look, seats: tuple[int, ...]) -> Iterator[Disturbance]:
    """Yield those of these seats that have laid no card, neither rightly nor where it must not lie."""
    taken = {one.place.partition(":")[2] for one in look.astray}
    for city in look.cities:
        if city.seat in seats and not city.laid and not city.marks and str(city.seat) not in taken:
            yield Disturbance(because.nothing_laid(who=player(position.players[city.seat - 1])))


def back_to_hand(position: Position, seat: int, laid: Laid) -> Mend:
    """Return the step that puts a new card back into its player's hand."""
    card, source = _laid_words(laid), f"{PLACE_OF[laid.do]}:{seat}"
    who = player(position.players[seat - 1])
    words = Text("{who} takes {card} back into the hand.", who=who, card=card)
    return Mend(laid.name, source, f"hand:{seat}", words)


def newly_laid(position: Position, look: Look) -> Iterator[Disturbance]:
    """Yield new cards, that lie there though nobody has confirmed them."""
    for city in look.cities:
        for one in city.laid:
            where = place_words(position, f"{PLACE_OF[one.do]}:{city.seat}")
            words = Text("A new card lies at {where}.", where=where)
            if one.do is Do.BUILD:
                words = Text("{card!c} lies in {where}.", card=card_words(one.name), where=where)
            yield Disturbance.from_words(words, back_to_hand(position, city.seat, one))


def _laid_words(one: Laid) -> Text:
    if one.do is Do.STAGE:
        return Text("the card under the wonder")
    if one.do is Do.DISCARD:
        return Text("the card on the discard spot")
    return card_words(one.name)


def _find_gone(position: Position, city: CityLook, look: Look) -> Iterator[Disturbance]:
    """Yield cards of a city that do not lie in it."""
    elsewhere = {one.name: one for one in (*look.astray, *look.outside) if one.home is not None}
    where = place_words(position, f"{CITY}:{city.seat}")
    for card in city.gone:
        words = Text("{card!c} is gone from {where}.", card=card, where=where)
        if card.name in {faces_named(name)[0].name for name in elsewhere if faces_named(name)}:
            yield Disturbance.from_words(words, cards=(card,), lost=(city.seat, card))
            continue
        mend = Text("Lay {card} back in {where}.", card=card, where=where)
        step = Mend(card.id, "table", f"{CITY}:{city.seat}", mend)
        yield Disturbance.from_words(words, step, cards=(card,), lost=(city.seat, card))
    where = place_words(position, f"{WONDER}:{city.seat}")
    for number, age in enumerate(city.unstaged):
        words = Text("A staged card is gone from {where}.", where=where)
        mend = Text("Lay the staged card of age {age} back under the board: {where}.", age=age, where=where)
        step = Mend(f"back{age}", "table", f"{WONDER}:{city.seat}", mend)
        yield Disturbance.from_words(words, step, lost=(where, number))


def _report_astray(position: Position, one: Astray) -> Disturbance:
    card, where = card_words(one.name), place_words(position, one.place)
    kind, _, seat = one.place.partition(":")
    words = Text("{card!c} lies in {where}.", card=card, where=where)
    if one.home is not None:
        home = place_words(position, one.home)
        mend = Text("Put {card} back in {home}.", card=card, home=home)
        return Disturbance.from_words(words, Mend(one.name, one.place, one.home, mend), cards=_name_faces(one))
    if kind == CITY:
        # A face-down card belongs under the board or on the discard spot.
        target = f"hand:{seat}"
        mend = Text(
            "Lay the face-down card in {where} under the wonder or on the discard spot, or take it back.", where=where
        )
        return Disturbance(
            because.card_outside(where=Text("face down in {where}", where=where)),
            (Mend(one.name, one.place, target, mend),),
        )
    there = Text("on {where}", where=where) if kind == SPOT else Text("in {where}", where=where)
    words = Text("{card!c} lies face up {there}.", card=card, there=there)
    mend = Text("Turn {card} {there} face down.", card=card, there=there)
    return Disturbance.from_words(words, Mend(one.name, one.place, one.place, mend), cards=_name_faces(one))


def _report_outside(position: Position, one: Astray) -> Disturbance:
    card, where = card_words(one.name), place_words(position, one.place)
    _, _, seat = one.place.partition(":")
    reason = because.card_outside(where=Text("on {where}", where=where), cards=_name_faces(one))
    if one.home is not None:
        home = place_words(position, one.home)
        mend = Text("Put {card} back in {home}.", card=card, home=home)
        return Disturbance(reason, (Mend(one.name, one.place, one.home, mend),))
    mend = Text(
        "Lay {card}, which is on {where}, where it belongs, or take it back into the hand.", card=card, where=where
    )
    return Disturbance(reason, (Mend(one.name, one.place, f"hand:{seat}" if seat else "table", mend),))


def _name_faces(one: Astray) -> tuple[Building, ...]:
    return faces_named(one.name)[:1]
