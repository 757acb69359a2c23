"""Facets that are known when a run starts, and the builders of runs of single writes, which have the same."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from pyspark.sql import SparkSession

from openlineage_facets.base.redaction.redact import redact, redact_option
from openlineage_facets.base.redaction.secret_urls import without_login
from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.facets import (
    EnvironmentVariablesRunFacet,
    RunFacet,
    SourceCodeLocationJobFacet,
    SparkApplicationDetailsRunFacet,
    SparkPropertiesRunFacet,
    environment_variables_run,
)
from openlineage_facets.spark.capture.guard import Guard
from openlineage_facets.spark.capture.job_facets import JobFacets
from openlineage_facets.spark.jvm import hadoop_configuration, has_jvm, is_stopped, session_setting
from openlineage_facets.spark.run.parent import parent_facet, resolve_run
from openlineage_facets.spark.run.settings import RunSettings
from openlineage_facets.spark.spark_dataset import Identity
from openlineage_facets.version import __version__

_TIMEOUT_SECONDS = 5
_SCP_ADDRESS = re.compile(r"(?:[^@/]+@)?(?P<host>[^:/]+):(?P<path>(?!/).+)")
"""Short form of an SSH address, such as git@example.com:data/pipelines.git."""

_FILE_VIEWS = {"github": "blob", "gitlab": "-/blob", "bitbucket": "src"}
"""URL path between repository and commit, by the name of the host."""


def source_code_facet(path: Path | str | None) -> SourceCodeLocationJobFacet:
    """Return repository, branch, commit and path of the code, without credentials.

    There is no commit if the file has uncommitted changes.

    Args:
        path: File or folder of the job's code; the script that Python was started with by default.

    Raises:
        ValueError: There is no script, the path does not exist, it is not in a git repository, or the
            repository has no remote with a network address.
        OSError: Git is not installed.
        subprocess.SubprocessError: Git does not respond.
    """
    code = Path(path or _script()).resolve()
    if not code.exists():
        raise ValueError(f"source_code: expected a file or folder, found nothing at {code}")
    folder = code if code.is_dir() else code.parent
    relative = code.relative_to(_git(folder, "rev-parse", "--show-toplevel")).as_posix()
    repository = without_login(_git(folder, "remote", "get-url", _remote(folder)))
    changed = _git(folder, "status", "--porcelain", "--", str(code))
    commit = None if changed else _git(folder, "rev-parse", "HEAD")
    branch = _git(folder, "rev-parse", "--abbrev-ref", "HEAD")
    return SourceCodeLocationJobFacet(
        type="git",
        url=_link(repository, commit, relative),
        repo_url=repository,
        path=relative,
        version=commit,
        branch=None if branch == "HEAD" else branch,
    )


def _script() -> str:
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    if not script:
        raise ValueError("source_code: expected a script, found an interactive session; pass the path")
    return str(script)


def _git(folder: Path, *arguments: str) -> str:
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
    command = ["git", "-C", str(folder), *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=_TIMEOUT_SECONDS, env=environment
    )
    if done.returncode:
        error = done.stderr.strip() or f"git {' '.join(arguments)} failed"
        raise ValueError(f"source_code: expected a git repository with a commit at {folder}, found {error}")
    return done.stdout.strip()


def _remote(folder: Path) -> str:
    remotes = _git(folder, "remote").split()
    if not remotes:
        raise ValueError(f"source_code: expected a git repository with a remote, found no remote in {folder}")
    return "origin" if "origin" in remotes else remotes[0]


def _link(repository: str, commit: str | None, path: str) -> str:
    """Return the browser URL of the code, or of the repository for an unknown host."""
    short = _SCP_ADDRESS.fullmatch(repository) if "://" not in repository else None
    if short:
        host, folder = short["host"], short["path"]
    else:
        parts = urlsplit(repository)
        host, folder = parts.hostname or "", parts.path
        if parts.port and parts.scheme in ("http", "https"):
            host = f"{host}:{parts.port}"
    if not host:
        raise ValueError(f"source_code: expected a git remote with a network address, found {repository!r}")
    home = f"https://{host}/{quote(folder.strip('/').removesuffix('.git'))}"
    view = next((view for name, view in _FILE_VIEWS.items() if name in host.split(".")), None)
    return f"{home}/{view}/{commit}/{quote(path)}" if view and commit else home


_CAPTURED_PROPERTIES = "spark.openlineage.capturedProperties"
_SCHEMA_URL = RunFacet.__schema_url__
"""What the listener writes: no schema of these facets has been published."""

_DEFAULT_PROPERTIES = ("spark.master", "spark.app.name")
_YARN_PROXY = "spark.org.apache.hadoop.yarn.server.webproxy.amfilter.AmIpFilter.param.PROXY_URI_BASES"


def application_details_facet(spark: SparkSession) -> SparkApplicationDetailsRunFacet | None:
    """Return the facet of an application; None for Spark Connect, whose server has many users, or if stopped.

    Args:
        spark: The session.
    """
    if not has_jvm(spark) or is_stopped(spark):
        return None
    context = spark.sparkContext
    fields = {
        "master": context.master,
        "app_name": context.appName,
        "application_id": context.applicationId,
        "deploy_mode": session_setting(spark, "spark.submit.deployMode") or "client",
        "driver_host": session_setting(spark, "spark.driver.host"),
        "user_name": context.sparkUser(),
        "ui_web_url": context.uiWebUrl,
        "proxy_url": _proxy_url(spark, context.applicationId),
        "history_url": _history_url(spark, context.applicationId),
    }
    known = {name: redact(value) for name, value in fields.items() if value is not None}
    return SparkApplicationDetailsRunFacet(**known, schema_url=_SCHEMA_URL)


def spark_properties_facet(spark: SparkSession) -> SparkPropertiesRunFacet | None:
    """Return the facet with the settings that `spark.openlineage.capturedProperties` lists.

    Args:
        spark: The session.

    Returns:
        None if none of them is set.
    """
    listed = session_setting(spark, _CAPTURED_PROPERTIES)
    names = _DEFAULT_PROPERTIES if listed is None else tuple(name.strip() for name in listed.split(","))
    values = {name: session_setting(spark, name) for name in dict.fromkeys(names) if name}
    properties = {name: redact_option(name, value) for name, value in values.items() if value is not None}
    return SparkPropertiesRunFacet(properties=properties, schema_url=_SCHEMA_URL) if properties else None


def _proxy_url(spark: SparkSession, application_id: str) -> str | None:
    yarn = session_setting(spark, _YARN_PROXY)
    if yarn is not None:
        return yarn
    proxy = session_setting(spark, "spark.ui.reverseProxyUrl")
    if proxy is None or session_setting(spark, "spark.ui.reverseProxy") != "true":
        return None
    return f"{proxy.rstrip('/')}/proxy/{quote(application_id, safe='')}"


def _history_url(spark: SparkSession, application_id: str) -> str | None:
    server = session_setting(spark, "spark.yarn.historyServer.address")
    if server is None:
        return None
    if not server.startswith("http"):
        policy = hadoop_configuration(spark).get("yarn.http.policy") or "HTTP_ONLY"
        server = f"{policy.removesuffix('_ONLY').lower()}://{server}"
    return f"{server.rstrip('/')}/history/{quote(application_id, safe='')}"


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


class StartFacets:
    """Add the facets of the START event.

    Args:
        settings: Settings of the run.
        guard: Runs each step, so that one that fails only loses its own facet.
    """

    def __init__(self, settings: RunSettings, guard: Guard) -> None:
        self._settings = settings
        self._guard = guard

    def add_to(self, build: RunEventBuilder, spark: SparkSession, job_facets: JobFacets) -> None:
        """Add the facets to the builder of the run's events."""
        settings, run = self._settings, build.run
        steps: dict[str, Callable[[], Any]] = {
            "report the processing engine": lambda: run.processing_engine(
                name="spark", version=spark.version, openlineage_adapter_version=__version__
            ),
            "report the Spark application": lambda: _add(run, application_details_facet(spark)),
            "report the Spark properties": lambda: _add(run, spark_properties_facet(spark)),
            "report the job type": job_facets.add_job_type,
            "report the parent run": lambda: self._add_parent(build),
            "report the nominal time": lambda: self._add_nominal_time(build),
            "report the tags": lambda: settings.tags and build.tags(settings.tags),
            "report the environment variables": lambda: _add(run, environment_facet(settings.environment)),
            "report the source code location": lambda: _add(build.job, self._source_code()),
        }
        for step, add in steps.items():
            with self._guard.step(step):
                add()

    def _add_parent(self, build: RunEventBuilder) -> None:
        parent = resolve_run("parent", self._settings.parent)
        step = "report the root run"
        root: tuple[str, str, str] | None = None
        with self._guard.step(step):
            root = resolve_run("root", self._settings.root)
        if parent is not None:
            build.run.facet(parent_facet(parent, root))
        elif root is not None:
            self._guard.warn_once(
                step,
                "the root run is not reported without a parent run; set parent= or OPENLINEAGE_PARENT_ID",
            )

    def _add_nominal_time(self, build: RunEventBuilder) -> None:
        start, end = self._settings.nominal_start_time, self._settings.nominal_end_time
        if start is not None:
            build.run.nominal_time(nominal_start_time=start, nominal_end_time=end)

    def _source_code(self) -> Any:
        path = self._settings.source_code
        if path is False:
            return None
        return source_code_facet(None if path is True else Path(os.fspath(path)))


