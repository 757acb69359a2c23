"""A job with less than capture needs: `python -m ... FOLDER SITUATION...`.

It prints what it does, the outputs of its run, and what was logged.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def use_taken_port(gateway: Any) -> None:
    """Let the callback server use a port on which another program listens."""
    other = socket.create_server(("127.0.0.1", 0))
    parameters = gateway.callback_server_parameters

    class Taken(type(parameters)):  # type: ignore[misc]
        port = property(lambda _: other.getsockname()[1], lambda _, port: None)

    parameters.__class__ = Taken


def close_callback_server(server: Any) -> None:
    """Close the port of the callback server, and its connections except for that of the job."""
    server.server_socket.close()
    for connection in list(server.connections):
        connection.socket.shutdown(socket.SHUT_RDWR)


def job(folder: str, *situations: str) -> None:
    """Run a job in each of the situations, one after the other in a session."""
    if "unpinned" in situations:
        os.environ["PYSPARK_PIN_THREAD"] = "false"
    from pyspark.sql import SparkSession

    logging.basicConfig(stream=sys.stdout, format="log: %(message)s")
    logging.getLogger("py4j").setLevel(logging.CRITICAL)  # It logs that its port was closed.
    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    spark.range(5).write.parquet(f"{folder}/numbers")
    numbers = spark.read.parquet(f"{folder}/numbers")
    for situation in situations:
        run_in(situation, spark, numbers, f"{folder}/{situation}")


def run_in(situation: str, spark: SparkSession, numbers: DataFrame, folder: str) -> None:
    """Run the job in a situation."""
    from openlineage_facets import RunEvent
    from openlineage_facets.spark import SparkRun

    events: list[RunEvent] = []
    if situation == "stopped":
        spark.stop()
    gateway: Any = spark.sparkContext._gateway
    if situation == "taken":
        use_taken_port(gateway)
    if situation == "not local":
        gateway.callback_server_parameters.address = "192.0.2.1"  # Reserved for documentation.
    try:
        with SparkRun(spark, "etl", situation, emit=events.append):
            if situation == "closed":
                close_callback_server(gateway._callback_server)
            numbers.write.parquet(f"{folder}/copied")
            print("rows:", numbers.count())
            spark.read.parquet(f"{folder}/copied")._jdf.write().parquet(f"{folder}/again")
    except Exception as error:
        print("error:", type(error).__name__)
    last = events[-1]
    names = [dataset.name.rpartition("/")[2] for dataset in last.outputs or ()]
    print(last.event_type.value if last.event_type else None, *names)


if __name__ == "__main__":
    job(*sys.argv[1:])
