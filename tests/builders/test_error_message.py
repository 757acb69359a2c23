"""Stack traces are removed from error messages."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets.builders.error_facet import (
    failure_facet,
    message_without_traces,
    trace_of_other_process,
)
from tests.cases import each

JAVA = """\
\tat org.example.Disk.write(Disk.java:7)
\tat java.base/java.lang.Thread.run(Thread.java:840)
Caused by: java.io.IOException: no space
\t... 3 more
"""
PYTHON = """\
Traceback (most recent call last):
  File "/jobs/day.py", line 3, in day
    raise ValueError(day)
"""
PLAN = "'Project ['nowhere]\n+- Relation [x#6,y#7] parquet\n"

TEXTS = {
    "Java": (f"java.io.IOException: full\n{JAVA}", "java.io.IOException: full"),
    "Java in several lines": (
        f"java.io.IOException: full\nor slow\n{JAVA}",
        "java.io.IOException: full\nor slow",
    ),
    "Py4J": (
        f"An error occurred while calling o49.save.\n: org.example.Bad: [FULL] disk\n{JAVA}",
        "org.example.Bad: [FULL] disk",
    ),
    "Py4J without Java's message": (
        f"An error occurred while calling o49.save. Trace:\npy4j.Py4JException: Method x([])\n{JAVA}\n",
        "py4j.Py4JException: Method x([])",
    ),
    "driver": (f"Job aborted: full\n{JAVA}\nDriver stacktrace:\n{JAVA}", "Job aborted: full"),
    "JVM": (f"[FULL] disk\n\nJVM stacktrace:\norg.example.Bad\n{JAVA}", "[FULL] disk"),
    "Connect": (
        f"(org.example.Bad) [FULL] disk\n\nJVM stacktrace:\norg.example.Bad\n{JAVA}",
        "(org.example.Bad) [FULL] disk",
    ),
    "worker": (
        "\n  An exception was thrown from the Python worker. Please see the stack trace below.\n"
        f"{PYTHON}ValueError: monday\nor later\n",
        "ValueError: monday\nor later",
    ),
    "worker in Java": (
        f"org.example.PythonException: {PYTHON}ValueError: 1\n\n{JAVA}",
        "org.example.PythonException: ValueError: 1",
    ),
    "worker with a cause": (
        f"{PYTHON}KeyError: 1\n\nDuring handling of it:\n\n{PYTHON}ValueError: 2\n",
        "KeyError: 1\n\nDuring handling of it:\n\nValueError: 2",
    ),
    "plan": (f"[UNRESOLVED] nowhere.;\n{PLAN}", "[UNRESOLVED] nowhere."),
    "plan of one operator": ("[MISSING] it.;\n'UnresolvedRelation [it], [], false\n", "[MISSING] it."),
    "plan of one resolved operator": ("[BAD] it.;\nRelation [x#6,y#7] parquet\n", "[BAD] it."),
    "plan of a place": (
        f"[UNRESOLVED] nowhere.; line 1 pos 7;\n{PLAN}",
        "[UNRESOLVED] nowhere.; line 1 pos 7",
    ),
    "SQL": (
        "\n[SYNTAX] near 'x'.(line 1, pos 0)\n\n== SQL ==\nx 'S3CR3T'\n^^^\n",
        "[SYNTAX] near 'x'.(line 1, pos 0)",
    ),
    "query context": (
        '[ZERO] division.\n== DataFrame ==\n"divide" was called from\n/jobs/day.py:3\n',
        "[ZERO] division.",
    ),
}


@each("case", TEXTS)
def test_stack_traces_are_removed_from_the_message(case: str) -> None:
    text, message = TEXTS[case]
    assert message_without_traces(text) == message
    for error in (RuntimeError(text), text):
        facet = failure_facet(error)
        assert facet.message == message
        assert facet.stack_trace is not None
        assert text in facet.stack_trace


@each(
    "text",
    [
        "no table raw.orders",
        " two lines\n\nand  spaces; \n",
        "we meet at noon\n at (the) station",
        "An error occurred while calling home",
        "SELECT 1;\nSELECT 2;",
        "An error occurred while calling home\nor office",
        "",
        "\n\tat org.example.Disk.write(Disk.java:7)",
    ],
)
def test_message_without_stack_trace_is_unchanged(text: str) -> None:
    assert message_without_traces(text) == text


@given(st.text(alphabet="\n\t at(.:+-=_SQLACause'Traceback"), st.sampled_from([JAVA, PYTHON, PLAN]))
def test_message_is_never_empty(message: str, trace: str) -> None:
    found = message_without_traces(f"{message}\n{trace}")
    assert found or not message.strip()


CHECKS = "3 checks failed\nOrders\n+- amount is null"


def test_messages_that_look_like_a_plan_are_cut_for_errors_of_spark_only() -> None:
    assert failure_facet(ValueError(CHECKS)).message == CHECKS
    assert failure_facet(CHECKS).message == CHECKS
    of_spark = type("AnalysisException", (Exception,), {"__module__": "pyspark.errors.exceptions.base"})
    assert failure_facet(of_spark(CHECKS)).message == "3 checks failed"
    assert failure_facet(type("Own", (of_spark,), {})(CHECKS)).message == "3 checks failed"
    py4j = f"An error occurred while calling o49.save.\n: {CHECKS}"
    assert failure_facet(py4j).message == "3 checks failed"


def test_repeated_prefixes_take_linear_time() -> None:
    assert seconds("An error occurred while calling " * 9_000) < 1, "quadratic time takes ten times as long"


@pytest.mark.thorough
@each("text", ["\n" * 200_000, "\n\t" * 100_000, "\nTraceback (most recent call last):" * 9_000], ids=len)
def test_linear_time(text: str) -> None:
    assert seconds(text) < 5, "quadratic time would take minutes"


def seconds(text: str) -> float:
    started = time.process_time()
    message_without_traces(text)
    return time.process_time() - started


class JvmError(Exception):
    def __init__(self, trace: object) -> None:
        self._stackTrace = trace
        super().__init__("[FULL] disk")


@pytest.mark.parametrize(("trace", "added"), [(f"org.example.Bad\n{JAVA}", True), (None, False), (7, False)])
def test_jvm_stack_trace_is_added(trace: object, added: bool) -> None:
    facet = failure_facet(JvmError(trace))
    assert facet.message == "[FULL] disk"
    assert facet.stack_trace is not None
    assert ("org.example.Disk.write" in facet.stack_trace) is added


def test_an_attribute_that_cannot_be_read_does_not_hide_the_next_one() -> None:
    class Broken(Exception):
        stackTrace = JAVA  # noqa: N815

        def getStackTrace(self) -> str:  # noqa: N802
            raise ConnectionError("the JVM is gone")

    assert trace_of_other_process(Broken()) == JAVA
