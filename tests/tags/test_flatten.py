"""Tag.flatten. Each example file contains metadata and the expected tags."""

from __future__ import annotations

import datetime
import json
import logging
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


def test_replaced_value_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "openlineage_facets.tags"):
        Tag.flatten({"a_b": "early", "a": {"b": "late"}})
    (record,) = caplog.records
    assert "a_b" in record.getMessage()
    assert "'early'" in record.getMessage()


def test_duplicate_value_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert Tag.flatten(["pii", "pii"]) == [Tag("pii")]
    assert not caplog.records


def test_number_and_boolean_names_are_used_in_json_form() -> None:
    assert Tag.flatten({"limits": {2024: 1, True: 2, 0.5: 3}}) == [
        Tag("limits_2024", 1),
        Tag("limits_true", 2),
        Tag("limits_0.5", 3),
    ]


@each(
    ("metadata", "pointer"),
    [
        ({"meta": {"since": datetime.date(2024, 6, 10)}}, "/meta/since"),
        ({"meta": {"tags": {"pii"}}}, "/meta/tags"),
        ({"a/b": float("nan")}, "/a~1b"),
        ({"tags": ["pii", ["", "x"]]}, "/tags/1/0"),
        ({"tags": ["=x"]}, "/tags/0"),
        ({"tags": [object()]}, "/tags/0"),
        ({"meta": {"": 1}}, "/meta"),
        ({"meta": {None: 1}}, "/meta"),
        ("pii", "/metadata"),
        (None, "/metadata"),
    ],
)
def test_invalid_metadata_is_rejected_with_its_pointer(metadata: Any, pointer: str) -> None:
    with pytest.raises(EventError) as caught:
        Tag.flatten(metadata)
    (finding,) = caught.value.findings
    assert finding.pointer == pointer
    assert finding.hint or finding.expected


@each("name", [None, ("a", "b")])
def test_a_name_that_is_no_text_is_named_in_the_error(name: object) -> None:
    with pytest.raises(EventError, match=r"^/meta: expected a string as name, found the name .*; rename it$"):
        Tag.flatten({"meta": {name: 1}})


def _nested(levels: int) -> dict[str, Any]:
    metadata: dict[str, Any] = {"leaf": 1}
    for _ in range(levels):
        metadata = {"n": metadata}
    return metadata


def test_nesting_is_limited() -> None:
    assert len(Tag.flatten(_nested(60))) == 1
    with pytest.raises(EventError, match="at most 64 levels"):
        Tag.flatten(_nested(10_000))
    endless: list[Any] = []
    endless.append({"again": endless})
    message = (
        "^/loop/0/again: expected a value that does not contain itself, found an array that contains itself"
    )
    with pytest.raises(EventError, match=message):
        Tag.flatten({"loop": endless})


def test_replaced_entries_are_logged_without_secrets(caplog: pytest.LogCaptureFixture) -> None:
    Tag.flatten({"db": {"password": "hunter2"}, "db_password": "xyzzy42"})
    assert caplog.messages == [
        "'***' is replaced by '***', since two metadata entries have the tag key db_password"
    ]
