"""`openlineage-facets graph`: draw the lineage of event files."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.options import EventPaths, JoinSymlinks, NamingFile, NullIsAbsent, Propagate
from openlineage_facets.cli.output_files import FORCE_HELP, OutputFile, file_path
from openlineage_facets.cli.workflow_commands import escape_commands, escape_json_commands, print_message
from openlineage_facets.version import install_command

if TYPE_CHECKING:
    from openlineage_facets.state import Lineage


class _Format(str, Enum):
    HTML = "html"
    SVG = "svg"
    MERMAID = "mermaid"
    DOT = "dot"
    JSON = "json"


_SUFFIXES = {
    ".html": _Format.HTML,
    ".htm": _Format.HTML,
    ".svg": _Format.SVG,
    ".mmd": _Format.MERMAID,
    ".mermaid": _Format.MERMAID,
    ".md": _Format.MERMAID,
    ".dot": _Format.DOT,
    ".gv": _Format.DOT,
    ".json": _Format.JSON,
}


def graph(
    paths: EventPaths,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            parser=file_path,
            help="File, which may be an earlier graph. Default: standard output.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help=FORCE_HELP)] = False,
    form: Annotated[
        _Format | None, typer.Option("--format", help="Default: from the suffix of the file, or mermaid.")
    ] = None,
    columns: Annotated[bool, typer.Option("--columns", help="Draw columns and their lineage.")] = False,
    focus: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Draw only what is upstream and downstream of a job or dataset."),
    ] = None,
    up: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Links upstream of the focus. Default: all.")
    ] = None,
    down: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Links downstream of the focus. Default: all.")
    ] = None,
    join_symlinks: JoinSymlinks = False,
    naming: NamingFile = None,
    propagate: Propagate = None,
    null_is_absent: NullIsAbsent = False,
) -> None:
    """Draw jobs, datasets and columns as a graph.

    A dataset and the job that reads or writes it are one link apart. Exits with 1 if
    something could not be read; the rest is drawn.
    """
    from openlineage_facets.cli.command_lineage import command_lineage, report_unknown_tags
    from openlineage_facets.cli.file_events import input_files
    from openlineage_facets.graphs import focused
    from openlineage_facets.graphs.page import is_graph

    file = None
    if output is not None:
        file = OutputFile(output, "a graph", is_graph, force, inputs=input_files(paths))
        file.assert_replaceable()
    chosen = form or _format_of(output)
    if focus is None and (up is not None or down is not None):
        raise CommandError("--up and --down: expected a job or dataset to start from; add --focus NAME")
    folded = command_lineage(
        paths,
        join_symlinks=join_symlinks,
        null_is_absent=null_is_absent,
        naming=naming,
        propagate=propagate or (),
    )
    lineage = folded.lineage
    folded.assert_not_empty("draw")
    report_unknown_tags([folded], propagate or ())
    if focus is not None:
        try:
            lineage = focused(lineage, focus, up=up, down=down)
        except ValueError as error:
            raise CommandError(f"--focus: {error}") from None
    text = _drawn(chosen, lineage, columns, output, focus or ())
    if file is None:
        sys.stdout.write(text)
    else:
        with file.opened() as stream:
            stream.write(text)
        print(file.path)
    if folded.skipped:
        raise typer.Exit(1)


def _format_of(output: Path | None) -> _Format:
    if output is None:
        return _Format.MERMAID
    try:
        return _SUFFIXES[output.suffix.lower()]
    except KeyError:
        known = ", ".join(_SUFFIXES)
        found = output.suffix or "no suffix"
        raise CommandError(f"{output}: expected one of {known}, found {found}; add --format") from None


def _drawn(form: _Format, lineage: Lineage, columns: bool, output: Path | None, focus: Sequence[str]) -> str:
    """Return the text of a drawing, and print what is missing in it."""
    from openlineage_facets import graphs

    if form in (_Format.HTML, _Format.SVG) and not graphs.has_layout_library():
        is_available = sys.version_info >= (3, 11)
        need = install_command("graph") if is_available else "needs Python 3.11 or later"
        print_message(f"drawn with more crossings than with fast-sugiyama: {need}")
    if form is _Format.HTML:
        title = "Lineage" if output is None else output.stem
        return graphs.page(lineage, title=title, focus=focus, columns=columns)
    if form is _Format.SVG:
        return graphs.svg(lineage, columns=columns).replace("##[", "&#35;#[")  # See escape_commands.
    if form is _Format.DOT:
        return escape_commands(graphs.dot(lineage, columns=columns))
    if form is _Format.JSON:
        text = json.dumps(graphs.json_graph(lineage), indent=2, ensure_ascii=False) + "\n"
        return escape_json_commands(text)
    diagram = graphs.mermaid(lineage, columns=columns)
    if diagram.left_out:
        print_message(
            f"left out {diagram.left_out}, because GitHub draws at most 500 edges and 50,000 characters; "
            "draw a part with --focus NAME --up N --down N"
        )
    if output is not None and output.suffix.lower() == ".md":
        return f"```mermaid\n{diagram.text}```\n"
    return diagram.text
