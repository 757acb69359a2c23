"""The lineage graph of the paths of a command."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from openlineage_facets.cli.command_error import CommandError, InputError
from openlineage_facets.cli.command_naming import command_naming, report_joined
from openlineage_facets.cli.folded_state import folded_state, is_saved_tables, lineage_of_saved_tables
from openlineage_facets.naming.naming_rules import Naming, NamingError
from openlineage_facets.review.policies.tag_reach import propagated
from openlineage_facets.state import Lineage


@dataclass(frozen=True)
class CommandLineage:
    """A graph.

    Args:
        lineage: The graph.
        skipped: The number of events and files that could not be read and are not in it.
    """

    lineage: Lineage
    skipped: int = 0

    def assert_not_empty(self, purpose: str) -> None:
        """Reject a graph of no events.

        Args:
            purpose: What the command does with events, such as "draw".

        Raises:
            CommandError: There are none.
            InputError: None could be read.
        """
        if not self.lineage.jobs and not self.lineage.datasets:
            kind = InputError if self.skipped else CommandError
            raise kind(f"expected events to {purpose}, found none")


def assert_complete(lineages: Iterable[CommandLineage], done: str) -> None:
    """Reject graphs from which something is missing, for results that would be wrong without it.

    Args:
        lineages: The graphs.
        done: What is not done with them, such as "compared".

    Raises:
        InputError: An event or a file could not be read.
    """
    skipped = sum(one.skipped for one in lineages)
    if skipped:
        count = "1 event or file" if skipped == 1 else f"{skipped:,} events or files"
        fix = "correct it or leave it out" if skipped == 1 else "correct them or leave them out"
        raise InputError(f"{count} could not be read, so nothing was {done}; {fix}")


def command_lineage(
    paths: Sequence[str],
    *,
    join_symlinks: bool,
    null_is_absent: bool,
    naming: str | None = None,
    by_job: bool = False,
    facets: Container[str] | None = None,
    propagate: Sequence[str] = (),
) -> CommandLineage:
    """Return the graph of event files, folders, saved states and lock files, or of one folder of tables.

    Args:
        paths: The paths.
        join_symlinks: Whether to combine datasets linked by symlinks facets.
        null_is_absent: Whether to read fields of events that are null as absent.
        naming: File with rules for the names of datasets; by default, that of the project.
        by_job: As for `LineageState.lineage`.
        facets: The keys of the facets that jobs and datasets of events need. Default: all.
        propagate: The tags that columns have of what they are computed from.

    Raises:
        CommandError: A path does not exist.
        InputError: A saved state, lock file or table cannot be read.
    """
    rules = command_naming(naming)
    skipped = 0
    if len(paths) == 1 and is_saved_tables(paths[0]):
        lineage = lineage_of_saved_tables(paths[0], join_symlinks=join_symlinks)
    else:
        folded = folded_state(paths, null_is_absent=null_is_absent)
        lineage = folded.lineage(join_symlinks=join_symlinks, by_job=by_job, facets=facets)
        skipped = folded.skipped
    if rules is not None:
        lineage = _renamed(lineage, rules)
    return CommandLineage(propagated(lineage, propagate) if propagate else lineage, skipped)


def _renamed(lineage: Lineage, rules: Naming) -> Lineage:
    from openlineage_facets.state.renaming import joined_names, renamed

    try:
        if rules.reports_joined:
            report_joined(joined_names(lineage, rules))
        return renamed(lineage, rules)
    except NamingError as error:
        raise CommandError(str(error)) from None
