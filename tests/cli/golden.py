"""Golden files with the output of commands. Update them with `python -m tests.cli.golden`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.in_process import run_in_process

GOLDEN = Path(__file__).parent / "golden"
ENVIRONMENT = {"COLUMNS": "100", "SOURCE_DATE_EPOCH": "1795334400"}

COMMANDS = {
    "report.txt": ("validate", "events"),
    "report.json": ("validate", "events", "--format", "json"),
    "report.github": ("validate", "events", "--format", "github"),
    "report.xml": ("validate", "events", "--format", "junit"),
    "report.sarif": ("validate", "events", "--format", "sarif"),
    "strict.txt": ("validate", "events/runs.ndjson", "--strict"),
    "summary.txt": ("validate", "events", "--format", "json", "--output", "/dev/null"),
    "show-valid.txt": ("show", "events/lineage.json"),
    "show-invalid.txt": ("show", "events/broken.ndjson", "--number", "3"),
    "show-invalid-json.txt": ("show", "events/broken.ndjson", "--number", "2"),
    "diff.txt": ("diff", "schemas/old", "schemas/new"),
    "diff.md": ("diff", "schemas/old", "schemas/new", "--format", "markdown"),
    "diff.json": ("diff", "schemas/old", "schemas/new", "--format", "json"),
    "diff.github": ("diff", "schemas/old", "schemas/new", "--format", "github"),
    "explain.txt": ("explain", "OL012", "OL805"),
}


def output_of(arguments: tuple[str, ...]) -> str:
    """Return the standard output of a command that runs in the folder of golden files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(GOLDEN)
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        result = run_in_process(*arguments)
    assert result.code in (0, 1), result.err
    return result.out


if __name__ == "__main__":
    for name, arguments in COMMANDS.items():
        (GOLDEN / name).write_text(output_of(arguments), encoding="utf-8")
