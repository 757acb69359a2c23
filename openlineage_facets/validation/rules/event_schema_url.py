"""Which schema the event itself names."""

from __future__ import annotations

from collections.abc import Iterator

from openlineage_facets.base.errors import Finding, shown
from openlineage_facets.generated.open_lineage import DatasetEvent, JobEvent, RunEvent
from openlineage_facets.validation.document import Document
from openlineage_facets.validation.rule import rule
from openlineage_facets.validation.schema_url import SPEC_URL, SchemaUrl, spec_version

_SEE = "https://openlineage.io/docs/spec/schemas"
_URLS = {
    "run": RunEvent.__schema_url__,
    "job": JobEvent.__schema_url__,
    "dataset": DatasetEvent.__schema_url__,
}
_KINDS = {SchemaUrl.of(url).definition: kind for kind, url in _URLS.items()}


@rule("OL209", "The event's schema URL is that of another kind of event", see=_SEE)
def other_kind(document: Document) -> Iterator[Finding]:
    """`schemaURL` names the definition that the event is written to: `RunEvent`, `JobEvent` or
    `DatasetEvent`. This event has the entities of another kind, and readers that go by the URL look for
    what is not there.
    """
    url = document.value.get("schemaURL")
    kind = document.kind
    if kind is None or not isinstance(url, str) or url == _URLS[kind]:
        return
    named = _KINDS.get(SchemaUrl.of(url).definition)
    if named is not None and named != kind:
        yield Finding("/schemaURL", f"the schema of a {kind} event", f"that of a {named} event")


@rule("OL210", "The event's schema URL names no version that this package knows", see=_SEE)
def unknown_version(document: Document) -> Iterator[Finding]:
    """`schemaURL` names the version of the specification that the event is written to, below
    `https://openlineage.io/spec/`. This one names a newer version than this package has, so parts of the
    event may have gone unchecked, or it names none.

    Older versions are fine.
    """
    url = document.value.get("schemaURL")
    kind = document.kind
    if kind is None or not isinstance(url, str) or url == _URLS[kind] or not SchemaUrl.of(url).is_absolute:
        return
    version, known = spec_version(url), spec_version(_URLS[kind])
    if version is None:
        yield Finding("/schemaURL", f"a version below {SPEC_URL}", shown(url), f"the newest is {_URLS[kind]}")
    elif known is not None and version > known:
        yield Finding(
            "/schemaURL",
            f"version {'-'.join(map(str, known))} or older",
            f"version {'-'.join(map(str, version))}",
            "update openlineage-facets",
        )
