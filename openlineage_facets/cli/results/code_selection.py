"""Selection of finding codes by `--select` and `--ignore`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.results.file_codes import every_code


@dataclass(frozen=True)
class CodeSelection:
    """Codes to report: the selected ones except the ignored ones.

    If both a selected and an ignored prefix match a code, the longer one wins, or the ignored one if they are
    equal.

    Args:
        select: Codes or prefixes of codes. Empty for all codes.
        ignore: Codes or prefixes of codes.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    @classmethod
    def parse(cls, select: Iterable[str], ignore: Iterable[str]) -> CodeSelection:
        """Parse option values: case-insensitive codes or prefixes, separated by commas.

        Raises:
            CommandError: A code or prefix matches no known code.
        """
        return cls(_codes(select, "select"), _codes(ignore, "ignore"))

    def selects(self, code: str) -> bool:
        """Return whether findings with this code are reported."""
        return _selects(self, code)


@lru_cache(maxsize=1024)
def _selects(selection: CodeSelection, code: str) -> bool:
    selected = _longest_match(selection.select, code) if selection.select else 0
    return selected > _longest_match(selection.ignore, code)


def _longest_match(prefixes: tuple[str, ...], code: str) -> int:
    """Return the length of the longest prefix that matches `code`, -1 for none."""
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=-1)


def _codes(values: Iterable[str], option: str) -> tuple[str, ...]:
    codes = [code.strip().upper() for value in values for code in value.split(",") if code.strip()]
    known = every_code()
    unknown = [code for code in codes if not any(known_code.startswith(code) for known_code in known)]
    if unknown:
        raise CommandError(
            f"{option}: unknown code {', '.join(unknown)}; expected codes such as OL012 or prefixes such as "
            "OL3; `openlineage-facets explain` lists all codes, including those of installed rule packages"
        )
    return tuple(dict.fromkeys(codes))
