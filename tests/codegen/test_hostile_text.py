"""Whatever text a stranger's schema holds, generated code contains it as data and never executes it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from codegen.errors import SchemaError
from codegen.identifiers import class_name, module_name
from codegen.load import load
from tests.cases import each
from tests.codegen.building import build, document, facet, write_spec
from tests.codegen.reading_in_isolation import outcomes

pytestmark = pytest.mark.check

ATTACK = "open('pwned', 'w').close(); raise SystemExit(99)"
"""Code that shows when it runs: by a file in the working folder, and by the exit code."""

TEXTS = {
    "empty": "",
    "spaces": "   ",
    "double quote": f'" + [{ATTACK}] + "',
    "apostrophe": f"' + [{ATTACK}] + '",
    "triple quotes": f'"""\n{ATTACK}\n"""',
    "triple apostrophes": f"'''\n{ATTACK}\n'''",
    "escaped triple quotes": f'\\"""\n{ATTACK}\n\\"""\\',
    "starts with quotes": '""quoted""',
    "ends with a quote": 'the "last word"',
    "ends with a backslash": "C:\\temp\\",
    "escape sequences": "\\n \\x41 \\N{BULLET} \\u0022 \\777",
    "closing brackets": f"')])}}; {ATTACK} #",
    "new line": f"first\n{ATTACK}\nlast",
    "carriage return": f"first\r{ATTACK}\r\nlast",
    "other line ends": f"a\x0b{ATTACK}\x0c{ATTACK}\x1c{ATTACK}\x85{ATTACK}\u2028{ATTACK}\u2029{ATTACK}",
    "comment": f"# {ATTACK}\n{ATTACK} # noqa",
    "directives": "# ruff: noqa\n# fmt: off\n# type: ignore\n# isort: skip_file",
    "coding cookie": "# -*- coding: utf-7 -*-",
    "code in utf-7": "+ACIAIgAi-+AAo-open(+ACc-pwned+ACc-, +ACc-w+ACc-)+AAo-+ACIAIgAi-",
    "code in escapes": "\\u0022\\u0022\\u0022\\u000aopen('pwned', 'w')\\u000a\\u0022\\u0022\\u0022",
    "call": "__import__('pathlib').Path('pwned').touch()",
    "format string": "{0} {x!r} %s %(x)s ${x} {__import__('os').system('touch pwned')}",
    "template expression": "{{ 7*7 }}{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "template statements": "{% raw %}{% include 'x' %}{% endraw %}{# gone #}",
    "template that is open": "{{ {% {#",
    "zero byte": "a\x00b",
    "control characters": "\x1b[2J\x07\x08\x7f",
    "byte order mark": "\ufeffa\ufffe",
    "right to left": "\u202eevil\u202c \u2066left\u2069 \u05d0\u05d1\u05d2",
    "emoji": "\N{PILE OF POO}\N{FAMILY}\u200d\N{SNOWMAN}",
    "combining": "Z\u0351\u036b\u0343a\u0300l\u0310go",
    "markup": "</script><b>&amp;</b> ``code`` :role:`x` .. note::",
    "dunder": "__class__",
    "keyword": "class",
    "long": "long " * 4000,
    "one long word": "x" * 20_000,
}

ID = "0195793a-e7b1-7d09-b2c8-40f6a95e1d37"
BASE_FIELDS = {"_producer": "https://example.com/etl", "_schemaURL": "https://example.com/Facet.json"}


def literally(text: str) -> str:
    """Return a pattern that matches `text` and nothing else, its letters spelled as they are."""
    escaped = re.sub(r"([!-/:;=?@\[-`{-~])", r"\\\1", text)
    return f"^(?:{escaped})$"


def everywhere(number: int, text: str) -> dict[str, Any]:
    """Return a schema file with `text` in every place where any text may occur."""
    annotations = {"title": text, "description": text, "$comment": text, "examples": [text]}
    string = {"type": "string", "default": text, **annotations}
    return document(
        f"Text{number}",
        {
            text: {"type": "object", "properties": {"value": string}, **annotations},
            f"Property{number}": {
                "type": "object",
                "properties": {text: string, "other": {"type": "integer"}},
                "required": [text],
                "dependentRequired": {text: ["other"], "other": [text]},
                **annotations,
            },
            f"OptionalProperty{number}": {"type": "object", "properties": {text: {"type": "boolean"}}},
            f"Banned{number}": {"type": "object", "not": {"required": [text]}},
            f"Needed{number}": {"type": "object", "required": [text]},
            f"Enumeration{number}": {"type": "string", "enum": [text, f"{text}!"], **annotations},
            f"Mixed{number}": {"enum": [text, 1], **annotations},
            f"Constant{number}": {"const": text, **annotations},
            f"Pattern{number}": {"type": "string", "pattern": literally(text), **annotations},
            f"Format{number}": {"type": "string", "format": text},
            f"Alias{number}": {"$ref": f"#/$defs/Property{number}", **annotations},
            f"Text{number}RunFacet": {**facet(properties={text: string}, **annotations), **annotations},
        },
        properties={text: {"$ref": f"#/$defs/Text{number}RunFacet", **annotations}},
        **annotations,
    )


def tasks_for(file: str, number: int, text: str) -> dict[str, dict[str, Any]]:
    """Return what to read with the module of `everywhere` in a file, by what it shows."""
    other, both = f"{text}!", {text: text, "other": 1}
    facets = [{"runId": ID, "facets": {text: {**BASE_FIELDS, text: value}}} for value in (text, 1)]
    rows: list[tuple[str, str, Any, bool]] = [
        # what it shows, the definition, the document, whether it is valid
        ("definition", class_name(text), {"value": text}, True),
        ("property", f"Property{number}", both, True),
        ("property only", f"Property{number}", {text: text}, False),
        ("property of another type", f"Property{number}", {text: 1, "other": 1}, False),
        ("optional property", f"OptionalProperty{number}", {text: True}, True),
        ("optional property of another type", f"OptionalProperty{number}", {text: text}, False),
        ("banned property", f"Banned{number}", {text: 1}, False),
        ("needed property", f"Needed{number}", {text: 1}, True),
        ("needed property missing", f"Needed{number}", {other: 1}, False),
        ("enumeration", f"Enumeration{number}", other, True),
        ("enumeration, another value", f"Enumeration{number}", f"{text}?", False),
        ("mixed enumeration", f"Mixed{number}", text, True),
        ("constant", f"Constant{number}", text, True),
        ("constant, another value", f"Constant{number}", other, False),
        ("pattern", f"Pattern{number}", text, True),
        ("pattern, another value", f"Pattern{number}", other, False),
        ("format", f"Format{number}", text, True),
        ("alias", f"Alias{number}", both, True),
        ("facet", f"Text{number}RunFacet", {**BASE_FIELDS, text: text}, True),
        ("facet key", "Run", facets[0], True),
        ("facet key, wrong facet", "Run", facets[1], False),
    ]
    return {
        shows: {
            "module": f"hostile.{module_name('OpenLineage' if name == 'Run' else Path(file).stem)}",
            "name": name,
            "document": document,
            "expected": document if is_valid else None,
        }
        for shows, name, document, is_valid in rows
    }


FILE_NAMES = {name: text for name, text in TEXTS.items() if not set(text) & set("/\0") and len(text) < 200}

FOLDERS = ("coding:utf-7", "coding=raw_unicode_escape", "-*- coding: utf-7 -*-")

IDS = {
    **{name: f"https://example.com/{text}/Case.json" for name, text in TEXTS.items()},
    "coding cookie in a path": "https://example.com/coding:utf-7/Case.json",
    "coding cookie in a query": "https://example.com/Case.json?coding=raw_unicode_escape",
    "coding cookie in a host": "https://coding:utf-7@example.com/Case.json",
    "urn": "urn:example:case",
    "percent": "https://example.com/%0Aimport%20os/Case.json",
}

CODE = f"{TEXTS['code in utf-7']} {TEXTS['code in escapes']}"
"""Code for a file whose first lines set its encoding."""


class Hostile(NamedTuple):
    """What is hostile, the text in its schema, its file, and its `$id` if that is hostile."""

    what: str
    text: str
    file: str = "Text{}.json"
    schema_id: str | None = None


HOSTILE = [
    *(Hostile(name, text) for name, text in TEXTS.items()),
    *(
        Hostile(f"file {name}", "text {}", f"{text.replace('{', '{{').replace('}', '}}')}{{}}.json")
        for name, text in FILE_NAMES.items()
    ),
    *(Hostile(f"folder {name}", f"{CODE} {{}}", f"{name}/Text{{}}.json") for name in FOLDERS),
    *(Hostile(f"id {name}", f"{CODE} {{}}", schema_id=schema_id) for name, schema_id in IDS.items()),
]


@pytest.fixture(scope="session")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str, str, dict[str, Any]]]:
    """Return number, text, file and schema by what is hostile; ids that are no URLs are rejected."""
    folder = tmp_path_factory.mktemp("hostile_ids")
    found = {}
    for number, (what, text, file, schema_id) in enumerate(HOSTILE):
        if what not in TEXTS:
            text = text.format(number)
        file = file.format(number)
        schema = everywhere(number, text)
        if what not in TEXTS:  # Only the first lines and the URL of the facet depend on files and ids.
            facet_name = f"Text{number}RunFacet"
            schema["$defs"] = {facet_name: schema["$defs"][facet_name]}
        if schema_id is not None:
            schema["$id"] = schema_id
            try:
                load(write_spec(folder / str(number), {file: schema}))
            except SchemaError as error:
                expected = f"{file}#/$id: expected the absolute URL of this schema, found "
                assert str(error).startswith(expected), what  # noqa: PT017 (each id is rejected, or read below)
                continue
        found[what] = number, text, file, schema
    return found


@pytest.fixture(scope="session")
def read(schemas: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Return, for each hostile thing and each place, what should be written, and what became of it."""
    folder = tmp_path_factory.mktemp("hostile")
    build(folder, "hostile", {file: schema for _, _, file, schema in schemas.values()})
    tasks = {
        (what, shows): task
        for what, (number, text, file, schema) in schemas.items()
        for shows, task in tasks_for(file, number, text).items()
        if task["name"] in ("Run", *map(class_name, schema["$defs"]))
    }
    answers: dict[str, dict[str, Any]] = {what: {} for what in schemas}
    for place, outcome in zip(tasks, outcomes(folder, list(tasks.values())), strict=True):
        answers[place[0]][place[1]] = tasks[place]["expected"], outcome
    return answers


