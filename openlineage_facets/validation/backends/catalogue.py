"""Find the profiles of backends: those of this package, of other packages, and of files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.metadata import entry_points
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from openlineage_facets.base.errors.name_suggestions import similar_name
from openlineage_facets.validation.backends.profile import BackendError, Profile, read_profile

ALL = "all"
"""The name that stands for all known backends."""

Backends: TypeAlias = str | PathLike[str] | Profile | Sequence["str | PathLike[str] | Profile"]
"""Names of backends, also separated by commas, "all", paths of profiles, or profiles."""

_GROUP = "openlineage_facets.backends"
"""The entry point group of profiles in other packages."""

_FOLDER = Path(__file__).parent / "profiles"


def profiles_of(backends: Backends) -> tuple[Profile, ...]:
    """Return the profiles of backends, each once.

    Args:
        backends: Names, as `openlineage-facets backends` lists them, or "all"; paths that end with `.toml`;
            or profiles.

    Raises:
        BackendError: A backend is unknown, a profile is invalid or has no name, or two have the same name.
        ModuleNotFoundError: On Python 3.10, tomli is not installed.

    Example:
        >>> [profile.title for profile in profiles_of("datahub,marquez")]
        ['DataHub', 'Marquez']
    """
    one_or_more = [backends] if isinstance(backends, (str, PathLike, Profile)) else backends
    profiles: dict[str, Profile] = {}
    for profile in (profile for backend in one_or_more for profile in _profiles(backend)):
        if not profile.name:
            raise BackendError(f"{profile.title}: expected a profile with a name, found none; add `name`")
        other = profiles.setdefault(profile.name, profile)
        if other != profile:
            titles = f"{other.title} and {profile.title}"
            raise BackendError(f"{titles}: expected names that differ, found {profile.name!r}; rename one")
    return tuple(profiles.values())


@lru_cache(maxsize=1)
def known_profiles() -> dict[str, Profile]:
    """Return the profiles of this package and of installed packages, sorted by name.

    Raises:
        BackendError: The profile of an installed package is invalid, or has the name of another one.
    """
    profiles = {path.stem: read_profile(path) for path in _FOLDER.glob("*.toml")}
    for point in sorted(entry_points(group=_GROUP), key=lambda it: (it.name, it.value)):
        try:
            paths = list(_paths(point.load()))
        except Exception as error:  # Loading another package may raise anything.
            raise BackendError(f"{point.name} ({point.value}): {type(error).__name__}: {error}") from error
        for path in paths:
            profile = read_profile(path)
            if profile.name in profiles or profile.name == ALL:
                raise BackendError(f"{path}: {profile.name!r} is the name of another backend; rename it")
            profiles[profile.name] = profile
    return dict(sorted(profiles.items()))


def _paths(found: Any) -> Iterator[Path]:
    """Yield the paths that an entry point refers to: one, or several."""
    for path in [found] if isinstance(found, (str, PathLike)) else found:
        yield Path(path)


def _profiles(backend: Any) -> Iterable[Profile]:
    if isinstance(backend, Profile):
        return [backend]
    if isinstance(backend, PathLike):
        return [read_profile(Path(backend))]
    names = [name.strip() for name in backend.split(",") if name.strip()]
    if not names:
        raise BackendError("expected the name of a backend, found an empty text")
    return [profile for name in names for profile in _named(name)]


def _named(name: str) -> Iterable[Profile]:
    known = known_profiles()
    if name.lower() == ALL:
        return known.values()
    if name.endswith(".toml"):
        return [read_profile(Path(name))]
    if name.lower() not in known:
        meant = similar_name(name, known)
        hint = f"did you mean {meant!r}?" if meant else "pass the path of a .toml file for another one"
        raise BackendError(f"unknown backend {name!r}; known backends: {', '.join([*known, ALL])}; {hint}")
    return [known[name.lower()]]
