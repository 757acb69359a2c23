"""Arguments and options of the commands that read events."""

from __future__ import annotations

from typing import Annotated

import typer

EventPaths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH...",
        help="Event files, folders, patterns, saved states, lock files, or - for standard input.",
    ),
]

NullIsAbsent = Annotated[
    bool,
    typer.Option("--null-is-absent", help="Read fields that are null as absent, as in exports of Marquez."),
]

NamingFile = Annotated[
    str | None,
    typer.Option(
        "--naming",
        metavar="FILE",
        help="Rules for the names of datasets. Default: OPENLINEAGE_NAMING, or `naming` in pyproject.toml.",
    ),
]

Propagate = Annotated[
    list[str] | None,
    typer.Option(
        "--propagate", metavar="TAG", help="Add this tag to the columns that are computed from those with it."
    ),
]
