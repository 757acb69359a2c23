"""`openlineage-facets explain`."""

from __future__ import annotations

import re

from openlineage_facets.cli.options import complete_codes
from openlineage_facets.cli.results.codes import every_code
from tests.cli.conftest import Command


def test_codes_are_listed_one_per_line(command: Command) -> None:
    listed = command("explain").out.splitlines()
    assert [line.split()[0] for line in listed] == list(every_code())


def test_all_explains_every_code(command: Command) -> None:
    pages = re.split(r"\n\n\n(?=OL\d+: )", command("explain", "--all").out)
    for page, entry in zip(pages, every_code().values(), strict=True):
        assert page.startswith(f"{entry.code}: {entry.title} ({entry.severity})\n===")
        assert len(page.split()) > 25


def test_an_unknown_code_ends_the_command(command: Command) -> None:
    result = command("explain", "OL012", "OL999")
    assert (result.code, result.out) == (2, "")
    assert "unknown code OL999" in result.err


def test_a_prefix_explains_every_code_that_starts_with_it(command: Command) -> None:
    listed = [line.split()[0] for line in command("explain").out.splitlines() if line.startswith("OL8")]
    pages = command("explain", "ol8").out
    assert [line.split(":")[0] for line in pages.splitlines() if line.startswith("OL8")] == listed


def test_codes_are_completed_after_a_comma() -> None:
    completed = dict(complete_codes("OL001,ol80"))
    assert completed["OL001,OL801"]
    assert all(codes.startswith("OL001,OL80") for codes in completed)
