"""The tests nearest to a change run until a time limit, which is no failure."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tools import changed_tests
from tools.changed_tests import LIMIT_REACHED

LATE = "changed_tests.time = SimpleNamespace(monotonic=lambda: 1e9)"
FILES = {
    "passed.py": ["pass", "pass"],
    "late.py": [LATE, "pass"],
    "failed_and_late.py": [f"{LATE}; raise ValueError", "pass"],
    "failed.py": ["raise ValueError", "pass"],
}
SCRIPT = """
import time
from tools import changed_tests
changed_tests.SELECTION = ("-q", "-p", "no:cacheprovider")
for name in {names!r}:
    changed_tests.time = time
    print("exit code of", name, changed_tests.run([name], 3600))
"""


@pytest.mark.check
def test_a_run_that_ends_at_its_time_limit_has_failed_only_if_a_test_has(tmp_path: Path) -> None:
    for name, bodies in FILES.items():
        tests = [f"def test_{number}():\n    {body}\n" for number, body in enumerate(bodies)]
        imports = "from types import SimpleNamespace\nfrom tools import changed_tests\n"
        (tmp_path / name).write_text("\n".join([imports, *tests]))
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n" + SCRIPT]
    command[2] = command[2].format(names=list(FILES))
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    lines = [line for line in run.stdout.splitlines() if line.startswith("exit code of ")]
    codes = {line.split()[3]: int(line.split()[4]) for line in lines}
    assert codes == {"passed.py": 0, "late.py": LIMIT_REACHED, "failed_and_late.py": 1, "failed.py": 1}
    assert run.stdout.count("No test was started after 3600 s") == 2


@pytest.mark.parametrize(("status", "code"), [(0, 0), (LIMIT_REACHED, 0), (1, 1), (2, 2)])
def test_the_time_limit_is_a_success_of_the_command(
    status: int, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["changed_tests"])
    for name, result in (("changed_files", ["a.py"]), ("nearest_tests", ["test_a.py"]), ("run", status)):
        monkeypatch.setattr(changed_tests, name, lambda *arguments, result=result: result)
    assert changed_tests.main() == code
