"""A DAG whose task runs a Spark job, with the task as its parent."""

from __future__ import annotations

from datetime import datetime, timezone

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

MACROS = "macros.OpenLineageProviderPlugin"

with DAG("nightly", schedule=None, start_date=datetime(2026, 11, 1, tzinfo=timezone.utc)):
    BashOperator(
        task_id="delays",
        bash_command='cd "$PROJECT" && $SPARK_JOB',
        env={
            "OPENLINEAGE_PARENT_ID": f"{{{{ {MACROS}.lineage_parent_id(task_instance) }}}}",
            "OPENLINEAGE_ROOT_PARENT_ID": f"{{{{ {MACROS}.lineage_root_parent_id(task_instance) }}}}",
        },
        append_env=True,
    )
