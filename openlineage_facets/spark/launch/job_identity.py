"""Namespace, name, parent and transport of a job: from options, Spark's configuration, the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from openlineage_facets.emitters.base_emitter import BaseEmitter
from openlineage_facets.emitters.console import ConsoleEmitter
from openlineage_facets.emitters.file import FileEmitter
from openlineage_facets.emitters.http import HttpEmitter
from openlineage_facets.spark.launch.messages import log_message
from openlineage_facets.spark.run.parent import resolve_run

Setting = Callable[[str], "str | None"]
"""Returns a setting of Spark; None if it is not set."""

_UNNAMED_APPLICATIONS = ("pyspark-shell", "__main__.py")
"""Names that PySpark and spark-submit give to an application without a name."""

_WORD_START = re.compile(r"(?<=.)[A-Z](?=[a-z\s_-])|(?<=[^A-Z])[A-Z]|(?<=[\s_-])[a-z\d]", re.ASCII)
_SEPARATORS = " \t\n\r\f\v_-"


@dataclass(frozen=True)
class JobIdentity:
    """Names of a job and of the runs above it.

    Args:
        namespace: Namespace of the job.
        name: Name of the job.
        parent: Namespace, name and run id of the run that started it.
        root: The same of the run at the top of the hierarchy.
    """

    namespace: str
    name: str
    parent: tuple[str, str, str] | None
    root: tuple[str, str, str] | None


def job_identity(namespace: str | None, name: str | None, program: str, setting: Setting) -> JobIdentity:
    """Return the identity of a job, the same as with the Spark listener of OpenLineage.

    Args:
        namespace: Instead of `spark.openlineage.namespace`, `OPENLINEAGE_NAMESPACE` and "default".
        name: Instead of `spark.openlineage.appName` and `spark.app.name`, which are normalized.
        program: Name of a job without any of these.
        setting: Returns settings of Spark.
    """
    namespace = (
        namespace
        or setting("spark.openlineage.namespace")
        or os.environ.get("OPENLINEAGE_NAMESPACE", "").strip()
        or "default"
    )
    application = setting("spark.app.name")
    if application in _UNNAMED_APPLICATIONS:
        application = None
    name = name or normalized_name(setting("spark.openlineage.appName") or application or program)
    return JobIdentity(
        namespace,
        name,
        _run("parent", "parent", namespace, setting),
        _run("root", "rootParent", namespace, setting),
    )


def normalized_name(name: str) -> str:
    """Return the name that the Spark listener of OpenLineage gives to an application.

    Example:
        >>> normalized_name("Daily Orders")
        'daily_orders'
        >>> normalized_name("DailyOrders")
        'daily_orders'
    """
    words: list[str] = []
    end = 0
    for start in (match.start() for match in _WORD_START.finditer(name)):
        # The separator before a word becomes an underscore.
        cut = start - 1 if start > end and name[start - 1] in _SEPARATORS else start
        words.append(name[end:cut])
        end = start
    return "_".join([*words, name[end:]]).lower()


def _run(
    role: Literal["parent", "root"], prefix: str, namespace: str, setting: Setting
) -> tuple[str, str, str] | None:
    """Return a run above the job, from the settings of the listener or else from the environment."""
    run_id = setting(f"spark.openlineage.{prefix}RunId")
    name = setting(f"spark.openlineage.{prefix}JobName")
    if run_id and name:
        configured = (setting(f"spark.openlineage.{prefix}JobNamespace") or namespace, name, run_id)
        try:
            return resolve_run(role, configured)
        except ValueError as error:
            log_message(f"the {role} run of the Spark configuration is not reported", error)
    try:
        return resolve_run(role, None)
    except ValueError:
        return None  # `SparkRun` logs it.


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
        log_message(
            f"{_PREFIX}type: expected {', '.join(_TRANSPORTS)}, found {kind!r}; events are emitted as the "
            "environment configures, unless --emit names another destination"
        )
        return None
    try:
        return create(setting)
    except ValueError as error:
        log_message(f"{_PREFIX}* is not used, events are emitted as the environment configures: {error}")
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
