"""Tolerant parsing: valid parts of an event are typed, invalid parts are kept unchanged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, get_args, get_origin

from pydantic import TypeAdapter, ValidationError, model_serializer
from pydantic_core import to_json

from openlineage_facets.base.containers.facet_map import FacetMap, container_adapter
from openlineage_facets.base.containers.registered_facets import forget_on_registration
from openlineage_facets.base.errors.findings import FindingList
from openlineage_facets.base.model.field_names import wire_names
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.wire.pydantic_internals import declared_fields, without_validation
from openlineage_facets.event_kind import class_of_kind, kind_of
from openlineage_facets.generated.open_lineage import BaseFacet
from openlineage_facets.validation.event_validation import profiles_for, validate_document

if TYPE_CHECKING:
    from openlineage_facets.base.errors.findings import Finding
    from openlineage_facets.base.model.spec_models import FacetModel
    from openlineage_facets.event_files.event_text import EventInput
    from openlineage_facets.parsing import Event
    from openlineage_facets.validation.backends.catalogue import Backends
    from openlineage_facets.validation.schemas.schema_set import SchemaSet


class RawFacet(BaseFacet):
    """An invalid facet that is not a JSON object, kept unchanged.

    Created by `read_event` only. Its `producer` and `schema_url` are None.
    """

    __schema_url__ = ""

    value: Any = None
    """The JSON value."""

    @model_serializer
    def _serialize(self) -> Any:
        return self.value


M = TypeVar("M", bound=Model)


class ReadResult(NamedTuple):
    """The result of `read_event`.

    Attributes:
        event: The event; None if the input is not a JSON object, or has neither run, job nor dataset.
        findings: Errors first, then warnings, each in document order.
        raw: The parsed JSON value, without nulls if they are read as absent; the input if it is not valid
            JSON.
    """

    event: Event | None
    findings: list[Finding]
    raw: Any

    def __repr__(self) -> str:  # The raw value is not redacted.
        return f"{type(self).__name__}(event={self.event!r}, findings={self.findings!r})"

    def _repr_html_(self) -> str:
        event = "" if self.event is None else self.event._repr_html_()
        return event + FindingList(self.findings)._repr_html_()


def read_event(
    data: EventInput,
    *,
    rules: bool = True,
    schemas: SchemaSet | None = None,
    null_is_absent: bool = False,
    backends: Backends = (),
) -> ReadResult:
    """Read an event even if it is invalid, and return it with its findings.

    A valid facet is typed. An invalid facet is kept under its key as the base facet of its entity, with all
    its fields, and its attribute is None. An invalid or missing field reads as None; a run id that is not
    a UUID reads as the original string. Writing the event returns the JSON value that was read.

    Args:
        data: JSON text, a JSON object as returned by `json.loads`, the `Path` of a file with one event (also
            compressed), or an event of this package or of openlineage-python.
        rules: Whether the findings include warnings.
        schemas: Schemas to validate against, as for `validate`. They affect the findings, not the event.
        null_is_absent: Read fields that are null as absent, as for `parse_event`.
        backends: The backends that receive the event, as for `validate`. They affect the findings, not the
            event.

    Raises:
        OSError: The file cannot be read.
        BackendError: A backend is unknown, or its profile is invalid.

    Example:
        >>> result = read_event('{"job": {"namespace": "etl", "name": "orders"}}')
        >>> result.event.job.name, result.event.event_time
        ('orders', None)
    """
    result = validate_document(
        data,
        rules=rules,
        schemas=schemas,
        null_is_absent=null_is_absent,
        backends=profiles_for(backends),
        typed=True,
    )
    event = result.event
    if event is None and result.document is not None:
        event = tolerant_event(result.raw)
    return ReadResult(event, FindingList(result.findings), result.raw)


def tolerant_event(document: dict[str, Any]) -> Event | None:
    """Return a JSON object as an event, None if it has no run, job or dataset.

    A valid facet is typed. An invalid one is kept as the base facet of its entity, or as a `RawFacet` if it
    is not an object. A field that is invalid, or missing although required, is None, except for values of
    the right type, such as a run id that is not a UUID. All of them are written as they were read.
    """
    kind = kind_of(document)
    return None if kind is None else _model(class_of_kind(kind), document)


class _Field(NamedTuple):
    """One field of a class, and how to read it."""

    name: str
    wire_name: str
    adapter: TypeAdapter[Any]
    cls: type | None
    """The class of its value, None for a list, a map or a union."""
    item_cls: type[Model] | None
    """For a list of objects, the class of its items."""


_FIELDS: dict[type[Model], tuple[_Field, ...]] = {}


def _fields(cls: type[Model]) -> tuple[_Field, ...]:
    fields = _FIELDS.get(cls)
    if fields is None:
        cls.model_rebuild()  # Resolve references to classes that were defined later.
        names = wire_names(cls)
        fields = _FIELDS[cls] = tuple(
            _Field(name, names[name], TypeAdapter(field.rebuild_annotation()), *_classes_of(field.annotation))
            for name, field in declared_fields(cls).items()
        )
    return fields


def _classes_of(annotation: Any) -> tuple[type | None, type[Model] | None]:
    """Return the class of a field's value, without None, and that of a list's items."""
    origin = get_origin(annotation)
    if origin is None:
        return (annotation if isinstance(annotation, type) else None), None
    inner = [argument for argument in get_args(annotation) if argument is not type(None)]
    if origin is tuple:
        item = _classes_of(inner[0])[0]
        return None, item if item is not None and issubclass(item, Model) else None
    if isinstance(origin, type) and issubclass(origin, FacetMap):
        return origin, None
    return _classes_of(inner[0]) if len(inner) == 1 else (None, None)


def _model(cls: type[M], document: Mapping[str, Any]) -> M:
    """Return an instance of `cls` that is written as `document`."""
    values: dict[str, Any] = {}
    fields_set: set[str] = set()
    extra = dict(document)
    for field in _fields(cls):
        values[field.name] = None
        if field.wire_name in document:
            value, is_complete = _value(field, document[field.wire_name])
            values[field.name] = value
            if is_complete:
                fields_set.add(field.name)
                del extra[field.wire_name]
    return without_validation(cls, values, fields_set, extra)


def _value(field: _Field, raw: Any) -> tuple[Any, bool]:
    """Return a field's value, and whether `raw` can be written completely from it."""
    try:
        return field.adapter.validator.validate_json(to_json(raw), strict=True), True
    except ValidationError:
        pass
    cls = field.cls
    if field.item_cls is not None and isinstance(raw, list):
        items = tuple(_model(field.item_cls, item) for item in raw if isinstance(item, dict))
        return items, len(items) == len(raw)
    if cls is not None and isinstance(raw, dict):
        if issubclass(cls, Model):
            return _model(cls, raw), True
        if issubclass(cls, FacetMap):
            return _container(cls, raw), True
    return (raw, True) if type(raw) is cls else (None, False)


def _container(cls: type[FacetMap[Any]], raw: dict[str, Any]) -> FacetMap[Any]:
    """Return a facet container in which every valid facet is typed."""
    base = cls._base_facet()
    return cls._of({key: _facet(cls, base, key, facet) for key, facet in raw.items()})


def _facet(cls: type[FacetMap[Any]], base: type[FacetModel], key: str, raw: Any) -> FacetModel:
    validator = container_adapter(cls).validator
    try:
        # Validated in a separate container, which selects the class, the wire format and tombstones.
        facet: FacetModel = validator.validate_json(to_json({key: raw}), strict=True)[key]
        return facet
    except ValidationError:
        if isinstance(raw, dict):
            return _model(base, raw)
        return without_validation(
            RawFacet, {"producer": None, "schema_url": None, "value": raw}, {"value"}, {}
        )


forget_on_registration(_FIELDS.clear)
