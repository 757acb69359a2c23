"""Every block of a document runs after those above it, with the installed wheel, and prints what is shown."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.docs.examples import DOCUMENTS, Block, blocks, examples
from tests.packaging.installed import python_with_wheel
from tools import spark_start
from tools.java_home import java_of_machine

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

RUNNER = Path(__file__).with_name("run_blocks.py")
NOT_RUN: dict[str, list[str]] = {
    "README.md": ["needs a checkout", "needs a package index"],
    "CONTRIBUTING.md": ["needs a checkout"],
    "docs/archives.md": [
        "needs the jars of Delta or Iceberg",
        "needs Kafka",
        "needs Kafka",
        "needs a cluster",
        "needs a package index and a cluster",
    ],
    "docs/ci.md": ["needs a package index"],
    "docs/custom-facets.md": ["needs a package index", "needs a second package of facets"],
    "docs/generator.md": ["needs an earlier release of the specification", "needs a checkout"],
    "docs/interoperability.md": ["needs the other systems"],
    "docs/lineage-review.md": ["needs jobs"],
    "docs/migration-from-listener.md": ["needs the listener and a cluster", "needs Marquez"],
    "docs/platforms.md": ["needs YARN", "needs YARN", "needs Kubernetes", "needs EMR", "needs Dataproc"],
    "docs/spark-run.md": ["needs YARN"],
    "docs/tutorial.md": ["needs a package index", "needs a package index"],
}
"""Why blocks are not run, by document: those that are marked, and no other."""


def runs_spark(document: str) -> bool:
    """Return whether the Python blocks of a document start Spark."""
    return any(
        one.code.language == "python" and "pyspark" in one.code.text and not one.code.title
        for one in examples(document)
    )


QUICK = ["docs/builders.md", "docs/composing.md", "docs/parsing.md", "docs/validation.md"]
NEED_A_SERVER = {"docs/backends.md"}
"""Pages all of whose commands need a server, without a mark at each."""
LONG = ["docs/command-line.md", "docs/lineage-review.md", "docs/spark-run.md", "docs/testing.md"]
"""Pages without Spark that need seconds: for many events, generated events, commands of a shell, or Spark."""
FIRST_WITH_SPARK = ["README.md", "docs/spark.md"]
"""What a new user reads first; the lineage of the other pages with Spark is tested in `tests/spark/`, too."""
REGISTERS_FACETS = "docs/custom-facets.md"
"""The page that runs last, because other pages would know its facets."""
WITH_SPARK = [document for document in DOCUMENTS if runs_spark(document)]
WITHOUT_SPARK = [document for document in DOCUMENTS if document not in WITH_SPARK and examples(document)]


def problem_of(block: Block) -> str:
    """Return why the text of a block is not in its language, or ""."""
    try:
        if block.language == "python" and not block.text.startswith(">>> "):
            compile(block.text, "block", "exec")
        elif block.language == "sh":
            subprocess.run(["bash", "-n", "-c", block.text], check=True, capture_output=True, text=True)
        elif block.language == "json":
            json.loads(block.text)
        elif block.language == "toml":
            tomllib.loads(block.text)
        elif block.language == "yaml":
            yaml.safe_load(block.text)
    except (SyntaxError, ValueError, yaml.YAMLError) as error:
        return str(error)
    except subprocess.CalledProcessError as error:
        return str(error.stderr)
    return ""


def test_every_block_is_valid_in_its_language() -> None:
    found = {f"{one}:{block.line}": problem_of(block) for one in DOCUMENTS for block in blocks(one)}
    assert {place: problem for place, problem in found.items() if problem} == {}


def test_blocks_that_are_not_run_say_why() -> None:
    reasons = {one: [block.reason for block in blocks(one) if block.reason] for one in DOCUMENTS}
    assert {document: found for document, found in reasons.items() if found} == NOT_RUN


@pytest.fixture
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of an environment with the wheel."""
    return python_with_wheel(tmp_path_factory)


def page(document: str, folder: Path) -> dict[str, Any]:
    """Return what the runner needs of a document."""
    steps = [
        {**one.code._asdict(), "output": one.output and one.output._asdict()}
        for one in examples(document)
        if document not in NEED_A_SERVER or one.code.language != "sh"
    ]
    own = folder / document
    own.mkdir(parents=True)
    return {"name": document, "folder": str(own), "steps": steps}


def assert_pages_run(python: Path, documents: list[str], folder: Path) -> None:
    """Run documents in one process."""
    home = java_of_machine()
    others = [name for name in os.environ if name.startswith(("OPENLINEAGE", "PYTHON"))]
    environment = {
        **{name: value for name, value in os.environ.items() if name not in others},
        **spark_start.variables(),
        "PATH": os.pathsep.join([str(python.parent), str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYSPARK_PYTHON": str(python),
        **({} if home is None else {"JAVA_HOME": str(home)}),
    }
    done = subprocess.run(
        [python, str(RUNNER)],
        cwd=folder,
        env=environment,
        input=json.dumps([page(document, folder) for document in documents]),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    failures = json.loads(done.stdout.splitlines()[-1])
    assert not failures, "\n".join(failures.values())


def test_pages_on_events_run_from_the_wheel(python: Path, tmp_path: Path) -> None:
    assert_pages_run(python, QUICK, tmp_path)


@pytest.mark.check
def test_pages_without_spark_run_from_the_wheel(python: Path, tmp_path: Path) -> None:
    others = set(WITHOUT_SPARK) - {*QUICK, *LONG}
    assert_pages_run(python, sorted(others, key=lambda one: (one == REGISTERS_FACETS, one)), tmp_path)


@pytest.mark.check
def test_the_first_pages_with_spark_run_from_the_wheel(python: Path, tmp_path: Path) -> None:
    assert_pages_run(python, FIRST_WITH_SPARK, tmp_path)


@pytest.mark.thorough
def test_all_other_pages_run_from_the_wheel(python: Path, tmp_path: Path) -> None:
    with_spark = [document for document in WITH_SPARK if document not in FIRST_WITH_SPARK]
    assert_pages_run(python, [*LONG, *with_spark], tmp_path)
