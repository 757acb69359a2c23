"""The known facets of a container: what may stand under a key, and which class reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar, overload

from pydantic_core import PydanticCustomError, core_schema
from typing_extensions import Never

from openlineage_facets.base.entities import FacetModel
from openlineage_facets.base.lazy import load_class

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler

    from openlineage_facets.base.containers import FacetMap

__all__ = ["TOMBSTONE", "FacetSlot", "is_deleted"]

F = TypeVar("F", bound=FacetModel, covariant=True)


TOMBSTONE = "tombstone"
"""The union branch of a deleted facet, whose errors nobody who writes a living one wants to read."""


class FacetSlot(Generic[F]):
    """One known facet of a container: its wire key, and the class that reads it.

    Read from a container it gives the facet, or None where it is absent or deleted.

    Args:
        key: The wire key.
        facet: Module and class of the facet, as `module:Class` beside the container's own module.
        proposals: Classes of proposed spellings by the schema file that a facet's `_schemaURL` must
            name to be read by them.
    """

    def __init__(self, key: str, facet: str, proposals: Mapping[str, str] | None = None) -> None:
        self.key = key
        self._facet = facet
        self._proposals = dict(proposals or {})
        self._package = ""

    def __set_name__(self, owner: type[FacetMap[Any]], name: str) -> None:
        self._package = owner.__module__.rpartition(".")[0]
        owner.__slots_by_key__ = {**owner.__slots_by_key__, self.key: self}

    @overload
    def __get__(self, container: None, owner: type[Any]) -> FacetSlot[F]: ...
    @overload
    def __get__(self, container: FacetMap[Any], owner: type[Any]) -> F | None: ...
    def __get__(self, container: FacetMap[Any] | None, owner: type[Any]) -> FacetSlot[F] | F | None:
        if container is None:
            return self
        facet = container._facets.get(self.key)
        # A base facet under a known key is a tombstone, or what a tolerant reader could read no better.
        return None if facet is None or facet.__facet_key__ is None or is_deleted(facet) else facet

    def __set__(self, container: Any, value: Never) -> NoReturn:
        raise AttributeError(f"{type(container).__name__} is immutable; with_facets() gives a changed copy")

    @property
    def facet_class(self) -> type[FacetModel]:
        """The class of the released facet."""
        facet: type[FacetModel] = load_class(self._package, self._facet)
        return facet

    def class_names(self) -> tuple[str, ...]:
        """Return the names of those classes, none of which this loads."""
        return tuple(path.partition(":")[2] for path in (self._facet, *self._proposals.values()))

    def classes(self) -> tuple[type[FacetModel], ...]:
        """Return every class that may stand here, the released one first."""
        proposed = (load_class(self._package, path) for path in self._proposals.values())
        return (self.facet_class, *proposed)

    def is_its_own(self, facet: object) -> bool:
        """Tell whether `facet` is a living one of the very class that stands here."""
        if not isinstance(facet, FacetModel) or facet.__dict__.get("deleted") is True:
            return False
        spelling = _spelling(facet, tuple(self._proposals)) if self._proposals else ""
        module, _, name = self._proposals.get(spelling, self._facet).partition(":")
        return type(facet).__name__ == name and type(facet).__module__ == f"{self._package}.{module}"

    def core_schema(self, handler: GetCoreSchemaHandler, base: type[FacetModel]) -> core_schema.CoreSchema:
        """Return what may stand under the key: the facet, a proposed spelling of it, or its tombstone."""
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
                discriminator=lambda value: _spelling(value, files),
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


def _spelling(value: Any, files: tuple[str, ...]) -> str:
    """Tell which spelling of a facet `value` is: the file its schema URL names, if that is a proposal's."""
    if isinstance(value, FacetModel):
        url = value.__dict__.get("schema_url")
    else:
        url = value.get("_schemaURL") if isinstance(value, Mapping) else None
    file = url.partition("#")[0].rpartition("/")[2] if isinstance(url, str) else ""
    return file if file in files else "released"


def is_deleted(facet: FacetModel) -> bool:
    """Tell whether a facet is a tombstone: it says that the facet under its key no longer holds."""
    return facet.__dict__.get("deleted") is True and type(facet).model_fields["deleted"].alias == "_deleted"


def _deleted_only(facet: FacetModel) -> FacetModel:
    if not is_deleted(facet):
        raise PydanticCustomError("tombstone", "`_deleted` to be true")
    return facet
