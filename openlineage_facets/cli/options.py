"""Arguments, options and completions that several commands have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

import typer

from openlineage_facets.cli.command_error import CommandError

EventPaths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH...",
        help="Event files, folders, patterns, saved states, lock files, or - for standard input.",
    ),
]

NullIsAbsent = Annotated[
    bool,
    typer.Option("--null-is-absent", help="Read fields that are null as absent, as in exports of Marquez."),
]

JoinSymlinks = Annotated[
    bool, typer.Option("--join-symlinks", help="Treat datasets linked by symlinks facets as one.")
]

NamingFile = Annotated[
    str | None,
    typer.Option(
        "--naming",
        metavar="FILE",
        help="Rules for the names of datasets. Default: OPENLINEAGE_NAMING, or `naming` in pyproject.toml.",
    ),
]

Propagate = Annotated[
    list[str] | None,
    typer.Option(
        "--propagate", metavar="TAG", help="Add this tag to the columns that are computed from those with it."
    ),
]


def complete_codes(incomplete: str) -> Iterator[tuple[str, str]]:
    """Return the finding codes that start with a text, each with its title.

    Args:
        incomplete: Codes separated by commas, of which the last one is completed.
    """
    from openlineage_facets.cli.results.codes import every_code

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


Backend = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAMES",
        help="Report what these backends refuse, lose or change (datahub,marquez; all; a .toml file).",
        autocompletion=complete_backends,
    ),
]


def checked_base(url: str | None) -> str | None:
    """Return the value of `--id-base`.

    Raises:
        CommandError: It is not the URL of a folder.
    """
    if url is not None and "://" not in url:
        raise CommandError(f"--id-base: expected an absolute URL, found {url!r}; add its scheme")
    if url is not None and url.endswith(".json"):
        raise CommandError(f"--id-base: expected the URL of the folder, found that of a file, {url!r}")
    return url
