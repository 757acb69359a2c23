"""Tags that users set in the environment, for the jobs and runs that start there."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, TypeAlias, TypeVar

from openlineage_facets.base.errors import EventError, Finding, json_pointer, shown
from openlineage_facets.tags.identity import Entity, unique_tags
from openlineage_facets.tags.metadata import flattened
from openlineage_facets.tags.tag import Tag

__all__ = ["SOURCE", "UserTags", "user_tags", "with_user_tags"]

_log = logging.getLogger("openlineage_facets.tags")

T = TypeVar("T")

SOURCE = "USER"
"""The source of every user tag."""

_SHORT = "OPENLINEAGE_TAG_"
_CLIENT = "OPENLINEAGE__"

_Tagged: TypeAlias = Literal["job", "run"]


@dataclass(frozen=True, slots=True)
class UserTags:
    """What the user says of the job and of the run; of datasets a user says nothing."""

    job: tuple[Tag, ...] = ()
    run: tuple[Tag, ...] = ()

    def of(self, entity: Entity) -> tuple[Tag, ...]:
        """Return what applies to an entity: nothing for a dataset."""
        return {"job": self.job, "run": self.run, "dataset": ()}[entity]


def user_tags(environ: Mapping[str, str] | None = None) -> UserTags:
    """Return the tags that the user set in the environment.

    | variable | tags | value |
    | --- | --- | --- |
    | `OPENLINEAGE_TAG_<KEY>=text` | job and run | text |
    | `OPENLINEAGE_TAG__<KEY>=text` | job and run | text |
    | `OPENLINEAGE__TAGS__JOB__<KEY>=text`, `OPENLINEAGE__TAGS__RUN__<KEY>=text` | the one named | text |
    | `OPENLINEAGE__TAGS__JOB={...}`, `OPENLINEAGE__TAGS__RUN={...}` | the one named | a JSON object |
    | `OPENLINEAGE__TAGS={"job": {...}, "run": {...}}` | the ones named | a JSON object |

    A row wins over the rows above it, key by key. Within a row, of names that differ in case alone the
    one in capitals wins. The last three rows are the official client's, and so is their order; unlike
    there, a JSON object hides no other key, and every value of a single key is text ("20", "true"),
    save that the quotes of a JSON string are taken off.

    Keys are lower-cased, the source is `USER`. Further `__` in the last three rows and nested JSON
    make one key, as in `Tag.flatten`: `OPENLINEAGE__TAGS__JOB__TEAM__NAME` is `team_name`. What can't
    be read, a key that is missing or text that is no JSON, is left out with a line in the log, once
    for each environment: a misspelt variable never stops a job.

    Args:
        environ: The environment; None reads the process's own, anew each time.

    Example:
        >>> user_tags({"OPENLINEAGE_TAG_ENVIRONMENT": "prod"}).job
        (Tag('environment', 'prod', source='USER'),)
    """
    variables = (os.environ if environ is None else environ).items()
    return _read(tuple(sorted((name, text) for name, text in variables if _rank(name) is not None)))


def with_user_tags(entity: Entity, tags: Iterable[Tag], user: UserTags | None = None) -> list[Tag]:
    """Return the final tags of an entity: its own, and the user's where there are any for it.

    A user tag takes the place of every tag that has its key in whatever case and from whatever source,
    and the log says so. Datasets get no user tags.

    Args:
        entity: What carries the tags.
        tags: What the integration says.
        user: The user's tags; None reads the environment.

    Raises:
        EventError: The tags can't stand on the entity, as `unique_tags` says.

    Example:
        >>> user = user_tags({"OPENLINEAGE_TAG_TEAM": "dataos"})
        >>> with_user_tags("run", [Tag("Team", "?", source="DBT"), Tag("pii")], user)
        [Tag('pii', True), Tag('team', 'dataos', source='USER')]
    """
    own = unique_tags(entity, tags)
    supplied = (user_tags() if user is None else user).of(entity)
    overriding = {tag.key.lower(): tag for tag in supplied}
    kept = []
    for tag in own:
        override = overriding.get(tag.key.lower())
        if override is None:
            kept.append(tag)
        elif override != tag:
            _log.info("%r of a %s is overridden by the user's %r", tag, entity, override)
    return unique_tags(entity, [*kept, *supplied])


def _rank(name: str) -> int | None:
    """Return how strong a variable is, or None for one that is no user tag."""
    if name.startswith(_SHORT):
        return 1 if name.startswith(_SHORT + "_") else 0
    path = _path(name)
    return 2 + max(0, 3 - len(path)) if path else None


def _path(name: str) -> list[str]:
    """Return the steps of one of the official client's names, `tags` first, or none for another name."""
    steps = name[len(_CLIENT) :].lower().split("__") if name.startswith(_CLIENT) else [""]
    return steps if steps[0] == "tags" else []


