"""Check the scripts of lineage pages: format and faults, such as names that are not defined."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

from openlineage_facets.graphs.page import SCRIPTS

_TOOLS = Path(__file__).parent
_ASSETS = Path(str(files("openlineage_facets.graphs") / "assets"))


def main() -> None:
    """Print what to change, and exit with 1 if there is anything. `--fix` formats the scripts."""
    mode = "--write" if sys.argv[1:] == ["--fix"] else "--check"
    scripts = [str(_ASSETS / name) for name in SCRIPTS]
    formatted = _run("oxfmt", "--config", str(_TOOLS / "oxfmt.json"), mode, *scripts)
    if formatted.returncode:
        print(formatted.stdout + formatted.stderr, end="")
    faults = _faults()
    print("".join(f"{fault}\n" for fault in faults), end="")
    if formatted.returncode or faults:
        sys.exit(1)


def _faults() -> list[str]:
    """Return the faults of the scripts joined as in a page, since they use names of each other."""
    places = []
    for name in SCRIPTS:
        lines = (_ASSETS / name).read_text(encoding="utf-8").splitlines()
        places += [(name, number, line) for number, line in enumerate(lines, 1)]
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.js")
        page.write_text(
            "".join(["(() => {\n", *(f"{line}\n" for *_, line in places), "})();\n"]), encoding="utf-8"
        )
        found = _run("oxlint", "--config", str(_TOOLS / "oxlint.json"), "--format", "unix", str(page))
    faults = []
    for line, fault in re.findall(r"page\.js:(\d+):(.+)", found.stdout):
        name, number, _ = places[int(line) - 2]
        faults.append(f"{_ASSETS.relative_to(Path.cwd()) / name}:{number}:{fault}")
    return faults or ([found.stdout + found.stderr] if found.returncode else [])


def _run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    # Installed next to Python.
    return subprocess.run(
        [Path(sys.executable).with_name(program), *arguments], capture_output=True, text=True
    )


if __name__ == "__main__":
    main()
