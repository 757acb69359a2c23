"""The base of generated builders: collect the facets of one entity and build it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from inspect import Parameter, signature
from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import Self

from openlineage_facets.base.containers.facet_map import FacetMap
from openlineage_facets.base.containers.facet_placement import class_named, slots_of
from openlineage_facets.base.containers.known_facets import wrong_key
from openlineage_facets.base.display.short_values import TruncatedRepr, shown_keys, summary_of
from openlineage_facets.base.errors.findings import (
    EventError,
    Finding,
    describe,
    invalid,
    missing_field,
    unknown_field,
    with_article,
)
from openlineage_facets.base.errors.name_suggestions import did_you_mean, own_class_hint
from openlineage_facets.base.json.json_input import assert_utf8
from openlineage_facets.base.lazy_imports import load_class
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.model.spec_models import FacetModel
from openlineage_facets.base.producer import current_producer
from openlineage_facets.base.wire.pydantic_internals import declared_fields


class EntityBuilder:
    """Collect the facets of one run, job or dataset.

    Each facet has a method. Adding a facet again replaces it, as the specification defines. Entities
    that were already built do not change.

    Args:
        identity: The entity's own fields, such as namespace and name, by Python name.
        producer: Returns the producer of a facet when it is created; by default the current one.
    """

    __entity__: ClassVar[str] = ""
    """Module and class of the entity."""

    __containers__: ClassVar[Mapping[str, str]] = {}
    """The container class of each field that holds facets."""

    __composes_facets__: ClassVar[bool]
    """True in a generated class with methods of custom facets."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if vars(cls).get("__composes_facets__", "__entity__" in vars(cls)):  # Each function composes a facet.
            for name, method in list(vars(cls).items()):
                if isinstance(method, FunctionType):
                    setattr(cls, name, with_argument_findings(method))

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            facets = {known for container in self._containers().values() for known in slots_of(container)}
            facets |= self._custom_methods()
            elsewhere = _builders_of(type(self), name)
            hint = f"{name!r} is a facet of {elsewhere}" if elsewhere else did_you_mean(name, facets)
            raise AttributeError(f"{type(self).__name__} has no facet {name!r}; {hint}")

    def __init__(self, identity: Mapping[str, Any], producer: Callable[[], str] = current_producer) -> None:
        self._identity = dict(identity)
        self._producer = producer
        self._facets_by_field: dict[str, dict[str, FacetModel]] = {field: {} for field in self.__containers__}
        self._sent: dict[str, dict[str, FacetModel]] | None = None
        self._entity()(**self._identity)  # Raises here if the identity is invalid.

    @property
    def _facets(self) -> dict[str, dict[str, FacetModel]]:
        """The facets added so far, by field and facet key."""
        return self._facets_by_field

    def facet(self, facet: Any, key: str | None = None) -> Self:
        """Add any facet of this entity, a custom one included.

        Args:
            facet: The facet, complete.
            key: The facet key, for a facet class without one.

        Raises:
            EventError: The facet belongs to another entity, or has no key.
        """
        containers = self._containers()
        for field, container in containers.items():
            if isinstance(facet, container._base_facet()):
                own = type(facet).__facet_key__ if key is None else _checked_key(key)
                self._facets[field].update(container([facet] if own is None else {own: facet}))
                return self
        bases = " or ".join(container._base_facet().__name__ for container in containers.values())
        known = (class_named(type(facet).__name__, container) for container in containers.values())
        hint = own_class_hint(facet, next(filter(None, known), "")) or "add it to the entity it describes"
        raise invalid("/facets", with_article(bases), describe(facet), hint)

    def delete(self, key: str) -> Self:
        """Delete the facet under a facet key, with a tombstone (`_deleted: true`).

        Raises:
            EventError: A facet with this key cannot be deleted.
        """
        place = f"/facets/{_checked_key(key)}"
        containers = self._containers()
        owners = [field for field, container in containers.items() if key in container.__slots_by_key__]
        for container in containers.values() if not owners else ():
            if (wrong := wrong_key(container, key)) is not None:
                found = repr(key)
                raise invalid(place, wrong.expected, found, wrong.hint, "OL013", problem=wrong.problem)
        for field in owners or containers:
            base: Any = containers[field]._base_facet()
            if "deleted" in declared_fields(base):
                self._facets[field][key] = base(deleted=True, producer=self._producer())
                return self
        field = owners[0] if owners else "facets"
        kinds, hint = "facets of a run", "they end with the run"
        if field != "facets":
            kinds, hint = "input and output facets", "they describe one run"
        problem = f"{kinds} cannot be deleted"
        raise invalid(place, "a facet of a job or a dataset", f"one under {field!r}", hint, problem=problem)

    @contextmanager
    def restored_on_error(self) -> Iterator[None]:
        """Undo the additions of the `with` block if it raises."""
        before = {field: dict(by_key) for field, by_key in self._facets.items()}
        try:
            yield
        except BaseException:
            self._facets_by_field = before
            raise

    def __repr__(self) -> str:
        identity = ", ".join(
            f"{name}={TruncatedRepr(str(value))!r}" for name, value in self._identity.items()
        )
        keys = [key for by_key in self._facets.values() for key in by_key]
        return f"{type(self).__name__}({identity}, facets=[{', '.join(shown_keys(keys))}])"

    def _repr_html_(self) -> str:
        """Return a table of the facets, for notebooks."""
        from openlineage_facets.base.display.notebook_html import MOST_ROWS, field_lines, notebook_table

        facets = [(key, facet) for by_key in self._facets.values() for key, facet in by_key.items()]
        parts = [*self._identity.items(), *facets]
        rows = [(key, field_lines(value)) for key, value in parts[:MOST_ROWS]]
        return notebook_table(type(self).__name__, rows, total=len(parts))

    def _described(self) -> str:
        """Return identity, size and facet keys on one line."""
        facets = (pair for by_key in self._facets.values() for pair in by_key.items())
        return str(summary_of(self._identity.values(), facets))

    def build(self) -> Any:
        """Return the entity with every facet added so far."""
        return self._built(self._facets)

    def has_changes(self) -> bool:
        """Return whether nothing has been sent, or facets were added since."""
        return self._sent is None or any(self._unsent().values())

    def build_changes(self, *repeated: str) -> Any:
        """Return the entity with the facets that have not been sent, and those under `repeated` keys."""
        return self._built(self._unsent(*repeated))

    def _unsent(self, *repeated: str) -> dict[str, dict[str, FacetModel]]:
        """Return the facets that have not been sent, and those under `repeated` keys, by field."""
        sent = self._sent or {}
        return {
            field: {
                key: facet
                for key, facet in by_key.items()
                if key in repeated or sent.get(field, {}).get(key) is not facet
            }
            for field, by_key in self._facets.items()
        }

    def mark_sent(self) -> None:
        """Mark all facets added so far as sent."""
        self._sent = {field: dict(by_key) for field, by_key in self._facets.items()}

    def _built(self, facets: Mapping[str, Mapping[str, FacetModel]]) -> Any:
        with_facets = {field: dict(by_key) for field, by_key in facets.items() if by_key}
        return self._entity()(**self._identity, **with_facets)

    def _compose(self, field: str, facet: str, /, **values: Any) -> Self:
        """Create a facet from its fields and add it to the container under `field`."""
        made = load_class(self._package(), facet)(producer=self._producer(), **values)
        self._facets[field][str(type(made).__facet_key__)] = made
        return self

    @classmethod
    def _custom_methods(cls) -> set[str]:
        """Return the methods of custom facets."""
        generated = [base for base in cls.__mro__ if vars(base).get("__composes_facets__")]
        return {name for base in generated for name in vars(base) if not name.startswith("_")}

    @classmethod
    def _package(cls) -> str:
        owner = next(base for base in cls.__mro__ if "__entity__" in vars(base))
        return owner.__module__.rpartition(".")[0]

    @classmethod
    def _entity(cls) -> type[Model]:
        entity: type[Model] = load_class(cls._package(), cls.__entity__)
        return entity

    @classmethod
    def _containers(cls) -> dict[str, type[FacetMap[Any]]]:
        """Return the container class of each field that holds facets."""
        paths = {field: f"containers:{name}" for field, name in cls.__containers__.items()}
        return {field: load_class(cls._package(), path) for field, path in paths.items()}


