"""Where a hall's broker is reached, and as whom."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote, urlsplit


@dataclass(frozen=True, slots=True)
class Broker:
    """Where a broker is, and the hall there. ``user`` ``None`` is nobody in particular."""

    host: str
    port: int
    hall: str
    user: str | None = None
    password: str | None = None
    tls: bool = False

    @classmethod
    def parse(cls, url: str) -> Broker:
        """The broker that ``mqtt[s]://[USER[:PASSWORD]@]HOST[:PORT]/HALL`` names.

        Raises:
            ValueError: it names none.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname or not parts.path.strip("/"):
            raise ValueError(url)
        tls = parts.scheme == "mqtts"
        user = unquote(parts.username) if parts.username else None
        password = unquote(parts.password) if parts.password else None
        hall = unquote(parts.path.strip("/"))
        return cls(parts.hostname, parts.port or (8883 if tls else 1883), hall, user, password, tls)
