"""A launched job does, prints and returns the same as with Python itself. These jobs do not start Spark."""

from __future__ import annotations

import py_compile
import textwrap
import zipfile
from pathlib import Path

import pytest

from tests.spark.etl_job import mostly_thorough
from tests.spark.launch.processes import LAUNCHER, launch, python, run

pytestmark = pytest.mark.check

JOBS = {
    "arguments": "import sys; print(sys.argv, len(sys.path[0]), sys.path[0])",
    "main module": """
        import sys
        print(__name__, __file__, __package__, __spec__, __doc__, type(__loader__).__name__)
        print(sys.modules["__main__"].__dict__ is globals(), sorted(globals()))
    """,
    "imports a neighbour": "import neighbour; print(neighbour.VALUE)",
    "pickles its own class": """
        import pickle
        class Order: pass
        print(type(pickle.loads(pickle.dumps(Order()))) is Order)
    """,
    "spawns processes": """
        import multiprocessing
        def double(x): return 2 * x
        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                print(pool.map(double, [1, 2]))
    """,
    "forks": """
        import os, sys
        if os.fork() == 0:
            sys.exit(3)
        print(os.waitstatus_to_exitcode(os.wait()[1]))
    """,
    "exits with None": "raise SystemExit",
    "exits with a message": "import sys; sys.exit('no orders today')",
    "fails with a cause": """
        def load():
            raise KeyError("day")
        try:
            load()
        except KeyError as error:
            raise ValueError("no orders today") from error
    """,
    "fails in its own hook": """
        import sys
        sys.excepthook = lambda kind, value, trace: print("hook", kind, value, trace.tb_frame.f_code.co_name)
        raise ValueError("no orders today")
    """,
    "fails in a thread": """
        import threading
        def load():
            raise ValueError("no orders today")
        thread = threading.Thread(target=load, name="loader")
        thread.start()
        thread.join()
    """,
    "has a syntax error": "print('done'",
    "is interrupted": "import os, signal; os.kill(os.getpid(), signal.SIGINT)",
    "is terminated": "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
    "prints at exit": """
        import atexit, threading, time
        atexit.register(print, "exit")
        threading.Thread(target=lambda: (time.sleep(0.2), print("thread"))).start()
        print("end")
    """,
    "reads standard input": "import sys; print(repr(sys.stdin.read()))",
    "is not UTF-8": "# coding: latin-1\nprint(len('\u00e9'))",
    "warns": "import warnings; warnings.warn('old')",
    "has its own PySpark": "import sys; sys.path.insert(0, 'spark'); import pyspark; print(pyspark.__path__)",
    "has flags": "import sys; print(sys.flags, sys.warnoptions)",
}


def write_job(folder: Path, text: str) -> None:
    encoding = "latin-1" if "latin-1" in text else "utf-8"
    (folder / "job.py").write_text(textwrap.dedent(text).lstrip("\n"), encoding)
    (folder / "neighbour.py").write_text("VALUE = 7\n")
    (folder / "spark" / "pyspark").mkdir(parents=True)
    (folder / "spark" / "pyspark" / "__init__.py").touch()


@pytest.mark.parametrize(
    "name",
    mostly_thorough(
        JOBS,
        "imports a neighbour",
        "pickles its own class",
        "fails with a cause",
        "prints at exit",
    ),
)
def test_a_script_behaves_the_same(name: str, tmp_path: Path) -> None:
    write_job(tmp_path, JOBS[name])
    expected = python(tmp_path, "job.py", "--day", "1", "-m")
    found = launch(tmp_path, "job.py", "--day", "1", "-m", OPENLINEAGE_DISABLED="true")
    message = "openlineage-facets spark-run: no event was emitted: the job has not created a Spark session\n"
    assert (found.code, found.out, found.err.replace(message, "")) == (
        expected.code,
        expected.out,
        expected.err,
    )
    assert (message in found.err) == (expected.code == 0)


@pytest.mark.thorough
@pytest.mark.parametrize("source", [b"x = 1\nx = '\xe9'\n", b"print('executed')\n# \xe9\n"])
def test_another_encoding_than_utf_8_must_be_declared(source: bytes, tmp_path: Path) -> None:
    (tmp_path / "job.py").write_bytes(source)
    expected = python(tmp_path, "job.py")
    found = launch(tmp_path, "job.py", OPENLINEAGE_DISABLED="true")
    assert (found.code, found.out) == (expected.code, expected.out) == (1, "")
    message, end = "SyntaxError: Non-UTF-8 code starting with", "but no encoding declared; see https://p"
    for line in (found.err, expected.err):
        assert line.startswith(rf"{message} '\xe9' in file {tmp_path / 'job.py'} on line ")
        assert end in line
    assert found.err.count("\n") == 1
    assert "on line 2, " in found.err  # Python 3.10 names the next line.


@pytest.mark.thorough
@pytest.mark.parametrize("name", mostly_thorough(["job.pyc", "job"], "job"))
def test_a_compiled_script_behaves_the_same(name: str, tmp_path: Path) -> None:
    write_job(
        tmp_path, "import neighbour, sys\nprint(sys.argv, __file__, __cached__, type(__loader__).__name__)"
    )
    py_compile.compile(str(tmp_path / "job.py"), str(tmp_path / name), doraise=True)
    expected, found = python(tmp_path, name, "1"), launch(tmp_path, name, "1")
    assert (found.code, found.out) == (expected.code, expected.out) == (0, found.out)


