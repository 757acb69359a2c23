"""Which codes a check reports."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from openlineage_facets.cli.failure import CommandError
from openlineage_facets.cli.file_codes import every_code

__all__ = ["Selection"]


@dataclass(frozen=True)
class Selection:
    """Which codes to report: those selected, without those ignored.

    Of a selected and an ignored beginning that a code has, the longer one counts; of equals, the ignored.

    Args:
        select: Codes, or beginnings of codes; all where it is empty.
        ignore: Codes, or beginnings of codes.

    Raises:
        CommandError: No code is, or begins, like that.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    @classmethod
    def of(cls, select: Iterable[str], ignore: Iterable[str]) -> Selection:
        """Make one of what users write: in any case, several separated by commas."""
        return cls(_codes(select, "select"), _codes(ignore, "ignore"))

    def selects(self, code: str) -> bool:
        """Return whether findings of `code` are reported."""
        return _selects(self, code)


@lru_cache(maxsize=1024)
def _selects(selection: Selection, code: str) -> bool:
    taken = _longest(selection.select, code) if selection.select else 0
    return taken > _longest(selection.ignore, code)


def _longest(beginnings: tuple[str, ...], code: str) -> int:
    """Return the length of the longest of `beginnings` that `code` has, -1 for none."""
    return max((len(one) for one in beginnings if code.startswith(one)), default=-1)


def _codes(given: Iterable[str], option: str) -> tuple[str, ...]:
    codes = [code.strip().upper() for item in given for code in item.split(",") if code.strip()]
    known = every_code()
    unknown = [code for code in codes if not any(one.startswith(code) for one in known)]
    if unknown:
        raise CommandError(
            f"{option}: expected codes such as OL012, or beginnings such as OL3, found {', '.join(unknown)}; "
            "`openlineage-facets explain` lists all, those of rules from other packages where these are "
            "installed"
        )
    return tuple(dict.fromkeys(codes))
