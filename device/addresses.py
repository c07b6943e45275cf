"""Addresses that people write: where the login ends that may stand in one, and how one may be shown."""

from __future__ import annotations

import re
from urllib.parse import unquote

_HOST = re.compile(r"(\[[0-9A-Fa-f:.%]+\]|[\w.-]+)(:\d*)?(?=[/?#]|\Z)")
_FAR_HOST = re.compile(r"(\[[0-9A-Fa-f:.%]+\]|localhost|[\w-]+(\.[\w-]+)+)(:\d*)?(?=[/?#]|\Z)")
_NUMBERS = re.compile(r"\[|localhost\b|\d+(\.\d+){3}(?=[:/?#]|\Z)")
_PLACES = ("folder:", "video:", "usb:", "sqlite")
"""What names a place on this machine, in which an ``@`` is only a letter."""


def split_login(address: str) -> tuple[str, str, str]:
    """Split an address into its scheme, its login (empty where there is none) and the rest from the host on.

    A password may hold ``/``, ``?``, ``#`` and ``@`` as it was given to somebody, so a login ends at the last ``@``
    that is followed by what can be nothing but a host; otherwise at the last.

    >>> split_login("http://me:a@b/c#d@10.0.0.9:81/main?user=x@y")
    ('http', 'me:a@b/c#d', '10.0.0.9:81/main?user=x@y')
    >>> split_login("https://camera.example/table@2")
    ('https', '', 'camera.example/table@2')
    """
    scheme, _, rest = address.partition("://")
    ends = [at for at, letter in enumerate(rest) if letter == "@"]
    host = _HOST.match(rest)
    if host and ends and (not host[2] or "?" in rest[: ends[0]] or _FAR_HOST.match(rest)):
        ends = []
    if not ends:
        return scheme, "", rest
    end = next((end for end in reversed(ends) if _FAR_HOST.match(rest, end + 1)), ends[-1])
    return scheme, rest[:end], rest[end + 1 :]


def without_password(address: str) -> str:
    """Return an address as it may be shown, printed, logged and reported: with nothing in it that can be a login.

    Neither name nor password before the host, nothing of a query, and of the path no part that sets something.
    What is no address is given back as it is.

    >>> without_password("rtsp://me:sec/ret@10.0.0.9:554/main?pwd=secret")
    'rtsp://10.0.0.9:554/main?…'
    >>> without_password("rtsp://10.0.0.9/user=me&password=secret/main")
    'rtsp://10.0.0.9/…'
    >>> without_password("me:secret@10.0.0.9"), without_password("folder:a@b?c=d")
    ('10.0.0.9', 'folder:a@b?c=d')
    """
    if address.startswith(_PLACES):
        return address
    if "://" not in address:
        login, _, rest = address.rpartition("@")
        rest = rest if ":" in login else address
        return re.sub(r"[?#].*=.*", "?…", rest, flags=re.DOTALL)
    scheme, login, rest = split_login(address)
    if not login and re.match("[^?#]*:[^?#]*@", rest) and not _NUMBERS.match(rest):
        rest = rest.rpartition("@")[2]  # a host with its port and a path, or a name and a password with a slash in it
    shown = re.split("[?#]", rest)[0]
    if setting := re.search("[=&;]", unquote(shown)):
        shown = f"{unquote(shown)[: setting.start()].rpartition('/')[0]}/…"
    elif shown != rest:
        shown += "?…"
    return f"{scheme}://{shown}"
