"""Screen states of every mood, in both languages, with realistic and with too long words."""

from __future__ import annotations

from ui.screen_state import Language, Mood, PaperMark, PlayerLine, RankLine, ScreenState

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


def states(language: Language) -> dict[str, ScreenState]:
    ja = language is J
    mend = (
        ("Banachさんの3カードのオニオン7をBanachさんの手札に入れてください。",) * 6
        if ja
        else ("put onion 7 from Banach's Three Cards into Banach's hand.",) * 6
    )
    refused = (
        "オニオン7、ブック7、コフィン7、コイン9では3カードになりません。必要なのは「同じ数字のカードがちょうど3枚」です。"
        if ja
        else "onion 7, book 7, coffin 7 and coin 9 do not make Three Cards, which takes exactly 3 cards of one rank."
    )
    accepted = "Noetherさんが5カードを査読し、スター7を取りました。" if ja else "Noether reviews their own Five Cards."
    return {
        "setup": ScreenState(language, Mood.WAITING, players(3, None), details=(accepted,)),
        "waiting": ScreenState(language, Mood.WAITING, players(3, 1), headline=accepted),
        "flag": ScreenState(language, Mood.WAITING, players(3, 2), headline=accepted, flag_due=True),
        "hands": ScreenState(language, Mood.HANDS, players(4, 0), headline=accepted, turns_left=5),
        "reading": ScreenState(language, Mood.READING, players(5, 4), headline=accepted),
        "accepted": ScreenState(language, Mood.ACCEPTED, players(3, 2), headline=accepted, turns_left=1),
        "refused": ScreenState(language, Mood.REFUSED, players(3, 1), headline=refused, put_back=mend[:2]),
        "refused, much to mend": ScreenState(language, Mood.REFUSED, players(5, 1), refused, (refused,), mend),
        "question": ScreenState(
            language, Mood.QUESTION, players(5, 0), accepted, choices=(accepted, refused), chosen=1, turns_left=9
        ),
        "question of many": ScreenState(language, Mood.QUESTION, players(3, 0), accepted, choices=(accepted,) * 9),
        "can't see": ScreenState(language, Mood.CANT_SEE, players(4, 3), headline=refused),
        "finished": ScreenState(
            language,
            Mood.FINISHED,
            players(5),
            "Noetherさんの勝ちです。" if ja else "Noether wins.",
            ranking=tuple(RankLine(n + 1, NAMES[n], 17 - n, 6, n == 0) for n in range(5)),
        ),
        "notice": ScreenState(language, Mood.NOTICE, headline=accepted, details=(refused,)),
    }
