"""Download the published schema of JUnit XML, that of Jenkins' xUnit plugin, into this environment.

The schema is part of pytest's source distribution, of the version in constraints.txt. If it cannot be
downloaded, a schema that was downloaded before is kept, and a message is printed.
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
"""Path of the schema."""

MEMBER = "testing/example_scripts/junit-10.xsd"


def main() -> None:
    """Download the schema."""
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "pytest"]
        constraints = ["--constraint", str(ROOT / "constraints.txt")]
        if subprocess.run([*pip, *constraints, "--dest", folder, "pytest"], stdout=sys.stderr).returncode:
            print(f"Cannot download the schema of JUnit XML to {SCHEMA}.", file=sys.stderr)
            return
        (sources,) = Path(folder).glob("pytest-*.tar.gz")
        write_atomically(schema_in(sources), SCHEMA)


def schema_in(sources: Path) -> bytes:
    """Return the schema in the source distribution of pytest.

    Raises:
        LookupError: The archive does not contain the schema.
    """
    with tarfile.open(sources) as archive:
        for member in archive:
            if member.name.partition("/")[2] == MEMBER and (file := archive.extractfile(member)):
                return file.read()
    raise LookupError(f"{sources.name} has no {MEMBER}; update MEMBER to its new path")


def write_atomically(content: bytes, path: Path) -> None:
    """Replace a file that other processes may be reading."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    temporary.write_bytes(content)
    temporary.replace(path)


if __name__ == "__main__":
    main()
