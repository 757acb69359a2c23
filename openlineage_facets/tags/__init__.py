"""Tags on runs, jobs and datasets: one way to write them, two spellings on the wire.

People write a `Tag`; its value is text, a number or a boolean:

    >>> Tag("pii"), Tag("retries", 3), Tag.parse("team=dataos")
    (Tag('pii', True), Tag('retries', 3), Tag('team', 'dataos'))

`tags_facet` puts tags on the wire and `tags_of` reads them back:

    >>> tags_facet("job", [Tag("pii")]).tags[0].value
    'true'
    >>> tags_of(tags_facet("job", [Tag("pii")], "proposal"))
    [Tag('pii', True)]

What a user sets in the environment (`user_tags`) goes on every job and run; `with_user_tags` lets it
override what an integration says. Losses are logged under `openlineage_facets.tags`.
"""

from openlineage_facets.tags.identity import Entity, unique_tags
from openlineage_facets.tags.spelling import Spelling, TagsFacet, convert_tags, tags_facet, tags_of
from openlineage_facets.tags.tag import Tag
from openlineage_facets.tags.user import UserTags, user_tags, with_user_tags
from openlineage_facets.tags.value import TagValue

__all__ = [
    "Entity",
    "Spelling",
    "Tag",
    "TagValue",
    "TagsFacet",
    "UserTags",
    "convert_tags",
    "tags_facet",
    "tags_of",
    "unique_tags",
    "user_tags",
    "with_user_tags",
]
