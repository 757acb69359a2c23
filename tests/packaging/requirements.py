"""The requirements of a wheel."""

from __future__ import annotations

from collections.abc import Iterable
from email.message import Message
from email.parser import Parser
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

from packaging.requirements import Requirement


def metadata(wheel: Path) -> Message:
    """Return the metadata of a wheel."""
    with ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return Parser().parsestr(archive.read(name).decode("utf-8"))


def required(lines: Iterable[str], extra: str = "") -> set[str]:
    """Return the names that requirement lines ask for here, with an extra or without."""
    parsed = map(Requirement, lines)
    return {one.name for one in parsed if one.marker is None or one.marker.evaluate({"extra": extra})}


def closure(names: Iterable[str]) -> set[str]:
    """Return the distributions of these names, and all that they require in turn."""
    found: set[str] = set()
    pending = set(names)
    while pending:
        name = pending.pop()
        found.add(name)
        pending |= required(distribution(name).requires or ()) - found
    return found
