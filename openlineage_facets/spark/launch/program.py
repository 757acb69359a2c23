"""A job as Python starts it: a script, a module, a folder or zip file, or a notebook."""

from __future__ import annotations

import builtins
import linecache
import marshal
import os
import re
import sys
import traceback
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader, SourcelessFileLoader
from importlib.util import MAGIC_NUMBER, find_spec
from pathlib import Path
from types import CodeType, ModuleType, TracebackType

from openlineage_facets.spark.launch.job_arguments import LaunchError
from openlineage_facets.spark.launch.notebook import Notebook, is_notebook

_LAUNCHER = os.path.dirname(os.path.abspath(__file__))
_PACKAGE = os.path.dirname(_LAUNCHER)


def hide_frames(error: BaseException) -> None:
    """Remove the frames of this package that only pass on a call, from an error and its causes.

    Frames after the last frame of the job stay: an error in this package is shown where it is.
    """
    pending: list[BaseException | None] = [error]
    seen: set[int] = set()
    while pending:
        current = pending.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        current.__traceback__ = _without_our_frames(current.__traceback__)
        pending += [current.__cause__, current.__context__]


def print_hidden(error: BaseException) -> None:
    """Let the interpreter print an error that ends it as it is now, without the frames added until then.

    Args:
        error: The error that is about to be raised again.
    """
    shown = error.__traceback__
    hook = sys.excepthook

    def show(kind: type[BaseException], value: BaseException, trace: TracebackType | None) -> None:
        sys.excepthook = hook
        if value is error:
            value, trace = value.with_traceback(shown), shown
        if hook is sys.__excepthook__ and _has_cells(trace):
            # Before Python 3.13, the hook does not show the lines of code that is not in a file.
            traceback.print_exception(kind, value, trace)
        else:
            hook(kind, value, trace)

    sys.excepthook = show


def _has_cells(trace: TracebackType | None) -> bool:
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name.startswith("<") and name in linecache.cache:
            return True
        trace = trace.tb_next
    return False


