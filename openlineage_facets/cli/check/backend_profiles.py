"""Load the profiles of the backends of `--backend`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from openlineage_facets.cli.command_error import CommandError

if TYPE_CHECKING:
    from openlineage_facets.validation.backends.profile import Profile


def load_profiles(backends: Sequence[str]) -> tuple[Profile, ...]:
    """Return the profiles of backends.

    Args:
        backends: Names, also separated by commas, or paths of profiles.

    Raises:
        CommandError: A backend is unknown, or its profile is invalid.
    """
    if not backends:
        return ()
    from openlineage_facets.validation.backends.catalogue import profiles_of
    from openlineage_facets.validation.backends.profile import BackendError

    try:
        return profiles_of(backends)
    except BackendError as error:
        raise CommandError(str(error)) from None
