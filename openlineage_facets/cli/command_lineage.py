"""The lineage graph of the paths of a command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openlineage_facets.cli.folded_state import folded_state, is_saved_tables, lineage_of_saved_tables
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


def command_lineage(paths: Sequence[str], *, join_symlinks: bool, null_is_absent: bool) -> CommandLineage:
    """Return the graph of event files, folders, saved states and lock files, or of one folder of tables.

    Raises:
        CommandError: A path does not exist or cannot be used.
    """
    if len(paths) == 1 and is_saved_tables(paths[0]):
        return CommandLineage(lineage_of_saved_tables(paths[0], join_symlinks=join_symlinks))
    folded = folded_state(paths, null_is_absent=null_is_absent)
    return CommandLineage(folded.lineage(join_symlinks=join_symlinks), folded.skipped)
