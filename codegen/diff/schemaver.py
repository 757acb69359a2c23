"""Versions in the form MODEL-REVISION-ADDITION, and the steps between them."""

from __future__ import annotations

import re

from .change import Step

Version = tuple[int, int, int]


def version_of(schema_id: str) -> Version | None:
    """Return the version in a schema URL such as `.../facets/1-0-2/SQLJobFacet.json`, None without one."""
    found = re.search(r"/(\d{1,9})-(\d{1,9})-(\d{1,9})/", schema_id)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def version_text(version: Version | None) -> str:
    """Return a version as it appears in URLs, "" for None."""
    return "" if version is None else "-".join(map(str, version))


def next_version(version: Version, step: Step) -> Version:
    """Return the smallest version after `version` that a step leads to."""
    model, revision, addition = version
    if step is Step.MODEL:
        return model + 1, 0, 0
    if step is Step.REVISION:
        return model, revision + 1, 0
    return (model, revision, addition + 1) if step is Step.ADDITION else version


def step_between(old: Version, new: Version) -> Step | None:
    """Return the step from one version to another, None if the version goes back."""
    if new < old:
        return None
    if new[0] != old[0]:
        return Step.MODEL
    if new[1] != old[1]:
        return Step.REVISION
    return Step.ADDITION if new[2] != old[2] else Step.NONE


def version_problem(old_id: str, new_id: str, required: Step) -> str:
    """Return why the `$id` of a changed schema is wrong, "" if it is right."""
    old, new = version_of(old_id), version_of(new_id)
    if old_id == new_id:
        expected = f": expected {version_text(next_version(old, required))}" if old else ""
        return f"the structure changed, but the $id did not{expected}"
    if old is None or new is None:
        return ""
    actual = step_between(old, new)
    expected = version_text(next_version(old, required))
    if actual is None:
        return f"the version goes back: expected {expected}"
    if actual is Step.NONE:
        return f"the structure changed, but the version did not: expected {expected}"
    if actual < required:
        change = f"changed by {_a(actual)} step, but the change requires {_a(required)} step"
        return f"{change}: expected {expected}"
    return ""


def _a(step: Step) -> str:
    return f"{'an' if step is Step.ADDITION else 'a'} {step.name}"
