"""`openlineage-facets lock`: write the lineage of jobs as a file to review and commit."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.options import EventPaths, JoinSymlinks, NamingFile, NullIsAbsent
from openlineage_facets.cli.output_files import FORCE_HELP, OutputFile, file_path
from openlineage_facets.cli.rare_collection import rare_collection
from openlineage_facets.cli.workflow_commands import escape_json_commands, print_message

if TYPE_CHECKING:
    from openlineage_facets.state import Lineage


@rare_collection()
def lock(
    paths: EventPaths,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            parser=file_path,
            help="File, which may be an earlier lock. Default: standard output.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help=FORCE_HELP)] = False,
    join_symlinks: JoinSymlinks = False,
    naming: NamingFile = None,
    null_is_absent: NullIsAbsent = False,
) -> None:
    """Write what jobs read and write, as a file to commit next to their code.

    Contains jobs, datasets, columns, how each column is computed, owners and tags; no runs, times or counts:
    the same jobs write the same file. Exits with 1, and writes nothing, if something could not be read.
    """
    from openlineage_facets.cli.command_lineage import assert_complete, command_lineage
    from openlineage_facets.cli.file_events import input_files
    from openlineage_facets.review.lock import is_lock, lock_pieces, lock_text
    from openlineage_facets.review.reviewed_lineage import REVIEWED_FACETS

    file = None
    if output is not None:
        _assert_outside(output, paths)
        file = OutputFile(output, "a lock file", is_lock, force, inputs=input_files(paths))
        file.assert_replaceable()
    graph = command_lineage(
        paths,
        join_symlinks=join_symlinks,
        null_is_absent=null_is_absent,
        naming=naming,
        by_job=True,
        facets=REVIEWED_FACETS,
    )
    assert_complete([graph], "locked")
    graph.assert_not_empty("lock")
    _report_local(graph.lineage)
    if file is None:
        sys.stdout.write(escape_json_commands(lock_text(graph.lineage)))
        return
    with file.opened() as opened:
        opened.writelines(lock_pieces(graph.lineage))
    print(file.path)


def _assert_outside(output: Path, paths: Iterable[str]) -> None:
    """Reject a file in a folder that is read: it would be part of the next lock."""
    for path in paths:
        if path != "-" and Path(path).is_dir() and Path(path).resolve() in output.resolve().parents:
            fix = f"write it to another folder, such as {output.name}"
            raise CommandError(f"{output}: expected a file outside of {path}, which is for events; {fix}")


def _report_local(lineage: Lineage) -> None:
    """Print a message about datasets whose names differ whenever, or wherever, the jobs run."""
    names = [dataset.id.name for dataset in lineage.datasets if dataset.id.namespace.startswith("file")]
    folders = ("/tmp/", "/var/folders/", "/private/var/folders/", f"{tempfile.gettempdir()}/")
    own = tuple(f"{folder}/" for folder in (Path.cwd(), Path.home()) if len(folder.parts) > 1)
    temporary = [name for name in names if name.startswith(folders)]
    local = [name for name in names if name.startswith(own) and not name.startswith(folders)]
    for kind, paths, fix in (
        ("temporary", temporary, "let jobs write to a fixed path, or each lock differs"),
        ("local", local, "map such paths with --naming, or the lock differs on other machines"),
    ):
        if paths:
            many = f"{len(paths):,} datasets have {kind} paths"
            count = many if len(paths) > 1 else f"1 dataset has a {kind} path"
            print_message(f"{count}, such as {paths[0]}: {fix}")
