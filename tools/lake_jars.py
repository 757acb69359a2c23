"""Download the Delta and Iceberg jars for the installed version of PySpark, which tests need.

The jars are stored in the virtual environment. They are downloaded by Ivy, which is part of PySpark, so that
only Java is needed. Downloads are atomic, and existing jars are not downloaded again.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

OVERRIDE = "OPENLINEAGE_FACETS_LAKE_JARS"
"""Environment variable with a folder of other jars to use."""

JARS = {
    "3.5": (
        "io.delta:delta-spark_2.12:3.3.3",
        "io.delta:delta-storage:3.3.3",
        "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.12.0",
    ),
    "4.1": (
        "io.delta:delta-spark_4.1_2.13:4.4.0",
        "io.delta:delta-storage:4.4.0",
        "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0",
    ),
}
"""Jars by Spark version."""

NEWEST = "Delta 4.4 supports Spark up to 4.2, Iceberg 1.12 up to 4.1"

FOLDER = Path(sys.prefix) / "lake-jars"
_TIMEOUT = 600.0
"""Maximum duration of a download in seconds."""

_MODULE = """\
<ivy-module version="2.0">
  <info organisation="lake" module="jars"/>
  <dependencies>
{dependencies}
  </dependencies>
</ivy-module>
"""


def main() -> None:
    """Download missing jars. On failure, exit with 1 and one line with the reason."""
    missing = [coordinate for coordinate in coordinates() if not (FOLDER / file_of(coordinate)).exists()]
    if not missing or os.environ.get(OVERRIDE):
        return
    try:
        fetch(missing, FOLDER)
    except (LookupError, OSError, subprocess.TimeoutExpired) as error:
        names = ", ".join(map(file_of, missing))
        sys.exit(
            f"{FOLDER}: cannot download {names}: {error}; set {OVERRIDE} to a folder that contains the jars"
        )


def coordinates() -> tuple[str, ...]:
    """Return the jars for the installed PySpark, empty if none are published for it."""
    return JARS.get(".".join(version("pyspark").split(".")[:2]), ())


def jars() -> list[Path]:
    """Return the jars to test with, empty if they are not available."""
    folder = os.environ.get(OVERRIDE)
    if folder:
        return sorted(Path(folder).glob("*.jar"))
    found = [FOLDER / file_of(coordinate) for coordinate in coordinates()]
    return found if all(jar.exists() for jar in found) else []


def file_of(coordinate: str) -> str:
    """Return the file name of a jar."""
    _, module, revision = coordinate.split(":")
    return f"{module}-{revision}.jar"


def fetch(wanted: Iterable[str], folder: Path) -> None:
    """Download jars to a folder.

    Args:
        wanted: Coordinates: organisation, module and revision.
        folder: Folder for the jars.

    Raises:
        LookupError: A jar could not be downloaded.
        OSError: Java is missing, or the folder cannot be written.
        subprocess.TimeoutExpired: The download took too long.
    """
    spec = find_spec("pyspark")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("PySpark is not installed in this environment")
    [ivy] = Path(spec.origin).parent.glob("jars/ivy-*.jar")
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else "java"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".fetched-", dir=folder) as name:
        fetched = Path(name)
        module = fetched / "ivy.xml"
        module.write_text(_MODULE.format(dependencies="\n".join(map(_dependency, wanted))))
        pattern = f"{fetched}/[artifact]-[revision].[ext]"
        command = [java, f"-Divy.default.ivy.user.dir={fetched}/ivy", "-jar", str(ivy), "-warn"]
        command += ["-ivy", str(module), "-confs", "default", "-types", "jar", "-retrieve", pattern]
        done = subprocess.run(command, capture_output=True, timeout=_TIMEOUT, text=True, check=False)
        if done.returncode != 0:
            lines = (done.stdout + done.stderr).splitlines()
            raise LookupError(next((line.strip() for line in lines if "error at" in line), lines[-1:]))
        for coordinate in wanted:
            (fetched / file_of(coordinate)).replace(folder / file_of(coordinate))


def _dependency(coordinate: str) -> str:
    organisation, module, revision = coordinate.split(":")
    return f'    <dependency org="{organisation}" name="{module}" rev="{revision}" transitive="false"/>'


if __name__ == "__main__":
    main()