@lru_cache(maxsize=16)
def _read(variables: tuple[tuple[str, str], ...]) -> UserTags:
    found: dict[_Tagged, dict[str, Tag]] = {"job": {}, "run": {}}
    by_case = sorted(variables, reverse=True)
    for name, text in sorted(by_case, key=lambda variable: _rank(variable[0]) or 0):
        wrong: list[Finding] = []
        tags = list(_tags(name, text, wrong))
        if wrong:
            left_out = "parts of it give no tag and are" if tags else "it gives no tag and is"
            _log.warning("%r: %s left out: %s", name, left_out, "; ".join(map(str, wrong)))
        for entity, tag in tags:
            earlier = found[entity].get(tag.key, tag)
            if earlier != tag:
                _log.info("%r overrides %r of the %s", name, earlier, entity)
            found[entity][tag.key] = tag
    return UserTags(tuple(found["job"].values()), tuple(found["run"].values()))


def _tags(name: str, text: str, wrong: list[Finding]) -> Iterator[tuple[_Tagged, Tag]]:
    """Return the tags that one variable gives, and what each is for; what gives none is added to `wrong`."""
    said = _attempt(lambda: _metadata(name, text), "", wrong) or {}
    for meant, metadata in said.items():
        entity = _tagged(meant)
        if entity is None:
            _log.warning("%r names %r, which gets no user tags: they go on jobs and runs", name, meant)
        elif metadata is not None:
            place = json_pointer([meant]) if len(_path(name)) == 1 else ""
            inner: list[Finding] = []
            values = _attempt(lambda: flattened(_object(metadata), inner), "", inner) or {}  # noqa: B023
            for key, value in values.items():
                tag = _attempt(lambda: Tag(key.lower(), value, SOURCE), json_pointer([key]), inner)  # noqa: B023
                if tag is not None:
                    yield entity, tag
            wrong.extend(replace(one, pointer=place + one.pointer) for one in inner)


def _attempt(make: Callable[[], T], place: str, wrong: list[Finding]) -> T | None:
    """Return what `make` makes; None where it is refused, and why among what is wrong."""
    try:
        return make()
    except EventError as error:
        wrong.extend(replace(one, pointer=place + one.pointer) for one in error.findings)
        return None


def _metadata(name: str, text: str) -> dict[str, Any]:
    """Return what one variable says, by what it says it of."""
    if name.startswith(_SHORT):
        tag = {name[len(_SHORT) :].removeprefix("_"): text}
        return {"job": tag, "run": tag}
    path = _path(name)[1:]
    if len(path) > 1:
        return {path[0]: {"_".join(path[1:]): _unquoted(text)}}
    return {path[0]: _json(text)} if path else _object(_json(text))


def _tagged(entity: str) -> _Tagged | None:
    if entity.lower() == "job":
        return "job"
    return "run" if entity.lower() == "run" else None


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise EventError([Finding("", "a JSON object of keys and values", shown(value))])
    return value


def _unquoted(text: str) -> str:
    value = _json(text) if text.startswith('"') else text
    return value if isinstance(value, str) else text