def _builders_of(builder: type[EntityBuilder], facet: str) -> str:
    """Return the names of the other entities that have a facet, as in 'a Job'."""
    entities = load_class(builder._package(), "index:ENTITIES_BY_METHOD")
    return " or ".join(with_article(entity) for entity in entities.get(facet, ()))


def _checked_key(key: object) -> str:
    if not isinstance(key, str) or not key:
        raise invalid("/facets", "a facet key", describe(key), "pass a key such as 'ownership'")
    assert_utf8(key, "/facets")
    return key


def with_argument_findings(method: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a builder's method: unknown and missing keyword arguments raise `EventError`.

    Raises:
        EventError: The method raised it, or an argument is unknown or missing.
    """

    @wraps(method)
    def composing(self: Any, *args: Any, **fields: Any) -> Any:
        try:
            return method(self, *args, **fields)
        except TypeError:
            findings = _wrong_fields(method, fields)
            if args or not findings:
                raise
        raise EventError(findings)

    return composing


def _wrong_fields(method: Callable[..., Any], fields: Iterable[str]) -> list[Finding]:
    _, *parameters = signature(method).parameters.values()
    names = [parameter.name for parameter in parameters]
    place = f"/{method.__name__}"
    unknown = [name for name in fields if name not in names]
    missing = [
        parameter.name
        for parameter in parameters
        if parameter.default is Parameter.empty and parameter.name not in fields
    ]
    if unknown:
        facet = f"the facet {method.__name__!r}"
        return [unknown_field(f"{place}/{name}", name, facet, did_you_mean(name, names)) for name in unknown]
    return [missing_field(f"{place}/{name}", name) for name in missing]
