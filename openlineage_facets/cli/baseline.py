"""Findings that are known already, kept in a file so that only new ones count."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from openlineage_facets.cli.failure import CommandError
from openlineage_facets.cli.fingerprint import Fingerprint
from openlineage_facets.cli.output import written_whole

__all__ = ["read_baseline", "write_baseline"]

_VERSION = 1


def read_baseline(path: Path) -> frozenset[Fingerprint]:
    """Return the findings that a baseline file holds.

    Raises:
        CommandError: There is no such file, or it is none.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(document, dict) or document.get("version") != _VERSION:
            raise ValueError(f"no baseline of version {_VERSION}")
        entries = document["findings"]
        return frozenset(Fingerprint(str(it["code"]), str(it["pointer"]), str(it["about"])) for it in entries)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        hint = "write it with --write-baseline"
        raise CommandError(f"baseline {path}: {reason}; {hint}") from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise CommandError(
            f"baseline {path}: expected a file that --write-baseline wrote, found {_reason(error)}"
        ) from None


def write_baseline(path: Path, findings: Iterable[Fingerprint]) -> None:
    """Write a baseline file, one finding a line in a fixed order, so that changes of it are readable.

    Raises:
        CommandError: It cannot be written.
    """
    lines = [json.dumps(one._asdict(), ensure_ascii=False) for one in sorted(set(findings))]
    with written_whole(path) as file:
        file.write(f'{{"version": {_VERSION}, "findings": [')
        file.write(",".join(f"\n  {line}" for line in lines))
        file.write("\n]}\n")


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"a finding without {error}"
    return str(error) or type(error).__name__
