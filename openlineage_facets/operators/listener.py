"""`TaskInstanceListener`: emit run events when a scheduler's task instances start and end."""

from __future__ import annotations

import os
from contextlib import nullcontext
from datetime import datetime
from typing import Any, cast

from openlineage_facets.base.errors.findings import EventError, describe, with_article
from openlineage_facets.base.model.spec_models import FacetModel
from openlineage_facets.base.producer import is_absolute_uri, producer
from openlineage_facets.base.redaction.redacting_logger import redacting_logger
from openlineage_facets.builders.error_facet import failure_facet
from openlineage_facets.builders.retagging import retagged
from openlineage_facets.emitters.protocol import EmitTarget, as_emitter
from openlineage_facets.generated import parent_run
from openlineage_facets.generated.open_lineage import EventType, Job, JobFacet, Run, RunEvent, RunFacet
from openlineage_facets.generated.parent_run import ParentRunFacet
from openlineage_facets.generated.tag import TagJobFacet, TagRunFacet
from openlineage_facets.operators.extractors import DEFAULT_REGISTRY, ExtractorRegistry, Stage
from openlineage_facets.operators.plain_lineage import FindingCollector
from openlineage_facets.operators.task_instance import TaskInstance, dag_run_id, task_run_id
from openlineage_facets.operators.task_lineage import (
    TaskInstanceLineage,
    read_reported_lineage,
    redacted_parts,
)
from openlineage_facets.tags import Entity, tags_of, user_tags, with_user_tags

_log = redacting_logger("openlineage_facets.operators")

_EVENT_TYPES: dict[Stage, EventType] = {
    "start": EventType.START,
    "complete": EventType.COMPLETE,
    "failure": EventType.FAIL,
}


class TaskInstanceListener:
    """Emits START, COMPLETE and FAIL events for task instances.

    The job of an event is `<dag_id>.<task_id>`. The event contains the lineage that the operator reports at
    that stage, the DAG run as `parent`, the user's tags from the environment and, on FAIL, the error as
    `errorMessage`. If the operator reports the same facets, those of the listener take precedence. Secrets
    are redacted, also in the operator's facets and namespaces. The run id is `task_run_id`. The listener is
    stateless: the events of a run may come from different processes.

    Its methods never raise an `Exception` into the task. Exceptions from operators, extractors and `emit`,
    and invalid parts of lineage, are logged and left out of the event. A task instance without a DAG, a task
    or a run is logged and has no events. KeyboardInterrupt, SystemExit and timeouts of the scheduler that are
    not an `Exception` are not caught.

    Args:
        emit: An emitter, a function that accepts an event, a URL or the path of a file.
        namespace: Namespace of the scheduler's jobs. Defaults to `OPENLINEAGE_NAMESPACE`, or else `default`.
        producer: Absolute URI of the code that composes the events. Defaults to the current producer.
        extractors: The extractor registry. Defaults to the one used by `register`.

    Raises:
        ValueError: The producer is not absolute, the namespace is empty, or `emit` is a URL or path to which
            events cannot be emitted.
        ImportError: `emit` is the URL of an object store whose driver is not installed.
        TypeError: `emit` is neither an emitter, a function, a URL nor a path.
    """

    def __init__(
        self,
        emit: EmitTarget[RunEvent],
        *,
        namespace: str | None = None,
        producer: str | None = None,
        extractors: ExtractorRegistry | None = None,
    ) -> None:
        if producer is not None and not is_absolute_uri(producer):
            raise ValueError(
                f"producer: expected an absolute URI such as https://example.com/v7/etl, found {producer!r}"
            )
        if namespace == "":
            raise ValueError(
                "namespace: expected a name, found an empty string; pass the namespace of the jobs"
            )
        self._emitter = as_emitter(emit, on_error="raise")
        self._namespace = _encodable(namespace or os.environ.get("OPENLINEAGE_NAMESPACE") or "default")
        self._producer = producer
        self._extractors = DEFAULT_REGISTRY if extractors is None else extractors

    def on_start(self, task_instance: TaskInstance) -> None:
        """Emit START: the task instance is running."""
        self._emit_event("start", task_instance)

    def on_complete(self, task_instance: TaskInstance) -> None:
        """Emit COMPLETE: the task instance has succeeded."""
        self._emit_event("complete", task_instance)

    def on_failure(self, task_instance: TaskInstance, error: BaseException | str | None = None) -> None:
        """Emit FAIL: the task instance has failed.

        Args:
            task_instance: The task instance.
            error: The exception or error message, if known.
        """
        self._emit_event("failure", task_instance, error)

    def _emit_event(
        self, stage: Stage, task_instance: TaskInstance, error: BaseException | str | None = None
    ) -> None:
        name = "a task instance"
        try:
            name = _encodable(f"{task_instance.dag_id}.{task_instance.task_id}")
            if (problem := _identity_problem(task_instance)) is not None:
                _log.error("no %s event of %s: %s", _EVENT_TYPES[stage].value, name, problem)
                return
            with nullcontext() if self._producer is None else producer(self._producer):
                event = self._event(stage, task_instance, name, error)
            self._emitter.emit(event)
        except Exception:
            _log.exception("could not emit the %s event of %s", _EVENT_TYPES[stage].value, name)

    def _event(
        self, stage: Stage, task_instance: TaskInstance, name: str, error: BaseException | str | None
    ) -> RunEvent:
        lineage = self._lineage(stage, task_instance, name)
        try:
            return self._compose_event(stage, task_instance, name, error, lineage)
        except EventError as reason:
            _log.warning("%s: invalid lineage left out of the event: %s", name, reason)
            return self._compose_event(stage, task_instance, name, error, TaskInstanceLineage())

    def _lineage(self, stage: Stage, task_instance: TaskInstance, name: str) -> TaskInstanceLineage:
        """Return the valid parts of the operator's lineage, redacted, and log the others."""
        try:
            reported: Any = self._extractors.extract(stage, task_instance)
        except Exception:
            _log.warning("%s: no lineage on %s, the operator raised an exception", name, stage, exc_info=True)
            return TaskInstanceLineage()
        if reported is None:
            _log.info("%s: no lineage on %s, the operator returned None", name, stage)
            return TaskInstanceLineage()
        try:
            lineage, findings = read_reported_lineage(reported)
            clean, invalid_redacted = redacted_parts(lineage)
        except Exception:
            kind = with_article(type(reported).__name__)
            _log.warning("%s: could not read its lineage on %s, %s", name, stage, kind, exc_info=True)
            return TaskInstanceLineage()
        _log_left_out(name, stage, "invalid parts", findings)
        _log_left_out(name, stage, "parts that are invalid after secrets were redacted", invalid_redacted)
        return clean

    def _compose_event(
        self,
        stage: Stage,
        task_instance: TaskInstance,
        name: str,
        error: BaseException | str | None,
        lineage: TaskInstanceLineage,
    ) -> RunEvent:
        run_facets: dict[str, FacetModel] = dict(lineage.run_facets or {})
        run_facets["parent"] = _parent_facet(task_instance, self._namespace)
        if stage == "failure" and error is not None:
            run_facets["errorMessage"] = failure_facet(
                error if isinstance(error, BaseException) else str(error)
            )
        job_facets: dict[str, FacetModel] = dict(lineage.job_facets or {})
        _add_user_tags("run", run_facets)
        _add_user_tags("job", job_facets)
        return RunEvent(
            event_type=_EVENT_TYPES[stage],
            event_time=_event_time(stage, task_instance, name),
            run=Run(
                run_id=task_run_id(task_instance, self._namespace),
                facets=cast("dict[str, RunFacet]", run_facets),
            ),
            job=Job(
                namespace=self._namespace, name=name, facets=cast("dict[str, JobFacet]", job_facets) or None
            ),
            inputs=lineage.inputs,
            outputs=lineage.outputs,
        )


