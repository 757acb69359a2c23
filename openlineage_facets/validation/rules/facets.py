"""Rules for the keys and class names of custom facets, misplaced standard facets, and deprecation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic import BaseModel

from openlineage_facets.base.containers.known_facets import FacetEntry
from openlineage_facets.base.errors.findings import Finding, describe
from openlineage_facets.base.errors.json_pointer import json_pointer
from openlineage_facets.base.lazy_imports import load_class
from openlineage_facets.base.redaction.redact import redact_start
from openlineage_facets.base.wire.pydantic_internals import declared_fields
from openlineage_facets.base.wire.types import classes_in
from openlineage_facets.generated.registry import FACETS
from openlineage_facets.validation.event_document import Facet, FacetLabel
from openlineage_facets.validation.rule import facet_rule, label_rule
from openlineage_facets.validation.standard_facets import (
    ENTITY_OF_CONTAINER,
    SchemaUrl,
    facet_of_schema_url,
    facet_with_similar_key,
    is_custom,
    location_of,
    standard_facets_at,
    standard_facets_named,
)

_SEE = "https://openlineage.io/docs/spec/facets/#custom-facet-naming"

_KEY = re.compile(r"[a-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+")
_CLASS = re.compile(r"[A-Z][A-Za-z0-9]*?(?P<entity>Run|Job|InputDataset|OutputDataset|Dataset)Facet")
_SUFFIXES = {
    "RunFacets": ("Run",),
    "JobFacets": ("Job",),
    "DatasetFacets": ("Dataset",),
    "InputDatasetFacets": ("InputDataset", "Dataset"),
    "OutputDatasetFacets": ("OutputDataset", "Dataset"),
}
"""The entities allowed in the class name of a facet in each container, the preferred one first."""

_STANDARD_PREFIXES = {"openlineage"} | {entry.key.lower() for entry in FACETS if "_" not in entry.key}


def _own_class(label: FacetLabel) -> str | None:
    """Return the class name of a custom facet, None if its schema URL does not contain one."""
    if not is_custom(label) or label.schema_url is None:
        return None
    # Redacted before parsing: the last step of a URL may be the second half of a password.
    url = SchemaUrl.parse(redact_start(label.schema_url))
    return url.definition if url.is_absolute and url.definition and not url.is_official else None


@label_rule("OL101", "Custom facet key without a prefix", see=_SEE)
def key_without_prefix(label: FacetLabel) -> Iterator[Finding]:
    """The key of a custom facet has the form `prefix_name`, such as `bigQuery_statistics`. The prefix is the
    name of the project that defines the facet.

    Without a prefix, the key may collide with that of another project, or with a standard facet of a later
    version of the specification. Old events would then be validated against the wrong schema.
    """
    if is_custom(label) and not _KEY.fullmatch(label.key):
        yield Finding(
            "",
            "a key with the prefix of a project, such as bigQuery_statistics",
            describe(label.key),
            f"rename it, for example to '{_key_with_prefix(redact_start(label.key, 60))}'",
        )


def _key_with_prefix(key: str) -> str:
    """Return an example of a key for a facet. A word before a dot or the like is its prefix."""
    words = re.findall(r"[A-Za-z0-9]+", key) or ["name"]
    if len(words) == 1 or not re.search(r"[./:_]", key):
        words.insert(0, "acme")
    prefix, first, *others = words
    name = f"{first[:1].lower()}{first[1:]}" + "".join(f"{other[:1].upper()}{other[1:]}" for other in others)
    return f"{prefix[:1].lower()}{prefix[1:]}_{name}"


@label_rule("OL102", "Invalid class name of a custom facet", see=_SEE)
def class_name(label: FacetLabel) -> Iterator[Finding]:
    """The `_schemaURL` of a custom facet ends with the name of its definition. That name has the form
    `PrefixNameEntityFacet` in PascalCase, such as `BigQueryStatisticsJobFacet`. The entity is `Run`, `Job`,
    `Dataset`, `InputDataset` or `OutputDataset`.

    Code generators use it as the class name, and it shows where the facet belongs.
    """
    name = _own_class(label)
    if name is not None and not _CLASS.fullmatch(name):
        yield Finding(
            "/_schemaURL",
            f"a definition named like AcmeCost{_SUFFIXES[label.container][0]}Facet",
            describe(name),
        )


@label_rule("OL103", "Class name of a custom facet names another entity", see=_SEE)
def other_entity(label: FacetLabel) -> Iterator[Finding]:
    """The class name of a custom facet ends with the entity that has the facet: a `...JobFacet` is a facet of
    a job. Here the facet is on another entity, or the schema URL is that of another facet.

    In `inputFacets` and `outputFacets`, a `...DatasetFacet` is valid as well.
    """
    found = _CLASS.fullmatch(_own_class(label) or "")
    if found and found["entity"] not in _SUFFIXES[label.container]:
        yield Finding(
            "/_schemaURL",
            f"the class name of a facet of {ENTITY_OF_CONTAINER[label.container]}, "
            f"which ends with {_SUFFIXES[label.container][0]}Facet",
            describe(found[0]),
        )


@label_rule("OL104", "Key and class name of a custom facet differ", see=_SEE)
def key_and_class(label: FacetLabel) -> Iterator[Finding]:
    """The key of a custom facet and its class name consist of the same words: the job facet
    `bigQuery_statistics` is defined by `BigQueryStatisticsJobFacet`. This makes it easy to find one from the
    other.
    """
    found = _CLASS.fullmatch(_own_class(label) or "")
    if not found or not _KEY.fullmatch(label.key):
        return
    words = label.key.split("_")
    stem = found[0].removesuffix("Facet").removesuffix(found["entity"])
    if stem.lower() != "".join(words).lower():
        expected = "".join(word[:1].upper() + word[1:] for word in words)[:60]
        yield Finding(
            "/_schemaURL",
            f"the definition of {describe(label.key)}, {expected}{_SUFFIXES[label.container][0]}Facet",
            describe(found[0]),
        )


@label_rule("OL105", "Custom facet uses a name of the specification", see=_SEE)
def standard_name(label: FacetLabel) -> Iterator[Finding]:
    """The prefix of a custom facet is neither `openlineage`, which suggests that the specification defines
    the facet, nor the key of a standard facet. Likewise, the class name is not that of a standard facet: a
    custom `SQLJobFacet` is taken for the standard one.

    Use the name of your project as the prefix.
    """
    if not is_custom(label):
        return
    prefix = label.key.partition("_")[0]
    if "_" in label.key and prefix.lower() in _STANDARD_PREFIXES:
        yield Finding("", "a prefix that is not used by the specification", describe(prefix))
    name = _own_class(label)
    if name is not None and standard_facets_named(name):
        yield Finding(
            "/_schemaURL", "a class name that differs from those of standard facets", describe(name)
        )


_SEE_STANDARD_FACETS = "https://openlineage.io/docs/spec/facets/"


@label_rule("OL106", "Misspelled facet key", see=_SEE_STANDARD_FACETS)
def misspelled_key(label: FacetLabel) -> Iterator[Finding]:
    """A facet is identified by its key. Under an unknown key it is a custom facet: consumers ignore it, and
    its fields are not validated.

    Keys are irregular: `processing_engine`, but `nominalTime`; `parent` for `ParentRunFacet`; `dataSource`
    for `DatasourceDatasetFacet`.
    """
    intended = facet_with_similar_key(label)
    if intended is not None and intended.container == label.container and _by_url_in_container(label) is None:
        yield Finding("", f"the key '{intended.key}'", describe(label.key), f"rename it to '{intended.key}'")


@label_rule("OL107", "Standard facet under the wrong key", see=_SEE_STANDARD_FACETS)
def other_key(label: FacetLabel) -> Iterator[Finding]:
    """The `_schemaURL` names a standard facet, but the facet is stored under another key. Consumers ignore
    it, and its fields are not validated.
    """
    intended = None if standard_facets_at(label) else _by_url_in_container(label)
    if intended is not None:
        yield Finding(
            "",
            f"{intended.name} under '{intended.key}'",
            f"that facet under {describe(label.key)}",
            f"move it to '{intended.key}'",
        )


@label_rule("OL108", "Standard facet on the wrong entity", see=_SEE_STANDARD_FACETS)
def misplaced_facet(label: FacetLabel) -> Iterator[Finding]:
    """Each standard facet belongs to one kind of entity: `sql` to jobs, `nominalTime` to runs,
    `outputStatistics` to the `outputFacets` of an output dataset. On another entity it is a custom facet with
    the same key: consumers ignore it, and its fields are not validated.
    """
    if standard_facets_at(label) or _by_url_in_container(label) is not None:
        return
    intended = facet_of_schema_url(label) or facet_with_similar_key(label)
    if intended is not None and intended.container != label.container:
        yield Finding(
            "",
            f"a facet of {ENTITY_OF_CONTAINER[label.container]}",
            f"{intended.name}, a facet of {ENTITY_OF_CONTAINER[intended.container]}",
            f"move it to {location_of(intended)}",
        )


def _by_url_in_container(label: FacetLabel) -> FacetEntry | None:
    """Return the facet of the same container that the schema URL names."""
    intended = facet_of_schema_url(label)
    return intended if intended is not None and intended.container == label.container else None


EACH = "*"
"""The step of a path that matches each item of an array or each value of a map."""


class Deprecated(NamedTuple):
    """A deprecated field, or a deprecated facet."""

    path: tuple[str, ...]
    """Wire names from the facet down, `EACH` for all items of an array or map; empty for the facet."""
    reason: str
    """The reason from the specification, or ""."""


@lru_cache(maxsize=1)
def deprecated_in() -> dict[tuple[str, str], tuple[Deprecated, ...]]:
    """Return deprecated fields by container and facet key."""
    found: dict[tuple[str, str], list[Deprecated]] = {}
    for entry in FACETS:
        facet = load_class("openlineage_facets.generated", f"{entry.module}:{entry.name}")
        paths = _of_class(facet, (), ())
        reason = getattr(facet, "__deprecated__", None)
        if reason is not None:
            paths.insert(0, Deprecated((), str(reason)))
        if paths:
            found.setdefault((entry.container, entry.key), []).extend(paths)
    return {location: tuple(paths) for location, paths in found.items()}


def _of_class(model: type[BaseModel], path: tuple[str, ...], above: tuple[type, ...]) -> list[Deprecated]:
    if model in above:
        return []  # Recursive: the fields are the same at every depth.
    found = []
    for name, info in declared_fields(model).items():
        here = (*path, info.alias or name)
        if info.deprecated:
            found.append(Deprecated(here, info.deprecation_message or ""))
        for nested_class, around in classes_in(info.annotation):
            if issubclass(nested_class, BaseModel):
                each = [EACH for cls in around if issubclass(cls, (dict, tuple, list))]
                found += _of_class(nested_class, (*here, *each), (*above, model))
    return found


@facet_rule(
    "OL306",
    "Deprecated facet or field",
    see="https://openlineage.io/docs/spec/facets/",
    keys=sorted({key for _, key in deprecated_in()}),
    cached=True,
)
def deprecated(facet: Facet) -> Iterator[Finding]:
    """The specification marks this facet or field as deprecated. Consumers may stop reading it.

    The hint repeats what the specification recommends instead.
    """
    for path, reason in deprecated_in().get((facet.container, facet.key), ()):
        for pointer in _present(facet.value, path):
            yield Finding(
                pointer,
                "no deprecated facet or field",
                f"'{path[-1] if path else facet.key}'",
                reason[:1].lower() + reason[1:].rstrip("."),
            )


def _present(value: Any, path: tuple[str, ...]) -> list[str]:
    """Return a pointer to each value that `path` matches."""
    level: list[tuple[tuple[str | int, ...], Any]] = [((), value)]
    for step in path:  # All values of a level at once, which is several times as fast as one by one.
        if step == EACH:
            level = [
                ((*steps, key), item)
                for steps, value in level
                if isinstance(value, (dict, list))
                for key, item in (value.items() if isinstance(value, dict) else enumerate(value))
            ]
        else:
            level = [
                ((*steps, step), value[step])
                for steps, value in level
                if isinstance(value, dict) and step in value
            ]
    return [json_pointer(steps) for steps, _ in level]
