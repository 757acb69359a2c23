"""Values that the shell completes."""

from __future__ import annotations

from collections.abc import Iterator


def complete_codes(incomplete: str) -> Iterator[tuple[str, str]]:
    """Yield the finding codes that start with a text, each with its title.

    Args:
        incomplete: Codes separated by commas, of which the last one is completed.
    """
    from openlineage_facets.cli.results.file_codes import every_code

    complete, comma, prefix = incomplete.rpartition(",")
    for code, entry in every_code().items():
        if code.startswith(prefix.strip().upper()):
            yield f"{complete}{comma}{code}", entry.title


def complete_backends(incomplete: str) -> Iterator[tuple[str, str]]:
    """Yield the names of backends that start with a text, each with its title.

    Args:
        incomplete: Names separated by commas, of which the last one is completed.
    """
    from openlineage_facets.validation.backends.catalogue import known_profiles

    complete, comma, prefix = incomplete.rpartition(",")
    for name, profile in known_profiles().items():
        if name.startswith(prefix.strip().lower()):
            yield f"{complete}{comma}{name}", profile.title
