"""Close the connections of threads of the JVM that have called Python and have ended.

Py4J opens a connection for each thread of the JVM that calls Python: a thread and a socket in Python, and a
socket in the JVM. It never closes one, while Spark starts new threads for each stream and each application.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass

from openlineage_facets.spark.jvm.objects import JavaObject


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
