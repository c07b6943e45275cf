"""JSON objects read from files that anybody may have written, each fault named in English and Japanese."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from rules.plain import shortly


class NoObjectError(ValueError):
    """A text that is no JSON object; ``en`` and ``ja`` name the cause, to follow a colon."""

    def __init__(self, en: str, ja: str) -> None:
        super().__init__(en)
        self.en = en
        self.ja = ja


class TornError(NoObjectError):
    """A text that breaks off, or never was JSON."""


def read_object(text: str) -> dict[str, Any]:
    """The JSON object that a text holds; its numbers are finite, its strings can be written to a file.

    >>> read_object('{"t":1}')
    {'t': 1}

    Raises:
        NoObjectError: it holds none.
    """
    try:
        data = json.loads(text, parse_constant=_no_number, parse_float=_finite)
        json.dumps(data, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise TornError("it is no whole JSON object", "JSONオブジェクトとして読めません") from error
    except RecursionError as error:
        raise NoObjectError("it is nested far too deeply", "入れ子が深すぎます") from error
    except UnicodeEncodeError as error:
        raise NoObjectError("it holds half a character", "文字の片割れが含まれています") from error
    except NoObjectError:
        raise
    except ValueError as error:  # Python reads no number of more than some thousand digits
        raise NoObjectError("a number in it has far too many digits", "数の桁が多すぎます") from error
    if not isinstance(data, dict):
        raise NoObjectError("it is no JSON object", "JSONオブジェクトではありません")
    return data


def _no_number(constant: str) -> NoReturn:
    raise NoObjectError(f"{constant} is no number in JSON", f"{constant}はJSONの数ではありません")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise NoObjectError(f"the number {shortly(text, 20)} is too large", f"数が大きすぎます（{shortly(text, 20)}）")
    return number
