"""Run the examples of a document: `python -m tests.docs.running DOCUMENT`."""

from __future__ import annotations

import doctest
import io
import json
import sys
from contextlib import redirect_stdout
from typing import Any

from tests.conftest import ROOT
from tests.docs.examples import Block, Example, examples


def run_examples(document: str) -> None:
    """Run the examples of a document in order and compare the output of each with the document.

    Raises:
        AssertionError: The output of an example differs.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    for example in examples(document):
        with redirect_stdout(io.StringIO()) as printed:
            if example.code.text.startswith(">>> "):
                _run_session(document, example.code, names)
            else:
                _run(document, example.code, names)
        _assert_shown(document, example, printed.getvalue())


def _run(document: str, code: Block, names: dict[str, Any]) -> None:
    """Run a block; line numbers in tracebacks are those of the document."""
    exec(compile("\n" * (code.line - 1) + code.text, str(ROOT / document), "exec"), names)


def _run_session(document: str, code: Block, names: dict[str, Any]) -> None:
    """Run a block of an interactive session and compare each result."""
    session = doctest.DocTestParser().get_doctest(code.text, names, document, document, code.line - 1)
    session.globs = names
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(session, out=report.append, clear_globs=False)
    assert result.failed == 0, "".join(report)


def _assert_shown(document: str, example: Example, printed: str) -> None:
    place = f"{document}:{example.code.line}"
    if example.output is None:
        assert printed == "", f"{place}: output that the document does not show:\n{printed}"
    elif example.output.language == "json":
        assert json.loads(printed) == json.loads(example.output.text), place
    else:
        assert printed == example.output.text, f"{place}: printed\n{printed}\nexpected\n{example.output.text}"


if __name__ == "__main__":
    run_examples(sys.argv[1])
