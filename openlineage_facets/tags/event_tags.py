"""Add the tags of the user to an event in the wire format, as openlineage-python does when it emits one."""

from __future__ import annotations

import json
from typing import Any, Literal

from openlineage_facets.base.redaction.redacting_logger import redacting_logger
from openlineage_facets.tags.user_tags import UserTags
from openlineage_facets.tags.wire_formats import WireFormat, tags_facet

_log = redacting_logger("openlineage_facets.tags")


def line_with_user_tags(line: bytes, user: UserTags) -> bytes:
    """Return an event with the user's tags on its job and run; one that has them all is returned unchanged.

    A user tag replaces all tags with its key, compared without case. The other tags and the wire format of a
    tags facet remain. A run, job or facet that is not an object, and a tombstone, get no tags.

    Args:
        line: An event as JSON.
        user: The tags of the user.
    """
    event = json.loads(line)
    tagged = [_add_to(event, entity, user) for entity in ("job", "run") if user.of(entity)]
    if not any(tagged):
        return line
    try:
        return json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:  # Lone surrogates only exist as escapes.
        return json.dumps(event, separators=(",", ":")).encode()


def _add_to(event: dict[str, Any], entity: Literal["job", "run"], user: UserTags) -> bool:
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
    if sorted(of_user, key=_key) == sorted(new["tags"], key=_key):
        return False
    facet["tags"] = [*others, *new["tags"]]
    return True


def _key(item: dict[str, Any]) -> str:
    return _text(item, "key")


def _text(value: Any, name: str) -> str:
    """Return the text in a field of an object, "" if there is none."""
    text = value.get(name) if isinstance(value, dict) else None
    return text if isinstance(text, str) else ""
