"""Lineage of the columns and rows that the operators of a plan return."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from openlineage_facets.spark.analyzed_plan import (
    Expression,
    Node,
    attributes,
    class_name,
    operands,
    parse_plan,
)
from openlineage_facets.spark.lineage.database_queries import QueryLineage
from openlineage_facets.spark.lineage.expression_lineage import expression_lineage, generator_lineage
from openlineage_facets.spark.lineage.subquery_reduction import (
    DISTINCT_CTE_REFERENCE,
    reduced_to_distinct_rows,
    reduced_to_existence,
)
from openlineage_facets.spark.lineage.value_lineage import (
    IDENTITY,
    NO_LINEAGE,
    Lineage,
    computed_lineage,
    indirect_lineage,
    merged_lineage,
)


class LeafSource(NamedTuple):
    """The source of the columns of a leaf.

    Args:
        number: Its number.
        columns: The names of its columns; None if they are unknown. A leaf may have others that describe
            its rows, such as `_metadata` of files.
    """

    number: int
    columns: frozenset[str] | None = None

    def lineage(self, name: str) -> Lineage:
        """Return the lineage of a column of the leaf."""
        is_column = self.columns is None or name in self.columns
        return {(self.number, name): IDENTITY} if is_column else NO_LINEAGE


class Output(NamedTuple):
    """Lineage of the output of an operator.

    Args:
        ids: The expression ids of its columns, in order.
        columns: The lineage of each column, by expression id.
        row_lineage: The columns that determine which rows exist.
        ungrouped_rows: Of an Aggregate, the row lineage of the rows that it groups.
    """

    ids: list[int]
    columns: dict[int, Lineage]
    row_lineage: Lineage = NO_LINEAGE
    ungrouped_rows: Lineage = NO_LINEAGE


class PlanLineage:
    """Computes the lineage of plans from their leaves upwards.

    Args:
        sources: The source of a leaf, by the expression id of the leaf's first column.
        queries: The lineage of leaves that are queries of a database, by the same id.
        projections: Returns the projections of an Expand operator that are missing in the JSON of the plan,
            by the expression id of the operator's last column.
    """

    def __init__(
        self,
        sources: Mapping[int, LeafSource],
        queries: Mapping[int, QueryLineage],
        projections: Callable[[int], list[list[Expression]]],
    ) -> None:
        self._sources = sources
        self._queries = queries
        self._projections = projections
        self._referenced: dict[Any, Output] = {}
        self._cte_definitions: dict[Any, Node] = {}
        self._outer_columns: list[dict[int, Lineage]] = []

    def of(self, plan: Node) -> Output:
        """Return the lineage of the output of a plan."""
        stack: list[Output] = []
        for node, child in plan.in_order():
            if child < 0:
                count = len(node.children)
                children = stack[len(stack) - count :] if count else []
                del stack[len(stack) - count :]
                stack.append(self._output(node, children))
            elif child == 0 and node.kind == "UnionLoop":
                self._referenced["loop", node.fields.get("id")] = stack[-1]
        return stack[0]

    def _output(self, node: Node, children: list[Output]) -> Output:
        if not children:
            return self._leaf(node)
        return _OPERATORS.get(node.kind, PlanLineage._other)(self, node, children)

    def _leaf(self, node: Node) -> Output:
        if node.kind == "CTERelationRef":
            return self._reference(node, self._referenced.get(("cte", node.fields.get("cteId"))))
        if node.kind == "UnionLoopRef":
            return self._reference(node, self._referenced.get(("loop", node.fields.get("loopId"))))
        if node.kind == DISTINCT_CTE_REFERENCE:
            return self._reference(node, self._distinct_rows_of_cte(node.fields.get("cteId")))
        output = attributes(
            node.expressions("output") or [*node.expressions("dataCols"), *node.expressions("partitionCols")]
        )
        source = self._sources.get(output[0][0]) if output else None
        ids = [identity for identity, _ in output]
        query = self._queries.get(ids[0]) if ids else None
        if query is not None and len(query.columns) == len(ids):
            return Output(ids, dict(zip(ids, query.columns, strict=True)), query.rows)
        if source is None:
            return Output(ids, dict.fromkeys(ids, NO_LINEAGE))
        return Output(ids, {identity: source.lineage(name) for identity, name in output})

    def _distinct_rows_of_cte(self, number: Any) -> Output | None:
        """Return the output of a common table expression if order and duplicates do not matter."""
        definition = self._cte_definitions.get(number)
        if definition is None:
            return None
        key = ("distinct cte", number)
        if key not in self._referenced:
            self._referenced[key] = self.of(reduced_to_distinct_rows(definition))
        return self._referenced[key]

    def _reference(self, node: Node, output: Output | None) -> Output:
        """Return the output of a referenced plan with the expression ids of the reference."""
        ids = [identity for identity, _ in attributes(node.expressions("output"))]
        if output is None or len(ids) != len(output.ids):
            return Output(ids, dict.fromkeys(ids, NO_LINEAGE))
        columns = {new: output.columns[old] for new, old in zip(ids, output.ids, strict=True)}
        return Output(ids, columns, output.row_lineage)

    def _value(self, expression: Expression, columns: Mapping[int, Lineage]) -> Lineage:
        def subquery_lineage(kind: str, nodes: list[dict[str, Any]]) -> tuple[list[Lineage], Lineage]:
            plan = parse_plan(nodes)
            if kind == "Exists":
                return [], self._subquery(reduced_to_existence(plan), columns).row_lineage
            plan = reduced_to_distinct_rows(plan) if kind == "ListQuery" else plan
            output = self._subquery(plan, columns)
            return [output.columns[identity] for identity in output.ids], output.row_lineage

        if self._outer_columns:
            columns = {**self._outer_columns[-1], **columns}
        return expression_lineage(expression, columns, subquery_lineage)

    def _subquery(self, plan: Node, outer_columns: Mapping[int, Lineage]) -> Output:
        """Return the output of a subquery, which may refer to columns of the outer plan."""
        self._outer_columns.append(dict(outer_columns))
        try:
            return self.of(plan)
        finally:
            self._outer_columns.pop()

    def _values(self, expressions: Iterable[Expression], columns: Mapping[int, Lineage]) -> list[Lineage]:
        return [self._value(expression, columns) for expression in expressions]

    def _named_expressions(self, expressions: list[Expression], columns: Mapping[int, Lineage]) -> Output:
        ids = [identity for identity, _ in attributes(expressions)]
        return Output(ids, dict(zip(ids, self._values(expressions, columns), strict=True)))

    def _project(self, node: Node, children: list[Output]) -> Output:
        projected = self._named_expressions(node.expressions("projectList"), children[0].columns)
        return projected._replace(row_lineage=children[0].row_lineage)

    def _aggregate(self, node: Node, children: list[Output]) -> Output:
        columns = children[0].columns
        aggregated = self._named_expressions(node.expressions("aggregateExpressions"), columns)
        groups = self._values(node.expressions("groupingExpressions"), columns)
        # The first step of a pivot also groups by the column that becomes columns, which adds no rows.
        first_step = _is_second_step_of_pivot(node)
        rows = children[0].ungrouped_rows if first_step else children[0].row_lineage
        grouped = merged_lineage([rows, indirect_lineage(groups, "GROUP_BY")])
        return aggregated._replace(row_lineage=grouped, ungrouped_rows=rows)

    def _window(self, node: Node, children: list[Output]) -> Output:
        child = children[0]
        added = self._named_expressions(node.expressions("windowExpressions"), child.columns)
        return Output([*child.ids, *added.ids], {**child.columns, **added.columns}, child.row_lineage)

    def _rows(self, node: Node, children: list[Output], field: str, subtype: str) -> Output:
        """Return the output of one that selects, groups or orders rows by the expressions of a field."""
        return self._with_row_lineage(children[0], node.expressions(field), subtype)

    def _with_row_lineage(self, output: Output, expressions: list[Expression], subtype: str) -> Output:
        """Add the columns of expressions to the row lineage of an output."""
        added = indirect_lineage(self._values(expressions, output.columns), subtype)
        return output._replace(row_lineage=merged_lineage([output.row_lineage, added]))

    def _distinct(self, node: Node, children: list[Output]) -> Output:
        child = children[0]
        compared = indirect_lineage(child.columns.values(), "GROUP_BY")
        return child._replace(row_lineage=merged_lineage([child.row_lineage, compared]))

    def _join(self, node: Node, children: list[Output]) -> Output:
        left, right = children
        joined = self._with_row_lineage(_combined(left, right), node.expressions("condition"), "JOIN")
        if node.join_type in ("LeftSemi", "LeftAnti"):
            return left._replace(row_lineage=joined.row_lineage)
        return joined

    def _join_with_nearest(self, node: Node, children: list[Output]) -> Output:
        """Return the output of a join of each left row with its nearest right row, as of a time."""
        fields = ("asOfCondition", "condition", "orderExpression")
        compared = [expression for name in fields for expression in node.expressions(name)]
        return self._with_row_lineage(_combined(*children), compared, "JOIN")

    def _lateral_join(self, node: Node, children: list[Output]) -> Output:
        left = children[0]
        subquery = node.expressions("right")[0]
        right = self._subquery(parse_plan(subquery[0]["plan"]), left.columns)
        return self._with_row_lineage(_combined(left, right), node.expressions("condition"), "JOIN")

    def _union(self, node: Node, children: list[Output]) -> Output:
        return _united(children[0].ids, children)

    def _recursion(self, node: Node, children: list[Output]) -> Output:
        """Return the output of a recursive query, whose steps read the rows of earlier steps."""
        anchor, step = children
        ids = [int(identity["id"]) for identity in node.fields["outputAttrIds"]]
        key = ("loop", node.fields.get("id"))
        output = _united(ids, [anchor, step])
        while self._referenced.get(key) != output:
            self._referenced[key] = output
            output = _united(ids, [anchor, self.of(node.children[1])])
        return output

    def _set_operation(self, node: Node, children: list[Output]) -> Output:
        """Return the output of INTERSECT or EXCEPT: left rows, selected by comparing all columns."""
        left, right = children
        compared = indirect_lineage([*left.columns.values(), *right.columns.values()], "JOIN")
        return left._replace(row_lineage=merged_lineage([left.row_lineage, right.row_lineage, compared]))

    def _generate(self, node: Node, children: list[Output]) -> Output:
        child = children[0]
        [generator] = node.expressions("generator")
        arguments = self._values(operands(generator), child.columns)
        ids = [identity for identity, _ in attributes(node.expressions("generatorOutput"))]
        generated = generator_lineage(class_name(generator[0]), arguments, len(ids))
        columns = {**child.columns, **dict(zip(ids, generated.columns, strict=True))}
        unrequired = _indexes(node.fields.get("unrequiredChildIndex"))
        kept = [identity for index, identity in enumerate(child.ids) if index not in unrequired]
        rows = indirect_lineage([generated.size], "JOIN")
        return Output([*kept, *ids], columns, merged_lineage([child.row_lineage, rows]))

    def _expand(self, node: Node, children: list[Output]) -> Output:
        child = children[0]
        ids = [identity for identity, _ in attributes(node.expressions("output"))]
        projections: list[list[Expression]] = node.fields["projections"] or self._projections(ids[-1])
        expanded = [self._values(projection, child.columns) for projection in projections]
        columns = {identity: merged_lineage(values) for identity, *values in zip(ids, *expanded, strict=True)}
        return Output(ids, columns, child.row_lineage)

    def _function_of_rows(self, node: Node, children: list[Output], keys: Sequence[Lineage] = ()) -> Output:
        """Return the output of a function or script that returns any rows for those it gets.

        Each value depends on all columns that it gets, and so does which rows there are.

        Args:
            node: The operator.
            children: The rows that the function gets.
            keys: The columns of the key if it is called with each group of rows.
        """
        ids = [identity for identity, _ in _output_attributes(node)]
        passed = [child.columns[identity] for child in children for identity in child.ids]
        rows = [child.row_lineage for child in children]
        rows += [indirect_lineage(keys, "GROUP_BY"), indirect_lineage(passed, "FILTER")]
        computed = computed_lineage(passed, "TRANSFORMATION")
        return Output(ids, dict.fromkeys(ids, computed), merged_lineage(rows))

    def _function_of_groups(self, node: Node, children: list[Output]) -> Output:
        keys = self._values(node.expressions("groupingAttributes"), children[0].columns)
        return self._function_of_rows(node, children, keys)

    def _function_with_leading_keys(
        self, node: Node, children: list[Output], lengths: tuple[str, ...]
    ) -> Output:
        """Return the output of a function of groups whose keys are the first columns of each plan.

        Args:
            node: The operator.
            children: The rows that the function gets.
            lengths: The fields with the number of keys of each plan.
        """
        keys = [
            child.columns[identity]
            for child, length in zip(children, lengths, strict=True)
            for identity in child.ids[: int(node.fields.get(length) or 0)]
        ]
        return self._function_of_rows(node, children, keys)

    def _cte_definition(self, node: Node, children: list[Output]) -> Output:
        self._referenced["cte", node.fields.get("id")] = children[0]
        self._cte_definitions[node.fields.get("id")] = node.children[0]
        return children[0]

    def _other(self, node: Node, children: list[Output]) -> Output:
        """Return the output of any other operator. New columns depend on all columns that it refers to."""
        columns = {identity: lineage for child in children for identity, lineage in child.columns.items()}
        row_lineage = merged_lineage([child.row_lineage for child in children])
        output = _output_attributes(node)
        if not output:
            ids = [identity for child in children for identity in child.ids]
            return Output(ids, columns, row_lineage)
        used = [
            self._value(expression, columns)
            for name in node.fields
            if name != "output"
            for expression in node.expressions(name)
        ]
        computed = computed_lineage(used if any(used) else columns.values(), "TRANSFORMATION")
        ids = [identity for identity, _ in output]
        return Output(ids, {identity: columns.get(identity, computed) for identity in ids}, row_lineage)


def _output_attributes(node: Node) -> list[tuple[int, str]]:
    """Return id and name of the new columns of an operator, which those with state call `outputAttrs`."""
    return attributes(node.expressions("output") or node.expressions("outputAttrs"))


def _is_second_step_of_pivot(node: Node) -> bool:
    pivots = any(
        class_name(part) == "PivotFirst"
        for expression in node.expressions("aggregateExpressions")
        for part in expression
    )
    return pivots and node.children[0].kind == "Aggregate"


def _united(ids: list[int], outputs: list[Output]) -> Output:
    """Return the output of a union whose columns have these expression ids."""
    columns = {
        identity: merged_lineage([output.columns[output.ids[position]] for output in outputs])
        for position, identity in enumerate(ids)
    }
    return Output(ids, columns, merged_lineage([output.row_lineage for output in outputs]))


def _combined(left: Output, right: Output) -> Output:
    row_lineage = merged_lineage([left.row_lineage, right.row_lineage])
    return Output([*left.ids, *right.ids], {**left.columns, **right.columns}, row_lineage)


def _indexes(value: Any) -> set[int]:
    """Return the numbers of a list that Spark writes as a list, or as text such as `[0, 2]`."""
    if isinstance(value, str):
        value = [part for part in value.strip("[]").split(",") if part.strip()]
    return {int(item) for item in value or ()}


_deduplicate = partial(PlanLineage._rows, field="keys", subtype="GROUP_BY")
_of_pairs_of_groups = partial(
    PlanLineage._function_with_leading_keys, lengths=("leftGroupingLen", "rightGroupingLen")
)
_of_groups_and_states = partial(
    PlanLineage._function_with_leading_keys, lengths=("groupingAttributesLen", "initGroupingAttrsLen")
)

_OPERATORS: dict[str, Callable[[PlanLineage, Node, list[Output]], Output]] = {
    "Project": PlanLineage._project,
    "Aggregate": PlanLineage._aggregate,
    "Window": PlanLineage._window,
    "Filter": partial(PlanLineage._rows, field="condition", subtype="FILTER"),
    "Sort": partial(PlanLineage._rows, field="order", subtype="SORT"),
    "Deduplicate": _deduplicate,
    "DeduplicateWithinWatermark": _deduplicate,
    "Distinct": PlanLineage._distinct,
    "AsOfJoin": PlanLineage._join_with_nearest,
    "Join": PlanLineage._join,
    "LateralJoin": PlanLineage._lateral_join,
    "Union": PlanLineage._union,
    "UnionLoop": PlanLineage._recursion,
    "Intersect": PlanLineage._set_operation,
    "Except": PlanLineage._set_operation,
    "Generate": PlanLineage._generate,
    "Expand": PlanLineage._expand,
    "FlatMapCoGroupsInArrow": _of_pairs_of_groups,
    "FlatMapCoGroupsInPandas": _of_pairs_of_groups,
    "FlatMapGroupsInArrow": PlanLineage._function_of_groups,
    "FlatMapGroupsInPandas": PlanLineage._function_of_groups,
    "FlatMapGroupsInPandasWithState": PlanLineage._function_of_groups,
    "MapInArrow": PlanLineage._function_of_rows,
    "MapInPandas": PlanLineage._function_of_rows,
    "PythonMapInArrow": PlanLineage._function_of_rows,
    "ScriptTransformation": PlanLineage._function_of_rows,
    "TransformWithStateInPySpark": _of_groups_and_states,
    "WithCTE": lambda _, node, children: children[-1],
    "CTERelationDef": PlanLineage._cte_definition,
}
