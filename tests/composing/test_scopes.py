"""Classes are built in the scope that defines them, whatever the names where they are first used."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from typing import Any, ClassVar

import cloudpickle
import pytest
from pydantic import BaseModel

from openlineage_facets import EventError, RunEvent
from openlineage_facets.facets import RunFacet
from tests.composing.orders import full_event
from tests.conftest import ROOT


def run(*command: str, stdin: bytes = b"", cwd: Any = ROOT) -> bytes:
    """Return what a fresh process prints, in which no class has been built."""
    done = subprocess.run([sys.executable, *command], input=stdin, capture_output=True, cwd=cwd)
    assert (done.returncode, done.stderr.decode()) == (0, "")
    return done.stdout


SCOPES = ("-m", "tests.composing.scopes")


@pytest.mark.check
def test_names_like_ours_in_the_callers_scope_do_not_change_what_is_parsed() -> None:
    assert run(*SCOPES, "function", "parse_event").decode() == ""


@pytest.mark.thorough
@pytest.mark.parametrize("scope", ["module", "function"])
def test_names_like_ours_in_the_callers_scope_change_nothing(scope: str) -> None:
    assert run(*SCOPES, scope, stdin=run(*SCOPES, "pickle")).decode() == ""


@pytest.mark.check
def test_a_subclass_of_an_event_may_stand_beside_classes_with_our_names() -> None:
    code = (
        "import openlineage_facets as of\n"
        "class Job: pass\n"
        "class Run: pass\n"
        "class Event(of.RunEvent): pass\n"
        "run = of.Run(run_id='0195793b-2c4e-7f18-a3d6-5be0917c42fd')\n"
        "event = Event(event_type='START', run=run, job=of.Job(namespace='etl', name='orders'))\n"
        "assert Event.from_json(event.to_json()) == event"
    )
    assert run("-c", code) == b""


def test_a_class_further_down_in_a_function_is_found() -> None:
    class NoteRunFacet(RunFacet):
        __facet_key__: ClassVar[str] = "acme_note"
        __schema_url__: ClassVar[str] = "https://example.com/note"

        job: Job
        later: Later | None = None  # Not defined yet; `Job` is this function's.

    class Later(BaseModel):
        text: str

    facet = NoteRunFacet(job=Job("etl"), later=Later(text="x"))
    assert type(facet.job) is Job
    assert NoteRunFacet.from_json(facet.to_json()) == facet


def test_a_custom_facet_may_be_defined_where_names_of_pydantic_mean_something_else() -> None:
    Field = Annotated = UriText = "not a type"  # noqa: F841, N806

    class NoteRunFacet(RunFacet):
        __facet_key__: ClassVar[str] = "acme_note"
        __schema_url__: ClassVar[str] = "https://example.com/note"

        text: str

    assert NoteRunFacet.from_json(NoteRunFacet(text="x").to_json()).text == "x"


@dataclass
class Job:
    """A user's class in the module of a custom facet."""

    namespace: str


class ShiftRunFacet(RunFacet):
    """A custom facet of a module with a class named like ours, and a field that names one further down."""

    __facet_key__: ClassVar[str] = "acme_shift"
    __schema_url__: ClassVar[str] = "https://example.com/shift"

    job: Job
    shift: Shift | None = None
    count: Count = 0


Count = int


class Shift(BaseModel):
    name: str


def test_a_custom_facet_uses_the_names_of_its_module() -> None:
    def first_use() -> ShiftRunFacet:
        Shift = Count = "not a type"  # noqa: F841, N806
        return ShiftRunFacet.from_json(
            '{"_producer": "a:b", "_schemaURL": "a:b", "job": {"namespace": "etl"}, "shift": {"name": "n"}}'
        )

    facet = first_use()
    assert (type(facet.job), type(facet.shift)) == (Job, Shift)
    assert type(RunEvent.from_json(full_event().to_json()).job) is not Job


def test_a_field_whose_type_is_defined_later_is_not_coerced_either() -> None:
    wrong: dict[str, Any] = {"count": "10"}
    with pytest.raises(EventError, match="^/count: expected an integer"):
        ShiftRunFacet(job=Job("etl"), **wrong)


@pytest.mark.check
def test_a_class_pickled_by_value_is_built_in_another_process() -> None:
    def compose() -> bytes:
        return ShiftRunFacet(job=Job("etl"), shift=Shift(name="night")).to_json()

    compose()  # A class is pickled with the types that its fields have resolved.
    script = (
        "import pickle, sys\nclass Shift: pass\nJob = Count = Shift\n"
        "sys.stdout.buffer.write(pickle.load(sys.stdin.buffer)())"
    )
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    try:
        function = cloudpickle.dumps(compose)
    finally:
        cloudpickle.unregister_pickle_by_value(sys.modules[__name__])
    assert b'"job":{"namespace":"etl"}' in run("-c", script, stdin=function, cwd="/")


@pytest.mark.check
def test_threads_that_use_a_class_first_all_get_values_of_it() -> None:
    script = f"""
import threading
from time import sleep
from openlineage_facets import parse_event
kinds = []
def read(number):
    sleep(number / 40)  # Into the build that another thread has begun.
    kinds.append(type(parse_event({full_event().to_json()!r})).__name__)
threads = [threading.Thread(target=read, args=(number,)) for number in range(6)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(*kinds)
"""
    assert run("-c", script).split() == [b"RunEvent"] * 6
