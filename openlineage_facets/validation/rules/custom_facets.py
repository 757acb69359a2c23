"""How facets that are not of the specification are named."""

from __future__ import annotations

import re
from collections.abc import Iterator

from openlineage_facets.base.credentials import without_secrets
from openlineage_facets.base.errors import Finding, shown
from openlineage_facets.generated.registry import FACETS
from openlineage_facets.validation.document import FacetLabel
from openlineage_facets.validation.known_facets import ENTITIES, is_custom, known_class
from openlineage_facets.validation.rule import label_rule
from openlineage_facets.validation.schema_url import SchemaUrl

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
"""The entities that a facet of each container may have in its name, the exact one first."""

_STANDARD_PREFIXES = {"openlineage"} | {entry.key.lower() for entry in FACETS if "_" not in entry.key}


def _own_class(label: FacetLabel) -> str | None:
    """Return the class name of a custom facet, None where its schema URL names none of its own."""
    if not is_custom(label) or label.schema_url is None:
        return None
    url = SchemaUrl.of(label.schema_url)
    return url.definition if url.is_absolute and url.definition and not url.is_official else None


@label_rule("OL101", "The key of a custom facet has no prefix", see=_SEE)
def key_without_prefix(label: FacetLabel) -> Iterator[Finding]:
    """The key of a facet that the specification does not define has the form `prefix_name`, such as
    `bigQuery_statistics`. The prefix is a word that stands for the project that defines the facet.

    Without it, the key may come to mean something else: another project may use the same one for another
    facet, and a later version of the specification may give it to a facet of its own, against whose schema
    the old events are then judged.
    """
    if is_custom(label) and not _KEY.fullmatch(label.key):
        words = re.findall(r"[A-Za-z0-9]+", without_secrets(label.key)[:60])
        example = "_".join(words) if len(words) > 1 else f"acme_{(words or ['name'])[0]}"
        yield Finding(
            "",
            "a key such as bigQuery_statistics: the prefix of a project, '_' and a name",
            shown(label.key),
            f"name it '{example[:1].lower() + example[1:]}', say",
        )


@label_rule("OL102", "The class of a custom facet is not named like one", see=_SEE)
def class_name(label: FacetLabel) -> Iterator[Finding]:
    """The definition that the `_schemaURL` of a custom facet names has the form `PrefixNameEntityFacet`, such
    as `BigQueryStatisticsJobFacet`: words in capitals, the entity that carries the facet (`Run`, `Job`,
    `Dataset`, `InputDataset` or `OutputDataset`), and `Facet`.

    Generators of code take their class names from it, and readers see by it where the facet belongs.
    """
    name = _own_class(label)
    if name is not None and not _CLASS.fullmatch(name):
        yield Finding(
            "/_schemaURL",
            f"a definition named like AcmeCost{_SUFFIXES[label.container][0]}Facet",
            shown(name),
        )


@label_rule("OL103", "The class of a custom facet names another entity", see=_SEE)
def other_entity(label: FacetLabel) -> Iterator[Finding]:
    """The name of a custom facet's definition ends with the entity that carries it, so a `...JobFacet`
    stands among the facets of a job. Where it stands among those of a run, either the facet is in the
    wrong place or the schema URL is that of another facet.

    What an input or output dataset carries in `inputFacets` or `outputFacets` may also be a
    `...DatasetFacet`.
    """
    found = _CLASS.fullmatch(_own_class(label) or "")
    if found and found["entity"] not in _SUFFIXES[label.container]:
        yield Finding(
            "/_schemaURL",
            f"the name of a facet of {ENTITIES[label.container]}, "
            f"which ends with {_SUFFIXES[label.container][0]}Facet",
            shown(found[0]),
        )


@label_rule("OL104", "Key and class of a custom facet tell two names", see=_SEE)
def key_and_class(label: FacetLabel) -> Iterator[Finding]:
    """The key of a custom facet and the name of its definition hold the same words: the facet under
    `bigQuery_statistics` of a job is defined by `BigQueryStatisticsJobFacet`. Who sees one can find the
    other.
    """
    found = _CLASS.fullmatch(_own_class(label) or "")
    if not found or not _KEY.fullmatch(label.key):
        return
    words = label.key.split("_")
    stem = found[0].removesuffix("Facet").removesuffix(found["entity"])
    if stem.lower() != "".join(words).lower():
        likely = "".join(word[:1].upper() + word[1:] for word in words)[:60]
        yield Finding(
            "/_schemaURL",
            f"the definition of {shown(label.key)}, {likely}{_SUFFIXES[label.container][0]}Facet",
            shown(found[0]),
        )


@label_rule("OL105", "A custom facet uses a name of the specification", see=_SEE)
def standard_name(label: FacetLabel) -> Iterator[Finding]:
    """A prefix is distinct: neither `openlineage`, which would say that the specification defines the facet,
    nor the key of a standard facet. The same goes for the class: a definition of your own that is called
    `SQLJobFacet` is taken for the standard one.
    """
    if not is_custom(label):
        return
    prefix = label.key.partition("_")[0]
    if "_" in label.key and prefix.lower() in _STANDARD_PREFIXES:
        yield Finding("", "a prefix that the specification does not use", shown(prefix))
    name = _own_class(label)
    if name is not None and known_class(name):
        yield Finding("/_schemaURL", "a definition that is not named like a standard one", shown(name))
