"""What the display shows of a game: screen states made from a position, a verdict, a comparison or a menu."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from device.session.menu import Menu
from device.session.phrasing import steps
from referee.lying import Agreed
from referee.verdict import Accepted, CantSee, Mend, Question, Refused, Verdict
from rules.laminate.moves import EndFlag
from rules.laminate.position import Phase, Position
from rules.text import Language, Text, number, player
from ui.screen_state import Mood, PaperMark, PlayerLine, RankLine, ScreenState

SETUP = Text(
    "Lay the draw pile and the discards; when every hand has three cards, press confirm.",
    "山札と捨て札を置き、全員の手札が3枚になったら確定を押してください。",
)


def base(position: Position, language: Language, mood: Mood) -> ScreenState:
    """Players, points and countdown, with nothing said yet."""
    return ScreenState(
        language,
        mood,
        _players(position),
        turns_left=position.turns_left,
        flag_due=position.phase is Phase.FLAG,
    )


def waiting(position: Position, language: Language, last: Accepted | None, mood: Mood = Mood.WAITING) -> ScreenState:
    """Whose turn it is, and what the last turn was understood as."""
    screen = base(position, language, mood)
    if last is None and position.phase is Phase.SETUP and mood is Mood.WAITING:
        return replace(screen, details=(SETUP.said(language),))
    return replace(screen, headline=last.text.said(language) if last is not None else "")


def with_thanks(screen: ScreenState, agreed: Agreed) -> ScreenState:
    """The same screen, with a word first of all on thank-you cards that their authors have yet to take."""
    told = []
    for seat, count in sorted(agreed.thanks.items()):
        who, cards = player(agreed.position.name(seat)), number(count)
        words = Text(
            f"{who.en}, take your thanks into your hand: {cards.en}.",
            f"{who.ja}は、お礼のカード{cards.ja}を手札に入れてください。",
        )
        told.append(words.said(screen.language))
    return replace(screen, details=(*told, *screen.details))


def judged(position: Position, language: Language, verdict: Verdict, chosen: int) -> ScreenState:
    """What was understood, refused or asked when confirm was pressed, and why."""
    if isinstance(verdict, Accepted):
        understood, *others = (text.said(language) for text in verdict.sentences)
        if position.phase is Phase.PLAY and position.to_move is not None:
            who = player(position.name(position.to_move))
            others.append(Text(f"{who.en} is next.", f"次は{who.ja}の番です。").said(language))
        return replace(base(position, language, Mood.ACCEPTED), headline=understood, details=tuple(others))
    if isinstance(verdict, Question):
        choices = tuple(choice.text.said(language) for choice in verdict.choices)
        screen = base(position, language, Mood.QUESTION)
        return replace(screen, headline=verdict.text.said(language), choices=choices, chosen=chosen)
    if isinstance(verdict, CantSee):
        trouble, *others = (text.said(language) for text in verdict.sentences)
        return replace(base(position, language, Mood.CANT_SEE), headline=trouble, details=tuple(others))
    return _faults(position, language, verdict, Mood.REFUSED)


def preview(position: Position, language: Language, verdict: Verdict) -> ScreenState:
    """What confirm would give, before it is pressed."""
    if isinstance(verdict, Accepted):
        understood, *others = (text.said(language) for text in verdict.sentences)
        return replace(base(position, language, Mood.PREVIEW), headline=understood, details=tuple(others))
    if isinstance(verdict, Question):
        return replace(base(position, language, Mood.PREVIEW), headline=verdict.text.said(language))
    if isinstance(verdict, CantSee):
        return judged(position, language, verdict, 0)
    return _faults(position, language, verdict, Mood.FAULT)


def _faults(position: Position, language: Language, verdict: Refused, mood: Mood) -> ScreenState:
    first, *others = dict.fromkeys(reason.text.said(language) for reason in verdict.reasons)
    put_back = steps(verdict.mend, language)
    return replace(base(position, language, mood), headline=first, details=tuple(others), put_back=put_back)


def with_steps(
    position: Position,
    language: Language,
    mood: Mood,
    headline: Text,
    mends: Sequence[Mend],
    details: tuple[Text, ...] = (),
) -> ScreenState:
    """What is wrong with the table, and what to put where."""
    return replace(
        base(position, language, mood),
        headline=headline.said(language),
        details=tuple(words.said(language) for words in details),
        put_back=steps(mends, language),
    )


def offered(
    position: Position, language: Language, verdict: Refused, turns: tuple[Accepted, Accepted], chosen: int
) -> ScreenState:
    """A refusal that two turns before one confirm would explain."""
    flag = isinstance(turns[1].move, EndFlag)
    choices = (
        Text("No, we put it right.", "いいえ、直します。"),
        Text("Yes, both.", "はい、両方です。") if flag else Text("Yes, these were two turns.", "はい、2手番分です。"),
    )
    first, second = (turn.text.said(language) for turn in turns)
    reason = verdict.reasons[0]
    return replace(
        base(position, language, Mood.REFUSED),
        headline=reason.text.said(language),
        details=((_FLAG_TOO if flag else _TWO_TURNS).said(language), f"1. {first}", f"2. {second}"),
        choices=tuple(choice.said(language) for choice in choices),
        chosen=chosen,
    )


_TWO_TURNS = Text(
    "Or were these two turns, without confirm between them?",
    "確定を押さずに2手番進めたのですか？",
)
_FLAG_TOO = Text(
    "Or is this the move and then the End Flag, without confirm between them?",
    "確定を押さずに、続けてエンドフラグまで取ったのですか？",
)


def menu(position: Position, language: Language, shown: Menu) -> ScreenState:
    """A menu's title and its lines."""
    return replace(
        base(position, language, Mood.MENU),
        headline=shown.title.said(language),
        details=tuple(words.said(language) for words in shown.details),
        choices=tuple(option.words.said(language) for option in shown.options),
        chosen=shown.chosen,
    )


def finished(position: Position, language: Language) -> ScreenState:
    """The final ranking: most points, then fewest complete papers, then shared."""
    outcome = position.outcome
    winners = outcome.winners if outcome is not None else ()
    order = sorted(
        range(1, len(position.players) + 1),
        key=lambda seat: (-position.points[seat - 1], position.complete_papers[seat - 1], seat),
    )
    ranks: list[RankLine] = []
    for rank, seat in enumerate(order, 1):
        points, papers = position.points[seat - 1], position.complete_papers[seat - 1]
        level = bool(ranks) and (ranks[-1].points, ranks[-1].complete_papers) == (points, papers)
        place = ranks[-1].place if level else rank
        ranks.append(RankLine(place, position.name(seat), points, papers, seat in winners))
    names = [player(position.name(seat)) for seat in winners]
    headline = Text(
        " and ".join(name.en for name in names) + (" wins." if len(names) == 1 else " share the win."),
        "と".join(name.ja for name in names) + "の勝ちです。",
    )
    return replace(base(position, language, Mood.FINISHED), headline=headline.said(language), ranking=tuple(ranks))


def _players(position: Position) -> tuple[PlayerLine, ...]:
    lines = []
    for seat, name in enumerate(position.players, 1):
        papers = [paper for paper in position.papers if paper.seat == seat]
        marks = tuple(
            PaperMark(paper.complete, position.catalogue[paper.kind].points if paper.complete else len(paper.cards))
            for paper in papers
        )
        lines.append(PlayerLine(name, position.points[seat - 1], marks, position.to_move == seat))
    return tuple(lines)
