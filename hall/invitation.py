"""How a table is asked into a hall: all that it needs to know, as the code on its sheet, or sealed under a short one.

The code to scan holds the broker's address, the names, the table's password and its certificate's sum, so that nobody
can stand between. Whoever types the short code gets the same from the hall's board, sealed: only the code opens it,
and what it opens is the hall's own word, whatever network it came through.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import ssl
import unicodedata
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import astuple, dataclass, field

from device.errors import DeviceError
from device.settings.broker import BrokerAddress
from hall.messages import is_topic_name
from rules.text import Text
from web.table_end.code import LETTERS

_MARK, _VERSION = "sevenmat-hall", 1
_SUM = re.compile(r"[A-Za-z0-9_-]{43}")
_HOST = re.compile(r"[A-Za-z0-9.:_-]{1,253}")
_MOST = 600
"""Letters of a code to scan."""
NAME_LENGTH, SECRET_LENGTH = 2, 6
"""Of a short code: what it is known by at the board, and what opens the sealed invitation."""
_SALT, _TAG = 16, 32
_SCRYPT = {"n": 1 << 15, "r": 8, "p": 1, "maxmem": 1 << 26}
"""One guess takes 32 MB and a tenth of a second; there are a thousand million."""

NO_INVITATION = Text("That is no code of a hall: lay the sheet that was printed for this table.")
WRONG_CODE = Text("That is not this table's code: look at its sheet once more, or have it printed anew.")


@dataclass(frozen=True, slots=True)
class Invitation:
    """What a table is told of its hall; ``certificate`` is the SHA-256 of the broker's certificate, in base 64."""

    host: str
    port: int
    hall: str
    table: str
    password: str = field(repr=False)
    certificate: str

    @property
    def broker(self) -> BrokerAddress:
        """Where the broker is, and as whom the table comes there."""
        return BrokerAddress(self.host, self.port, True, self.table)

    def write_code(self) -> str:
        """Write it as the text of a code to scan."""
        return json.dumps([_MARK, _VERSION, *astuple(self)], ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def read_code(cls, text: str) -> Invitation:
        """Read the text of a code that was scanned.

        Raises:
            DeviceError: it is none of a hall.
        """
        try:
            mark, version, host, port, hall, table, password, certificate = json.loads(text[:_MOST])
        except (ValueError, TypeError, RecursionError):
            raise DeviceError(NO_INVITATION) from None
        words = (host, hall, table, password, certificate)
        right = (mark, version) == (_MARK, _VERSION) and all(isinstance(one, str) for one in words)
        right = right and type(port) is int and 0 < port < 65536 and _HOST.fullmatch(host) is not None
        if not (right and is_topic_name(hall) and is_topic_name(table) and password and _SUM.fullmatch(certificate)):
            raise DeviceError(NO_INVITATION)
        return cls(host, port, hall, table, password, certificate)

    def seal(self, code: str) -> str:
        """Seal it under a short code, as text that anybody may see."""
        text, salt = self.write_code().encode(), secrets.token_bytes(_SALT)
        pad, key = _derive(code, salt, len(text))
        hidden = bytes(a ^ b for a, b in zip(text, pad, strict=True))
        return _encode(salt + hidden + hmac.digest(key, salt + hidden, "sha256"))

    @classmethod
    def unseal(cls, sealed: str, code: str) -> Invitation:
        """Open what was sealed under this code, however that was typed.

        Raises:
            DeviceError: the code is another one.
        """
        try:
            data = urlsafe_b64decode(sealed + "=" * (-len(sealed) % 4))
        except ValueError:
            data = b""
        if not _SALT + _TAG < len(data) <= 4 * _MOST:
            raise DeviceError(WRONG_CODE)
        salt, hidden, tag = data[:_SALT], data[_SALT:-_TAG], data[-_TAG:]
        pad, key = _derive(code, salt, len(hidden))
        if not hmac.compare_digest(hmac.digest(key, salt + hidden, "sha256"), tag):
            raise DeviceError(WRONG_CODE)
        return cls.read_code(bytes(a ^ b for a, b in zip(hidden, pad, strict=True)).decode("utf-8", "replace"))


def make_code() -> str:
    """Make a short code: ``ABCD-EFGH``, of letters and digits that can't be confused."""
    letters = "".join(secrets.choice(LETTERS) for _ in range(NAME_LENGTH + SECRET_LENGTH))
    return f"{letters[:4]}-{letters[4:]}"


def clean_code(typed: str) -> str:
    """Return a short code as it was made, however it was typed; nothing where it can't be one."""
    code = re.sub(r"[^0-9A-Za-z]", "", unicodedata.normalize("NFKC", typed)).upper()[:100]
    right = len(code) == NAME_LENGTH + SECRET_LENGTH and set(code) <= set(LETTERS)
    return code if right else ""


def sum_certificate(pem: str) -> str:
    """Return the sum by which a certificate in PEM is known."""
    return _encode(hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem)).digest())


def _derive(code: str, salt: bytes, length: int) -> tuple[bytes, bytes]:
    """Return what hides so many bytes, used once as the salt is, and the key that signs them."""
    secret = clean_code(code)[NAME_LENGTH:].encode()
    both = hashlib.scrypt(secret, salt=salt, dklen=length + _TAG, **_SCRYPT)
    return both[:length], both[length:]


def _encode(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()
