"""Suggest the name that was probably meant."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["did_you_mean", "folded"]


def folded(name: str) -> str:
    """Return a name without case and separators: `jobType` and `job_type` are both `jobtype`."""
    return "".join(char for char in name.casefold() if char.isalnum())


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the hint for a name that is not in `known`: the closest one, or the list of all."""
    from difflib import get_close_matches

    names = sorted(known)
    near = names if len(names) == 1 else get_close_matches(name, names, n=1)
    return f"did you mean {near[0]!r}?" if near else f"it has {', '.join(names)}"
