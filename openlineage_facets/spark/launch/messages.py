"""Messages of `spark-run`, which begin with its name: the job writes to the same streams and logs."""

from __future__ import annotations

from openlineage_facets.spark.log_once import log_once

COMMAND = "openlineage-facets spark-run"


def log_message(message: str, error: BaseException | None = None) -> None:
    """Log a message once, after the name of the command; see `log_once`."""
    log_once(f"{COMMAND}: {message}", error)
