"""Lines are validated alike as text and as bytes, without Spark."""

from __future__ import annotations

import pytest

from openlineage_facets.spark.archives import event_columns
from openlineage_facets.spark.archives.event_columns import validated_line
from tests.cases import each
from tests.spark.archives.sample_archives import BAD, GOOD

TEXTS = {
    "valid": GOOD.decode(),
    "blank": " \t\r",
    "a no-break space": "\xa0",
    "another separator": "\x1c",
    "no ASCII": GOOD.decode().replace("load", "l\xf6\xe4d"),
    **{name: line.decode() for name, line in BAD.items() if name not in ("no UTF-8", "deep")},
}


@each("name", TEXTS)
def test_text_and_bytes_have_the_same_findings(name: str) -> None:
    text = TEXTS[name]
    of_text, of_bytes = (validated_line(line, null_is_absent=False) for line in (text, text.encode()))
    assert (of_text.valid, of_text.findings) == (of_bytes.valid, of_bytes.findings)
    assert (of_text.valid is None) == (name == "blank")


def test_the_length_of_text_is_that_of_its_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_columns, "MAX_BYTES", 10)
    for line in ("\xf6" * 6, ("\xf6" * 6).encode()):
        (finding,) = validated_line(line, null_is_absent=False).findings
        assert finding.code == "OL806"
