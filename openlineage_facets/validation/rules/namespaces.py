"""How the namespaces and names of datasets are spelled."""

from __future__ import annotations

import re
from collections.abc import Iterator

from openlineage_facets.base.errors import Finding, shown
from openlineage_facets.validation.data_sources import Namespace, has_secrets
from openlineage_facets.validation.document import DatasetName
from openlineage_facets.validation.rule import name_rule

_SEE = "https://openlineage.io/docs/spec/naming"


@name_rule("OL401", "The scheme of a namespace is spelled otherwise", see=_SEE)
def scheme(dataset: DatasetName) -> Iterator[Finding]:
    """The naming specification has one spelling for each kind of data source: `s3`, whether a job reads
    by `s3a` or `s3n`; `postgres` without a driver or `jdbc:` in front; `bigquery` and `file` as bare
    words. Two jobs that spell one source in two ways share no dataset, and lineage breaks between them.
    """
    namespace = Namespace.of(dataset.namespace)
    if not namespace.is_spelled_right:
        yield Finding(
            "/namespace",
            shown(namespace.spelled_right),
            shown(dataset.namespace),
            "spell the scheme as the naming specification does",
        )


@name_rule("OL402", "A namespace does not say which server", see=_SEE)
def authority(dataset: DatasetName) -> Iterator[Finding]:
    """The namespace of a dataset says which instance of the data source it is in: host and port of a
    database, the bucket of an object store, the account of a warehouse. The port is part of it even where
    it is the usual one, or the same table has two names. A port of `None` is a setting that was never
    made.
    """
    namespace = Namespace.of(dataset.namespace)
    source = namespace.source
    if source is None or source.authority not in ("host", "host and port"):
        return
    host = namespace.authority.rpartition("@")[2]
    if not host or (source.authority == "host and port" and not re.search(r"[^:]:\d+$", host)):
        what = "a host" if source.authority == "host" else "a host and a port"
        yield Finding(
            "/namespace", f"{what}, as in {source.namespace}", shown(dataset.namespace), "name the instance"
        )


@name_rule("OL403", "A namespace has a path", see=_SEE)
def path(dataset: DatasetName) -> Iterator[Finding]:
    """A namespace is the data source and nothing more: a scheme and, for most, an authority. Database,
    folder and everything else below belong to the name; options of a connection belong nowhere. A slash
    at the end makes another namespace, too.
    """
    namespace = Namespace.of(dataset.namespace)
    if namespace.source is None or re.fullmatch(namespace.source.path, namespace.rest):
        return
    expected = f"nothing behind the {'bucket' if namespace.source.scheme in ('s3', 'gs') else 'authority'}"
    if namespace.source.path:
        expected = f"a namespace such as {namespace.source.namespace}"
    found = shown(namespace.rest) if namespace.rest else "nothing behind the authority"
    if "@" in namespace.rest:
        found = "more"  # It may be the rest of a password.
    hint = "" if namespace.source.path else "what is below the source belongs to 'name'"
    yield Finding("/namespace", expected, found, hint)


@name_rule("OL404", "A name begins with a slash", see=_SEE)
def leading_slash(dataset: DatasetName) -> Iterator[Finding]:
    """In an object store the name is the key of the object, and keys do not begin with a slash; nor do
    the names of tables and topics. Who joins namespace and name by a slash gets two. Only in file systems
    (`file`, `hdfs`, `dbfs`, `abfss`) is the name a path from the root. A bucket as a whole is `/`.
    """
    source = Namespace.of(dataset.namespace).source
    if source is not None and not source.rooted and dataset.name.startswith("/") and dataset.name != "/":
        yield Finding(
            "/name",
            f"a name of the form {source.name}",
            shown(dataset.name),
            "leave the slash at its beginning out",
        )


@name_rule("OL405", "A name repeats the namespace", see=_SEE)
def whole_uri(dataset: DatasetName) -> Iterator[Finding]:
    """Namespace and name together make the URI of a dataset: `s3://lake` and `raw/orders`. A name that is
    a URI of its own says the data source twice, and matches no dataset that is named by the
    specification.
    """
    namespace, name = dataset
    repeats = "://" in namespace and len(name) > len(namespace) and name.startswith(namespace)
    if repeats or ("://" in name and Namespace.of(name).source is not None):
        yield Finding(
            "/name", "what is below the namespace", shown(name), "leave the namespace out of the name"
        )


@name_rule("OL406", "A namespace holds credentials", see=_SEE)
def credentials(dataset: DatasetName) -> Iterator[Finding]:
    """A user and a password in a namespace go to whoever reads lineage, and stay there, whether they stand
    before the host or among the options of a connection. They also make another dataset of the same table
    for each user. Change the password: it is known by now.
    """
    if has_secrets(dataset.namespace):
        yield Finding(
            "/namespace",
            "no user and password",
            shown(dataset.namespace),
            "leave them out, and change the password",
        )


@name_rule("OL407", "The name of a table lacks its database or schema", see=_SEE)
def table_name(dataset: DatasetName) -> Iterator[Finding]:
    """The name of a table is complete within its namespace: `{database}.{schema}.{table}` in PostgreSQL
    or Snowflake, `{project}.{dataset}.{table}` in BigQuery. A name that leaves out what the connection
    presets is another dataset than the one that a job with other presets tells of.
    """
    source = Namespace.of(dataset.namespace).source
    name = dataset.name
    if source is None or source.parts < 2 or any(char in name for char in "\"'`[/"):
        return
    if name and len(name.split(".")) < source.parts:
        yield Finding("/name", f"a name of the form {source.name}", shown(name))
