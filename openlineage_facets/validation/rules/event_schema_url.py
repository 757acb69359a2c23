"""Rules for the `schemaURL` of an event."""

from __future__ import annotations

from collections.abc import Iterator

from openlineage_facets.base.errors.findings import Finding, describe
from openlineage_facets.generated.open_lineage import DatasetEvent, JobEvent, RunEvent
from openlineage_facets.validation.event_document import Document
from openlineage_facets.validation.rule import rule
from openlineage_facets.validation.schema_url import SPEC_URL, SchemaUrl, spec_version

_SEE = "https://openlineage.io/docs/spec/schemas"
_URLS = {
    "run": RunEvent.__schema_url__,
    "job": JobEvent.__schema_url__,
    "dataset": DatasetEvent.__schema_url__,
}
_KINDS = {SchemaUrl.parse(url).definition: kind for kind, url in _URLS.items()}


@rule("OL209", "Schema URL of another kind of event", see=_SEE)
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


@rule("OL210", "Unknown version in the event's schema URL", see=_SEE)
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
        yield Finding(
            "/schemaURL",
            f"version {'-'.join(map(str, known))} or older",
            f"version {'-'.join(map(str, version))}",
            "update openlineage-facets",
        )
