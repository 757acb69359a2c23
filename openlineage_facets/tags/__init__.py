"""Tags on runs, jobs and datasets: one class, two wire formats.

The value of a `Tag` is a string, a number or a boolean:

    >>> Tag("pii"), Tag("retries", 3), Tag.parse("team=dataos")
    (Tag('pii', True), Tag('retries', 3), Tag('team', 'dataos'))

`tags_facet` creates a facet from tags, `tags_of` returns the tags of a facet:

    >>> tags_facet("job", ["pii"]).tags[0].value
    'true'
    >>> tags_of(tags_facet("job", {"team": "dataos"}))
    [Tag('team', 'dataos')]
    >>> tags_of(tags_facet("job", [Tag("pii")], "proposal"))
    [Tag('pii', True)]

Tags from the environment (`user_tags`) are added to every job and run and override tags of integrations
(`with_user_tags`). Lost values are logged under `openlineage_facets.tags`.
"""

from openlineage_facets.tags.tag import Entity, Tag, TagsInput, tag_list, unique_tags
from openlineage_facets.tags.user_tags import UserTags, user_tags, with_user_tags
from openlineage_facets.tags.values import TagValue
from openlineage_facets.tags.wire_formats import TagsFacet, WireFormat, convert_tags, tags_facet, tags_of

__all__ = [
    "Entity",
    "Tag",
    "TagValue",
    "TagsFacet",
    "TagsInput",
    "UserTags",
    "WireFormat",
    "convert_tags",
    "tag_list",
    "tags_facet",
    "tags_of",
    "unique_tags",
    "user_tags",
    "with_user_tags",
]
