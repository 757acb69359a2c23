"""Compare versions of releases, for a checkout of the compatibility tests without this module."""

from __future__ import annotations


def release_between(release: str, least: str | None, most: str | None) -> bool:
    """Return whether a release is between two others, which None leaves open."""
    return (not least or _parts(release) >= _parts(least)) and (not most or _parts(release) <= _parts(most))


def max_version(one: str | None, other: str | None) -> str | None:
    """Return the newer of two versions."""
    return max((version for version in (one, other) if version), key=_parts, default=None)


def min_version(one: str | None, other: str | None) -> str | None:
    """Return the older of two versions."""
    return min((version for version in (one, other) if version), key=_parts, default=None)


def _parts(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]
