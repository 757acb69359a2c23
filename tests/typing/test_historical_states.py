"""Type checkers accept the packages generated from earlier releases of the specification."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from codegen.__main__ import main
from tests.codegen.historical import STATES, spec_of
from tests.conftest import ROOT

pytestmark = pytest.mark.thorough


@pytest.mark.usefixtures("shared")
def test_pyright_accepts_every_state(tmp_path: Path) -> None:
    packages = tmp_path / "packages"
    for number, state in enumerate(STATES):
        output = packages / f"state_{number}"
        assert main(["--spec", str(spec_of(state, tmp_path)), "--output", str(output)]) == 0
    (packages / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [str(ROOT)]}))
    checked = subprocess.run(
        [sys.executable, "-m", "pyright", "-p", packages, "--pythonpath", sys.executable, "--outputjson"],
        cwd=packages,
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(checked.stdout)
    assert report["generalDiagnostics"] == []
    assert report["summary"]["filesAnalyzed"] == len(list(packages.rglob("*.py")))
