"""The builders of runs, jobs and datasets: a generated method for each facet, and tags."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, cast, get_args

from typing_extensions import Self

from openlineage_facets.base.builder import EntityBuilder
from openlineage_facets.base.errors import EventError, Finding, shown
from openlineage_facets.base.model import Model
from openlineage_facets.base.producer import current_producer
from openlineage_facets.generated import builders as generated
from openlineage_facets.tags import (
    Entity,
    Spelling,
    Tag,
    TagsFacet,
    TagValue,
    tags_facet,
    tags_of,
    unique_tags,
    with_user_tags,
)

if TYPE_CHECKING:
    from openlineage_facets.generated.open_lineage import (
        DatasetFacet,
        InputDatasetFacet,
        JobFacet,
        OutputDatasetFacet,
        RunFacet,
    )

__all__ = ["DatasetBuilder", "InputBuilder", "JobBuilder", "OutputBuilder", "RunBuilder"]


class _Tagged(EntityBuilder):
    """An entity that carries tags.

    Args:
        identity: The entity's own fields, by Python name.
        producer: What tells the producer of its facets.
        spelling: How tags are spelled on the wire.
    """

    __tagged__: ClassVar[Entity]

    def __init__(
        self,
        identity: Mapping[str, Any],
        producer: Callable[[], str] = current_producer,
        spelling: Spelling = "released",
    ) -> None:
        super().__init__(identity, producer)
        if spelling not in get_args(Spelling):
            expected = " or ".join(map(repr, get_args(Spelling)))
            raise EventError([Finding("/spelling", expected, shown(spelling))])
        self._spelling: Spelling = spelling
        self._tags: list[Tag] = []

    def tag(
        self, key: str, value: TagValue = True, source: str | None = None, field: str | None = None
    ) -> Self:
        """Add one tag.

        Args:
            key: What the tag says, or what its value is the value of.
            value: Text, a number or a boolean; true for a tag that is a mere word.
            source: Who says so; `(key, source)` is unique, and the later one holds.
            field: The column of a dataset that the tag is about.

        Raises:
            EventError: The tag is none, or a run or a job has no such field.
        """
        return self.tags([Tag(key, value, source, field)])

    def tags(self, tags: Iterable[Any] | None = None) -> Self:
        """Add tags to those added before; on runs and jobs the user's own, from the environment, come on top.

        Args:
            tags: `Tag` objects, or entries of a tags facet, as objects or plain rows.

        Raises:
            EventError: An entry is no tag, or names a field of a run or a job, which have none.
        """
        if isinstance(tags, str) or not isinstance(tags, Iterable | None):
            raise EventError([Finding("/tags", "a list of tags", shown(tags), "wrap a single tag in a list")])
        return self._retag([*self._tags, *map(_tag, tags or ())])

    def facet(self, facet: Any, key: str | None = None) -> Self:
        """Add any facet of this entity, a custom one included; the tags of a tags facet join the others.

        Args:
            facet: The facet, complete.
            key: The wire key, for a facet that does not know its own.

        Raises:
            EventError: The facet belongs to another entity, or has no key.
        """
        with self.restored_on_error():
            super().facet(facet, key)
            if "tags" not in (key, type(facet).__facet_key__):
                return self
            if facet.__dict__.get("deleted"):
                self._tags = []
                return self
            return self._retag([*self._tags, *tags_of(cast("TagsFacet", facet))])

    def delete(self, key: str) -> Self:
        """Say that the facet under a wire key no longer holds, by a `_deleted` tombstone.

        Raises:
            EventError: Nothing that can be deleted stands under the key.
        """
        super().delete(key)
        if key == "tags":
            self._tags = []
        return self

    def _retag(self, tags: list[Tag]) -> Self:
        """Hold exactly these tags, and the user's."""
        unique = unique_tags(self.__tagged__, tags)
        final = with_user_tags(self.__tagged__, unique)
        super().facet(tags_facet(self.__tagged__, final, self._spelling, producer=self._producer()))
        self._tags = unique
        return self


def _tag(entry: object) -> Tag:
    """Return an entry of a tags facet as a tag."""
    if isinstance(entry, Model):
        entry = entry.to_dict()
    if isinstance(entry, Mapping):
        if not {"key", "value"} <= entry.keys() <= {"key", "value", "source", "field"}:
            expected = "key and value, and perhaps source and field"
            raise EventError([Finding("/tags", expected, ", ".join(map(str, entry)) or "an empty row")])
        return Tag(**entry)
    return cast("Tag", entry)


# `tags` takes all that the generated method of that name does; pyright overlooks the parameter.
class RunBuilder(_Tagged, generated.RunBuilder):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Builds a run, facet by facet."""

    __tagged__ = "run"

    if TYPE_CHECKING:

        def facet(self, facet: RunFacet, key: str | None = None) -> Self: ...  # noqa: D102


class JobBuilder(_Tagged, generated.JobBuilder):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Builds a job, facet by facet."""

    __tagged__ = "job"

    if TYPE_CHECKING:

        def facet(self, facet: JobFacet, key: str | None = None) -> Self: ...  # noqa: D102


class InputBuilder(_Tagged, generated.InputDatasetBuilder):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Builds a dataset that is read, facet by facet."""

    __tagged__ = "dataset"

    if TYPE_CHECKING:

        def facet(self, facet: DatasetFacet | InputDatasetFacet, key: str | None = None) -> Self: ...  # noqa: D102


class OutputBuilder(_Tagged, generated.OutputDatasetBuilder):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Builds a dataset that is written, facet by facet."""

    __tagged__ = "dataset"

    if TYPE_CHECKING:

        def facet(self, facet: DatasetFacet | OutputDatasetFacet, key: str | None = None) -> Self: ...  # noqa: D102


class DatasetBuilder(_Tagged, generated.StaticDatasetBuilder):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Builds a dataset that is described outside any run, facet by facet."""

    __tagged__ = "dataset"

    if TYPE_CHECKING:

        def facet(self, facet: DatasetFacet, key: str | None = None) -> Self: ...  # noqa: D102
