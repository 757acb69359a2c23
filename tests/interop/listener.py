"""OpenLineage's Spark listener next to SparkRun, in the same Spark."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from openlineage_facets import EventError, parse_event
from tests.interop.exchanges import Exchange, Reply
from tests.interop.programs import run
from tests.interop.spark_job import EVENTS
from tests.spark.corpus.compare_listener import LISTENER


def spark_listener() -> Iterator[Exchange]:
    """Read the listener's events, and compare the datasets of both."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        theirs = folder / "theirs.ndjson"
        theirs.touch()
        run([sys.executable, "-m", "tests.interop.spark_job", folder, theirs])
        ours = _events_of(folder / EVENTS)
        written = _events_of(theirs)
    yield Exchange(
        "openlineage-spark, its events, read here", LISTENER, written, list(map(read_here, written))
    )
    datasets = _datasets(ours)
    same = [_datasets(written).get(key) for key in datasets]
    replies = [Reply(one, "" if one else "not reported") for one in same]
    title = "openlineage-spark, datasets of SparkRun next to it"
    yield Exchange(title, LISTENER, list(datasets.values()), replies)


def read_here(event: dict[str, Any]) -> Reply:
    """Return an event of another producer as this package writes it after parsing."""
    try:
        return Reply(parse_event(event).to_dict())
    except EventError as error:
        return Reply(refusal=str(error))


def _datasets(events: Iterable[dict[str, Any]]) -> dict[tuple[str, str, str], dict[str, Any]]:
    """Return each input and output of events with its columns."""
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for event in events:
        for role in ("inputs", "outputs"):
            for dataset in event.get(role) or ():
                identity = {"role": role, "namespace": dataset["namespace"], "name": dataset["name"]}
                one = found.setdefault(tuple(identity.values()), {**identity, "columns": []})
                fields = dataset.get("facets", {}).get("schema", {}).get("fields", ())
                one["columns"] = [field["name"] for field in fields] or one["columns"]
    return found


def _events_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
