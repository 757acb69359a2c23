"""Check the URL of a folder of schemas, the value of `--id-base`."""

from __future__ import annotations

from openlineage_facets.cli.command_error import CommandError


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
