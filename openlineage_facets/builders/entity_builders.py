"""Builders of runs, jobs and datasets: the generated facet methods, and tags."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast, get_args

from typing_extensions import Self, override

from openlineage_facets.base.containers.builder import EntityBuilder
from openlineage_facets.base.errors.findings import describe, invalid
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.model.spec_models import FacetModel
from openlineage_facets.base.producer import current_producer
from openlineage_facets.builders.retagging import retagged
from openlineage_facets.generated import builders as generated
from openlineage_facets.tags import (
    Entity,
    Tag,
    TagsFacet,
    TagValue,
    WireFormat,
    convert_tags,
    tag_list,
    tags_of,
    unique_tags,
    with_user_tags,
)
from openlineage_facets.tags.tag import TagIdentity, identity_of

if TYPE_CHECKING:
    from openlineage_facets.generated.open_lineage import (
        DatasetFacet,
        InputDatasetFacet,
        JobFacet,
        OutputDatasetFacet,
        RunFacet,
    )


E = TypeVar("E", bound=EntityBuilder)


class _Tagged(EntityBuilder):
    """An entity with tags.

    Args:
        identity: The fields of the entity, by Python name.
        producer: Returns the producer of its facets.
        wire_format: The wire format of tags.
    """

    __tagged__: ClassVar[Entity]

    def __init__(
        self,
        identity: Mapping[str, Any],
        producer: Callable[[], str] = current_producer,
        wire_format: WireFormat = "released",
    ) -> None:
        self._is_tags_facet_due = False
        super().__init__(identity, producer)
        if wire_format not in get_args(WireFormat):
            expected = " or ".join(map(repr, get_args(WireFormat)))
            raise invalid("/wire_format", expected, describe(wire_format))
        self._wire_format: WireFormat = wire_format
        self._tags: dict[TagIdentity, Tag] = {}
        self._tags_facet: TagsFacet | None = None  # The content of the tags facets that were added.
        self._tags_producer = ""

    @property
    @override
    def _facets(self) -> dict[str, dict[str, FacetModel]]:
        """The facets added so far; that of tags is created when it is read, once for many tags."""
        if self._is_tags_facet_due:
            contents = [] if self._tags_facet is None else [self._tags_facet]
            tags = with_user_tags(self.__tagged__, list(self._tags.values()))
            facet = retagged(self.__tagged__, contents, tags, self._wire_format, self._tags_producer)
            self._is_tags_facet_due = False
            super().facet(facet)
        return super()._facets

    def tag(
        self, key: str, value: TagValue = True, source: str | None = None, field: str | None = None
    ) -> Self:
        """Add one tag.

        Args:
            key: The key of the tag.
            value: A string, a number or a boolean. Default: True, for a tag without a value.
            source: The origin of the tag. Of two tags with the same key and source, the later one is kept.
            field: The dataset field with the tag.

        Raises:
            EventError: The tag is invalid, or has a field on a run or job.
        """
        return self.tags([Tag(key, value, source, field)])

    def tags(self, tags: Iterable[Any] | Mapping[str, TagValue] | None = None) -> Self:
        """Add tags. Tags from the environment are added to runs and jobs.

        Args:
            tags: `Tag` objects, tokens such as "pii" and "team=dataos", items of a tags facet as objects or
                dicts; or a mapping from key to value.

        Raises:
            EventError: An item is not a valid tag, or has a field on a run or job.
        """
        return self._add_tags(map(_tag, tag_list(() if tags is None else tags)))

    def facet(self, facet: Any, key: str | None = None) -> Self:
        """Add any facet of this entity, including custom facets. The tags of a tags facet are added.

        Other content of a tags facet is kept: its producer, schema URL and unknown fields.

        Args:
            facet: The facet.
            key: The facet key. Required if the class does not define one.

        Raises:
            EventError: The facet belongs to another entity, or has no key.
        """
        with self.restored_on_error():
            super().facet(facet, key)
            if "tags" not in (key, type(facet).__facet_key__):
                return self
            if facet.__dict__.get("deleted"):
                self._forget_tags()
                return self
            converted = convert_tags(cast("TagsFacet", facet), self._wire_format)
            self._add_tags(tags_of(facet))
            contents = [converted] if self._tags_facet is None else [self._tags_facet, converted]
            tags = self._tags.values()
            self._tags_facet = retagged(self.__tagged__, contents, tags, self._wire_format)
            return self

    def delete(self, key: str) -> Self:
        """Delete the facet stored under a key, with a tombstone (`_deleted`).

        Raises:
            EventError: The key has no facet that can be deleted.
        """
        super().delete(key)
        if key == "tags":
            self._forget_tags()
        return self

    def _forget_tags(self) -> None:
        self._tags, self._tags_facet, self._is_tags_facet_due = {}, None, False

    def _add_tags(self, tags: Iterable[Any]) -> Self:
        """Add tags; those of the user are added with the facet."""
        added = unique_tags(self.__tagged__, list(tags))
        replaced = [self._tags[identity_of(tag)] for tag in added if identity_of(tag) in self._tags]
        for tag in unique_tags(self.__tagged__, [*replaced, *added]):
            self._tags[identity_of(tag)] = tag
        self._tags_producer, self._is_tags_facet_due = self._producer(), True
        return self


def _tag(item: object) -> Tag:
    """Return an item of a tags facet as a tag."""
    if isinstance(item, Model):
        item = item.to_dict()
    if isinstance(item, Mapping):
        if not {"key", "value"} <= item.keys() <= {"key", "value", "source", "field"}:
            expected = "an object with key, value and optionally source and field"
            raise invalid("/tags", expected, ", ".join(map(str, item)) or "an empty object")
        return Tag(**item)
    return cast("Tag", item)


# `tags` accepts everything the generated method accepts; pyright compares parameter names only.
class RunBuilder(_Tagged, generated.RunBuilder):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Builds a run from facets."""

    __tagged__ = "run"

    if TYPE_CHECKING:

        def facet(self, facet: RunFacet, key: str | None = None) -> Self: ...  # noqa: D102


