"""Print the messages of a Kafka topic, one per line, until none has come for a while.

python -m tests.interop.readers.kafka_topic ADDRESS TOPIC
"""

from __future__ import annotations

import sys

from confluent_kafka import Consumer

_SECONDS = 10.0


def main(address: str, topic: str) -> None:
    """Print the messages."""
    settings = {"bootstrap.servers": address, "group.id": "interop", "auto.offset.reset": "earliest"}
    consumer = Consumer(settings)
    consumer.subscribe([topic])
    try:
        while (message := consumer.poll(_SECONDS)) is not None:
            if message.error() is None:
                print(message.value().decode())
    finally:
        consumer.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
