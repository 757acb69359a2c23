"""Parent facet: the run that started this one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal, TypeAlias
from uuid import UUID

from openlineage_facets.facets import ParentRunFacet, parent_run

__all__ = ["PARENT_VARIABLE", "ROOT_VARIABLE", "RunIdentity", "parent_facet", "resolve_run"]

PARENT_VARIABLE = "OPENLINEAGE_PARENT_ID"
"""Environment variable in which a scheduler passes the parent run."""

ROOT_VARIABLE = "OPENLINEAGE_ROOT_PARENT_ID"
"""Environment variable in which a scheduler passes the root run."""

RunIdentity: TypeAlias = "str | tuple[str, str, str | UUID]"
"""A run of another job: `"namespace/name/run_id"`, or a tuple of the three."""


def parent_facet(parent: tuple[str, str, str], root: tuple[str, str, str] | None = None) -> ParentRunFacet:
    """Return the parent facet of a run.

    Args:
        parent: Namespace, name and run id of the run that started it.
        root: Namespace, name and run id of the root run.
    """
    namespace, name, run_id = parent
    return ParentRunFacet(
        run=parent_run.Run(run_id=run_id),
        job=parent_run.Job(namespace=namespace, name=name),
        root=_root(root) if root is not None else None,
    )


def resolve_run(
    role: Literal["parent", "root"], run: RunIdentity | None, environ: Mapping[str, str] | None = None
) -> tuple[str, str, str] | None:
    """Return namespace, name and run id of the parent or root run; None if it is not set.

    Args:
        role: "parent" or "root".
        run: The run; by default that of the environment variable.
        environ: The environment; `os.environ` by default.

    Raises:
        ValueError: It is neither `namespace/name/run_id` nor a tuple of the three.
    """
    if run:
        return _identity(run, role)
    variable = PARENT_VARIABLE if role == "parent" else ROOT_VARIABLE
    value = (os.environ if environ is None else environ).get(variable, "").strip()
    return _identity(value, variable) if value else None


def _identity(run: RunIdentity, origin: str) -> tuple[str, str, str]:
    # Airflow joins the three with slashes and escapes nothing. Only the namespace can contain slashes, as in
    # airflow://prod/dag.task/run_id.
    parts: list[str] = []
    if isinstance(run, str):
        parts = run.rsplit("/", 2)
    elif isinstance(run, (tuple, list)):
        parts = [str(part) for part in run]
    if len(parts) == 3 and all(parts):
        try:
            return parts[0], parts[1], str(UUID(parts[2]))
        except ValueError:
            pass
    raise ValueError(f"{origin}: expected namespace/name/run_id with a UUID as run_id, found {run!r}")


def _root(identity: tuple[str, str, str]) -> parent_run.Root:
    namespace, name, run_id = identity
    return parent_run.Root(
        run=parent_run.RootRun(run_id=run_id), job=parent_run.RootJob(namespace=namespace, name=name)
    )
