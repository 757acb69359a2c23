"""Error of the launcher itself, before the job has started."""

from __future__ import annotations


class LaunchError(Exception):
    """The job cannot be started, for example because its file does not exist."""
