"""Errors that end a command, with an exit code each."""

from __future__ import annotations

from typing import ClassVar


class CommandError(Exception):
    """The command could not run, for example because a path does not exist or an option is invalid.

    The command line prints the message, one line per problem, and exits with `exit_code`.
    """

    exit_code: ClassVar[int] = 2


class InputError(CommandError):
    """A file that the command reads has an error, or an event in it."""

    exit_code: ClassVar[int] = 1
