"""The page on phones, as the appliance has it: what it answers for phones, and the menu that lets them in."""

from __future__ import annotations

from device.app.navigator import Navigator
from device.app.services.services import Services
from device.app.services.settings import CurrentSettings
from device.outward import Answer
from referee.menu import Menu
from web.table_end.beginning import make_answers
from web.table_end.phone_menu import phone_menu
from web.table_end.phones import Phones
from web.table_end.process import PageProcess


class TablePage(PageProcess):
    """The page of a table that plays."""

    def make_answers(self, services: Services) -> dict[str, Answer]:
        """Return what is answered besides presses, by what a phone asks for."""
        return make_answers(services)

    def open_menu(self, settings: CurrentSettings, navigator: Navigator, parent: Menu | None) -> Menu:
        """Open the menu that lets phones in."""
        return phone_menu(Phones(self, settings, navigator), parent)
