"""Explain errors of Spark's Python workers that a wrong `PYSPARK_PYTHON` causes."""

from __future__ import annotations

import os
import re
import shutil
import sys
from importlib.util import find_spec

_OTHER_VERSION = re.compile(r"Python in worker has different version:? \(?['\"]?(?P<worker>\d+[\d., ']*\d)")
_NO_MODULE = re.compile(r"ModuleNotFoundError: No module named '(?P<module>[\w.]+)'")
_NO_PROGRAM = re.compile(r'Cannot run program "(?P<program>[^"]+)"')
_WORKER = re.compile(r"pyspark[./\\](?:worker|daemon)|PythonWorkerFactory|PythonRunner|PythonException")


def explain_worker_error(error: BaseException) -> str | None:
    """Return in one line why a worker failed and how to fix it; None if its interpreter is not the cause.

    Args:
        error: The error of an action.
    """
    text = str(error)
    if not _WORKER.search(text) and "Python in worker" not in text:
        return None
    version = ".".join(map(str, sys.version_info[:2]))
    advice = f"set PYSPARK_PYTHON to a Python {version} that the workers have, such as {sys.executable}"
    program = _program()
    other = _OTHER_VERSION.search(text)
    if other is not None:
        found = re.sub(r"[^\d]+", ".", other["worker"])
        return (
            f"Spark's workers run {program} with Python {found}, the driver runs Python {version}; {advice}"
        )
    missing_program = _NO_PROGRAM.search(text)
    if missing_program is not None:
        return f"Spark's workers cannot run {missing_program['program']}; {advice}"
    missing = _NO_MODULE.search(text)
    if missing is not None and _is_installed(missing["module"]):
        return (
            f"Spark's workers run {program}, which lacks the module {missing['module']} of the driver; "
            f"{advice}, or pass the module with spark.submit.pyFiles"
        )
    return None


def _program() -> str:
    name = os.environ.get("PYSPARK_PYTHON") or "python3"
    return shutil.which(name) or name


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module.partition(".")[0]) is not None
    except (ImportError, ValueError):
        return False
