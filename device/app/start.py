"""The menus before a game, for four buttons: go on with the last game, begin a new one, learn a deck, switch off.

The names to choose from are those of the settings and of the last games; others are written, or players are called by
their seats. Who sits where is shown in the camera's picture before the game begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from types import MappingProxyType
from typing import Any, Protocol

from device.speech import Language, in_the_next
from device.storage.journal import Kept
from referee.game import CardSet, HousePapers, house_papers, paper_faces, table_seats
from referee.menu import Menu, Option
from referee.papers import MOST_ON_PAGE, house_pages
from referee.registry import papers, referees
from rules.game import Contest, GameOption, Options, Rules
from rules.parsing import BadRecordError
from rules.record import Header
from rules.registry import games
from rules.text import Text, in_a_row, plural, verbatim
from ui.screen_state import ButtonWords, MenuScreen, Mood

_NOTHING_CHOSEN: Options = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Plan:
    """A game that is to begin: which, names by seat, what it asks beforehand, and the deck on the table."""

    game: str
    players: tuple[str, ...]
    options: Options
    deck: str


@dataclass(frozen=True, slots=True)
class ScorePlan:
    """A finished table that is to be scored: game, number of players, their names by seat if any, what was told."""

    game: str
    seats: int
    players: tuple[str, ...] = ()
    told: Mapping[str, Any] = field(default_factory=dict)
    deck: str = ""


class House(Protocol):
    """What the menus choose among, and what they have done."""

    language: Language

    def going_on(self) -> Kept | None:
        """The game that was not played to its end."""
        ...

    def last(self) -> Header | None:
        """What was played last, by whom and with what; ``None`` where nothing has been."""
        ...

    def last_deck(self) -> str | None:
        """The deck that was played with last, if it can be chosen."""
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

    def faces(self, deck: str) -> frozenset[str]:
        """The names of all faces that a deck was learnt with."""
        ...

    def begin(self, plan: Plan) -> None:
        """Begin this game, once the camera's picture was looked at."""
        ...

    def resume(self, number: int) -> None:
        """Go on with this game."""
        ...

    def enrol(self, name: str, pages: tuple[str, ...]) -> None:
        """Learn a deck from these pages and keep it under this name."""
        ...

    def can_score(self) -> bool:
        """Whether a finished table can be scored."""
        ...

    def scoring_menu(self) -> Menu:
        """The first question about a finished table."""
        ...

    def score(self, plan: ScorePlan) -> None:
        """Score a finished table."""
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

    def write_name(
        self, title: Text, taken: Sequence[str], then: Callable[[str], Menu | None], back: Menu | None
    ) -> None:
        """Have a name written that is none of those taken; ``then`` gives the menu to go on with."""
        ...

    def look(self) -> None:
        """Show what the camera sees."""
        ...

    def settings_menu(self) -> Menu:
        """What can be set."""
        ...

    def can_read_cards(self) -> bool:
        """Whether cards that are turned up before a game can be read."""
        ...

    def hold(self, contest: Contest, deck: str, then: Callable[[Text], Menu], back: Menu) -> None:
        """Hold a contest with cards of this deck; ``then`` gives the menu to go on with once it was called."""
        ...


@dataclass(frozen=True)
class DeckKind:
    """What a deck may be learnt as: from which pages, and for which games."""

    pages: tuple[str, ...]
    words: Text


def deck_kinds() -> tuple[DeckKind, ...]:
    """Every kind of deck that some game asks for: SEVEN cards with the most pages first, other cards last."""
    sets = [one.cards for one in referees().values()]
    own = {cards.pages for cards in sets if cards.grids}
    kinds = sorted(dict.fromkeys(cards.pages for cards in sets), key=lambda pages: (pages in own, -len(pages)))
    return tuple(DeckKind(pages, _games_with(pages)) for pages in kinds)


def _games_with(pages: tuple[str, ...]) -> Text:
    """The games that can be played with a deck learnt from these pages, and how many pages that are."""
    known = {face for one in referees().values() if one.cards.pages == pages for face in one.cards.faces}
    playable = in_a_row(one.rules.title for one in referees().values() if known.issuperset(one.cards.faces))
    return Text("{games}: {pages} pages", games=playable, pages=len(pages))


