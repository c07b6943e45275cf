"""Where an MQTT broker is: its address as people write it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

from rules.plain import is_plain

_PORTS = {"mqtt": 1883, "mqtts": 8883}


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """A broker's host and port, whether it is spoken to by TLS, and as which user; ``path`` is what follows.

    >>> BrokerAddress.parse("mqtts://cafe@hall.example/Club%20evening")
    BrokerAddress(host='hall.example', port=8883, tls=True, user='cafe', path='Club evening')
    """

    host: str
    port: int
    tls: bool
    user: str | None
    path: str = ""

    @classmethod
    def parse(cls, text: str) -> BrokerAddress | None:
        """Parse a broker's address; ``None`` where it is none, or where it holds a password."""
        try:
            parts = urlsplit(text)
            host, port, user, path = parts.hostname, parts.port, parts.username, unquote(parts.path, errors="strict")
        except ValueError:
            return None
        if parts.scheme not in _PORTS or not host or parts.password is not None or parts.query or parts.fragment:
            return None
        if not is_plain(text) or " " in host or port == 0:
            return None
        tls = parts.scheme == "mqtts"
        return cls(host, port or _PORTS[parts.scheme], tls, unquote(user) if user else None, path.strip("/"))

    @property
    def url(self) -> str:
        """The address as it is written, without what follows."""
        user = f"{quote(self.user, safe='')}@" if self.user else ""
        return f"{'mqtts' if self.tls else 'mqtt'}://{user}{self}"

    def __str__(self) -> str:
        """Host and port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"
