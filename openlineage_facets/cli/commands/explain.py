"""`openlineage-facets explain`: describe finding codes, with an invalid and a valid example."""

from __future__ import annotations

import difflib
import json
import sys
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.options import complete_codes

if TYPE_CHECKING:
    from openlineage_facets.validation.rule import FindingCode

_MOST_CHANGES = 6
"""If more lines differ, the valid example is shown as a whole."""
_WIDTH = 100


def explain(
    codes: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CODE",
            help="Codes or prefixes to explain (OL012, OL3). Default: list all codes.",
            autocompletion=complete_codes,
        ),
    ] = None,
    explain_all: Annotated[bool, typer.Option("--all", help="Explain all codes.")] = False,
) -> None:
    """Explain the codes of findings.

    Each explanation includes an invalid and a valid example.
    """
    from openlineage_facets.cli.results.codes import every_code

    known = every_code()
    if explain_all:
        codes = list(known)
    if not codes:
        for entry in known.values():
            print(f"{entry.code}  {entry.severity:<7}  {entry.title}")
        return
    requested = [code.strip().upper() for code in codes]
    matches = {prefix: [code for code in known if code.startswith(prefix)] for prefix in requested}
    unknown = [prefix for prefix, matching in matches.items() if not prefix or not matching]
    if unknown:
        raise CommandError(
            f"unknown code {', '.join(unknown)}; expected a code such as OL012 or a prefix such as OL3; "
            "`openlineage-facets explain` lists all codes"
        )
    pages = dict.fromkeys(code for matching in matches.values() for code in matching)
    sys.stdout.write("\n\n".join(_page(known[code]) for code in pages))


def _page(entry: FindingCode) -> str:
    return "".join(f"{line}\n" for line in _lines(entry))


def _lines(entry: FindingCode) -> Iterator[str]:
    from openlineage_facets.validation.code_catalogue import examples_of

    title = f"{entry.code}: {entry.title} ({entry.severity})"
    yield title
    yield "=" * len(title)
    for paragraph in entry.page.split("\n\n"):
        yield ""
        yield from textwrap.wrap(paragraph, _WIDTH, break_long_words=False, break_on_hyphens=False)
    if entry.see:
        yield ""
        yield f"See {entry.see}"
    examples = examples_of(entry.code)
    invalid: list[str] = []
    for path in examples["bad"][:1]:
        invalid = _text(path)
        findings = _findings(invalid, entry.code) if path.suffix == ".json" else []
        yield from _section("Invalid", [*invalid, *findings])
    for path in examples["good"][:1]:
        valid = _text(path)
        changes = _changes(invalid, valid)
        yield from _section("Valid, with this change", changes) if changes else _section("Valid", valid)


def _section(heading: str, lines: Iterable[str]) -> Iterator[str]:
    yield from ("", f"{heading}:", "")
    yield from (f"    {line}".rstrip() for line in lines)


def _text(path: Path) -> list[str]:
    """Return the lines of an example: an indented event, or any other text unchanged."""
    text = path.read_bytes()
    shown = text.decode("utf-8", "backslashreplace").rstrip("\n")
    if path.suffix == ".json":
        with suppress(ValueError, RecursionError):
            shown = json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    return shown.split("\n")


def _findings(event: list[str], code: str) -> list[str]:
    """Return the findings about an event, from the lines of its text."""
    from openlineage_facets.validation.code_catalogue import findings_of_example

    if event[0] != "{":
        return []
    return [f"# {finding}" for finding in findings_of_example(code, "\n".join(event))]


def _changes(invalid: list[str], valid: list[str]) -> list[str]:
    """Return the lines that differ, each with a sign, if they are few."""
    changed = [line for line in difflib.ndiff(invalid, valid) if line[0] in "+-"]
    return changed if len(invalid) > _MOST_CHANGES >= len(changed) else []
