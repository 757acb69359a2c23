"""Tags from environment variables, for jobs and runs, and for events in the wire format."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from openlineage_facets.base.errors.findings import EventError, Finding, describe, invalid
from openlineage_facets.base.errors.json_pointer import json_pointer
from openlineage_facets.base.json.json_input import compact_json
from openlineage_facets.base.redaction.redacting_logger import redacting_logger
from openlineage_facets.tags.tag import Entity, Tag, TagsInput, unique_tags
from openlineage_facets.tags.values import TagValue, as_text, collecting, flattened
from openlineage_facets.tags.wire_formats import WireFormat, tags_facet

_log = redacting_logger("openlineage_facets.tags")

SOURCE = "USER"
"""The source of every user tag."""

_SHORT = "OPENLINEAGE_TAG_"
_CLIENT = "OPENLINEAGE__"

_Tagged: TypeAlias = Literal["job", "run"]

_TAGGED: dict[str, _Tagged] = {"job": "job", "run": "run"}


@dataclass(frozen=True, slots=True)
class UserTags:
    """The tags of the user for jobs and runs. Datasets have no user tags."""

    job: tuple[Tag, ...] = ()
    run: tuple[Tag, ...] = ()

    def of(self, entity: Entity) -> tuple[Tag, ...]:
        """Return the tags for an entity, none for a dataset."""
        return {"job": self.job, "run": self.run, "dataset": ()}[entity]

    def overridden_by(self, tags: UserTags) -> UserTags:
        """Return these tags and `tags`, which replace those with the same key.

        A text is not replaced by the number that it is in JSON: "1.10" stays "1.10".
        """
        return UserTags(_overridden(self.job, tags.job), _overridden(self.run, tags.run))


def _overridden(tags: tuple[Tag, ...], others: tuple[Tag, ...]) -> tuple[Tag, ...]:
    merged = {tag.key: tag for tag in tags}
    for tag in others:
        known = merged.get(tag.key)
        if known is None or not _means(known.value, tag.value):
            merged[tag.key] = tag
    return tuple(merged.values())


def _means(known: TagValue, value: TagValue) -> bool:
    """Return whether a known value is another one, or the text of it."""
    return any(type(one) is type(value) and one == value for one in (known, _json(as_text(known))))


def user_tags(environ: Mapping[str, str] | None = None) -> UserTags:
    """Return the tags set in environment variables.

    | variable | tags | value |
    | --- | --- | --- |
    | `OPENLINEAGE_TAG_<KEY>=text` | job and run | text |
    | `OPENLINEAGE_TAG__<KEY>=text` | job and run | text |
    | `OPENLINEAGE__TAGS__JOB__<KEY>=text`, `OPENLINEAGE__TAGS__RUN__<KEY>=text` | job or run | text |
    | `OPENLINEAGE__TAGS__JOB={...}`, `OPENLINEAGE__TAGS__RUN={...}` | job or run | a JSON object |
    | `OPENLINEAGE__TAGS={"job": {...}, "run": {...}}` | job and run | a JSON object |

    Later rows override earlier ones, key by key. If names in one row differ only in case, the upper-case
    one wins. The last three rows are compatible with the official client, with two differences: a JSON
    object does not hide other keys, and the value of a single key is always a string ("20", "true"),
    without the quotes of a JSON string.

    Keys are lower-cased, the source is `USER`. Further `__` in the last three rows and nested JSON are
    flattened as in `Tag.flatten`: `OPENLINEAGE__TAGS__JOB__TEAM__NAME` has the key `team_name`. Invalid
    variables, such as a missing key or invalid JSON, are skipped and logged once for each environment. They
    never fail the job.

    Args:
        environ: The environment. Default: `os.environ`, read on each call.

    Example:
        >>> user_tags({"OPENLINEAGE_TAG_ENVIRONMENT": "prod"}).job
        (Tag('environment', 'prod', source='USER'),)
    """
    variables = (os.environ if environ is None else environ).items()
    return _read(tuple(sorted((name, text) for name, text in variables if _rank(name) is not None)))


def with_user_tags(entity: Entity, tags: TagsInput, user: UserTags | None = None) -> list[Tag]:
    """Return the tags of an entity, overridden by the tags of the user.

    A user tag replaces all tags with its key, compared without case, from any source. Overrides are logged.
    Datasets have no user tags.

    Args:
        entity: What has the tags.
        tags: The tags of the integration.
        user: The tags of the user. Default: those from the environment.

    Raises:
        EventError: A tag is not valid on the entity, see `unique_tags`.

    Example:
        >>> user = user_tags({"OPENLINEAGE_TAG_TEAM": "dataos"})
        >>> with_user_tags("run", [Tag("Team", "?", source="DBT"), Tag("pii")], user)
        [Tag('pii', True), Tag('team', 'dataos', source='USER')]
    """
    own = unique_tags(entity, tags)
    of_user = (user_tags() if user is None else user).of(entity)
    overriding = {tag.key.lower(): tag for tag in of_user}
    kept = []
    for tag in own:
        override = overriding.get(tag.key.lower())
        if override is None:
            kept.append(tag)
        elif override != tag:
            _log.info("%r of a %s is overridden by the user's %r", tag, entity, override)
    return unique_tags(entity, [*kept, *of_user])


def _rank(name: str) -> int | None:
    """Return the priority of a variable, or None if it does not define tags."""
    if name.startswith(_SHORT):
        return 1 if name.startswith(_SHORT + "_") else 0
    path = _path(name)
    return 2 + max(0, 3 - len(path)) if path else None


def _path(name: str) -> list[str]:
    """Return the parts of a variable name of the official client, `tags` first, or an empty list."""
    steps = name[len(_CLIENT) :].lower().split("__") if name.startswith(_CLIENT) else [""]
    return steps if steps[0] == "tags" else []


@lru_cache(maxsize=16)
def _read(variables: tuple[tuple[str, str], ...]) -> UserTags:
    found: dict[_Tagged, dict[str, Tag]] = {"job": {}, "run": {}}
    by_case = sorted(variables, reverse=True)
    for name, text in sorted(by_case, key=lambda variable: _rank(variable[0]) or 0):
        findings: list[Finding] = []
        tags = list(_tags(name, text, findings))
        if findings:
            skipped = "partly skipped" if tags else "skipped"
            _log.warning("%r: %s: %s", name, skipped, "; ".join(map(str, findings)))
        for entity, tag in tags:
            earlier = found[entity].get(tag.key, tag)
            if earlier != tag:
                _log.info("%r overrides %r of the %s", name, earlier, entity)
            found[entity][tag.key] = tag
    return UserTags(tuple(found["job"].values()), tuple(found["run"].values()))


def _tags(name: str, text: str, findings: list[Finding]) -> Iterator[tuple[_Tagged, Tag]]:
    """Return the tags of one variable, each with its entity. Invalid parts are added to `findings`."""
    with collecting(findings):
        for name_of_entity, metadata in _metadata(name, text).items():
            entity = _TAGGED.get(name_of_entity.lower())
            if entity is None:
                _log.warning("%r: %r has no user tags; expected job or run", name, name_of_entity)
            elif metadata is not None:
                inner: list[Finding] = []
                with collecting(findings, json_pointer([name_of_entity]) if len(_path(name)) == 1 else ""):
                    for key, value in flattened(_object(metadata), inner).items():
                        yield entity, Tag(key.lower(), value, SOURCE)
                    if inner:
                        raise EventError(inner)


def _metadata(name: str, text: str) -> dict[str, Any]:
    """Return the metadata in one variable, by entity name."""
    if name.startswith(_SHORT):
        tag = {name[len(_SHORT) :].removeprefix("_"): text}
        return {"job": tag, "run": tag}
    path = _path(name)[1:]
    if len(path) > 1:
        return {path[0]: {"_".join(path[1:]): _unquoted(text)}}
    return {path[0]: _json(text)} if path else _object(_json(text))


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise invalid("", "a JSON object of keys and values", describe(value))
    return value


def _unquoted(text: str) -> str:
    value = _json(text) if text.startswith('"') else text
    return value if isinstance(value, str) else text


def line_with_user_tags(line: bytes, user: UserTags) -> bytes:
    """Return an event with the user's tags on its job and run; one that has them all is returned unchanged.

    A user tag replaces all tags with its key, compared without case. The other tags and the wire format of a
    tags facet remain. A run, job or facet that is not an object, and a tombstone, get no tags.

    Args:
        line: An event as JSON.
        user: The tags of the user.
    """
    try:
        event = json.loads(line)
    except (ValueError, RecursionError) as error:
        _log.warning("an event has no user tags: %s", error)
        return line
    if not isinstance(event, dict):
        return line
    tagged = [_add_to(event, entity, user) for entity in _TAGGED.values() if user.of(entity)]
    if not any(tagged):
        return line
    try:
        return compact_json(event)
    except ValueError as error:
        _log.warning("an event has no user tags: %s", error)
        return line


def _add_to(event: dict[str, Any], entity: _Tagged, user: UserTags) -> bool:
    """Add the tags to a job or run, and return whether it was changed."""
    owner = event.get(entity)
    if not isinstance(owner, dict):
        return False  # An event of a dataset has no job, that of a job no run.
    facets = {} if owner.get("facets") is None else owner["facets"]
    facet = facets.get("tags") if isinstance(facets, dict) else None
    wire_format: WireFormat = "proposal" if "/TagFacet.json" in _text(facet, "_schemaURL") else "released"
    new: dict[str, Any] = tags_facet(entity, user.of(entity), wire_format).to_dict()
    if facet is None and isinstance(facets, dict):
        producer = _text(event, "producer")
        owner["facets"] = {**facets, "tags": {**new, **({"_producer": producer} if producer else {})}}
        return True
    items = facet.get("tags", []) if isinstance(facet, dict) and facet.get("_deleted") is not True else None
    if facet is None or not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        _log.warning("the %s has no user tags: its tags facet is invalid or a tombstone", entity)
        return False
    keys = {item["key"].lower() for item in new["tags"]}
    others = [item for item in items if _text(item, "key").lower() not in keys]
    of_user = [item for item in items if _text(item, "key").lower() in keys]
    if _texts(of_user) == _texts(new["tags"]):
        return False
    facet["tags"] = [*others, *new["tags"]]
    return True


def _texts(items: list[dict[str, Any]]) -> list[str]:
    """Return items as JSON, in which 1 and true differ, in any order."""
    return sorted(json.dumps(item, sort_keys=True) for item in items)


def _text(value: Any, name: str) -> str:
    """Return the text in a field of an object, "" if there is none."""
    text = value.get(name) if isinstance(value, dict) else None
    return text if isinstance(text, str) else ""
