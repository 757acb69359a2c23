"""The emitter that the environment asks for."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec

from openlineage_facets.emitters.client import ClientEmitter
from openlineage_facets.emitters.console import ConsoleEmitter
from openlineage_facets.emitters.http import HttpEmitter
from openlineage_facets.emitters.protocol import NoEmitter
from openlineage_facets.emitters.reports import LOG
from openlineage_facets.emitters.sending import SendingEmitter
from openlineage_facets.emitters.spool.emitter import SpoolEmitter

__all__ = ["emitter_from_environment", "receiver_from_environment"]


def emitter_from_environment() -> SendingEmitter:
    """Return an emitter for what the environment says, as openlineage-python understands it.

    - `OPENLINEAGE_DISABLED=true`: events are dropped.
    - `OPENLINEAGE_CONFIG`, an `openlineage.yml`, or variables such as `OPENLINEAGE__TRANSPORT__TYPE`: a
      `ClientEmitter`, which needs the extra `client`.
    - `OPENLINEAGE_URL`, with `OPENLINEAGE_ENDPOINT` and `OPENLINEAGE_API_KEY`: an `HttpEmitter`.
    - Nothing of this: a `ConsoleEmitter` on the standard error output, and a warning.

    Where `OPENLINEAGE_SPOOL_DIR` names a folder, the receiver gets a `SpoolEmitter` around it. What is wrong
    in the environment is logged, and the next of these taken: it never stops a job.
    """
    environment = os.environ
    if environment.get("OPENLINEAGE_DISABLED", "").strip().lower() == "true":
        return NoEmitter()
    emitter = receiver_from_environment()
    if emitter is None:
        LOG.warning("no receiver is configured, by OPENLINEAGE_URL for one: events are printed to stderr")
        return ConsoleEmitter(sys.stderr)
    spool = environment.get("OPENLINEAGE_SPOOL_DIR", "").strip()
    return SpoolEmitter(emitter, spool) if spool else emitter


def receiver_from_environment() -> SendingEmitter | None:
    """Return an emitter for the receiver that the environment names, None where it names none."""
    return _client(os.environ) or _http(os.environ)


def _client(environment: Mapping[str, str]) -> SendingEmitter | None:
    found = next(_client_configurations(environment), None)
    if found is None:
        return None
    if find_spec("openlineage") is None or find_spec("openlineage.client") is None:
        LOG.error('%s needs openlineage-python: pip install "openlineage-facets[client]"', found)
        return None
    try:
        return ClientEmitter()
    except Exception as error:
        LOG.error("%s: openlineage-python refuses it: %s", found, error)
        return None


def _client_configurations(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield what configures the client's transport, where it looks for that itself."""
    files = (
        environment.get("OPENLINEAGE_CONFIG"),
        "openlineage.yml",
        os.path.expanduser("~/.openlineage/openlineage.yml"),
    )
    yield from (file for file in files if file and os.path.isfile(file))
    aliased = "OPENLINEAGE__TRANSPORT__TRANSPORTS__DEFAULT_HTTP__"  # The client's own, for OPENLINEAGE_URL.
    for name in environment:
        if name.startswith("OPENLINEAGE__TRANSPORT") and not name.startswith(aliased):
            yield name


def _http(environment: Mapping[str, str]) -> SendingEmitter | None:
    url = environment.get("OPENLINEAGE_URL", "").strip()
    if not url:
        return None
    try:
        return HttpEmitter(
            url,
            endpoint=environment.get("OPENLINEAGE_ENDPOINT", "").strip() or "api/v1/lineage",
            api_key=environment.get("OPENLINEAGE_API_KEY", "").strip() or None,
        )
    except ValueError as error:
        variable = "OPENLINEAGE_API_KEY" if str(error).startswith("headers:") else "OPENLINEAGE_URL"
        LOG.error("%s: %s", variable, error)
        return None
