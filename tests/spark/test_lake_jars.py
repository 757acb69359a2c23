"""Fetching the jars of Delta and Iceberg. Scripts stand in for Java and Ivy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import lake_jars

WANTED = ("lake:one_2.12:1.0", "lake:two:2.0")

FETCHES = """\
#!/bin/sh
while [ "$1" != -retrieve ]; do
    [ "$1" = -ivy ] && module="$2"
    shift
done
folder="${2%/*}"
for name in one_2.12-1.0 two-2.0; do
    grep -q "${name%-*}" "$module" && echo whole > "$folder/$name.jar"
done
"""
FAILS = """\
#!/bin/sh
echo "    Server access error at url nowhere"
exit 1
"""


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the jar folder of a PySpark version with two jars."""
    monkeypatch.delenv(lake_jars.OVERRIDE, raising=False)
    monkeypatch.setattr(lake_jars, "FOLDER", tmp_path / "jars")
    monkeypatch.setattr(lake_jars, "version", lambda package: "3.5.9")
    monkeypatch.setattr(lake_jars, "JARS", {"3.5": WANTED})
    return tmp_path / "jars"


def java(monkeypatch: pytest.MonkeyPatch, home: Path, script: str) -> None:
    program = home / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(script)
    program.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(home))


def test_missing_jars_are_fetched_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path) -> None:
    java(monkeypatch, tmp_path / "home", FETCHES)
    assert lake_jars.jars() == []
    lake_jars.main()
    assert lake_jars.jars() == [folder / "one_2.12-1.0.jar", folder / "two-2.0.jar"]
    assert sorted(folder.iterdir()) == lake_jars.jars()
    java(monkeypatch, tmp_path / "other", FAILS)
    lake_jars.main()


def test_failed_fetch_leaves_no_files_and_reports_the_cause(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path
) -> None:
    java(monkeypatch, tmp_path / "home", FAILS)
    with pytest.raises(SystemExit, match=rf"two-2\.0\.jar.*access error.*{lake_jars.OVERRIDE}"):
        lake_jars.main()
    assert list(folder.iterdir()) == lake_jars.jars() == []


def test_missing_java_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "gone"))
    with pytest.raises(SystemExit, match="No such file"):
        lake_jars.main()
    assert not list(folder.iterdir())


def test_user_jars_take_precedence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "delta.jar").touch()
    monkeypatch.setenv(lake_jars.OVERRIDE, str(tmp_path / "mine"))
    java(monkeypatch, tmp_path / "home", FAILS)
    lake_jars.main()
    assert lake_jars.jars() == [tmp_path / "mine" / "delta.jar"]
