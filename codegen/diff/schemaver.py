"""The steps between versions in the form MODEL-REVISION-ADDITION."""

from __future__ import annotations

from ..file_versions import Version, version_of, version_text
from .change import Step


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
    if required is Step.NONE:
        goes_back = old is not None and new is not None and new < old
        return f"the version goes back: expected {version_text(old)} or a later one" if goes_back else ""
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
