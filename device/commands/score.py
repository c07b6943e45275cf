"""``sevenmat score``: what a finished table comes to, from one picture and without a record of the game."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from device.capture.eye import card_reader
from device.capture.table_reader import fine_enough
from device.errors import DeviceError
from device.speech import Language, say
from referee.game import Referee, Score, Scoring
from referee.registry import referees
from referee.table import Detections, Unread
from rules.plain import plain, sentence, shortly
from rules.text import Text, listing, player
from vision.errors import LightError, MatError, PictureError
from vision.identify.deck import Deck
from vision.mat import find_mat
from vision.picture import load_picture
from vision.reader import Reader

_FEW_UNREAD = 5
"""So many unread cards may lie on a table of few cards without its deck being doubted."""


_MISCOUNTED = 2
"""From so many faults on, the players may have been counted wrong."""


@dataclass(frozen=True)
class Table:
    """What people say of the table: the game, how each player is called, by seat, and the mat's size in mm."""

    referee: Referee
    players: tuple[Text, ...]
    mat_mm: tuple[float, float] | None = None

    @classmethod
    def of(cls, game: str, seats: int, names: Sequence[str], mat_mm: tuple[float, float] | None) -> Table:
        """The table of that game; players without names are called by their seats.

        Raises:
            DeviceError: no such game can be scored, or not with so many players.
        """
        scored = {name: one for name, one in referees().items() if isinstance(one, Scoring)}
        if game not in scored:
            known = ", ".join(scored)
            raise DeviceError(
                f"No table of {shortly(game)!r} can be scored from a picture; these games can: {known}.",
                f"「{shortly(game)}」の点数は画像から計算できません。できるゲーム：{known}。",
            )
        allowed = scored[game].rules.seats
        if seats not in allowed:
            raise DeviceError(
                f"{scored[game].rules.title.en} is played by {min(allowed)} to {max(allowed)} players, not {seats}.",
                f"{scored[game].rules.title.ja}は{min(allowed)}～{max(allowed)}人用です（{seats}人では遊べません）。",
            )
        if names and len(names) != seats:
            raise DeviceError(
                f"--players names {len(names)} players, but --seats says {seats}.",
                f"--players は{len(names)}人ですが、--seats は{seats}人です。",
            )
        return cls(scored[game], tuple(map(player, names)) or _by_seat(seats), mat_mm)

    def score(self, seen: Detections, mat_mm: tuple[float, float]) -> Score:
        """The score of what was seen on a mat of that size."""
        assert isinstance(self.referee, Scoring)
        layout = self.referee.layout(len(self.players), self.mat_mm or mat_mm)
        return self.referee.score(self.referee.observe(seen, layout), self.players, layout)


def _by_seat(seats: int) -> tuple[Text, ...]:
    """What players without names are called."""
    return tuple(Text(f"Seat {n}", f"席{n}") for n in range(1, seats + 1))


def score_picture(image: str, reader: Reader, deck: Deck, table: Table) -> Score:
    """What the table in one picture file comes to.

    Raises:
        PictureError: the file is no picture.
        MatError: the mat can't be measured, or has too few pixels to be read.
        LightError: its light can't be measured.
        DeviceError: nothing lies there, or cards of another deck, or more people sit at the table.
    """
    picture = load_picture(Path(image))
    mat = find_mat(picture, table.mat_mm)
    fine_enough(mat)
    reading = reader.read(picture, mat, deck)
    seen = Detections(tuple(reading.sightings), tuple(reading.unread))
    _of_this_deck(seen, deck, table)
    if not seen.sightings and not seen.unread:
        raise DeviceError("No card lies on the mat.", "マットの上にカードがありません。")
    score = table.score(seen, mat.size_mm)
    if len(score.faults) >= _MISCOUNTED:
        _as_many_players(seen, table, mat.size_mm)
    return score


def _of_this_deck(seen: Detections, deck: Deck, table: Table) -> None:
    """Refuse cards of which most, or each paper, can't be named.

    Raises:
        DeviceError: they can't.
    """
    papers = any("/" in one.name for one in seen.sightings)
    most = len(seen.sightings) if papers or not table.referee.cards.papers else 0
    if len(seen.unread) > max(_FEW_UNREAD, most):
        unread, cards = len(seen.unread), len(seen.unread) + len(seen.sightings)
        raise DeviceError(
            f"Too many cards can't be named ({unread} of {cards}): take a sharper picture, or name the deck that "
            f"lies there, if it is not {deck.name!r}.",
            f"読めないカードが多すぎます（{cards}枚中{unread}枚）。はっきり撮り直すか、"
            f"「{deck.name}」と違うデッキならそのデッキを指定してください。",
        )


