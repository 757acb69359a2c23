"""Emitters: send events to files, HTTP receivers and object stores, with an optional spool on disk.

    >>> with SpoolEmitter(HttpEmitter("http://localhost:5000"), "/var/spool/lineage") as emitter:
    ...     emitter.emit(event)

Emitters never raise into the job unless created with `on_error="raise"`. Without a delivery, they delay it by
at most `timeout` seconds in total. What expects an emitter, such as `emit=`, also accepts a function with an
event as parameter, a URL, or the path of a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from openlineage_facets.emitters.backend_repairs import BackendRepairs, with_empty_fields
    from openlineage_facets.emitters.client import ClientEmitter
    from openlineage_facets.emitters.console import ConsoleEmitter
    from openlineage_facets.emitters.environment import emitter_from_environment
    from openlineage_facets.emitters.errors import EmissionError, EventRejected
    from openlineage_facets.emitters.file import FileEmitter
    from openlineage_facets.emitters.http import HttpEmitter
    from openlineage_facets.emitters.multi import MultiEmitter
    from openlineage_facets.emitters.protocol import (
        EmitTarget,
        Emitter,
        FunctionEmitter,
        NullEmitter,
        as_emitter,
    )
    from openlineage_facets.emitters.spool.emitter import SpoolEmitter
    from openlineage_facets.emitters.spool.replay import ReplayResult, replay

_EXPORTS = {
    "BackendRepairs": "backend_repairs",
    "FunctionEmitter": "protocol",
    "ClientEmitter": "client",
    "ConsoleEmitter": "console",
    "EmissionError": "errors",
    "EmitTarget": "protocol",
    "Emitter": "protocol",
    "EventRejected": "errors",
    "FileEmitter": "file",
    "HttpEmitter": "http",
    "MultiEmitter": "multi",
    "NullEmitter": "protocol",
    "ReplayResult": "spool.replay",
    "SpoolEmitter": "spool.emitter",
    "as_emitter": "protocol",
    "emitter_from_environment": "environment",
    "replay": "spool.replay",
    "with_empty_fields": "backend_repairs",
}

__all__ = [
    "BackendRepairs",
    "ClientEmitter",
    "ConsoleEmitter",
    "EmissionError",
    "EmitTarget",
    "Emitter",
    "EventRejected",
    "FileEmitter",
    "FunctionEmitter",
    "HttpEmitter",
    "MultiEmitter",
    "NullEmitter",
    "ReplayResult",
    "SpoolEmitter",
    "as_emitter",
    "emitter_from_environment",
    "replay",
    "with_empty_fields",
]


def __getattr__(name: str) -> Any:
    from openlineage_facets.base.lazy_imports import load_export

    return load_export(__name__, name, _EXPORTS)


def __dir__() -> list[str]:
    return __all__
