"""Which schema a facet names."""

from __future__ import annotations

from collections.abc import Iterator

from openlineage_facets.base.errors import Finding, shown
from openlineage_facets.validation.document import FacetLabel
from openlineage_facets.validation.known_facets import base_facet, entries_at, known_class
from openlineage_facets.validation.rule import label_rule
from openlineage_facets.validation.schema_url import SPEC_URL, SchemaUrl, spec_version

_SEE = "https://openlineage.io/docs/spec/facets/#custom-facet-naming"


def _url(label: FacetLabel) -> SchemaUrl | None:
    """Return the schema URL of a facet, None where it is absent or not absolute: the schema speaks of
    that.
    """
    url = SchemaUrl.of(label.schema_url) if label.schema_url is not None else None
    return url if url is not None and url.is_absolute else None


def _hint(label: FacetLabel) -> str:
    """Say the right URL of a standard facet."""
    entries = entries_at(label)
    return f"the facet's own is {entries[0].schema_url}" if entries else ""


@label_rule("OL201", "A schema URL points at a branch", see=_SEE)
def branch(label: FacetLabel) -> Iterator[Finding]:
    """A `_schemaURL` is for ever: it names one version of the schema, which never changes. What a branch
    such as `main` holds does change, so nobody can tell later which schema an old event was written to.

    Name a release, a tag or a commit.
    """
    url = _url(label)
    if url is not None and url.branch is not None:
        yield Finding(
            "/_schemaURL", "a version that never changes", f"the branch {shown(url.branch)}", _hint(label)
        )


@label_rule("OL202", "A schema URL names no version", see=_SEE)
def no_version(label: FacetLabel) -> Iterator[Finding]:
    """A `_schemaURL` names one version of the schema, in any way that tells it from the next: a release
    as in `/1-0-0/`, a tag such as `v1.2`, or a commit. A facet's schema changes over time, and its
    readers must know which one a facet was written to.
    """
    url = _url(label)
    if url is not None and url.branch is None and not url.has_version:
        yield Finding(
            "/_schemaURL",
            "a version in the URL, such as /1-0-0/",
            shown(label.schema_url),
            _hint(label),
        )


@label_rule("OL203", "A schema URL names no definition", see=_SEE)
def no_definition(label: FacetLabel) -> Iterator[Finding]:
    """A `_schemaURL` is a reference as JSON Schema has it: the URL of the document, and a fragment that
    is a JSON Pointer to the definition of the facet, such as `#/$defs/AcmeCostRunFacet`. A document may
    define several facets, and a fragment of another form leads nowhere.
    """
    url = _url(label)
    if url is not None and not url.is_pointer:
        found = "no fragment" if not url.fragment else shown("#" + url.fragment)
        entries = entries_at(label)
        name = entries[0].name if entries else f"AcmeCost{base_facet(label.container)}"
        yield Finding("/_schemaURL", f"a fragment such as #/$defs/{name}", found, _hint(label))


@label_rule("OL204", "A schema URL names the definition of another facet", see=_SEE)
def other_definition(label: FacetLabel) -> Iterator[Finding]:
    """The facet stands under the key of a standard facet, and is read as that; the `_schemaURL` names
    something else. A reader that goes by the URL understands another facet than one that goes by the key.
    """
    url, entries = _url(label), entries_at(label)
    if url is None or not entries or not url.is_pointer or _is_base(url):
        return
    if url.definition not in {entry.name for entry in entries}:
        yield Finding("/_schemaURL", f"the definition {entries[0].name}", shown(url.definition), _hint(label))


@label_rule("OL205", "A facet is written to a newer schema than this package knows", see=SPEC_URL)
def newer_version(label: FacetLabel) -> Iterator[Finding]:
    """The `_schemaURL` names a version of a standard facet that is newer than the one this package has. The
    facet was checked against the older one: it may use fields that were not checked, and may be
    refused for what is allowed by now. Older versions are fine.

    Update the package, or give it the newer schemas.
    """
    version = spec_version(label.schema_url or "")
    for entry in known_class(SchemaUrl.of(label.schema_url or "").definition):
        known = spec_version(entry.schema_url)
        if version and known and version > known and _same_file(label.schema_url or "", entry.schema_url):
            yield Finding(
                "/_schemaURL",
                f"version {'-'.join(map(str, known))} or older",
                f"version {'-'.join(map(str, version))}",
                "update openlineage-facets",
            )
            return


@label_rule("OL206", "A schema URL names a facet that the specification does not have", see=SPEC_URL)
def unknown_definition(label: FacetLabel) -> Iterator[Finding]:
    """The `_schemaURL` lies where the specification publishes its schemas, but names a definition that
    the specification, as this package knows it, does not have: it is misspelt, withdrawn or too new.

    The schema of a custom facet lies at a URL of the project that defines it.
    """
    url = _url(label)
    if url is None or not url.is_official or not url.is_pointer or _is_base(url):
        return
    if not known_class(url.definition) and not entries_at(label):
        yield Finding("/_schemaURL", "a facet of the specification", shown(url.definition))


@label_rule("OL207", "A schema URL names the base of all facets", see=_SEE)
def base_definition(label: FacetLabel) -> Iterator[Finding]:
    """The `_schemaURL` names `RunFacet`, `JobFacet`, `DatasetFacet` or another definition that all facets of
    an entity extend. It requires `_producer` and `_schemaURL` and allows anything, so it says nothing of what
    is in this facet.

    Write a schema for the facet, even one that only lists its fields, and name that. A facet that is deleted
    has nothing in it: for that one, the base is right.
    """
    url = _url(label)
    if url is not None and _is_base(url) and not label.deleted:
        yield Finding(
            "/_schemaURL",
            "the schema of this very facet",
            f"that of {url.definition}, which every facet extends",
            _hint(label) or "publish a schema for the facet and name it",
        )


@label_rule("OL208", "A schema URL is not the canonical one", see=_SEE)
def not_canonical(label: FacetLabel) -> Iterator[Finding]:
    """There is one URL for one version of a schema, the `$id` that the schema gives itself. For a
    standard facet it begins with `https://openlineage.io/spec/`. A copy of the document in a Git
    repository, or the web page that shows it, is another URL for the same thing, which readers can't tell
    to be the same.
    """
    url = _url(label)
    if url is None or url.branch is not None:
        return
    is_standard = any(entry.name == url.definition for entry in entries_at(label))
    if is_standard and not url.document.startswith(SPEC_URL):
        yield Finding("/_schemaURL", f"a URL below {SPEC_URL}", shown(label.schema_url), _hint(label))
    elif "://github.com/" in url.document and "/blob/" in url.document:
        yield Finding(
            "/_schemaURL",
            "the URL of the schema itself",
            "that of a web page that shows it",
            _hint(label) or "name the $id of the schema",
        )


def _is_base(url: SchemaUrl) -> bool:
    return url.definition in {
        "BaseFacet",
        "RunFacet",
        "JobFacet",
        "DatasetFacet",
        "InputDatasetFacet",
        "OutputDatasetFacet",
    }


def _same_file(one: str, other: str) -> bool:
    """Tell whether two URLs are versions of one document: facets once stood in the core document."""
    return SchemaUrl.of(one).document.rpartition("/")[2] == SchemaUrl.of(other).document.rpartition("/")[2]
