"""Exported notebooks are executed cell by cell, with magic commands as Python."""

from __future__ import annotations

import builtins
import json
import textwrap
from codecs import BOM_UTF8
from pathlib import Path
from types import ModuleType

import pytest

from openlineage_facets.spark.launch.job_arguments import LaunchError
from openlineage_facets.spark.launch.notebook import Notebook, is_notebook
from openlineage_facets.spark.launch.notebook_cells import Include, python_source
from tests.cases import each
from tests.spark.launch.processes import launch, types


def write_ipynb(path: Path, *cells: str, language: str = "python") -> Path:
    document = {
        "metadata": {"language_info": {"name": language}},
        "cells": [
            {"cell_type": "markdown", "source": ["# Orders"]},
            *({"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells),
        ],
    }
    path.write_text(json.dumps(document))
    return path


def write_databricks(path: Path, *cells: str) -> Path:
    separator = "\n\n# COMMAND ----------\n\n"
    path.write_text("# Databricks notebook source\n" + separator.join(map(textwrap.dedent, cells)) + "\n")
    return path


def executed(path: Path) -> dict:
    main = ModuleType("__main__")
    for code in Notebook.read(path).load(main):
        exec(code, main.__dict__)
    return main.__dict__


@each(
    "cell, expected",
    [
        ("x = 1\ny = x % 2", "x = 1\ny = x % 2"),
        ('sql = """\n%like\n"""', 'sql = """\n%like\n"""'),
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("if x:\n    %autoreload 2", "if x:\n    pass"),
        ("%time x = 1", "x = 1"),
        ("%%time\nx = 1", "\nx = 1"),
        ("%md\n# Orders", ""),
        ("# DBTITLE 1,Orders\n%md\n# Orders", ""),
        ("%python\nx = 1", "\nx = 1"),
        ("# only a comment", "# only a comment"),
        ("%run ./shared/setup", Include("./shared/setup")),
        ('%run "./shared/setup"', Include("./shared/setup")),
        ("# names\n%run ./setup\ny = x", Include("./setup", "\n\ny = x")),
        ("%%time\n%run ./setup\ny = x", Include("./setup", "\n\ny = x")),
        ("%timeit -n 1 -r1 -q -f(x)", "-f(x)"),
        ("%prun -s time -r f(x)", "f(x)"),
        ("%%timeit -n 1 x = 1\nx + 1", "x = 1\nx + 1"),
        ("x = %sql SELECT 1", None),
        ('%matplotlib inline\nsql = """\n!important\n%like\n"""', 'pass\nsql = """\n!important\n%like\n"""'),
        ("%config x\ny = (7\n%x)\nz = 7 \\\n  %x", "pass\ny = (7\n%x)\nz = 7 \\\n  %x"),
        ("# it's\n%config x\nif x:\n    y = 1\n%config y", "# it's\npass\nif x:\n    y = 1\npass"),
    ],
)
def test_a_cell_becomes_python_with_the_same_lines(cell: str, expected: object) -> None:
    found = python_source(cell, "cell 1")
    assert found == (cell if expected is None else expected)


@each(
    "cell, statements",
    [
        ("%sql SELECT 1", ["SELECT 1"]),
        (
            "%%sql\nSELECT 1;\nSELECT ';' AS `a;b` -- no; end\n;",
            ["SELECT 1", "SELECT ';' AS `a;b` -- no; end"],
        ),
        ('%sql\n/* ; */\nDELETE FROM t WHERE a = "x;\\";"', ['/* ; */\nDELETE FROM t WHERE a = "x;\\";"']),
        ("%sql\n-- nothing;\n", []),
        (
            "%sql\nSELECT 1;\n-- once\nload: begin\n  SELECT 2;\n  SELECT 3;\nEND;",
            ["SELECT 1", "-- once\nload: begin\n  SELECT 2;\n  SELECT 3;\nEND;"],
        ),
        ("%sql SELECT 1 AS begin; SELECT 2", ["SELECT 1 AS begin", "SELECT 2"]),
    ],
)
def test_sql_cells_are_executed_statement_by_statement(cell: str, statements: list[str]) -> None:
    source = python_source(cell, "cell 1")
    assert isinstance(source, str)
    found: list[str] = []

    class Spark:
        def sql(self, text: str) -> str:
            found.append(text)
            return text

    namespace: dict = {"spark": Spark(), "display": lambda frame: None}
    exec(source, namespace)
    assert found == statements
    assert namespace.get("_sqldf") == (statements[-1] if statements else None)


@each(
    "cell, message",
    [
        ("%scala\nval x = 1", "cell 1: expected Python, SQL or text, found %scala; remove the cell"),
        ("%%bash\nls", "cell 1: expected Python, SQL or text, found %bash"),
        ("!ls", "cell 1: expected Python, found '!ls'; remove the line"),
        ("%run ./setup $day=1", "expected only the path of a notebook, found parameters"),
        (
            "x = 1\n%run ./setup",
            "cell 1: expected %run in the first line of a cell, found it after code; move",
        ),
    ],
)
def test_what_python_cannot_do_is_refused_before_anything_is_executed(cell: str, message: str) -> None:
    with pytest.raises(LaunchError) as raised:
        python_source(cell, "cell 1")
    assert message in str(raised.value)


@each(
    "cell, message",
    [
        ("y = 2\nx = await load()", "cell 3, line 2: expected `await` in a function, found it outside; move"),
        ("async with x: pass", "cell 3, line 1: expected `await` in a function"),
        ("y = 1\ny?", "cell 3, line 2: expected Python, found 'y?' (invalid syntax)"),
        ("??y", "cell 3, line 1: expected Python, found '??y'"),
        ("files = !ls", "cell 3, line 1: expected Python, found 'files = !ls'"),
        (
            "y = 1\nget_ipython().system('ls')",
            "cell 3, line 2: expected Python, found get_ipython, which only",
        ),
        ("with get_ipython() as y:\n    y = 1", "cell 3, line 1: expected Python, found get_ipython"),
        ("y = [\n    get_ipython()]", "cell 3, line 2: expected Python, found get_ipython"),
    ],
)
def test_what_only_jupyter_can_execute_is_refused_before_the_first_cell(
    cell: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(LaunchError) as raised:
        Notebook.read(write_ipynb(tmp_path / "notebook.ipynb", "x = 1", cell))
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_refused_line_of_a_databricks_notebook_is_that_of_the_file(tmp_path: Path) -> None:
    notebook = write_databricks(tmp_path / "notebook.py", "x = 1", "y = 2\nx?")
    line = notebook.read_text().splitlines().index("x?") + 1
    with pytest.raises(LaunchError, match=rf"cell 2, line {line}: expected Python, found 'x\?'"):
        Notebook.read(notebook)


@each(
    "cells",
    [
        ["try:\n    get_ipython()\n    y = 2\nexcept NameError:\n    y = 1"],
        ["y = 2 if 'get_ipython' in globals() and get_ipython() else 1"],
        ["def get_ipython(): return 1", "y = get_ipython()"],
        ["import contextlib\ny = 1\nwith contextlib.suppress(NameError):\n    y = get_ipython()"],
        ["def clear():\n    get_ipython().system('clear')", "y = 1"],
        ["clear = lambda: get_ipython()", "y = 1"],
        ["y = 1\nmatch y:\n    case 2:\n        get_ipython()"],
        ["y = 1\nfor _ in range(0):\n    get_ipython()\nwhile y > 1:\n    get_ipython()"],
        ["y = 1\nassert y < 2 or get_ipython()\n[get_ipython() for _ in ()]"],
        ["import builtins\nbuiltins.get_ipython = lambda: 1", "y = get_ipython()"],
        ["exec('def get_ipython(): return 1')", "y = get_ipython()"],
        ["async def load(): return 1", "import asyncio\ny = asyncio.run(load())"],
    ],
)
def test_code_that_only_asks_for_jupyter_is_executed(
    cells: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builtins, "get_ipython", None, raising=False)  # A cell sets it: restored afterwards.
    monkeypatch.delattr(builtins, "get_ipython")
    assert executed(write_ipynb(tmp_path / "notebook.ipynb", *cells))["y"] == 1


def test_a_notebook_may_end_before_it_needs_jupyter(tmp_path: Path) -> None:
    notebook = write_ipynb(tmp_path / "notebook.ipynb", "import sys\nsys.exit(0)", "get_ipython()")
    with pytest.raises(SystemExit):
        executed(notebook)


def test_an_included_notebook_is_found_behind_a_symbolic_link(tmp_path: Path) -> None:
    (tmp_path / "real" / "deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real" / "deep")
    write_databricks(tmp_path / "setup.py", "x = 'next to the link'")
    write_databricks(tmp_path / "real" / "setup.py", "x = 'next to the folder'")
    write_databricks(tmp_path / "real" / "deep" / "notebook.py", "# MAGIC %run ../setup")
    assert executed(tmp_path / "link" / "notebook.py")["x"] == "next to the folder"


@pytest.mark.parametrize(
    "cell", ["%pip install acme", "!pip install acme", "import sys\n%conda install acme"]
)
def test_installations_are_skipped_with_a_message(cell: str, caplog: pytest.LogCaptureFixture) -> None:
    assert "acme" not in str(python_source(cell, "cell 1"))
    assert "is skipped; install the packages before the job starts" in caplog.text


def test_notebooks_are_recognized(tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text("print(1)\n")
    assert is_notebook(write_databricks(tmp_path / "notebook.py", "x = 1"))
    assert is_notebook(write_ipynb(tmp_path / "notebook.ipynb"))
    assert not is_notebook(tmp_path / "job.py")


def test_cells_share_a_namespace(tmp_path: Path) -> None:
    ipynb = write_ipynb(tmp_path / "notebook.ipynb", "x = 1", "%%time\ny = x + 1")
    databricks = write_databricks(tmp_path / "notebook.py", "x = 1", "# MAGIC %md\n# MAGIC Text", "y = x + 1")
    assert executed(ipynb)["y"] == executed(databricks)["y"] == 2


def test_an_included_notebook_is_executed_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    write_databricks(tmp_path / "shared" / "setup.py", "x = 1", "# MAGIC %run ./names")
    write_ipynb(tmp_path / "shared" / "names.ipynb", "z = x")
    notebook = write_databricks(tmp_path / "notebook.py", "# MAGIC %run ./shared/setup", "y = x + z")
    assert executed(notebook)["y"] == 2
    write_ipynb(tmp_path / "shared" / "names.ipynb", "%run ../notebook.py")
    with pytest.raises(LaunchError, match="expected another notebook, found a cycle"):
        Notebook.read(notebook)
    (tmp_path / "shared" / "names.ipynb").unlink()
    with pytest.raises(LaunchError, match=r"%run \./names: expected a notebook, found nothing at"):
        Notebook.read(notebook)


def test_the_code_after_an_inclusion_is_executed_after_it_and_has_its_lines(tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text("x = 1\n")
    notebook = write_ipynb(tmp_path / "notebook.ipynb", "%run ./setup\ny = x + 1\n%run ./setup2", "z = y")
    with pytest.raises(LaunchError, match=r"cell 2: expected %run in the first line of a cell"):
        Notebook.read(notebook)
    write_ipynb(notebook, "%run ./setup\n%run ./setup\ny = x + 1", "z = y\n1 / 0")
    assert [cell.source for cell in Notebook.read(notebook).cells][2] == "\n\ny = x + 1"
    with pytest.raises(ZeroDivisionError):
        executed(notebook)


def test_a_future_statement_affects_the_later_cells_of_its_notebook_only(tmp_path: Path) -> None:
    function = "def {}(x: Undefined = 1): pass"
    (tmp_path / "setup.py").write_text("from __future__ import annotations\n" + function.format("f"))
    future = "from __future__ import annotations"
    assert "g" in executed(write_ipynb(tmp_path / "notebook.ipynb", future, "x = 1", function.format("g")))
    with pytest.raises(NameError, match="Undefined"):
        executed(write_ipynb(tmp_path / "notebook.ipynb", "%run ./setup", function.format("g")))


def test_an_included_file_may_have_a_byte_order_mark_or_name_its_encoding(tmp_path: Path) -> None:
    (tmp_path / "marked.py").write_bytes(BOM_UTF8 + b"x = 'a'\n")
    (tmp_path / "latin.py").write_bytes("# coding: latin-1\ny = x + 'é'\n".encode("latin-1"))
    notebook = write_ipynb(tmp_path / "notebook.ipynb", "%run ./marked", "%run ./latin")
    assert executed(notebook)["y"] == "aé"


@each(
    "text, found",
    [
        (b"# Databricks notebook source\nx = '\xe9'\n", "invalid or missing encoding declaration"),
        (b"# Databricks notebook source\n\nx = '\xe9'\n", "'utf-8' codec can't decode byte 0xe9"),
        (b"# Databricks notebook source\n# coding: latin-99\n", "unknown encoding"),
    ],
)
def test_a_file_in_another_encoding_is_refused(text: bytes, found: str, tmp_path: Path) -> None:
    path = tmp_path / "setup.py"
    path.write_bytes(text)
    including = write_ipynb(tmp_path / "notebook.ipynb", "%run ./setup")
    for notebook in (path, including):
        with pytest.raises(
            LaunchError, match=rf"setup.py: expected text in UTF-8, found another encoding \({found}"
        ) as raised:
            Notebook.read(notebook)
        assert "\n" not in str(raised.value)


def test_stack_traces_show_the_line_in_the_file(tmp_path: Path) -> None:
    notebook = write_databricks(tmp_path / "notebook.py", "x = 1", "# a comment\n1 / 0")
    with pytest.raises(ZeroDivisionError) as raised:
        executed(notebook)
    assert raised.traceback[-1].lineno + 1 == notebook.read_text().splitlines().index("1 / 0") + 1


@each("text", ["{}", "[]", "{", '{"cells": 1}', "[" * 100_000])
def test_a_file_that_is_no_notebook_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "notebook.ipynb").write_text(text)
    with pytest.raises(LaunchError, match="expected a notebook in the format of Jupyter, found"):
        Notebook.read(tmp_path / "notebook.ipynb")


def test_a_notebook_of_another_language_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LaunchError, match="expected a notebook of Python, found scala"):
        Notebook.read(write_ipynb(tmp_path / "notebook.ipynb", "val x = 1", language="scala"))


@pytest.mark.check
@pytest.mark.usefixtures("spark")
def test_a_launched_notebook_has_a_session_and_shows_its_cells_in_stack_traces(tmp_path: Path) -> None:
    write_ipynb(
        tmp_path / "orders.ipynb",
        "%%sql\nSELECT 7 AS days",
        "spark: 'SparkSession'\ndef load(spark):\n    return spark.range(5)",
        "print(load(spark).count(), sc.appName)",
        "def fail():\n    raise ValueError('no orders today')\nfail()",
    )
    found = launch(tmp_path, "--conf", "spark.master=local[1]", "--conf", "spark.app.name=o", "orders.ipynb")
    assert (found.code, found.out.splitlines()[-1]) == (1, "5 o")
    assert "|   7|" in found.out
    assert found.err[found.err.index("Traceback") :] == textwrap.dedent(
        """\
        Traceback (most recent call last):
          File "<orders.ipynb cell 5>", line 3, in <module>
            fail()
          File "<orders.ipynb cell 5>", line 2, in fail
            raise ValueError('no orders today')
        ValueError: no orders today
        """
    )
    assert types(tmp_path) == ["START", "FAIL"]


@pytest.mark.thorough
@pytest.mark.usefixtures("spark")
def test_a_notebook_that_creates_its_session_configures_it(tmp_path: Path) -> None:
    write_databricks(
        tmp_path / "orders.py",
        """
        from pyspark.sql import SparkSession
        spark = SparkSession.builder.master("local[1]").config("spark.ui.retainedJobs", 17).getOrCreate()
        """,
        "print(spark.sparkContext.getConf().get('spark.ui.retainedJobs'))",
    )
    found = launch(tmp_path, "orders.py")
    assert (found.code, found.out) == (0, "17\n")
    assert types(tmp_path) == ["START", "COMPLETE"]


def test_a_databricks_notebook_may_have_a_byte_order_mark_and_other_line_separators(tmp_path: Path) -> None:
    notebook = write_databricks(tmp_path / "notebook.py", "x = 'a\u2028b'")
    notebook.write_bytes(BOM_UTF8 + notebook.read_bytes())
    assert is_notebook(notebook)
    assert executed(notebook)["x"] == "a\u2028b"
