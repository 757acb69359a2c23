"""The lineage graph of the paths of a command."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from openlineage_facets.cli.folded_state import folded_state, is_saved_tables, lineage_of_saved_tables
from openlineage_facets.review.policies.tag_reach import propagated
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
    facets: Container[str] | None = None,
    propagate: Sequence[str] = (),
) -> CommandLineage:
    """Return the graph of event files, folders, saved states and lock files, or of one folder of tables.

    Args:
        paths: The paths.
        join_symlinks: Whether to combine datasets linked by symlinks facets.
        null_is_absent: Whether to read fields of events that are null as absent.
        facets: The keys of the facets that jobs and datasets of events need. Default: all.
        propagate: The tags that columns have of what they are computed from.

    Raises:
        CommandError: A path does not exist or cannot be used.
    """
    skipped = 0
    if len(paths) == 1 and is_saved_tables(paths[0]):
        lineage = lineage_of_saved_tables(paths[0], join_symlinks=join_symlinks)
    else:
        folded = folded_state(paths, null_is_absent=null_is_absent)
        lineage, skipped = folded.lineage(join_symlinks=join_symlinks, facets=facets), folded.skipped
    return CommandLineage(propagated(lineage, propagate) if propagate else lineage, skipped)
