"""Import the generator, which is no part of the typed package: the wheel contains a copy of `codegen/`."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.version import install_command

_INSTALLED = "openlineage_facets._codegen"
_CHECKOUT = "codegen"


def generator_module(name: str) -> Any:
    """Return a module of the generator.

    Args:
        name: Its name inside the generator, such as `generate`.

    Raises:
        CommandError: A package that the generator needs is not installed.
    """
    installed = find_spec(_INSTALLED) is not None
    try:
        module = import_module(f"{_INSTALLED if installed else _CHECKOUT}.{name}")
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if missing.partition(".")[0] in ("openlineage_facets", _CHECKOUT):
            raise
        raise CommandError(
            f"this command needs the package {missing}: {install_command('cli,codegen')}"
        ) from None
    if not installed and not Path(str(module.__file__)).is_relative_to(Path(__file__).parents[2]):
        raise CommandError(f"found another package named {_CHECKOUT!r} in {module.__file__}; remove it")
    return module


def published_schemas() -> Path:
    """Return the folder of the schemas that the installed package was generated from.

    Raises:
        CommandError: They are not installed.
    """
    from openlineage_facets.validation.schemas.schema_files import own_schema_folder

    folder = own_schema_folder()
    if folder is None:
        raise CommandError("the published schemas are not installed; install openlineage-facets again")
    return folder
