"""The menus before a game, for four buttons: go on with the last game, begin a new one, learn a deck, switch off.

The names to choose from are those of the settings and of the last games; others are written, or players are called by
their seats. Who sits where is shown in the camera's picture before the game begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from types import MappingProxyType

from device.app.choices import find_paper_maker, go_together, papers_to_choose
from device.app.menus.scoring import score_menu
from device.app.menus.seats import HOW_MANY, players_words, who_sits
from device.app.menus.settings import OFF, ON, settings_menu
from device.app.navigator import ONE_MOMENT
from device.app.plan import Plan
from device.app.services.decks import deck_kinds
from device.app.services.games import PHONE
from device.app.services.services import Services
from device.speech import in_the_next
from device.storage.opening import Opening
from referee.game import house_papers, paper_faces, table_seats
from referee.menu import Menu, Option
from referee.papers import MOST_ON_PAGE, house_pages
from referee.registry import load_papers, load_referees
from rules.game import GameOption, Options, Rules
from rules.registry import load_games
from rules.text import Text, join_row, plural, verbatim
from ui.registry import screen_of
from ui.teaching.lesson import TEACH

_NOTHING_CHOSEN: Options = MappingProxyType({})


def show_home(services: Services) -> Menu:
    """Show the first menu."""
    decks = tuple(services.decks.list_known())
    options = []
    if (game := services.games.going_on()) is not None:
        on = Text("Go on: {names}", names=join_row(map(verbatim, game.opening.players)))
        options.append(Option(on, partial(services.games.resume, game.number), "go_on", Text("Go on")))
    score = [
        Option(Text("Score this table"), lambda: score_menu(services, show_home(services)), "score", Text("Score"))
    ]
    score = score if services.scores.possible else []
    if decks:
        if (last := services.games.find_last()) is not None:
            again = Text("New game: {names}", names=join_row(map(verbatim, last.players)))
            options.append(Option(again, partial(start_rematch, services, last), "again", Text("Rematch")))
        options.append(Option(Text("New game"), lambda: _ask_game(services), "new", Text("New game")))
        options[1:1] = score
    options.append(Option(Text("Learn a deck"), lambda: _learn(services), "deck", Text("Decks")))
    if not decks:
        printed = Text("New game with the printed deck")
        options += [Option(printed, lambda: _ask_game(services), "new", Text("New game")), *score]
    options.append(Option(Text("See what the camera sees"), services.sight.aim, "camera", Text("Camera")))
    if (phone_menu := services.phone_menu) is not None:
        options.append(Option(PHONE, lambda: phone_menu(show_home(services)), "phone", Text("Phone")))
    options.append(Option(Text("Settings"), lambda: show_settings(services), "settings", Text("Settings")))
    options.append(
        Option(in_the_next(services.settings.language), lambda: _speak(services), "language", Text("Language"))
    )
    if (switch_off := services.switch_off) is not None:
        options.append(
            Option(Text("Switch off"), lambda: _switch_off(switch_off, show_home(services)), "off", Text("Off"))
        )
    details = () if decks else (Text("No deck is known yet: learn yours first."),)
    return Menu(Text("What would you like to do?"), tuple(options), details)


def show_settings(services: Services) -> Menu:
    """Show what can be set."""
    hall = partial(services.hall_option, services)
    return settings_menu(services.settings, services.sight.aim, show_home(services), hall=hall)


def _ask_game(services: Services) -> Menu | None:
    """Ask which game is played; with a single one known, that is no question."""
    known = [load_games()[name] for name in load_referees()]
    if len(known) == 1:
        return _how_many(services, known[0])
    options = tuple(Option(rules.title, partial(_how_many, services, rules)) for rules in known)
    return Menu(Text("Which game?"), options, parent=show_home(services))


def _how_many(services: Services, rules: Rules, known: Sequence[str] = ()) -> Menu | None:
    """Ask how many play; ``known`` are the names to choose from, looked up where they are not."""
    known = known or services.games.known_names()

    def take_names(names: tuple[str, ...]) -> Menu:
        return _ask_deck(services, rules, names)

    seats = table_seats(load_referees()[rules.name])
    if len(seats) == 1:
        # Where only so many can play, how many do is never asked.
        return who_sits(services, seats[0], take_names, show_home(services), (), known)

    def take_number(number: int) -> Menu | None:
        return who_sits(services, number, take_names, _how_many(services, rules, known), (), known)

    return Menu(
        HOW_MANY,
        tuple(Option(players_words(number), partial(take_number, number)) for number in seats),
        parent=show_home(services),
    )


def start_rematch(services: Services, before: Opening) -> Menu:
    """Start the same players once more, with the house papers and the deck they had if it is still there."""
    deck, rules = before.deck, load_games()[before.game]
    kept = {option.key: before.options[option.key] for option in rules.options if _is_kept(option, before)}
    if deck is None or deck not in services.decks.list_known():
        return _ask_deck(services, rules, before.players, kept)
    return _ask(services, Plan(rules.name, before.players, kept, deck))


def _is_kept(option: GameOption, before: Opening) -> bool:
    return option.several and option.key in before.options


def _ask_deck(services: Services, rules: Rules, players: tuple[str, ...], kept: Options = _NOTHING_CHOSEN) -> Menu:
    """Ask which deck lies on the table; with a single one known, that is no question."""
    services.navigator.show_busy(ONE_MOMENT)
    decks = services.decks.find_fitting(load_referees()[rules.name].cards)
    if len(decks) == 1:
        return _ask(services, Plan(rules.name, players, kept, decks[0]))
    options = tuple(
        Option(verbatim(name), partial(_ask, services, Plan(rules.name, players, kept, name))) for name in decks
    )
    return Menu(Text("Which deck?"), options, parent=show_home(services))


def _ask(services: Services, plan: Plan) -> Menu:
    """Ask the first open question of the game; after the last answer the game begins."""
    left = _open_options(plan)
    if left:
        return _offer_answers(services, plan, left)
    lines = (Option(Text("Yes"), partial(services.games.begin, plan)), *_offer_more(services, plan))
    return Menu(Text("Shall we begin?"), lines, parent=show_home(services))


def _open_options(plan: Plan) -> list[GameOption]:
    """List what has to be answered before the game begins, and is not."""
    return [one for one in load_games()[plan.game].options if not one.optional and not _is_answered(one, plan)]


def settle(services: Services, plan: Plan) -> None:
    """Hold the contest that settles the first thing that is open; the game begins with what is answered after it."""
    left = _open_options(plan)
    contest = left[0].contest
    assert contest is not None, "it is only offered where there is one"

    def take_called(given: Text) -> Menu:
        return _offer_answers(services, plan, left, (given,))

    services.sight.hold(contest, plan.deck, take_called, _offer_answers(services, plan, left))


def _offer_answers(services: Services, plan: Plan, left: Sequence[GameOption], given_by: Sequence[Text] = ()) -> Menu:
    """Offer every value of the first option that is ``left``; ``given_by`` says what the contest gave."""
    option = left[0]
    given = tuple(plan.options.get(option.key, ()))
    title = option.title
    if option.each_seat:
        name = plan.players[len(given)]
        title = Text("{name}: {title}", name=name, title=title)
    lines = []
    for value, words in option.values(plan.players):
        if option.taken is not None and option.taken(value, given):
            continue
        answer = [*given, value] if option.each_seat else value
        following = replace(plan, options={**plan.options, option.key: answer})
        open_still = left[1:] or not _is_answered(option, following)
        leads = partial(_ask, services, following) if open_still else partial(services.games.begin, following)
        lines.append(Option(words, leads))
    # Whoever has held the contest has chosen before it.
    more = () if left[1:] or given_by else _offer_more(services, plan)
    contest = option.contest
    if contest is None or given_by or not services.sight.can_read_cards:
        asked = contest.who if contest is not None and given_by else title
        return Menu(asked, (*lines, *more), tuple(given_by), parent=show_home(services))
    return Menu(
        title, (*lines, Option(contest.title, partial(settle, services, plan)), *more), parent=show_home(services)
    )


_NAMED = 2
"""So many papers of the house are named in a line, more are counted."""


def _offer_more(services: Services, plan: Plan) -> list[Option]:
    """List what may be chosen besides, any number of it, each with what is chosen so far."""
    lines = []
    if screen_of(plan.game).teaching is not None:
        lines.append(Option(_say_teaching(services), partial(_switch_teaching, services, plan)))
    for option in load_games()[plan.game].options:
        if option.several:
            taken = house_papers(load_referees()[plan.game], plan.options)
            value = join_row(paper.text for paper in taken) if taken else Text("none")
            if len(taken) > _NAMED:
                value = Text("{count} kinds", count=len(taken))
            words = Text("{title}: {value}", title=option.title, value=value)
            lines.append(Option(words, partial(_choose_papers, services, plan, option)))
    return lines


def _say_teaching(services: Services) -> Text:
    return Text("{title}: {value}", title=TEACH, value=ON if services.settings.teach else OFF)


def _switch_teaching(services: Services, plan: Plan) -> Menu:
    """Have the game teach itself, or not; it is remembered for the next one."""
    services.settings.keep("game.teach", not services.settings.teach)
    menu, words = _ask(services, plan), _say_teaching(services)
    return replace(menu, chosen=next(n for n, option in enumerate(menu.options) if option.words == words))


def _is_answered(option: GameOption, plan: Plan) -> bool:
    given = plan.options.get(option.key)
    return given is not None and (not option.each_seat or len(given) == len(plan.players))


def _choose_papers(services: Services, plan: Plan, option: GameOption, chosen: int = 0) -> Menu:
    """Ask which papers of the house are played; those that the deck does not know are learnt first."""
    services.navigator.show_busy(ONE_MOMENT)
    faces = services.decks.list_faces(plan.deck)
    given = list(plan.options.get(option.key, ()))
    done = Option(Text("Done"), partial(_ask, services, plan))

    def toggle_paper(number: int, name: str) -> Menu:
        left = [one for one in given if one != name and (name in given or go_together(option, one, name))]
        left += [] if name in given else [name]
        others = {key: value for key, value in plan.options.items() if key != option.key}
        following = replace(plan, options={**others, option.key: left} if left else others)
        return _choose_papers(services, following, option, number)

    def offer_learning(name: str) -> Menu:
        title = Text("The deck doesn't know this paper yet: learn it first.")
        learn = Option(Text("Learn it now"), partial(_learn_papers, services, plan.deck, (name,)))
        back = _choose_papers(services, plan, option, 0)
        return Menu(title, (learn, Option(Text("Not now"), lambda: back)), parent=back)

    lines = [done]
    for number, (name, words) in enumerate(papers_to_choose(option, faces, given), 1):
        known = faces.issuperset(paper_faces(load_papers()[name]))
        if known or name in given:
            lines.append(Option(_tick_label(words, name in given), partial(toggle_paper, number, name)))
        else:
            asked = Text("{words}: not learnt", words=words)
            lines.append(Option(_tick_label(asked, False), partial(offer_learning, name)))
    return Menu(
        Text("Which house papers?"),
        tuple(lines),
        chosen=chosen,
        parent=_ask(services, plan),
    )


def _tick_label(words: Text, chosen: bool) -> Text:
    sign = "✓" if chosen else "–"
    return Text("{sign} {words}", sign=sign, words=words)


def _learn_papers(services: Services, deck: str, given: tuple[str, ...] = (), chosen: int = 0) -> Menu:
    """Ask which papers of the house are learnt into a deck; they are laid in the order in which they are chosen."""
    found = find_paper_maker()
    assert found is not None, "the menu offers it only then"
    maker, option = found
    back: Menu

    def add_made(name: str) -> Menu:
        return _learn_papers(services, deck, tuple(dict.fromkeys((*given, name))))

    def toggle_paper(number: int, name: str) -> Menu:
        left = tuple(one for one in given if one != name) if name in given else (*given, name)
        return _learn_papers(services, deck, left[:MOST_ON_PAGE], number)

    lines = []
    if given:
        count = len(given)
        words = plural("Learn {count} paper", "Learn {count} papers", count=count)
        lines.append(Option(words, partial(services.decks.learn, deck, house_pages(given))))
    offset = len(lines)
    services.navigator.show_busy(ONE_MOMENT)
    for number, (name, words) in enumerate(papers_to_choose(option, services.decks.list_faces(deck), given)):
        lines.append(Option(_tick_label(words, name in given), partial(toggle_paper, number + 1, name)))
    if len(given) < MOST_ON_PAGE:
        lines.append(Option(Text("Another one …"), lambda: maker.make_paper(add_made, back)))
    title = Text("Which papers have you made?")
    back = Menu(title, tuple(lines), chosen=max(0, chosen - 1 + offset), parent=_learn(services))
    return back


def _learn(services: Services) -> Menu:
    """Ask which deck is learnt: a new one, named by its number, or a known one anew."""
    names = services.decks.list_known()
    number = next(number for number in count(1) if f"deck {number}" not in names)
    new = _offer_learning(services, f"deck {number}", Text("A new deck"))
    known = [_offer_learning(services, name, Text("{name} once more", name=name)) for name in names]
    if find_paper_maker() is not None:
        for name in dict.fromkeys((*names, *services.decks.ready)):
            words = Text("House papers of {name}", name=name)
            known.append(Option(words, partial(_learn_papers, services, name)))
    return Menu(Text("Which deck shall be learnt?"), (new, *known), parent=show_home(services))


def _offer_learning(services: Services, name: str, words: Text) -> Option:
    """Offer a deck to be learnt; where that may be done from different pages, ask from which."""
    kinds = deck_kinds()
    if len(kinds) == 1:
        return Option(words, partial(services.decks.learn, name, kinds[0].pages))
    options = tuple(Option(kind.words, partial(services.decks.learn, name, kind.pages)) for kind in kinds)
    title = Text("For which games?")
    return Option(words, lambda: Menu(title, options, parent=_learn(services)))


def _speak(services: Services) -> Menu:
    services.settings.keep("language", services.settings.language.following.code)
    return show_home(services)


def _switch_off(switch_off: Callable[[], None], parent: Menu) -> Menu:
    options = (
        Option(Text("No, go back"), lambda: parent),
        Option(Text("Yes, switch off"), switch_off),
    )
    return Menu(Text("Switch the table off?"), options, parent=parent)
