"""Relations that put rows together or take them apart: groups, pivots, and functions of the program's own over whole tables."""

from __future__ import annotations

from typing import Any

from headwater.analyzers.select import Unread
from headwater.spark.capturing.connect.literal import literal_sql
from headwater.spark.capturing.connect.naming import Column, Result, named, quoted
from headwater.spark.capturing.connect.relation import Relations, star, writes
from headwater.spark.capturing.connect.shape import selected

_GROUPS = ("", "{}", "ROLLUP ({})", "CUBE ({})")
_PIVOT, _SETS = 4, 5


@writes("aggregate")
def aggregate(relations: Relations, relation: Any) -> Result:
    """`groupBy(…).agg(…)`: the keys come first. A filter right below is the WHERE of the same query."""
    body = relation.aggregate
    filtered = body.input.HasField("filter") and not body.input.filter.input.HasField("aggregate")
    below = relations.result(body.input.filter.input if filtered else body.input)
    where = f" WHERE {relations.over(below).sql(body.input.filter.condition)}" if filtered else ""
    if body.group_type == _PIVOT:
        return _pivot(relations, relation, below, where)
    scope = relations.over(below)
    items, columns = selected(scope, [*body.grouping_expressions, *body.aggregate_expressions], scope.key)
    if columns is None:
        columns = relations.columns(relation)
    if len(columns) != len(items):
        raise Unread("groups whose columns are not told apart")
    keys = ", ".join(map(scope.key, body.grouping_expressions))
    if body.group_type == _SETS:
        sets = (f"({', '.join(map(scope.key, each.grouping_set))})" for each in body.grouping_sets)
        groups = f" GROUP BY GROUPING SETS ({', '.join(sets)})"
    else:
        groups = f" GROUP BY {_GROUPS[body.group_type].format(keys)}" if keys else ""
    return _grouped(relations, below, where, groups, items, columns)


def _grouped(
    relations: Relations, below: Result, where: str, groups: str, items: list[str], columns: tuple[Column, ...]
) -> Result:
    named_items = ", ".join(f"{item} AS {quoted(c.sql)}" for item, c in zip(items, columns, strict=True))
    select = f"SELECT {named_items} FROM {quoted(below.cte)}{where}{groups}"
    made = relations.add(select, columns)
    relations.groups[made.cte] = select
    return made


def _pivot(relations: Relations, relation: Any, below: Result, where: str) -> Result:
    """A pivot whose values are given; to find them out, the server would run a job."""
    body = relation.aggregate
    if not body.pivot.values:
        raise Unread("a pivot without its values")
    scope = relations.over(below)
    columns = relations.columns(relation)
    keys = len(body.grouping_expressions)
    test = scope.sql(body.pivot.col)
    items = list(map(scope.sql, body.grouping_expressions))
    aggregates = [scope.sql(each) for each in body.aggregate_expressions]
    for value in body.pivot.values:
        items += [f"{each} FILTER (WHERE {test} = {literal_sql(value)})" for each in aggregates]
    if len(items) != len(columns):
        raise Unread("a pivot whose columns are not told apart")
    groups = f" GROUP BY {', '.join(items[:keys])}" if keys else ""
    return _grouped(relations, below, where, groups, items, columns)


@writes("unpivot")
def unpivot(relations: Relations, relation: Any) -> Result:
    """`unpivot`, `melt`: columns become rows."""
    body = relation.unpivot
    below = relations.result(body.input)
    scope = relations.over(below)
    ids, kept = selected(scope, body.ids)
    if body.HasField("values"):
        values, _ = selected(scope, body.values.values)
    else:
        values = [quoted(c.sql) for c in below.columns if quoted(c.sql) not in ids]
    if kept is None:
        raise Unread("unpivot by an expression")
    variable, value = quoted(body.variable_column_name), quoted(body.value_column_name)
    source = f"{quoted(below.cte)} UNPIVOT INCLUDE NULLS ({value} FOR {variable} IN ({', '.join(values)}))"
    names = [*(c.name for c in kept), body.variable_column_name, body.value_column_name]
    return relations.add(f"SELECT {', '.join([*ids, variable, value])} FROM {source}", named(names))


@writes("map_partitions", "group_map", "co_group_map", "apply_in_pandas_with_state")
def program(relations: Relations, relation: Any) -> Result:
    """`mapInPandas` and its like: every output may be made of every input, and so may the number of rows."""
    body = getattr(relation, relation.WhichOneof("rel_type"))
    below = relations.result(body.input)
    source, inputs = quoted(below.cte), star(below)
    if relation.HasField("co_group_map"):
        other = relations.result(body.other)
        source = f"{source} AS `_l` CROSS JOIN {quoted(other.cte)} AS `_r`"
        inputs = ", ".join(item.written(c) for item in relations.over(below, other).items for c in item.result.columns)
    columns = relations.columns(relation)
    select = f"SELECT {', '.join(['`_out`'] * len(columns))} FROM {source} LATERAL VIEW explode(array({inputs})) `_p` AS `_out`"
    return relations.add(select, columns)