def _without_our_frames(trace: TracebackType | None) -> TracebackType | None:
    while trace is not None and _is_launcher(trace):
        trace = trace.tb_next
    entries: list[TracebackType] = []
    while trace is not None:
        entries.append(trace)
        trace = trace.tb_next
    own: TracebackType | None = None
    in_job = False
    for entry in reversed(entries):
        in_job = in_job or not _is_in(_PACKAGE, entry)
        if not in_job or not _is_in(_PACKAGE, entry):
            own = TracebackType(own, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return own


def _is_launcher(entry: TracebackType) -> bool:
    name = entry.tb_frame.f_code.co_filename
    return _is_in(_LAUNCHER, entry) or name in ("<frozen runpy>", os.path.join(_PACKAGE, "__main__.py"))


def _is_in(folder: str, entry: TracebackType) -> bool:
    return entry.tb_frame.f_code.co_filename.startswith(folder + os.sep)


@dataclass(frozen=True)
class Program:
    """Code to execute as `__main__`.

    Args:
        name: What Spark calls an application without a name: the name of the file or module.
        argv0: `sys.argv[0]` of the program.
        search_path: `sys.path[0]` of the program; None to leave `sys.path` as it is.
        load: Sets the attributes of the main module and yields the code to execute in it, one cell after the
            other for a notebook. Its errors are those of the job, except for `LaunchError`.
    """

    name: str
    argv0: str
    search_path: str | None
    load: Callable[[ModuleType], Iterator[CodeType]]

    def execute(self, arguments: list[str]) -> None:
        """Execute the program as `__main__`, as Python itself would.

        Args:
            arguments: Arguments after the name of the program.

        Raises:
            LaunchError: The program does not exist. Nothing was executed.
        """
        main = ModuleType("__main__")
        main.__dict__.update(__builtins__=builtins, __annotations__={})
        sys.modules["__main__"] = main
        sys.argv[:] = [self.argv0, *arguments]
        if self.search_path is not None:
            sys.path.insert(0, self.search_path)
        for code in self.load(main):
            exec(code, main.__dict__)


def path_program(path: str) -> Program:
    """Return the program in a file, a folder or a zip file.

    Args:
        path: As after `python`; or a notebook, `.ipynb` or exported from Databricks as `.py`.

    Raises:
        LaunchError: The path does not exist, or is a notebook that cannot be executed.
    """
    if path == "-":
        raise LaunchError("-: expected the path of a job, found standard input; write the job to a file")
    if not os.path.exists(path):
        raise LaunchError(
            f"expected a script, a notebook or a folder with __main__.py, found nothing at {path}"
        )
    name = _name(path)
    # Python resolves symbolic links for the search path, but not for __file__.
    folder = None if _is_safe_path() else os.path.dirname(os.path.realpath(path))
    absolute = _absolute(path)
    try:
        if is_notebook(Path(absolute)):
            return Program(name, path, folder, Notebook.read(Path(absolute)).load)
        container = PathFinder.find_spec("__main__", [absolute])
    except OSError as error:
        raise LaunchError(f"{path}: cannot be read: {error.strerror or error}") from None
    if container is not None:
        return Program(name, path, absolute, lambda main: _load_spec(main, container))
    if os.path.isdir(absolute):
        raise LaunchError(
            f"expected a script or a folder with __main__.py, found a folder without it: {path}"
        )
    return Program(name, path, folder, lambda main: _load_script(main, absolute))


def module_program(name: str) -> Program:
    """Return the program in a module, as after `python -m`.

    Args:
        name: The module, or a package with the module `__main__`.
    """

    def load(main: ModuleType) -> Iterator[CodeType]:
        spec = _module_spec(name)
        sys.argv[0] = spec.origin or name
        yield from _load_spec(main, spec)

    return Program(name, "-m", None if _is_safe_path() else os.getcwd(), load)


def _is_safe_path() -> bool:
    """Return True if Python was started with `-P`, and adds no folder to `sys.path`."""
    return bool(getattr(sys.flags, "safe_path", False))


def _absolute(path: str) -> str:
    """Return an absolute path as Python does: `..` stays, since it may follow a symbolic link."""
    return os.getcwd() if path == os.curdir else os.path.join(os.getcwd(), path)


def _name(path: str) -> str:
    """Return the name of a file or folder; that of a symbolic link, not of its target."""
    name = os.path.basename(path.rstrip("/" + os.sep))
    return os.path.basename(os.path.realpath(path)) if name in ("", os.curdir, os.pardir) else name


def _load_script(main: ModuleType, path: str) -> Iterator[CodeType]:
    content = Path(path).read_bytes()
    is_compiled = path.endswith(".pyc") or content.startswith(MAGIC_NUMBER)
    loader = SourcelessFileLoader if is_compiled else SourceFileLoader
    main.__dict__.update(
        __file__=path,
        __cached__=None,
        __loader__=loader("__main__", path),
        __package__=None,
        __spec__=None,
    )
    yield _compiled_code(content, path) if is_compiled else _source_code(content, path)


_HEADER_SIZE = 16
"""Bytes before the code in a compiled file."""


def _compiled_code(content: bytes, path: str) -> CodeType:
    code = marshal.loads(content[_HEADER_SIZE:]) if content.startswith(MAGIC_NUMBER) else None
    if not isinstance(code, CodeType):
        version = ".".join(map(str, sys.version_info[:2]))
        raise LaunchError(
            f"{path}: expected a file that Python {version} has compiled, found another one; compile the job "
            "again, or run its source"
        )
    return code


_ENCODING = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+")
"""The declaration of an encoding, in one of the first two lines."""


def _source_code(content: bytes, path: str) -> CodeType:
    """Return the code of a script.

    Raises:
        SyntaxError: It is no Python code. `compile` accepts other bytes than UTF-8 in comments.
    """
    is_declared = content.startswith(BOM_UTF8) or any(map(_ENCODING.match, content.split(b"\n", 2)[:2]))
    if not is_declared:
        try:
            content.decode()
        except UnicodeDecodeError as error:
            byte, line = content[error.start], content.count(b"\n", 0, error.start) + 1
            raise SyntaxError(
                f"Non-UTF-8 code starting with '\\x{byte:02x}' in file {path} on line {line}, but no "
                "encoding declared; see https://peps.python.org/pep-0263/ for details"
            ) from None
    return compile(content, path, "exec", dont_inherit=True)


def _load_spec(main: ModuleType, spec: ModuleSpec) -> Iterator[CodeType]:
    main.__dict__.update(
        __file__=spec.origin,
        __cached__=spec.cached,
        __loader__=spec.loader,
        __package__=spec.parent,
        __spec__=spec,
    )
    code: CodeType | None = spec.loader.get_code(spec.name) if spec.loader else None  # type: ignore[attr-defined]
    if code is None:
        raise LaunchError(f"-m {spec.name}: expected a module written in Python, found {spec.origin}")
    yield code


def _module_spec(name: str) -> ModuleSpec:
    try:
        spec = find_spec(name)
    except ModuleNotFoundError as error:
        if not error.name or not f"{name}.".startswith(f"{error.name}."):
            raise  # An import of the package itself.
        spec = None
    except ValueError:  # The module is loaded, and has no spec.
        spec = None
    if spec is None:
        raise LaunchError(f"-m {name}: no such module on sys.path")
    if spec.submodule_search_locations is None:
        return spec
    main = find_spec(f"{name}.__main__")
    if main is None:
        raise LaunchError(f"-m {name}: expected a module or a package with __main__, found a package without")
    return main
