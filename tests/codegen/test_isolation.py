"""Nothing generated is executed while it is generated, for any name of a schema file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from codegen.errors import GeneratorError
from codegen.generate import formatted, generate
from tests.codegen.building import document, write_spec
from tests.conftest import ROOT

pytestmark = pytest.mark.check

STANDARD = ["types", "enum", "re", "collections", "functools", "os", "site", "encodings", "subprocess"]
TOOLS = ["ruff", "datamodel_code_generator", "jinja2", "pydantic", "jsonschema", "codegen"]

THING = {"Thing": {"type": "object", "properties": {"x": {"type": "string"}}}}


def test_schema_files_named_like_modules_change_nothing_else(tmp_path: Path) -> None:
    stems = [*STANDARD, *TOOLS]
    named, plain = (
        generate(
            write_spec(tmp_path / prefix, {f"{prefix}{stem}.json": document(stem, THING) for stem in stems}),
            "package",
        )
        for prefix in ("", "plain_")
    )
    own = {f"{prefix}{stem}.py" for stem in stems for prefix in ("", "plain_")} | {"__init__.py"}
    assert len(named) == len(plain)
    same = named.keys() - own
    assert {name: named[name] for name in same} == {name: plain[name] for name in same}


def test_the_formatter_never_imports_what_it_formats(tmp_path: Path) -> None:
    mark = tmp_path / "executed"
    source = f"open({str(mark)!r}, 'w').close()\n"
    formatted({f"{stem}.py": source for stem in [*STANDARD, "ruff"]})
    assert not mark.exists()


def test_the_formatter_never_imports_from_the_working_folder(tmp_path: Path) -> None:
    mark = tmp_path / "executed"
    (tmp_path / "ruff.py").write_text(f"open({str(mark)!r}, 'w').close()\n")
    code = "from codegen.generate import formatted; print(formatted({'a.py': 'x=1'})['a.py'])"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.append({str(ROOT)!r}); {code}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "x = 1", done.stderr
    assert not mark.exists()


def test_source_that_is_not_python_is_a_fault_of_the_generator() -> None:
    with pytest.raises(GeneratorError, match="please report it: ruff check failed"):
        formatted({"bad.py": "class :\n"})


def test_code_is_verified_before_any_tool_reads_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen = []
    monkeypatch.setattr("codegen.generate.render_registry", lambda library: "print('executed')\n")
    monkeypatch.setattr("codegen.generate._ruff", lambda *arguments: seen.append(arguments))
    with pytest.raises(GeneratorError, match="contains code that no renderer writes"):
        generate(write_spec(tmp_path, {"Thing.json": document("Thing", THING)}), "package")
    assert seen == []
