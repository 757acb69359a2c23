"""Checking and escaping of URIs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets.naming.uris import as_uri, escaped, is_uri
from tests.cases import each


@each(
    "uri",
    [
        "https://example.com/v7/etl",
        "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "pkg:pypi/openlineage-facets@1.0",
        "urn:uuid:6e8bc430-9c3a-11d9-9669-0800200c9a66",
        "s3://lake/raw/orders%20new?x=1#y",
        "jdbc:postgresql://db:5432/shop?user=a&ssl=true",
        "http://[::1]:8080/x",
        "http://user:secret@host:1/",
        "mailto:a@b.c",
        "file:///etc/hosts",
    ],
)
def test_valid_uri_is_accepted(uri: str):
    assert is_uri(uri)


@each(
    "text",
    [
        "",
        "file",
        "producer",
        "//host/path",
        "/etl",
        "1http://x",
        "https//x",
        "https://exa mple.com",
        "https://x/%zz",
        "https://x/{id}",
        "https://x/é",
        "https://x/a\n",
        "https://x/[0]",
        "https://x#a#b",
        "C:\\etl",
        "<https://x>",
        "a:",
        "file://",
        "http://[:]/",
        "http://[v1.x]/",
        "http://[::1]x/",
    ],
)
def test_invalid_uri_is_rejected(text: str):
    assert not is_uri(text)


@each(
    ("text", "uri"),
    [
        ("derby:/data/my shop/db", "derby:/data/my%20shop/db"),
        ("s3://lake/a%20b/100%", "s3://lake/a%20b/100%25"),
        ("postgres://[::1]:5432", "postgres://[::1]:5432"),
        ("derby:/data/[1]/db", "derby:/data/%5B1%5D/db"),
        ("https://x/{id}#a#b", "https://x/%7Bid%7D#a%23b"),
        ("https://x/é", "https://x/%C3%A9"),
        ("x:\ud800", "x:?"),
        ("file", None),
        ("", None),
        ("a:", None),
        ("file://", None),
        ("my warehouse", None),
        ("postgres://[::1]:5432,[::2]:5432", None),
    ],
)
def test_text_is_escaped_as_uri_or_rejected(text: str, uri: str | None) -> None:
    assert as_uri(text) == uri


@given(st.text())
def test_escaping_is_idempotent(text: str) -> None:
    assert escaped(escaped(text)) == escaped(text)
    assert as_uri(text) in (None, escaped(text))
