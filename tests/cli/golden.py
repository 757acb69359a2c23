"""Golden files with the output of commands. Update them with `python -m tests.cli.golden`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

GOLDEN = Path(__file__).parent / "golden"
ENVIRONMENT = {
    "COLUMNS": "100",
    "SOURCE_DATE_EPOCH": "1795334400",
    "PYTHONUTF8": "1",
    "PYTHONPATH": str(ROOT),
}

COMMANDS = {
    "report.txt": ("validate", "events"),
    "report.json": ("validate", "events", "--format", "json"),
    "report.github": ("validate", "events", "--format", "github"),
    "report.gitlab": ("validate", "events", "--format", "gitlab"),
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
    command = [sys.executable, "-m", "openlineage_facets.cli", *arguments]
    done = subprocess.run(command, cwd=GOLDEN, env=ENVIRONMENT, capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr.decode()
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return done.stdout.decode()


if __name__ == "__main__":
    for name, arguments in COMMANDS.items():
        (GOLDEN / name).write_text(output_of(arguments), encoding="utf-8")
