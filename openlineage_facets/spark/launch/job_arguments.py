"""Where the options of `spark-run` end and the arguments of the job begin."""

from __future__ import annotations

from collections.abc import Sequence

_WITH_VALUE = frozenset({"--namespace", "--name", "--emit", "--runs", "--conf"})


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
