"""The input data of the jobs: a small shop, and the tables of TPC-H with a few rows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

CUSTOMERS = [
    (1, "Ana", "ana@example.com", "de", date(2020, 1, 5)),
    (2, "Ben", "ben@example.org", "fr", date(2021, 7, 19)),
    (3, "Chi", None, "de", date(2022, 3, 1)),
    (4, "Dov", "dov@example.com", "us", date(2023, 11, 30)),
]
STATUSES = ("open", "shipped", "closed", None)
PRODUCTS = [
    ("a1", "pen", "1.50", "office"),
    ("b2", "desk", "250.00", "furniture"),
    ("c3", "lamp", "35.90", "furniture"),
]
LOG = "INFO job started\nWARN slow query\nINFO job ended\n"


def orders(first: int, count: int) -> Iterator[tuple[Any, ...]]:
    """Yield rows of the table of orders."""
    for number in range(first, first + count):
        items = [(PRODUCTS[(number + i) % 3][0], 1 + i) for i in range(number % 3)]
        amount = None if number % 7 == 6 else 7.25 * (number % 11)
        yield (
            number,
            1 + number % 3,
            date(2026, 11, 1) + timedelta(number % 5),
            amount,
            STATUSES[number % 4],
            items,
        )


ORDER_COLUMNS = (
    "id bigint, customer_id bigint, day date, amount double, status string, "
    "items array<struct<sku: string, quantity: int>>"
)


def write_samples(spark: SparkSession, folder: Path) -> None:
    """Write all tables into a folder.

    Args:
        spark: A session without a run.
        folder: Folder that does not exist yet.
    """
    folder.mkdir()

    def save(name: str, rows: Any, schema: str, file_format: str = "parquet", *partitions: str) -> None:
        frame = spark.createDataFrame(list(rows), schema).coalesce(1)
        frame.write.partitionBy(*partitions).format(file_format).save(str(folder / name))

    save("customers", CUSTOMERS, "id bigint, name string, email string, country string, since date")
    save("orders", orders(1, 12), ORDER_COLUMNS)
    save("archived_orders", orders(101, 3), ORDER_COLUMNS)
    save("returns", [(2, "broken"), (5, "late"), (99, "unknown")], "order_id bigint, reason string", "orc")
    visits = [("de", 10), ("fr", 7), ("us", 3)]
    save("visits", visits, "country string, count bigint", "parquet", "country")
    header = "sku,title,price,category\n"
    (folder / "products.csv").write_text(header + "".join(",".join(row) + "\n" for row in PRODUCTS))
    (folder / "log.txt").write_text(LOG)
    clicks = [
        {
            "ts": f"2026-11-22 0{hour}:{minute}:00",
            "user": {"id": hour, "agent": "web"},
            "page": page,
            "tags": ["a", "b"],
        }
        for hour, minute, page in ((8, 10, "/ana"), (8, 20, "/ben/cart"), (9, 55, "/ana/pay"))
    ]
    (folder / "clicks.json").write_text("".join(json.dumps(click) + "\n" for click in clicks))
    (folder / "broken.json").write_text('{"page": "/a", "ts": "x"}\n{"page": \n{"page": "/b", "ts": "y"}\n')
    (folder / "images").mkdir()
    (folder / "images" / "one.png").write_bytes(b"\x89PNG....")
    for name, schema, rows in tpch():
        save(f"tpch/{name}", rows, schema)


def tpch() -> Iterator[tuple[str, str, list[tuple[Any, ...]]]]:
    """Yield name, schema and rows of each table of TPC-H."""
    regions = ["AFRICA", "AMERICA", "ASIA", "EUROPE"]
    nations = ["FRANCE", "GERMANY", "BRAZIL", "CANADA", "SAUDI ARABIA", "INDIA"]
    yield "region", "r_regionkey int, r_name string", list(enumerate(regions))
    yield (
        "nation",
        "n_nationkey int, n_name string, n_regionkey int",
        [(key, name, key % 4) for key, name in enumerate(nations)],
    )
    yield (
        "supplier",
        "s_suppkey int, s_name string, s_address string, s_nationkey int, s_acctbal double, s_comment string",
        [(key, f"Supplier#{key}", f"Street {key}", key % 6, 100.0 * key, "reliable") for key in range(8)],
    )
    types = ["PROMO BRASS", "ECONOMY ANODIZED STEEL", "SMALL BRASS"]
    yield (
        "part",
        "p_partkey int, p_name string, p_mfgr string, p_brand string, p_type string, p_size int, "
        "p_container string",
        [
            (
                key,
                ("green", "forest")[key % 2] + " tin",
                f"M{key % 3}",
                f"Brand#{12 + 11 * (key % 2)}",
                types[key % 3],
                1 + 14 * (key % 2),
                "SM BOX",
            )
            for key in range(6)
        ],
    )
    yield (
        "partsupp",
        "ps_partkey int, ps_suppkey int, ps_availqty int, ps_supplycost double",
        [(part, (part + i) % 8, 10 * part + i, 3.5 * (i + 1)) for part in range(6) for i in range(2)],
    )
    yield (
        "customer",
        "c_custkey int, c_name string, c_nationkey int, c_phone string, c_acctbal double, "
        "c_mktsegment string",
        [
            (
                key,
                f"Customer#{key}",
                key % 6,
                f"{13 + key}-555",
                50.0 * key,
                ("BUILDING", "MACHINERY")[key % 2],
            )
            for key in range(10)
        ],
    )
    days = [date(1993, 7, 15), date(1994, 2, 1), date(1995, 3, 1), date(1996, 5, 5)]
    yield (
        "orders",
        "o_orderkey int, o_custkey int, o_orderstatus string, o_totalprice double, o_orderdate date, "
        "o_orderpriority string, o_shippriority int, o_comment string",
        [
            (
                key,
                key % 7,
                "FO"[key % 2],
                11.0 * key,
                days[key % 4],
                ("1-URGENT", "3-MEDIUM")[key % 2],
                0,
                "none",
            )
            for key in range(16)
        ],
    )
    modes = ["MAIL", "SHIP", "AIR"]
    yield (
        "lineitem",
        "l_orderkey int, l_partkey int, l_suppkey int, l_quantity double, l_extendedprice double, "
        "l_discount double, l_tax double, l_returnflag string, l_linestatus string, l_shipdate date, "
        "l_commitdate date, l_receiptdate date, l_shipmode string",
        [
            (
                key % 16,
                key % 6,
                key % 8,
                1.0 + key % 25,
                20.0 * key,
                0.06,
                0.02,
                "RNA"[key % 3],
                "OF"[key % 2],
                days[key % 4] + timedelta(1),
                days[key % 4] + timedelta(2),
                days[key % 4] + timedelta(key % 5),
                modes[key % 3],
            )
            for key in range(40)
        ],
    )
