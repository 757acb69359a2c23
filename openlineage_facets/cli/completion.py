"""`openlineage-facets completion`: the script that completes the command in a shell."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer

__all__ = ["COMPLETING", "completion"]

_PROGRAM = "openlineage-facets"

COMPLETING = "_OPENLINEAGE_FACETS_COMPLETE"
"""The environment variable by which a shell asks for completions."""


class Shell(str, Enum):
    """A shell that can complete."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"
    POWERSHELL = "powershell"


def completion(
    shell: Annotated[Shell, typer.Argument(help="The shell.")],
) -> None:
    """Print the script that completes the command in a shell.

    In bash, for example: openlineage-facets completion bash >> ~/.bashrc
    """
    from typer import completion as scripts

    script = scripts.get_completion_script(  # type: ignore[attr-defined]  # pyright: ignore[reportPrivateImportUsage]
        prog_name=_PROGRAM, complete_var=COMPLETING, shell=shell.value
    )
    print(script)