def home(house: House) -> Menu:
    """The first menu."""
    decks = tuple(house.decks())
    options = []
    if (game := house.going_on()) is not None:
        number, names = game.number, in_a_row(map(verbatim, game.opening.players))
        options.append(_end(Text("Go on: {names}", names=names), lambda: house.resume(number)))
    score = [Option(Text("Score this table"), house.scoring_menu)] if house.can_score() else []
    if decks:
        if (last := house.last()) is not None:
            again = Text("New game: {names}", names=in_a_row(map(verbatim, last.players)))
            options.append(Option(again, partial(rematch, house, last)))
        options.append(Option(Text("New game"), lambda: _which(house)))
        options[1:1] = score
    options.append(Option(Text("Learn a deck"), lambda: _learn(house)))
    if not decks:
        printed = Text("New game with the printed deck")
        options += [Option(printed, lambda: _which(house)), *score]
    options.append(_end(Text("See what the camera sees"), house.look))
    options.append(Option(Text("Settings"), house.settings_menu))
    options.append(Option(in_the_next(house.language), lambda: _speak(house)))
    if house.can_switch_off():
        options.append(Option(Text("Switch off"), lambda: _switch_off(house)))
    details = () if decks else (Text("No deck is known yet: learn yours first."),)
    return Menu(Text("What would you like to do?"), tuple(options), details)


def menu_screen(menu: Menu, language: Language) -> MenuScreen:
    """A menu outside of any game."""
    return MenuScreen(
        language,
        Mood.MENU,
        headline=menu.title.said(language),
        details=tuple(words.said(language) for words in menu.details),
        choices=tuple(option.words.said(language) for option in menu.options),
        chosen=menu.chosen,
        buttons=None if menu.parent is not None else _first_buttons(menu, language),
    )


def _first_buttons(menu: Menu, language: Language) -> ButtonWords:
    """Of the first menu, from which back leads nowhere."""
    place = f"{menu.chosen + 1}/{len(menu.options)}"
    choose = Text("▲▼ choose {place}", place=place)
    return ButtonWords(Text("✓ take it").said(language), choose.said(language))


def _end(words: Text, do: Callable[[], None]) -> Option:
    """A line that leaves the menus."""

    def take() -> None:
        do()

    return Option(words, take)


def _which(house: House) -> Menu | None:
    """Which game; with a single one known, that is no question."""
    known = [games()[name] for name in referees()]
    if len(known) == 1:
        return _how_many(house, known[0])
    options = tuple(Option(rules.title, partial(_how_many, house, rules)) for rules in known)
    return Menu(Text("Which game?"), options, parent=home(house))


def _how_many(house: House, rules: Rules, known: Sequence[str] = ()) -> Menu | None:
    """How many play; ``known`` are the names to choose from, looked up where they are not."""
    known = known or house.known_names()

    def named(names: tuple[str, ...]) -> Menu:
        return _deck(house, rules, names)

    seats = table_seats(referees()[rules.name])
    if len(seats) == 1:
        # Where only so many can play, how many do is never asked.
        return who_sits(house, seats[0], named, home(house), (), known)

    def seated(number: int) -> Menu | None:
        return who_sits(house, number, named, _how_many(house, rules, known), (), known)

    return Menu(
        HOW_MANY,
        tuple(Option(players_words(number), partial(seated, number)) for number in seats),
        parent=home(house),
    )


HOW_MANY = Text("How many play?")


def players_words(number: int) -> Text:
    """A number of players as a menu's line."""
    return Text("{number} players", number=number)


def who_sits(
    house: House,
    players: int,
    then: Callable[[tuple[str, ...]], Menu | None],
    back: Menu | None,
    chosen: tuple[str, ...] = (),
    known: Sequence[str] = (),
) -> Menu | None:
    """Who sits at the next seat; ``then`` gets the names after the last one, ``back`` is the menu before the first.

    ``known`` are the names to choose from, looked up where they are not.
    """
    known = known or house.known_names()
    seat = len(chosen) + 1
    if seat > players:
        return then(chosen)
    called = Text("Player {seat}", seat=seat)
    own = called.said(house.language)
    asked = Text("Who sits at seat {seat}?", seat=seat)

    def chosen_too(name: str) -> Menu | None:
        return who_sits(house, players, then, back, (*chosen, name), known)

    def write() -> None:
        house.write_name(asked, chosen, chosen_too, who_sits(house, players, then, back, chosen, known))

    names = [name for name in known if name not in chosen and name != own]
    options = (
        *(Option(verbatim(name), partial(chosen_too, name)) for name in names),
        Option(Text("Write a name"), write),
        Option(called, partial(chosen_too, own)),
    )
    parent = who_sits(house, players, then, back, chosen[:-1], known) if chosen else back
    return Menu(asked, options, parent=parent)


def rematch(house: House, before: Header) -> Menu:
    """The same players once more, with the house papers and the deck they had if it is still there."""
    deck, rules = house.last_deck(), games()[before.game]
    kept = {option.key: before.options[option.key] for option in rules.options if _is_kept(option, before)}
    if deck is None:
        return _deck(house, rules, before.players, kept)
    return _ask(house, Plan(rules.name, before.players, kept, deck))


def _is_kept(option: GameOption, before: Header) -> bool:
    return option.several and option.key in before.options


