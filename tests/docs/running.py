"""Runs the examples of a document, as `python -m tests.docs.running DOCUMENT` in a process of its own."""

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
    """Run every example of a document, one after the other, and compare what each prints with what is shown.

    Raises:
        AssertionError: An example prints something else.
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
    """Run a block; lines in a traceback are those of the document."""
    exec(compile("\n" * (code.line - 1) + code.text, str(ROOT / document), "exec"), names)


def _run_session(document: str, code: Block, names: dict[str, Any]) -> None:
    """Run a block as it was typed at the prompt, each answer compared."""
    session = doctest.DocTestParser().get_doctest(code.text, names, document, document, code.line - 1)
    session.globs = names
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(session, out=report.append, clear_globs=False)
    assert result.failed == 0, "".join(report)


def _assert_shown(document: str, example: Example, printed: str) -> None:
    place = f"{document}:{example.code.line}"
    if example.output is None:
        assert printed == "", f"{place} prints what the document does not show:\n{printed}"
    elif example.output.language == "json":
        assert json.loads(printed) == json.loads(example.output.text), place
    else:
        assert printed == example.output.text, f"{place} prints\n{printed}\nand not\n{example.output.text}"


if __name__ == "__main__":
    run_examples(sys.argv[1])
