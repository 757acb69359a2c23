"""Write the tables in docs/backends.md, and the JSON Schema of profiles, from the profiles of backends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from openlineage_facets.validation.backends.catalogue import known_profiles
from openlineage_facets.validation.backends.profile import Fact, Profile
from tools.generated_files import ROOT, write_or_check

PAGE = ROOT / "docs" / "backends.md"
SCHEMA = ROOT / "openlineage_facets" / "validation" / "backends" / "profile.schema.json"

HEADING = "## Will my backend accept it?"

INTRODUCTION = """
What is known about each backend, by effect: *refused* events do not arrive, of others something is *lost* or
*changed*. The last column says how it is known and for which version: it was *tried*, or read in the *code*,
the *documentation* or an *issue*. `validate --backend NAME` checks all but what is marked with ○, which
one event does not show; what is marked with ● is [repaired](#check-and-repair-events) where
`OPENLINEAGE_BACKEND` is set. Replace the words in capital letters.

The tables are generated from the profiles by `python tools/backends_page.py`.
"""


def files() -> Iterator[tuple[Path, str]]:
    """Yield each file with the text that it should have."""
    written = PAGE.read_text(encoding="utf-8").partition(HEADING)[0]
    sections = "\n".join(map(_section, known_profiles().values()))
    yield PAGE, f"{written}{HEADING}\n{INTRODUCTION}\n{sections}"
    yield SCHEMA, json.dumps(Profile.model_json_schema(), indent=2) + "\n"


def _section(profile: Profile) -> str:
    texts = [profile.setup]
    texts += [f"Not known: {profile.unknown[:1].lower()}{profile.unknown[1:]}"] if profile.unknown else []
    lines = [f"### {profile.title}", ""]
    lines += ["```sh", profile.commands, "```", ""] if profile.commands else []
    lines += [" ".join(filter(None, texts)), ""]
    if profile.fact:
        lines += ["| effect | fact | known from |", "| --- | --- | --- |"]
        order = ("refused", "lost", "changed")
        lines += map(_row, sorted(profile.fact, key=lambda fact: order.index(fact.effect)))
        lines += [""]
    return "\n".join(lines)


def _row(fact: Fact) -> str:
    mark = " ●" if fact.repair else "" if fact.check else " ○"
    remedy = f"; {fact.remedy}" if fact.remedy else ""
    known = f"[{fact.evidence}]({fact.source}), {fact.version}"
    return f"| {fact.effect}{mark} | {f'{fact.says}{remedy}'.replace('|', chr(92) + '|')} | {known} |"


if __name__ == "__main__":
    raise SystemExit(write_or_check(files(), "backends_page.py"))
