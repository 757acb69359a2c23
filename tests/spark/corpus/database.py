"""The database of the jobs, in memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pyspark.sql import SparkSession

from tests.spark.corpus.sample_data import CUSTOMERS


class Database:
    """A database in the memory of the JVM.

    Args:
        spark: A session of the JVM.
        url: Its JDBC URL.
    """

    def __init__(self, spark: SparkSession, url: str) -> None:
        self._spark = spark
        self.url = url

    def reset(self) -> None:
        """Restore the only table: CUSTOMERS."""
        with self._statement() as statement:
            for table in list(self._tables(statement)):
                statement.execute(f'DROP TABLE "{table}"')
            statement.execute("CREATE TABLE CUSTOMERS (ID INTEGER, NAME VARCHAR(100), COUNTRY VARCHAR(2))")
            rows = ", ".join(f"({key}, '{name}', '{country}')" for key, name, _, country, _ in CUSTOMERS)
            statement.execute(f"INSERT INTO CUSTOMERS VALUES {rows}")

    def content(self) -> dict[str, list[list[str]]]:
        """Return the rows of each table, sorted."""
        with self._statement() as statement:
            names = list(self._tables(statement))
            return {name: sorted(_rows(statement, f'SELECT * FROM "{name}"')) for name in names}

    def _tables(self, statement: Any) -> Iterator[str]:
        for row in list(_rows(statement, "SELECT TABLENAME FROM SYS.SYSTABLES WHERE TABLETYPE = 'T'")):
            yield row[0]

    @contextmanager
    def _statement(self) -> Iterator[Any]:
        jvm: Any = self._spark.sparkContext._jvm
        connection = jvm.java.sql.DriverManager.getConnection(self.url)
        try:
            yield connection.createStatement()
        finally:
            connection.close()


def _rows(statement: Any, query: str) -> Iterator[list[str]]:
    result = statement.executeQuery(query)
    columns = range(1, result.getMetaData().getColumnCount() + 1)
    while result.next():
        yield [str(result.getObject(column)) for column in columns]
