"""What `emit=` accepts, and the emitters made from it: functions, URLs, paths and other objects."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable
from os import PathLike
from typing import Any, Protocol, TypeAlias, TypeVar, Union, runtime_checkable

from openlineage_facets.base.redaction.redact import redact_for_display
from openlineage_facets.emitters.base_emitter import BaseEmitter
from openlineage_facets.emitters.errors import EmissionError, OnError, emission_error
from openlineage_facets.emitters.event_lines import parsed_event
from openlineage_facets.emitters.file import FileEmitter, local_path
from openlineage_facets.emitters.http import ENDPOINT, HttpEmitter


@runtime_checkable
class Emitter(Protocol):
    """An object that sends events."""

    def emit(self, event: Any, /) -> None:
        """Send an event."""

    def close(self) -> None:
        """Finish pending deliveries."""


_Event = TypeVar("_Event")

EmitTarget: TypeAlias = Union[Emitter, Callable[[_Event], object], str, PathLike[str]]  # noqa: UP007 - generic
"""What `emit=` accepts: an emitter, a function that accepts an event, a URL, or the path of a file."""


class FunctionEmitter(BaseEmitter):
    """Calls a function with each event, in the calling thread and without a timeout.

    Args:
        function: Accepts the event. If it raises, the event was not delivered.
        on_error: "log" to log each kind of failure once, "raise" to raise `EmissionError`.

    Example:
        >>> FunctionEmitter(print).emit(event)
    """

    def __init__(self, function: Callable[[Any], object], *, on_error: OnError = "log") -> None:
        self._function = function
        super().__init__(on_error)

    def emit(self, event: Any) -> None:
        """Call the function with the event."""
        try:
            self._call(parsed_event(self._line(event)) if self._prepare else event)
        except Exception as error:
            self._fail(emission_error(error, "could not emit the event"))

    def send(self, line: bytes) -> None:
        """Call the function with the event parsed from `line`."""
        self._call(parsed_event(line))

    def _call(self, event: Any) -> None:
        result = self._function(event)
        if inspect.iscoroutine(result):
            result.close()  # Otherwise, Python warns as well.
            raise TypeError("expected a function, found one whose coroutine nothing would await")

    def __str__(self) -> str:
        return f"FunctionEmitter({getattr(self._function, '__qualname__', self._function)})"


class _WrappedEmitter(FunctionEmitter):
    """Any object with `emit`, whose `close` may be missing or raise."""

    def __init__(self, emitter: Any, on_error: OnError) -> None:
        self._emitter = emitter
        super().__init__(emitter.emit, on_error=on_error)

    def close(self) -> None:
        try:
            close = getattr(self._emitter, "close", None)
            if close is not None:
                close()
        except Exception as error:
            self._warn(emission_error(error, "could not close the emitter"))
        super().close()

    def __str__(self) -> str:
        return str(self._emitter)


class NullEmitter(BaseEmitter):
    """Discards events."""

    def send(self, line: bytes) -> None:
        """Do nothing."""


def as_emitter(emitter: EmitTarget[Any], *, on_error: OnError = "log") -> BaseEmitter:
    """Convert what `emit=` accepts to an emitter that does not raise into the job.

    Args:
        emitter: An emitter, a function that accepts an event, a URL such as "http://localhost:5000" or
            "s3://lake/lineage", or the path of a file. An HTTP URL uses `OPENLINEAGE_ENDPOINT` and
            `OPENLINEAGE_API_KEY`.
        on_error: "log" or "raise", for failures of all but the emitters of this package, which are returned
            unchanged.

    Raises:
        TypeError: `emitter` is none of these.
        ValueError: It is not a URL or path to which events can be emitted.
        ImportError: It is the URL of an object store, and fsspec or its driver is not installed.

    Example:
        >>> as_emitter(print)
        FunctionEmitter(print)
        >>> as_emitter("lineage.ndjson")
        FileEmitter(lineage.ndjson)
    """
    if isinstance(emitter, BaseEmitter):
        return emitter
    emit = getattr(emitter, "emit", None)
    if callable(emit) and not isinstance(emitter, type):
        _check_own_class(emitter)
        _check_synchronous(emit)
        return _WrappedEmitter(emitter, on_error)
    if callable(emitter) and not isinstance(emitter, type):
        _check_parameters(emitter)
        _check_synchronous(emitter)
        return FunctionEmitter(emitter, on_error=on_error)
    if isinstance(emitter, (str, PathLike)):
        return emitter_to(emitter, on_error=on_error)
    raise TypeError(
        f"expected an emitter, a function that accepts an event, a URL or a path, found {emitter!r}"
    )


_HOST_AND_PORT = re.compile(r"[\w.-]+:\d+(/.*)?", re.ASCII)
"""A receiver without `http://`, which would silently become the name of a file."""


def emitter_to(
    destination: str | PathLike[str], *, timeout: float = 5.0, fsync: bool = False, on_error: OnError = "log"
) -> BaseEmitter:
    """Return an emitter for a destination: an HTTP URL, the URL of an object store, or the path of a file.

    Args:
        destination: The URL or path. An HTTP URL uses `OPENLINEAGE_ENDPOINT` and `OPENLINEAGE_API_KEY`.
        timeout: Maximum number of seconds to delay the job without a delivery, in total.
        fsync: Whether to flush each event to the disk if the destination is a local file.
        on_error: "log" to log each kind of failure once, "raise" to raise `EmissionError`.

    Raises:
        ValueError: It is empty, a folder, or a URL that is not supported.
        ImportError: It is the URL of an object store, and fsspec or its driver is not installed.
    """
    text = os.fspath(destination)
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"expected a URL or the path of a file, found {destination!r}")
    is_url = isinstance(destination, str)
    if is_url and text.lower().startswith(("http:", "https:")):
        return http_emitter(text, timeout=timeout, on_error=on_error)
    if is_url and _HOST_AND_PORT.fullmatch(text):
        raise ValueError(f"expected a URL or the path of a file, found {text!r}; write http://{text}")
    local = local_path(text)
    if local is not None and os.path.isdir(local):
        example = os.path.join(local, "lineage.ndjson")
        raise ValueError(f"expected a URL or the path of a file, found the folder {text!r}; write {example}")
    try:
        return FileEmitter(text, timeout=timeout, fsync=fsync and local is not None, on_error=on_error)
    except ImportError:
        raise
    except Exception as error:  # The file systems of fsspec raise arbitrary errors.
        raise ValueError(
            f"expected an HTTP URL, a URL that fsspec can open, or the path of a file, "
            f"found {redact_for_display(text)!r} ({error})"
        ) from None


def http_emitter(url: str, *, timeout: float = 5.0, on_error: OnError = "log") -> HttpEmitter:
    """Return an emitter for a receiver, with `OPENLINEAGE_ENDPOINT` and `OPENLINEAGE_API_KEY`.

    Args:
        url: The receiver, with or without the endpoint.
        timeout: Maximum number of seconds to delay the job without a delivery, in total.
        on_error: "log" to log each kind of failure once, "raise" to raise `EmissionError`.

    Raises:
        ValueError: The URL or the key is invalid.
    """
    endpoint = setting("OPENLINEAGE_ENDPOINT") or ENDPOINT
    path, mark, query = endpoint.partition("?")
    if url.rstrip("/").endswith(f"/{path.strip('/')}"):
        endpoint = f"{mark}{query}"
    api_key = setting("OPENLINEAGE_API_KEY") or None
    return HttpEmitter(url, endpoint=endpoint, api_key=api_key, timeout=timeout, on_error=on_error)


def setting(variable: str) -> str:
    """Return the value of an environment variable without surrounding whitespace, "" if it is not set."""
    return os.environ.get(variable, "").strip()


def _check_parameters(function: Callable[..., Any]) -> None:
    """Raise an error for a function that cannot be called with an event alone."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # Some functions written in C.
        return
    try:
        signature.bind(None)
    except TypeError:
        name = getattr(function, "__name__", type(function).__name__)
        raise TypeError(
            f"expected a function with one parameter, the event, found {name}{signature}"
        ) from None