def _log_left_out(name: str, stage: Stage, parts: str, findings: FindingCollector) -> None:
    if findings:
        text = "; ".join(map(str, findings))
        _log.warning(
            "%s: %s of its lineage on %s left out: %s", name, parts, stage, text, exc_info=findings.raised
        )


def _parent_facet(task_instance: TaskInstance, namespace: str) -> ParentRunFacet:
    """Return the parent facet of a task's run: its DAG run is parent and root."""
    run_id, name = dag_run_id(task_instance, namespace), _encodable(task_instance.dag_id)
    return ParentRunFacet(
        run=parent_run.Run(run_id=run_id),
        job=parent_run.Job(namespace=namespace, name=name),
        root=parent_run.Root(
            run=parent_run.RootRun(run_id=run_id), job=parent_run.RootJob(namespace=namespace, name=name)
        ),
    )


def _add_user_tags(entity: Entity, facets: dict[str, FacetModel]) -> None:
    """Add the user's tags from the environment to a run or job, in the wire format of the operator's tags."""
    user = user_tags()
    if not user.of(entity):
        return
    reported: Any = facets.get("tags")
    tags = with_user_tags(entity, tags_of(reported), user)
    is_proposal = isinstance(reported, TagRunFacet | TagJobFacet)
    known = [] if reported is None else [reported]
    facets["tags"] = retagged(entity, known, tags, "proposal" if is_proposal else "released")


def _identity_problem(task_instance: TaskInstance) -> str | None:
    """Return why the events of a task instance would have no job or run, None if they have."""
    for name in ("dag_id", "task_id", "run_id"):
        value = getattr(task_instance, name)
        if not isinstance(value, str) or not (value or name == "run_id"):
            return f"{name}: expected a name, found {describe(value)}; pass a task instance of a DAG run"
    return None


def _encodable(name: str) -> str:
    """Return a name whose characters that UTF-8 cannot encode are escaped."""
    return name.encode("utf-8", "backslashreplace").decode()


def _event_time(stage: Stage, task_instance: TaskInstance, name: str) -> datetime | None:
    """Return the start or end date of the task instance, None for the current time if it is not plausible."""
    start = getattr(task_instance, "start_date", None)
    time = start if stage == "start" else getattr(task_instance, "end_date", None)
    if not isinstance(time, datetime):
        return None
    if time.utcoffset() is None:
        _log.warning("%s: expected a date with an offset, found %s; using the current time", name, time)
        return None
    if isinstance(start, datetime) and start.utcoffset() is not None and time < start:
        return None  # The end of an earlier try, not yet overwritten.
    return time