def _deck(house: House, rules: Rules, players: tuple[str, ...], kept: Options = _NOTHING_CHOSEN) -> Menu:
    """Which deck lies on the table; with a single one known, that is no question."""
    decks = fitting_decks(house, referees()[rules.name].cards)
    if len(decks) == 1:
        return _ask(house, Plan(rules.name, players, kept, decks[0]))
    options = tuple(
        Option(verbatim(name), partial(_ask, house, Plan(rules.name, players, kept, name))) for name in decks
    )
    return Menu(Text("Which deck?"), options, parent=home(house))


def fitting_decks(house: House, cards: CardSet) -> tuple[str, ...]:
    """The decks that have these cards: the only one that was learnt, else all of them."""
    ready = house.ready_decks()
    known = {deck: house.faces(deck) for deck in (*house.decks(), *ready)}
    # What is wrong with a deck that can't be loaded is said when it is.
    fitting = tuple(deck for deck, faces in known.items() if not faces or faces.issuperset(cards.faces))
    learnt = tuple(deck for deck in fitting if deck not in ready)
    return learnt if len(learnt) == 1 else fitting


def _ask(house: House, plan: Plan) -> Menu:
    """The first thing that the game asks and that is open; after the last answer the game begins."""
    wanted = [option for option in games()[plan.game].options if not option.optional]
    left = [option for option in wanted if not _is_answered(option, plan)]
    if not left:
        lines = (_begin(house, plan, _YES), *_more(house, plan))
        return Menu(Text("Shall we begin?"), lines, parent=home(house))
    option = left[0]
    given = tuple(plan.options.get(option.key, ()))
    title = option.title
    if option.each_seat:
        name = plan.players[len(given)]
        title = Text("{name}: {title}", name=name, title=title)

    def answers(given_by: Sequence[Text] = ()) -> Menu:
        """Every value of the option; ``given_by`` says what the contest gave."""
        lines = []
        for value, words in option.values(plan.players):
            if option.taken is not None and option.taken(value, given):
                continue
            answer = [*given, value] if option.each_seat else value
            following = replace(plan, options={**plan.options, option.key: answer})
            if left[1:] or not _is_answered(option, following):
                lines.append(Option(words, partial(_ask, house, following)))
            else:
                lines.append(_begin(house, following, words))
        # Whoever has held the contest has chosen before it.
        more = () if left[1:] or given_by else _more(house, plan)
        contest = option.contest
        if contest is None or given_by or not house.can_read_cards():
            asked = contest.who if contest is not None and given_by else title
            return Menu(asked, (*lines, *more), tuple(given_by), parent=home(house))

        def hold() -> None:
            house.hold(contest, plan.deck, lambda given: answers((given,)), answers())

        return Menu(title, (*lines, Option(contest.title, hold), *more), parent=home(house))

    return answers()


_YES = Text("Yes")
_NAMED = 2
"""So many papers of the house are named in a line, more are counted."""


def _more(house: House, plan: Plan) -> list[Option]:
    """What may be chosen besides, any number of it, each with what is chosen so far."""
    lines = []
    for option in games()[plan.game].options:
        if option.several:
            taken = house_papers(referees()[plan.game], plan.options)
            value = in_a_row(paper.text for paper in taken) if taken else Text("none")
            if len(taken) > _NAMED:
                value = Text("{count} kinds", count=len(taken))
            words = Text("{title}: {value}", title=option.title, value=value)
            lines.append(Option(words, partial(_choose_papers, house, plan, option)))
    return lines


def _is_answered(option: GameOption, plan: Plan) -> bool:
    given = plan.options.get(option.key)
    return given is not None and (not option.each_seat or len(given) == len(plan.players))


def _begin(house: House, plan: Plan, words: Text) -> Option:
    return _end(words, partial(house.begin, plan))


def _choose_papers(house: House, plan: Plan, option: GameOption, chosen: int = 0) -> Menu:
    """Which papers of the house are played; those that the deck does not know are learnt first."""
    faces = house.faces(plan.deck)
    given = list(plan.options.get(option.key, ()))
    done = Option(Text("Done"), partial(_ask, house, plan))

    def taken(number: int, name: str) -> Menu:
        left = [one for one in given if one != name and (name in given or _go_together(option, one, name))]
        left += [] if name in given else [name]
        others = {key: value for key, value in plan.options.items() if key != option.key}
        following = replace(plan, options={**others, option.key: left} if left else others)
        return _choose_papers(house, following, option, number)

    def unknown(name: str) -> Menu:
        title = Text("The deck doesn't know this paper yet: learn it first.")
        learn = Option(Text("Learn it now"), partial(_learn_papers, house, plan.deck, (name,)))
        back = _choose_papers(house, plan, option, 0)
        return Menu(title, (learn, Option(Text("Not now"), lambda: back)), parent=back)

    lines = [done]
    for number, (name, words) in enumerate(_papers_to_choose(option, faces, given), 1):
        known = faces.issuperset(paper_faces(papers()[name]))
        if known or name in given:
            lines.append(Option(_ticked(words, name in given), partial(taken, number, name)))
        else:
            asked = Text("{words}: not learnt", words=words)
            lines.append(Option(_ticked(asked, False), partial(unknown, name)))
    return Menu(
        Text("Which house papers?"),
        tuple(lines),
        chosen=chosen,
        parent=_ask(house, plan),
    )


