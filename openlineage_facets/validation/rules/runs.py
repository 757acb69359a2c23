"""Rules for the run id and the parent of a run."""

from __future__ import annotations

from collections.abc import Iterator

from openlineage_facets.base.errors.findings import Finding, describe
from openlineage_facets.validation.event_document import Document, Facet
from openlineage_facets.validation.rule import facet_rule, rule

_NIL_IDS = {"0" * 32, "f" * 32}


def _normalized(run_id: object) -> str | None:
    """Return a run id in lower case without dashes, None if it is not a string."""
    return run_id.replace("-", "").lower() if isinstance(run_id, str) else None


@facet_rule(
    "OL309",
    "Run is its own parent",
    see="https://openlineage.io/docs/spec/facets/run-facets/parent_run",
    keys=("parent",),
)
def own_parent(facet: Facet) -> Iterator[Finding]:
    """The `parent` facet refers to the run that started this one, such as the DAG run of a task or the Spark
    application of an action. A run that refers to itself is an infinite loop for consumers that follow
    parents.

    A root run has no `parent` facet.
    """
    if facet.container != "RunFacets":
        return
    parent = facet.value.get("run")
    own = _normalized(facet.entity.value.get("runId"))
    if own is not None and isinstance(parent, dict) and _normalized(parent.get("runId")) == own:
        yield Finding(
            "/run/runId",
            "the run that started this one",
            "the run itself",
            "remove 'parent' from a root run",
        )


@rule("OL310", "Nil run id", see="https://openlineage.io/docs/spec/run-cycle")
def nil_run_id(document: Document) -> Iterator[Finding]:
    """A run id identifies one run. The nil UUID (all zeros) and the max UUID (all Fs) mean "no id": all runs
    with one of them are treated as the same run.

    Create a new UUID for each run. Version 7 is recommended, since it sorts by time.
    """
    run = document.run
    if run is not None and _normalized(run.value.get("runId")) in _NIL_IDS:
        yield Finding("/run/runId", "a unique UUID", describe(run.value["runId"]), "create one for each run")
