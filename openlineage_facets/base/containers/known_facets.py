"""The known facets of a container: keys, classes and schemas, and for which one a wrong key was meant."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, NoReturn, Protocol, TypeVar, overload

from pydantic_core import PydanticCustomError, core_schema
from typing_extensions import Never

from openlineage_facets.base.errors.name_suggestions import normalized
from openlineage_facets.base.lazy_imports import load_class
from openlineage_facets.base.model.spec_models import FacetModel
from openlineage_facets.base.model.tombstones import TOMBSTONE, is_deleted
from openlineage_facets.base.wire.core_schemas import FunctionRole
from openlineage_facets.base.wire.pydantic_internals import declared_fields

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler


F = TypeVar("F", bound=FacetModel, covariant=True)


class FacetContainer(Protocol):
    """What the known facets use of their container."""

    __slots_by_key__: ClassVar[Mapping[str, FacetSlot[Any]]]
    __base_facet__: ClassVar[str]
    _facets: dict[str, Any]


class FacetSlot(Generic[F]):
    """A descriptor for one known facet of a container: its facet key and its class.

    As an attribute of a container, it returns the facet, or None if it is absent or deleted.

    Args:
        key: The facet key.
        facet: Module and class of the facet, as `module:Class` in the package of the container.
        proposals: Classes of proposed wire formats, by the schema file in the `_schemaURL` of such facets.
    """

    def __init__(self, key: str, facet: str, proposals: Mapping[str, str] | None = None) -> None:
        self.key = key
        self._facet = facet
        self._proposals = dict(proposals or {})
        self._package = ""

    def __set_name__(self, owner: type[FacetContainer], name: str) -> None:
        self._package = owner.__module__.rpartition(".")[0]
        owner.__slots_by_key__ = {**owner.__slots_by_key__, self.key: self}

    @overload
    def __get__(self, container: None, owner: type[Any]) -> FacetSlot[F]: ...
    @overload
    def __get__(self, container: FacetContainer, owner: type[Any]) -> F | None: ...
    def __get__(self, container: FacetContainer | None, owner: type[Any]) -> FacetSlot[F] | F | None:
        if container is None:
            return self
        facet = container._facets.get(self.key)
        # A base facet under a known key is a tombstone, or an invalid facet that was parsed tolerantly.
        return None if facet is None or facet.__facet_key__ is None or is_deleted(facet) else facet

    def __set__(self, container: Any, value: Never) -> NoReturn:
        raise AttributeError(f"{type(container).__name__} is immutable; with_facets() returns a changed copy")

    @property
    def facet_class(self) -> type[FacetModel]:
        """The class of the released facet."""
        facet: type[FacetModel] = load_class(self._package, self._facet)
        return facet

    @property
    def has_one_class(self) -> bool:
        """Whether there are no proposed wire formats."""
        return not self._proposals

    def class_names(self) -> tuple[str, ...]:
        """Return the names of the classes without importing them."""
        return tuple(path.partition(":")[2] for path in (self._facet, *self._proposals.values()))

    def classes(self) -> tuple[type[FacetModel], ...]:
        """Return every class of this facet, the released one first; none if a custom class cannot be used."""
        proposed = (load_class(self._package, path) for path in self._proposals.values())
        return (self.facet_class, *proposed)

    def classes_of(self, schema_url: str | None) -> tuple[type[FacetModel], ...]:
        """Return the classes that a facet with this schema URL may have."""
        return self.classes()

    def is_its_own(self, facet: object) -> bool:
        """Return whether `facet` is not deleted and its class is exactly that of its wire format."""
        if not isinstance(facet, FacetModel) or facet.__dict__.get("deleted") is True:
            return False
        wire_format = _wire_format(facet, tuple(self._proposals)) if self._proposals else ""
        module, _, name = self._proposals.get(wire_format, self._facet).partition(":")
        return type(facet).__name__ == name and type(facet).__module__ == f"{self._package}.{module}"

    def typed(self, facet: FacetModel) -> FacetModel:
        """Return a base facet under this key as one of the class, if the class is that of a custom facet."""
        return facet

    def core_schema(self, handler: GetCoreSchemaHandler, base: type[FacetModel]) -> core_schema.CoreSchema:
        """Return the schema of the key: the facet, a proposed wire format of it, or a tombstone."""
        schema = handler.generate_schema(self.facet_class)
        if self._proposals:
            files = tuple(self._proposals)
            schema = core_schema.tagged_union_schema(
                {
                    "released": schema,
                    **{
                        file: handler.generate_schema(load_class(self._package, path))
                        for file, path in self._proposals.items()
                    },
                },
                discriminator=lambda value: _wire_format(value, files),
            )
        if "_deleted" not in {field.alias for field in declared_fields(base).values()}:
            return schema
        return core_schema.union_schema(
            [
                schema,
                (
                    core_schema.no_info_after_validator_function(
                        _deleted_only, handler.generate_schema(base)
                    ),
                    TOMBSTONE,
                ),
            ],
            mode="left_to_right",
        )


def _wire_format(value: Any, files: tuple[str, ...]) -> str:
    """Return the wire format of a facet: the schema file of a proposal, or "released"."""
    file = schema_url_of(value).partition("#")[0].rpartition("/")[2]
    return file if file in files else "released"


def schema_url_of(value: Any) -> str:
    """Return the schema URL of a facet, or of its JSON; "" without one."""
    if isinstance(value, FacetModel):
        url = value.__dict__.get("schema_url")
    else:
        url = value.get("_schemaURL") if isinstance(value, Mapping) else None
    return url if isinstance(url, str) else ""


@FunctionRole.CHECKS_JSON.mark
def _deleted_only(facet: F | dict[str, Any]) -> F | dict[str, Any]:
    if not (facet.get("_deleted") is True if isinstance(facet, dict) else is_deleted(facet)):
        raise PydanticCustomError("tombstone", "`_deleted` to be true")
    return facet


class WrongKey(NamedTuple):
    """Why a facet key is wrong; the fields are those of a finding."""

    problem: str
    expected: str
    hint: str


def wrong_key(container: type[FacetContainer], key: str) -> WrongKey | None:
    """Return why a key that `container` does not have is wrong, or None for the key of a custom facet."""
    right = key_of_variant(container, key)
    if right is not None:
        return WrongKey(f"unknown facet key {key!r}", "a facet key", f"did you mean {right!r}?")
    owners = containers_with_key(container, key)
    if owners:
        problem = f"{key!r} is not a facet key of {container.__name__}"
        expected = f"a facet key of {container.__name__}, or that of a custom facet"
        return WrongKey(problem, expected, f"it belongs to {' or '.join(owners)}")
    return None


def key_of_variant(container: type[FacetContainer], name: str) -> str | None:
    """Return the key of the facet that a name stands for, such as `jobtype` or `JobTypeJobFacet`.

    Case and separators are ignored.

    Args:
        container: The container.
        name: A facet key, a class name, or a class name without its suffix.
    """
    return keys_by_variant(container).get(normalized(name))


def containers_with_key(container: type[FacetContainer], key: str) -> tuple[str, ...]:
    """Return the names of the other containers that have a key."""
    if key in container.__slots_by_key__ or not container.__slots_by_key__:
        return ()
    by_key = load_class(container.__module__.rpartition(".")[0], "index:CONTAINERS_BY_KEY")
    owners: tuple[str, ...] = by_key.get(key, ())
    return owners


def containers_with_variant(container: type[FacetContainer], name: str) -> tuple[str, ...]:
    """Return the names of the other containers that have a key, without regard to case and separators."""
    if not container.__slots_by_key__:
        return ()
    by_key = load_class(container.__module__.rpartition(".")[0], "index:CONTAINERS_BY_KEY")
    keys = [key for key in by_key if normalized(key) == normalized(name)]
    return containers_with_key(container, keys[0]) if keys else ()


@cache
def keys_by_variant(container: type[FacetContainer]) -> dict[str, str]:
    """Return the key of each facet by the names that stand for it, normalized, cached."""
    base = container.__base_facet__.partition(":")[2]
    keys = {
        normalized(variant): key
        for key, slot in container.__slots_by_key__.items()
        for name in slot.class_names()
        for variant in (key, name, name.removesuffix("Facet"), name.removesuffix(base))
    }
    return {variant: key for variant, key in keys.items() if variant}


class FacetEntry(NamedTuple):
    """One facet of one container."""

    container: str
    """Name of the container class, such as `RunFacets`."""
    key: str
    """The facet key."""
    module: str
    """The generated module that defines it."""
    name: str
    """The class of the facet."""
    schema_url: str
    """URL of the schema that defines it, with its version."""
    proposal: str | None
    """The schema file in the `_schemaURL` of a proposed wire format; None for a released facet."""
