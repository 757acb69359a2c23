"""Checkout of this repository, and an environment to install it without a network."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.hooks.wheels import write_wheels
from tests.packaging.requirements import required

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def committed(folder: Path) -> Path:
    """Turn a folder into a git repository with one commit."""
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    for command in (["init", "--quiet"], ["add", "--all"], [*identity, "commit", "--quiet", "-m", "1"]):
        subprocess.run(["git", *command], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of this repository without its tests."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("the source tree is not a git repository")
    folder = tmp_path_factory.mktemp("checkout")
    for name in listed.stdout.split("\0"):
        if (ROOT / name).is_file() and not name.startswith("tests/"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return committed(folder)


def python_on_path(folder: Path) -> Path:
    """Create a `python3` in a folder that runs this interpreter, and return the folder."""
    program = folder / "python3"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return folder


@pytest.fixture(scope="session")
def offline(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return environment variables with which pip finds only the requirements of this package.

    The wheels are those of the interpreter that runs the tests, so `python3` is this interpreter.
    """
    folder = tmp_path_factory.mktemp("wheels")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    requirements = [*project["project"]["dependencies"], *project["project"]["optional-dependencies"]["cli"]]
    # Requirements of jsonschema[format].
    formats = ["fqdn", "idna", "isoduration", "jsonpointer", "rfc3339-validator", "rfc3987", "uri-template"]
    write_wheels(
        {*required(requirements), *formats, "webcolors", *required(project["build-system"]["requires"])},
        folder,
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "GITHUB_"))}
    programs = python_on_path(tmp_path_factory.mktemp("programs"))
    path = f"{programs}{os.pathsep}{kept.get('PATH', os.defpath)}"
    return {
        **kept,
        "PATH": path,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(folder),
        "PIP_CONFIG_FILE": os.devnull,
    }
