"""The package as users install it: a wheel, and an environment with the wheel and its requirements."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.packaging.requirements import copy_requirements


def built(kind: str, source: Path, target: Path) -> Path:
    """Build a wheel or an sdist from `source` with what is installed here, and return its path."""
    command = ["build", f"--{kind}", "--no-isolation", "--outdir", str(target), str(source)]
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = target.iterdir()
    return path


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel of this tree."""
    return built("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the source distribution of this tree."""
    return built("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="session")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of an environment that holds the wheel and nothing but what it requires.

    Without a network, what it requires comes from the environment the tests run in: the installed files of
    each distribution that the wheel's metadata ask for, of each that those ask for, and so on. pip itself
    installs the wheel and then checks that nothing it requires is missing.
    """
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    copy_requirements(wheel, python)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
    for command in (["install", "--quiet", "--no-index", "--no-deps", str(wheel)], ["check"]):
        done = subprocess.run([*pip, *command], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return python
