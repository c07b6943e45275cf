"""How phones come to the table: its page, and the code that they read off the display."""

from __future__ import annotations

from urllib.parse import urlsplit

from device.app.navigator import ONE_MOMENT, Navigator
from device.app.services.settings import CurrentSettings
from device.errors import DeviceError
from device.settings.kinds import listen_at
from referee.menu import QrCode
from rules.text import Text
from web.table_end.address import USUAL, PageKey
from web.table_end.code import PageCode
from web.table_end.process import PageProcess, open_page


class Phones:
    """Opens the page and turns it off; either holds after a restart too."""

    def __init__(self, page: PageProcess, settings: CurrentSettings, navigator: Navigator) -> None:
        self._page, self._settings, self._navigator = page, settings, navigator

    def wait(self, words: Text = ONE_MOMENT) -> None:
        """Say that something takes a while now."""
        self._navigator.show_busy(words)

    def open(self) -> list[str]:
        """Open the page where it is off: where the settings say, at a free port where that one is taken.

        Returns the addresses that a phone may open, with the key, the likeliest first.

        Raises:
            DeviceError: its packages are missing, it can't listen there, or key or settings can't be read.
        """
        if addresses := self._page.addresses:
            return addresses
        kept = self._settings.get_all().web.listen
        host, port = listen_at(kept) or USUAL
        try:
            open_page(self._page, host, port)
        except DeviceError:
            open_page(self._page, host, 0)
        addresses = self._page.addresses
        if not kept:
            self._settings.keep("web.listen", str(urlsplit(addresses[0]).port))
        return addresses

    def renew_key(self) -> None:
        """Shut out all phones until they scan again.

        Raises:
            DeviceError: the new key can't be kept; the old one holds then.
        """
        PageKey(self._page.state).renew()
        PageCode(self._page.state).renew()

    def get_code(self) -> str:
        """Return the short code that may be typed in place of the key now.

        Raises:
            DeviceError: it can't be read or written.
        """
        return PageCode(self._page.state).value()

    def turn_off(self) -> None:
        """Turn the page off."""
        self._page.close()
        self._settings.keep("web.listen", "")


def qr_code(text: str, typed: tuple[str, ...]) -> QrCode:
    """Draw the code of a text's code, as small as may be; ``typed`` is what stands under it."""
    import segno  # of the extra "web", without which no page can be opened

    return QrCode(tuple(map(bytes, segno.make_qr(text, error="l").matrix)), typed)
