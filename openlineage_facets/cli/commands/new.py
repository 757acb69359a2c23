"""`openlineage-facets new`: create the JSON Schema of a custom facet."""

from __future__ import annotations

import json
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.generator import generator_module, published_schemas
from openlineage_facets.cli.output_files import OutputFile


class _Entity(str, Enum):
    run = "run"
    job = "job"
    dataset = "dataset"
    input = "input"
    output = "output"


def new(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Prefix and name in PascalCase, such as AcmeCost.")
    ],
    entity: Annotated[_Entity, typer.Option("--entity", "-e", help="What the facet describes.")],
    folder: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Folder of the schema.")
    ] = Path("facets"),
    id_base: Annotated[
        str | None,
        typer.Option("--id-base", metavar="URL", help="URL below which the schemas are published."),
    ] = None,
    prefix: Annotated[
        str | None, typer.Option(metavar="PREFIX", help="The prefix. Default: the first word of the name.")
    ] = None,
) -> None:
    """Create the JSON Schema of a custom facet, which follows the naming rules of the specification."""
    if id_base is not None and "://" not in id_base:
        raise CommandError(f"--id-base: expected an absolute URL, found {id_base!r}; add its scheme")
    facets = generator_module("new_facet")
    core = json.loads((published_schemas() / "OpenLineage.json").read_text(encoding="utf-8"))
    try:
        first, _ = facets.split_name(name, prefix)
        base = id_base or f"https://{first.lower()}.example.com/schemas"
        schema = facets.new_schema(name, entity.value, core["$id"], base, prefix)
    except ValueError as error:
        raise CommandError(str(error)) from None
    path = folder / f"{next(iter(schema['$defs']))}.json"
    # An existing schema is kept, also one that this command wrote: properties may have been added.
    output = OutputFile(path, "an empty file", lambda text: False, force=None, make_folder=True)
    with output.opened() as file:
        file.write(json.dumps(schema, indent=2, ensure_ascii=False) + "\n")
    steps = ["add its properties"] if id_base else ["set the URL in $id", "add its properties"]
    print(f"{path}: {', '.join([*steps, 'then run openlineage-facets generate'])}")
