"""Rules about which fields may and must stand together, as generated classes declare them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from pydantic_core import PydanticCustomError

if TYPE_CHECKING:
    from openlineage_facets.base.model import Model

__all__ = ["forbid_together", "require_with"]

M = TypeVar("M", bound="Model")


def forbid_together(*names: str) -> Callable[[M], M]:
    """Return a check that a value does not hold all of the wire names (JSON Schema `not: {required}`)."""

    def check(value: M) -> M:
        present = value.wire_names_set()
        if present.issuperset(names):
            listed = " and ".join(names)
            raise PydanticCustomError(
                "presence",
                "no {listed}" if len(names) == 1 else "not {listed} together",
                {"listed": listed, "found": listed, "hint": f"leave out {names[-1]!r}"},
            )
        return value

    return check


def require_with(name: str, *needed: str) -> Callable[[M], M]:
    """Return a check that where `name` stands, `needed` stand too (JSON Schema `dependentRequired`)."""

    def check(value: M) -> M:
        present = value.wire_names_set()
        if name in present:
            missing = [other for other in needed if other not in present]
            if missing:
                listed = ", ".join(missing)
                raise PydanticCustomError(
                    "presence",
                    "{listed} beside {name}",
                    {"listed": listed, "name": name, "found": f"{name} alone", "hint": f"add {listed!r}"},
                )
        return value

    return check
