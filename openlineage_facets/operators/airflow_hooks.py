"""Airflow's listener hooks for a `TaskInstanceListener`."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from openlineage_facets.operators.airflow_conversion import provider_module
from openlineage_facets.operators.listener import TaskInstanceListener


def airflow_listener(listener: TaskInstanceListener) -> Any:
    """Return Airflow's listener hooks for the `listeners` of an Airflow plugin.

    Args:
        listener: The listener to call for each task instance.

    Raises:
        ImportError: Airflow is not installed.

    Example:
        class LineagePlugin(AirflowPlugin):
            name = "lineage"
            listeners = [airflow_listener(TaskInstanceListener(emit=...))]
    """
    hookimpl = provider_module("airflow.listeners").hookimpl

    def on_task_instance_running(previous_state: Any, task_instance: Any) -> None:
        listener.on_start(task_instance)

    def on_task_instance_success(previous_state: Any, task_instance: Any) -> None:
        listener.on_complete(task_instance)

    def on_task_instance_failed(previous_state: Any, task_instance: Any, error: Any) -> None:
        listener.on_failure(task_instance, error)

    def on_task_instance_skipped(previous_state: Any, task_instance: Any) -> None:
        # OpenLineage has no state for skipped tasks; they did not fail.
        listener.on_complete(task_instance)

    hooks = (on_task_instance_running, on_task_instance_success, on_task_instance_failed)
    return SimpleNamespace(
        **{hook.__name__: hookimpl(hook) for hook in hooks},
        # Older versions of Airflow do not have this hook.
        on_task_instance_skipped=hookimpl(optionalhook=True)(on_task_instance_skipped),
    )
