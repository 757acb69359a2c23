"""Run the blocks of pages with an installed package: `python run_blocks.py < PAGES`.

`PAGES` is a JSON list of pages, each with `name`, `folder` and `steps`. A page is run in its folder, all in
this process. Prints a JSON object with the failure of each page that has one. Imports nothing of the project.
"""

from __future__ import annotations

import doctest
import io
import json
import os
import shlex
import subprocess
import sys
import traceback
from contextlib import redirect_stderr, redirect_stdout
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

_PROGRAM = "openlineage-facets"


def main() -> None:
    """Run the pages on standard input."""
    sys.path[0] = ""  # The folder of the page.
    pages = json.load(sys.stdin)
    failures = {page["name"]: failure for page in pages if (failure := failure_of(page))}
    print(json.dumps(failures))


def failure_of(page: dict[str, Any]) -> str:
    """Run a page and return what failed first, or ""."""
    os.chdir(page["folder"])
    _set_folder_of_spark(page["folder"])
    names: dict[str, Any] = {"__name__": "__main__"}
    for step in page["steps"]:
        place = f"{page['name']}:{step['line']}"
        try:
            _run_step(step, place, names)
        except AssertionError as error:
            return f"{place}: {error}"
        except BaseException:
            return f"{place}: {traceback.format_exc(limit=-4)}"
    return ""


def _run_step(step: dict[str, Any], place: str, names: dict[str, Any]) -> None:
    if step["title"]:
        file = Path(step["title"])
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(step["text"], encoding="utf-8")
    elif step["language"] == "sh":
        _assert_shown(step["output"], _run_commands(step))
    else:
        with redirect_stdout(io.StringIO()) as printed:
            if step["text"].startswith(">>> "):
                _run_session(step, place, names)
            else:
                # Line numbers in tracebacks are those of the page.
                exec(compile("\n" * (step["line"] - 1) + step["text"], place, "exec"), names)
        _assert_shown(step["output"] or {"language": "text", "text": ""}, printed.getvalue())


def _run_commands(step: dict[str, Any]) -> str:
    """Run shell commands; an exit code of 1 is fine if the page shows what is printed."""
    commands = [words for line in step["text"].splitlines() if (words := shlex.split(line, comments=True))]
    if any(words[0] != _PROGRAM or "spark" in words[1] or {"|", ">"} & {*words} for words in commands):
        shell = ["bash", "-e", "-u", "-o", "pipefail", "-c", step["text"]]
        done = subprocess.run(shell, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        code, printed, logged = done.returncode, done.stdout, done.stderr
    else:
        code, printed, logged = _run_here(commands)
    allowed = (0, 1) if step["output"] else (0,)
    assert code in allowed, f"exit code {code}\n{printed}{logged[-2000:]}"
    return printed


def _run_here(commands: list[list[str]]) -> tuple[int, str, str]:
    """Run commands of the package in this process until one fails; return exit code and output."""
    (script,) = entry_points(group="console_scripts", name=_PROGRAM)
    main = script.load()
    code = 0
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        for sys.argv in commands:
            try:
                main()
            except SystemExit as end:
                code = int(end.code or 0)
            if code:
                break
    printed, logged = (stream.buffer.getvalue().decode() for stream in (out, err))
    return code, printed, logged


def _run_session(step: dict[str, Any], place: str, names: dict[str, Any]) -> None:
    """Run a block of an interactive session and compare each result."""
    session = doctest.DocTestParser().get_doctest(step["text"], names, place, place, step["line"] - 1)
    session.globs = names
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(session, out=report.append, clear_globs=False)
    assert result.failed == 0, "".join(report)


def _assert_shown(output: dict[str, str] | None, printed: str) -> None:
    if output is None:
        return
    if output["language"] == "json":
        assert json.loads(printed) == json.loads(output["text"]), f"printed\n{printed}"
    else:
        assert printed == output["text"], f"printed\n{printed}\nthe page shows\n{output['text']}"


def _set_folder_of_spark(folder: str) -> None:
    """Let a running session resolve relative paths in a folder, and forget the tables of the last page."""
    if "pyspark.sql" not in sys.modules:
        return
    from pyspark.sql import SparkSession

    spark = SparkSession.getActiveSession()
    if spark is None:
        return
    jvm: Any = spark._jvm
    settings = spark._jsc.hadoopConfiguration()
    jvm.org.apache.hadoop.fs.FileSystem.get(settings).setWorkingDirectory(
        jvm.org.apache.hadoop.fs.Path(folder)
    )
    for table in spark.catalog.listTables():
        spark.sql(f"DROP {'VIEW' if table.isTemporary else 'TABLE'} `{table.name}`")


if __name__ == "__main__":
    main()
