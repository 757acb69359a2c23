"""`openlineage-facets diff`: compare two versions of schemas."""

from __future__ import annotations

import sys
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.config import read_config
from openlineage_facets.cli.generator import generator_module, published_schemas
from openlineage_facets.cli.options import checked_base
from openlineage_facets.cli.workflow_commands import escape_commands, escape_json_commands

_INSTALLED = "installed"


class _Format(str, Enum):
    text = "text"
    markdown = "markdown"
    json = "json"
    github = "github"


class _FailOn(str, Enum):
    breaking = "breaking"
    version = "version"
    any = "any"
    never = "never"


def diff(
    old: Annotated[
        str,
        typer.Argument(metavar="OLD", help="Folder or file; 'installed' for the schemas of this package."),
    ],
    new: Annotated[str, typer.Argument(metavar="NEW", help="Folder or file, or 'installed'.")],
    output_format: Annotated[_Format, typer.Option("--format", "-f", help="Output format.")] = _Format.text,
    fail_on: Annotated[
        _FailOn, typer.Option("--fail-on", help="The differences that cause exit code 1.")
    ] = _FailOn.breaking,
    id_base: Annotated[
        str | None,
        typer.Option("--id-base", metavar="URL", help="URL of both folders, for schemas without $id."),
    ] = None,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Accept keywords that classes cannot enforce, and compare them.")
    ] = False,
) -> None:
    """Compare two versions of schemas.

    Lists facets and fields that were added, removed, renamed or changed, the version step that each change
    requires, whom it breaks, and the effect on Python code. Exit code 1 for breaking changes; with
    --fail-on version only for those that the version does not announce.
    """
    lenient = lenient or read_config(Path.cwd()).lenient
    changes = generator_module("diff.documents").compare(
        *(_side(path, checked_base(id_base), lenient) for path in (old, new))
    )
    report = generator_module("diff.report").REPORTS[output_format.value](changes)
    if output_format is not _Format.github:
        report = escape_json_commands(report) if output_format is _Format.json else escape_commands(report)
    sys.stdout.write(report)
    failed = {
        _FailOn.breaking: changes.is_breaking,
        _FailOn.version: changes.is_unannounced,
        _FailOn.any: changes.has_effect,
        _FailOn.never: False,
    }
    if failed[fail_on]:
        raise typer.Exit(1)


def _side(path: str, id_base: str | None, lenient: bool) -> Any:
    published = published_schemas()
    folder = published if path == _INSTALLED else Path(path)
    errors = generator_module("errors")
    try:
        spec = generator_module("load").load_extending(folder, published, id_base=id_base, lenient=lenient)
        return generator_module("diff.documents").SchemaVersion(spec)
    except errors.SchemaErrors as invalid:
        raise CommandError("\n".join(_message(error, path) for error in invalid.errors)) from None
    except errors.SchemaError as error:
        raise CommandError(_message(error, path)) from None


def _message(error: Any, path: str) -> str:
    """Return the message of an error with the side that it is about."""
    if Path(error.path) == Path(path):
        return str(error)
    return f"{path}: {error}".replace("to generate without it", "to compare it as it is")
