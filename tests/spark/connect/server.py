"""A Spark Connect server on a free port of loopback: `python -m tests.spark.connect.server WAREHOUSE`.

It prints its port and stops when its standard input is closed, so it never outlives its parent process.
"""

from __future__ import annotations

import os
import sys

from pyspark.sql import SparkSession


def serve(warehouse: str) -> None:
    """Serve until the standard input is closed.

    Args:
        warehouse: The folder of the tables.
    """
    spark = (
        SparkSession.builder.master("local[2]")
        .appName("tests of Spark Connect")
        .config("spark.plugins", "org.apache.spark.sql.connect.SparkConnectPlugin")
        .config("spark.connect.grpc.binding.address", "127.0.0.1")
        .config("spark.connect.grpc.binding.port", 0)
        .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1")  # Faster start.
        .config("spark.ui.enabled", False)
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", 2)
        .config("spark.sql.warehouse.dir", warehouse)
        .getOrCreate()
    )
    jvm = spark.sparkContext._jvm
    # Derby, which stores the catalog, would write its log into the checkout.
    jvm.System.setProperty("derby.stream.error.file", os.devnull)
    service = getattr(jvm.org.apache.spark.sql.connect.service, "SparkConnectService$")
    print(getattr(service, "MODULE$").localPort(), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    serve(sys.argv[1])
