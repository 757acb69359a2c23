"""Settings of a run: the arguments of `SparkRun`, validated."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from datetime import datetime
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from openlineage_facets.base.producer import DEFAULT_PRODUCER
from openlineage_facets.emitters import EmitTarget
from openlineage_facets.emitters.errors import OnError
from openlineage_facets.facets import NominalTimeRunFacet
from openlineage_facets.generated.open_lineage import RunEvent
from openlineage_facets.naming.naming_rules import NamingInput
from openlineage_facets.spark.run.parent import RunIdentity, resolve_run
from openlineage_facets.tags import Tag, WireFormat, unique_tags

if TYPE_CHECKING:
    from openlineage_facets.validation.backends.catalogue import Backends


F = TypeVar("F", bound=Callable[..., Any])


def with_session(init: F) -> F:
    """Refuse a text in place of the session, before Python reports a missing name."""

    @wraps(init)
    def checked(*args: Any, **settings: Any) -> None:
        spark = settings.get("spark", args[1] if len(args) > 1 else None)
        if isinstance(spark, str):
            raise TypeError(
                f"expected a SparkSession as the first argument, found {spark!r}; the order is "
                "SparkRun(spark, namespace, name), or without a session SparkRun.of(namespace, name)"
            )
        init(*args, **settings)

    return cast("F", checked)


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """Everything that a run is created with except its session and run id; see `SparkRun`.

    Raises:
        EventError: A nominal time or a tag is invalid.
        ValueError: Another setting is invalid.
    """

    namespace: str
    name: str
    emit: EmitTarget[RunEvent] | None
    producer: str | None
    parent: RunIdentity | None
    root: RunIdentity | None
    nominal_start_time: datetime | str | None
    nominal_end_time: datetime | str | None
    tags: tuple[Tag, ...]
    environment: Iterable[str]
    source_code: bool | str | os.PathLike[str]
    processing_type: Literal["BATCH", "STREAMING"]
    wire_format: WireFormat
    on_error: OnError
    running_every: float
    capture: bool
    runs: Literal["one", "per_write"]
    backend: Backends | None
    naming: NamingInput | None

    def __post_init__(self) -> None:
        if self.processing_type not in ("BATCH", "STREAMING"):
            raise ValueError(f"processing_type: expected BATCH or STREAMING, found {self.processing_type!r}")
        if self.runs not in ("one", "per_write"):
            raise ValueError(f"runs: expected 'one' or 'per_write', found {self.runs!r}")
        if self.parent:
            resolve_run("parent", self.parent)
        if self.root:
            resolve_run("root", self.root)
        self._check_nominal_time()
        if self.tags:
            unique_tags("run", self.tags)
        # An iterator can be read only once.
        object.__setattr__(self, "environment", _variable_names(self.environment))
        if not isinstance(self.source_code, (bool, str, os.PathLike)):
            raise ValueError(f"source_code: expected True, False or a path, found {self.source_code!r}")
        seconds = self.running_every
        if not isinstance(seconds, (int, float)) or not seconds >= 0:
            raise ValueError(f"running_every: expected a number of seconds, found {seconds!r}")

    def arguments(self) -> dict[str, Any]:
        """Return the keyword arguments that create another run with these settings."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def _check_nominal_time(self) -> None:
        if self.nominal_start_time is not None:
            NominalTimeRunFacet(
                nominal_start_time=self.nominal_start_time,
                nominal_end_time=self.nominal_end_time,
                producer=DEFAULT_PRODUCER,  # Independent of OPENLINEAGE_PRODUCER, which may be invalid.
            )
        elif self.nominal_end_time is not None:
            raise ValueError("nominal_end_time: expected with a nominal_start_time, found without")


def _variable_names(names: Any) -> tuple[str, ...]:
    is_iterable = isinstance(names, Iterable) and not isinstance(names, str)
    variables = tuple(names) if is_iterable else ()
    if not is_iterable or not all(isinstance(name, str) for name in variables):
        raise ValueError(f"environment: expected names of variables, as in ['STAGE'], found {names!r}")
    return variables
