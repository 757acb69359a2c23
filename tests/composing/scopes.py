"""Run in a fresh process: every way to the first use of a class, from a scope full of names like ours.

`python -m tests.composing.scopes SCOPE [WAY...]` prints a line for each way that fails, by default of all.
Each way runs in a fork of a process in which no class has been built.
"""

from __future__ import annotations

import importlib
import os
import pickle
import pkgutil
import sys
import traceback
from dataclasses import make_dataclass
from typing import Any

import openlineage_facets.generated as generated
from tests.composing.orders import full_event

RUN = "0195793b-2c4e-7f18-a3d6-5be0917c42fd"
EVENT: Any = {
    "eventType": "START",
    "eventTime": "2026-01-01T00:00:00Z",
    "producer": "https://example.com/etl",
    "schemaURL": "https://example.com/schema",
    "run": {"runId": RUN},
    "job": {
        "namespace": "etl",
        "name": "orders",
        "facets": {
            "sql": {
                "_producer": "https://example.com",
                "_schemaURL": "https://example.com",
                "query": "select 1",
            }
        },
    },
    "inputs": [{"namespace": "lake", "name": "raw"}],
}
CHECK = """
assert type(event) is ours.RunEvent, type(event)
assert type(event.run) is ours.Run, type(event.run)
assert type(event.job) is ours.Job, type(event.job)
assert type(event.job.facets.sql) is facets.SQLJobFacet
assert type(event.inputs[0]) is ours.InputDataset
assert json.loads(event.to_json()) == document
"""
WAYS = {
    "parse_event": "event = ours.parse_event(text)",
    "parse_event of a dict": "event = ours.parse_event(document)",
    "read_event": "event = validation.read_event(text).event",
    "read_event of an invalid event": (
        "event = validation.read_event({**document, 'producer': 7}).event; document['producer'] = 7"
    ),
    "validate": "assert not validation.validate(text, rules=False); event = ours.parse_event(text)",
    "from_json": "event = ours.RunEvent.from_json(text)",
    "composing": (
        "event = ours.RunEvent(event_type='START', event_time=document['eventTime'],\n"
        " producer=document['producer'], schema_url=document['schemaURL'],\n"
        " run=ours.Run(run_id=document['run']['runId']),\n"
        " job=ours.Job(namespace='etl', name='orders', facets=[facets.SQLJobFacet(query='select 1',\n"
        "  producer='https://example.com', schema_url='https://example.com')]),\n"
        " inputs=[ours.InputDataset(namespace='lake', name='raw')])"
    ),
    "model_validate": "event = ours.RunEvent.model_validate(document)",
    "model_validate_json": "event = ours.RunEvent.model_validate_json(text)",
    "unpickling": "event = pickle.loads(pickled).replace(**document, outputs=None)",
    "copying": (
        "event = copy.deepcopy(pickle.loads(pickled))\n"
        "event = event.model_copy(update={**document, 'outputs': None})"
    ),
    "model_json_schema": "ours.RunEvent.model_json_schema(); event = ours.parse_event(text)",
    "model_rebuild": "ours.RunEvent.model_rebuild(); event = ours.parse_event(text)",
    "TypeAdapter": "event = pydantic.TypeAdapter(ours.RunEvent).validate_json(text, strict=True)",
    "TypeAdapter of a list": (
        "events = ours.RunEvent | ours.JobEvent | ours.DatasetEvent\n"
        "event = pydantic.TypeAdapter(typing.List[events]).validate_json(f'[{text}]', strict=True)[0]"
    ),
    "a user's model": (
        "model = pydantic.create_model('Run', event=(ours.RunEvent, ...))\n"
        "event = model.model_validate_json('{\"event\": ' + text + '}').event"
    ),
    "a user's class": (
        "class Job(pydantic.BaseModel):\n  event: ours.RunEvent\n"
        "event = Job.model_validate_json('{\"event\": ' + text + '}').event"
    ),
    "a custom facet": (
        "class Run(facets.RunFacet):\n"
        "  __facet_key__ = 'acme_note'\n  __schema_url__ = 'https://example.com/note'\n  sql: ours.Job\n"
        "note = Run(sql=ours.Job(namespace='a', name='b'))\n"
        "assert type(note.sql) is ours.Job\n"
        "event = ours.parse_event(text)"
    ),
    "a facet with classes further down": (
        "lineage = facets.LineageDatasetFacet(fields={'a': {'inputs': [\n"
        " {'type': 'DATASET', 'namespace': 'a', 'name': 'b'}]}})\n"
        "assert type(lineage.fields['a']).__module__ == facets.LineageDatasetFacet.__module__\n"
        "event = ours.parse_event(text)"
    ),
}


def names() -> list[str]:
    """Return every name that a generated module has, and some of Python's own."""
    modules = [
        importlib.import_module(f"{generated.__name__}.{one.name}")
        for one in pkgutil.iter_modules(generated.__path__)
    ]
    found = {name for module in modules for name in vars(module) if not name.startswith("__")}
    return sorted({*found, "Json", "Timestamp", "Model", "FacetMap", "Strict", "datetime"})


PYTHONS_OWN = ("int", "float", "tuple", "dict", "list", "bool")


def program(scope: str, way: str) -> str:
    body = (
        "import copy, json, pickle, pydantic, typing\nimport openlineage_facets as ours\n"
        "from openlineage_facets import facets, validation\n"
        f"globals().update(strangers) if {scope == 'module'} else None\n"
        f"{WAYS[way]}\n{CHECK}"
    )
    if scope == "module":
        return body
    lines = [f"{name} = strangers[{name!r}]" for name in strangers()]
    return "\n".join(["def scope():", *(f" {line}" for line in [*lines, *body.splitlines()]), "scope()"])


def strangers() -> dict[str, Any]:
    classes: dict[str, Any] = {name: make_dataclass(name, ["namespace", "name"]) for name in names()}
    return {**classes, **dict.fromkeys(PYTHONS_OWN, "not a type")}


def main(scope: str, *ways: str) -> None:
    import json

    pickled = pickle.dumps(full_event()) if scope == "pickle" else sys.stdin.buffer.read()
    if scope == "pickle":
        sys.stdout.buffer.write(pickled)
        return
    for way in ways or WAYS:
        child = os.fork()
        if child:
            os.waitpid(child, 0)
            continue
        scope_names: dict[str, Any] = {
            "__name__": "user_code",
            "document": json.loads(json.dumps(EVENT)),
            "text": json.dumps(EVENT),
            "pickled": pickled,
            "strangers": strangers(),
        }
        try:
            exec(compile(program(scope, way), "user_code", "exec"), scope_names)
        except BaseException:
            lines = traceback.format_exc().strip().splitlines()
            print(f"{way}: {lines[-1][:300]} ({lines[-3].strip()[:200]})", flush=True)
        os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
