"""Every form of a secret in the corpus is redacted, and every harmless text stays as it is."""

from __future__ import annotations

import json

import pytest

from openlineage_facets.base.errors import describe
from openlineage_facets.base.redaction.redact import redact, redact_for_display
from tests.redaction.corpus import Form, forms

SECRETS = forms("secrets")
HARMLESS = forms("harmless")


def in_corpus(found: dict[str, Form]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("form", found.values(), ids=found.keys())


def test_the_corpus_is_large() -> None:
    assert len(SECRETS) >= 250
    assert len(HARMLESS) >= 100


@in_corpus(SECRETS)
def test_a_secret_is_redacted_and_nothing_else(form: Form) -> None:
    assert form.secrets
    assert redact(form.text) == form.redacted


@in_corpus(SECRETS)
def test_a_redacted_text_stays_as_it_is(form: Form) -> None:
    assert redact(form.redacted) == form.redacted
    assert redact_for_display(redact_for_display(form.text)) == redact_for_display(form.text)


@in_corpus(SECRETS)
def test_a_secret_is_not_shown(form: Form) -> None:
    told = redact_for_display(form.text) + describe(form.text)
    for secret in form.secrets:
        assert len(secret) < 3 or secret not in told


@in_corpus(SECRETS)
@pytest.mark.parametrize("around", ["at {} line 7", "line 1\n{}\nline 3\n", "Caused by: {}"])
def test_a_secret_is_redacted_inside_a_longer_text(form: Form, around: str) -> None:
    # A value without quotation marks may go on into what follows; nothing of the secret stays.
    redacted = redact(around.format(form.text))
    for secret in form.secrets:
        assert len(secret) < 3 or secret not in redacted


@in_corpus(SECRETS)
def test_a_secret_in_a_json_string_is_redacted(form: Form) -> None:
    document = json.dumps({"query": form.text, "next": "a@b.example.com"}, ensure_ascii=False)
    redacted = redact(document)
    for secret in form.secrets:
        escaped = json.dumps(secret, ensure_ascii=False)[1:-1]
        assert len(secret) < 3 or escaped not in redacted


@in_corpus(HARMLESS)
def test_a_harmless_text_stays_as_it_is(form: Form) -> None:
    assert redact(form.text) == form.text
