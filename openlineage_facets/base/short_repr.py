"""Short representations of values, for `repr`."""

from __future__ import annotations

from reprlib import Repr
from typing import Any

from typing_extensions import override

__all__ = ["Short"]


class Short:
    """Wraps a value so that its `repr` is short, even for an event with two thousand columns."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __repr__(self) -> str:
        return _SHORT.repr(self._value)


class _RedactingRepr(Repr):
    """Redacts a string before truncating it, since half a secret is no longer recognized."""

    @override
    def repr_str(self, x: str, level: int) -> str:
        if len(x) > self.maxstring:
            from openlineage_facets.base.redaction.redact import redact_start

            x = redact_start(x)
        return super().repr_str(x, level)


_SHORT = _RedactingRepr()
_SHORT.maxlevel = 3
_SHORT.maxdict = _SHORT.maxlist = _SHORT.maxtuple = 3
_SHORT.maxstring = 60
_SHORT.maxother = 160
