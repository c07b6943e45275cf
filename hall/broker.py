"""One connection to an MQTT broker, from its beginning to its end; what goes wrong with it has one name each."""

from __future__ import annotations

import hmac
import ssl
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from device.settings.broker import BrokerAddress
from device.typed_json import BadMessageError, read_moment
from hall.invitation import sum_certificate
from hall.table_end.folders import HallTrouble

_ALIVE_S = 20
"""So often the broker hears of the client, at least; after half as much again it gives out the last will."""
_PATIENCE_S = 10.0
"""How long a broker may take to let somebody in."""
_REFUSED = frozenset({0x86, 0x87, 0x8A, 0x8C})
"""Bad user name or password, not authorized, banned, bad authentication method."""
TAKEN_OVER = 0x8E
_NOT_YET_VALID, _EXPIRED = 9, 10
"""OpenSSL's words on a certificate."""
_NO_CHECK_TIME = 0x200000
"""OpenSSL's flag by which a certificate is good on any date."""
SENT = "sent"
"""The user property of MQTT 5 that says what the sender's clock showed as it sent a message."""
_NOTHING_RETAINED = SubscribeOptions.RETAIN_DO_NOT_SEND


class BrokerError(Exception):
    """The connection can't be had, or is lost."""

    def __init__(self, trouble: HallTrouble, cause: object = "") -> None:
        super().__init__(f"{trouble.name}: {cause}")
        self.trouble = trouble


def is_for_its_dates(error: object) -> bool:
    """Return whether a certificate is refused for its dates alone, so that a clock may be wrong."""
    return isinstance(error, ssl.SSLCertVerificationError) and error.verify_code in (_NOT_YET_VALID, _EXPIRED)


def read_sent_at(message: mqtt.MQTTMessage) -> datetime | None:
    """Return what the sender's clock showed as it sent this, where it says so."""
    for name, value in getattr(message.properties, "UserProperty", ()):
        if name == SENT:
            with suppress(BadMessageError):
                return read_moment(value)
    return None


@dataclass(frozen=True, slots=True)
class Access:
    """Where a broker is, what it asks for, and how it is known.

    That is by its own ``certificate``, as ``hall.invitation`` sums it; else by a file of certificates that it is signed
    by, the system's if none.
    """

    address: BrokerAddress
    password: str | None = field(default=None, repr=False)
    ca_file: str | None = None
    certificate: str | None = None

    def make_client(self, name: str) -> mqtt.Client:
        """Make a client of that name that is not connected yet; MQTT 5.

        Raises:
            BrokerError: the certificates can't be read, or the broker shows another one.
        """
        client = mqtt.Client(CallbackAPIVersion.VERSION2, name, protocol=mqtt.MQTTv5)
        if self.address.user is not None:
            client.username_pw_set(self.address.user, self.password)
        if self.address.tls:
            try:
                if self.certificate:
                    client.tls_set_context(_trust_only(self.address, self.certificate))
                else:
                    client.tls_set(self.ca_file)
            except (OSError, ssl.SSLError, ValueError) as error:
                raise BrokerError(HallTrouble.UNTRUSTED, error) from error
        return client


def _trust_only(address: BrokerAddress, certificate: str) -> ssl.SSLContext:
    """Return what trusts a broker with this very certificate and no other, whatever its name, its dates and our clock.

    Raises:
        BrokerError: the broker does not answer, or shows another one.
    """
    try:
        shown = ssl.get_server_certificate((address.host, address.port), timeout=_PATIENCE_S)
    except (OSError, ValueError) as error:
        raise BrokerError(HallTrouble.UNREACHABLE, error) from error
    if not hmac.compare_digest(sum_certificate(shown), certificate):
        raise BrokerError(HallTrouble.UNTRUSTED, "another certificate")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.load_verify_locations(cadata=shown)
    context.verify_flags |= ssl.VerifyFlags(_NO_CHECK_TIME)
    return context


@dataclass(frozen=True, slots=True)
class Reply:
    """The broker's word on a message: its number, and MQTT's reason code."""

    number: int
    reason: int

    @property
    def refused(self) -> bool:
        """Whether it was not taken."""
        return self.reason >= 0x80

    @property
    def heard_by_nobody(self) -> bool:
        """Whether it was taken, but nobody has subscribed to it."""
        return self.reason == 0x10


