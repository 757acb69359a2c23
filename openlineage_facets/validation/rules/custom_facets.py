"""Rules for the keys and class names of custom facets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from openlineage_facets.base.errors.findings import Finding, describe
from openlineage_facets.base.redaction.redact import redact_start
from openlineage_facets.generated.registry import FACETS
from openlineage_facets.validation.event_document import FacetLabel
from openlineage_facets.validation.rule import label_rule
from openlineage_facets.validation.schema_url import SchemaUrl
from openlineage_facets.validation.standard_facets import (
    ENTITY_OF_CONTAINER,
    is_custom,
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
    name = f"{first[:1].lower()}{first[1:]}" + "".join(f"{one[:1].upper()}{one[1:]}" for one in others)
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
