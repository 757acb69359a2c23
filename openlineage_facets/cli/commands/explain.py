"""`openlineage-facets explain`: describe finding codes, with an invalid and a valid example."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.commands.completion import complete_codes

if TYPE_CHECKING:
    from openlineage_facets.validation.finding_code import FindingCode

__all__ = ["explain"]

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
    from openlineage_facets.cli.results.file_codes import every_code

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
    for kind, heading in (("bad", "Invalid"), ("good", "Valid")):
        for path in examples[kind][:1]:
            yield ""
            yield f"{heading}:"
            yield ""
            yield from textwrap.indent(_example(path, entry.code), "    ").splitlines()


def _example(path: Path, code: str) -> str:
    """Return an example: an indented event, followed by its findings, or any other text unchanged."""
    text = path.read_bytes()
    shown = text.decode("utf-8", "backslashreplace").rstrip("\n")
    if path.suffix == ".json":
        try:
            shown = json.dumps(json.loads(text), indent=2, ensure_ascii=False)
        except (ValueError, RecursionError):
            return shown
        from openlineage_facets.validation.event_validation import validate

        findings = [f"# {finding}" for finding in validate(shown) if finding.code == code]
        return "\n".join([shown, *findings])
    return shown
