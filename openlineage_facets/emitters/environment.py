"""Emitters configured by environment variables."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec

from openlineage_facets.emitters.base_emitter import BaseEmitter
from openlineage_facets.emitters.client import ClientEmitter
from openlineage_facets.emitters.console import ConsoleEmitter
from openlineage_facets.emitters.errors import LOG
from openlineage_facets.emitters.protocol import NullEmitter, http_emitter, setting
from openlineage_facets.emitters.spool.emitter import SpoolEmitter
from openlineage_facets.tags.user_tags import line_with_user_tags, user_tags
from openlineage_facets.version import install_command


def emitter_from_environment() -> BaseEmitter:
    """Return the emitter configured by the environment variables that openlineage-python uses.

    - `OPENLINEAGE_DISABLED=true`: events are dropped.
    - `OPENLINEAGE_CONFIG`, an `openlineage.yml`, or variables such as `OPENLINEAGE__TRANSPORT__TYPE` and
      `OPENLINEAGE__FILTERS`: a `ClientEmitter`, which needs the extra `client`.
    - `OPENLINEAGE_URL`, with `OPENLINEAGE_ENDPOINT` and `OPENLINEAGE_API_KEY`: an `HttpEmitter`.
    - If these name no receiver: a `ConsoleEmitter` on stderr, and a warning.

    If `OPENLINEAGE_SPOOL_DIR` is set, the emitter is wrapped in a `SpoolEmitter` with that directory. Invalid
    settings are logged and skipped; they never stop the job.

    If `OPENLINEAGE_BACKEND` names backends, as in `marquez`, the emitter repairs events for them.

    As openlineage-python does, the emitter adds the tags of the user to the job and run of each event: those
    of `user_tags`, overridden by those in an `openlineage.yml`.
    """
    if _is_disabled():
        return NullEmitter()
    client = _client()
    configured = client.tags() if client else {}
    emitter = _receiver(client)
    spool = setting("OPENLINEAGE_SPOOL_DIR")
    if emitter is None:
        LOG.warning(
            "no receiver is configured: events are printed to stderr; set OPENLINEAGE_URL, or the type of a"
            " transport"
        )
        emitter = ConsoleEmitter(sys.stderr)
    elif spool:
        emitter = SpoolEmitter(emitter, spool)
    emitter.prepare_lines(lambda line: _with_user_tags(line, configured))
    if backend := setting("OPENLINEAGE_BACKEND"):
        _add_repairs(emitter, backend)
    return emitter


def receiver_from_environment() -> BaseEmitter | None:
    """Return an emitter for the configured receiver, None if none is configured or it is disabled."""
    return None if _is_disabled() else _receiver(_client())


def _is_disabled() -> bool:
    return setting("OPENLINEAGE_DISABLED").lower() == "true"


def _receiver(client: ClientEmitter | None) -> BaseEmitter | None:
    if client and client.has_receiver():
        return client
    url = setting("OPENLINEAGE_URL")
    try:
        return http_emitter(url) if url else None
    except ValueError as error:
        variable = "OPENLINEAGE_API_KEY" if str(error).startswith("headers:") else "OPENLINEAGE_URL"
        LOG.error("%s: %s", variable, error)
        return None


def _add_repairs(emitter: BaseEmitter, backend: str) -> None:
    from openlineage_facets.emitters.backend_repairs import BackendRepairs

    try:
        emitter.prepare_lines(BackendRepairs(backend))
    except (ValueError, ModuleNotFoundError) as error:
        LOG.error("OPENLINEAGE_BACKEND: %s", error)


def _with_user_tags(line: bytes, configured: Mapping[str, Mapping[str, object]]) -> bytes:
    """Return a line with the tags of the environment and of the client's configuration."""
    tags = user_tags()
    if any(configured.values()):
        tags = tags.overridden_by(user_tags({"OPENLINEAGE__TAGS": json.dumps(configured, default=str)}))
    return line_with_user_tags(line, tags) if tags.job or tags.run else line


def _client() -> ClientEmitter | None:
    configuration = next(_client_configurations(), None)
    if configuration is None:
        return None
    if find_spec("openlineage") is None or find_spec("openlineage.client") is None:
        LOG.error("%s needs openlineage-python: %s", configuration, install_command("client"))
        return None
    try:
        return ClientEmitter()
    except Exception as error:
        LOG.error("%s: openlineage-python rejected the configuration: %s", configuration, error)
        return None


def _client_configurations() -> Iterator[str]:
    """Yield the files and variables that configure the client's receiver and filters, in its order."""
    configured = os.environ.get("OPENLINEAGE_CONFIG")
    if configured and not _is_readable(configured):
        LOG.error("OPENLINEAGE_CONFIG: expected a readable file, found %r, which is ignored", configured)
    files = (configured, "openlineage.yml", os.path.expanduser("~/.openlineage/openlineage.yml"))
    yield from (file for file in files if file and _is_readable(file))
    aliased = "OPENLINEAGE__TRANSPORT__TRANSPORTS__DEFAULT_HTTP__"  # Set by the client from OPENLINEAGE_URL.
    settings = ("OPENLINEAGE__TRANSPORT", "OPENLINEAGE__FILTERS")
    yield from (name for name in os.environ if name.startswith(settings) and not name.startswith(aliased))


def _is_readable(file: str) -> bool:
    return os.path.isfile(file) and os.access(file, os.R_OK)
