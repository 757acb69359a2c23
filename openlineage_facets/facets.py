"""Every facet class, and a module for each schema file with its nested classes.

>>> from openlineage_facets.facets import ParentRunFacet, parent_run
>>> parent_run.Job(namespace="airflow", name="orders_daily")
Job(namespace='airflow', name='orders_daily')
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from openlineage_facets.generated import *  # noqa: F403
else:
    from openlineage_facets import generated

    __all__ = generated.__all__

    def __getattr__(name: str) -> Any:
        return getattr(generated, name)

    def __dir__() -> list[str]:
        return __all__
