"""Whether a graph may be written to a file."""

from __future__ import annotations

import os
from pathlib import Path

from openlineage_facets.cli.command_error import CommandError

__all__ = ["assert_replaceable"]


def assert_replaceable(path: Path) -> None:
    """Reject a file that is not an earlier graph, and a link to a file. Pipes and devices can be written.

    Raises:
        CommandError: Writing would destroy a file.
    """
    from openlineage_facets.graphs.recognition import is_graph

    try:
        if path.exists() and not path.is_file():
            return
        if path.is_symlink():
            target = os.readlink(path)
            raise CommandError(
                f"{path}: expected a file, found a symlink to {target}; pass that or remove the link"
            )
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return
    except OSError as error:
        raise CommandError(f"{path}: cannot write: {(error.strerror or str(error)).lower()}") from None
    if text and not is_graph(text):
        raise CommandError(f"{path} exists and is not a graph; choose another name or remove it")
