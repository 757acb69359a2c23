"""Register facets in a test, and forget them afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from openlineage_facets.base.containers import registered_facets
from openlineage_facets.generated import containers


@contextmanager
def facets_restored() -> Iterator[None]:
    """Forget the facets that are registered inside the block."""
    classes = [one for name, one in vars(containers).items() if name.endswith("Facets")]
    before = {cls: cls.__slots_by_key__ for cls in classes}
    try:
        yield
    finally:
        for cls, slots in before.items():
            cls.__slots_by_key__ = slots
        registered_facets._forget()
