from __future__ import annotations

from datetime import datetime, timezone

from acme_facets import AcmeCostRunFacet, RunEventBuilder

from openlineage_facets import Job, Run, RunEvent

event = RunEvent(
    event_type="START",
    run=Run(facets=[AcmeCostRunFacet(usd=1.5)]),
    job=Job(namespace="etl", name="orders.daily"),
)
cost = RunEvent.from_json(event.to_json()).run.facet(AcmeCostRunFacet)
if cost is not None:
    print(cost.usd)

build = RunEventBuilder("etl", "orders.daily")
build.run.acme_cost(usd=1.5).nominal_time(nominal_start_time=datetime(2026, 1, 1, tzinfo=timezone.utc))
