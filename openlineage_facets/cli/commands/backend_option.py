"""The option of the commands that say what backends do with events."""

from __future__ import annotations

from typing import Annotated

import typer

from openlineage_facets.cli.commands.completion import complete_backends

Backend = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAMES",
        help="Report what these backends refuse, lose or change (datahub,marquez; all; a .toml file).",
        autocompletion=complete_backends,
    ),
]
