"""Rules for the `schemaURL` of an event and the `_schemaURL` of facets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from openlineage_facets.base.containers.facet_fit import Fit, version_in
from openlineage_facets.base.containers.registered_facets import RegisteredFacet
from openlineage_facets.base.errors.findings import Finding, describe
from openlineage_facets.event_kind import EventKind, class_of_kind
from openlineage_facets.validation.event_document import Document, FacetLabel
from openlineage_facets.validation.rule import label_rule, rule
from openlineage_facets.validation.standard_facets import (
    ENTITY_OF_CONTAINER,
    SPEC_URL,
    SchemaUrl,
    base_class_name,
    registered_facet_at,
    spec_version,
    standard_facets_at,
    standard_facets_named,
)

_SEE = "https://openlineage.io/docs/spec/facets/#custom-facet-naming"


def _url(label: FacetLabel) -> SchemaUrl | None:
    """Return the schema URL of a facet, None if it is missing or not absolute, which the schema reports."""
    url = SchemaUrl.parse(label.schema_url) if label.schema_url is not None else None
    return url if url is not None and url.is_absolute else None


def _newer_version(pointer: str, found: tuple[int, ...], known: tuple[int, ...]) -> Finding:
    expected = f"version {_shown(known)} or older"
    return Finding(pointer, expected, f"version {_shown(found)}", "update openlineage-facets")


def _shown(version: tuple[int, ...]) -> str:
    return "-".join(map(str, version))


def _hint(label: FacetLabel) -> str:
    """Return the hint with the right URL of a standard facet."""
    entries = standard_facets_at(label)
    return f"use {entries[0].schema_url}" if entries else ""


@label_rule("OL201", "Schema URL points to a branch", see=_SEE)
def branch(label: FacetLabel) -> Iterator[Finding]:
    """A `_schemaURL` refers to one version of a schema, which never changes. The contents of a branch such as
    `main` change, so that the schema of an old event is unknown later.

    Use the URL of a release, a tag or a commit.
    """
    url = _url(label)
    if url is not None and url.branch is not None:
        yield Finding(
            "/_schemaURL", "a version that never changes", f"the branch {describe(url.branch)}", _hint(label)
        )


@label_rule("OL202", "Schema URL without a version", see=_SEE)
def no_version(label: FacetLabel) -> Iterator[Finding]:
    """A `_schemaURL` contains the version of the schema: a release as in `/1-0-0/`, a tag such as `v1.2`, or
    a commit. Schemas change over time, and consumers must know which version a facet was written for.
    """
    url = _url(label)
    if url is not None and url.branch is None and not url.has_version:
        yield Finding(
            "/_schemaURL", "a version in the URL, such as /1-0-0/", describe(label.schema_url), _hint(label)
        )


@label_rule("OL203", "Schema URL without a definition", see=_SEE)
def no_definition(label: FacetLabel) -> Iterator[Finding]:
    """A `_schemaURL` is a JSON Schema reference: the URL of the document, followed by a JSON Pointer to the
    definition of the facet as the fragment, such as `#/$defs/AcmeCostRunFacet`. A document may define several
    facets, and other fragments do not identify one.

    A file may also be the schema of one facet as a whole. It is then known from `--schemas`, or from the
    installed package that was generated from it.
    """
    url = _url(label)
    if url is not None and not url.is_pointer and not _is_of_registered_class(label):
        found = "no fragment" if not url.fragment else describe("#" + url.fragment)
        entries = standard_facets_at(label)
        name = entries[0].name if entries else SchemaUrl.parse(url.document).definition
        if not name.endswith("Facet"):
            name = f"AcmeCost{base_class_name(label.container)}"
        hint = _hint(label)
        if not url.fragment:
            hint = hint or "if the whole file is the schema of this facet, pass it with --schemas"
        yield Finding("/_schemaURL", f"a fragment such as #/$defs/{name}", found, hint)


def _is_of_registered_class(label: FacetLabel) -> bool:
    """Return whether the URL may be that of the class: the schema of a facet may be at the root of its file.

    The URL of a class that cannot be used is unknown; OL205 reports the class.
    """
    custom = registered_facet_at(label)
    return bool(custom and (custom.problem or custom.facet_class.__schema_url__ == label.schema_url))


@label_rule("OL204", "Schema URL of another facet", see=_SEE)
def other_definition(label: FacetLabel) -> Iterator[Finding]:
    """The facet is stored under the key of a standard facet, but its `_schemaURL` names another definition.
    Consumers that go by the key and those that go by the URL read different facets.
    """
    url, entries = _url(label), standard_facets_at(label)
    if url is None or not entries or not url.is_pointer or _is_base(url):
        return
    if url.definition not in {entry.name for entry in entries}:
        yield Finding(
            "/_schemaURL", f"the definition {entries[0].name}", describe(url.definition), _hint(label)
        )


@label_rule("OL205", "Facet without a class for its version", see=SPEC_URL)
def other_version(label: FacetLabel) -> Iterator[Finding]:
    """The `_schemaURL` names a newer version of a facet than the installed package supports. The facet was
    validated against the older version: new fields were not validated, and values that are valid now may be
    reported as errors. Older versions are valid.

    A custom facet stays untyped and is not validated if it has the key of a registered facet, but another
    schema or another MODEL number, the first one of the version. Of a newer version with the same MODEL, it
    stays untyped if the class does not accept it, for example a new value of an enumeration. If the class
    cannot be imported, all its facets stay untyped.

    Update the package, or pass the schemas of that version with `--schemas`.
    """
    custom = registered_facet_at(label)
    if custom is not None:
        if label.schema_url is not None and not label.deleted:
            yield from _custom_version(label.schema_url, custom)
        return
    url = label.schema_url or ""
    version = spec_version(url)
    for entry in standard_facets_named(SchemaUrl.parse(url).definition) if version else ():
        known = spec_version(entry.schema_url)
        # Early versions defined facets in the core document, which has versions of its own.
        if version and known and version > known and _file(url) == _file(entry.schema_url):
            yield _newer_version("/_schemaURL", version, known)
            return


def _custom_version(url: str, custom: RegisteredFacet) -> Iterator[Finding]:
    """Yield a finding if the registered class cannot be used, or is that of another version or schema."""
    if custom.problem:
        hint = "update its package, or generate it with this version of openlineage-facets"
        yield Finding("", f"a class that can be used, {custom.path}", custom.problem, hint)
        return
    registered = custom.facet_class.__schema_url__
    found, known, name = version_in(url), version_in(registered), custom.class_names()[0]
    match custom.fit(url):
        case Fit.OTHER_SCHEMA:
            yield Finding(
                "/_schemaURL",
                f"the schema of the registered {name}, {SchemaUrl.parse(registered).document}",
                describe(url),
                "the facet stays untyped; pass its schema with --schemas to validate it",
            )
        case Fit.NEWER | Fit.OTHER_MODEL if found and known:
            yield Finding(
                "/_schemaURL",
                f"version {_shown(known)}, that of the installed {name}",
                f"version {_shown(found)}",
                f"install the package with that version of {name}, or pass its schema with --schemas",
            )


@label_rule("OL206", "Schema URL of an unknown standard facet", see=SPEC_URL)
def unknown_definition(label: FacetLabel) -> Iterator[Finding]:
    """The `_schemaURL` starts with `https://openlineage.io/spec/`, but the specification, as this package
    knows it, has no such definition. It is misspelled, withdrawn or newer than this package.

    Publish the schema of a custom facet under a URL of the project that defines it.
    """
    url = _url(label)
    if url is None or not url.is_official or not url.is_pointer or _is_base(url):
        return
    if not standard_facets_named(url.definition) and not standard_facets_at(label):
        yield Finding("/_schemaURL", "a facet of the specification", describe(url.definition))


_UNPUBLISHED = {"spark_applicationDetails", "spark_properties"}
"""Keys of facets in `spec/proposals/` that are written with the URL of their base facet."""


@label_rule("OL207", "Schema URL of a base facet", see=_SEE)
def base_definition(label: FacetLabel) -> Iterator[Finding]:
    """The `_schemaURL` names `RunFacet`, `JobFacet`, `DatasetFacet` or another base facet. A base facet
    requires only `_producer` and `_schemaURL`, so the other fields of this facet have no schema.

    Publish a schema for the facet, even one that only lists its fields, and use its URL. For a tombstone, the
    base facet is valid, and so it is for facets of the Spark listener, whose schemas are known here.
    """
    url = _url(label)
    if url is not None and _is_base(url) and not label.deleted and label.key not in _UNPUBLISHED:
        yield Finding(
            "/_schemaURL",
            "the schema of this facet",
            f"that of the base facet {url.definition}",
            _hint(label) or "publish a schema for the facet and use its URL",
        )


@label_rule("OL208", "Schema URL is not canonical", see=_SEE)
def not_canonical(label: FacetLabel) -> Iterator[Finding]:
    """Each version of a schema has one canonical URL: its `$id`. For a standard facet it starts with
    `https://openlineage.io/spec/`. The URL of a copy in a Git repository, or of a web page that shows the
    schema, is a different identifier for the same schema.
    """
    url = _url(label)
    if url is None or url.branch is not None:
        return
    is_standard = any(entry.name == url.definition for entry in standard_facets_at(label))
    if is_standard and not url.document.startswith(SPEC_URL):
        yield Finding("/_schemaURL", f"a URL below {SPEC_URL}", describe(label.schema_url), _hint(label))
    elif "://github.com/" in url.document and "/blob/" in url.document:
        yield Finding(
            "/_schemaURL",
            "the URL of the schema itself",
            "that of a web page that shows it",
            _hint(label) or "use the $id of the schema",
        )


_BASES = {"BaseFacet", *map(base_class_name, ENTITY_OF_CONTAINER)}


def _is_base(url: SchemaUrl) -> bool:
    return url.definition in _BASES


def _file(url: str) -> str:
    return SchemaUrl.parse(url).document.rpartition("/")[2]


_SEE_SCHEMAS = "https://openlineage.io/docs/spec/schemas"
_URLS = {kind: class_of_kind(kind).__schema_url__ for kind in get_args(EventKind)}
_KINDS = {SchemaUrl.parse(url).definition: kind for kind, url in _URLS.items()}


@rule("OL209", "Schema URL of another kind of event", see=_SEE_SCHEMAS)
def other_kind(document: Document) -> Iterator[Finding]:
    """`schemaURL` names the definition of the event: `RunEvent`, `JobEvent` or `DatasetEvent`. This event has
    the fields of another kind, so consumers that select the parser by URL cannot read it.
    """
    url = document.value.get("schemaURL")
    kind = document.kind
    if kind is None or not isinstance(url, str) or url == _URLS[kind]:
        return
    named = _KINDS.get(SchemaUrl.parse(url).definition)
    if named is not None and named != kind:
        yield Finding("/schemaURL", f"the schema URL of a {kind} event", f"that of a {named} event")


@rule("OL210", "Unknown version in the event's schema URL", see=_SEE_SCHEMAS)
def unknown_version(document: Document) -> Iterator[Finding]:
    """`schemaURL` contains the version of the specification: `https://openlineage.io/spec/VERSION/...`. This
    one contains no version, or a newer one than this package supports. Fields that the newer version added
    have not been validated.

    Older versions are valid.
    """
    url = document.value.get("schemaURL")
    kind = document.kind
    if kind is None or not isinstance(url, str) or url == _URLS[kind] or not SchemaUrl.parse(url).is_absolute:
        return
    version, known = spec_version(url), spec_version(_URLS[kind])
    if version is None:
        yield Finding(
            "/schemaURL", f"a version below {SPEC_URL}", describe(url), f"the newest is {_URLS[kind]}"
        )
    elif known is not None and version > known:
        yield _newer_version("/schemaURL", version, known)
