"""Papers of the house on phones: chosen, made up by questions, printed, and taught to a deck by two pictures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from device.app.choices import find_paper_maker, known_decks, papers_to_choose
from device.errors import DeviceError
from device.settings.settings_file import load_settings
from referee.menu import Menu
from referee.papers import MOST_ON_PAGE
from referee.registry import load_papers
from rules.plain import shorten_line
from rules.text import Text, plural
from web.site import HELP, NothingThereError, Site

_LONGEST_WAY = 20
"""So many questions lead to a paper at most."""

NO_SUCH_PAPER = Text("There is no house paper {name}.", name="")
TOO_MANY = Text("No more than {count} house papers at once.", count=MOST_ON_PAGE)
NO_HOUSE = Text("No game is played with house papers.")


def make_routes(site: Site) -> list[Route]:
    """Return the address of papers of the house."""
    return [Route("/learn/papers", HousePages(site).see, methods=["GET"])]


def read_papers(names: Iterable[str]) -> tuple[str, ...]:
    """Read which papers of the house a form names.

    Raises:
        DeviceError: there is none of such a name, or they are too many.
    """
    given = tuple(dict.fromkeys(name for name in names if name))
    built_in = set(load_papers())
    for name in given:
        if name in built_in or name not in load_papers():
            raise DeviceError(NO_SUCH_PAPER.refill(name=shorten_line(name)))
    if len(given) > MOST_ON_PAGE:
        raise DeviceError(TOO_MANY)
    return given


class HousePages:
    """What is answered of papers of the house."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def see(self, request: Request) -> Response:
        """Show the papers to choose from, or the next question about a new one."""
        self._site.require(HELP)
        return await run_in_threadpool(self._see, request)

    def _see(self, request: Request) -> Response:
        found = find_paper_maker()
        if found is None:
            raise NothingThereError(NO_HOUSE)
        maker, option = found
        shelf, asked = self._site.shelf, request.query_params
        decks = list(dict.fromkeys((*known_decks(shelf, load_settings(self._site.state).game.deck), *shelf.ready)))
        deck = asked.get("deck", "") if asked.get("deck") in decks else decks[0] if decks else ""
        given = read_papers(asked.getlist("paper"))

        def address(papers: Iterable[str], **more: str) -> str:
            return f"/learn/papers?{urlencode([('deck', deck), *(('paper', one) for one in papers), *more.items()])}"

        question: dict[str, Any] | None = None
        if "make" in asked:
            steps = [step for step in asked["make"].split(".") if step][:_LONGEST_WAY]
            menu, made = _follow(maker.make_paper, steps)
            if made is not None:
                return RedirectResponse(address(dict.fromkeys((*given, made))), 303)
            lines = [
                (option.words, address(given, make=".".join([*steps, str(n)]))) for n, option in enumerate(menu.options)
            ]
            back = address(given, make=".".join(steps[:-1])) if steps else address(given)
            question = {"title": menu.title, "lines": lines, "back": back}
        return self._site.render(
            request,
            "papers",
            decks=decks,
            deck=deck,
            given=given,
            offered=papers_to_choose(option, shelf.list_faces(deck) if deck else (), given),
            question=question,
            make=address(given, make=""),
            most=MOST_ON_PAGE,
            printed=f"/print/papers.pdf?{urlencode({'house': ','.join(given)})}",
            teach=plural("Teach {count} paper: two pictures", "Teach {count} papers: two pictures", count=len(given)),
        )


def _follow(ask: Any, steps: list[str]) -> tuple[Menu, str | None]:
    """Follow the answers to a table's questions about a new paper: the next question, and its name after the last one.

    Raises:
        NothingThereError: there is no such answer.
    """
    made: list[str] = []
    menu: Menu = ask(made.append, None)
    for step in steps:
        if not (step.isascii() and step.isdecimal() and int(step) < len(menu.options)):
            raise NothingThereError(Text("There is no such answer."))
        following = menu.options[int(step)].take()
        if made:
            return menu, made[0]
        if following is None:
            raise NothingThereError(Text("There is no such answer."))
        menu = following
    return menu, None
