"""The listener: what a scheduler reports of a task instance, told as run events."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from typing import Any, cast

from openlineage_facets.base.entities import FacetModel
from openlineage_facets.base.errors import EventError, an
from openlineage_facets.base.producer import is_absolute_uri, producer
from openlineage_facets.builders.failure import failure_facet
from openlineage_facets.emitters.protocol import Emitter, as_emitter
from openlineage_facets.generated.open_lineage import EventType, Job, JobFacet, Run, RunEvent, RunFacet
from openlineage_facets.generated.tag import TagJobFacet, TagRunFacet
from openlineage_facets.operators.dag_run_facets import nominal_time_facet, parent_facet
from openlineage_facets.operators.extractors import ExtractorRegistry, Stage, default_registry
from openlineage_facets.operators.lineage import TaskInstanceLineage, read_lineage
from openlineage_facets.operators.run_ids import id_of_task_run
from openlineage_facets.operators.task_instance import DagRun, TaskInstance, dag_run_of
from openlineage_facets.tags import tags_facet, tags_of, user_tags, with_user_tags

__all__ = ["TaskInstanceListener"]

_log = logging.getLogger("openlineage_facets.operators")

_EVENT_TYPES: dict[Stage, EventType] = {
    "start": EventType.START,
    "complete": EventType.COMPLETE,
    "failure": EventType.FAIL,
}


class TaskInstanceListener:
    """Turns what happens to a task instance into START, COMPLETE and FAIL events.

    An event is about the job `<dag_id>.<task_id>` and carries what the operator tells at that stage, the
    `parent` facet of the DAG run, its data interval as `nominalTime`, the user's tags from the
    environment and, on FAIL, the error as `errorMessage`. Of facets under one key the listener's `parent`
    and `errorMessage` hold, and the operator's `nominalTime`. Run ids are those of `task_run_id`, the
    same in START and at the end, and nothing is remembered between events: they may come from different
    processes.

    Its methods never raise an `Exception` into the task. What an operator, an extractor or `emit` raises,
    or tells wrongly, costs a line in the log and an event without it. KeyboardInterrupt, SystemExit and a
    scheduler's own timeouts, which are no `Exception`, pass.

    Args:
        emit: What takes each event: an emitter, or a function.
        namespace: Namespace of the scheduler's jobs; `OPENLINEAGE_NAMESPACE`, else `default`, if not given.
        producer: Absolute URI of the code that composes the events; the one in force if not given.
        extractors: Who reads which operator; those of `register` if not given.

    Raises:
        ValueError: The producer is not absolute, or the namespace is empty.
        TypeError: `emit` takes no events.
    """

    def __init__(
        self,
        emit: Emitter | Callable[[RunEvent], object],
        *,
        namespace: str | None = None,
        producer: str | None = None,
        extractors: ExtractorRegistry | None = None,
    ) -> None:
        if producer is not None and not is_absolute_uri(producer):
            raise ValueError(
                f"producer: expected an absolute URI such as https://example.com/etl/v7, found {producer!r}"
            )
        if namespace == "":
            raise ValueError(
                "namespace: expected a name, found an empty string; say which namespace is meant"
            )
        self._emitter = as_emitter(emit, on_error="raise")
        self._namespace = namespace or os.environ.get("OPENLINEAGE_NAMESPACE") or "default"
        self._producer = producer
        self._extractors = default_registry() if extractors is None else extractors

    def on_start(self, task_instance: TaskInstance) -> None:
        """Emit START: the task instance runs."""
        self._tell("start", task_instance)

    def on_complete(self, task_instance: TaskInstance) -> None:
        """Emit COMPLETE: the task instance has ended well."""
        self._tell("complete", task_instance)

    def on_failure(self, task_instance: TaskInstance, error: BaseException | str | None = None) -> None:
        """Emit FAIL: the task instance has ended with an error.

        Args:
            task_instance: The task instance.
            error: What went wrong.
        """
        self._tell("failure", task_instance, error)

    def _tell(
        self, stage: Stage, task_instance: TaskInstance, error: BaseException | str | None = None
    ) -> None:
        name = "a task instance"
        try:
            name = f"{task_instance.dag_id}.{task_instance.task_id}"
            with self._producer_in_force():
                event = self._event(stage, task_instance, name, error)
            self._emitter.emit(event)
        except Exception:
            _log.exception("no %s event of %s was emitted", _EVENT_TYPES[stage].value, name)

    def _producer_in_force(self) -> AbstractContextManager[object]:
        return nullcontext() if self._producer is None else producer(self._producer)

    def _event(
        self, stage: Stage, task_instance: TaskInstance, name: str, error: BaseException | str | None
    ) -> RunEvent:
        lineage = self._lineage(stage, task_instance, name)
        dag_run = dag_run_of(task_instance)
        try:
            return self._composed(stage, task_instance, dag_run, name, error, lineage)
        except EventError as reason:
            _log.warning("%s: its lineage makes no event and is left out: %s", name, reason)
            return self._composed(stage, task_instance, dag_run, name, error, TaskInstanceLineage())

    def _lineage(self, stage: Stage, task_instance: TaskInstance, name: str) -> TaskInstanceLineage:
        """Return what is right of what the operator tells; nothing, where it raises."""
        try:
            told: Any = self._extractors.extract(stage, task_instance)
        except Exception:
            _log.warning("%s tells no lineage on %s: its operator raised", name, stage, exc_info=True)
            return TaskInstanceLineage()
        if told is None:
            _log.info("%s tells no lineage on %s: its operator returned None", name, stage)
            return TaskInstanceLineage()
        try:
            lineage, findings = read_lineage(told)
        except Exception:
            found = type(told).__name__
            _log.warning("%s: its lineage on %s, %s, raises when read", name, stage, an(found), exc_info=True)
            return TaskInstanceLineage()
        if findings:
            _log.warning(
                "%s: parts of its lineage on %s are left out: %s",
                name,
                stage,
                "; ".join(map(str, findings)),
                exc_info=findings.raised,
            )
        return lineage

    def _composed(
        self,
        stage: Stage,
        task_instance: TaskInstance,
        dag_run: DagRun | None,
        name: str,
        error: BaseException | str | None,
        lineage: TaskInstanceLineage,
    ) -> RunEvent:
        run_facets: dict[str, FacetModel] = {}
        nominal_time = nominal_time_facet(dag_run)
        if nominal_time is not None:
            run_facets["nominalTime"] = nominal_time
        run_facets.update(lineage.run_facets or {})
        run_facets["parent"] = parent_facet(task_instance, dag_run, self._namespace)
        if stage == "failure" and error is not None:
            run_facets["errorMessage"] = failure_facet(
                error if isinstance(error, BaseException) else str(error)
            )
        job_facets: dict[str, FacetModel] = dict(lineage.job_facets or {})
        _add_user_tags(run_facets, job_facets)
        return RunEvent(
            event_type=_EVENT_TYPES[stage],
            event_time=_event_time(stage, task_instance, name),
            run=Run(
                run_id=id_of_task_run(task_instance, dag_run, self._namespace),
                facets=cast("dict[str, RunFacet]", run_facets),
            ),
            job=Job(
                namespace=self._namespace,
                name=name,
                facets=cast("dict[str, JobFacet]", job_facets) or None,
            ),
            inputs=lineage.inputs,
            outputs=lineage.outputs,
        )


def _add_user_tags(run_facets: dict[str, FacetModel], job_facets: dict[str, FacetModel]) -> None:
    """Put the tags of the user's environment on run and job, in the spelling of the operator's own."""
    user = user_tags()
    if user.run:
        run_tags: Any = run_facets.get("tags")
        tags = with_user_tags("run", tags_of(run_tags), user)
        proposal = isinstance(run_tags, TagRunFacet)
        run_facets["tags"] = tags_facet("run", tags, "proposal") if proposal else tags_facet("run", tags)
    if user.job:
        job_tags: Any = job_facets.get("tags")
        tags = with_user_tags("job", tags_of(job_tags), user)
        proposal = isinstance(job_tags, TagJobFacet)
        job_facets["tags"] = tags_facet("job", tags, "proposal") if proposal else tags_facet("job", tags)


def _event_time(stage: Stage, task_instance: TaskInstance, name: str) -> datetime | None:
    """Return when it happened as the scheduler says, None for now where it does not say it credibly."""
    start = getattr(task_instance, "start_date", None)
    moment = start if stage == "start" else getattr(task_instance, "end_date", None)
    if not isinstance(moment, datetime):
        return None
    if moment.utcoffset() is None:
        _log.warning("%s: %s is no moment, for want of an offset; the event is of now", name, moment)
        return None
    if isinstance(start, datetime) and start.utcoffset() is not None and moment < start:
        return None  # The end of an earlier try, not yet overwritten.
    return moment
