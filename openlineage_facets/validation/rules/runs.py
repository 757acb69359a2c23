"""The run that an event is about."""

from __future__ import annotations

from collections.abc import Iterator

from openlineage_facets.base.errors import Finding, shown
from openlineage_facets.validation.document import Document, Facet
from openlineage_facets.validation.rule import facet_rule, rule

_BLANK_IDS = {"0" * 32, "f" * 32}


def _plain(run_id: object) -> str | None:
    """Return a run id without its dashes and capitals, None where it is no text."""
    return run_id.replace("-", "").lower() if isinstance(run_id, str) else None


@facet_rule(
    "OL309",
    "A run is its own parent",
    see="https://openlineage.io/docs/spec/facets/run-facets/parent_run",
    keys=("parent",),
)
def own_parent(facet: Facet) -> Iterator[Finding]:
    """The `parent` facet names the run that started this one: the DAG run of a task, the Spark
    application of an action. A run that names itself hangs from nothing, and who follows parents upwards
    goes in a circle.

    A run at the top has no `parent` facet.
    """
    if facet.container != "RunFacets":
        return
    parent = facet.value.get("run")
    own = _plain(facet.entity.value.get("runId"))
    if own is not None and isinstance(parent, dict) and _plain(parent.get("runId")) == own:
        yield Finding(
            "/run/runId",
            "the run that started this one",
            "this very run",
            "leave 'parent' out of a run at the top",
        )


@rule("OL310", "The run id is blank", see="https://openlineage.io/docs/spec/run-cycle")
def blank_run_id(document: Document) -> Iterator[Finding]:
    """A run id tells one run from all others. The UUID of nothing but zeros (or of nothing but Fs) stands
    for "none": all runs that carry it are taken for one.

    Make a new UUID for each run; version 7 is advised, since it sorts by time.
    """
    run = document.run
    if run is not None and _plain(run.value.get("runId")) in _BLANK_IDS:
        yield Finding("/run/runId", "a UUID of this run's own", shown(run.value["runId"]), "make a new UUID")
