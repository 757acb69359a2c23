"""`openlineage-facets names`: find names that look like one dataset."""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import asdict
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.options import EventPaths, NamingFile, NullIsAbsent
from openlineage_facets.cli.output_files import OutputFile, file_path
from openlineage_facets.cli.workflow_commands import escape_commands, escape_json_commands

if TYPE_CHECKING:
    from openlineage_facets.review.similar_names import SimilarNames


class _Format(str, Enum):
    text = "text"
    json = "json"
    toml = "toml"


def names(
    paths: EventPaths,
    output_format: Annotated[_Format, typer.Option("--format", "-f", help="Output format.")] = _Format.text,
    write: Annotated[
        Path | None,
        typer.Option("--write", metavar="FILE", parser=file_path, help="Add the rules to this naming file."),
    ] = None,
    naming: NamingFile = None,
    null_is_absent: NullIsAbsent = False,
) -> None:
    """Find names that look like one dataset, and the rules for naming.toml that make them one.

    Names are linked by symlinks facets, differ in scheme, default port, case or slashes, or have the same
    schema and last part. Read the pairs before you add the rules. Exits with 1 if something could not be
    read.
    """
    from openlineage_facets.cli.command_lineage import command_lineage
    from openlineage_facets.cli.command_naming import command_naming
    from openlineage_facets.cli.file_events import input_files
    from openlineage_facets.review.similar_names import naming_text, similar_names

    file = None
    if write is not None:
        # Rules are added to what the file contains, which is read as rules below.
        file = OutputFile(write, "a naming file", lambda text: True, inputs=input_files(paths))
        file.assert_replaceable()
        if write.exists():
            command_naming(str(write))
            naming = naming or str(write)
    graph = command_lineage(
        paths, join_symlinks=False, null_is_absent=null_is_absent, naming=naming, each_rule=True
    )
    similar = similar_names(graph.lineage)
    rules = [pair.rule for pair in similar]
    if output_format is _Format.text:
        sys.stdout.write(escape_commands(_text(similar, has_rules=write is None)))
    elif output_format is _Format.json:
        sys.stdout.write(escape_json_commands(_json(similar)))
    if file is not None and rules:
        existing = file.path.read_text(encoding="utf-8") if file.path.exists() else ""
        text = naming_text(rules, existing)
        _assert_valid(text, file.path)
        with file.opened() as opened:
            opened.write(text)
        print(file.path)
    elif output_format is not _Format.json and rules:
        sys.stdout.write(escape_commands(naming_text(rules)))
    if graph.skipped:
        raise typer.Exit(1)


def _assert_valid(text: str, path: Path) -> None:
    """Reject rules that would make a naming file invalid, such as a second one for the same namespace."""
    from openlineage_facets.naming.naming_rules import NamingError, read_naming

    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, path.name)
        copy.write_text(text, encoding="utf-8")
        try:
            read_naming(copy)
        except NamingError as error:
            reason = str(error).replace(str(copy), "with the new rules")
            fix = "run the command without --write, and add those that fit"
            raise CommandError(f"{path}: {reason}; {fix}") from None


def _text(similar: tuple[SimilarNames, ...], *, has_rules: bool) -> str:
    from openlineage_facets.review.change_texts import end_text

    if not similar:
        return "no names that look like one dataset\n"
    lines = [f"{end_text(pair.name)}\n{end_text(pair.other)}\n    {pair.reason}\n" for pair in similar]
    count = "1 pair looks" if len(similar) == 1 else f"{len(similar):,} pairs look"
    end = "; rules for naming.toml:\n\n" if has_rules else "\n"
    return "".join([*lines, f"{count} like one dataset{end}"])


def _json(similar: tuple[SimilarNames, ...]) -> str:
    from openlineage_facets.review.similar_names import naming_text

    pairs = [
        {
            "name": asdict(pair.name),
            "other": asdict(pair.other),
            "reason": pair.reason,
            "rule": naming_text([pair.rule]),
        }
        for pair in similar
    ]
    return json.dumps({"pairs": pairs}, indent=2, ensure_ascii=False) + "\n"
