"""Events that cannot be delivered to the URL or path of `emit=` are named in one message of the run."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.spark import SparkRun
from tests.emitters.misbehaving_receiver import unused_port
from tests.spark.etl_job import EtlJob

pytestmark = pytest.mark.check


def messages_of_run(spark: SparkSession, emit: str | None, caplog: pytest.LogCaptureFixture) -> list[str]:
    with SparkRun(spark, "etl", "unheard", emit=emit):
        spark.range(3).count()
    return [record.getMessage() for record in caplog.records]


# A path as an argument is tested below; each of these waits for five seconds.
@pytest.mark.parametrize("by", ["environment", pytest.param("argument", marks=pytest.mark.thorough)])
def test_an_unreachable_receiver_is_logged_once(
    caplog: pytest.LogCaptureFixture, spark: SparkSession, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    url = f"http://127.0.0.1:{unused_port()}"
    monkeypatch.setenv("OPENLINEAGE_URL", url)
    (message,) = messages_of_run(spark, url if by == "argument" else None, caplog)
    start = f"lineage of etl/unheard: HttpEmitter({url}/api/v1/lineage): 2 events were not delivered"
    assert message.startswith(start)
    assert "no response from" in message
    assert "openlineage-facets replay" in message
    assert "OPENLINEAGE_SPOOL_DIR" in message


def test_a_file_that_cannot_be_written_is_logged_once(etl: EtlJob) -> None:
    (etl.tmp_path / "file").write_text("")
    (message,) = messages_of_run(etl.spark, f"{etl.tmp_path}/file/lineage.ndjson", etl.caplog)
    assert "2 events were not delivered: " in message
