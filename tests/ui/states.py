"""Screen states of every mood, in both languages, with realistic and with too long words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.laminate.papers import BUILT_IN
from rules.text import Language
from tests.words import en, ja
from ui.parts.card_tiles import card_tile
from ui.screen_state import (
    Arrow,
    ButtonWords,
    CloseUp,
    Countdown,
    GridScreen,
    MenuScreen,
    Mood,
    NoticeScreen,
    OfferScreen,
    PageGrid,
    PaperMark,
    PlayerLine,
    PlayScreen,
    QuestionScreen,
    RankLine,
    ScoreScreen,
    ScreenState,
    Standing,
    StepTiles,
    TablePicture,
    TableScreen,
    Thumbnail,
)

J, E = Language.JA, Language.EN
NO_END = Countdown()
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
    """Return a table with papers at three seats and ``arrows`` arrows, one of them for a card to turn over."""
    papers = tuple(((0.1 + 0.09 * n, 0.15 if n % 2 else 0.8), n % 3 == 0) for n in range(9))
    steps = tuple(Arrow((0.1 + 0.08 * n, 0.8), (0.5, 0.97) if n else (0.1, 0.8)) for n in range(arrows))
    seats = ((0.0, 0.0, 1.0, 0.38), (0.0, 0.62, 0.5, 1.0), (0.5, 0.62, 1.0, 1.0))
    return TablePicture(1.41, seats, ((0.46, 0.5), (0.54, 0.5)), ((0.3, 0.56), (0.7, 0.44)), papers, steps)


def mending(sentence: str) -> StepTiles:
    """Return a step to put the table right, given in that sentence near by."""
    return StepTiles((card_tile("O7"),), "→ Banach", "O7 → Banach", sentence)


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

    def play(mood: Mood, lines: tuple[PlayerLine, ...], headline: str = "", ending: Countdown = NO_END) -> PlayScreen:
        return PlayScreen(language, mood, headline, standing=Standing(lines, ending))

    def table(
        mood: Mood, lines: tuple[PlayerLine, ...], headline: str, steps: int = 0, drawn: TablePicture | None = None
    ) -> TableScreen:
        wanted = tuple(mending(sentence) for sentence in mend[:steps])
        return TableScreen(language, mood, headline, standing=Standing(lines), steps=wanted, picture=drawn)

    def asked(lines: tuple[PlayerLine, ...], choices: tuple[str, ...], **more: Any) -> QuestionScreen:
        return QuestionScreen(language, Mood.QUESTION, accepted, standing=Standing(lines), choices=choices, **more)

    def menu(lines: tuple[PlayerLine, ...], choices: tuple[str, ...], chosen: int = 0) -> MenuScreen:
        return MenuScreen(language, Mood.MENU, accepted, standing=Standing(lines), choices=choices, chosen=chosen)

    close_up = CloseUp(Thumbnail((4, 4), bytes(range(48))), None)
    winner = "Noetherさんの勝ちです。" if ja else "Noether wins."
    ranking = tuple(RankLine(n + 1, NAMES[n], 17 - n, 6, n == 0) for n in range(5))
    buttons = ButtonWords("✓ Confirm", back="← Hold: undo", up="▲ Menu")
    return {
        "setup": replace(play(Mood.WAITING, players(3, None)), details=(accepted,)),
        "waiting": play(Mood.WAITING, players(3, 1), accepted),
        "flag": play(Mood.WAITING, players(3, 2), accepted, Countdown(flag_due=True)),
        "hands": play(Mood.HANDS, players(4, 0), accepted, Countdown(5)),
        "reading": play(Mood.READING, players(5, 4), accepted),
        "accepted": play(Mood.ACCEPTED, players(3, 2), accepted, Countdown(1)),
        "refused": table(Mood.REFUSED, players(3, 1), refused, 2),
        "refused, much to mend": replace(table(Mood.REFUSED, players(5, 1), refused, 6), details=(refused,)),
        "question": replace(
            asked(players(5, 0), (accepted, refused), chosen=1), standing=Standing(players(5, 0), Countdown(9))
        ),
        "question of many": asked(players(3, 0), (accepted,) * 9),
        "question, close-up": asked(players(5, 0), (accepted[:24],) * 9, picture=close_up),
        "can't see": table(Mood.CANT_SEE, players(4, 3), refused),
        "finished": ScoreScreen(language, Mood.FINISHED, winner, standing=Standing(players(5)), ranking=ranking),
        "preview": replace(play(Mood.PREVIEW, players(5, 0), accepted), details=(refused,), buttons=buttons),
        "fault": table(Mood.FAULT, players(3, 1), refused, 2, picture(2)),
        "out of step": table(Mood.OUT_OF_STEP, players(5, 1), refused, 6, picture(6)),
        "check": replace(table(Mood.CHECK, players(4, 1), refused, 4, picture(4)), details=(accepted,)),
        "offer": OfferScreen(
            language,
            Mood.REFUSED,
            refused,
            (accepted, accepted),
            Standing(players(3, 1)),
            choices=(accepted, accepted),
        ),
        "menu": menu(players(3, 1), (accepted[:24],) * 8, 7),
        "numbers": menu(players(5, 1), tuple(map(str, range(40)))),
        "unseen": table(Mood.CANT_SEE, players(3, 1), accepted, drawn=replace(picture(0), unseen=((0.2, 0.7), (1, 1)))),
        "paused": play(Mood.PAUSED, players(3, 1), accepted),
        "blind": play(Mood.BLIND, players(3, 1), accepted),
        "hands that mend": table(Mood.HANDS, players(3, 1), refused, 3, picture(3)),
        "notice": NoticeScreen(language, Mood.NOTICE, accepted, (refused,)),
        "papers to lay": GridScreen(language, Mood.NOTICE, title, buttons=ButtonWords("✓"), grid=papers(language)),
    }
