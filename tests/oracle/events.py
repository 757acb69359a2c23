"""Generate events of every kind: complete ones, and the smallest that can have a facet."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.oracle import values
from tests.oracle.documents import Maker
from tests.oracle.schemas import RELEASED, Place, core


def event(random: Random, kind: str) -> dict[str, Any]:
    """Return a valid event of a kind, with whatever the schemas allow in it."""
    maker = Maker(random, fullness=random.choice((0.2, 0.4, 0.7)))
    made: dict[str, Any] = maker.make(core(kind))
    return made


def facet_event(random: Random, place: Place) -> dict[str, Any]:
    """Return a small valid event that holds a facet in a place."""
    facet = Maker(random).facet(*place)
    return wrapped(place, facet, random)


def wrapped(place: Place, facet: Any, random: Random) -> dict[str, Any]:
    """Return a small event that holds `facet` in a place."""
    facets = {place.key: facet}
    kind = random.choice(KINDS_BY_BASE[place.base])
    made: dict[str, Any] = {
        "eventTime": values.date_time(random),
        "producer": "https://example.com/v7/etl",
        "schemaURL": f"{core(kind).url}",
    }
    if kind == "DatasetEvent":
        return {**made, "dataset": {"namespace": "s3://lake", "name": "orders", "facets": facets}}
    made["job"] = {"namespace": "etl", "name": "orders.daily"}
    if kind == "RunEvent":
        made["run"] = {"runId": values.uuid(random)}
    if place.base == "RunFacet":
        made["run"]["facets"] = facets
    elif place.base == "JobFacet":
        made["job"]["facets"] = facets
    else:
        side = {"InputDatasetFacet": "inputs", "OutputDatasetFacet": "outputs"}.get(
            place.base, random.choice(("inputs", "outputs"))
        )
        field = {"InputDatasetFacet": "inputFacets", "OutputDatasetFacet": "outputFacets"}.get(
            place.base, "facets"
        )
        made[side] = [{"namespace": "s3://lake", "name": "orders", field: facets}]
    return made


KINDS_BY_BASE = {
    "RunFacet": ("RunEvent",),
    "JobFacet": ("RunEvent", "JobEvent"),
    "DatasetFacet": ("RunEvent", "JobEvent", "DatasetEvent"),
    "InputDatasetFacet": ("RunEvent", "JobEvent"),
    "OutputDatasetFacet": ("RunEvent", "JobEvent"),
}
"""The kinds of event that have a place for each kind of facet."""

PLACES = tuple(RELEASED)
"""Every location with a known facet."""
