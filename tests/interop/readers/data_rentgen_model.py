"""Read events from standard input, one per line, into data-rentgen's model of run events, and write them."""

from __future__ import annotations

from data_rentgen.consumer.openlineage.run_event import OpenLineageRunEvent

from tests.interop.readers.model_replies import reply_with_model

if __name__ == "__main__":
    reply_with_model(OpenLineageRunEvent)
