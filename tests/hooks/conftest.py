"""A repository of this tree as users refer to it, and what installing from it takes without a network."""

from __future__ import annotations

import os
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


@pytest.fixture(scope="session", autouse=True)
def _git() -> None:
    if shutil.which("git") is None:
        pytest.skip("no git: what needs a repository is not checked")


def committed(folder: Path) -> Path:
    """Make a git repository of a folder, with one commit."""
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    for command in (["init", "--quiet"], ["add", "--all"], [*identity, "commit", "--quiet", "-m", "1"]):
        subprocess.run(["git", *command], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of this tree without its tests, as an action or a hook is checked out."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("this tree is no git repository: nothing can refer to it")
    folder = tmp_path_factory.mktemp("checkout")
    for name in listed.stdout.split("\0"):
        if (ROOT / name).is_file() and not name.startswith("tests/"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return committed(folder)


@pytest.fixture(scope="session")
def offline(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return an environment in which pip finds what this package needs, and nothing else."""
    folder = tmp_path_factory.mktemp("wheels")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    asked = [*project["project"]["dependencies"], *project["project"]["optional-dependencies"]["cli"]]
    # jsonschema brings its formats by an extra of its own.
    formats = ["fqdn", "idna", "isoduration", "jsonpointer", "rfc3339-validator", "rfc3987", "uri-template"]
    write_wheels(
        {*required(asked), *formats, "webcolors", *required(project["build-system"]["requires"])}, folder
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "GITHUB_"))}
    return {**kept, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder), "PIP_CONFIG_FILE": os.devnull}
