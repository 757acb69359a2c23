"""The lineage graph of the paths of a command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.command_naming import command_naming, report_joined
from openlineage_facets.cli.folded_state import folded_state, is_saved_tables, lineage_of_saved_tables
from openlineage_facets.naming.naming_rules import NamingError
from openlineage_facets.state import Lineage


@dataclass(frozen=True)
class CommandLineage:
    """A graph.

    Args:
        lineage: The graph.
        skipped: The number of events that are not in it.
    """

    lineage: Lineage
    skipped: int = 0


def command_lineage(
    paths: Sequence[str],
    *,
    join_symlinks: bool,
    null_is_absent: bool,
    naming: str | None = None,
    by_job: bool = False,
) -> CommandLineage:
    """Return the graph of event files, folders, saved states and lock files, or of one folder of tables.

    Args:
        paths: The paths.
        join_symlinks: Whether datasets linked by symlinks facets are one.
        null_is_absent: Whether to read fields of events that are null as absent.
        naming: File with rules for the names of datasets; by default, that of the project.
        by_job: As for `LineageState.lineage`.

    Raises:
        CommandError: A path does not exist or cannot be used.
    """
    rules = command_naming(naming)
    if len(paths) == 1 and is_saved_tables(paths[0]):
        found = CommandLineage(lineage_of_saved_tables(paths[0], join_symlinks=join_symlinks))
    else:
        folded = folded_state(paths, null_is_absent=null_is_absent)
        found = CommandLineage(folded.lineage(join_symlinks=join_symlinks, by_job=by_job), folded.skipped)
    if rules is None:
        return found
    from openlineage_facets.state.renaming import joined_names, renamed

    try:
        if rules.reports_joined:
            report_joined(joined_names(found.lineage, rules))
        return replace(found, lineage=renamed(found.lineage, rules))
    except NamingError as error:
        raise CommandError(str(error)) from None
