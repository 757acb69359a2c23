"""Classes of other systems that read events: openlineage-java, data-rentgen, OpenMetadata."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import ROOT
from tests.interop.exchanges import Exchange
from tests.interop.programs import ENVIRONMENTS, python_of, replies_of, version_in
from tests.interop.samples import runs, sample_events
from tools.java_home import java_of_machine
from tools.maven_jars import fetch, file_of, jars_of_pyspark

READERS = ROOT / "tests" / "interop" / "readers"
OPENLINEAGE_JAVA = "1.54.0"
_JACKSON = "2.21.2"
_JARS = (
    f"io.openlineage:openlineage-java:{OPENLINEAGE_JAVA}",
    f"com.fasterxml.jackson.datatype:jackson-datatype-jdk8:{_JACKSON}",
    f"com.fasterxml.jackson.module:jackson-module-blackbird:{_JACKSON}",
)
"""What openlineage-java needs besides the jars of PySpark."""


def openlineage_java() -> Iterator[Exchange]:
    """Read and write every sample event with the newest openlineage-java."""
    folder = ENVIRONMENTS / "jars"
    missing = [one for one in _JARS if not (folder / file_of(one)).exists()]
    if missing:
        fetch(missing, folder)
    home = java_of_machine()
    java = home / "bin" / "java" if home else Path("java")
    class_path = os.pathsep.join([*(str(folder / file_of(one)) for one in _JARS), f"{jars_of_pyspark()}/*"])
    events = sample_events()
    replies = replies_of([java, "-cp", class_path, READERS / "ReadAndWrite.java"], events)
    yield Exchange("openlineage-java", OPENLINEAGE_JAVA, events, replies, backend="openlineage-java")


def data_rentgen() -> Iterator[Exchange]:
    """Read the run events among the samples with data-rentgen's model."""
    python = python_of("common")
    replies = replies_of([python, "-m", "tests.interop.readers.data_rentgen_model"], runs())
    version = version_in(python, "data-rentgen")
    yield Exchange("data-rentgen", version, runs(), replies, backend="data-rentgen")


def openmetadata() -> Iterator[Exchange]:
    """Read the run events among the samples with OpenMetadata's model."""
    python = python_of("openmetadata")
    replies = replies_of([python, "-m", "tests.interop.readers.openmetadata_model"], runs())
    version = version_in(python, "openmetadata-ingestion")
    yield Exchange("OpenMetadata", version, runs(), replies, backend="openmetadata")
