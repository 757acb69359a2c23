"""Rules from name to name, so that one dataset has one name, and the file `naming.toml` with them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictStr, model_validator

from openlineage_facets.naming.name_patterns import NamePattern, filled
from openlineage_facets.naming.systems import Namespace
from openlineage_facets.toml_file import TomlTable

Name: TypeAlias = tuple[str, str]
"""Namespace and name of a dataset."""

MainName: TypeAlias = Literal["table", "path"]

VARIABLE = "OPENLINEAGE_NAMING"
"""The environment variable with the path of a naming file."""

_MOST_STEPS = 50


class NamingError(ValueError):
    """Rules that are invalid, or that do not come to an end."""


@dataclass(frozen=True)
class Rule:
    """A rule.

    Args:
        location: Where it is defined, such as `naming.toml:3`.
        rename: Returns the new name of a dataset, None or the same name if the rule does not apply.
    """

    location: str
    rename: Callable[[Name], Name | None]


def host_rule(location: str, alias: str, host: str) -> Rule:
    """Return a rule that replaces a host in namespaces, with or without its port."""

    def renamed(dataset: Name) -> Name | None:
        parsed = Namespace.parse(dataset[0])
        if not parsed.authority or parsed.text != dataset[0]:
            return None
        hosts = ",".join(map(replaced, parsed.authority.split(",")))
        start = len(parsed.scheme) + len("://")
        return dataset[0][:start] + hosts + parsed.rest, dataset[1]

    def replaced(authority: str) -> str:
        login, at, address = authority.rpartition("@")
        name, colon, port = address.rpartition(":")
        if address.lower() == alias.lower():
            return f"{login}{at}{host}"
        return f"{login}{at}{host}{colon}{port}" if colon and name.lower() == alias.lower() else authority

    return Rule(location, renamed)


def dataset_rule(
    location: str, namespace: str, name: str | None, to_namespace: str | None, to_name: str | None
) -> Rule:
    """Return a rule from patterns to texts with their placeholders.

    Args:
        location: Where it is defined.
        namespace: Pattern of namespaces.
        name: Pattern of names, None for all.
        to_namespace: The new namespace, None for the same.
        to_name: The new name, None for the same.

    Raises:
        ValueError: A pattern is invalid or a placeholder unknown.
    """
    patterns = NamePattern(namespace), None if name is None else NamePattern(name)
    placeholders = [key for pattern in patterns if pattern is not None for key in pattern.placeholders]
    known = dict.fromkeys(placeholders, "")
    if len(known) < len(placeholders):
        raise ValueError("expected each placeholder once, found the same in namespace and name")
    for text in (to_namespace, to_name):
        filled(text or "", known)

    def renamed(dataset: Name) -> Name | None:
        values: dict[str, str] = {}
        for pattern, text in zip(patterns, dataset, strict=True):
            matched = {} if pattern is None else pattern.match(text)
            if matched is None:
                return None
            values |= matched
        return (
            dataset[0] if to_namespace is None else filled(to_namespace, values),
            dataset[1] if to_name is None else filled(to_name, values),
        )

    return Rule(location, renamed)


@dataclass(frozen=True)
class Naming:
    """Rules that give each dataset one name.

    The first rule that changes a name applies, then again the first one, until none changes it. A new name
    therefore stays as it is if it is renamed again.

    Args:
        rules: The rules.
        main_name: Which name a dataset has that is a table and a path, linked by `symlinks` facets; None to
            keep its names.
        reports_joined: Whether commands report datasets that have become one.
    """

    rules: tuple[Rule, ...] = ()
    main_name: MainName | None = None
    reports_joined: bool = True

    def rename(self, namespace: str, name: str) -> Name:
        """Return the new namespace and name of a dataset.

        Raises:
            NamingError: The rules do not come to an end.
        """
        steps = self.steps(namespace, name)
        return steps[-1][1] if steps else (namespace, name)

    def steps(self, namespace: str, name: str) -> list[tuple[Rule, Name]]:
        """Return the rules that apply to a name, each with the name that it leads to.

        Raises:
            NamingError: The rules do not come to an end.
        """
        steps: list[tuple[Rule, Name]] = []
        current = namespace, name
        while True:
            renamed = ((rule, rule.rename(current) or current) for rule in self.rules)
            step = next((step for step in renamed if step[1] != current), None)
            if step is None:
                return steps
            steps.append(step)
            current = step[1]
            if len(steps) > _MOST_STEPS:
                first = [(namespace, name), *(after for _, after in steps[:3])]
                way = " -> ".join(map(" ".join, first))[:500]
                raise NamingError(f"{step[0].location}: expected rules that come to an end, found {way} ...")


def kind_of(namespace: str) -> MainName:
    """Return whether the names of a namespace are paths or tables.

    Example:
        >>> kind_of("s3://lake"), kind_of("hive://metastore:9083")
        ('path', 'table')
    """
    system = Namespace.parse(namespace).source
    return "path" if system is not None and (system.rooted or system.has_object_keys) else "table"


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
        table = TomlTable(file)
        parsed = table.read_as(_File)
    except OSError as error:
        raise NamingError(f"{file}: {(error.strerror or str(error)).lower()}") from None
    except ValueError as error:
        raise NamingError(str(error).partition("\n")[0]) from None
    return Naming(tuple(_rules(parsed, table)), parsed.main_name, parsed.report_joined)


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
            raise ValueError("expected a namespace or a name")
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


def _rules(parsed: _File, table: TomlTable) -> Iterator[Rule]:
    for alias, host in parsed.hosts.items():
        yield host_rule(table.location_of(("hosts", alias)), alias, host)

    def checked(keys: tuple[str, str | int], namespace: str, *texts: str | None) -> Rule:
        location = table.location_of(keys)
        try:
            return dataset_rule(location, namespace, *texts)
        except ValueError as error:
            raise NamingError(f"{location}: {error}") from None

    for old, new in parsed.namespaces.items():
        yield checked(("namespaces", old), old, None, new, None)
    for number, rule in enumerate(parsed.datasets):
        names = rule.from_.name, rule.to.namespace, rule.to.name
        yield checked(("datasets", number), rule.from_.namespace, *names)
