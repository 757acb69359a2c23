"""JDBC queries are rewritten for Spark's parser."""

from __future__ import annotations

from openlineage_facets.spark.naming import with_backquoted_names


def test_names_are_backquoted_and_literals_are_unchanged() -> None:
    query = """SELECT "id" FROM "S"."O" WHERE note = 'a "b" it''s' """
    assert with_backquoted_names(query) == "SELECT `id` FROM `S`.`O` WHERE note = 'a \"b\" it''s' "