def _check_own_class(emitter: Any) -> None:
    """Raise an error for the client and the transports of openlineage-python, which need its own events."""
    for kind in type(emitter).__mro__:
        if kind.__module__.startswith("openlineage.client."):
            client = (
                "client" if kind.__name__ == "OpenLineageClient" else "OpenLineageClient(transport=transport)"
            )
            raise TypeError(
                f"expected an emitter, found the {kind.__name__} of openlineage-python; "
                f"pass ClientEmitter({client})"
            )


def _check_synchronous(function: Callable[..., Any]) -> None:
    """Raise an error for an asynchronous function, which a call does not execute."""
    called = (function, type(function).__call__)
    if any(map(inspect.iscoroutinefunction, called)) or any(map(inspect.isasyncgenfunction, called)):
        name = getattr(function, "__qualname__", type(function).__name__)
        raise TypeError(
            f"expected a function, found the asynchronous {name}, whose calls nothing would await"
        )


def line_sender(emitter: EmitTarget[Any]) -> Callable[[bytes], None]:
    """Return a function that delivers one line in a single attempt and raises `EmissionError` on failure."""
    target = as_emitter(emitter, on_error="raise")

    def send(line: bytes) -> None:
        try:
            target.send(target.prepared(line))
        except EmissionError:
            raise
        except (Exception, SystemExit) as error:  # SystemExit would end the delivering thread.
            raise emission_error(error, f"could not emit to {target}") from error

    return send
