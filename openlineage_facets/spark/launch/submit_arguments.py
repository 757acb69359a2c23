"""Spark configuration for the driver that PySpark is going to start."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping

from openlineage_facets.spark.launch.launch_error import LaunchError

_VARIABLE = "PYSPARK_SUBMIT_ARGS"


def configure_driver(settings: Mapping[str, str]) -> None:
    """Configure the driver like `spark-submit --conf`: settings in the code of the job take precedence.

    Args:
        settings: Spark's configuration.

    Raises:
        LaunchError: The driver is running already, since spark-submit has started it.
    """
    if not settings:
        return
    if "PYSPARK_GATEWAY_PORT" in os.environ:
        raise LaunchError("--conf: expected a driver that is not running, found spark-submit; pass it there")
    arguments = shlex.split(os.environ.get(_VARIABLE, "") or "pyspark-shell")
    added = [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
    # The last argument is the application, pyspark-shell.
    os.environ[_VARIABLE] = shlex.join([*arguments[:-1], *added, arguments[-1]])
