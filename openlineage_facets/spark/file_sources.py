"""The datasets that a relation of files reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from openlineage_facets.facets import DatasetFacet, DatasetVersionDatasetFacet
from openlineage_facets.spark.jvm import JavaObject, hadoop_configuration, hadoop_path, option
from openlineage_facets.spark.path_names import before_glob, folders_of_files
from openlineage_facets.spark.spark_dataset import storage_facet

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["file_facets", "paths_read", "qualified"]

_SEPARATOR = "\n"  # no path that Spark reads has a line break in it


def paths_read(spark: SparkSession, relation: JavaObject) -> list[str]:
    """Return the paths that a HadoopFsRelation reads: folders, or a file that is read alone.

    A pattern stands for the folder it looks in, several files of a folder for the folder. Nothing is listed
    that Spark has not listed.
    """
    options = relation.options()
    base = option(options.get("basePath"))
    if base is not None:
        return [qualified(spark, base)]
    pattern = option(options.get("path"))
    folder = before_glob(pattern) if pattern else None
    index = relation.location()
    if folder is not None:
        return [qualified(spark, folder)]
    return folders(root_paths(index), index)


def root_paths(index: JavaObject) -> list[str]:
    """Return the paths that a file index was made for."""
    return [path for path in str(index.rootPaths().mkString(_SEPARATOR)).split(_SEPARATOR) if path]


def folders(roots: list[str], index: JavaObject) -> list[str]:
    """Return root paths, or the folders that they lie in where they are files."""
    return folders_of_files(roots) if len(roots) > 1 and _are_files(roots, index) else roots


def file_facets(relation: JavaObject) -> list[DatasetFacet]:
    """Say how the files of a HadoopFsRelation are stored and, for Delta, which version is read."""
    index = relation.location()
    file_format = format_name(relation.fileFormat())
    if ".delta." not in str(index.getClass().getName()):
        return [storage_facet("file", file_format)]
    version = DatasetVersionDatasetFacet(dataset_version=str(index.getSnapshot().version()))
    return [storage_facet("delta", "parquet"), version]


def format_name(file_format: JavaObject) -> str:
    """Return the short name of a file format: `parquet`, `csv`."""
    try:
        return str(file_format.shortName())
    except Exception:  # py4j tells in no better way that a format has none
        return str(file_format.toString()).lower()


def qualified(spark: SparkSession, path: str) -> str:
    """Return a path with its file system, as Spark resolves it; as it is where that is unknown."""
    found = hadoop_path(spark, path)
    try:
        system = found.getFileSystem(hadoop_configuration(spark))
        return str(found.makeQualified(system.getUri(), system.getWorkingDirectory()).toString())
    except Exception:  # no jar for it here: the write will say so better
        return path


def _are_files(roots: list[str], index: JavaObject) -> bool:
    """Tell whether root paths are files themselves, by the listing that Spark has made."""
    files = index.allFiles()
    return bool(files.size() == len(roots) and str(files.head().getPath().toString()) in set(roots))
