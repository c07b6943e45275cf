"""Screen states of every mood, in both languages, with realistic and with too long words."""

from __future__ import annotations

from dataclasses import replace

from rules.laminate.papers import BUILT_IN
from rules.text import Language
from tests.words import en, ja
from ui.screen_state import (
    Arrow,
    ButtonWords,
    Ending,
    Mood,
    PageGrid,
    PaperMark,
    PlayerLine,
    RankLine,
    ScreenState,
    TablePicture,
    Thumbnail,
)

J, E = Language.JA, Language.EN
NAMES = ("Hilbert", "Banach", "Noether", "ラマヌジャン", "Kovalevskaya")
MARKS = (
    (PaperMark(True, 1), PaperMark(True, 3), PaperMark(False, 4)),
    (PaperMark(False, 2),),
    tuple(PaperMark(n % 3 > 0, 1 + n % 9) for n in range(11)),
    (),
    (PaperMark(True, 9),),
)


def players(count: int, to_move: int | None = 0) -> tuple[PlayerLine, ...]:
    return tuple(PlayerLine(NAMES[n], (4, 0, 15, 0, 9)[n], MARKS[n], n == to_move) for n in range(count))


def picture(arrows: int) -> TablePicture:
    """A table with papers at three seats and so many arrows, one of them for a card to turn over."""
    papers = tuple(((0.1 + 0.09 * n, 0.15 if n % 2 else 0.8), n % 3 == 0) for n in range(9))
    steps = tuple(Arrow((0.1 + 0.08 * n, 0.8), (0.5, 0.97) if n else (0.1, 0.8)) for n in range(arrows))
    seats = ((0.0, 0.0, 1.0, 0.38), (0.0, 0.62, 0.5, 1.0), (0.5, 0.62, 1.0, 1.0))
    return TablePicture(1.41, seats, ((0.46, 0.5), (0.54, 0.5)), ((0.3, 0.56), (0.7, 0.44)), papers, steps)


def papers(language: Language) -> PageGrid:
    """All paper kinds by name in rows of four, and a card face down."""
    names = [ja(kind) if language is J else en(kind) for kind in BUILT_IN]
    rows = tuple(tuple(names[first : first + 4]) for first in (0, 4, 8, 12))
    return PageGrid(rows, "裏向き" if language is J else "face down")


def states(language: Language) -> dict[str, ScreenState]:
    ja = language is J
    mend = (
        ("Banachさんの3カードのオニオン7をBanachさんの手札に入れてください。",) * 6
        if ja
        else ("put onion 7 from Banach's Three Cards into Banach's hand.",) * 6
    )
    refused = (
        "オニオン7、ブック7、コフィン7、コイン9では3カードになりません。必要なのは「同じランクのカードをちょうど3枚」です。"
        if ja
        else "onion 7, book 7, coffin 7 and coin 9 do not make Three Cards, which takes exactly 3 cards of one rank."
    )
    accepted = "Noetherさんが5カードを査読し、スター7を取りました。" if ja else "Noether reviews their own Five Cards."
    title = "2ページ目を並べる" if ja else "Lay page 2 of 3"
    return {
        "setup": ScreenState(language, Mood.WAITING, players(3, None), details=(accepted,)),
        "waiting": ScreenState(language, Mood.WAITING, players(3, 1), headline=accepted),
        "flag": ScreenState(language, Mood.WAITING, players(3, 2), headline=accepted, ending=Ending(flag_due=True)),
        "hands": ScreenState(language, Mood.HANDS, players(4, 0), headline=accepted, ending=Ending(5)),
        "reading": ScreenState(language, Mood.READING, players(5, 4), headline=accepted),
        "accepted": ScreenState(language, Mood.ACCEPTED, players(3, 2), headline=accepted, ending=Ending(1)),
        "refused": ScreenState(language, Mood.REFUSED, players(3, 1), headline=refused, put_back=mend[:2]),
        "refused, much to mend": ScreenState(language, Mood.REFUSED, players(5, 1), refused, (refused,), mend),
        "question": ScreenState(
            language, Mood.QUESTION, players(5, 0), accepted, choices=(accepted, refused), chosen=1, ending=Ending(9)
        ),
        "question of many": ScreenState(language, Mood.QUESTION, players(3, 0), accepted, choices=(accepted,) * 9),
        "question, close-up": ScreenState(
            language,
            Mood.QUESTION,
            players(5, 0),
            accepted,
            choices=(accepted[:24],) * 9,
            close_up=Thumbnail((4, 4), bytes(range(48))),
        ),
        "can't see": ScreenState(language, Mood.CANT_SEE, players(4, 3), headline=refused),
        "finished": ScreenState(
            language,
            Mood.FINISHED,
            players(5),
            "Noetherさんの勝ちです。" if ja else "Noether wins.",
            ranking=tuple(RankLine(n + 1, NAMES[n], 17 - n, 6, n == 0) for n in range(5)),
        ),
        "preview": ScreenState(language, Mood.PREVIEW, players(5, 0), accepted, (refused,), undoable=True, menu=True),
        "fault": ScreenState(
            language, Mood.FAULT, players(3, 1), refused, put_back=mend[:2], picture=picture(2), undoable=True
        ),
        "out of step": ScreenState(
            language, Mood.OUT_OF_STEP, players(5, 1), refused, put_back=mend, picture=picture(6), undoable=True
        ),
        "check": ScreenState(language, Mood.CHECK, players(4, 1), refused, (accepted,), mend[:4], picture=picture(4)),
        "offer": ScreenState(
            language, Mood.REFUSED, players(3, 1), refused, (accepted, accepted), choices=(accepted, accepted)
        ),
        "menu": ScreenState(language, Mood.MENU, players(3, 1), accepted, choices=(accepted[:24],) * 8, chosen=7),
        "numbers": ScreenState(language, Mood.MENU, players(5, 1), accepted, choices=tuple(map(str, range(40)))),
        "unseen": ScreenState(
            language, Mood.CANT_SEE, players(3, 1), accepted, picture=replace(picture(0), unseen=((0.2, 0.7), (1, 1)))
        ),
        "paused": ScreenState(language, Mood.PAUSED, players(3, 1), headline=accepted),
        "blind": ScreenState(language, Mood.BLIND, players(3, 1), headline=accepted),
        "hands that mend": ScreenState(
            language, Mood.HANDS, players(3, 1), refused, put_back=mend[:3], picture=picture(3)
        ),
        "notice": ScreenState(language, Mood.NOTICE, headline=accepted, details=(refused,)),
        "papers to lay": ScreenState(
            language, Mood.NOTICE, headline=title, grid=papers(language), buttons=ButtonWords("✓")
        ),
    }
