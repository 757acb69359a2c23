"""Print the supported Python interpreters of this machine, one per line: version and path.

    find_pythons.py            all supported versions, oldest first
    find_pythons.py oldest     the oldest one
    find_pythons.py newest     the newest one

Supported versions are those in the classifiers of pyproject.toml. An interpreter is used if it starts, is a
final release of CPython and can create virtual environments with pip. The search covers `PATH` and the
installation folders of pyenv, asdf, uv and CI runners. For each version, the interpreter that runs this
script comes first, then the order of `PATH`. Interpreters that are not used are listed on standard error,
with the reason.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

PYPROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"
START_TIMEOUT = 30.0
"""Seconds to wait for an interpreter to start."""

PROBE = """\
import json, sys
try:
    import ensurepip, venv
    can_make_venvs = True
except ImportError:
    can_make_venvs = False
path = getattr(sys, "_base_executable", None) or sys.executable
version, level = list(sys.version_info[:2]), sys.version_info[3]
print(json.dumps([version, path, level, sys.implementation.name, can_make_venvs]))
"""

Version = tuple[int, int]


@dataclass(frozen=True)
class Python:
    """A working interpreter.

    Attributes:
        version: Major and minor version.
        path: Path of the program, outside of virtual environments.
        problem: Reason why it cannot be used, or "".
    """

    version: Version
    path: str
    problem: str = ""


def main() -> int:
    """Print the interpreters. Return 1 if there are none."""
    parser = argparse.ArgumentParser(description="Print the supported Python interpreters of this machine.")
    parser.add_argument("which", nargs="?", choices=["oldest", "newest"], help="print only this one")
    which = parser.parse_args().which
    supported = supported_versions(PYPROJECT.read_text(encoding="utf-8"))
    found = found_pythons(candidates(os.environ, oldest=supported[0]))
    usable = usable_by_version(found, supported)
    for line in messages(found, usable, supported, which):
        print(line, file=sys.stderr)
    for version in selected(usable, which):
        print(text(version), usable[version])
    return 0 if usable else 1


def supported_versions(pyproject: str) -> list[Version]:
    """Return the versions in the classifiers of a pyproject.toml, oldest first."""
    found = re.findall(r'"Programming Language :: Python :: (\d+)\.(\d+)"', pyproject)
    return sorted((int(major), int(minor)) for major, minor in found)


def candidates(environment: Mapping[str, str], oldest: Version) -> list[str]:
    """Return programs with the name of a Python that is new enough, in order of preference."""
    home = Path.home()
    installations = [
        (environment.get("PYENV_ROOT") or home / ".pyenv", "versions/*/bin"),
        (environment.get("ASDF_DATA_DIR") or home / ".asdf", "installs/python/*/bin"),
        (environment.get("UV_PYTHON_INSTALL_DIR") or home / ".local" / "share" / "uv" / "python", "*/bin"),
        (environment.get("RUNNER_TOOL_CACHE"), "Python/*/*/bin"),
        (environment.get("AGENT_TOOLSDIRECTORY"), "Python/*/*/bin"),
    ]
    on_path = environment.get("PATH", os.defpath).split(os.pathsep)
    # pyenv shims start slowly, and only if their version is active. Use the installations instead.
    folders = [glob.escape(folder) for folder in on_path if folder and Path(folder).name != "shims"]
    folders += [f"{glob.escape(str(root))}/{below}" for root, below in installations if root]
    programs = (program for folder in folders for program in sorted(glob.glob(f"{folder}/python3.*")))
    first: dict[str, str] = {}
    for program in programs:
        name = re.fullmatch(r"python(3)\.(\d+)", Path(program).name)
        if name and (int(name[1]), int(name[2])) >= oldest and os.access(program, os.X_OK):
            first.setdefault(os.path.realpath(program), program)
    return [sys.executable, *first.values()]


def found_pythons(programs: Iterable[str]) -> list[Python]:
    """Return the working interpreters in `programs`, in order and without duplicates."""
    with ThreadPoolExecutor() as pool:
        started = list(pool.map(probe, programs))
    return list(dict.fromkeys(python for python in started if python))


def probe(program: str) -> Python | None:
    """Start a program and return its version, or None if it is not a working Python 3."""
    # Do not let this project or user settings affect the interpreter.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    try:
        done = subprocess.run(
            [program, "-I", "-c", PROBE],
            capture_output=True,
            text=True,
            timeout=START_TIMEOUT,
            env=environment,
            check=True,
        )
        (major, minor), path, level, implementation, can_make_venvs = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    problem = ""
    if implementation != "cpython":
        problem = f"it is {implementation}, not CPython"
    elif level != "final":
        problem = f"it is a pre-release ({level})"
    elif not can_make_venvs:
        problem = "it has no venv or ensurepip; install its venv package"
    return Python((major, minor), path, problem)


def usable_by_version(found: Iterable[Python], supported: Iterable[Version]) -> dict[Version, str]:
    """Return the path of the first usable interpreter of each supported version."""
    versions = set(supported)
    usable: dict[Version, str] = {}
    for python in found:
        if python.version in versions and not python.problem:
            usable.setdefault(python.version, python.path)
    return usable


def messages(
    found: Iterable[Python],
    usable: Iterable[Version],
    supported: list[Version],
    which: str | None,
) -> Iterator[str]:
    """Yield a message for each version that is not tested, with the reason."""
    versions = sorted(usable)
    if not versions:
        yield f"Found no supported Python: install one from {text(supported[0])} to {text(supported[-1])}."
    for python in found:
        if python.version > supported[-1] and which != "oldest":
            yield f"Python {text(python.version)} is not used: no classifier names it ({python.path})."
        elif python.version in supported and python.version not in versions:
            yield f"Python {text(python.version)} is not used: {python.problem} ({python.path})."
    if not versions:
        return
    oldest, newest = versions[0], versions[-1]
    if which != "newest" and oldest != supported[0]:
        yield f"Python {text(supported[0])} not found: the oldest supported Python here is {text(oldest)}."
    if which != "oldest" and newest != supported[-1]:
        yield f"Python {text(supported[-1])} not found: the newest supported Python here is {text(newest)}."


def selected(usable: Iterable[Version], which: str | None) -> list[Version]:
    """Return the versions to print."""
    versions = sorted(usable)
    if which == "oldest":
        return versions[:1]
    if which == "newest":
        return versions[-1:]
    return versions


def text(version: Version) -> str:
    """Return a version as in its classifier, such as "3.10"."""
    return "{}.{}".format(*version)


if __name__ == "__main__":
    sys.exit(main())
