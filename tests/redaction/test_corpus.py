"""Every form of a secret in the corpus is redacted, and every harmless text is unchanged."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from openlineage_facets.base.errors.findings import describe
from openlineage_facets.base.redaction import secret_commands
from openlineage_facets.base.redaction.redact import redact, redact_for_display, redact_unparsed
from openlineage_facets.base.redaction.secret_table import SEPARATORS
from tests.redaction.corpus import Form, assert_none, forms

SECRETS = forms("secrets")
HARMLESS = forms("harmless")


def documents(text: str) -> Iterator[str]:
    """Yield JSON documents that contain a text, also in JSON inside JSON."""
    yield json.dumps({"query": text, "next": "a@b.example.com"}, ensure_ascii=False)
    yield json.dumps([{"a": json.dumps({"b": text}), "z": "p@q:1/x"}], separators=(",", ":"))


def test_the_corpus_is_large() -> None:
    assert len({form.text for form in SECRETS}) >= 400
    assert len({form.text for form in HARMLESS}) >= 300
    assert_none((form.place, "no secret is marked") for form in SECRETS if form.text == form.redacted)


def test_a_secret_is_redacted_and_the_text_around_it_is_kept() -> None:
    assert_none(
        (form.place, form.text, found) for form in SECRETS if (found := redact(form.text)) != form.redacted
    )


def test_a_harmless_text_is_unchanged() -> None:
    assert_none(
        (form.place, form.text, found) for form in HARMLESS if (found := redact(form.text)) != form.text
    )


def test_secrets_without_name_address_or_known_format_are_not_recognised() -> None:
    """The documentation states these limits."""
    assert_none(
        (form.place, form.text) for form in forms("unrecognised") if redact(form.text) == form.redacted
    )

    broken = rb"""{"query": "SET password = 'it\\'s xyzzy'", """  # Are the backslashes part of the text?
    assert redact_unparsed(broken) == r"""{"query": "SET password = '***'s xyzzy'", """


def test_redacting_twice_changes_nothing() -> None:
    for form in SECRETS:
        assert redact(form.redacted) == form.redacted, form.place
    once = [(form.place, redact_for_display(form.text)) for form in SECRETS + HARMLESS]
    assert_none((*one, found) for one in once if (found := redact_for_display(one[1])) != one[1])


def test_a_secret_is_not_displayed() -> None:
    def displayed(form: Form) -> str:
        return redact_for_display(form.text) + describe(form.text)

    assert_none((form.place, displayed(form)) for form in SECRETS if form.left_in(displayed(form)))


def test_a_secret_in_a_longer_text_is_redacted() -> None:
    texts = ("at {} line 7", "line 1\n{}\nline 3\n", "Caused by: {}")
    found = ((form, redact(text.format(form.text))) for form in SECRETS for text in texts)
    assert_none((form.place, text) for form, text in found if form.left_in(text))


def test_a_secret_in_json_is_redacted_and_the_result_is_json() -> None:
    def failures() -> Iterator[tuple[str, ...]]:
        for form in SECRETS:
            for document in documents(form.text):
                redacted = redact(document)
                if form.left_in(json.dumps(_texts(json.loads(redacted)), ensure_ascii=False)):
                    yield form.place, document, redacted

    assert_none(failures())


def test_a_harmless_text_in_json_is_unchanged() -> None:
    texts = ((form.place, document) for form in HARMLESS for document in documents(form.text))
    assert_none((*one, found) for one in texts if (found := redact(one[1])) != one[1])


def test_each_row_of_the_table_has_an_example() -> None:
    rows = [(row.example, redact(row.example), row.kind) for row in SEPARATORS]
    assert_none(row for row in rows if ("harmless" in row[2:]) == ("***" in row[1]))


def test_each_command_of_the_table_is_redacted() -> None:
    texts = (
        f"{name.strip().strip('*')} {form.replace('***', 'S3CR3T').replace('*', '').replace('_', 'x')} z"
        for form, names in secret_commands._ARGUMENTS.items()
        for name in names.split(",")
    )
    assert_none((text, redact(text)) for text in texts if "S3CR3T" in redact(text.replace("USER", "ana")))


def test_each_function_of_the_table_is_redacted() -> None:
    def example(form: str) -> str:
        name, _, arguments = form.partition("(")
        before, _, after = arguments.partition("***")
        values = {"t": "db.t", "": ""}
        first = "".join(f"{values.get(kind, repr('x'))}, " for kind in before.split(",") if kind)
        return f"{name}({first}'S3CR3T'{after or ')'}"

    texts = [example(form) for form in secret_commands._CALLS]
    assert_none((text, redact(text)) for text in texts if "S3CR3T" in redact(text))


def test_an_argument_in_front_of_a_secret_is_read_in_one_way() -> None:
    """Reading it in two ways would double the time with every quotation mark: this test would not end."""
    argument = re.compile(secret_commands._ARGUMENT)
    repeated = (r"\'a'", r"\"a\"", r"'a\'a'", "'a'", "'", "(a)", "\\", "a")
    assert [one for one in repeated if argument.match(one * 50 + "!")] == []


def _texts(value: object) -> object:
    """Return a JSON value whose texts are parsed, if they are JSON, and without escapes."""
    if isinstance(value, dict):
        return [_texts(one) for one in value.values()]
    if isinstance(value, list):
        return [_texts(one) for one in value]
    try:
        return _texts(json.loads(value)) if isinstance(value, str) else value
    except ValueError:
        return value
