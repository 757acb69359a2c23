"""`openlineage-facets explain`: what a code means, with an example of the wrong and of the right."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openlineage_facets.cli.failure import CommandError

if TYPE_CHECKING:
    from openlineage_facets.validation.code import Code

__all__ = ["explain"]

_WIDTH = 100


def explain(
    codes: Annotated[
        list[str] | None, typer.Argument(metavar="[CODE]...", help="Codes; all are listed without one.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Explain every code.")] = False,
) -> None:
    """Tell what a code means, and show an example of the wrong and of the right."""
    from openlineage_facets.cli.file_codes import every_code

    known = every_code()
    if everything:
        codes = list(known)
    if not codes:
        for entry in known.values():
            print(f"{entry.code}  {entry.severity:<7}  {entry.title}")
        return
    wanted = [code.strip().upper() for code in codes]
    unknown = [code for code in wanted if code not in known]
    if unknown:
        raise CommandError(
            f"expected a code such as OL012, found {', '.join(unknown)}; "
            "`openlineage-facets explain` lists all"
        )
    sys.stdout.write("\n\n".join(_page(known[code]) for code in dict.fromkeys(wanted)))


def _page(entry: Code) -> str:
    return "".join(f"{line}\n" for line in _lines(entry))


def _lines(entry: Code) -> Iterator[str]:
    from openlineage_facets.validation.codes import examples_of

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
    for kind, heading in (("bad", "Wrong"), ("good", "Right")):
        for path in examples[kind][:1]:
            yield ""
            yield f"{heading}:"
            yield ""
            yield from textwrap.indent(_example(path, entry.code), "    ").splitlines()


def _example(path: Path, code: str) -> str:
    """Return an example: an event laid out, other text as it stands; what is wrong with it below."""
    text = path.read_bytes()
    shown = text.decode("utf-8", "backslashreplace").rstrip("\n")
    if path.suffix == ".json":
        try:
            shown = json.dumps(json.loads(text), indent=2, ensure_ascii=False)
        except (ValueError, RecursionError):
            return shown
        from openlineage_facets.validation.reading import validate

        told = [f"# {finding}" for finding in validate(shown) if finding.code == code]
        return "\n".join([shown, *told])
    return shown
