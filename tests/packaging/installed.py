"""The package as users install it: its wheel, and an environment with it, which all tests of a run share."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ROOT


def shared(name: str, make: Callable[[Path], object], factory: pytest.TempPathFactory) -> Path:
    """Return a folder that is made once, also if tests run in several processes."""
    own = factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / name
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            make(folder)
    return folder


def built(kind: str, source: Path, target: Path) -> Path:
    """Build a wheel or an sdist from `source` with what is installed here, and return its path."""
    command = ["build", f"--{kind}", "--no-isolation", "--outdir", str(target), str(source)]
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = target.iterdir()
    return path


def wheel_of_tree(factory: pytest.TempPathFactory) -> Path:
    """Return the wheel of this tree."""
    (wheel,) = shared("wheel", lambda folder: built("wheel", ROOT, folder), factory).iterdir()
    return wheel


def python_with_wheel(factory: pytest.TempPathFactory) -> Path:
    """Return the Python of an environment with the wheel, whose requirements are those installed here."""

    def make(folder: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
        command = [folder / "bin" / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
        site = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        # A path in a .pth file: the .pth files in that folder, such as that of the checkout, are not read.
        Path(site, "requirements.pth").write_text(sysconfig.get_path("purelib"))
        pip = [
            sys.executable,
            "-m",
            "pip",
            "--disable-pip-version-check",
            f"--python={command[0]}",
            "install",
        ]
        options = ["--quiet", "--no-index", "--no-deps", "--no-compile", "--ignore-installed"]
        subprocess.run([*pip, *options, str(wheel_of_tree(factory))], check=True)

    return shared("environment", make, factory) / "bin" / "python"
