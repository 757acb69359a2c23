"""Truncated representations of values, for `repr`."""

from __future__ import annotations

from reprlib import Repr
from typing import Any

from typing_extensions import override

__all__ = ["TruncatedRepr"]


class TruncatedRepr:
    """Wraps a value so that its `repr` stays short, even for an event with two thousand columns."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __repr__(self) -> str:
        return _TRUNCATING.repr(self._value)


class _RedactingRepr(Repr):
    """Redacts strings, before truncating them: half a secret is no longer recognized."""

    @override
    def repr_str(self, x: str, level: int) -> str:
        from openlineage_facets.base.redaction.redact import redact_start  # Loaded with the first string.

        return super().repr_str(redact_start(x), level)


_TRUNCATING = _RedactingRepr()
_TRUNCATING.maxlevel = 3
_TRUNCATING.maxdict = _TRUNCATING.maxlist = _TRUNCATING.maxtuple = 3
_TRUNCATING.maxstring = 60
_TRUNCATING.maxother = 160
