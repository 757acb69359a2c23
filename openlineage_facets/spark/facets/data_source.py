"""The dataSource facet of a dataset."""

from __future__ import annotations

from openlineage_facets.facets import DatasourceDatasetFacet
from openlineage_facets.naming.systems import system_of_scheme
from openlineage_facets.naming.uris import as_uri


def data_source_facet(namespace: str) -> DatasourceDatasetFacet:
    """Return the facet of a data source, with a URI if the namespace can be written as a valid one."""
    system = system_of_scheme(namespace)
    has_no_authority = system is not None and system.scheme == namespace  # `file`, or `hdfs` without a host.
    uri = f"{namespace}:///" if has_no_authority else as_uri(namespace)
    if uri is None:
        return DatasourceDatasetFacet(name=namespace)
    return DatasourceDatasetFacet(name=namespace, uri=uri)
