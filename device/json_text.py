"""JSON objects read from files that anybody may have written, each fault named in English and Japanese."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from rules.plain import shorten_line
from rules.text import SaidError, Text


class NoObjectError(SaidError, ValueError):
    """A text that is no JSON object; ``text`` names the cause, to follow a colon."""


class TornError(NoObjectError):
    """A text that breaks off, or never was JSON."""


def read_object(text: str) -> dict[str, Any]:
    """Read the JSON object that a text holds; its numbers are finite, its strings can be written to a file.

    >>> read_object('{"t":1}')
    {'t': 1}

    Raises:
        NoObjectError: it holds none.
    """
    try:
        data = json.loads(text, parse_constant=_no_number, parse_float=_parse_finite)
        json.dumps(data, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise TornError(Text("it is no whole JSON object")) from error
    except RecursionError as error:
        raise NoObjectError(Text("it is nested far too deeply")) from error
    except UnicodeEncodeError as error:
        raise NoObjectError(Text("it holds half a character")) from error
    except NoObjectError:
        raise
    except ValueError as error:  # Python reads no number of more than some thousand digits
        raise NoObjectError(Text("a number in it has far too many digits")) from error
    if not isinstance(data, dict):
        raise NoObjectError(Text("it is no JSON object"))
    return data


def _no_number(constant: str) -> NoReturn:
    raise NoObjectError(Text("{constant} is no number in JSON", constant=constant))


def _parse_finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise NoObjectError(Text("the number {number} is too large", number=shorten_line(text, 20)))
    return number
