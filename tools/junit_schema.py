"""Bring the published schema of JUnit XML into this environment: that of Jenkins' xUnit plugin.

Of what pip can bring, the sources of pytest have it, in none of its wheels. They are taken at the version
that constraints.txt names. Where they can't be had, what was brought before stays, and a line says so.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

SCHEMA = Path(sys.prefix) / "junit-10.xsd"
"""Where the schema is put."""

MEMBER = "testing/example_scripts/junit-10.xsd"


def main() -> None:
    """Bring the schema."""
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "pytest"]
        constraints = ["--constraint", str(ROOT / "constraints.txt")]
        if subprocess.run([*pip, *constraints, "--dest", folder, "pytest"], stdout=sys.stderr).returncode:
            print(f"The schema of JUnit XML can't be brought to {SCHEMA} now.", file=sys.stderr)
            return
        (sources,) = Path(folder).glob("pytest-*.tar.gz")
        put(schema_in(sources), SCHEMA)


def schema_in(sources: Path) -> bytes:
    """Return the schema from an archive of pytest's sources.

    Raises:
        LookupError: The archive has it no more.
    """
    with tarfile.open(sources) as archive:
        for member in archive:
            if member.name.partition("/")[2] == MEMBER and (file := archive.extractfile(member)):
                return file.read()
    raise LookupError(f"{sources.name}: expected {MEMBER}, found none; look where pytest keeps it now")


def put(content: bytes, path: Path) -> None:
    """Write a file that others may be reading: they see the old one or the new one."""
    made = path.with_name(f"{path.name}.{os.getpid()}")
    made.write_bytes(content)
    made.replace(path)


if __name__ == "__main__":
    main()
