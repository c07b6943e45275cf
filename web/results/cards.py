"""What lies for each player as cards to draw: the papers with their cards, by points, and who has won."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from device.capture.drawing import all_card_words
from device.scoring.table import by_seat
from device.speech import each_json
from device.storage.scored import ScoredTable
from referee.registry import load_papers
from rules.cards import RANK_NAMES, Card
from rules.registry import load_games
from rules.text import Language, Text, join_names, player, plural, verbatim
from web.results.photo import find_middle, is_within
from web.words import say

FindCard = Callable[[int, str], int | None]
"""Finds a player's card by seat and name: its number among the cards of a picture."""


def find_nothing(_seat: int, _name: str) -> None:
    """Find no card: there is no picture."""
    return


def draw_card(name: str, link: int | None = None) -> dict[str, Any]:
    """Return a card to draw by its name from the reader; ``link`` is its number among the cards of a picture."""
    words, back = all_card_words().get(name, verbatim(name)), name.startswith("back")
    card = {"name": name, "label": "" if back else name, "suit": "", "back": back, "words": words, "link": link}
    try:
        own = Card.parse(name)
    except ValueError:
        return card
    return card | {"label": RANK_NAMES[own.rank], "suit": own.suit.letter}


def describe_players(tallies: Iterable[Mapping[str, Any]], find_card: FindCard = find_nothing) -> list[dict[str, Any]]:
    """Describe the players of a result for a page, the best ones first.

    Each of ``tallies`` has ``seat``, ``name`` and whether they are ``named``, ``points``, ``winner``, and ``lines``,
    each with ``words``, ``points`` and ``data``.
    """
    described = []
    for tally in tallies:
        items = [_describe_item(line, tally["seat"], find_card) for line in tally["lines"]]
        papers = sum(item["paper"] is not None and not item["open"] for item in items)
        described.append({**tally, "items": items, "papers": papers})
    ranks = [(not one["winner"], -one["points"]) for one in described]
    placed = [
        {**one, "place": 1 + sum(rank > other for other in ranks)} for one, rank in zip(described, ranks, strict=True)
    ]
    return sorted(placed, key=lambda one: (one["place"], one["seat"]))


def _describe_item(line: Mapping[str, Any], seat: int, find_card: FindCard) -> dict[str, Any]:
    data = line["data"]
    names = [data["card"]] if "card" in data else list(data.get("cards", ()))
    cards = [draw_card(name, find_card(seat, name)) for name in names]
    kind, is_open = load_papers()[data["paper"]] if "paper" in data else None, "card" not in data
    paper = None
    if kind is not None:
        face = f"{kind.name}/{'review' if is_open else 'complete'}"
        paper = {"name": face, "words": kind.text, "points": kind.points, "link": find_card(seat, face)}
    shown = {"words": line["words"], "points": line["points"], "cards": cards}
    return {**shown, "paper": paper, "open": paper is not None and is_open}


def find_cards_of(sheet: Mapping[str, Any]) -> FindCard:
    """Return what finds a player's card among those of a sheet."""
    places: dict[tuple[int, str], int] = {}
    for number, card in enumerate(sheet["cards"]):
        names = [card["read"]] if card["named"] is None else card["named"]
        for seat, area in sheet["photo"]["seats"].items():
            if is_within(find_middle(card["outline"]), area):
                for name in names:
                    places.setdefault((int(seat), name), number)
    return lambda seat, name: places.get((seat, name))


def name_winners(players: Sequence[Mapping[str, Any]], why: Any, language: Language) -> dict[str, str] | None:
    """Say who of these players, the best ones first, has won: a headline, and the line below it; none where it is open.

    Of several with as many points ``why`` says what settles it.
    """
    winners = [one for one in players if one["winner"]]
    if not winners or why is None:
        return None
    who = join_names((player if one["named"] else verbatim)(say(one["name"], language)) for one in winners)
    headline = plural("{who} wins!", "{who} share the win!", count=len(winners), who=who)
    best = winners[0]
    if sum(one["points"] >= best["points"] for one in players) > 1:
        return {"headline": headline.said(language), "below": say(why, language)}
    below = plural("{count} point", "{count} points", count=best["points"])
    if best["papers"]:
        papers = plural("{count} paper", "{count} papers", count=best["papers"])
        below = Text("{points}, {papers}", points=below, papers=papers)
    return {"headline": headline.said(language), "below": below.said(language)}


def _list_lines(tally: Mapping[str, Any]) -> list[dict[str, Any]]:
    """List what lies there for a player of a kept table, as a sheet has it."""
    every = (item for items in tally["groups"].values() for item in items)
    return [{"words": item, "points": item["points"], "data": item} for item in every]


def describe_table(table: ScoredTable) -> dict[str, Any]:
    """Describe a kept table for a page: its game, its players, the best ones first, and where its photograph is."""
    data = table.data
    known = load_games().get(data["game"])
    tallies = [
        {
            **tally,
            "name": who,
            "winner": tally["seat"] in data["winners"],
            "named": who != each_json(seat),
            "lines": _list_lines(tally),
        }
        for who, tally, seat in zip(data["players"], data["tallies"], by_seat(len(data["players"])), strict=True)
    ]
    title = known.title if known is not None else verbatim(data["game"])
    players = describe_players(tallies)
    return {"number": table.number, "title": title, "data": data, "players": players, "picture": table.picture}
