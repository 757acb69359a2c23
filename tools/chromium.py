"""Install Chromium, in which tests open the pages of lineage graphs.

Debian's package is installed if apt-get is available and allowed. An installed Chromium or Chrome is used.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

OVERRIDE = "OPENLINEAGE_FACETS_CHROMIUM"
"""Environment variable with the path of another program to use."""

_PROGRAMS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
_TIMEOUT = 600.0


def main() -> None:
    """Install Chromium unless there is one. On failure, exit with 1 and one line with the reason."""
    if chromium() is not None:
        return
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        sys.exit(f"no Chromium: install it with your package manager, or set {OVERRIDE} to its path")
    for arguments in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
        try:
            subprocess.run([apt, "--quiet", *arguments], check=True, capture_output=True, timeout=_TIMEOUT)
        except (OSError, subprocess.SubprocessError) as error:
            sys.exit(f"Chromium was not installed: {error}")


def chromium() -> str | None:
    """Return the path of an installed Chromium or Chrome, or None."""
    given = os.environ.get(OVERRIDE)
    if given:
        return given
    return next((path for path in map(shutil.which, _PROGRAMS) if path is not None), None)


if __name__ == "__main__":
    main()
