"""`openlineage-facets backends`: list backends, and what is known about them."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from openlineage_facets.cli.options import complete_backends

if TYPE_CHECKING:
    from openlineage_facets.validation.backends.profile import Fact, Profile

_WIDTH = 100


class BackendFormat(str, Enum):
    """Formats of the list."""

    TEXT = "text"
    JSON = "json"


def backends(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME",
            help="Backends to describe with all facts, or paths of profiles. Default: list all backends.",
            autocompletion=complete_backends,
        ),
    ] = None,
    output_format: Annotated[
        BackendFormat, typer.Option("--format", help="Format of the output.")
    ] = BackendFormat.TEXT,
) -> None:
    """List backends, and what each refuses, loses or changes.

    Each fact has a source, the version for which it is known, and the kind of evidence: tried, code,
    documentation or issue.
    """
    from openlineage_facets.cli.check.chunk_checker import load_profiles

    profiles = load_profiles(names or ["all"])
    if output_format is BackendFormat.JSON:
        print(json.dumps([_as_json(profile) for profile in profiles], indent=2))
    elif names:
        print("\n\n".join("\n".join(_page(profile)) for profile in profiles))
    else:
        width = max(len(profile.name) for profile in profiles)
        for profile in profiles:
            print(f"{profile.name:<{width}}  {profile.title}: {_counts(profile)}")


def _counts(profile: Profile) -> str:
    """Return how many facts are known, by effect."""
    effects = [fact.effect for fact in profile.fact]
    counts = [
        f"{effects.count(effect)} {effect}"
        for effect in ("refused", "lost", "changed")
        if effects.count(effect)
    ]
    return ", ".join(counts) or "unknown"


def _page(profile: Profile) -> Iterator[str]:
    title = f"{profile.title} ({profile.name})"
    yield from (title, "=" * len(title))
    if profile.commands:
        yield from ("", profile.commands)
    for text in (profile.setup, f"Not known: {profile.unknown}" if profile.unknown else ""):
        if text:
            yield ""
            yield from textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)
    for fact in profile.fact:
        yield ""
        yield from _lines(fact)


def _lines(fact: Fact) -> Iterator[str]:
    checked = "" if fact.check else ", not checked"
    yield f"{fact.effect}: {fact.id} ({fact.evidence}, version {fact.version}{checked})"
    for text in (fact.says, f"Fix: {fact.remedy}" if fact.remedy else "", fact.source):
        for line in textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False):
            yield f"    {line}"


def _as_json(profile: Profile) -> dict[str, Any]:
    known = profile.model_dump(mode="json", exclude_defaults=True)
    facts = zip(known.pop("fact", ()), profile.fact, strict=True)
    return {**known, "facts": [{**described, "checked": fact.check is not None} for described, fact in facts]}
