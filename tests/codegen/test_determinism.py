"""The same schemas give the same bytes, wherever and whenever the generator runs, and without a network."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import OUTPUT, PACKAGE
from codegen.generate import generate
from tests.conftest import ROOT

pytestmark = pytest.mark.check

SPEC = ROOT / "spec"
SECONDS = 10

NO_NETWORK = """
import sys

NETWORK = {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "urllib.Request"}

def reject(event, arguments):
    if event in NETWORK:
        print("tried", event, arguments, file=sys.stderr)
        raise SystemExit(77)

sys.addaudithook(reject)
"""
"""A `sitecustomize` that ends the process as soon as it turns to the network."""


def run(output: Path, *, path: Path, cwd: Path, umask: int, **environment: str) -> None:
    """Run the generator as a separate command."""
    done = subprocess.run(
        [sys.executable, "-m", "codegen", "--spec", SPEC, "--output", output, "--package", PACKAGE],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": f"{path}{os.pathsep}{ROOT}", **environment},
        umask=umask,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def assert_as_committed(folder: Path) -> None:
    committed = {path.name: path.read_bytes() for path in OUTPUT.glob("*.py")}
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == committed


@pytest.mark.parametrize(
    "setting",
    [
        {
            "PYTHONHASHSEED": "0",
            "TZ": "Pacific/Kiritimati",
            "umask": 0o077,
            "LC_ALL": "C",
            "PYTHONUTF8": "0",
            "PYTHONCOERCECLOCALE": "0",
        },
        {
            "PYTHONHASHSEED": "random",
            "TZ": "Etc/GMT+12",
            "umask": 0o002,
            "LC_ALL": "tr_TR.UTF-8",
            "PYTHONOPTIMIZE": "2",
            "SOURCE_DATE_EPOCH": "0",
        },
    ],
    ids=lambda setting: ", ".join(f"{name}={value}" for name, value in setting.items()),
)
def test_environment_and_working_folder_change_no_byte_and_no_network_is_needed(
    setting: dict[str, Any], tmp_path: Path
) -> None:
    for name in ("site", "elsewhere"):
        (tmp_path / name).mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(NO_NETWORK)
    run(tmp_path / "out", path=tmp_path / "site", cwd=tmp_path / "elsewhere", **setting)
    assert_as_committed(tmp_path / "out")


def test_the_place_of_the_schemas_and_their_order_on_disk_change_no_byte(tmp_path: Path) -> None:
    for path in sorted(SPEC.rglob("*.json"), reverse=True):
        copy = tmp_path / "another place" / path.relative_to(SPEC)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    assert generate(tmp_path / "another place", PACKAGE) == generate(SPEC, PACKAGE)


@pytest.mark.thorough
def test_the_generator_is_done_in_seconds() -> None:
    start = time.monotonic()
    generate(SPEC, PACKAGE)
    assert time.monotonic() - start < SECONDS
