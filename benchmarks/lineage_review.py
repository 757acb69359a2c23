"""Measure `lock`, `compare` and `check` on the lineage of a company, compared with scripts with networkx.

    python -m benchmarks.lineage_review

Measured is processor time. The alternatives read the same events as JSON, build a graph of columns, and
compute the differences of two graphs as sets, or what a tag reaches. They do not validate anything, and do
not find paths or renames.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks import processes
from benchmarks.large_lineage import write_events
from benchmarks.results_page import Row, format_bytes, format_seconds

SECONDS = 10
MEMORY = 1 << 30
"""What each command may need, on one processor."""

_GRAPH = """
import json, sys
import networkx
def graph_of(path):
    graph = networkx.DiGraph()
    for line in open(path):
        event = json.loads(line)
        for output in event["outputs"]:
            name = output["namespace"], output["name"]
            facets = output["facets"]
            for field in facets["schema"]["fields"]:
                graph.add_node((*name, field["name"]), type=field["type"])
            for tag in facets.get("tags", {}).get("tags", ()):
                graph.add_node((*name, tag["field"]), tag=tag["key"])
            lineage = facets["columnLineage"]
            targets = [((*name, field), entry["inputFields"]) for field, entry in lineage["fields"].items()]
            for target, sources in [*targets, (name, lineage["dataset"])]:
                for one in sources:
                    by = [(how["type"], how["subtype"], how["masking"]) for how in one["transformations"]]
                    graph.add_edge((one["namespace"], one["name"], one["field"]), target, by=by)
    return graph
"""

_LOCK = f"""{_GRAPH}
graph = graph_of(sys.argv[1])
edges = sorted((str(source), str(target), by) for source, target, by in graph.edges(data="by"))
json.dump(edges, open(sys.argv[2], "w"), indent=1)
"""

_COMPARE = f"""{_GRAPH}
before, after = map(graph_of, sys.argv[1:3])
changed = set(before.nodes) ^ set(after.nodes)
changed |= {{edge[0] for edge in set(before.edges) ^ set(after.edges)}}
reached = {{end: networkx.descendants(after, end) for end in changed if end in after}}
"""

_CHECK = f"""{_GRAPH}
graph = graph_of(sys.argv[1])
hidden = [(s, t) for s, t, by in graph.edges(data="by") if all(one[2] or one[0] == "INDIRECT" for one in by)]
graph.remove_edges_from(hidden)
for start in [end for end, tag in graph.nodes(data="tag") if tag == "pii"]:
    networkx.descendants(graph, start)
"""

_POLICIES = """
[[tag]]
tag = "pii"
must-not-reach = ["warehouse/area_9*"]

[[distance]]
products = ["*"]
jobs = 8

[[cycles]]
"""


def rows(folder: Path, jobs: int) -> Iterator[Row]:
    """Yield the rows of the results table.

    Args:
        folder: Folder for files.
        jobs: Number of jobs.
    """
    before, after, policies = folder / "before.ndjson", folder / "after.ndjson", folder / "policies.toml"
    locks = folder / "before.lock.json", folder / "after.lock.json"
    write_events(before, jobs=jobs)
    write_events(after, jobs=jobs, is_changed=True)
    policies.write_text(_POLICIES, encoding="utf-8")
    edges = f"{jobs * 100:,} column edges"
    lock_events = [str(before), "-o", str(locks[0])]
    tasks: tuple[tuple[str, list[str], str, list[str]], ...] = (
        ("lock", lock_events, _LOCK, [str(before), str(folder / "edges.json")]),
        ("lock", [str(after), "-o", str(locks[1])], "", []),
        ("compare", [str(lock) for lock in locks], _COMPARE, [str(before), str(after)]),
        ("check", [str(locks[0]), "--policy", str(policies)], _CHECK, [str(before)]),
    )
    for command, arguments, script, of_script in tasks:
        mine = [sys.executable, "-m", "openlineage_facets.cli", command, *arguments]
        ours = processes.run(mine, exit_codes=(0, 1))
        if not script:
            continue
        theirs = processes.run(processes.python(script, *of_script)).processor_seconds
        task, used = f"`{command}`, {edges}", ours.processor_seconds
        alternative = "a script with networkx that finds no paths and renames"
        times = format_seconds(used), format_seconds(theirs)
        yield Row(task, alternative, *times, theirs / used, 1)
        yield Row(
            task, "the processor time it may need", times[0], format_seconds(SECONDS), SECONDS / used, 1
        )
        limit, size = format_bytes(MEMORY), format_bytes(ours.memory)
        yield Row(f"peak memory of `{command}`", "what it may need", size, limit, MEMORY / ours.memory, 1)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        for row in rows(Path(temporary), int(sys.argv[1]) if len(sys.argv) > 1 else 5_000):
            print(f"{row.task}: {row.ours}; {row.alternative}: {row.theirs}", flush=True)
