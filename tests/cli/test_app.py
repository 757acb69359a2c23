"""Exit codes, help, version and shell completion."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from openlineage_facets.cli.app import app
from openlineage_facets.cli.check.check_run import CheckRun
from openlineage_facets.cli.check.chunk_checker import CheckSettings
from openlineage_facets.cli.formats import Format, create_report
from openlineage_facets.cli.results.codes import CodeSelection
from openlineage_facets.event_files.sources import sources_of
from openlineage_facets.version import __version__, install_command
from tests.cases import each
from tests.cli.conftest import Command
from tests.cli.example_events import invalid_event, lines

COMMANDS = [command.name or "" for command in app.registered_commands]


@pytest.mark.usefixtures("event_files")
@each(
    ("arguments", "code"),
    [
        (["valid.ndjson"], 0),
        (["warning.ndjson"], 0),
        (["warning.ndjson", "--strict"], 1),
        (["invalid.ndjson"], 1),
        (["invalid.ndjson", "--ignore", "OL011"], 0),
        (["runs.ndjson", "--strict"], 1),
        (["invalid.ndjson", "--jobs", "-1"], 2),
        (["invalid.ndjson", "--format", "html"], 2),
        (["invalid.ndjson", "--nonsense"], 2),
        (["invalid.ndjson", "--select", "OL777"], 2),
        (["invalid.ndjson", "--select", "X"], 2),
        (["invalid.ndjson", "--ignore", "*"], 2),
        (["invalid.ndjson", "--schemas", "nowhere"], 2),
        (["invalid.ndjson", "--baseline", "nowhere"], 2),
    ],
)
def test_exit_codes_distinguish_findings_from_failures(
    arguments: list[str], code: int, check: Command
) -> None:
    result = check(*arguments)
    assert result.code == code
    assert (result.out == "") == (code == 2)


def test_without_the_extra_the_missing_extra_is_named() -> None:
    code = "import sys; sys.modules['typer'] = None; from openlineage_facets.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == f"the command line needs typer: {install_command('cli')}\n"


def test_version_and_help_do_not_import_models() -> None:
    code = (
        "import sys; from openlineage_facets.cli.app import run;"
        "[run(one.split()) for one in ('--version', '--help', 'validate --help')];"
        "assert not {'rich', 'openlineage_facets.generated.open_lineage'} & set(sys.modules), 'slow import'"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"openlineage-facets {__version__}\n")
    assert done.stdout.count("Usage: openlineage-facets") == 2


def test_the_command_is_installed() -> None:
    command = Path(sys.executable).with_name("openlineage-facets")
    if not command.exists():
        pytest.skip("the package is on the path, but not installed")
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=False)
    assert done.stdout == f"openlineage-facets {__version__}\n"


def test_the_speed_is_printed_for_many_events(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("many.ndjson").write_bytes(b"{}\n" * 1_000)
    assert command("validate", "many.ndjson").err == ""
    monkeypatch.setattr("openlineage_facets.cli.commands.validate._MIN_EVENTS_FOR_SPEED", 1_000)
    assert re.fullmatch(
        r"1,000 events in [\d.]+ s: [\d,]+ events/s\n", command("validate", "many.ndjson").err
    )


def test_help_is_printed_without_arguments(command: Command) -> None:
    result = command()
    printed = result.out + result.err
    for name in ("validate", "show", "explain", "replay", "spark-validate"):
        assert f"  {name} " in printed


def test_options_are_completed_in_a_shell() -> None:
    request = {
        "_OPENLINEAGE_FACETS_COMPLETE": "complete_bash",
        "COMP_WORDS": "openlineage-facets validate --wr",
        "COMP_CWORD": "2",
    }
    done = subprocess.run(
        [sys.executable, "-m", "openlineage_facets.cli"],
        env={**os.environ, **request},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["--write-baseline"]


@each("name", COMMANDS)
def test_arguments_of_every_command_have_readable_names(name: str, command: Command) -> None:
    shown = command(name, "--help").out
    assert f"Usage: openlineage-facets {name} [OPTIONS]" in shown
    assert not re.search(r"^ +-.*<(str|path|int|list)", shown, re.MULTILINE), "a type instead of a name"
    assert "]...]" not in shown
    assert "...]..." not in shown


def test_packages_that_a_file_needs_are_named(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    Path("e.json.zst").write_bytes(b"\x28\xb5\x2f\xfd")
    result = command("validate", "e.json.zst")
    assert (result.code, result.out) == (2, "")
    assert result.err == "openlineage-facets: reading .zst needs zstandard: pip install zstandard\n"


class RecordingFile(io.StringIO):
    """A file that remembers what had been written at each flush."""

    def __init__(self) -> None:
        super().__init__()
        self.flushed: list[str] = []

    def flush(self) -> None:
        self.flushed.append(self.getvalue())


def test_findings_are_shown_as_soon_as_they_are_found(tmp_path: Path) -> None:
    for name in ("a.ndjson", "b.ndjson"):
        (tmp_path / name).write_bytes(lines(invalid_event()))
    file = RecordingFile()
    settings = CheckSettings(CodeSelection.parse((), ()))
    sources = sources_of([str(tmp_path)], lambda path, kind: None)
    CheckRun(sources, settings, create_report(Format.TEXT, file)).run()
    assert "a.ndjson" in file.flushed[0]
    assert "b.ndjson" not in file.flushed[0]
    assert "b.ndjson" in file.flushed[-1]
