"""The configuration in docs/platforms.md is accepted by the launcher and read by the package."""

from __future__ import annotations

import re
import shlex

import pytest

from openlineage_facets.spark.launch.command import _parser
from openlineage_facets.spark.launch.job_arguments import split_arguments
from openlineage_facets.spark.launch.job_identity import configured_emitter, job_identity
from tests.docs.examples import blocks

pytestmark = pytest.mark.check

COMMANDS = [
    command
    for block in blocks("docs/platforms.md")
    if block.language == "sh"
    for command in block.text.replace("\\\n", " ").splitlines()
    if "job.py" in command
]
SETTING = re.compile(r"(spark\.openlineage\.[\w.]+)=([^\s,]+)")


def launched(command: str) -> list[str]:
    """Return the arguments after the launcher; none if a command runs the job itself."""
    words = shlex.split(command)
    position = next((n for n, word in enumerate(words) if word.endswith(("__main__.py", "$launcher"))), None)
    return [] if position is None else [word for word in words[position + 1 :] if word != "--"]


def test_there_are_commands() -> None:
    assert len(COMMANDS) == 5
    assert sum(bool(launched(command)) for command in COMMANDS) == 4


@pytest.mark.parametrize("command", [one for one in COMMANDS if launched(one)])
def test_the_launcher_accepts_its_arguments(command: str) -> None:
    arguments = launched(command)
    if "gcloud" in command:  # Its own options follow the launcher, too.
        arguments = arguments[arguments.index("--name") :]
    options, job = split_arguments(arguments)
    assert _parser().parse_args(options).name == "orders"
    assert job[0].endswith("job.py")


@pytest.mark.parametrize("command", [one for one in COMMANDS if SETTING.search(one)])
def test_every_setting_is_read(command: str) -> None:
    settings = dict(SETTING.findall(command))
    unread = set(settings)

    def setting(name: str) -> str | None:
        unread.discard(name)
        return settings.get(name)

    job_identity(None, None, "job.py", setting)
    emitter = configured_emitter(setting)
    assert (emitter is not None) == ("spark.openlineage.transport.type" in settings)
    assert unread == set()
