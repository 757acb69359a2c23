"""The output folder is replaced whole, or not touched at all."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from codegen.errors import SchemaError
from codegen.generate import generate
from codegen.write import write
from tests.cases import each
from tests.codegen.building import CORE_FILE, contents
from tests.conftest import ROOT
from tests.processes import all_started

NOTICE = "# Generated from something by `make regen`.\n"
OLD = {"__init__.py": f"{NOTICE}OLD = 1\n", "gone.py": f"{NOTICE}GONE = 1\n"}
NEW = {"__init__.py": f"{NOTICE}NEW = 1\n", "added.py": f"{NOTICE}ADDED = 'ä'\n"}


@pytest.fixture
def output(tmp_path: Path) -> Path:
    """Return a folder with an older package."""
    write(OLD, tmp_path / "package")
    return tmp_path / "package"


def assert_untouched(output: Path) -> None:
    assert contents(output) == OLD
    assert_nothing_beside(output)


def assert_nothing_beside(output: Path) -> None:
    assert [path.name for path in output.parent.iterdir()] == [output.name]


def failing_at(call: int, function: Callable[..., Any], failure: BaseException) -> Callable[..., Any]:
    """Return `function`, failing once at its n-th call."""
    calls = 0

    def wrapped(*arguments: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == call:
            raise failure
        return function(*arguments, **named)

    return wrapped


FAILURES = [
    OSError(28, "No space left on device", "somewhere"),
    KeyboardInterrupt(),
    MemoryError(),
    SystemExit(143),
]


def test_a_new_folder_is_made_with_its_parents(tmp_path: Path) -> None:
    write(NEW, tmp_path / "a" / "b" / "package")
    assert contents(tmp_path / "a" / "b" / "package") == NEW


def test_an_old_package_is_replaced_whole(output: Path) -> None:
    write(NEW, output)
    assert contents(output) == NEW
    assert_nothing_beside(output)


def test_compiled_files_are_no_obstacle(output: Path) -> None:
    (output / "__pycache__").mkdir()
    (output / "__pycache__" / "gone.cpython-311.pyc").write_bytes(b"\0")
    write(NEW, output)
    assert contents(output) == NEW
    assert not (output / "__pycache__").exists()


def test_the_folder_can_be_read_by_others_even_so_as_its_files(output: Path) -> None:
    write(NEW, output)
    assert output.stat().st_mode & 0o777 == 0o755


def test_a_link_to_the_folder_stays_a_link(output: Path) -> None:
    link = output.parent / "link"
    link.symlink_to(output, target_is_directory=True)
    write(NEW, link)
    assert link.is_symlink()
    assert contents(output) == NEW


@each("failure", FAILURES, ids=lambda failure: type(failure).__name__)
@each("call", [1, 2])
@each("names", [("write_text", "write_bytes"), ("replace",)], ids=["writing", "swapping"])
def test_a_failure_leaves_the_old_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], call: int, failure: BaseException
) -> None:
    output = tmp_path / "package"
    write(OLD, output)
    fail_once(monkeypatch, names, call, failure, lambda: write(NEW, output))
    assert_untouched(output)


@each("failure", FAILURES, ids=lambda failure: type(failure).__name__)
def test_a_failure_before_there_was_a_package_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: BaseException
) -> None:
    fail_once(monkeypatch, ("replace",), 1, failure, lambda: write(NEW, tmp_path / "package"))
    assert list(tmp_path.iterdir()) == []


def fail_once(
    monkeypatch: pytest.MonkeyPatch,
    names: tuple[str, ...],
    call: int,
    failure: BaseException,
    work: Callable[[], None],
) -> None:
    """Assert that work fails if functions fail once, at their n-th call."""
    with monkeypatch.context() as patch:
        for name in names:
            owner: Any = os if name == "replace" else Path
            patch.setattr(owner, name, failing_at(call, getattr(owner, name), failure))
        with pytest.raises(type(failure)):
            work()


@pytest.fixture
def as_nobody() -> Iterator[None]:
    """Give up root's right to write anywhere, where the tests have it."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    yield
    os.seteuid(0)


@pytest.fixture
def read_only() -> Iterator[Path]:
    """Return a package in a folder that may be read and not written."""
    folder = Path(tempfile.mkdtemp())
    write(OLD, folder / "package")
    folder.chmod(0o555)
    yield folder / "package"
    folder.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.usefixtures("as_nobody")
def test_a_folder_that_may_not_be_written_stays_as_it_is(read_only: Path) -> None:
    with pytest.raises(PermissionError):
        write(NEW, read_only)
    assert_untouched(read_only)


@pytest.mark.parametrize(
    "foreign", ["notes.txt", "mine.py", "sub/inner.py", ".hidden", "link.py"], ids=lambda name: name
)
def test_a_folder_with_foreign_files_is_not_replaced(output: Path, foreign: str) -> None:
    path = output / foreign
    path.parent.mkdir(exist_ok=True)
    path.write_text("x = 'not generated'\n")
    before = contents(output)
    with pytest.raises(SchemaError, match="not a generated file and would be deleted"):
        write(NEW, output)
    assert contents(output) == before
    assert path.read_text() == "x = 'not generated'\n"
    assert_nothing_beside(output)


def test_a_foreign_link_is_not_replaced(output: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "precious.txt"
    elsewhere.write_text("precious")
    (output / "link").symlink_to(elsewhere)
    with pytest.raises(SchemaError, match="not a generated file"):
        write(NEW, output)
    assert elsewhere.read_text() == "precious"
    assert (output / "link").is_symlink()


def test_a_killed_run_leaves_the_old_package(output: Path) -> None:
    """Killed at the worst moment before the swap: everything is written aside, nothing is in place."""
    script = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from codegen.write import write\n"
        "os.replace = lambda *a: os.kill(os.getpid(), signal.SIGKILL)\n"
        f"write({NEW!r}, Path({str(output)!r}))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False)
    assert done.returncode == -9
    assert contents(output) == OLD


def test_runs_at_once_leave_one_whole_package(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from codegen.write import write\n"
        "files = {f'module_{n}.py': f'# Generated by run {sys.argv[1]}\\n' for n in range(8)}\n"
        "for _ in range(25):\n"
        f"    write(files, Path({str(tmp_path / 'package')!r}))\n"
    )
    commands = [[sys.executable, "-c", script, name] for name in "ABCD"]
    with all_started(commands, cwd=ROOT, stderr=subprocess.PIPE, text=True) as runs:
        errors = [run.communicate()[1] for run in runs]
    assert [(run.returncode, error) for run, error in zip(runs, errors, strict=True)] == [(0, "")] * 4
    assert_nothing_beside(tmp_path / "package")
    files = contents(tmp_path / "package")
    assert len(files) == 8
    assert len(set(files.values())) == 1, "every file is of the same run"


def test_temporary_folders_of_the_formatter_are_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    spec = tmp_path / "spec"
    spec.mkdir()
    shutil.copy(ROOT / "spec" / CORE_FILE, spec)
    generate(spec, "package")
    assert [path.name for path in tmp_path.iterdir()] == ["spec"]
