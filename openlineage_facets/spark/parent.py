"""The run that started this one, as a scheduler names it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal, TypeAlias
from uuid import UUID

from openlineage_facets.facets import ParentRunFacet, parent_run

__all__ = ["PARENT_VARIABLE", "ROOT_VARIABLE", "RunIdentity", "parent_facet", "run_named"]

PARENT_VARIABLE = "OPENLINEAGE_PARENT_ID"
"""The environment variable in which a scheduler names the parent run."""

ROOT_VARIABLE = "OPENLINEAGE_ROOT_PARENT_ID"
"""The environment variable in which a scheduler names the run at the top of the chain."""

RunIdentity: TypeAlias = "str | tuple[str, str, str | UUID]"
"""A run of another job: `"namespace/name/run_id"`, or the three."""


def parent_facet(parent: tuple[str, str, str], root: tuple[str, str, str] | None = None) -> ParentRunFacet:
    """Return the parent facet of a run.

    Args:
        parent: Namespace, name and run id of the run that started it.
        root: Those of the run at the top of the chain.
    """
    namespace, name, run_id = parent
    return ParentRunFacet(
        run=parent_run.Run(run_id=run_id),
        job=parent_run.Job(namespace=namespace, name=name),
        root=_root(root) if root is not None else None,
    )


def run_named(
    place: Literal["parent", "root"], given: RunIdentity | None, environ: Mapping[str, str] | None = None
) -> tuple[str, str, str] | None:
    """Return namespace, name and run id of the parent or the root run; None where nothing names it.

    Args:
        place: Which of the two.
        given: How the user names it; as the environment does if not given.
        environ: The environment; the process's own if not given.

    Raises:
        ValueError: It is not named as `namespace/name/run_id`, or by the three.
    """
    if given:
        return _identity(given, place)
    variable = PARENT_VARIABLE if place == "parent" else ROOT_VARIABLE
    named = (os.environ if environ is None else environ).get(variable, "").strip()
    return _identity(named, variable) if named else None


def _identity(given: RunIdentity, place: str) -> tuple[str, str, str]:
    # Airflow joins the three by slashes and escapes nothing. Its job names and run ids hold no slash, so
    # all but the last two are the namespace's, as in airflow://prod/dag.task/run_id.
    parts: list[str] = []
    if isinstance(given, str):
        parts = given.rsplit("/", 2)
    elif isinstance(given, (tuple, list)):
        parts = [str(part) for part in given]
    if len(parts) == 3 and all(parts):
        try:
            return parts[0], parts[1], str(UUID(parts[2]))
        except ValueError:
            pass
    raise ValueError(f"{place}: expected namespace/name/run_id with a UUID as run_id, found {given!r}")


def _root(identity: tuple[str, str, str]) -> parent_run.Root:
    namespace, name, run_id = identity
    return parent_run.Root(
        run=parent_run.RootRun(run_id=run_id), job=parent_run.RootJob(namespace=namespace, name=name)
    )
