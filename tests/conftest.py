"""What every test may ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
"""The checkout."""

SHARED = ROOT.parent / "shared" / "openlineage"
"""The published schemas and real events, where they stand beside the checkout."""


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of published schemas and real events, or skip the test where there is none."""
    if not SHARED.is_dir():
        pytest.skip(f"no published schemas and events at {SHARED}: conformance against them is not checked")
    return SHARED
