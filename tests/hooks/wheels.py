"""Create wheels from installed packages, to install them without a network."""

from __future__ import annotations

from importlib.metadata import Distribution, distribution
from pathlib import Path
from zipfile import ZipFile

from tests.packaging.requirements import closure


def write_wheels(names: set[str], folder: Path) -> None:
    """Write a wheel of each distribution and of its requirements."""
    for name in closure(names):
        _write_wheel(distribution(name), folder)


def _write_wheel(installed: Distribution, folder: Path) -> None:
    files = [file for file in installed.files or () if file.parts[0] != ".." and file.suffix != ".pyc"]
    records = [line for line in (installed.read_text("RECORD") or "").splitlines() if line]
    tags = [line for line in (installed.read_text("WHEEL") or "").splitlines() if line.startswith("Tag: ")]
    name = installed.metadata["Name"].replace("-", "_")
    with ZipFile(folder / f"{name}-{installed.version}-{_tag(tags)}.whl", "w") as wheel:
        for file in files:
            if file.name == "RECORD" and file.parent.suffix == ".dist-info":
                kept = [line for line in records if line.partition(",")[0] in set(map(str, files))]
                wheel.writestr(str(file), "\n".join(kept) + "\n")
            elif file.name not in ("INSTALLER", "REQUESTED", "direct_url.json"):
                wheel.write(file.locate(), str(file))


def _tag(lines: list[str]) -> str:
    """Return the tags of a wheel in the form of its file name."""
    parts = [line.removeprefix("Tag: ").split("-") for line in lines]
    return "-".join(".".join(dict.fromkeys(tag[place] for tag in parts)) for place in range(3))