def _papers_to_choose(option: GameOption, faces: Iterable[str], given: Sequence[str]) -> list[tuple[str, Text]]:
    """Papers of the house by name, those that the deck knows first: what is offered, known or chosen."""
    offered = dict(option.values(()))
    for face in (*faces, *(f"{name}/" for name in given)):
        name, paper, _ = face.partition("/")
        if paper and name not in offered and name not in list(papers()):
            with suppress(KeyError):
                made = papers()[name]
                worth = Text("({points} p., {copies}×)", points=made.points, copies=made.copies)
                offered[name] = Text("{paper} {worth}", paper=made, worth=worth)
    known = set(faces)
    return sorted(offered.items(), key=lambda one: not known.issuperset(paper_faces(papers()[one[0]])))


def _go_together(option: GameOption, one: str, other: str) -> bool:
    """Whether two papers may be played in one game: two that take the same may not."""
    try:
        option.check([one, other], ())
    except BadRecordError:
        return False
    return True


def _ticked(words: Text, chosen: bool) -> Text:
    sign = "✓" if chosen else "–"
    return Text("{sign} {words}", sign=sign, words=words)


def _learn_papers(house: House, deck: str, given: tuple[str, ...] = (), chosen: int = 0) -> Menu:
    """Which papers of the house are learnt into a deck; they are laid in the order in which they are chosen."""
    found = _maker()
    assert found is not None, "the menu offers it only then"
    maker, option = found
    back: Menu

    def made(name: str) -> Menu:
        return _learn_papers(house, deck, tuple(dict.fromkeys((*given, name))))

    def taken(number: int, name: str) -> Menu:
        left = tuple(one for one in given if one != name) if name in given else (*given, name)
        return _learn_papers(house, deck, left[:MOST_ON_PAGE], number)

    lines = []
    if given:
        count = len(given)
        words = plural("Learn {count} paper", "Learn {count} papers", count=count)
        lines.append(_end(words, partial(house.enrol, deck, house_pages(given))))
    offset = len(lines)
    for number, (name, words) in enumerate(_papers_to_choose(option, house.faces(deck), given)):
        lines.append(Option(_ticked(words, name in given), partial(taken, number + 1, name)))
    if len(given) < MOST_ON_PAGE:
        lines.append(Option(Text("Another one …"), lambda: maker.make_paper(made, back)))
    title = Text("Which papers have you made?")
    back = Menu(title, tuple(lines), chosen=max(0, chosen - 1 + offset), parent=_learn(house))
    return back


def _maker() -> tuple[HousePapers, GameOption] | None:
    """The game at whose table papers of the house are played, and what asks which, where there is one."""
    for one in referees().values():
        if isinstance(one, HousePapers):
            return one, next(option for option in one.rules.options if option.key == one.house_key)
    return None


def _learn(house: House) -> Menu:
    """Which deck is learnt: a new one, named by its number, or a known one anew."""
    names = house.decks()
    number = next(number for number in count(1) if f"deck {number}" not in names)
    new = _learnt(house, f"deck {number}", Text("A new deck"))
    known = [_learnt(house, name, Text("{name} once more", name=name)) for name in names]
    if _maker() is not None:
        for name in dict.fromkeys((*names, *house.ready_decks())):
            words = Text("House papers of {name}", name=name)
            known.append(Option(words, partial(_learn_papers, house, name)))
    return Menu(Text("Which deck shall be learnt?"), (new, *known), parent=home(house))


def _learnt(house: House, name: str, words: Text) -> Option:
    """A deck to be learnt; where that may be done from different pages, it is asked from which."""
    kinds = deck_kinds()
    if len(kinds) == 1:
        return _end(words, partial(house.enrol, name, kinds[0].pages))
    options = tuple(_end(kind.words, partial(house.enrol, name, kind.pages)) for kind in kinds)
    title = Text("For which games?")
    return Option(words, lambda: Menu(title, options, parent=_learn(house)))


def _speak(house: House) -> Menu:
    house.speak(house.language.following)
    return home(house)


def _switch_off(house: House) -> Menu:
    options = (
        Option(Text("No, go back"), lambda: home(house)),
        _end(Text("Yes, switch off"), house.switch_off),
    )
    return Menu(Text("Switch the table off?"), options, parent=home(house))
