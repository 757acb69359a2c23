"""Names of the topics that Spark reads from Kafka or writes to it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from openlineage_facets.spark.log_once import log_once

SERVERS = "kafka.bootstrap.servers"
"""The option that names the cluster."""

_PLAIN_NAME = re.compile(r"[\w.-]+")
"""A pattern that contains no operators, except for dots, which are frequent in the names of topics."""


def is_kafka(source: str) -> bool:
    """Return whether a format, or the class of its provider or table, is Spark's connector to Kafka."""
    return source.lower() == "kafka" or ".kafka010.KafkaSourceProvider" in source


def kafka_topic(servers: str, topic: str) -> tuple[str, str]:
    """Return the namespace and name of a topic.

    Args:
        servers: The option `kafka.bootstrap.servers`, of which the first names the cluster.
        topic: The topic.
    """
    server = servers.partition(",")[0].strip()
    return f"kafka://{server if ':' in server else f'{server}:9092'}", topic


def kafka_topics(setting: Callable[[str], str | None]) -> list[tuple[str, str]]:
    """Return namespace and name of the topics that options name.

    The topics that match a pattern are not known before Spark asks the cluster: the pattern is their name.

    Args:
        setting: Returns the value of an option in lower case, or None.

    Example:
        >>> options = {"kafka.bootstrap.servers": "broker", "subscribe": "orders,returns"}
        >>> kafka_topics(options.get)
        [('kafka://broker:9092', 'orders'), ('kafka://broker:9092', 'returns')]
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
    return [kafka_topic(servers, name) for name in dict.fromkeys(names) if name]