class Connection:
    """A client's connection to its broker; after a ``BrokerError`` there is none, and another one is to be made."""

    def __init__(self, access: Access, name: str, will: tuple[str, bytes]) -> None:
        """Connect as a client of that name; the broker says ``will``, a topic and its payload, when it is lost.

        Raises:
            BrokerError: it can't be had.
        """
        self._replies: list[Reply] = []
        self._heard: list[bytes] = []
        self._lost: int | None = None
        self._entered: int | None = None
        self._client = client = access.make_client(name)
        client.will_set(will[0], will[1], qos=1, retain=True)
        client.on_connect, client.on_disconnect, client.on_publish = self._on_connect, self._on_disconnect, self._on_ack
        client.on_message = self._on_message
        try:
            client.connect(access.address.host, access.address.port, _ALIVE_S, clean_start=True)
        except ssl.SSLCertVerificationError as error:
            raise BrokerError(HallTrouble.CLOCK if is_for_its_dates(error) else HallTrouble.UNTRUSTED, error) from error
        except (OSError, ValueError) as error:
            raise BrokerError(HallTrouble.UNREACHABLE, error) from error
        until = time.monotonic() + _PATIENCE_S
        while self._entered is None:
            if time.monotonic() > until:
                raise BrokerError(HallTrouble.UNREACHABLE, "no answer")
            self._turn(0.1)

    def publish(self, topic: str, payload: bytes, retain: bool) -> int:
        """Send a message, which the broker is to acknowledge; returns the number by which it does.

        What the clock shows goes with it.

        Raises:
            BrokerError: there is no connection any more.
        """
        with_it = Properties(PacketTypes.PUBLISH)
        with_it.UserProperty = (SENT, datetime.now(UTC).isoformat(timespec="milliseconds"))
        sent = self._client.publish(topic, payload, qos=1, retain=retain, properties=with_it)
        if sent.rc != mqtt.MQTT_ERR_SUCCESS:
            raise BrokerError(HallTrouble.UNREACHABLE, sent.rc)
        return sent.mid

    def wait_for_replies(self, timeout_s: float) -> list[Reply]:
        """Wait for the broker for so long at most; what it has acknowledged or refused.

        Raises:
            BrokerError: the connection is lost.
        """
        self._turn(timeout_s)
        replies, self._replies = self._replies, []
        return replies

    def listen(self, topic: str) -> None:
        """Hear what others say there from now on."""
        self._client.subscribe(topic, options=SubscribeOptions(qos=1, noLocal=True, retainHandling=_NOTHING_RETAINED))

    def take_heard(self) -> list[bytes]:
        """Return what others have said since the last call."""
        heard, self._heard = self._heard, []
        return heard

    def close(self) -> None:
        """Leave, without the last will."""
        self._client.disconnect()
        self._client.loop(0.1)

    def _turn(self, timeout_s: float) -> None:
        code = self._client.loop(timeout_s)
        if self._lost is not None:
            raise BrokerError(_trouble_of(self._lost), self._lost)
        if code != mqtt.MQTT_ERR_SUCCESS:
            raise BrokerError(HallTrouble.UNREACHABLE, code)

    def _on_connect(self, _client: Any, _data: Any, _flags: Any, reason: ReasonCode, _properties: Any) -> None:
        if reason.is_failure:
            self._lost = reason.value
        else:
            self._entered = reason.value

    def _on_disconnect(self, _client: Any, _data: Any, _flags: Any, reason: ReasonCode, _properties: Any) -> None:
        self._lost = reason.value if self._lost is None else self._lost

    def _on_message(self, _client: Any, _data: Any, message: mqtt.MQTTMessage) -> None:
        self._heard.append(bytes(message.payload))

    def _on_ack(self, _client: Any, _data: Any, number: int, reason: ReasonCode, _properties: Any) -> None:
        self._replies.append(Reply(number, reason.value))


def _trouble_of(reason: int) -> HallTrouble:
    if reason == TAKEN_OVER:
        return HallTrouble.NAMESAKE
    return HallTrouble.REFUSED if reason in _REFUSED else HallTrouble.UNREACHABLE
