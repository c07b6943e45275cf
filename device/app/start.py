"""The menus before a game, for four buttons: go on with the last game, begin a new one, learn a deck, switch off.

The names to choose from are those of the settings and of the last game; without any, players are called by their seats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import Protocol

from device.speech import Language
from device.storage.journal import Kept
from referee.menu import Menu, Option
from referee.registry import referees
from rules.game import Option as Asked
from rules.game import Options, Rules
from rules.registry import games
from rules.text import Text
from ui.screen_state import Mood, ScreenState


@dataclass(frozen=True, slots=True)
class Plan:
    """A game that is to begin: which, names by seat, what it asks beforehand, and the deck on the table."""

    game: str
    players: tuple[str, ...]
    options: Options
    deck: str


class House(Protocol):
    """What the menus choose among, and what they have done."""

    language: Language

    def going_on(self) -> Kept | None:
        """The game that was not played to its end."""
        ...

    def last(self) -> tuple[str, tuple[str, ...]] | None:
        """What was played last, and by whom, by seat; ``None`` where nothing has been."""
        ...

    def known_names(self) -> tuple[str, ...]:
        """The names to choose from."""
        ...

    def decks(self) -> Sequence[str]:
        """The decks on the shelf."""
        ...

    def ready_decks(self) -> Sequence[str]:
        """The decks that nobody has to learn."""
        ...

    def begin(self, plan: Plan) -> None:
        """Begin this game."""
        ...

    def resume(self, number: int) -> None:
        """Go on with this game."""
        ...

    def enrol(self, name: str) -> None:
        """Learn a deck and keep it under this name."""
        ...

    def can_switch_off(self) -> bool:
        """Whether the machine may be switched off from the menu."""
        ...

    def speak(self, language: Language) -> None:
        """Go on in this language."""
        ...

    def switch_off(self) -> None:
        """Switch the machine off."""
        ...


def home(house: House) -> Menu:
    """The first menu."""
    decks = tuple(house.decks())
    options = []
    if (game := house.going_on()) is not None:
        number, names = game.number, game.opening.players
        options.append(_end(f"Go on: {', '.join(names)}", f"続ける：{'、'.join(names)}", lambda: house.resume(number)))
    if decks:
        if (last := house.last()) is not None:
            game_again, names_again = last
            again = Text(f"New game: {', '.join(names_again)}", f"新しいゲーム：{'、'.join(names_again)}")
            options.append(Option(again, lambda: _deck(house, games()[game_again], names_again)))
        options.append(Option(Text("New game", "新しいゲーム"), lambda: _which(house)))
    options.append(Option(Text("Learn a deck", "デッキを登録する"), lambda: _learn(house)))
    if not decks:
        printed = Text("New game with the printed deck", "印刷したデッキで新しいゲーム")
        options.append(Option(printed, lambda: _which(house)))
    options.append(Option(Text("日本語で話す", "Speak English"), lambda: _speak(house)))
    if house.can_switch_off():
        options.append(Option(Text("Switch off", "電源を切る"), lambda: _switch_off(house)))
    details = () if decks else (Text("No deck is known yet: learn yours first.", "まずデッキを登録してください。"),)
    return Menu(Text("What shall it be?", "何をしますか？"), tuple(options), details)


def menu_screen(menu: Menu, language: Language) -> ScreenState:
    """A menu outside of any game."""
    return ScreenState(
        language,
        Mood.MENU,
        headline=menu.title.said(language),
        details=tuple(words.said(language) for words in menu.details),
        choices=tuple(option.words.said(language) for option in menu.options),
        chosen=menu.chosen,
    )


def _end(en: str, ja: str, do: Callable[[], None]) -> Option:
    """A line that leaves the menus."""

    def take() -> None:
        do()

    return Option(Text(en, ja), take)


def _which(house: House) -> Menu:
    """Which game; with a single one known, that is no question."""
    known = [games()[name] for name in referees()]
    if len(known) == 1:
        return _how_many(house, known[0])
    options = tuple(Option(rules.title, partial(_how_many, house, rules)) for rules in known)
    return Menu(Text("Which game?", "どのゲームで遊びますか？"), options, parent=home(house))


def _how_many(house: House, rules: Rules) -> Menu:
    if len(rules.seats) == 1:
        return _who(house, rules, rules.seats[0], ())
    options = tuple(
        Option(Text(f"{number} players", f"{number}人"), partial(_who, house, rules, number, ()))
        for number in rules.seats
    )
    return Menu(Text("How many play?", "何人で遊びますか？"), options, parent=home(house))


def _who(house: House, rules: Rules, players: int, chosen: tuple[str, ...]) -> Menu:
    """Who sits at the next seat; after the last one the deck is asked for."""
    seat = len(chosen) + 1
    if seat > players:
        return _deck(house, rules, chosen)
    called = Text(f"Player {seat}", f"プレイヤー{seat}")
    last = house.last()
    known = (*(last[1] if last is not None else ()), *house.known_names())
    names = [name for name in dict.fromkeys(known) if name not in chosen]
    own = called.said(house.language)
    lines = [Text(name, name) for name in names] + [called] * (own not in names)
    options = tuple(
        Option(words, partial(_who, house, rules, players, (*chosen, name)))
        for words, name in zip(lines, [*names, own], strict=False)
    )
    asked = Text(f"Who sits at seat {seat}?", f"席{seat}は誰ですか？")
    details = (
        Text(
            "Seat 1 is at the bottom of the camera's picture, left where two share it; then clockwise.",
            "席1はカメラ画像の下側（2人なら左）で、そこから時計回りです。",
        ),
    )
    parent = _who(house, rules, players, chosen[:-1]) if chosen else _how_many(house, rules)
    if not chosen and len(rules.seats) == 1:
        parent = home(house)
    return Menu(asked, options, details if seat == 1 else (), parent=parent)


def _deck(house: House, rules: Rules, players: tuple[str, ...]) -> Menu:
    """Which deck lies on the table; with a single one known, that is no question."""
    known = tuple(house.decks())
    decks = known if len(known) == 1 else tuple(dict.fromkeys((*known, *house.ready_decks())))
    if len(decks) == 1:
        return _ask(house, Plan(rules.name, players, {}, decks[0]))
    options = tuple(
        Option(Text(name, name), partial(_ask, house, Plan(rules.name, players, {}, name))) for name in decks
    )
    return Menu(Text("Which deck?", "どのデッキですか？"), options, parent=home(house))


def _ask(house: House, plan: Plan) -> Menu:
    """The first thing that the game asks and that is open; after the last answer the game begins."""
    wanted = [option for option in games()[plan.game].options if not option.optional]
    left = [option for option in wanted if not _is_answered(option, plan)]
    if not left:
        return Menu(Text("Shall we begin?", "始めますか？"), (_begin(house, plan, _YES),), parent=home(house))
    option = left[0]
    given = tuple(plan.options.get(option.key, ()))
    title = option.title
    if option.each_seat:
        name = plan.players[len(given)]
        title = Text(f"{name}: {title.en}", f"{name}さん：{title.ja}")
    lines = []
    for value, words in option.values(plan.players):
        answer = [*given, value] if option.each_seat else value
        following = replace(plan, options={**plan.options, option.key: answer})
        if left[1:] or not _is_answered(option, following):
            lines.append(Option(words, partial(_ask, house, following)))
        else:
            lines.append(_begin(house, following, words))
    return Menu(title, tuple(lines), parent=home(house))


_YES = Text("Yes", "はい")


def _is_answered(option: Asked, plan: Plan) -> bool:
    given = plan.options.get(option.key)
    return given is not None and (not option.each_seat or len(given) == len(plan.players))


def _begin(house: House, plan: Plan, words: Text) -> Option:
    return _end(words.en, words.ja, partial(house.begin, plan))


def _learn(house: House) -> Menu:
    """Which deck is learnt: a new one, named by its number, or a known one anew."""
    names = house.decks()
    number = next(number for number in count(1) if f"deck {number}" not in names)
    new = _end("A new deck", "新しいデッキ", partial(house.enrol, f"deck {number}"))
    known = [_end(f"{name} once more", f"「{name}」をやり直す", partial(house.enrol, name)) for name in names]
    return Menu(Text("Which deck shall be learnt?", "どのデッキを登録しますか？"), (new, *known), parent=home(house))


def _speak(house: House) -> Menu:
    house.speak(house.language.other)
    return home(house)


def _switch_off(house: House) -> Menu:
    options = (
        Option(Text("No, go back", "いいえ、戻ります"), lambda: home(house)),
        _end("Yes, switch off", "はい、切ります", house.switch_off),
    )
    return Menu(Text("Switch the table off?", "電源を切りますか？"), options, parent=home(house))
