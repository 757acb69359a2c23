"""`openlineage-facets generate`: turn the JSON Schemas of custom facets into a typed package."""

from __future__ import annotations

import sys
from keyword import iskeyword
from pathlib import Path
from typing import Annotated

import typer

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.config import read_config
from openlineage_facets.cli.generator import generator_module, published_schemas
from openlineage_facets.cli.options import checked_base
from openlineage_facets.cli.workflow_commands import escape_commands, print_safely


def generate(
    schemas: Annotated[Path, typer.Argument(metavar="SCHEMAS", help="Folder of JSON Schemas, or one file.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Folder of the package.")],
    package: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Import path of the package. Default: the name of the folder."),
    ] = None,
    id_base: Annotated[
        str | None,
        typer.Option("--id-base", metavar="URL", help="URL of the folder, for schemas without $id."),
    ] = None,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Leave out keywords that classes cannot enforce, and list them.")
    ] = False,
    keep_going: Annotated[
        bool, typer.Option("--keep-going", help="Generate the valid facets if some are invalid.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with 1 and a diff if the package differs.")
    ] = False,
) -> None:
    """Generate a typed package from the JSON Schemas of custom facets.

    Its classes extend those of this package. Exit code 1 if --check finds a difference, or --keep-going an
    invalid file.
    """
    import_path = _import_path(package, output)
    custom_facets, errors = generator_module("custom_facets"), generator_module("errors")
    try:
        custom = custom_facets.read_custom_facets(
            schemas,
            published_schemas(),
            id_base=checked_base(id_base),
            lenient=lenient or read_config(Path.cwd()).lenient,
        )
        for note in custom.notes:
            print_safely(f"note: {note}")
        if custom.errors and not keep_going:
            raise CommandError("\n".join(map(str, custom.errors)))
        for error in custom.errors:
            print_safely(f"error: {error}")
        if not custom.library.own_modules:
            raise CommandError(f"{schemas}: no valid schema, so nothing was written")
        files = custom_facets.render_custom_facets(custom, import_path)
        differs = check and _differs(files, output)
        if not check:
            generator_module("write").write(files, output)
    except (errors.SchemaError, errors.GeneratorError) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CommandError(f"{error.filename or output}: cannot be written: {reason}") from None
    if not check:
        print(f"{len(files)} files in {output}")
    if custom.errors or differs:
        raise typer.Exit(1)


def _import_path(package: str | None, output: Path) -> str:
    path = output.resolve().name if package is None else package
    if not all(part.isidentifier() and not iskeyword(part) for part in path.split(".")):
        raise CommandError(f"{path!r} is not an import path such as acme_facets; set one with --package")
    if path.partition(".")[0] == "openlineage_facets" or path in sys.stdlib_module_names:
        raise CommandError(f"the name {path!r} belongs to another package; choose another one")
    return path


def _differs(files: dict[str, str], output: Path) -> bool:
    if not output.exists():
        print(f"{output} does not exist; generate it without --check", file=sys.stderr)
        return True
    difference = list(generator_module("write").differences(files, output))
    sys.stdout.write(escape_commands("".join(difference)))
    if difference:
        foreign = generator_module("write").foreign_files(output) if output.is_dir() else []
        removed = ", ".join(path.name for path in foreign)
        fix = f"remove {removed}, which is not generated" if foreign else "generate it again"
        print_safely(f"{output} is not up to date with its schemas; {fix}")
    return bool(difference)