def test_classes_read_and_write_the_very_text(read: Any) -> None:
    wrong = {
        (what, shows): outcome["written"]
        for what, places in read.items()
        for shows, (expected, outcome) in places.items()
        if outcome["written"] != expected
    }
    assert wrong == {}


def test_most_ids_are_accepted(schemas: Any) -> None:
    assert sum(what.startswith("id ") for what in schemas) > len(IDS) / 4


@each("name", TEXTS)
def test_docstrings_say_the_text(name: str, read: Any) -> None:
    words = TEXTS[name].split()
    for shows in ("definition", "property", "enumeration", "facet"):
        doc = read[name][shows][1]["doc"].split()
        assert doc[: len(words)] == words or not words, shows


@each("name", TEXTS)
def test_python_names_are_harmless(name: str, read: Any) -> None:
    for shows in ("property", "optional property", "needed property", "facet"):
        python = read[name][shows][1]["names"][TEXTS[name]]
        assert python.isidentifier(), shows
        assert not python.startswith("_"), shows
        assert python == python.lower(), shows


def test_code_that_ran_would_be_noticed(tmp_path: Path) -> None:
    (tmp_path / "pwned.py").write_text("open('pwned', 'w').close()\nname = int\n")
    with pytest.raises(AssertionError, match="wrote into the working folder"):
        outcomes(tmp_path, [{"module": "pwned", "name": "name", "document": 1}])
