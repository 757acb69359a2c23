"""Which Java `make demo` and `make test` use for Spark. Scripts stand in for Java."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tools import java_home

JAVA = """\
#!/bin/sh
case "$*" in *{missing}*) echo "Module not found" >&2; exit 1 ;; esac
echo "    java.home = {home}" >&2
echo "    java.specification.version = {version}" >&2
"""


def java(home: Path, version: str, missing: str = "nothing") -> Path:
    """Create a Java home."""
    program = home / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(JAVA.format(home=home, version=version, missing=missing))
    program.chmod(0o755)
    return home


@pytest.fixture(autouse=True)
def _no_java_of_the_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "path" / "bin"))


def test_java_home_takes_precedence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    java(tmp_path / "path", "21")
    monkeypatch.setenv("JAVA_HOME", str(java(tmp_path / "home", "17")))
    assert java_home.java_of_machine() == tmp_path / "home"


def test_java_on_the_path_is_found(tmp_path: Path) -> None:
    home = java(tmp_path / "path", "25")
    assert java_home.java_of_machine() == home


def test_symlinked_java_is_resolved_to_its_home(tmp_path: Path) -> None:
    home = java(tmp_path / "jvm" / "java-21", "21")
    (tmp_path / "path" / "bin").mkdir(parents=True)
    (tmp_path / "path" / "bin" / "java").symlink_to(home / "bin" / "java")
    assert java_home.java_of_machine() == home


@pytest.mark.parametrize("version", ["1.8", "16"])
def test_older_java_is_skipped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str) -> None:
    monkeypatch.setenv("JAVA_HOME", str(java(tmp_path / "home", version)))
    home = java(tmp_path / "path", "17")
    assert java_home.java_of_machine() == home


def test_java_without_a_module_required_by_spark_is_skipped(tmp_path: Path) -> None:
    java(tmp_path / "path", "21", missing="jdk.incubator.vector")
    assert java_home.java_of_machine() is None


def test_launcher_removes_only_the_missing_module(tmp_path: Path) -> None:
    program = tmp_path / "a runtime" / "java"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    program.chmod(0o755)
    home = java_home.home_of_launcher(program, tmp_path / "java-home")
    asked = [
        "-cp",
        "a b:*",
        java_home.OPTIONAL_MODULE,
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "",
        "$HOME",
    ]
    answer = subprocess.run([home / "bin" / "java", *asked], capture_output=True, text=True, check=True)
    assert answer.stdout.split("\n")[:-1] == [word for word in asked if word != java_home.OPTIONAL_MODULE]
