"""JSON text in: one form for everything that is read, whatever it came as."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_core import from_json

from openlineage_facets.base.errors import EventError, Finding, shown

__all__ = ["json_text", "json_value"]


def json_text(data: str | bytes | bytearray | Mapping[str, Any]) -> bytes | bytearray:
    """Return `data` as JSON text.

    Raises:
        EventError: `data` is neither text nor an object of JSON values.
    """
    if isinstance(data, (bytes, bytearray)):
        return data
    if isinstance(data, str):
        try:
            return data.encode()
        except UnicodeEncodeError:
            raise _no_json("text with lone surrogates, which UTF-8 cannot carry") from None
    if isinstance(data, Mapping):
        import json

        try:
            text = json.dumps(data if type(data) is dict else dict(data), ensure_ascii=True).encode()
            _assert_text_keys(data)
            return text
        except (TypeError, ValueError) as error:
            raise _no_json(f"a dict that holds something else ({error})", "OL015") from None
        except RecursionError:
            raise _no_json("a dict nested too deep to read") from None
    raise _no_json(shown(data), "OL002")


def _assert_text_keys(value: Any) -> None:
    """Refuse the keys that `json.dumps` would spell as text: two of them could become one."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            if not isinstance(key, str):
                raise TypeError(f"the key {key!r} is no string")
            _assert_text_keys(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _assert_text_keys(item)


def json_value(text: bytes | bytearray) -> Any:
    """Return the value of JSON text, or None where it is no JSON."""
    try:
        return from_json(text)
    except ValueError:
        return None


def _no_json(found: str, code: str = "OL001") -> EventError:
    return EventError([Finding("", "JSON text or a dict of JSON values", found, code=code)])
