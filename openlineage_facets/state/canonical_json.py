"""Facets as canonical JSON: equal values have equal texts, which are parsed into typed facets again."""

from __future__ import annotations

import json
import marshal
import re
from collections.abc import Callable, Mapping
from sys import intern
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from openlineage_facets.base.containers.facet_map import FacetMap, container_adapter
from openlineage_facets.base.errors.json_pointer import json_pointer

if TYPE_CHECKING:
    from pydantic import TypeAdapter

C = TypeVar("C", bound=FacetMap[Any])


def read_facets(container: type[C], values: Mapping[str, str], pointer: str) -> tuple[C, dict[str, Any]]:
    """Parse facets into their typed container.

    Args:
        container: The class of the container.
        values: Canonical JSON of each facet by facet key, without tombstones.
        pointer: JSON Pointer to the facets.

    Returns:
        The container, and the invalid facets as plain JSON by JSON Pointer.
    """
    current = dict(sorted(values.items()))
    adapter = container_adapter(container)
    try:
        return adapter.validate_json(_object_of(current)), {}
    except ValidationError:
        pass
    invalid = {key: value for key, value in current.items() if not _is_valid(adapter, key, value)}
    valid = {key: value for key, value in current.items() if key not in invalid}
    invalid_json = {f"{pointer}{json_pointer([key])}": json.loads(value) for key, value in invalid.items()}
    return adapter.validate_json(_object_of(valid)), invalid_json


def _is_valid(adapter: TypeAdapter[C], key: str, value: str) -> bool:
    try:
        adapter.validate_json(_object_of({key: value}))
    except ValidationError:
        return False
    return True


def _object_of(values: Mapping[str, str]) -> str:
    return "{" + ",".join(f"{json.dumps(key)}:{value}" for key, value in values.items()) + "}"


_encode, _encode_finite = (
    json.JSONEncoder(
        sort_keys=True, separators=(",", ":"), allow_nan=False, check_circular=check_circular
    ).encode
    for check_circular in (True, False)
)
"""The second one is for values that do not contain themselves. It takes three quarters of the time."""

_WHOLE_FLOAT = re.compile(r"\.0(?:[,\]}]|$)")
"""What a text with a whole float contains, and few others do: the examination of all values takes longer."""

_EXACT = 2**53
"""Smaller whole floats are exact."""


def _text_of(value: Any, encode: Callable[[Any], str]) -> str:
    text = encode(value)
    # To look for two characters first takes a tenth of the time.
    has_whole_float = ".0" in text and _WHOLE_FLOAT.search(text)
    return encode(_with_integers(value)) if has_whole_float else text


def _with_integers(value: Any) -> Any:
    """Return a value with integers for whole floats, as typed fields read them: 5.0 is an integer in JSON."""
    if isinstance(value, dict):
        return {name: _with_integers(field) for name, field in value.items()}
    if isinstance(value, (list, tuple)):
        return [_with_integers(item) for item in value]
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < _EXACT
    return int(value) if is_whole else value


_WITHOUT_REFERENCES = 2
"""A version of marshal in which bytes depend on the value only."""

_BYTES = 16 << 20
"""Marshalled bytes of the values that are remembered. All are forgotten when there are more."""


class _Texts:
    """Remembers texts by the marshalled value, which costs a quarter of sorting and encoding it."""

    def __init__(self) -> None:
        self._known: dict[bytes, str] = {}
        self._size = 0

    def of(self, value: Any) -> str:
        try:
            key = marshal.dumps(value, _WITHOUT_REFERENCES)
        except ValueError:  # It contains an object of another class, such as an enumeration, or itself.
            return intern(_text_of(value, _encode))
        text = self._known.get(key)
        if text is None:
            text = intern(_text_of(value, _encode_finite))
            self._size += len(key)
            if self._size > _BYTES:
                self._known, self._size = {}, len(key)
            self._known[key] = text
        return text


_texts = _Texts()


def canonical_json(value: Any) -> str:
    """Return a value as JSON with sorted keys, and whole numbers without a fraction.

    The same facet occurs in thousands of events, and is stored for each run that reported it. Therefore texts
    are interned, and the latest ones are remembered.

    Raises:
        TypeError: The value is not JSON.
        ValueError: It contains NaN or an infinite number, or itself.
        RecursionError: It is nested too deeply.
    """
    return _texts.of(value)
