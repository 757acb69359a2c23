"""Command line. Requires the extra `cli`."""

from __future__ import annotations

import sys

from openlineage_facets.version import install_command


def main() -> None:
    """Run `openlineage-facets` and exit with its exit code."""
    try:
        from openlineage_facets.cli.app import run
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("typer", "click", "rich"):
            raise
        print(f"the command line needs {error.name}: {install_command('cli')}", file=sys.stderr)
        raise SystemExit(2) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    raise SystemExit(run())
