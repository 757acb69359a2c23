"""The known facets of a container: their keys, classes and schemas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, Protocol, TypeVar, overload

from pydantic_core import PydanticCustomError, core_schema
from typing_extensions import Never

from openlineage_facets.base.lazy_imports import load_class
from openlineage_facets.base.model.spec_models import FacetModel
from openlineage_facets.base.model.tombstones import TOMBSTONE, is_deleted
from openlineage_facets.base.wire.schema_functions import checks_json

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler

__all__ = ["FacetContainer", "FacetSlot"]

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
        """Return every class of this facet, the released one first."""
        proposed = (load_class(self._package, path) for path in self._proposals.values())
        return (self.facet_class, *proposed)

    def is_its_own(self, facet: object) -> bool:
        """Return whether `facet` is not deleted and its class is exactly that of its wire format."""
        if not isinstance(facet, FacetModel) or facet.__dict__.get("deleted") is True:
            return False
        wire_format = _wire_format(facet, tuple(self._proposals)) if self._proposals else ""
        module, _, name = self._proposals.get(wire_format, self._facet).partition(":")
        return type(facet).__name__ == name and type(facet).__module__ == f"{self._package}.{module}"

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
        if "_deleted" not in {field.alias for field in base.model_fields.values()}:
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
    if isinstance(value, FacetModel):
        url = value.__dict__.get("schema_url")
    else:
        url = value.get("_schemaURL") if isinstance(value, Mapping) else None
    file = url.partition("#")[0].rpartition("/")[2] if isinstance(url, str) else ""
    return file if file in files else "released"


@checks_json
def _deleted_only(facet: F | dict[str, Any]) -> F | dict[str, Any]:
    if not (facet.get("_deleted") is True if isinstance(facet, dict) else is_deleted(facet)):
        raise PydanticCustomError("tombstone", "`_deleted` to be true")
    return facet
