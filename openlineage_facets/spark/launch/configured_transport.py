"""The transport of the Spark listener of OpenLineage, as configured with `spark.openlineage.transport.*`."""

from __future__ import annotations

from collections.abc import Callable

from openlineage_facets.emitters.base_emitter import BaseEmitter
from openlineage_facets.emitters.console import ConsoleEmitter
from openlineage_facets.emitters.file import FileEmitter
from openlineage_facets.emitters.http import HttpEmitter
from openlineage_facets.spark.launch.job_identity import Setting
from openlineage_facets.spark.log_once import log_once

_PREFIX = "spark.openlineage.transport."


def configured_emitter(setting: Setting) -> BaseEmitter | None:
    """Return an emitter to the destination of the listener; None if none is configured, or unusable.

    Args:
        setting: Returns settings of Spark.
    """
    kind = setting(f"{_PREFIX}type")
    if kind is None:
        return None
    create = _TRANSPORTS.get(kind)
    if create is None:
        log_once(
            f"{_PREFIX}type: expected {', '.join(_TRANSPORTS)}, found {kind!r}; events are emitted as the "
            "environment configures, unless --emit names another destination"
        )
        return None
    try:
        return create(setting)
    except ValueError as error:
        log_once(f"{_PREFIX}* is not used, events are emitted as the environment configures: {error}")
        return None


def _http(setting: Setting) -> BaseEmitter:
    timeout = setting(f"{_PREFIX}timeoutInMillis") or "5000"
    if not timeout.isdecimal():
        raise ValueError(f"expected a number as {_PREFIX}timeoutInMillis, found {timeout!r}")
    return HttpEmitter(
        _required(setting, "url"),
        endpoint=setting(f"{_PREFIX}endpoint") or "api/v1/lineage",
        api_key=setting(f"{_PREFIX}auth.apiKey"),
        timeout=int(timeout) / 1000,
    )


def _file(setting: Setting) -> BaseEmitter:
    return FileEmitter(_required(setting, "location"))


def _console(setting: Setting) -> BaseEmitter:
    return ConsoleEmitter()


def _required(setting: Setting, name: str) -> str:
    value = setting(f"{_PREFIX}{name}")
    if value is None:
        raise ValueError(f"expected {_PREFIX}{name}, which is not set")
    return value


_TRANSPORTS: dict[str, Callable[[Setting], BaseEmitter]] = {"http": _http, "file": _file, "console": _console}
