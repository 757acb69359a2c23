"""All jobs in their order, each as a separate run."""

from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from jobs import clean_customers, clean_orders, load_customers, load_orders, revenue, weekly_report
from openlineage_facets import DatasetEventBuilder
from openlineage_facets.emitters import as_emitter
from openlineage_facets.spark import SparkRun

PRODUCER = "https://example.com/shop"

JOBS = (load_orders, load_customers, clean_orders, clean_customers, revenue, weekly_report)

ORDERS = "order_id,customer_id,day,amount,status\n1,7,2026-11-21,10.5,paid\n2,7,2026-11-22,3.0,open\n"
CUSTOMERS = "customer_id,email,country\n7,ana@example.com,AT\n"


def write_samples(lake: Path) -> None:
    """Write the files that the shop would deliver."""
    (lake / "landing").mkdir(parents=True, exist_ok=True)
    (lake / "landing" / "orders.csv").write_text(ORDERS, encoding="utf-8")
    (lake / "landing" / "customers.csv").write_text(CUSTOMERS, encoding="utf-8")


def run_all(spark: SparkSession, lake: str, emit: Any) -> None:
    """Run all jobs and emit their lineage, and which columns contain personal data."""
    customers = DatasetEventBuilder("file", f"{lake}/raw/customers", producer=PRODUCER)
    customers.dataset.tags(tags=[{"key": "pii", "value": "true", "field": "email", "source": "CONFIG"}])
    as_emitter(emit).emit(customers.build())
    for job in JOBS:
        name = job.__name__.rpartition(".")[2]
        with SparkRun(spark, "shop", name, emit=emit, producer=PRODUCER):
            job.run(spark, lake)
