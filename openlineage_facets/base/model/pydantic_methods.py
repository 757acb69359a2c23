"""The methods of pydantic's models that Python users call by habit: each works, or names the right one."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any, NoReturn

from pydantic import ValidationError
from pydantic_core import to_json
from typing_extensions import Self

from openlineage_facets.base.json.json_input import json_value
from openlineage_facets.base.model.exact_integers import assert_exact_integers
from openlineage_facets.base.wire.pydantic_internals import validator_of

_COMPOSE = "{cls}(...), which validates"
_FROM_JSON = "from_json(...), which reads text or a dict in the wire format"

_INSTEAD = {
    "construct": _COMPOSE,
    "copy": "replace(...) for a changed copy",
    "dict": "to_dict()",
    "from_orm": "{cls}(...)",
    "json": "to_json()",
    "model_construct": _COMPOSE,
    "model_validate_strings": _FROM_JSON,
    "parse_file": "{cls}.from_json(path.read_bytes())",
    "parse_obj": _FROM_JSON,
    "parse_raw": _FROM_JSON,
}
"""What to use instead of methods that skip validation, convert text, or do not write the wire format."""

UNUSABLE_METHODS = _INSTEAD.keys() | set(
    """
    model_computed_fields model_parametrized_name model_post_init model_rebuild schema schema_json
    update_forward_refs validate
    """.split()
)
"""Attributes that are deprecated, raise an error or are called by pydantic only; completion omits them."""


def validate_last_keys(validate: Callable[[Any], Any], text: str | bytes | bytearray) -> Any:
    """Validate JSON text. Of equal keys in an object, the last one counts, in maps as everywhere else.

    pydantic validates each of the equal keys of a map.

    Args:
        validate: Validates a text.
        text: The text.

    Raises:
        ValidationError: It is not valid.
        EventError: An integer has a fraction that floats cannot hold.
    """
    try:
        value = validate(text)
    except ValidationError:
        document = json_value(text)
        if document is None:
            raise
        value = validate(to_json(document))
    assert_exact_integers(text, lambda marked: validate(to_json(json_value(marked))))
    return value


class PydanticMethods:
    """pydantic's methods, so that they never skip validation; those that write are in `writing`."""

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy; one with updates is validated, as by `replace`.

        Args:
            update: New values by Python name or wire name; None removes an optional field.
            deep: Whether to copy nested values, too.

        Raises:
            EventError: An updated value is invalid.
        """
        duplicate: Self = self.replace(**update) if update else copy.copy(self)  # type: ignore[attr-defined]
        return copy.deepcopy(duplicate) if deep else duplicate

    @classmethod
    def model_validate_json(
        cls, json_data: str | bytes | bytearray, *, strict: bool | None = None, **options: Any
    ) -> Self:
        """Validate JSON text in the wire format, strictly unless `strict=False`.

        Of equal keys in an object, the last one counts, as in `from_json`.

        Raises:
            ValidationError: It is not valid. `from_json` raises `EventError`, with JSON Pointers and hints.
        """
        validate: Any = validator_of(cls).validate_json  # type: ignore[arg-type]
        options["strict"] = strict is not False
        token = _STRICT.set(options["strict"])
        try:
            return validate_last_keys(lambda text: validate(text, **options), json_data)  # type: ignore[no-any-return]
        finally:
            _STRICT.reset(token)


def _unusable(name: str, instead: str) -> Any:
    """Return a class method that only says what to use instead."""

    def method(cls: type[Any], *values: Any, **options: Any) -> NoReturn:
        raise TypeError(f"{cls.__name__} has no {name}(); use {instead.format(cls=cls.__name__)}")

    method.__name__, method.__doc__ = name, f"Raise `TypeError`: use {instead.format(cls='the class')}."
    return classmethod(method)


# Set here, so that type checkers see pydantic's own declarations, most of them deprecated.
for _name, _alternative in _INSTEAD.items():
    setattr(PydanticMethods, _name, _unusable(_name, _alternative))


_STRICT: ContextVar[bool] = ContextVar("strict", default=True)


def is_strict() -> bool:
    """Return whether JSON is being parsed strictly, for validators, which cannot know."""
    return _STRICT.get()