def _as_many_players(seen: Detections, table: Table, mat_mm: tuple[float, float]) -> None:
    """Refuse a table with faults that has none where more people sit at it.

    Raises:
        DeviceError: it has none then.
    """
    seats = len(table.players)
    for more in table.referee.rules.seats:
        if more > seats and not replace(table, players=_by_seat(more)).score(seen, mat_mm).faults:
            raise DeviceError(
                f"This looks like a table of {more} players, not of {seats}; see --seats.",
                f"{seats}人ではなく{more}人のテーブルのようです。--seats を確かめてください。",
            )


def score_pictures(images: Sequence[str], deck: Deck, table: Table, as_json: bool, language: Language) -> int:
    """Score pictures one after the other; one that can't be read is named on standard error and the rest goes on.

    Returns the exit code: 2 where a picture could not be read, 1 where a result is open, otherwise 0.
    """
    # How many there are of a card is for the score to judge: a reader that counted on it would not name one too many.
    reader = replace(card_reader(), copies={})
    deck = reader.up_to_date(deck)
    code = 0
    for image in images:
        try:
            score = score_picture(image, reader, deck, table)
        except (PictureError, MatError, LightError, DeviceError) as error:
            code = 2
            which = "" if isinstance(error, PictureError) else f"{image}: "
            print(f"sevenmat: {sentence(which + say(error, language))}", file=sys.stderr)
            continue
        if score.winners is None:
            code = max(code, 1)
        if as_json:
            print(json.dumps(score_json(image, table, score, language), ensure_ascii=False), flush=True)
        else:
            for line in [Text(plain(image), plain(image)), *_plainly(table, score)]:
                print(line.said(language), flush=True)
    return code


def score_json(image: str, table: Table, score: Score, language: Language) -> dict[str, Any]:
    """The object that ``sevenmat score --json`` prints for one picture."""
    return {
        "image": image,
        "game": table.referee.rules.name,
        "final": list(score.final),
        "winners": None if score.winners is None else list(score.winners),
        "why": None if score.why is None else score.why.said(language),
        "players": [
            {
                "seat": tally.seat,
                "points": tally.points,
                **{name: [dict(item.data) for item in items] for name, items in tally.groups.items()},
            }
            for tally in score.tallies
        ],
        "faults": [
            {
                "code": fault.reason.code,
                "seat": fault.seat,
                "cards": list(map(str, fault.reason.cards)),
                "text": fault.reason.text.said(language),
            }
            for fault in score.faults
        ],
        "unread": [{**_unread_json(mark), "text": words.said(language)} for mark, words in score.unread],
    }


def _unread_json(mark: Unread) -> dict[str, Any]:
    place = {"x": round(mark.x, 1), "y": round(mark.y, 1), "angle": round(mark.angle % 360, 1)}
    return {**place, "cause": mark.cause, "candidates": list(mark.candidates)}


def _plainly(table: Table, score: Score) -> list[Text]:
    """The score as a table that a person reads: player by player, what is wrong, and who has won."""
    lines: list[Text] = []
    for tally in score.tallies:
        who, points = table.players[tally.seat - 1], tally.points
        lines.append(Text(f"  {who.en}: {points} {'point' if points == 1 else 'points'}", f"  {who.ja}：{points}点"))
        for item in (item for items in tally.groups.values() for item in items):
            lines.append(
                Text(f"    {item.points or '–':>3}  {item.words.en}", f"    {item.points or '–':>3}  {item.words.ja}")
            )
    lines += [Text(f"  ✗ {fault.reason.text.en}", f"  ✗ {fault.reason.text.ja}") for fault in score.faults]
    lines += [Text(f"  ? {words.en}", f"  ? {words.ja}") for _, words in score.unread]
    ranking = listing(
        Text(
            f"{table.players[tally.seat - 1].en}: {tally.points}",
            f"{table.players[tally.seat - 1].ja}：{tally.points}点",
        )
        for tally in sorted(score.tallies, key=lambda tally: -tally.points)
    )
    lines.append(Text(f"  {ranking.en}", f"  {ranking.ja}"))
    left_open = Text("The result is open until this is put right.", "これが直るまで結果は決まりません。")
    why = score.why or left_open
    lines.append(Text(f"  {why.en}", f"  {why.ja}"))
    return lines
