"""Lineage of the columns that a query of a database returns, from the plan that Spark's parser makes of it.

The columns of its tables are unknown: a name without a table is a column of the only table in scope. In a
subquery it may also be one of the query around it; only then the database is asked for the columns of tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from openlineage_facets.naming.jdbc import quoted_table_name
from openlineage_facets.spark.datasets.jdbc_sources import DatabaseQuery
from openlineage_facets.spark.jvm import JavaObject, class_of, each, option, texts
from openlineage_facets.spark.lineage.database_names import (
    exact,
    with_one_name_per_column,
    without_quotes,
    written_parts,
)
from openlineage_facets.spark.lineage.expression_lineage import operator_lineage
from openlineage_facets.spark.lineage.value_lineage import (
    IDENTITY,
    NO_LINEAGE,
    Lineage,
    computed_lineage,
    indirect_lineage,
    merged_lineage,
)
from openlineage_facets.spark.log_once import log_once

_AGGREGATES = frozenset(
    "any_value array_agg avg bool_and bool_or corr count every listagg max median min percentile_cont "
    "percentile_disc stddev stddev_pop stddev_samp string_agg sum var_pop var_samp variance".split()
)
_SUBQUERIES = ("Exists", "ListQuery", "ScalarSubquery")
_TRANSPARENT = ("GlobalLimit", "LocalLimit", "Offset", "WithWindowDefinition")


@dataclass(frozen=True)
class QueryLineage:
    """Lineage of the result of a query.

    Args:
        columns: The lineage of each column, in order. The sources are numbers of tables.
        rows: The columns that determine which rows it returns.
    """

    columns: Sequence[Lineage]
    rows: Lineage


class _UnknownError(Exception):
    """The query contains something whose lineage is unknown."""


@dataclass(frozen=True)
class _Relation:
    """A relation in the scope of a query.

    Args:
        name: Its alias or name.
        table: The number of the table, if its columns are those of a table and unknown.
        columns: Otherwise, name and lineage of its columns.
    """

    name: str
    table: int | None = None
    columns: tuple[tuple[str, Lineage], ...] = ()

    def column(self, written: str) -> Lineage | None:
        """Return the lineage of a column; None if the relation cannot have it."""
        if self.table is not None:
            return {(self.table, written): IDENTITY}
        name = without_quotes(written).lower()
        return next((lineage for own, lineage in self.columns if own.lower() == name), None)


@dataclass(frozen=True)
class _Result:
    """What a part of a query returns: columns of relations, and what determines the rows."""

    relations: tuple[_Relation, ...] = ()
    rows: Lineage = field(default_factory=dict)

    def column(self, parts: Sequence[str]) -> Lineage:
        *qualifiers, name = parts
        qualifier = qualifiers[-1].lower() if qualifiers else None
        scope = [relation for relation in self.relations if qualifier in (None, relation.name.lower())]
        having = [(relation, found) for relation in scope if (found := relation.column(name)) is not None]
        known = [found for relation, found in having if relation.table is None]
        candidates = known or [found for _, found in having]
        if len(candidates) != 1:
            raise _UnknownError(".".join(parts))
        return candidates[0]

    def with_rows(self, lineages: Sequence[Lineage], subtype: str) -> _Result:
        return replace(self, rows=merged_lineage([self.rows, indirect_lineage(lineages, subtype)]))


def lineage_of_database_query(query: DatabaseQuery, tables: Mapping[str, int]) -> QueryLineage | None:
    """Return the lineage of the result of a query; None if it contains something unknown.

    Args:
        query: The query.
        tables: The numbers of its tables by name.
    """
    names = query.columns
    reader = _Reader(tables, query.find_columns)
    try:
        result = reader.result(query.plan, {})
    except _UnknownError:
        return None
    known = {number: names for number in tables.values() if query.is_plain}
    columns: list[Lineage] = []
    for relation in result.relations:
        if relation.table is None:
            columns += (lineage for _, lineage in relation.columns)
        elif sum(other.table is not None for other in result.relations) == 1:
            known[relation.table] = _names_of_table(relation, result, names)
            columns += ({(relation.table, exact(name)): IDENTITY} for name in known[relation.table])
    if len(columns) != len(names):
        return None
    known.update(reader.columns_of_tables())
    *columns, rows = with_one_name_per_column([*columns, result.rows], known)
    return QueryLineage(columns, rows)


def _names_of_table(relation: _Relation, result: _Result, names: Sequence[str]) -> Sequence[str]:
    """Return the names of the only table of which a query returns all columns: those that no other has."""
    position = result.relations.index(relation)
    before, after = (
        sum(len(relation.columns) for relation in part)
        for part in (result.relations[:position], result.relations[position + 1 :])
    )
    return names[before : len(names) - after]


class _Reader:
    """Reads the plan of a query.

    Args:
        tables: The numbers of the tables by name.
        find_columns: Asks the database for the columns of a table; empty if they are unknown.
    """

    def __init__(self, tables: Mapping[str, int], find_columns: Callable[[str], Sequence[str]]) -> None:
        self._tables = tables
        self._find_columns = cache(find_columns)
        self._outer: tuple[_Relation, ...] = ()

    def columns_of_tables(self) -> dict[int, Sequence[str]]:
        """Return the columns of each table that has any, if the database was asked for those of one."""
        if not self._find_columns.cache_info().currsize:
            return {}
        return {number: own for table, number in self._tables.items() if (own := self._find_columns(table))}

    def result(self, plan: JavaObject, defined: Mapping[str, _Relation]) -> _Result:
        """Return the result of a plan, in which a WITH clause may have defined names."""
        kind = class_of(plan)
        if kind in _TRANSPARENT:
            return self.result(plan.children().head(), defined)
        reader = _READERS.get(kind)
        if reader is None:
            raise _UnknownError(kind)
        return reader(self, plan, defined)

    def _table(self, plan: JavaObject, defined: Mapping[str, _Relation]) -> _Result:
        parts = texts(plan.multipartIdentifier())
        if len(parts) == 1 and parts[0].lower() in defined:
            return _Result((defined[parts[0].lower()],))
        number = self._tables.get(quoted_table_name(parts))
        if number is None:
            raise _UnknownError(f"table {'.'.join(parts)}")
        return _Result((_Relation(parts[-1], number),))

    def _alias(self, plan: JavaObject, defined: Mapping[str, _Relation]) -> _Result:
        result, name = self.result(plan.child(), defined), str(plan.alias())
        return replace(result, relations=(_as_one(result, name),))

    def _with(self, plan: JavaObject, defined: Mapping[str, _Relation]) -> _Result:
        names, rows = dict(defined), []
        for definition in each(plan.cteRelations()):
            name = str(definition.productElement(0))
            result = self.result(definition.productElement(1), names)
            names[name.lower()] = _as_one(result, name)
            rows.append(result.rows)
        result = self.result(plan.child(), names)
        return replace(result, rows=merged_lineage([result.rows, *rows]))

    def _filter(self, plan: JavaObject, defined: Mapping[str, _Relation]) -> _Result:
        result = self.result(plan.child(), defined)
        return result.with_rows(self._conditions(plan.condition(), result, defined), "FILTER")

    def _conditions(
        self, condition: JavaObject, scope: _Result, defined: Mapping[str, _Relation]
    ) -> list[Lineage]:
        """Return the lineage of the parts of a condition. Those with unknown columns are logged."""
        if class_of(condition) == "And":
            sides = condition.left(), condition.right()
            return [condition for side in sides for condition in self._conditions(side, scope, defined)]
        try:
            return [self._value(condition, scope, defined)]
        except _UnknownError as unknown:
            log_once(
                f"cannot find all columns that filter the rows of a JDBC query of {', '.join(self._tables)}: "
                f"{unknown} may belong to several tables, or is not supported"
            )
            return []

    def _having(self, plan: JavaObject, defined: Mapping[str, _Relation]) -> _Result:
        result, scope = self._grouped(plan.child(), defined)
        known = {name.lower() for relation in scope.relations for name, _ in relation.columns}
        aliases = [
            relation
            for relation in result.relations
            if relation.table is None and known.isdisjoint(name.lower() for name, _ in relation.columns)
        ]
        both = replace(scope, relations=(*aliases, *scope.relations))
        return result.with_rows([self._value(plan.havingCondition(), both)], "FILTER")

    def _sort(self, plan: JavaObject, defined: Mapping[str, _Relation]) -> _Result:
        return self.result(plan.child(), defined)  # It has no effect on the rows that Spark receives.

    def _distinct(self, plan: JavaObject, defined: Mapping[str, _Relation]) -> _Result:
        result = self.result(plan.child(), defined)
        compared = [lineage for relation in result.relations for _, lineage in relation.columns]
        return result.with_rows(compared, "GROUP_BY")

    def _join(self, plan: JavaObject, defined: Mapping[str, _Relation]) -> _Result:
        left, right = self.result(plan.left(), defined), self.result(plan.right(), defined)
        if class_of(plan.joinType()) in ("UsingJoin", "NaturalJoin"):
            raise _UnknownError("the columns of USING are in both tables")
        joined = _Result((*left.relations, *right.relations), merged_lineage([left.rows, right.rows]))
        condition = option(plan.condition())
        return joined if condition is None else joined.with_rows([self._value(condition, joined)], "JOIN")

    def _union(self, plan: JavaObject, defined: Mapping[str, _Relation]) -> _Result:
        results = [self.result(child, defined) for child in each(plan.children())]
        parts = [_as_one(result, "") for result in results]
        if any(part.table is not None or len(part.columns) != len(parts[0].columns) for part in parts):
            raise _UnknownError("a union of unknown columns")
        columns = tuple(
            (same[0][0], merged_lineage([lineage for _, lineage in same]))
            for same in zip(*(part.columns for part in parts), strict=True)
        )
        return _Result((_Relation("", None, columns),), merged_lineage([result.rows for result in results]))

    def _set_operation(self, plan: JavaObject, defined: Mapping[str, _Relation]) -> _Result:
        """Return the left rows of INTERSECT or EXCEPT, selected by comparing all columns."""
        left, right = self.result(plan.left(), defined), self.result(plan.right(), defined)
        sides = [_as_one(result, "") for result in (left, right)]
        if any(side.table is not None for side in sides):
            raise _UnknownError("a comparison of unknown columns")
        compared = [lineage for side in sides for _, lineage in side.columns]
        result = _Result((sides[0],), merged_lineage([left.rows, right.rows]))
        return result.with_rows(compared, "JOIN")

    def _project(self, plan: JavaObject, defined: Mapping[str, _Relation]) -> _Result:
        return self._grouped(plan, defined)[0]

    def _grouped(self, plan: JavaObject, defined: Mapping[str, _Relation]) -> tuple[_Result, _Result]:
        """Return the result of SELECT, and what is in the scope of its expressions."""
        is_grouped = class_of(plan) == "Aggregate"
        scope = self.result(plan.child(), defined)
        expressions = each(plan.aggregateExpressions() if is_grouped else plan.projectList())
        relations = tuple(relation for column in expressions for relation in self._selected(column, scope))
        result = _Result(relations, scope.rows)
        if is_grouped:
            groups = [self._group(group, result, scope) for group in each(plan.groupingExpressions())]
            result = result.with_rows(groups, "GROUP_BY")
        return result, scope

    def _group(self, expression: JavaObject, result: _Result, scope: _Result) -> Lineage:
        """Return the lineage of a group, which may be the number or the alias of a selected column."""
        selected = [column for relation in result.relations for column in relation.columns]
        kind = class_of(expression)
        if kind == "Literal" and str(expression.value()).isdigit():
            position = int(str(expression.value()))
            return selected[position - 1][1] if 0 < position <= len(selected) else NO_LINEAGE
        if kind == "UnresolvedAttribute":
            name = str(expression.name())
            for own, lineage in selected:
                if own.lower() == name.lower():
                    return lineage
        return self._value(expression, scope)

    def _selected(self, expression: JavaObject, scope: _Result) -> Iterator[_Relation]:
        """Yield the columns of an item of SELECT, as relations: `*` stands for all of a table."""
        kind = class_of(expression)
        if kind == "UnresolvedStar":
            target = option(expression.target())
            name = None if target is None else str(target.last()).lower()
            yield from (
                relation for relation in scope.relations if name is None or relation.name.lower() == name
            )
            return
        if kind == "Alias":
            name = str(expression.name())
        else:
            name = str(expression.nameParts().last()) if kind == "UnresolvedAttribute" else ""
        yield _Relation("", None, ((name, self._value(expression, scope)),))

    def _value(
        self, expression: JavaObject, scope: _Result, defined: Mapping[str, _Relation] | None = None
    ) -> Lineage:
        """Return the lineage of an expression; with the names that WITH defines, also that of subqueries."""
        kind = class_of(expression)
        if kind == "UnresolvedAttribute":
            return self._column(written_parts(expression), scope)
        if kind == "UnresolvedStar":
            return NO_LINEAGE
        if kind in _SUBQUERIES and defined is not None:
            return self._subquery(kind, expression, scope, defined)
        children = [self._value(child, scope, defined) for child in each(expression.children())]
        if kind == "UnresolvedAlias":
            return children[0]
        if kind == "UnresolvedFunction":
            name = str(expression.nameParts().last()).lower()
            if name not in _AGGREGATES:
                return computed_lineage(children, "TRANSFORMATION")
            count = expression.arguments().size()
            values = computed_lineage(children[:count], "AGGREGATION", name == "count")
            return merged_lineage([values, indirect_lineage(children[count:], "FILTER")])
        if kind in _SUBQUERIES:
            raise _UnknownError("a subquery")
        return operator_lineage(kind, children)

    def _subquery(
        self, kind: str, expression: JavaObject, scope: _Result, defined: Mapping[str, _Relation]
    ) -> Lineage:
        """Return the lineage of a subquery, whose columns may be those of the outer query."""
        outer = self._outer
        self._outer = (*outer, *scope.relations)
        try:
            inner = self.result(expression.plan(), defined)
        finally:
            self._outer = outer
        rows = indirect_lineage([inner.rows], "FILTER")
        if kind == "Exists":
            return rows
        if any(part.table is not None for part in inner.relations):
            raise _UnknownError("* of a subquery")
        return merged_lineage([*(lineage for part in inner.relations for _, lineage in part.columns), rows])

    def _column(self, parts: Sequence[str], scope: _Result) -> Lineage:
        """Return the lineage of a column of a query or, in a subquery, of the query that contains it."""
        *qualifiers, name = parts
        outer = _Result(tuple(relation for relation in self._outer if relation.column(name) is not None))
        if not outer.relations:
            return scope.column(parts)
        if qualifiers:
            is_inner = any(relation.name.lower() == qualifiers[-1].lower() for relation in scope.relations)
            return (scope if is_inner else outer).column(parts)
        if any(relation.table is None and relation.column(name) is not None for relation in scope.relations):
            return scope.column(parts)
        return self._column_of_tables(name, scope)

    def _column_of_tables(self, name: str, scope: _Result) -> Lineage:
        """Return the lineage of a column of a subquery or, if it has none, of the query around it."""
        for relations in (scope.relations, self._outer):
            found = [
                column for relation in relations if (column := self._own_column(name, relation)) is not None
            ]
            if len(found) == 1:
                return found[0]
            if found:
                break
        raise _UnknownError(name)

    def _own_column(self, name: str, relation: _Relation) -> Lineage | None:
        """Return the lineage of a column of a relation; None if it does not have it.

        Raises:
            _UnknownError: The columns of its table are unknown.
        """
        if relation.table is None:
            return relation.column(name)
        table = next(known for known, number in self._tables.items() if number == relation.table)
        columns = self._find_columns(table)
        if not columns:
            raise _UnknownError(name)
        is_own = without_quotes(name).lower() in (column.lower() for column in columns)
        return relation.column(name) if is_own else None


def _as_one(result: _Result, name: str) -> _Relation:
    """Return the relations of a result as one, under another name."""
    if len(result.relations) == 1:
        return replace(result.relations[0], name=name)
    if any(relation.table is not None for relation in result.relations):
        raise _UnknownError("the unknown columns of one of several tables")
    return _Relation(
        name, None, tuple(column for relation in result.relations for column in relation.columns)
    )


_READERS: dict[str, Callable[[_Reader, JavaObject, Mapping[str, _Relation]], _Result]] = {
    "Aggregate": _Reader._project,
    "Distinct": _Reader._distinct,
    "Except": _Reader._set_operation,
    "Filter": _Reader._filter,
    "Intersect": _Reader._set_operation,
    "Join": _Reader._join,
    "Project": _Reader._project,
    "Sort": _Reader._sort,
    "SubqueryAlias": _Reader._alias,
    "Union": _Reader._union,
    "UnresolvedHaving": _Reader._having,
    "UnresolvedRelation": _Reader._table,
    "UnresolvedWith": _Reader._with,
}
