"""Ways for events to leave the job: to files, to receivers, and by way of the disk so that none is lost.

    >>> with SpoolEmitter(HttpEmitter("http://localhost:5000"), "/var/spool/lineage") as emitter:
    ...     emitter.emit(event)

An emitter never raises into the job, unless it was made with `on_error="raise"`, and never keeps it waiting
longer than its `timeout`. Wherever one is wanted, a function that takes an event will do as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from openlineage_facets.emitters.client import ClientEmitter
    from openlineage_facets.emitters.console import ConsoleEmitter
    from openlineage_facets.emitters.environment import emitter_from_environment
    from openlineage_facets.emitters.errors import EmissionError, EventRejected
    from openlineage_facets.emitters.file import FileEmitter
    from openlineage_facets.emitters.http import HttpEmitter
    from openlineage_facets.emitters.multi import MultiEmitter
    from openlineage_facets.emitters.protocol import CallingEmitter, Emitter, NoEmitter, as_emitter
    from openlineage_facets.emitters.spool import Replayed, SpoolEmitter, replay

_EXPORTS = {
    "CallingEmitter": "protocol",
    "ClientEmitter": "client",
    "ConsoleEmitter": "console",
    "EmissionError": "errors",
    "Emitter": "protocol",
    "EventRejected": "errors",
    "FileEmitter": "file",
    "HttpEmitter": "http",
    "MultiEmitter": "multi",
    "NoEmitter": "protocol",
    "Replayed": "spool",
    "SpoolEmitter": "spool",
    "as_emitter": "protocol",
    "emitter_from_environment": "environment",
    "replay": "spool",
}

__all__ = [
    "CallingEmitter",
    "ClientEmitter",
    "ConsoleEmitter",
    "EmissionError",
    "Emitter",
    "EventRejected",
    "FileEmitter",
    "HttpEmitter",
    "MultiEmitter",
    "NoEmitter",
    "Replayed",
    "SpoolEmitter",
    "as_emitter",
    "emitter_from_environment",
    "replay",
]


def __getattr__(name: str) -> Any:
    from openlineage_facets.base.lazy import load_export

    return load_export(__name__, name, _EXPORTS)


def __dir__() -> list[str]:
    return __all__
