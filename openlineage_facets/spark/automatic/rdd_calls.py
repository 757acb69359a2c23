"""Capture the methods of RDDs that read or save them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from openlineage_facets.spark.capture.lineage_capture import LineageCapture

RDD_ACTIONS = ("collect", "toLocalIterator")
"""Actions on which most others are based; the remaining ones call `SparkContext.runJob`."""

RDD_SAVES: dict[str, str | None] = {
    "saveAsTextFile": "text",
    "saveAsPickleFile": "sequencefile",
    "saveAsSequenceFile": "sequencefile",
    "saveAsHadoopFile": None,
    "saveAsNewAPIHadoopFile": None,
    "saveAsHadoopDataset": None,
    "saveAsNewAPIHadoopDataset": None,
}
"""Methods that save an RDD, and the format of the files if it is always the same."""

_FOLDER_SETTINGS = ("mapreduce.output.fileoutputformat.outputdir", "mapred.output.dir")


def capture_rdd_action(
    capture: LineageCapture, rdd: Any, method: str, arguments: Mapping[str, Any], action: Callable[[], Any]
) -> Any:
    """Execute an action and capture what the RDD reads."""
    capture.read_rdd(rdd)
    return action()


def capture_rdd_job(
    capture: LineageCapture,
    context: Any,
    method: str,
    arguments: Mapping[str, Any],
    action: Callable[[], Any],
) -> Any:
    """Execute `SparkContext.runJob` and capture what its RDD reads."""
    capture.read_rdd(arguments["rdd"])
    return action()


def capture_rdd_save(
    capture: LineageCapture, rdd: Any, method: str, arguments: Mapping[str, Any], action: Callable[[], Any]
) -> Any:
    """Save an RDD and capture its inputs and the folder."""
    path: Any = None
    with capture.guard.step("find the folder to which an RDD is saved"):
        conf = arguments.get("conf") or {}
        path = arguments.get("path") or next((conf[key] for key in _FOLDER_SETTINGS if conf.get(key)), None)
    if path is None:
        capture.gaps.add(f"the output of {method}, whose settings name no folder")
        return capture_rdd_action(capture, rdd, method, arguments, action)
    return capture.save_rdd(action, rdd, str(path), RDD_SAVES[method])
