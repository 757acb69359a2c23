"""Parent facet: the run that started this one."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias
from uuid import UUID

from openlineage_facets.base.redaction.redact import redact_start
from openlineage_facets.facets import ParentRunFacet, parent_run

CONTEXT_VARIABLE = "OPENLINEAGE_CONTEXT"
"""Environment variable in which a scheduler passes the parent and the root run as JSON."""

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
        run: The run; by default that of `OPENLINEAGE_CONTEXT`, otherwise of the variable of the role.
        environ: The environment; `os.environ` by default.

    Raises:
        ValueError: It is neither `namespace/name/run_id` nor a tuple of the three, or the context is not JSON
            with the identity of runs.
    """
    if run:
        return _identity(run, role)
    variables = os.environ if environ is None else environ
    context = variables.get(CONTEXT_VARIABLE, "").strip()
    if context and (found := _run_of_context(role, context)) is not None:
        return found
    variable = PARENT_VARIABLE if role == "parent" else ROOT_VARIABLE
    value = variables.get(variable, "").strip()
    return _identity(value, variable) if value else None


def context_of(parent: tuple[str, str, str], root: tuple[str, str, str]) -> str:
    """Return the value of `OPENLINEAGE_CONTEXT` for two runs.

    Args:
        parent: Namespace, name and run id of the parent run.
        root: Namespace, name and run id of the root run.
    """
    return json.dumps({"parent": _as_json(parent), "root": _as_json(root)})


def _as_json(run: tuple[str, str, str]) -> dict[str, Any]:
    namespace, name, run_id = run
    return {"run": {"runId": run_id}, "job": {"namespace": namespace, "name": name}}


def _run_of_context(role: Literal["parent", "root"], context: str) -> tuple[str, str, str] | None:
    """Return a run of the context, which may have the root run next to the parent run or inside it."""
    try:
        document = json.loads(context)
        found = document.get(role) or (role == "root" and (document.get("parent") or {}).get("root"))
        if not found:
            return None
        namespace, name = found["job"]["namespace"], found["job"]["name"]
        if not (isinstance(namespace, str) and namespace and isinstance(name, str) and name):
            raise ValueError("empty names")
        return namespace, name, str(UUID(found["run"]["runId"]))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise ValueError(
            f"{CONTEXT_VARIABLE}: expected JSON such as {_EXAMPLE}, found {redact_start(context, 200)!r}"
        ) from None


_EXAMPLE = '{"parent": {"run": {"runId": "..."}, "job": {"namespace": "...", "name": "..."}}}'


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
