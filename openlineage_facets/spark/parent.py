"""The run that started this one, as a scheduler names it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TypeAlias
from uuid import UUID

from openlineage_facets.facets import ParentRunFacet, parent_run

__all__ = ["PARENT_VARIABLE", "ROOT_VARIABLE", "RunIdentity", "parent_facet"]

PARENT_VARIABLE = "OPENLINEAGE_PARENT_ID"
"""The environment variable in which a scheduler names the parent run."""

ROOT_VARIABLE = "OPENLINEAGE_ROOT_PARENT_ID"
"""The environment variable in which a scheduler names the run at the top of the chain."""

RunIdentity: TypeAlias = "str | tuple[str, str, str | UUID]"
"""A run of another job: `"namespace/name/run_id"`, or the three."""


def parent_facet(
    parent: RunIdentity | None = None,
    root: RunIdentity | None = None,
    environ: Mapping[str, str] | None = None,
) -> ParentRunFacet | None:
    """Return the parent facet of a run, or None where no other run started it.

    Args:
        parent: The parent run; `OPENLINEAGE_PARENT_ID` if not given.
        root: The run at the top of the chain; `OPENLINEAGE_ROOT_PARENT_ID` if not given.
        environ: The environment; the process's own if not given.

    Raises:
        ValueError: A run is not named as `namespace/name/run_id`.
    """
    variables = os.environ if environ is None else environ
    started_by = parent or variables.get(PARENT_VARIABLE)
    if not started_by:
        return None
    namespace, name, run_id = _identity(started_by, PARENT_VARIABLE if not parent else "parent")
    top = root or variables.get(ROOT_VARIABLE)
    return ParentRunFacet(
        run=parent_run.Run(run_id=run_id),
        job=parent_run.Job(namespace=namespace, name=name),
        root=_root(_identity(top, ROOT_VARIABLE if not root else "root")) if top else None,
    )


def _root(identity: tuple[str, str, str]) -> parent_run.Root:
    namespace, name, run_id = identity
    return parent_run.Root(
        run=parent_run.RootRun(run_id=run_id), job=parent_run.RootJob(namespace=namespace, name=name)
    )


def _identity(given: RunIdentity, place: str) -> tuple[str, str, str]:
    # Airflow joins the three by slashes and escapes nothing. Its job names and run ids hold no slash, so
    # all but the last two are the namespace's, as in airflow://prod/dag.task/run_id.
    parts = given.rsplit("/", 2) if isinstance(given, str) else [str(part) for part in given]
    if len(parts) == 3 and all(parts):
        try:
            return parts[0], parts[1], str(UUID(parts[2]))
        except ValueError:
            pass
    raise ValueError(f"{place}: expected namespace/name/run_id with a UUID as run_id, found {given!r}")
