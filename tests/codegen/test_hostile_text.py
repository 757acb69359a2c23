"""Whatever text a stranger's schema holds, generated code contains it as data and never executes it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

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


def tasks_for(package: str, number: int, text: str) -> dict[str, dict[str, Any]]:
    """Return what to read with the module of `everywhere`, by what it shows."""
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
            "module": f"{package}.{'open_lineage' if name == 'Run' else f'text{number}'}",
            "name": name,
            "document": document,
            "expected": document if is_valid else None,
        }
        for shows, name, document, is_valid in rows
    }


@pytest.fixture(scope="session")
def read(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, tuple[Any, dict[str, Any]]]]:
    """Return, for each text and each place of it, what should be written, and what became of it."""
    folder = tmp_path_factory.mktemp("hostile")
    numbers = {name: number for number, name in enumerate(TEXTS)}
    build(
        folder,
        "hostile_text",
        {f"Text{numbers[name]}.json": everywhere(numbers[name], TEXTS[name]) for name in TEXTS},
    )
    tasks = {
        (name, shows): task
        for name, text in TEXTS.items()
        for shows, task in tasks_for("hostile_text", numbers[name], text).items()
    }
    answers: dict[str, dict[str, Any]] = {name: {} for name in TEXTS}
    for ((name, shows), task), outcome in zip(
        tasks.items(), outcomes(folder, list(tasks.values())), strict=True
    ):
        answers[name][shows] = task["expected"], outcome
    return answers


@each("name", TEXTS)
def test_classes_read_and_write_the_very_text(name: str, read: Any) -> None:
    for shows, (expected, outcome) in read[name].items():
        assert outcome["written"] == expected, shows


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


FILE_NAMES = {name: text for name, text in TEXTS.items() if not set(text) & set("/\0") and len(text) < 200}


def test_a_file_name_is_data(tmp_path: Path) -> None:
    names = {f"{text}{number}.json": number for number, text in enumerate(FILE_NAMES.values())}
    build(
        tmp_path,
        "hostile_files",
        {name: everywhere(number, f"text {number}") for name, number in names.items()},
    )
    tasks = [
        {
            "module": f"hostile_files.{module_name(Path(name).stem)}",
            "name": f"Text{number}RunFacet",
            "document": {**BASE_FIELDS, f"text {number}": name},
        }
        for name, number in names.items()
    ]
    for task, outcome in zip(tasks, outcomes(tmp_path, tasks), strict=True):
        assert outcome["written"] == task["document"]


IDS = {
    **{name: f"https://example.com/{text}/Case.json" for name, text in TEXTS.items()},
    "coding cookie in a path": "https://example.com/coding:utf-7/Case.json",
    "coding cookie in a query": "https://example.com/Case.json?coding=raw_unicode_escape",
    "coding cookie in a host": "https://coding:utf-7@example.com/Case.json",
    "urn": "urn:example:case",
    "percent": "https://example.com/%0Aimport%20os/Case.json",
}


def test_an_id_is_data_or_rejected(tmp_path: Path) -> None:
    text = f"{TEXTS['code in utf-7']} {TEXTS['code in escapes']}"
    taken = {}
    for number, (name, schema_id) in enumerate(IDS.items()):
        schema = {**everywhere(number, f"{text} {number}"), "$id": schema_id}
        try:
            load(write_spec(tmp_path / f"spec_{number}", {f"Text{number}.json": schema}))
        except SchemaError as error:
            expected = f"Text{number}.json#/$id: expected the absolute URL of this schema, found "
            assert str(error).startswith(expected), name  # noqa: PT017 (each id is rejected, or read below)
        else:
            taken[number] = schema
    assert len(taken) > len(IDS) / 4, "too few ids were taken to show anything"
    build(tmp_path, "hostile_ids", {f"Text{number}.json": schema for number, schema in taken.items()})
    assert_reads_all("hostile_ids", {number: f"{text} {number}" for number in taken}, tmp_path)


@pytest.mark.parametrize("folder", ["coding:utf-7", "coding=raw_unicode_escape", "-*- coding: utf-7 -*-"])
def test_a_folder_name_sets_no_encoding(folder: str, tmp_path: Path) -> None:
    text = f"{TEXTS['code in utf-7']} {TEXTS['code in escapes']}"
    build(tmp_path, "hostile_folder", {f"{folder}/Text0.json": everywhere(0, text)})
    assert_reads_all("hostile_folder", {0: text}, tmp_path)


def assert_reads_all(package: str, texts: dict[int, str], folder: Path) -> None:
    """Assert that the modules of `everywhere` read and write what they should, in a new process."""
    tasks = [task for number, text in texts.items() for task in tasks_for(package, number, text).items()]
    found = outcomes(folder, [task for _, task in tasks])
    for (shows, task), outcome in zip(tasks, found, strict=True):
        assert outcome["written"] == task["expected"], shows


@pytest.mark.parametrize(
    "attack", [ATTACK, "open('pwned', 'w').close()", "print(1, file=__import__('sys').stderr)"]
)
def test_code_that_ran_would_be_noticed(attack: str, tmp_path: Path) -> None:
    (tmp_path / "pwned.py").write_text(f"{attack}\nname = int\n")
    with pytest.raises(AssertionError):
        outcomes(tmp_path, [{"module": "pwned", "name": "name", "document": 1}])
