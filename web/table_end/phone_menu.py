"""How phones come to the table: codes to scan, a new key, a Wi-Fi of the table's own, and turning the page off."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from urllib.parse import urlsplit

from device.errors import DeviceError
from referee.menu import Menu, Option
from rules.text import Text
from web.table_end import wifi
from web.table_end.address import LOOPBACK
from web.table_end.phones import Phones, qr_code

_ALONE = Text("No phone reaches that address yet: bring this machine into a network, or change web.listen.")
_DONE, _OTHER = Text("Done"), Text("Another address")


def phone_menu(phones: Phones, parent: Menu | None, turned: int = 0) -> Menu:
    """Make the menu of the code that lets phones in, and what may be changed about that; open the page where it is off.

    Where the machine is in several networks, it is asked to be ``turned`` to the next address.
    """
    phones.wait()
    try:
        addresses = phones.open()
    except DeviceError as error:
        return Menu.dead_end(error.text, parent)

    def reopen_menu() -> Menu:
        return phone_menu(phones, parent)

    def try_action(act: Callable[[], object], then: Callable[[], Menu | None]) -> Menu | None:
        """Do something and go on; where it fails, the reason is said and the way leads back."""
        phones.wait()
        try:
            act()
        except DeviceError as error:
            return Menu.dead_end(error.text, menu)
        return then()

    def ask_first(title: Text, yes: Text, act: Callable[[], object], then: Callable[[], Menu]) -> Menu:
        options = Option(Text("No, go back"), lambda: menu), Option(yes, partial(try_action, act, then))
        return Menu(title, options, parent=menu)

    def show_wifi(here: wifi.Wifi | None) -> Menu:
        return _wifi_menu(here, reopen_menu) if here is not None else reopen_menu()

    address = addresses[turned % len(addresses)]
    lines = [Option(_DONE, lambda: parent)]
    if len(addresses) > 1:
        lines.append(Option(_OTHER, lambda: phone_menu(phones, parent, turned + 1)))
    lines.append(Option(Text("A code to type"), lambda: _make_code_menu(phones, address, reopen_menu)))
    if wifi.is_there():
        here = wifi.joined()
        if here is not None:
            lines.append(Option(Text("Code of the Wi-Fi"), partial(show_wifi, here)))
        if wifi.is_own():
            lines.append(Option(Text("End the Wi-Fi of its own"), partial(try_action, wifi.end_own, reopen_menu)))
        elif wifi.may_make():
            title = Text("A Wi-Fi of its own: this machine leaves the one it is in, until it is switched off.")
            make = partial(ask_first, title, Text("Yes, make it"), wifi.make_own, lambda: show_wifi(wifi.joined()))
            lines.append(Option(Text("Make a Wi-Fi of its own"), make))
    title = Text("New key: all phones must scan again.")
    renew = partial(ask_first, title, Text("Yes, a new key"), phones.renew_key, reopen_menu)
    lines.append(Option(Text("New key"), renew))
    lines.append(Option(Text("Turn the page off"), partial(try_action, phones.turn_off, lambda: parent)))
    before, _, key = address.partition("?key=")
    alone = urlsplit(address).hostname in (LOOPBACK, "localhost", "::1")
    title = _ALONE if alone else Text("Scan this with a phone.")
    menu = Menu(title, tuple(lines), parent=parent, code=qr_code(address, (f"{before}?key=", key)))
    return menu


def _make_code_menu(phones: Phones, address: str, then: Callable[[], Menu]) -> Menu:
    """Show the short code under the code to scan; phones that watch the display don't see it."""
    done = (Option(_DONE, then),)
    try:
        typed = address.partition("/?")[0], phones.get_code()
    except DeviceError as error:
        return Menu.dead_end(error.text, then())
    title = Text("Type this address and the six characters; they are good once, for ten minutes.")
    return Menu(title, done, parent=then(), code=qr_code(address, typed))


def _wifi_menu(here: wifi.Wifi, then: Callable[[], Menu]) -> Menu:
    """Make the menu of the code by which a phone joins the Wi-Fi; the page's own comes after it."""
    done = (Option(Text("On to the page"), then),)
    typed = tuple(filter(None, (here.name, here.password)))
    return Menu(Text("First join this Wi-Fi."), done, parent=then(), code=qr_code(here.code, typed))
