"""`openlineage-facets schema`: write the JSON Schema of a hand-written facet class."""

from __future__ import annotations

import json
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.output_files import FORCE_HELP, OutputFile, file_path
from openlineage_facets.cli.workflow_commands import escape_json_commands


def schema(
    facet: Annotated[
        str, typer.Argument(metavar="MODULE:CLASS", help="The class, as acme.facets:AcmeCostRunFacet.")
    ],
    schema_id: Annotated[
        str | None,
        typer.Option("--id", metavar="URL", help="The $id. Default: from __schema_url__ of the class."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", parser=file_path, help="File. Default: standard output."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help=FORCE_HELP)] = False,
) -> None:
    """Write the JSON Schema of a facet class, with $id and facet key, ready to publish.

    The module is imported, also from the current folder.
    """
    if schema_id is not None and ("://" not in schema_id or "#" in schema_id):
        raise CommandError(f"--id: expected an absolute URL without fragment, found {schema_id!r}")
    from openlineage_facets.validation.schemas.facet_schema import facet_schema, unwritten_checks

    cls = _facet_class(facet)
    try:
        text = json.dumps(facet_schema(cls, schema_id), indent=2, ensure_ascii=False) + "\n"
    except ValueError as error:
        raise CommandError(f"{facet}: {error}") from None
    for check in unwritten_checks(cls):
        print(f"note: {check}", file=sys.stderr)
    if output is None:
        sys.stdout.write(escape_json_commands(text))
        return
    kind = f"a schema of {cls.__name__}"
    earlier = OutputFile(output, kind, partial(_is_schema_of, cls.__name__), force)
    with earlier.opened() as file:
        file.write(text)
    print(output)


def _is_schema_of(name: str, text: str) -> bool:
    try:
        schema = json.loads(text)
        return "$schema" in schema and name in schema["$defs"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return False


def _facet_class(facet: str) -> Any:
    from openlineage_facets.base.model.spec_models import FacetModel

    module, separator, name = facet.partition(":")
    if not separator or not module or not name:
        raise CommandError(f"expected a class such as acme.facets:AcmeCostRunFacet, found {facet!r}")
    sys.path.insert(0, "")
    try:
        cls = getattr(import_module(module), name)
    except (Exception, SystemExit) as error:  # The module of a user may raise anything.
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise CommandError(f"{facet} cannot be imported: {reason}") from None
    finally:
        sys.path.remove("")
    if not (isinstance(cls, type) and issubclass(cls, FacetModel)):
        raise CommandError(f"{facet} is no facet class; extend a base facet such as RunFacet")
    return cls
