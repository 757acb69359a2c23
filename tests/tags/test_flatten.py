"""Tag.flatten. Each example file contains metadata and the expected tags."""

from __future__ import annotations

import datetime
import json
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets import EventError
from openlineage_facets.tags import Tag
from tests.cases import each

EXAMPLES = sorted((Path(__file__).parent / "flatten").glob("*.json"))


@each("path", EXAMPLES, ids=lambda path: path.stem)
def test_flatten_example_file(path: Path) -> None:
    example = json.loads(path.read_text("utf-8"))
    assert Tag.flatten(example["metadata"]) == [Tag(**tag) for tag in example["tags"]]


def test_every_tag_has_source_and_field() -> None:
    assert Tag.flatten({"a": 1, "b": ["c"]}, source="DBT", field="email") == [
        Tag("a", 1, "DBT", "email"),
        Tag("b_c", True, "DBT", "email"),
    ]


@each(
    ("metadata", "warning"),
    [
        ({"a_b": "early", "a": {"b": "late"}}, "'early' is replaced by 'late', {} a_b"),
        ({"a_b": 1, "a": {"b": True}}, "1 is replaced by True, {} a_b"),
        (
            {"db": {"password": "hunter2"}, "db_password": "xyzzy42"},
            "'***' is replaced by '***', {} db_password",
        ),
        (["pii", "pii"], None),
    ],
)
def test_a_replaced_value_is_logged_without_secrets(
    metadata: Any, warning: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    assert len(Tag.flatten(metadata)) == 1
    expected = [] if warning is None else [warning.format("since two metadata entries have the tag key")]
    assert caplog.messages == expected


def test_number_and_boolean_names_are_used_in_json_form() -> None:
    assert Tag.flatten({"limits": {2024: 1, True: 2, 0.5: 3}}) == [
        Tag("limits_2024", 1),
        Tag("limits_true", 2),
        Tag("limits_0.5", 3),
    ]


@each(
    ("metadata", "message"),
    [
        ({"meta": {"since": datetime.date(2024, 6, 10)}}, "/meta/since"),
        ({"meta": {"tags": {"pii"}}}, "/meta/tags"),
        ({"a/b": float("nan")}, "/a~1b"),
        ({"tags": ["pii", ["", "x"]]}, "/tags/1/0"),
        ({"tags": ["=x"]}, "/tags/0"),
        ({"tags": [object()]}, "/tags/0"),
        ({"meta": {"": 1}}, "/meta"),
        ({"meta": {None: 1}}, "/meta: expected a string as name, found the name None; rename it"),
        ({"meta": {("a", "b"): 1}}, "/meta: expected a string as name, found the name ('a', 'b'); rename it"),
        ("pii", "/metadata"),
        (None, "/metadata"),
        ({"a": None, "b": [""], "c": float("nan")}, "/b/0"),
    ],
)
def test_the_first_invalid_value_is_rejected_with_its_pointer(metadata: Any, message: str) -> None:
    with pytest.raises(EventError) as caught:
        Tag.flatten(metadata)
    (finding,) = caught.value.findings
    assert str(finding).startswith(message if ":" in message else f"{message}: expected ")


def _nested(levels: int) -> dict[str, Any]:
    return reduce(lambda inner, _: {"n": inner}, range(levels), {"leaf": 1})


def test_nesting_is_limited() -> None:
    assert len(Tag.flatten(_nested(60))) == 1
    with pytest.raises(EventError, match="at most 64 levels"):
        Tag.flatten(_nested(10_000))
    endless: list[Any] = []
    endless.append({"again": endless})
    with pytest.raises(EventError, match="^/loop/0/again: expected a value that does not contain itself"):
        Tag.flatten({"loop": endless})


def test_the_first_invalid_value_ends_it() -> None:
    # Aliases of YAML share objects, so that few lines can have more values than could ever be read.
    shared: Any = reduce(lambda inner, _: {"a": inner, "b": inner}, range(100), {})
    with pytest.raises(EventError, match="at most 64 levels"):
        Tag.flatten(shared)
