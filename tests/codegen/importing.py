"""Import the packages that tests generate, each under a name that no other package of this process has.

Python keeps every imported module by its name, and pytest makes a fixture again wherever a `conftest.py`
imports it. Names are therefore counted here, once per process, and forgotten together with their folder.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

_numbers = count()


def unused_name() -> str:
    """Return a package name that was not returned before in this process."""
    return f"generated_package_{next(_numbers)}"


@contextmanager
def importable(folder: Path) -> Iterator[None]:
    """Make the packages below `folder` importable, and forget them afterwards.

    Args:
        folder: The parent folder of the packages. After writing another one, call
            `importlib.invalidate_caches()`.
    """
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if file is not None and Path(file).is_relative_to(folder):
                del sys.modules[name]
