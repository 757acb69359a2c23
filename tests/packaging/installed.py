"""An environment with a wheel, whose requirements are those installed here."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path


def installed(wheel: Path, folder: Path) -> Path:
    """Create an environment with a wheel in a folder, and return its Python."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    command = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = Path(
        subprocess.run([python, "-c", command], capture_output=True, text=True, check=True).stdout.strip()
    )
    # A path in a .pth file: the .pth files in that folder, such as that of the checkout, are not read.
    (site / "requirements.pth").write_text(sysconfig.get_path("purelib"))
    install(python, wheel)
    return python


def install(python: Path, wheel: Path) -> None:
    """Install a wheel without its requirements."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python), "install"]
    options = ["--quiet", "--no-index", "--no-deps", "--ignore-installed"]
    subprocess.run([*pip, *options, str(wheel)], check=True)
