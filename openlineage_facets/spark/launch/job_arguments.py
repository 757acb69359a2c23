"""The arguments of `spark-run` and of its job, and those with which PySpark starts its driver."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence


class LaunchError(Exception):
    """The job cannot be started, for example because its file does not exist."""


_WITH_VALUE = frozenset({"--namespace", "--name", "--emit", "--runs", "--backend", "--naming", "--conf"})


def split_arguments(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the options of `spark-run`, and what belongs to the job, unchanged.

    The options end before the job, or after `-m MODULE`. `--` before the job is neither.

    Example:
        >>> split_arguments(["--name", "daily", "job.py", "--name", "x"])
        (['--name', 'daily'], ['job.py', '--name', 'x'])
        >>> split_arguments(["-m", "shop.orders", "--day", "1"])
        (['-m', 'shop.orders'], ['--day', '1'])
    """
    place = 0
    while place < len(arguments) and arguments[place].startswith("-") and arguments[place] != "-":
        option = arguments[place]
        if option == "--":
            return list(arguments[:place]), list(arguments[place + 1 :])
        place += 2 if option in _WITH_VALUE or option == "-m" else 1
        if option.startswith("-m"):
            break
    return list(arguments[:place]), list(arguments[place:])


_VARIABLE = "PYSPARK_SUBMIT_ARGS"


def configure_driver(settings: Mapping[str, str]) -> None:
    """Configure the driver like `spark-submit --conf`: settings in the code of the job take precedence.

    Args:
        settings: Spark's configuration.

    Raises:
        LaunchError: The driver is running already, since spark-submit has started it.
    """
    if not settings:
        return
    if "PYSPARK_GATEWAY_PORT" in os.environ:
        raise LaunchError("--conf: expected a driver that is not running, found spark-submit; pass it there")
    arguments = shlex.split(os.environ.get(_VARIABLE, "") or "pyspark-shell")
    added = [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
    # The last argument is the application, pyspark-shell.
    os.environ[_VARIABLE] = shlex.join([*arguments[:-1], *added, arguments[-1]])