@pytest.mark.thorough
def test_a_module_behaves_the_same(tmp_path: Path) -> None:
    package = tmp_path / "shop"
    package.mkdir()
    (package / "__init__.py").write_text("print('package')\n")
    (package / "orders.py").write_text("from . import items\nimport sys\nprint(sys.argv, sys.path[0])\n")
    (package / "items.py").touch()
    (package / "__main__.py").write_text(
        "print(__name__, __package__, __spec__.name, __file__)\nraise ValueError('no orders today')\n"
    )
    for module in ("shop.orders", "shop"):
        expected = python(tmp_path, "-m", module, "--emit", "x")
        found = launch(tmp_path, "--name", "orders", "-m", module, "--emit", "x")
        assert (found.code, found.out) == (expected.code, expected.out)
    # Python itself prints the frames of runpy, which starts modules.
    assert "ValueError: no orders today" in found.err
    assert "runpy" in expected.err
    assert "runpy" not in found.err


def test_folders_and_zip_files_behave_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "app"
    folder.mkdir()
    source = "import sys, neighbour\nprint(sys.argv, sys.path[0], __file__, __package__, __spec__.name)\n"
    (folder / "__main__.py").write_text(source)
    (folder / "neighbour.py").touch()
    with zipfile.ZipFile(tmp_path / "app.zip", "w") as archive:
        for file in ("__main__.py", "neighbour.py"):
            archive.write(folder / file, file)
    for path in ("app", "app.zip"):
        expected = python(tmp_path, path, "1")
        found = launch(tmp_path, path, "1")
        assert (found.code, found.out) == (expected.code, expected.out) == (0, found.out)


@pytest.mark.parametrize(
    "path",
    mostly_thorough(
        ["rel/link/../job.py", "./rel/../rel/job.py", "real//job.py", "rel/link/../app", "./app/"],
        "rel/link/../job.py",
        "./app/",
    ),
)
def test_paths_keep_their_text_and_follow_symbolic_links(path: str, tmp_path: Path) -> None:
    source = "import sys\nprint(__file__, sys.argv, sys.path[0])\n"
    for folder in ("real/deep", "real/app", "rel/app", "app"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "__main__.py").write_text(source)
    for folder in ("real", "rel"):
        (tmp_path / folder / "job.py").write_text(f"{source}print({folder!r})\n")
    (tmp_path / "rel" / "link").symlink_to(tmp_path / "real" / "deep")
    expected = python(tmp_path, path)
    found = launch(tmp_path, path)
    assert (found.code, found.out) == (expected.code, expected.out) == (0, found.out)


@pytest.mark.thorough
def test_a_script_behind_a_symbolic_link_finds_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    write_job(tmp_path / "real", "import neighbour; print(__file__, neighbour.__file__)")
    (tmp_path / "link.py").symlink_to(tmp_path / "real" / "job.py")
    assert launch(tmp_path, "link.py").out == python(tmp_path, "link.py").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--day", "1", "job.py"], "--day; options of the job follow its name, see --help"),
        ([], "missing job to run, as in spark-run job.py or spark-run -m package.job"),
        (
            ["nowhere.py"],
            "expected a script, a notebook or a folder with __main__.py, found nothing at nowhere.py",
        ),
        (["-"], "-: expected the path of a job, found standard input; write the job to a file"),
        (["."], "expected a script or a folder with __main__.py, found a folder without it: ."),
        (["-m", "no.such.module"], "-m no.such.module: no such module on sys.path"),
        (["-m", "json"], "-m json: expected a module or a package with __main__, found a package without"),
        (["--emit", "localhost:5000", "job.py"], "write http://localhost:5000"),
        (["--conf", "spark.executor.memory", "job.py"], "--conf spark.executor.memory: expected NAME=VALUE"),
        (["--namespace", "", "job.py"], "--namespace: expected a name, found an empty text"),
        (["other.pyc"], "/other.pyc: expected a file that Python "),
        (["broken.ipynb"], "broken.ipynb: expected a notebook in the format of Jupyter, found invalid JSON"),
    ],
)
def test_what_cannot_be_launched_is_one_line(arguments: list[str], message: str, tmp_path: Path) -> None:
    write_job(tmp_path, "print('executed')")
    (tmp_path / "broken.ipynb").write_text("{")
    (tmp_path / "other.pyc").write_bytes(b"\x03\xf3\r\n")
    found = run([*LAUNCHER, *arguments], tmp_path)
    (line,) = found.err.splitlines()
    assert (found.code, found.out) == (2, "")
    assert line.startswith("openlineage-facets spark-run: ")
    assert message in line


def test_configuration_of_a_running_driver_is_refused(tmp_path: Path) -> None:
    write_job(tmp_path, "print('executed')")
    found = launch(tmp_path, "--conf", "spark.a=1", "job.py", PYSPARK_GATEWAY_PORT="1")
    assert (found.code, found.out) == (2, "")
    assert "--conf: expected a driver that is not running, found spark-submit; pass it there" in found.err
