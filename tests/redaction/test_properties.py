"""Redaction is idempotent, takes linear time and never raises."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets.base.redaction.redact import (
    REDACTED,
    redact,
    redact_for_display,
    redact_json,
    redact_option,
    redact_start,
    without_login,
)
from tests.redaction.corpus import forms

PIECES = [
    *(form.text for form in forms("secrets").values()),
    *(form.text for form in forms("harmless").values()),
    *(
        "password",
        "token",
        "=",
        ":",
        "'",
        '"',
        "\\",
        "://",
        "//",
        "@",
        "***",
        " ",
        "\n",
        ",",
        "(",
        ")",
        "{",
        "}",
    ),
    *(
        "--",
        "Bearer ",
        "identified by ",
        "jdbc:oracle:thin:",
        "x",
        "&",
        ";",
        "?",
        "-----BEGIN PRIVATE KEY-----",
    ),
]
TEXTS = st.text() | st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=12).map("".join)
REDACTIONS: list[Callable[[str], str]] = [redact, redact_for_display, redact_start]

REPEATED = [
    "a",
    " ",
    "\n",
    "'",
    '"',
    "\\",
    "''",
    "@",
    "//",
    "://",
    "a://",
    "'a://",
    "a:a@",
    "@a:1",
    "a:a@a:1 ",
    "=",
    "***",
    "password",
    "password=",
    "password='",
    'password="\\',
    "password={",
    'password=["',
    "password: ",
    "password,",
    "--password ",
    "key ",
    "pass.",
    "pw-",
    "sig",
    "jdbc:oracle:thin:",
    "jdbc:oracle:thin:a/",
    "eyJ",
    "SG.",
    "eyJhbGciOiJ.",
    "Bearer ",
    "Basic a",
    "identified by ",
    "identified by '",
    "-----BEGIN PRIVATE KEY-----",
    "<name>password</name>",
    "<name>password",
    "<password>",
    "-u a:",
    "a.token = b.token ",
    "password=f('",
    "user=a&password=",
    "x://a:b/",
    "http://a:1/@",
    "://[",
    "password={{",
    "uid=",
    "\u0130",
    "\ud800",
]


@pytest.mark.parametrize("redaction", REDACTIONS)
@given(text=TEXTS)
def test_what_is_redacted_stays_as_it_is(redaction: Callable[[str], str], text: str) -> None:
    once = redaction(text)
    assert redaction(once) == once


@given(TEXTS, TEXTS)
def test_it_never_raises(name: str, text: str) -> None:
    assert isinstance(redact_option(name, text), str)
    assert isinstance(without_login(text), str)
    redact_json({name: [text, {"name": name, "value": text}], text: {name: None}}, for_display=True)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda one: st.lists(one, max_size=3) | st.dictionaries(TEXTS, one, max_size=3),
    max_leaves=6,
)


@given(JSON)
def test_json_that_is_redacted_stays_as_it_is(value: object) -> None:
    once = redact_json(value)
    assert redact_json(once) is once


@given(st.text(alphabet="abcXYZ019_", min_size=8, max_size=40))
def test_no_password_of_a_url_is_left(password: str) -> None:
    for text in (f"postgres://ana:{password}@db:5432/x", f"jdbc:mysql://db/x?password={password}&a=b"):
        assert password not in redact(f"could not connect to {text}")


@pytest.mark.parametrize("tail", ["", "@h:1", "'"])
@pytest.mark.parametrize("repeated", REPEATED)
@pytest.mark.parametrize("redaction", [redact, redact_for_display])
def test_hostile_text_takes_linear_time(redaction: Callable[[str], str], repeated: str, tail: str) -> None:
    def seconds(length: int) -> float:
        begin = time.thread_time()
        redaction(repeated * (length // len(repeated)) + tail)
        return time.thread_time() - begin

    # Ten times the text takes some ten times as long; with quadratic growth, it would be a hundred times.
    assert seconds(60_000) < 40 * max(seconds(6_000), 0.002)


def test_a_text_of_a_megabyte_takes_seconds_at_most() -> None:
    for repeated in ("password='", "://a:b@", "jdbc:oracle:thin:", "a:a@a:1 ", "eyJhbGciOiJ."):
        begin = time.thread_time()
        redact(repeated * (1_000_000 // len(repeated)))
        assert time.thread_time() - begin < 30


def test_a_text_that_would_change_forever_is_redacted_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openlineage_facets.base.redaction.redact.redact_tokens", lambda text: f"{text}x")
    assert redact("a") == REDACTED
