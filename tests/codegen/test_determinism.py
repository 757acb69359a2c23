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


@pytest.mark.parametrize(
    "setting",
    [
        {
            "PYTHONHASHSEED": "random",
            "TZ": "Etc/GMT+12",
            "umask": 0o002,
            "LC_ALL": "tr_TR.UTF-8",
            "PYTHONOPTIMIZE": "2",
            "SOURCE_DATE_EPOCH": "0",
        },
        pytest.param(
            {
                "PYTHONHASHSEED": "0",
                "TZ": "Pacific/Kiritimati",
                "umask": 0o077,
                "LC_ALL": "C",
                "PYTHONUTF8": "0",
                "PYTHONCOERCECLOCALE": "0",
            },
            marks=pytest.mark.thorough,
        ),
    ],
    ids=lambda setting: ", ".join(f"{name}={value}" for name, value in setting.items()),
)
def test_environment_and_places_change_no_byte_and_no_network_is_needed(
    setting: dict[str, Any], tmp_path: Path
) -> None:
    """Also the order of the schemas on disk, another place for them, and another working folder."""
    for path in sorted(SPEC.rglob("*.json"), reverse=True):
        copy = tmp_path / "another place" / path.relative_to(SPEC)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    for name in ("site", "elsewhere"):
        (tmp_path / name).mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(NO_NETWORK)
    umask, environment = setting["umask"], {name: text for name, text in setting.items() if name != "umask"}
    options = {"--spec": tmp_path / "another place", "--output": tmp_path / "out", "--package": PACKAGE}
    done = subprocess.run(
        [sys.executable, "-m", "codegen", *(part for option in options.items() for part in option)],
        cwd=tmp_path / "elsewhere",
        env={**os.environ, "PYTHONPATH": f"{tmp_path / 'site'}{os.pathsep}{ROOT}", **environment},
        umask=umask,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    committed = {path.name: path.read_bytes() for path in OUTPUT.glob("*.py")}
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == committed


@pytest.mark.thorough
def test_the_generator_is_done_in_seconds() -> None:
    start = time.monotonic()
    generate(SPEC, PACKAGE)
    assert time.monotonic() - start < SECONDS
