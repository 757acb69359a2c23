"""Values that the shell completes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping


def complete_codes(incomplete: str) -> Iterator[tuple[str, str]]:
    """Return the finding codes that start with a text, each with its title.

    Args:
        incomplete: Codes separated by commas, of which the last one is completed.
    """
    from openlineage_facets.cli.results.file_codes import every_code

    return _completed(incomplete, {code: entry.title for code, entry in every_code().items()})


def complete_backends(incomplete: str) -> Iterator[tuple[str, str]]:
    """Return the names of backends that start with a text, each with its title.

    Args:
        incomplete: Names separated by commas, of which the last one is completed.
    """
    from openlineage_facets.validation.backends.catalogue import known_profiles

    return _completed(incomplete, {name: profile.title for name, profile in known_profiles().items()})


def _completed(incomplete: str, titles: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    complete, comma, prefix = incomplete.rpartition(",")
    for name, title in titles.items():
        if name.lower().startswith(prefix.strip().lower()):
            yield f"{complete}{comma}{name}", title
