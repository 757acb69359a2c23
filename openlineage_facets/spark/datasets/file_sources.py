"""Paths, storage and version of the files that a relation reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from openlineage_facets.facets import DatasetFacet, DatasetVersionDatasetFacet
from openlineage_facets.naming.storage import glob_parent, parent_folders
from openlineage_facets.spark.facets.dataset_facets import storage_facet
from openlineage_facets.spark.jvm.objects import JavaObject, hadoop_configuration, hadoop_path, json_value

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SEPARATOR = "\n"  # Spark cannot read paths with line breaks.


def relation_paths(spark: SparkSession, relation: JavaObject) -> list[str]:
    """Return the paths that a HadoopFsRelation reads: folders, or a single file.

    A glob pattern is represented by its parent folder, several files of a folder by the folder. No files are
    listed that Spark has not listed.
    """
    options = {key.lower(): value for key, value in json_value(spark, relation.options()).items()}
    base = options.get("basepath")
    if base is not None:
        return [qualified_path(spark, base)]
    pattern = options.get("path")
    folder = glob_parent(pattern) if pattern else None
    if folder is not None:
        return [qualified_path(spark, folder)]
    return folders_of_index(relation.location())


def folders_of_index(index: JavaObject) -> list[str]:
    """Return the root paths of a file index, or their parent folders if they are several files."""
    roots = [path for path in str(index.rootPaths().mkString(_SEPARATOR)).split(_SEPARATOR) if path]
    return parent_folders(roots) if len(roots) > 1 and _are_files(roots, index) else roots


def file_facets(relation: JavaObject) -> list[DatasetFacet]:
    """Return the storage facet of a HadoopFsRelation, and the version that is read of a Delta table."""
    index = relation.location()
    file_format = _format_name(relation.fileFormat())
    if ".delta." not in str(index.getClass().getName()):
        return [storage_facet("file", file_format)]
    version = DatasetVersionDatasetFacet(dataset_version=str(index.getSnapshot().version()))
    return [storage_facet("delta", "parquet"), version]


def qualified_path(spark: SparkSession, path: str) -> str:
    """Return a path with its file system as Spark resolves it; unchanged if the file system is unknown."""
    unqualified = hadoop_path(spark, path)
    try:
        system = unqualified.getFileSystem(hadoop_configuration(spark))
        return str(system.makeQualified(unqualified).toString())
    except Exception:  # The jar of the file system is missing; the job's own read or write reports it.
        return path


def _format_name(file_format: JavaObject) -> str:
    """Return the short name of a file format, such as `parquet`."""
    try:
        return str(file_format.shortName())
    except Exception:  # py4j raises if the format has no short name.
        return str(file_format.toString()).lower()


def _are_files(roots: list[str], index: JavaObject) -> bool:
    """Return whether the root paths are files, using the listing that Spark has made."""
    files = index.allFiles()
    return bool(files.size() == len(roots) and str(files.head().getPath().toString()) in set(roots))
