"""`--select` and `--ignore`."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Command

pytestmark = pytest.mark.usefixtures("event_files")


def codes(check: Command, *arguments: str) -> set[str]:
    return {code for _, code in check(*arguments).locations}


def test_codes_are_selected_and_ignored_by_prefix(check: Command) -> None:
    assert codes(check, "warning.ndjson") > {"OL016", "OL101"}
    assert codes(check, "warning.ndjson", "--select", "ol1") == {"OL101"} | {
        code for code in codes(check, "warning.ndjson") if code.startswith("OL1")
    }
    assert "OL101" not in codes(check, "warning.ndjson", "--ignore", "OL2,OL101")
    assert codes(check, "warning.ndjson", "--select", "OL1,OL016", "--ignore", "OL1") == {"OL016"}
    assert codes(check, "warning.ndjson", "--select", "OL101", "--ignore", "OL1") == {"OL101"}
    assert codes(check, "runs.ndjson", "--ignore", "OL5") == set()
