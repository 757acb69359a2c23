"""Rules for namespaces and names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from openlineage_facets.base.errors.findings import Finding, describe
from openlineage_facets.base.redaction.redact import redact, redact_for_display, redact_start
from openlineage_facets.naming.systems import MAX_LENGTH, Namespace
from openlineage_facets.naming.uris import escaped, is_uri
from openlineage_facets.validation.event_document import DatasetName, Document, Facet, objects_in
from openlineage_facets.validation.rule import facet_rule, name_rule, rule

_SEE = "https://openlineage.io/docs/spec/naming"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


@name_rule("OL401", "Non-standard scheme in a namespace", see=_SEE)
def scheme(dataset: DatasetName) -> Iterator[Finding]:
    """The naming specification defines one scheme for each kind of data source: `s3` even if the job uses
    `s3a` or `s3n`, `postgres` without a driver or `jdbc:`, `bigquery` and `file` without `://`. If two jobs
    name the same source differently, their lineage is not connected.
    """
    namespace = _namespace(dataset.namespace)
    if not namespace.has_specified_scheme:
        yield Finding(
            "/namespace",
            describe(namespace.with_specified_scheme),
            describe(dataset.namespace),
            "use the scheme of the naming specification",
        )


@name_rule("OL402", "Incomplete authority in a namespace", see=_SEE)
def authority(dataset: DatasetName) -> Iterator[Finding]:
    """The namespace of a dataset identifies the instance of the data source: host and port of a database, the
    bucket of an object store, the account of a warehouse. The port is required even if it is the default one,
    otherwise the same table has two names. A port of `None` is a missing setting.
    """
    namespace = _namespace(dataset.namespace)
    source = namespace.source
    if source is None or source.authority not in ("host", "host and port"):
        return
    host = namespace.authority.rpartition("@")[2]
    if not host or (source.authority == "host and port" and not re.search(r"[^:]:\d+$", host)):
        what = "a host" if source.authority == "host" else "a host and a port"
        yield Finding(
            "/namespace", f"{what}, as in {source.namespace}", describe(dataset.namespace), f"add {what}"
        )


@name_rule("OL403", "Unexpected path in a namespace", see=_SEE)
def path(dataset: DatasetName) -> Iterator[Finding]:
    """A namespace consists of a scheme and, for most data sources, an authority. Database and folder belong
    in the name. Connection options belong in neither. A trailing slash results in a different namespace, too.
    """
    namespace = _namespace(dataset.namespace)
    if namespace.source is None or re.fullmatch(namespace.source.path, namespace.rest):
        return
    expected = f"nothing after the {'bucket' if namespace.source.scheme in ('s3', 'gs') else 'authority'}"
    if namespace.source.path:
        expected = f"a namespace such as {namespace.source.namespace}"
    found = describe(namespace.rest) if namespace.rest else "nothing after the authority"
    if "@" in namespace.rest:
        found = "more"  # It may be the second half of a password.
    hint = "" if namespace.source.path else "move the path into 'name'"
    yield Finding("/namespace", expected, found, hint)


@name_rule("OL404", "Leading slash in a dataset name", see=_SEE)
def leading_slash(dataset: DatasetName) -> Iterator[Finding]:
    """In an object store, the name is the key of the object, and keys do not start with a slash. Neither do
    the names of tables and topics. Only in file systems (`file`, `hdfs`, `dbfs`, `abfss`) is the name an
    absolute path. The name of a whole bucket is `/`.
    """
    source = _namespace(dataset.namespace).source
    if source is not None and not source.rooted and dataset.name.startswith("/") and dataset.name != "/":
        yield Finding(
            "/name", f"a name of the form {source.name}", describe(dataset.name), "remove the leading slash"
        )


@name_rule("OL405", "Dataset name repeats the namespace", see=_SEE)
def whole_uri(dataset: DatasetName) -> Iterator[Finding]:
    """Namespace and name together identify a dataset: `s3://lake` and `raw/orders`. A name that is a complete
    URI contains the data source twice, and matches no dataset that is named according to the specification.
    """
    namespace, name = dataset
    repeats = "://" in namespace and len(name) > len(namespace) and name.startswith(namespace)
    if repeats or ("://" in name and _namespace(name).source is not None):
        yield Finding(
            "/name", "a name relative to the namespace", describe(name), "remove the namespace from the name"
        )


@name_rule("OL406", "Credentials in a namespace", see=_SEE)
def credentials(dataset: DatasetName) -> Iterator[Finding]:
    """A user name or password in a namespace, before the host or in connection options, is stored and visible
    to everyone who reads lineage. It also results in a separate dataset for each user.

    Remove the credentials and change the password.
    """
    if _has_secrets(dataset.namespace):
        yield Finding(
            "/namespace",
            "no user and password",
            describe(dataset.namespace),
            "remove them, and change the password",
        )


@name_rule("OL407", "Incomplete table name", see=_SEE)
def table_name(dataset: DatasetName) -> Iterator[Finding]:
    """A table name is fully qualified within its namespace: `{database}.{schema}.{table}` in PostgreSQL and
    Snowflake, `{project}.{dataset}.{table}` in BigQuery. A name that relies on the defaults of the connection
    does not match the same table in jobs with other defaults.
    """
    source = _namespace(dataset.namespace).source
    name = dataset.name
    if source is None or source.parts < 2 or any(char in name for char in "\"'`[/"):
        return
    if name and len(name.split(".")) < source.parts:
        yield Finding("/name", f"a name of the form {source.name}", describe(name))


@name_rule("OL408", "Namespace is not a valid URI", see=_SEE)
def namespace_as_uri(dataset: DatasetName) -> Iterator[Finding]:
    """A namespace is the beginning of a URI. If it contains a space or another character that a URI must not
    contain, consumers that parse it, such as Java's `java.net.URI`, reject the event or fail when they return
    it. Percent-encode these characters: `derby:/data/my%20shop/db`.

    A namespace without a colon may contain any characters.
    """
    yield from _not_encoded("/namespace", dataset.namespace)


@facet_rule(
    "OL409",
    "Address in a facet is not a valid URI",
    see="https://openlineage.io/docs/spec/facets/dataset-facets/",
    keys=("symlinks", "catalog"),
    cached=True,
)
def address_in_facet(facet: Facet) -> Iterator[Finding]:
    """The namespace of a symlink, and `warehouseUri` and `metadataUri` of a catalog, are parsed as URIs,
    although the schema defines them as strings. `file:/data/my warehouse` is not a valid URI: consumers that
    use Java's `java.net.URI` reject the event or fail when they return it. Percent-encode such characters:
    `file:/data/my%20warehouse`.
    """
    if facet.key == "symlinks":
        for index, identifier in objects_in(facet.value, "identifiers"):
            yield from _not_encoded(f"/identifiers/{index}/namespace", identifier.get("namespace"))
    else:
        for field in ("warehouseUri", "metadataUri"):
            yield from _not_encoded(f"/{field}", facet.value.get(field))


def _not_encoded(pointer: str, text: object) -> Iterator[Finding]:
    """Yield a finding if a text has a scheme and contains characters that must be percent-encoded."""
    if not isinstance(text, str) or ":" not in text or not _SCHEME.match(text):
        return
    if not is_uri(text) and escaped(text) != text:
        hint = "percent-encode spaces and similar characters"
        yield Finding(pointer, "a URI (RFC 3986)", describe(text), hint)


def _has_secrets(namespace: str) -> bool:
    """Return whether a namespace contains credentials."""
    if redact(namespace) != namespace:
        return True
    # A password may contain slashes: what looks like a path may be the second half of a password.
    return _namespace(namespace).source is not None and redact_for_display(namespace) != namespace


def _namespace(text: str) -> Namespace:
    """Parse a namespace; a long one is redacted before it is truncated."""
    return Namespace.parse(text if len(text) <= MAX_LENGTH else redact_start(text, MAX_LENGTH))


@rule("OL313", "Empty name", see="https://openlineage.io/docs/spec/naming")
def empty_name(document: Document) -> Iterator[Finding]:
    """Jobs and datasets are identified by namespace and name. The schema accepts an empty or blank string,
    but all jobs or datasets with that name are treated as the same one.
    """
    for entity in document.entities:
        if entity.kind == "run":
            continue
        for field in ("namespace", "name"):
            value = entity.value.get(field)
            if isinstance(value, str) and (not value or value.isspace()):
                yield Finding(f"{entity.pointer}/{field}", "a name", describe(value))
