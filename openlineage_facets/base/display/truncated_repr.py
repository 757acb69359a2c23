"""Truncated and redacted representations of values, for `repr`."""

from __future__ import annotations

from collections.abc import Iterable
from reprlib import Repr
from typing import Any

from typing_extensions import override


class TruncatedRepr:
    """Wraps a value so that its `repr` stays short, even for an event with two thousand columns."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __repr__(self) -> str:
        return _TRUNCATING.repr(self._value)


def redacted_items(items: Iterable[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Redact the texts among named values by their names: `password`, and `value` if `name` is "password"."""
    # Loaded with the first `repr`.
    from openlineage_facets.base.redaction.redact import name_in, redact_option
    from openlineage_facets.base.redaction.secret_table import VALUE_KEYS

    named = dict(items)
    name_of_value = name_in(named)

    def redacted(name: str, text: str) -> str:
        return redact_option(name_of_value if name_of_value and VALUE_KEYS.fullmatch(name) else name, text)

    return [
        (name, redacted(str(name), value) if isinstance(value, str) else value)
        for name, value in named.items()
    ]


class _RedactingRepr(Repr):
    """Redacts texts, before truncating them: half a secret is no longer recognized."""

    @override
    def repr_str(self, x: str, level: int) -> str:
        from openlineage_facets.base.redaction.redact import redact_start

        return super().repr_str(redact_start(x), level)

    @override
    def repr_dict(self, x: dict[str, Any], level: int) -> str:
        return super().repr_dict(dict(redacted_items(x.items())), level)


_TRUNCATING = _RedactingRepr()
_TRUNCATING.maxlevel = 3
_TRUNCATING.maxdict = _TRUNCATING.maxlist = _TRUNCATING.maxtuple = 3
_TRUNCATING.maxstring = 60
_TRUNCATING.maxother = 160
