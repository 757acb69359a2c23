"""Error that ends a command with exit code 2."""

from __future__ import annotations


class CommandError(Exception):
    """The command could not run, for example because a path does not exist or an option is invalid.

    The command line prints the message, one line per problem, and exits with 2.
    """
