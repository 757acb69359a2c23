"""Datasets of the topics that Spark reads from Kafka or writes to it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from openlineage_facets.spark.log_once import log_once
from openlineage_facets.spark.spark_dataset import SparkDataset, new_dataset

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

__all__ = ["SERVERS", "is_kafka", "kafka_topic", "kafka_topics"]

SERVERS = "kafka.bootstrap.servers"
"""The option that names the cluster."""

_PLAIN_NAME = re.compile(r"[\w.-]+")
"""A pattern that contains no operators, except for dots, which are frequent in the names of topics."""


def is_kafka(source: str) -> bool:
    """Return whether a format, or the class of its provider or table, is Spark's connector to Kafka."""
    return source.lower() == "kafka" or ".kafka010.KafkaSourceProvider" in source


def kafka_topic(servers: str, topic: str, schema: StructType | None = None) -> SparkDataset:
    """Return the dataset of a topic.

    Args:
        servers: The option `kafka.bootstrap.servers`, of which the first names the cluster.
        topic: The topic.
        schema: Spark's columns of a topic, such as `key` and `value`.
    """
    server = servers.partition(",")[0].strip()
    return new_dataset(f"kafka://{server if ':' in server else f'{server}:9092'}", topic, schema)


def kafka_topics(
    setting: Callable[[str], str | None], schema: StructType | None = None
) -> list[SparkDataset]:
    """Return the topics that options name.

    The topics that match a pattern are not known before Spark asks the cluster: the pattern is their name.

    Args:
        setting: Returns the value of an option in lower case, or None.
        schema: Spark's columns of a topic.

    Example:
        >>> options = {"kafka.bootstrap.servers": "broker:9092", "subscribe": "orders,returns"}
        >>> [topic.name for topic in kafka_topics(options.get, schema)]
        ['orders', 'returns']
    """
    pattern = setting("subscribepattern")
    if pattern is not None and not _PLAIN_NAME.fullmatch(pattern):
        log_once(
            f"the topics of Kafka that match {pattern} are reported as one dataset with the pattern as its "
            "name; name them with run.read(df, dataset=(namespace, name))"
        )
    subscribed, assigned = setting("subscribe"), setting("assign")
    if subscribed is not None:
        names = [name.strip() for name in subscribed.split(",")]
    elif assigned is not None:
        names = list(json.loads(assigned))
    else:
        names = [name for name in (pattern, setting("topic")) if name is not None]
    servers = setting(SERVERS) or ""
    return [kafka_topic(servers, name, schema) for name in dict.fromkeys(names) if name]
