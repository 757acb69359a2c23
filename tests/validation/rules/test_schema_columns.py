"""Whether a path is a column of a schema facet, also inside a column of which nothing more is known."""

from __future__ import annotations

from openlineage_facets.validation.rules.datasets import Columns
from tests.cases import each

COLUMNS = Columns(
    {
        "fields": [
            {"name": "id"},
            {"name": "address", "type": "struct", "fields": [{"name": "street"}]},
            {"name": "items", "type": "array"},
        ]
    }
)


@each(
    ("path", "is_column"),
    [
        ("id", True),
        ("address", True),
        ("address.street", True),
        ("address.zip", False),
        ("items[0].price", True),
        ("id.part", True),
        ("other", False),
        ("other.id", False),
        (None, False),
    ],
)
def test_a_column_contains_what_is_listed_or_anything_if_nothing_is(path: object, is_column: bool) -> None:
    assert (path in COLUMNS) == is_column
