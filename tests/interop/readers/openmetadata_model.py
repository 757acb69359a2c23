"""Read events from standard input, one per line, into OpenMetadata's model of run events, and write them."""

from __future__ import annotations

from metadata.generated.schema.api.lineage.openlineage.openLineageRunEvent import OpenLineageRunEvent

from tests.interop.readers.model_replies import reply_with_model

if __name__ == "__main__":
    reply_with_model(OpenLineageRunEvent)
