"""Bring the jars of Delta and Iceberg for the PySpark of this Python, which their tests run with.

The jars go to a folder of the environment. They are fetched by Ivy, which PySpark has among its own jars, so
that nothing is needed but the Java that Spark runs on. A jar is there whole or not at all, and what is there
is not fetched again.
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
"""The variable that names a folder with other jars to test with."""

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
"""The jars by the version of Spark that they are for."""

NEWEST = "the newest Delta, 4.4, is for Spark up to 4.2, the newest Iceberg, 1.12, for Spark up to 4.1"

FOLDER = Path(sys.prefix) / "lake-jars"
_PATIENCE = 600.0
"""How many seconds a fetch may take."""

_MODULE = """\
<ivy-module version="2.0">
  <info organisation="lake" module="jars"/>
  <dependencies>
{dependencies}
  </dependencies>
</ivy-module>
"""


def main() -> None:
    """Fetch the jars that are not there yet; exit with 1 and a line that says why where that fails."""
    missing = [coordinate for coordinate in coordinates() if not (FOLDER / file_of(coordinate)).exists()]
    if not missing or os.environ.get(OVERRIDE):
        return
    try:
        fetch(missing, FOLDER)
    except (LookupError, OSError, subprocess.TimeoutExpired) as error:
        names = ", ".join(map(file_of, missing))
        sys.exit(
            f"{FOLDER}: expected {names}, and could not fetch them: {error}; {OVERRIDE} may name a folder"
        )


def coordinates() -> tuple[str, ...]:
    """Return which jars are for the PySpark of this Python: none where nobody has published any."""
    return JARS.get(".".join(version("pyspark").split(".")[:2]), ())


def jars() -> list[Path]:
    """Return the jars to test with: none where they were not fetched, or are not for this PySpark."""
    given = os.environ.get(OVERRIDE)
    if given:
        return sorted(Path(given).glob("*.jar"))
    found = [FOLDER / file_of(coordinate) for coordinate in coordinates()]
    return found if all(jar.exists() for jar in found) else []


def file_of(coordinate: str) -> str:
    """Return the name of a jar's file."""
    _, module, revision = coordinate.split(":")
    return f"{module}-{revision}.jar"


def fetch(wanted: Iterable[str], folder: Path) -> None:
    """Fetch jars into a folder.

    Args:
        wanted: Their coordinates: organisation, module and revision.
        folder: Where they go, each when it is complete.

    Raises:
        LookupError: A jar could not be had.
        OSError: There is no Java, or no place for the jars.
        subprocess.TimeoutExpired: It took too long.
    """
    spec = find_spec("pyspark")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("expected PySpark beside this Python, found none")
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
        done = subprocess.run(command, capture_output=True, timeout=_PATIENCE, text=True, check=False)
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
