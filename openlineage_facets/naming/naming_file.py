"""Read `naming.toml`, the rules from name to name of a project.

Example:
    main_name = "table"

    [hosts]
    "10.0.0.7" = "db.example.com"

    [namespaces]
    "s3a://{bucket}" = "s3://{bucket}"

    [[datasets]]
    from = { namespace = "file", name = "{:.*}/lake/{path:.+}" }
    to = { namespace = "s3://lake", name = "{path}" }
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictStr, ValidationError, model_validator

from openlineage_facets.base.errors.findings import describe
from openlineage_facets.naming.naming_rules import (
    VARIABLE,
    MainName,
    Naming,
    NamingError,
    Rule,
    dataset_rule,
    host_rule,
)
from openlineage_facets.toml_file import read_toml

NamingInput: TypeAlias = "Naming | str | PathLike[str]"
"""Rules, or the path of a naming file."""


def read_naming(path: str | PathLike[str]) -> Naming:
    """Return the rules of a naming file.

    Raises:
        NamingError: The file cannot be read or is invalid. The message has one line.
        ModuleNotFoundError: On Python 3.10, tomli is not installed.

    Example:
        >>> read_naming("naming.toml").rename("s3a://lake", "raw/orders")
        ('s3://lake', 'raw/orders')
    """
    file = Path(path)
    try:
        document = read_toml(file)
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise NamingError(f"{file}: {(error.strerror or str(error)).lower()}") from None
    except ValueError as error:
        raise NamingError(f"{file}: expected TOML: {error}") from None
    try:
        parsed = _File.model_validate(document)
    except ValidationError as error:
        (first, *_) = error.errors(include_url=False)
        keys = first["loc"][:-1] if first["type"] == "missing" else first["loc"]
        raise NamingError(f"{_location(file, lines, keys)}: {_message(first)}") from None
    return Naming(tuple(_rules(parsed, file, lines)), parsed.main_name, parsed.report_joined)


def naming_of(naming: NamingInput | None) -> Naming | None:
    """Return rules: as passed, of a file, or of the file that the environment names.

    Raises:
        NamingError: The file cannot be read or is invalid.
    """
    if isinstance(naming, Naming):
        return naming
    path = naming or os.environ.get(VARIABLE)
    return read_naming(path) if path else None


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _From(_Table):
    namespace: StrictStr
    name: StrictStr


class _To(_Table):
    namespace: StrictStr | None = None
    name: StrictStr | None = None

    @model_validator(mode="after")
    def _is_not_empty(self) -> _To:
        if self.namespace is None and self.name is None:
            raise ValueError("expected a namespace or a name, found neither")
        return self


class _Datasets(_Table):
    from_: _From = Field(alias="from")
    to: _To


class _File(_Table):
    main_name: MainName | None = None
    report_joined: StrictBool = True
    hosts: dict[str, StrictStr] = {}
    namespaces: dict[str, StrictStr] = {}
    datasets: list[_Datasets] = []


def _rules(parsed: _File, file: Path, lines: list[str]) -> Iterator[Rule]:
    for alias, host in parsed.hosts.items():
        yield host_rule(_location(file, lines, ("hosts", alias)), alias, host)
    named = [(("namespaces", old), (old, None, new, None)) for old, new in parsed.namespaces.items()] + [
        (("datasets", number), (one.from_.namespace, one.from_.name, one.to.namespace, one.to.name))
        for number, one in enumerate(parsed.datasets)
    ]
    for keys, texts in named:
        location = _location(file, lines, keys)
        try:
            yield dataset_rule(location, *texts)
        except ValueError as error:
            raise NamingError(f"{location}: {error}") from None


def _location(file: Path, lines: list[str], keys: Iterable[str | int]) -> str:
    """Return the file and the line of a key, or of the table that should contain it."""
    found, position = None, 0
    for key in keys:
        if isinstance(key, int):
            tables = [at for at, line in enumerate(lines) if _DATASETS.match(line)]
            place = tables[key] if key < len(tables) else None
        else:
            name = rf"[\"']?{re.escape(key)}[\"']?"
            pattern = re.compile(rf"\s*(?:\[+\s*{name}\s*\]+|(?:.*[{{,]\s*)?{name}\s*[=.])")
            place = next((at for at in range(position, len(lines)) if pattern.match(lines[at])), None)
        if place is not None:
            found = position = place
    return str(file) if found is None else f"{file}:{found + 1}"


_DATASETS = re.compile(r"\s*\[\[\s*datasets\s*\]\]")


def _message(error: Any) -> str:
    where = ".".join("" if isinstance(part, int) else str(part) for part in error["loc"]).replace("..", ".")
    if error["type"] == "extra_forbidden":
        known = _KNOWN.get(error["loc"][0] if len(error["loc"]) > 1 else "", "from and to")
        known = known if len(error["loc"]) < 4 else "namespace and name"
        return f"unknown key {where}; known keys: {known}"
    if error["type"] == "missing":
        return f"missing {where}"
    text = error["msg"].removeprefix("Value error, ")
    found = "" if error["type"] == "value_error" else f", found {describe(error['input'])}"
    return f"{where}: {text[:1].lower()}{text[1:]}{found}"


_KNOWN = {"": "main_name, report_joined, hosts, namespaces, datasets"}
