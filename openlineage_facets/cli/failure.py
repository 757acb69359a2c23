"""What ends a command before it could do its work."""

from __future__ import annotations

__all__ = ["CommandError"]


class CommandError(Exception):
    """The command could not run: a path that is not there, an option that makes no sense.

    The command line prints the message, a line for each thing that is wrong, and exits with 2.
    """
