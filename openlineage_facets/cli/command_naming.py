"""The rules for names of datasets of a command, and what it prints about them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from openlineage_facets.base.display.short_values import counted
from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.config import read_config
from openlineage_facets.cli.workflow_commands import print_message
from openlineage_facets.naming.naming_rules import VARIABLE, Naming, NamingError

if TYPE_CHECKING:
    from openlineage_facets.state import Lineage
    from openlineage_facets.state.renaming import JoinedNames


def command_naming(option: str | None) -> Naming | None:
    """Return the rules of a file: of the option, the environment or the settings of the project.

    Raises:
        CommandError: The file cannot be read or is invalid.
    """
    path = option or os.environ.get(VARIABLE) or read_config(Path.cwd()).naming
    if not path:
        return None
    from openlineage_facets.naming.naming_rules import read_naming

    try:
        return read_naming(path)
    except NamingError as error:
        raise CommandError(str(error)) from None


def renamed_lineage(lineage: Lineage, rules: Naming, *, each_rule: bool = False) -> Lineage:
    """Return a graph in which each dataset has one name, and print which datasets had several.

    Raises:
        CommandError: The rules do not come to an end.
    """
    from openlineage_facets.state.renaming import joined_names, renamed

    try:
        if rules.reports_joined:
            _report_joined(joined_names(lineage, rules), each_rule=each_rule)
        return renamed(lineage, rules)
    except NamingError as error:
        raise CommandError(str(error)) from None


def _report_joined(joined: Sequence[JoinedNames], *, each_rule: bool) -> None:
    """Print how many datasets had several names.

    Args:
        joined: These datasets.
        each_rule: Whether to print a message for each rule, with the first of its datasets, or one for all.
    """
    by_rule: dict[str, list[JoinedNames]] = {}
    for dataset in sorted(joined, key=_place):
        by_rule.setdefault(dataset.location, []).append(dataset)
    if each_rule:
        for location, (first, *others) in by_rule.items():
            names = " and ".join(f"{name.namespace} {name.name}" for name in first.names)
            more = f", and {len(others):,} more in the same way" if others else ""
            print_message(
                f"{location}: {names} are now one dataset, {first.name.namespace} {first.name.name}{more}"
            )
    elif joined:
        count = counted(len(joined), "dataset")
        print_message(f"{count} had several names ({', '.join(by_rule)}); the command names shows them")


def _place(joined: JoinedNames) -> tuple[str, int]:
    """Return file and line of the rule that has made names one dataset."""
    file, _, line = joined.location.rpartition(":")
    return file, int(line) if line.isdecimal() else 0
