"""Send events from standard input, one per line, through openlineage-python as its configuration says.

    python -m tests.interop.readers.through_client emitter|client

`emitter` is our ClientEmitter with its transports, `client` is its client with our events as its objects.
Prints an object per event: empty, or with the refusal.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

from openlineage.client import OpenLineageClient

from openlineage_facets import EventError, parse_event
from openlineage_facets.emitters import ClientEmitter, EmissionError
from openlineage_facets.openlineage_python import to_openlineage

_SECONDS = 60.0


def main(way: str) -> None:
    """Send each event."""
    if way == "emitter":
        with ClientEmitter(on_error="raise", timeout=_SECONDS) as emitter:
            _send_all(lambda line: emitter.emit(json.loads(line)))
    else:
        client = OpenLineageClient()
        _send_all(lambda line: client.emit(to_openlineage(parse_event(line))))
        client.close(_SECONDS)


def _send_all(send: Callable[[str], None]) -> None:
    for line in sys.stdin:
        try:
            send(line)
        except (EventError, EmissionError) as error:
            print(json.dumps({"refusal": str(error)}))
        else:
            print("{}")


if __name__ == "__main__":
    main(sys.argv[1])
