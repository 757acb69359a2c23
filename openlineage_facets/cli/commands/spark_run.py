"""`openlineage-facets spark-run`: run a PySpark job and report its lineage."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import NoReturn

__all__ = ["main"]


def main(arguments: Sequence[str]) -> NoReturn:
    """Replace this process by one that runs the job, in which nothing but the job has happened.

    Args:
        arguments: Arguments after the name of the command.
    """
    command = [sys.executable, "-m", "openlineage_facets.spark", *arguments]
    sys.stdout.flush()
    if os.name == "nt":  # There, exec ends the process before its replacement.
        raise SystemExit(subprocess.call(command))
    os.execv(sys.executable, command)
