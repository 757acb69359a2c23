"""Redaction is idempotent and never raises, whatever the text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets.base.redaction.redact import (
    redact,
    redact_for_display,
    redact_json,
    redact_option,
    redact_start,
)
from openlineage_facets.base.redaction.redacted_text import REDACTED
from openlineage_facets.base.redaction.secret_urls import without_login
from tests.redaction.corpus import forms

MARKS = "password|token|=|:|'|\"|\\|://|//|@|***| |\n|,|(|)|{|}|--|Bearer |identified by |x|&|;|?|$$|<|>"
PIECES = [*(form.text for form in forms("secrets") + forms("harmless")), *MARKS.split("|") * 10]
TEXTS = st.text() | st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=12).map("".join)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda one: st.lists(one, max_size=3) | st.dictionaries(TEXTS, one, max_size=3),
    max_leaves=6,
)


@given(TEXTS)
def test_what_is_redacted_is_unchanged(text: str) -> None:
    for redaction in (redact, redact_for_display, redact_start):
        once = redaction(text)
        assert redaction(once) == once


@given(TEXTS, TEXTS)
def test_it_never_raises(name: str, text: str) -> None:
    assert isinstance(redact_option(name, text), str)
    assert isinstance(without_login(text), str)
    redact_json({name: [text, {"name": name, "value": text}], text: {name: None}}, for_display=True)


@given(JSON)
def test_json_that_is_redacted_is_unchanged_and_remains_json(value: object) -> None:
    once = redact_json(value)
    assert redact_json(once) is once
    assert json.loads(redact(json.dumps(value))) == once


@given(st.text(alphabet="abcXYZ019_", min_size=8, max_size=40))
def test_no_password_of_a_url_is_left(password: str) -> None:
    for text in (f"postgres://ana:{password}@db:5432/x", f"jdbc:mysql://db/x?password={password}&a=b"):
        assert password not in redact(f"could not connect to {text}")


def test_a_text_that_would_change_forever_is_redacted_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openlineage_facets.base.redaction.redact.redact_tokens", lambda text: f"{text}x")
    assert redact("a") == REDACTED
