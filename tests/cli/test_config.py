"""Settings in `[tool.openlineage-facets]` of pyproject.toml."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases import each
from tests.cli.conftest import Command

pytestmark = pytest.mark.usefixtures("event_files")


def test_settings_come_from_the_nearest_pyproject_with_our_table(
    check: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("pyproject.toml").write_text(
        '[tool.openlineage-facets]\npaths = ["invalid.ndjson"]\nignore = ["OL011"]\n'
    )
    Path("deep/er").mkdir(parents=True)
    Path("deep/pyproject.toml").write_text('[project]\nname = "deep"\n')
    monkeypatch.chdir("deep/er")
    assert check().report["summary"]["events"] == 3
    assert check().code == 0
    assert check("--ignore", "OL3").code == 1
    assert check("../../invalid.ndjson", "--no-config").code == 1
    Path("../pyproject.toml").write_text("[tool.openlineage-facets]\nstrict = true\n")
    assert check("../../warning.ndjson").code == 1
    assert check("../../warning.ndjson", "--no-strict").code == 0


@each("form", ["text", "json", "sarif", "github", "junit"])
def test_reports_in_a_folder_below_the_settings_do_not_contain_the_place_of_the_checkout(
    form: str, check: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place = tmp_path.parent
    (place / "pyproject.toml").write_text('[tool.openlineage-facets]\npaths = ["invalid.ndjson"]\n')
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")  # of the JUnit report
    monkeypatch.chdir(tmp_path)
    report = check("--format", form).out
    assert "../invalid.ndjson" in report
    assert str(place) not in report
    assert report == check("--format", form, "../invalid.ndjson").out


def test_absolute_paths_of_the_settings_stay_absolute(check: Command) -> None:
    path = Path("invalid.ndjson").resolve()
    Path("pyproject.toml").write_text(f"[tool.openlineage-facets]\npaths = ['{path}']\n")
    assert check().report["findings"][0]["file"] == str(path)


@each(
    ("text", "message"),
    [
        (
            "strikt = true",
            "unknown key strikt; known keys: paths, select, ignore, strict, jobs, schemas, id-base, "
            "baseline, null-is-absent",
        ),
        ('strict = "yes"', "strict: expected true or false, found 'yes'"),
        ("jobs = true", "jobs: expected an integer of at least 0, found True"),
        ("select = [1]", "select: expected a list of strings, found [1]"),
        ('select = ["OL777"]', "select: unknown code OL777; expected codes such as OL012"),
        ("strict = ", "Invalid value"),
    ],
)
def test_invalid_settings_end_the_command(text: str, message: str, check: Command) -> None:
    Path("pyproject.toml").write_text(f"[tool.openlineage-facets]\n{text}\n")
    result = check("valid.ndjson")
    assert result.code == 2
    assert message in result.err
    assert len(result.err.splitlines()) == 1
