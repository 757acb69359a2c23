"""Strategies for JSON objects that are valid for a class, derived from its annotations."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import cache
from typing import Any, TypeAlias

from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from pydantic import (
    BaseModel,
    FutureDate,
    FutureDatetime,
    NaiveDatetime,
    PastDate,
    PastDatetime,
    TypeAdapter,
    ValidationError,
)
from typing_extensions import TypeAliasType

from openlineage_facets.base.containers.facet_map import FacetMap
from openlineage_facets.base.model.rules import keep_nulls_apart, keep_unknown_apart
from openlineage_facets.base.model.spec_models import EventModel, FacetModel
from openlineage_facets.base.wire.json_schema_keywords import required_names
from openlineage_facets.base.wire.pydantic_internals import (
    field_validators,
    is_built,
    model_validators,
    validator_of,
)
from openlineage_facets.testing.strategies.field_kinds import (
    Alias,
    Choice,
    Constants,
    Facets,
    Field,
    Kind,
    ListOf,
    MapOf,
    Object,
    Scalar,
    extras_of,
    fields_of,
    is_closed,
)
from openlineage_facets.testing.strategies.scalars import custom_keys, scalars, texts, unknown_names, uris

EVENT_PARTS = ("run", "job", "dataset")
"""The fields that distinguish the kinds of events; never generated as unknown fields."""

_RECURSIONS = 1
"""Maximum nesting of a class, or a type alias, in itself."""

Document = dict[str, Any]
Above: TypeAlias = "tuple[type[BaseModel] | TypeAliasType, ...]"


class ObjectStrategies:
    """Creates and caches strategies for the wire format of classes.

    Args:
        facets: The facet classes to use, None for all known and custom facets.
    """

    def __init__(self, facets: tuple[type[FacetModel], ...] | None = None) -> None:
        self._facets = facets
        self._objects: dict[Above, SearchStrategy[Document]] = {}

    def object(self, cls: type[BaseModel], above: Above = ()) -> SearchStrategy[Document]:
        """Return a strategy for a class nested in the classes `above`, outermost first."""
        inner = (*above, cls)
        if inner not in self._objects:
            self._objects[inner] = _named_strategy(cls.__name__, self._object(cls, inner))
        return self._objects[inner]

    def _object(self, cls: type[BaseModel], inner: Above) -> SearchStrategy[Document]:
        fields = fields_of(cls)
        required = {field.wire: self._field(cls, field, inner) for field in fields if field.required}
        optional = {
            field.wire: self._field(cls, field, inner)
            for field in fields
            if not field.required and inner.count(cls) <= _RECURSIONS
        }
        documents: SearchStrategy[Document] = st.fixed_dictionaries(required, optional=optional)
        if not is_closed(cls):
            documents = st.builds(lambda known, more: {**more, **known}, documents, self._unknown(cls, inner))
        if not has_rules(cls):
            return documents
        # A rule may require fields that the class does not declare.
        undeclared = sorted(required_names(_rules(cls)) - {field.wire for field in fields})
        extra = {} if is_closed(cls) else dict.fromkeys(undeclared, self._value(extras_of(cls), inner))
        return _satisfying_rules(cls, documents, {**extra, **optional})

    def _field(self, cls: type[BaseModel], field: Field, inner: Above) -> SearchStrategy[Any]:
        if field.name == "schema_url" and issubclass(cls, (EventModel, FacetModel)):
            return _schema_urls(cls)
        try:
            return self._value(field.kind, inner)
        except re.error as error:
            problem = f"expected a pattern that Python's `re` supports, found {error.pattern!r}: {error.msg}"
            raise ValueError(f"{cls.__name__}.{field.name}: {problem}; write it in another way") from None

    def _unknown(self, cls: type[BaseModel], inner: Above) -> SearchStrategy[Document]:
        known = {field.wire for field in fields_of(cls)}
        if issubclass(cls, EventModel):
            known.update(EVENT_PARTS)
        names = unknown_names().filter(lambda name: name not in known)
        some = st.dictionaries(names, self._value(extras_of(cls), inner), min_size=1, max_size=2)
        none: SearchStrategy[Document] = st.builds(dict)
        return none | some if getattr(cls, "__open__", False) else none | none | none | some

    def _value(self, kind: Kind, above: Above) -> SearchStrategy[Any]:
        if isinstance(kind, Scalar):
            return scalars(kind)
        if isinstance(kind, Constants):
            return st.sampled_from(kind.values)
        if isinstance(kind, Alias):
            return self._value(kind.value, (*above, kind.alias))
        if isinstance(kind, Object):
            return self.object(kind.cls, above)
        if isinstance(kind, Facets):
            return self._facet_map(kind)
        if isinstance(kind, ListOf):
            return self._list(kind, above)
        if isinstance(kind, MapOf):
            return self._map(kind, above)
        if isinstance(kind, Choice):
            return self._choice(kind, above)
        return _other_type(kind.annotation)

    def _list(self, kind: ListOf, above: Above) -> SearchStrategy[list[Any]]:
        least, most = _lengths(kind.limits, 3 if len(above) < 4 else 1)
        if least == 0 and _recurses(kind.items, above):
            return st.builds(list)
        unique_by = _canonical if kind.unique else None
        return st.lists(self._value(kind.items, above), min_size=least, max_size=most, unique_by=unique_by)

    def _map(self, kind: MapOf, above: Above) -> SearchStrategy[dict[str, Any]]:
        least, most = _lengths(kind.limits, 2)
        if least == 0 and _recurses(kind.values, above):
            return st.builds(dict)
        keys, values = self._value(kind.keys, above), self._value(kind.values, above)
        return st.dictionaries(keys, values, min_size=least, max_size=most)

    def _choice(self, kind: Choice, above: Above) -> SearchStrategy[Any]:
        ending = [branch for branch in kind.branches if not _recurses(branch, above)]
        values = st.one_of([self._value(branch, above) for branch in ending or kind.branches])
        if kind.exactly_one is None:
            return values
        adapter: TypeAdapter[Any] = TypeAdapter(kind.exactly_one)
        return values.filter(lambda value: _is_read(adapter, value))

    def _facet_map(self, kind: Facets) -> SearchStrategy[Document]:
        """Return a strategy for facets by key."""
        # Deferred until a map is drawn: strategies for all facets of all entities take long to create.
        return st.deferred(
            lambda: _facet_maps(self._facets_by_key(kind), frozenset(kind.container.__slots_by_key__))
        )

    def _facets_by_key(self, kind: Facets) -> Mapping[str | None, SearchStrategy[Document]]:
        """Return a strategy per facet key; None is any other key."""
        base = kind.base
        if kind.embedded is not None:
            return {None: self.object(base)} if self._facets is None else {}
        if self._facets is None:
            keys = kind.container.__slots_by_key__
            return {**{key: self._known(kind.container, key) for key in keys}, None: self.object(base)}
        chosen: dict[str | None, SearchStrategy[Document]] = {}
        for cls in self._facets:
            if issubclass(cls, base):
                key = cls.__facet_key__
                facets = self.object(cls).map(_undeleted)
                chosen[key] = chosen[key] | facets if key in chosen else facets
        return chosen

    def _known(self, container: type[FacetMap[Any]], key: str) -> SearchStrategy[Document]:
        classes = container.__slots_by_key__[key].classes() or (container._base_facet(),)
        facets = st.one_of([self.object(cls) for cls in classes])
        base = {field.wire for field in fields_of(container._base_facet())}
        if "_deleted" not in base:
            return facets
        return st.builds(
            lambda facet, deleted: _tombstone(facet, base) if deleted else facet,
            facets,
            st.sampled_from((False, False, False, False, True)),
        )


def _lengths(limits: Mapping[str, Any], more: int) -> tuple[int, int]:
    """Return the least number of items, and the greatest: at most `more` than the least."""
    least = limits.get("min_length", 0)
    return least, min(least + more, limits.get("max_length", least + more))


def _tombstone(facet: Document, base: set[str]) -> Document:
    return {**{name: value for name, value in facet.items() if name in base}, "_deleted": True}


class _NamedStrategy:
    """A strategy with a short `repr`."""

    def __init__(self, name: str, strategy: SearchStrategy[Document]) -> None:
        self._name = name
        self.strategy = strategy

    def __repr__(self) -> str:
        return self._name


def _named_strategy(name: str, strategy: SearchStrategy[Document]) -> SearchStrategy[Document]:
    """Give a strategy a short `repr`; the default one of an event has thousands of lines.

    Hypothesis also reuses values of equal strategies, which it identifies by the function and its defaults.
    """

    named = _NamedStrategy(name, strategy)

    def drawn(draw: st.DrawFn, inner: _NamedStrategy = named) -> Document:
        return draw(inner.strategy)

    drawn.__name__ = name
    return st.composite(drawn)()


def _undeleted(facet: Document) -> Document:
    """Return a facet that is not a tombstone, which would be parsed as its base facet."""
    return {**facet, "_deleted": False} if facet.get("_deleted") is True else facet


def _recurses(kind: Kind, above: Above) -> bool:
    """Return whether a kind exceeds the maximum nesting of a class or alias in itself."""
    if isinstance(kind, Choice):
        return all(_recurses(branch, above) for branch in kind.branches)
    if isinstance(kind, Alias):
        return above.count(kind.alias) > _RECURSIONS
    return isinstance(kind, Object) and above.count(kind.cls) > _RECURSIONS


@cache
def object_strategies(facets: tuple[type[FacetModel], ...] | None) -> ObjectStrategies:
    """Return the cached strategies for the given facet classes."""
    return ObjectStrategies(facets)


def _facet_maps(
    by_key: Mapping[str | None, SearchStrategy[Document]], known: frozenset[str]
) -> SearchStrategy[Document]:
    if not by_key:
        return st.builds(dict)
    other = custom_keys().filter(lambda key: key not in known)
    # Key and facet are drawn together, so that shrinking removes them in one step.
    entries = [st.tuples(other if key is None else st.just(key), facets) for key, facets in by_key.items()]
    return st.lists(st.one_of(entries), max_size=3, unique_by=lambda entry: entry[0]).map(dict)


def _schema_urls(cls: type[EventModel] | type[FacetModel]) -> SearchStrategy[str]:
    """Return a strategy for the schema URL of a class: its own version or an older one."""
    if cls.__dict__.get("__open__"):
        version = st.builds("{}-{}-{}".format, *[st.integers(0, 3)] * 3)
        name = cls.__name__
        return st.builds(
            f"https://schemas.example.com/{{}}/Acme{name}.json#/$defs/Acme{name}".format, version
        )
    url = getattr(cls, "__schema_url__", None)
    if url is None:
        return uris()
    older = re.sub(r"/\d+-\d+-\d+/", "/2-0-0/" if issubclass(cls, EventModel) else "/1-0-0/", url)
    return st.sampled_from(list(dict.fromkeys((url, older))))


def _other_type(annotation: Any) -> SearchStrategy[Any]:
    adapter: TypeAdapter[Any] = TypeAdapter(annotation)
    is_known = isinstance(annotation, type) and annotation in _OTHER_TYPES
    values = _OTHER_TYPES[annotation] if is_known else st.from_type(annotation)
    written = values.map(lambda value: adapter.dump_python(value, mode="json", by_alias=True))
    return written.filter(lambda value: _is_read(adapter, value))


_OTHER_TYPES: Mapping[Any, SearchStrategy[Any]] = {
    bytes: texts().map(str.encode),
    NaiveDatetime: st.datetimes(),
    PastDatetime: st.datetimes(max_value=datetime(2000, 1, 1)),
    FutureDatetime: st.datetimes(min_value=datetime(2200, 1, 1)),
    PastDate: st.dates(max_value=date(2000, 1, 1)),
    FutureDate: st.dates(min_value=date(2200, 1, 1)),
}
"""Types that hypothesis does not know, or of which pydantic cannot write all values."""


def _is_read(adapter: TypeAdapter[Any], value: Any) -> bool:
    try:
        adapter.validate_json(json.dumps(value), strict=True)
    except ValidationError:
        return False
    return True


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def has_rules(cls: type[BaseModel]) -> bool:
    """Return whether a class has validators in addition to the annotations of its fields."""
    return bool(_rules(cls))


def _rules(cls: type[BaseModel]) -> list[Callable[..., Any]]:
    functions = [_function(validator.func) for validator in (*model_validators(cls), *field_validators(cls))]
    return [function for function in functions if function not in (keep_unknown_apart, keep_nulls_apart)]


def _function(callable_: Callable[..., Any]) -> Callable[..., Any]:
    function: Callable[..., Any] = getattr(callable_, "__func__", callable_)
    return function


def accepts(cls: type[BaseModel], document: Document) -> bool:
    """Return whether a document is valid for a class."""
    if not is_built(cls):
        cls.model_rebuild()
    try:
        validator_of(cls).validate_json(json.dumps(document), strict=True)
    except ValidationError:
        return False
    return True


@st.composite
def _satisfying_rules(
    draw: st.DrawFn,
    cls: type[BaseModel],
    documents: SearchStrategy[Document],
    optional: Mapping[str, SearchStrategy[Any]],
) -> Document:
    """Draw a document that satisfies the validators of a class by adding or removing optional fields."""
    drawn = document = draw(documents)
    if accepts(cls, document):
        return document
    for name, values in optional.items():
        if name not in document:
            document = {**document, name: draw(values)}
            if accepts(cls, document):
                return document
    required = {field.wire for field in fields_of(cls) if field.required}
    for start in (drawn, document):
        document = start
        for name in start:
            if name not in required:
                document = {key: value for key, value in document.items() if key != name}
                if accepts(cls, document):
                    return document
    return reject()
