"""Facet with the environment variables that a run may report."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from openlineage_facets.base.redaction.redact import redact_option
from openlineage_facets.facets import EnvironmentVariablesRunFacet, environment_variables_run


def environment_facet(
    allowed: Iterable[str], environ: Mapping[str, str] | None = None
) -> EnvironmentVariablesRunFacet | None:
    """Return the allowed variables that are set, with secrets redacted; None if there are none.

    Args:
        allowed: Names of the variables to report; no other variable is read.
        environ: The environment; `os.environ` by default.
    """
    variables = os.environ if environ is None else environ
    reported = [
        environment_variables_run.EnvironmentVariable(name=name, value=redact_option(name, variables[name]))
        for name in dict.fromkeys(allowed)
        if name in variables
    ]
    return EnvironmentVariablesRunFacet(environment_variables=reported) if reported else None
