"""Values in a few words, for `repr`."""

from __future__ import annotations

from reprlib import Repr
from typing import Any

__all__ = ["Short"]


class Short:
    """Shows a value in a few words, so that a two-thousand-column event still fits on a screen."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __repr__(self) -> str:
        return _SHORT.repr(self._value)


_SHORT = Repr()
_SHORT.maxlevel = 3
_SHORT.maxdict = _SHORT.maxlist = _SHORT.maxtuple = 3
_SHORT.maxstring = 60
_SHORT.maxother = 160
