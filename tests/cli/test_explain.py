"""`openlineage-facets explain`."""

from __future__ import annotations

from openlineage_facets.cli.options import complete_codes
from openlineage_facets.cli.results.codes import every_code
from tests.cases import each
from tests.cli.conftest import Command


@each("code", every_code())
def test_every_code_is_explained(code: str, command: Command) -> None:
    result = command("explain", code.lower())
    entry = every_code()[code]
    assert result.code == 0
    assert result.out.startswith(f"{code}: {entry.title} ({entry.severity})\n===")
    assert len(result.out.split()) > 25


def test_codes_are_listed_one_per_line(command: Command) -> None:
    listed = command("explain").out.splitlines()
    assert [line.split()[0] for line in listed] == list(every_code())


def test_all_explains_every_code(command: Command) -> None:
    out = command("explain", "--all").out
    assert all(f"{code}: {entry.title}" in out for code, entry in every_code().items())


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
