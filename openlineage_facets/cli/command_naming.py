"""The naming of a command, and reports about it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from openlineage_facets.base.display.printable import printable
from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.config import read_config
from openlineage_facets.cli.workflow_commands import escape_commands
from openlineage_facets.naming.naming_rules import VARIABLE, Naming, NamingError

if TYPE_CHECKING:
    from openlineage_facets.state.renaming import JoinedNames

_MOST_MESSAGES = 10


def command_naming(option: str | None) -> Naming | None:
    """Return the rules of a file: of the option, the environment or the settings of the project.

    Raises:
        CommandError: The file cannot be read or is invalid.
    """
    path = option or os.environ.get(VARIABLE) or read_config(Path.cwd()).naming
    if not path:
        return None
    from openlineage_facets.naming.naming_file import read_naming

    try:
        return read_naming(path)
    except NamingError as error:
        raise CommandError(str(error)) from None


def report_joined(joined: Sequence[JoinedNames]) -> None:
    """Print a message about each dataset that had several names, for the first ones."""
    for one in joined[:_MOST_MESSAGES]:
        names = " and ".join(f"{name.namespace} {name.name}" for name in one.names)
        _print(f"{one.location}: {names} are now one dataset, {one.name.namespace} {one.name.name}")
    if len(joined) > _MOST_MESSAGES:
        _print(f"{len(joined):,} datasets had several names; report_joined = false hides these messages")


def _print(text: str) -> None:
    print(escape_commands(f"openlineage-facets: {printable(text)}"), file=sys.stderr)