def _add(builder: Any, facet: Any) -> None:
    if facet is not None:
        builder.facet(facet)


class WriteRunBuilders:
    """Create the builders for the runs of single writes of a run.

    Args:
        settings: Settings of the run.
        run_id: UUID of the run.
        producer: URI of the code that composes the events.
        find_session: Returns the session of the run.
        guard: Runs the lineage code.
        lock: Held while a builder is changed.
    """

    def __init__(
        self,
        settings: RunSettings,
        run_id: str,
        producer: str,
        find_session: Callable[[], SparkSession],
        guard: Guard,
        lock: AbstractContextManager[Any],
    ) -> None:
        own = settings.namespace, settings.name, run_id
        self._settings = settings
        self._parent = own
        self._producer = producer
        self._find_session = find_session
        self._guard = guard
        self._lock = lock
        self._outputs: dict[str, Identity] = {}

    def new(self, output: Identity) -> RunEventBuilder:
        """Return a builder for the run of a write.

        Args:
            output: The dataset that it writes, which the name of its job contains.
        """
        settings = self._settings
        builder = RunEventBuilder(
            settings.namespace,
            self._job_name(output),
            producer=self._producer,
            wire_format=settings.wire_format,
        )
        root = self._parent
        with self._guard.step("report the root run"):  # That of the environment may be invalid.
            root = resolve_run("root", settings.root) or resolve_run("parent", settings.parent) or root
        of_write = replace(settings, parent=self._parent, root=root, source_code=False)
        job_facets = JobFacets(builder, self._lock, settings.processing_type)
        StartFacets(of_write, self._guard).add_to(builder, self._find_session(), job_facets)
        return builder

    def _job_name(self, output: Identity) -> str:
        namespace, name = output
        job = f"{self._settings.name}.{name.lstrip('/')}"
        if self._outputs.setdefault(job, output) == output:
            return job
        return f"{self._settings.name}.{namespace}/{name.lstrip('/')}"
