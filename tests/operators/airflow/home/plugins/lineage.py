"""A plugin of Airflow, as its users write one: it hands our listener what happens to task instances."""

from __future__ import annotations

import os
from typing import ClassVar

from airflow.plugins_manager import AirflowPlugin

from openlineage_facets.emitters import FileEmitter
from openlineage_facets.operators import TaskInstanceListener, airflow_listener

emitter = FileEmitter(os.environ["LINEAGE_FILE"])
listener = TaskInstanceListener(emitter, namespace="shop", producer="https://example.com/v7/shop")


class LineagePlugin(AirflowPlugin):
    name = "lineage"
    listeners: ClassVar[list[object]] = [airflow_listener(listener)]
