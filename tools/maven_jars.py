"""Download jars from Maven Central, which tests need.

The jars are stored in the virtual environment. They are downloaded by Ivy, which is part of PySpark, so that
only Java is needed. Downloads are atomic, and existing jars are not downloaded again.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path

_TIMEOUT = 600.0
"""Maximum duration of a download in seconds."""

_MODULE = """\
<ivy-module version="2.0">
  <info organisation="wanted" module="jars"/>
  <dependencies>
{dependencies}
  </dependencies>
</ivy-module>
"""


def fetch_missing(wanted: Sequence[str], folder: Path, override: str) -> None:
    """Download missing jars. On failure, exit with 1 and one line with the reason.

    Args:
        wanted: Coordinates: organisation, module and revision.
        folder: Folder for the jars.
        override: Environment variable with a folder of other jars to use.
    """
    missing = [coordinate for coordinate in wanted if not (folder / file_of(coordinate)).exists()]
    if not missing or os.environ.get(override):
        return
    try:
        fetch(missing, folder)
    except (LookupError, OSError, subprocess.TimeoutExpired) as error:
        names = ", ".join(map(file_of, missing))
        sys.exit(
            f"{folder}: cannot download {names}: {error}; set {override} to a folder that contains the jars"
        )


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
    [ivy] = jars_of_pyspark().glob("ivy-*.jar")
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else "java"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".fetched-", dir=folder) as name:
        fetched = Path(name)
        module = fetched / "ivy.xml"
        module.write_text(_MODULE.format(dependencies="\n".join(map(_dependency, wanted))))
        pattern = f"{fetched}/[artifact]-[revision].[ext]"
        command = [java, f"-Divy.default.ivy.user.dir={fetched}/ivy", "-jar", str(ivy), "-warn"]
        command += ["-ivy", str(module), "-confs", "default", "-types", "jar", "bundle", "-retrieve", pattern]
        done = subprocess.run(command, capture_output=True, timeout=_TIMEOUT, text=True, check=False)
        if done.returncode != 0:
            lines = (done.stdout + done.stderr).splitlines()
            raise LookupError(next((line.strip() for line in lines if "error at" in line), lines[-1:]))
        for coordinate in wanted:
            (fetched / file_of(coordinate)).replace(folder / file_of(coordinate))


def jars_of_pyspark() -> Path:
    """Return the folder of Spark's own jars.

    Raises:
        FileNotFoundError: PySpark is not installed.
    """
    spec = find_spec("pyspark")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("PySpark is not installed in this environment")
    return Path(spec.origin).parent / "jars"


def _dependency(coordinate: str) -> str:
    organisation, module, revision = coordinate.split(":")
    return f'    <dependency org="{organisation}" name="{module}" rev="{revision}" transitive="false"/>'