class JobBuilder(_Tagged, generated.JobBuilder):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Builds a job from facets."""

    __tagged__ = "job"

    if TYPE_CHECKING:

        def facet(self, facet: JobFacet, key: str | None = None) -> Self: ...  # noqa: D102


class InputBuilder(_Tagged, generated.InputDatasetBuilder):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Builds an input dataset from facets."""

    __tagged__ = "dataset"

    if TYPE_CHECKING:

        def facet(self, facet: DatasetFacet | InputDatasetFacet, key: str | None = None) -> Self: ...  # noqa: D102


class OutputBuilder(_Tagged, generated.OutputDatasetBuilder):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Builds an output dataset from facets."""

    __tagged__ = "dataset"

    if TYPE_CHECKING:

        def facet(self, facet: DatasetFacet | OutputDatasetFacet, key: str | None = None) -> Self: ...  # noqa: D102


class DatasetBuilder(_Tagged, generated.StaticDatasetBuilder):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Builds the dataset of a DatasetEvent from facets."""

    __tagged__ = "dataset"

    if TYPE_CHECKING:

        def facet(self, facet: DatasetFacet, key: str | None = None) -> Self: ...  # noqa: D102


class BuilderParts:
    """The base of event builders: the builders of their parts.

    Suggests the right part when a facet method is called on the event builder.
    """

    __parts__: ClassVar[Mapping[str, type[EntityBuilder]]] = {}
    """The builder class of each part, by the expression that returns it.

    A package of custom facets replaces these by subclasses with a method for each of its facets. A class
    that extends the builders of several packages has the methods of all of them.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        bases = [base for base in cls.__bases__ if issubclass(base, BuilderParts)]
        if len(bases) > 1 and "__parts__" not in vars(cls):
            names = dict.fromkeys(name for base in bases for name in base.__parts__)
            cls.__parts__ = {
                name: _combined([base.__parts__[name] for base in bases if name in base.__parts__])
                for name in names
            }

    def _part(self, name: str, base: type[E]) -> type[E]:
        part = self.__parts__[name]
        assert issubclass(part, base)
        return part

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            matches = [
                f".{part}.{name}" for part, builder in self.__parts__.items() if hasattr(builder, name)
            ]
            hint = f"; did you mean {' or '.join(matches)}?" if matches else ""
            raise AttributeError(f"{type(self).__name__} has no {name!r}{hint}")


def _combined(builders: list[type[EntityBuilder]]) -> type[EntityBuilder]:
    """Return the builder that has the methods of several ones."""
    distinct = list(dict.fromkeys(builders))
    needed = [
        cls for cls in distinct if not any(issubclass(other, cls) for other in distinct if other is not cls)
    ]
    return needed[0] if len(needed) == 1 else type(needed[0].__name__, tuple(needed), {})
