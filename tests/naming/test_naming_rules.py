"""`naming.toml`: rules that give each dataset one name."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets.naming.name_patterns import NamePattern
from openlineage_facets.naming.naming_rules import (
    Naming,
    NamingError,
    Rule,
    dataset_rule,
    host_rule,
    read_naming,
)
from tests.cases import each

EXAMPLE = """
main_name = "table"

[hosts]
"10.0.0.7" = "db.example.com"
"Old:5433" = "db.example.com:5432"

[namespaces]
"s3a://{bucket}" = "s3://{bucket}"
"s3://old" = "s3://lake"

[[datasets]]
from = { namespace = "file", name = "{:.*}/lake/{path:.+}" }
to = { namespace = "s3a://lake", name = "{path}" }

[[datasets]]
from = { namespace = "s3://{any}", name = "{table:[a-z]+}_{day:[0-9]{8}}" }
to = { name = "{table}" }
"""


def naming(text: str, folder: Path) -> Naming:
    (folder / "naming.toml").write_text(text, encoding="utf-8")
    return read_naming(folder / "naming.toml")


@each(
    ("name", "renamed"),
    [
        (("postgres://10.0.0.7:5432", "shop.t"), ("postgres://db.example.com:5432", "shop.t")),
        (("kafka://a:9092,old:5433", "t"), ("kafka://a:9092,db.example.com:5432", "t")),
        (("abfss://raw@10.0.0.7", "/t"), ("abfss://raw@db.example.com", "/t")),
        (("postgres://210.0.0.7:5432", "t"), ("postgres://210.0.0.7:5432", "t")),
        (("s3a://old", "raw/orders"), ("s3://lake", "raw/orders")),
        (("file", "/tmp/test-7/lake/raw/orders"), ("s3://lake", "raw/orders")),
        (("file", "/tmp/test-7/pond/raw/orders"), ("file", "/tmp/test-7/pond/raw/orders")),
        (("file", "/tmp/lake/orders_20261121"), ("s3://lake", "orders")),
        (("s3://lake", "orders_2026"), ("s3://lake", "orders_2026")),
    ],
)  # fmt: skip
def test_a_name_is_replaced_until_no_rule_applies(
    name: tuple[str, str], renamed: tuple[str, str], tmp_path: Path
) -> None:
    assert naming(EXAMPLE, tmp_path).rename(*name) == renamed


@each(
    ("pattern", "name", "values"),
    [
        ("{a}/{b}", "x/y", {"a": "x", "b": "y"}),
        ("{a}/{b}", "x/y/z", None),
        ("{a:.+}/{b:.+}", "x/y/z", {"a": "x/y", "b": "z"}),
        ("{a:[a-z]*}{b:[a-z0-9]*}", "ab1", {"a": "ab", "b": "1"}),
        ("{:.*}", "a\nb", {}),
        ("a.b", "axb", None),
        ("{{{a}}}", "{x}", {"a": "x"}),
        ("{a:x|xy}z", "xyz", {"a": "xy"}),
        ("{a:(?i)RAW}/b", "raw/b", {"a": "raw"}),
        ("{a:(x+)+}", "x" * 1_900 + "y", None),
        ("", "", {}),
    ],
)
def test_a_pattern_matches_whole_names(pattern: str, name: str, values: dict[str, str] | None) -> None:
    assert NamePattern(pattern).match(name) == values


@each(
    ("text", "message"),
    [
        ("main_names = 1", ":1: main_names: expected a known key; did you mean main_name?"),
        ('\nmain_name = "file"', ":2: main_name: expected 'table' or 'path', found \"file\""),
        ("[hosts]\na = 'b'\nb = 1", ":3: hosts.b: expected a valid string, found 1"),
        ("[hosts]\n# \u2028\nb = 1", ":3: hosts.b: expected a valid string, found 1"),
        ("[hosts]\na = 'x, b = 1' # it's b\nb = 1", ":3: hosts.b: expected a valid string, found 1"),
        ('[hosts]\na = """\nb = 1\n"""\n"b" = 1', ":5: hosts.b: expected a valid string, found 1"),
        ("\ufeff[hosts]\nb = 1", ":2: hosts.b: expected a valid string, found 1"),
        ("[namespaces]\n'a' = 'b'\n'c{x}' = '{y}'", ":3: unknown placeholder {y}; known here: {x}"),
        ("[[datasets]]\nfrom = {namespace='a', name='b'}\nto = {}",
         ":3: datasets.to: expected a namespace or a name, found an empty object"),
        ("[[datasets]]\nfrom = {namespace='a'}\nto = {name='b'}",
         ":2: datasets.from.name: expected a value, found none; add name = ..."),
        ("[[datasets]]\nfrom = {namespace='a', name='b'}\nto = {name='b'}\n[[datasets]]\nfrom = "
         "{namespace='{a}', name='{a}'}\nto = {name='b'}",
         ":4: expected each placeholder once, found the same in namespace and name"),
        ("[[datasets]]\nfrom = {namespace='a', name='{b'}\nto = {name='b'}",
         ":1: expected a closing brace after {b; write {{ for a brace"),
        ("[[datasets]]\nfrom = {namespace='a', name='{b:(?=c)}'}\nto = {name='b'}",
         ":1: expected a regular expression that takes linear time: look-around, including look-ahead and "
         "look-behind, is not supported"),
        ("[hosts", ": expected TOML: Expected ']' at the end of a table declaration (at end of document)"),
    ],
)  # fmt: skip
def test_an_invalid_file_is_reported_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(NamingError) as error:
        naming(text, tmp_path)
    assert str(error.value) == f"{tmp_path / 'naming.toml'}{message}"


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(NamingError, match="naming.toml: no such file or directory"):
        read_naming(tmp_path / "naming.toml")


def test_rules_that_do_not_end_are_reported() -> None:
    rules = Naming((dataset_rule("naming.toml:1", "{a}", "{b}", "{a}", "{b}x"),))
    with pytest.raises(NamingError) as error:
        rules.rename("db", "t")
    assert str(error.value).startswith(
        "naming.toml:1: expected rules that come to an end, found db t -> db tx -> db txx -> db txxx"
    )


_TEXTS = ["a", "b", "s3://a", "db://h:1", "x/y", "x"]
_RULES = st.one_of(
    st.builds(host_rule, st.just("1"), st.sampled_from(["a", "h", "h:1"]), st.sampled_from(["h", "g:2"])),
    st.builds(
        dataset_rule,
        st.just("2"),
        st.sampled_from([*_TEXTS, "{n:.*}"]),
        st.sampled_from(["{p}", "{p:.*}", "{p}/y"]),
        st.sampled_from(_TEXTS),
        st.sampled_from([*_TEXTS, "{p}", "{p}/y", "x{p}"]),
    ),
)


@given(st.lists(_RULES, max_size=4), st.sampled_from(_TEXTS), st.sampled_from(_TEXTS))
def test_a_new_name_stays_as_it_is(rules: list[Rule], namespace: str, name: str) -> None:
    found = Naming(tuple(rules))
    try:
        once = found.rename(namespace, name)
    except NamingError:
        return
    assert found.rename(*once) == once


def test_a_part_that_depends_on_what_is_around_it_does_not_match() -> None:
    assert NamePattern(r"x{a:\B.+}").match("xabc") is None
