"""Baseline files: known findings that are not reported again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.results.finding_groups import Fingerprint

_VERSION = 1


def read_baseline(path: Path) -> frozenset[Fingerprint]:
    """Return the findings in a baseline file.

    Raises:
        CommandError: The file does not exist or is not a valid baseline.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(document, dict) or document.get("version") != _VERSION:
            raise ValueError(f"something other than a baseline of version {_VERSION}")
        entries = document["findings"]
        return frozenset(
            Fingerprint(str(entry["code"]), str(entry["pointer"]), str(entry["about"])) for entry in entries
        )
    except OSError as error:
        reason = error.strerror or type(error).__name__
        hint = "create it with --write-baseline"
        raise CommandError(f"baseline {path}: {reason}; {hint}") from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise CommandError(
            f"baseline {path}: expected a file written by --write-baseline, found {_reason(error)}"
        ) from None


def write_baseline(file: TextIO, findings: Iterable[Fingerprint]) -> None:
    """Write a baseline with one finding per line in a stable order, so that diffs are readable."""
    lines = [json.dumps(finding._asdict(), ensure_ascii=False) for finding in sorted(set(findings))]
    file.write(f'{{"version": {_VERSION}, "findings": [')
    file.write(",".join(f"\n  {line}" for line in lines))
    file.write("\n]}\n")


def is_baseline(text: str) -> bool:
    """Return whether a text is a baseline."""
    return text.startswith(f'{{"version": {_VERSION}, "findings": [') and text.endswith("\n]}\n")


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"invalid JSON ({error})"
    if isinstance(error, KeyError):
        return f"a finding without {error}"
    return str(error) or type(error).__name__
