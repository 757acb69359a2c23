"""The environment variables that a run may tell."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from openlineage_facets.facets import EnvironmentVariablesRunFacet, environment_variables_run

__all__ = ["environment_facet"]


def environment_facet(
    allowed: Iterable[str], environ: Mapping[str, str] | None = None
) -> EnvironmentVariablesRunFacet | None:
    """Return those of the allowed variables that are set; None where none of them is.

    Args:
        allowed: Names of the variables that may be told; no other is looked at.
        environ: The environment; the process's own if not given.
    """
    variables = os.environ if environ is None else environ
    told = [
        environment_variables_run.EnvironmentVariable(name=name, value=variables[name])
        for name in dict.fromkeys(allowed)
        if name in variables
    ]
    return EnvironmentVariablesRunFacet(environment_variables=told) if told else None
