"""The command line, from the extra `cli`."""

from __future__ import annotations


def main() -> None:
    """Run the command."""
    raise SystemExit("not here yet")
