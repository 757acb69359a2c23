"""`tools/check_wording.py` reports private vocabulary with file, line and the term to use instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases import each
from tools import check_wording
from tools.check_wording import ALLOWED, checked_files, uses


@each(
    ("text", "terms"),
    [
        ("An event tells what a job read.", ["tells"]),
        ("Judge events by a schema.", ["Judge"]),
        ("the two spellings of tags", ["spellings"]),
        ("a URI that is none", ["that is none"]),
        ("the text is no JSON", ["is no JSON"]),
        ("it stands under `tags`", ["stands under"]),
        ("a facet of your own", ["a facet of your own"]),
        ("a process of its own", ["a process of its own"]),
        ("passwords are blotted out", ["blotted out"]),
        ("Report the datasets that the job read.", []),
        ("an intellectual, amended, shallow retelling", []),
        ("standard output stands for nothing else", []),
        ("its own fields and those of its base", []),
    ],
)
def test_only_private_vocabulary_is_found(text: str, terms: list[str]) -> None:
    assert [(use.line, use.term) for use in uses(f"First line.\n{text}\n")] == [(2, term) for term in terms]


def test_every_term_has_a_suggestion_of_other_words() -> None:
    for suggestion in check_wording.SUGGESTIONS.values():
        assert list(uses(suggestion)) == [], suggestion


def test_each_use_is_printed_with_file_line_and_suggestion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text("# Page\n", encoding="utf-8")
    monkeypatch.setattr(check_wording, "ROOT", tmp_path)
    assert check_wording.main() == 0
    (tmp_path / "docs" / "page.md").write_text("# Page\n\nHow to mend it.\n", encoding="utf-8")
    assert check_wording.main() == 1
    assert capsys.readouterr().out == "docs/page.md:3: found 'mend'; use fix\n"


def test_generated_code_and_allowed_files_are_not_checked(tmp_path: Path) -> None:
    for name in ("openlineage_facets/generated/module.py", "openlineage_facets/module.py", *ALLOWED):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
    assert [path.relative_to(tmp_path).as_posix() for path in checked_files(tmp_path)] == [
        "openlineage_facets/module.py"
    ]


def test_every_allowed_file_exists() -> None:
    assert [name for name in ALLOWED if not (check_wording.ROOT / name).exists()] == []
