"""The builders of runs, jobs and datasets: a generated method for each facet, and tags."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from typing_extensions import Self

from openlineage_facets.base.builder import EntityBuilder
from openlineage_facets.base.producer import current_producer
from openlineage_facets.generated import builders as generated
from openlineage_facets.tags import Entity, Spelling, Tag, TagValue, tags_facet, unique_tags, with_user_tags

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

    def tags(self, tags: Iterable[Tag]) -> Self:
        """Add tags to those added before; on runs and jobs the user's own, from the environment, come on top.

        Raises:
            EventError: A tag names a field of a run or a job, which have none.
        """
        self._tags = unique_tags(self.__tagged__, [*self._tags, *tags])
        final = with_user_tags(self.__tagged__, self._tags)
        return self.facet(tags_facet(self.__tagged__, final, self._spelling, producer=self._producer()))


class RunBuilder(_Tagged, generated.RunBuilder):
    """Builds a run, facet by facet."""

    __tagged__ = "run"


class JobBuilder(_Tagged, generated.JobBuilder):
    """Builds a job, facet by facet."""

    __tagged__ = "job"


class InputBuilder(_Tagged, generated.InputDatasetBuilder):
    """Builds a dataset that is read, facet by facet."""

    __tagged__ = "dataset"


class OutputBuilder(_Tagged, generated.OutputDatasetBuilder):
    """Builds a dataset that is written, facet by facet."""

    __tagged__ = "dataset"


class DatasetBuilder(_Tagged, generated.StaticDatasetBuilder):
    """Builds a dataset that is described outside any run, facet by facet."""

    __tagged__ = "dataset"
