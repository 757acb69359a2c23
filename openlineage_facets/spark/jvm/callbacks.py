"""Let the JVM call Python, through Py4J's callback server."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any, ClassVar

from openlineage_facets.spark.jvm.callback_connections import note_calling_thread
from openlineage_facets.spark.jvm.objects import JavaObject

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_TIMEOUT = 10
"""Seconds to wait for a call of the JVM."""


class _Probe:
    """Is called by the JVM."""

    def run(self) -> None:
        """Do nothing more than any call."""
        note_calling_thread()

    class Java:
        """The interface of Java that the class implements."""

        implements: ClassVar[list[str]] = ["java.lang.Runnable"]


def callable_object(spark: SparkSession, instance: object) -> JavaObject:
    """Return the JVM's object for a Python object that implements a Java interface.

    Args:
        spark: The session.
        instance: The object.

    Raises:
        ConnectionError: The JVM cannot call Python.
    """
    context: JavaObject = spark.sparkContext
    try:
        _start_server(context._gateway)
    except Exception as error:
        raise ConnectionError(f"the JVM cannot call Python: {_first_line(error)}") from error
    check_callbacks(spark)
    holder = context._jvm.java.util.ArrayList()
    holder.add(instance)
    return holder.get(0)


def check_callbacks(spark: SparkSession) -> None:
    """Let a thread of the JVM call Python. The thread of the caller would use its own connection.

    Raises:
        ConnectionError: The JVM cannot call Python.
    """
    concurrent: JavaObject = spark.sparkContext._jvm.java.util.concurrent  # type: ignore[union-attr]
    try:
        call = concurrent.CompletableFuture.runAsync(_Probe())
        call.get(_TIMEOUT, concurrent.TimeUnit.SECONDS)
    except Exception as error:
        raise ConnectionError(f"the JVM cannot call Python: {_first_line(error)}") from error


def _start_server(gateway: Any) -> None:
    """Start the callback server unless it is started.

    If Py4J cannot open the port, it disconnects from the JVM, which ends the job: so this is tried first.
    """
    from pyspark import java_gateway

    parameters = gateway.callback_server_parameters
    if gateway.__dict__.get("_callback_server") is None:
        parameters.port = 0  # As PySpark: any port that is free.
        with socket.create_server((parameters.address, parameters.port)):
            pass
    gateways: Any = java_gateway
    gateways.ensure_callback_server_started(gateway)


def _first_line(error: BaseException) -> str:
    thrown = getattr(error, "java_exception", None)  # Its text names the cause.
    return str(error if thrown is None else thrown.toString()).strip().partition("\n")[0]
