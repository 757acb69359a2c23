"""Import generated packages in a separate process, read documents with them, and report.

Usage: python -m tests.codegen.reading_in_isolation FOLDER < tasks.json > outcomes.json

What a package does when it is imported happens to this process; the one that asks looks at the exit code
and at the working folder afterwards.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import TypeAdapter, ValidationError

from tests.conftest import ROOT


def outcomes(folder: Path, tasks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Carry out tasks in a new process; each has `module`, `name` and `document`.

    Returns:
        For each task what was `written`, None where the document was rejected, the docstring `doc` and the
        Python name of each wire name in `names`.
    """
    environment = {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error", "PYTHONDONTWRITEBYTECODE": "1"}
    with TemporaryDirectory() as working_folder:
        done = subprocess.run(
            [sys.executable, "-m", __name__, folder],
            cwd=working_folder,
            env={**os.environ, **environment},
            input=json.dumps(tasks),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        assert os.listdir(working_folder) == [], "importing wrote into the working folder"
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def _outcome(task: dict[str, Any]) -> dict[str, Any]:
    target = getattr(import_module(task["module"]), task["name"])
    adapter = TypeAdapter(target)
    try:
        value = adapter.validate_json(json.dumps(task["document"]))
        written = json.loads(adapter.dump_json(value, by_alias=True, exclude_unset=True))
    except ValidationError:
        written = None
    fields = getattr(target, "model_fields", {})
    return {
        "written": written,
        "doc": getattr(target, "__doc__", None),
        "names": {field.alias if field.alias is not None else name: name for name, field in fields.items()},
    }


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    print(json.dumps([_outcome(task) for task in json.load(sys.stdin)]))
