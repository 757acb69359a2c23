"""Let the JVM call Python, through Py4J's callback server, and close the connections of ended threads.

Py4J opens a connection for each thread of the JVM that calls Python: a thread and a socket in Python, and a
socket in the JVM. It never closes one, while Spark starts new threads for each stream and each application.
"""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

from pyspark.sql import SparkSession

from openlineage_facets.spark.jvm import JavaObject


@dataclass(frozen=True)
class _Connection:
    """The connection of a thread of the JVM that has called Python.

    Args:
        client: What has opened it in the JVM.
        connection: The connection.
        thread: The thread.
    """

    client: JavaObject
    connection: JavaObject
    thread: JavaObject

    def close_if_ended(self) -> bool:
        """Close the connection if its thread has ended; return False if the thread may still use it."""
        try:
            if self.thread.isAlive():
                return False
            self.connection.shutdown()
            self.client.connectionStopped(self.connection)
        except Exception:  # The JVM has exited, and with it all connections.
            return True
        return True


_connections: list[_Connection] = []
_lock = threading.Lock()
_this_thread = threading.local()


def note_calling_thread() -> None:
    """Note the thread of the JVM that calls Python now, and close the connections of those that have ended.

    Call it in methods that the JVM calls. It only does something at the first call of a thread.
    """
    if getattr(_this_thread, "is_noted", False):
        return
    _this_thread.is_noted = True
    with suppress(Exception):  # Without PYSPARK_PIN_THREAD, Py4J closes unused connections itself.
        calling = _calling_connection()
        with _lock:
            _connections[:] = [connection for connection in _connections if not connection.close_if_ended()]
            _connections.append(calling)


def _calling_connection() -> _Connection:
    from pyspark import SparkContext

    gateway: JavaObject = SparkContext._gateway
    client = gateway.java_gateway_server.getCallbackClient()
    return _Connection(client, client.getPerThreadConnection(), gateway.jvm.java.lang.Thread.currentThread())


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
