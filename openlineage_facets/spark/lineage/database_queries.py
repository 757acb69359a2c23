"""Lineage of the columns that a query of a database returns, from the plan that Spark makes of its text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from openlineage_facets.naming.jdbc import quoted_table_name
from openlineage_facets.spark.datasets.jdbc_sources import DatabaseQuery
from openlineage_facets.spark.datasets.query_names import exact
from openlineage_facets.spark.jvm import JavaObject, class_of, each, members, option, texts
from openlineage_facets.spark.lineage.expression_lineage import operator_lineage
from openlineage_facets.spark.lineage.query_columns import QueryColumns, with_one_name_per_column
from openlineage_facets.spark.lineage.query_relations import (
    Relation,
    Result,
    UnknownError,
    as_one,
    with_aliases,
)
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
_TRANSPARENT = ("GlobalLimit", "LocalLimit", "Offset")
_CLAUSES = ("on", "top")
"""Clauses before the selected columns that Spark parses as functions: `TOP (10) a`, `DISTINCT ON (a) b`."""


@dataclass(frozen=True)
class QueryLineage:
    """Lineage of the result of a query.

    Args:
        columns: The lineage of each column, in order. The sources are numbers of tables.
        rows: The columns that determine which rows it returns.
    """

    columns: Sequence[Lineage]
    rows: Lineage


def lineage_of_database_query(query: DatabaseQuery, tables: Mapping[str, int]) -> QueryLineage | None:
    """Return the lineage of the result of a query; None if it contains something unknown.

    Args:
        query: The query.
        tables: The numbers of its tables by name.
    """
    names = query.columns
    reader = _Reader(tables, query)
    try:
        result = reader.result(query.plan, {})
    except UnknownError:
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
    known.update(reader.columns.of_tables())
    *columns, rows = with_one_name_per_column([*columns, result.rows], known)
    return QueryLineage(columns, rows)


def _names_of_table(relation: Relation, result: Result, names: Sequence[str]) -> Sequence[str]:
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
        query: The query.
    """

    def __init__(self, tables: Mapping[str, int], query: DatabaseQuery) -> None:
        self._tables = tables
        self.columns = QueryColumns(tables, query)
        self._windows: dict[str, JavaObject] = {}

    def result(self, plan: JavaObject, defined: Mapping[str, Relation]) -> Result:
        """Return the result of a plan, in which a WITH clause may have defined names."""
        kind = class_of(plan)
        if kind in _TRANSPARENT:
            return self.result(plan.children().head(), defined)
        reader = _READERS.get(kind)
        if reader is None:
            raise UnknownError(kind)
        return reader(self, plan, defined)

    def _table(self, plan: JavaObject, defined: Mapping[str, Relation]) -> Result:
        parts = texts(plan.multipartIdentifier())
        if len(parts) == 1 and parts[0].lower() in defined:
            relation = defined[parts[0].lower()]
            return Result((relation,), relation.rows)
        number = self._tables.get(quoted_table_name(parts))
        if number is None:
            raise UnknownError(f"table {'.'.join(parts)}")
        return Result((Relation(parts[-1], number),))

    def _alias(self, plan: JavaObject, defined: Mapping[str, Relation]) -> Result:
        result, name = self.result(plan.child(), defined), str(plan.alias())
        return replace(result, relations=(as_one(result, name),))

    def _with(self, plan: JavaObject, defined: Mapping[str, Relation]) -> Result:
        names = dict(defined)
        for definition in each(plan.cteRelations()):
            name = str(definition.productElement(0))
            result = self.result(definition.productElement(1), names)
            names[name.lower()] = replace(as_one(result, name), rows=result.rows)
        return self.result(plan.child(), names)

    def _filter(self, plan: JavaObject, defined: Mapping[str, Relation]) -> Result:
        result = self.result(plan.child(), defined)
        conditions = self._conditions(plan.condition(), result, defined)
        return result.with_rows(conditions, "FILTER")

    def _conditions(
        self, condition: JavaObject, scope: Result, defined: Mapping[str, Relation]
    ) -> list[Lineage]:
        """Return the lineage of the parts of a condition. Those with unknown columns are logged."""
        if class_of(condition) == "And":
            sides = condition.left(), condition.right()
            return [condition for side in sides for condition in self._conditions(side, scope, defined)]
        return self._known("filter", lambda: self._value(condition, scope, defined))

    def _known(self, verb: str, lineage: Callable[[], Lineage]) -> list[Lineage]:
        """Return the lineage of an expression that only affects the rows; none, logged, if it is unknown."""
        try:
            return [lineage()]
        except UnknownError as unknown:
            log_once(
                f"cannot find all columns that {verb} the rows of a JDBC query of {', '.join(self._tables)}: "
                f"{unknown} may belong to several tables, or is not supported"
            )
            return []

    def _windowed(self, plan: JavaObject, defined: Mapping[str, Relation]) -> Result:
        with self._windows_of(plan):
            return self.result(plan.child(), defined)

    @contextmanager
    def _windows_of(self, plan: JavaObject) -> Iterator[None]:
        """Know the windows that a WINDOW clause defines, while its query is read."""
        outer = self._windows
        defined = {str(pair._1()).lower(): pair._2() for pair in members(plan.windowDefinitions())}
        self._windows = {**outer, **defined}
        try:
            yield
        finally:
            self._windows = outer

    def _having(self, plan: JavaObject, defined: Mapping[str, Relation]) -> Result:
        return self._filtered_groups(plan, defined)[0]

    def _filtered_groups(self, plan: JavaObject, defined: Mapping[str, Relation]) -> tuple[Result, Result]:
        """Return the result of HAVING, and what is in the scope of its condition."""
        result, scope = self._grouped(plan.child(), defined)
        condition = self._value(plan.havingCondition(), with_aliases(scope, result))
        return result.with_rows([condition], "FILTER"), scope

    def _sort(self, plan: JavaObject, defined: Mapping[str, Relation]) -> Result:
        """Return the result of ORDER BY, which determines the rows if their number is limited."""
        result, scope = self._sortable(plan.child(), defined)
        both = with_aliases(scope, result)
        keys = [
            key
            for order in each(plan.order())
            for key in self._known("sort", partial(self._key, order.child(), result, both))
        ]
        return result.with_rows(keys, "SORT")

    def _sortable(self, plan: JavaObject, defined: Mapping[str, Relation]) -> tuple[Result, Result]:
        """Return the result of a plan, and what is in the scope of an ORDER BY that sorts it."""
        kind = class_of(plan)
        if kind in ("Aggregate", "Project"):
            return self._grouped(plan, defined)
        if kind == "UnresolvedHaving":
            return self._filtered_groups(plan, defined)
        if kind == "WithWindowDefinition":
            with self._windows_of(plan):
                return self._sortable(plan.child(), defined)
        result = self.result(plan, defined)
        return result, result

    def _distinct(self, plan: JavaObject, defined: Mapping[str, Relation]) -> Result:
        result = self.result(plan.child(), defined)
        compared = [lineage for relation in result.relations for _, lineage in relation.columns]
        return result.with_rows(compared, "GROUP_BY")

    def _join(self, plan: JavaObject, defined: Mapping[str, Relation]) -> Result:
        left, right = self.result(plan.left(), defined), self.result(plan.right(), defined)
        if class_of(plan.joinType()) in ("UsingJoin", "NaturalJoin"):
            raise UnknownError("the columns of USING are in both tables")
        joined = Result((*left.relations, *right.relations), merged_lineage([left.rows, right.rows]))
        condition = option(plan.condition())
        return joined if condition is None else joined.with_rows([self._value(condition, joined)], "JOIN")

    def _union(self, plan: JavaObject, defined: Mapping[str, Relation]) -> Result:
        results = [self.result(child, defined) for child in each(plan.children())]
        parts = [as_one(result, "") for result in results]
        if any(part.table is not None or len(part.columns) != len(parts[0].columns) for part in parts):
            raise UnknownError("a union of unknown columns")
        columns = tuple(
            (same[0][0], merged_lineage([lineage for _, lineage in same]))
            for same in zip(*(part.columns for part in parts), strict=True)
        )
        return Result((Relation("", None, columns),), merged_lineage([result.rows for result in results]))

    def _set_operation(self, plan: JavaObject, defined: Mapping[str, Relation]) -> Result:
        """Return the left rows of INTERSECT or EXCEPT, selected by comparing all columns."""
        left, right = self.result(plan.left(), defined), self.result(plan.right(), defined)
        sides = [as_one(result, "") for result in (left, right)]
        if any(side.table is not None for side in sides):
            raise UnknownError("a comparison of unknown columns")
        compared = [lineage for side in sides for _, lineage in side.columns]
        result = Result((sides[0],), merged_lineage([left.rows, right.rows]))
        return result.with_rows(compared, "JOIN")

    def _project(self, plan: JavaObject, defined: Mapping[str, Relation]) -> Result:
        return self._grouped(plan, defined)[0]

    def _grouped(self, plan: JavaObject, defined: Mapping[str, Relation]) -> tuple[Result, Result]:
        """Return the result of SELECT, and what is in the scope of its expressions."""
        is_grouped = class_of(plan) == "Aggregate"
        scope = self.result(plan.child(), defined)
        expressions = each(plan.aggregateExpressions() if is_grouped else plan.projectList())
        relations = tuple(relation for column in expressions for relation in self._selected(column, scope))
        result = Result(relations, scope.rows)
        if is_grouped:
            groups = [self._key(group, result, scope) for group in each(plan.groupingExpressions())]
            result = result.with_rows(groups, "GROUP_BY")
        return result, scope

    def _key(self, expression: JavaObject, result: Result, scope: Result) -> Lineage:
        """Return the lineage of what groups or sorts: also the number or the alias of a selected column."""
        selected = [column for relation in result.relations for column in relation.columns]
        kind = class_of(expression)
        position = str(_position(expression))
        if position.isdigit():
            return selected[int(position) - 1][1] if 0 < int(position) <= len(selected) else NO_LINEAGE
        if kind == "UnresolvedAttribute":
            name = str(expression.name())
            for own, lineage in selected:
                if own.lower() == name.lower():
                    return lineage
        return self._value(expression, scope)

    def _selected(self, expression: JavaObject, scope: Result) -> Iterator[Relation]:
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
            if _function(expression.child()) in _CLAUSES:
                raise UnknownError(f"{_function(expression.child())} before the selected columns")
        else:
            name = str(expression.nameParts().last()) if kind == "UnresolvedAttribute" else ""
        yield Relation("", None, ((name, self._value(expression, scope)),))

    def _value(
        self, expression: JavaObject, scope: Result, defined: Mapping[str, Relation] | None = None
    ) -> Lineage:
        """Return the lineage of an expression; with the names that WITH defines, also that of subqueries."""
        kind = class_of(expression)
        if kind == "UnresolvedAttribute":
            return self.columns.attribute(expression, scope)
        if kind == "UnresolvedWindowExpression":
            return self._value_in_window(expression, scope, defined)
        if kind == "UnresolvedStar":
            return NO_LINEAGE
        if kind in _SUBQUERIES and defined is not None:
            return self._subquery(kind, expression, scope, defined)
        children = [self._value(child, scope, defined) for child in each(expression.children())]
        if kind == "UnresolvedAlias":
            return children[0]
        name = _function(expression)
        if name is not None:
            if name not in _AGGREGATES:
                return computed_lineage(children, "TRANSFORMATION")
            count = expression.arguments().size()
            values = computed_lineage(children[:count], "AGGREGATION", name == "count")
            return merged_lineage([values, indirect_lineage(children[count:], "FILTER")])
        if kind in _SUBQUERIES:
            raise UnknownError("a subquery")
        return operator_lineage(kind, children)

    def _value_in_window(
        self, expression: JavaObject, scope: Result, defined: Mapping[str, Relation] | None
    ) -> Lineage:
        """Return the lineage of a value over a window that is defined by WINDOW."""
        name = str(expression.windowSpec().name())
        window = self._windows.get(name.lower())
        if window is None:
            raise UnknownError(f"window {name}")
        parts = expression.child(), window
        return operator_lineage("WindowExpression", [self._value(part, scope, defined) for part in parts])

    def _subquery(
        self, kind: str, expression: JavaObject, scope: Result, defined: Mapping[str, Relation]
    ) -> Lineage:
        """Return the lineage of a subquery, whose columns may be those of the outer query."""
        with self.columns.around_subquery(scope):
            inner = self.result(expression.plan(), defined)
        rows = indirect_lineage([inner.rows], "FILTER")
        if kind == "Exists":
            return rows
        if any(part.table is not None for part in inner.relations):
            raise UnknownError("* of a subquery")
        return merged_lineage([*(lineage for part in inner.relations for _, lineage in part.columns), rows])


def _position(expression: JavaObject) -> JavaObject | None:
    """Return the value of a literal or, since Spark 4.1, of the number of a selected column."""
    kind = class_of(expression)
    if kind == "UnresolvedOrdinal":
        return expression.ordinal()
    return expression.value() if kind == "Literal" else None


def _function(expression: JavaObject) -> str | None:
    """Return the name of the function that an expression calls, in lower case; None for others."""
    if class_of(expression) != "UnresolvedFunction":
        return None
    return str(expression.nameParts().last()).lower()


_READERS: dict[str, Callable[[_Reader, JavaObject, Mapping[str, Relation]], Result]] = {
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
    "WithWindowDefinition": _Reader._windowed,
}
