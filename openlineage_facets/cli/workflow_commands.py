"""Print and escape text without what GitHub Actions would execute as a workflow command."""

from __future__ import annotations

import re
import sys

from openlineage_facets.base.display.printable import printable

_COMMAND = re.compile(r"^(?P<indent>\s*)::|##\[", re.MULTILINE)


def escape_commands(text: str) -> str:
    r"""Return `text` without workflow commands: `::` at the start of a line, and `##[` anywhere.

    A runner executes such lines in the output of any step, also when they come from a file name or an event.

    Example:
        >>> escape_commands("::error::x.json:1: error OL011")
        '\\x3a:error::x.json:1: error OL011'
    """
    return _COMMAND.sub(_escaped, text)


def print_message(text: str) -> None:
    """Print a message of the program to standard error, as `print_safely` does."""
    print_safely(f"openlineage-facets: {text}")


def print_safely(text: str) -> None:
    """Print one line to standard error, safe for terminals and workflows."""
    print(escape_commands(printable(text)), file=sys.stderr)


def escape_json_commands(text: str) -> str:
    """Return the same JSON text without the workflow command `##[`."""
    return text.replace("##[", "\\u0023#[")


def _escaped(command: re.Match[str]) -> str:
    return "\\x23#[" if command["indent"] is None else f"{command['indent']}\\x3a:"
