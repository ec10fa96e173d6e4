"""Relations over two others: joins and set operations."""

from __future__ import annotations

from typing import Any

from headwater.spark.capturing.connect.naming import Column, Result, named, quoted
from headwater.spark.capturing.connect.relation import Relations, star, writes

_JOINS = ("", "INNER", "FULL OUTER", "LEFT OUTER", "RIGHT OUTER", "LEFT ANTI", "LEFT SEMI", "CROSS")
_LEFT_ONLY = ("LEFT ANTI", "LEFT SEMI")
_SETS = ("", "INTERSECT", "UNION", "EXCEPT")


@writes("join")
def join(relations: Relations, relation: Any) -> Result:
    """A join by a condition, by columns of the same name, or of everything."""
    body = relation.join
    left, right = relations.result(body.left), relations.result(body.right)
    kind = _JOINS[body.join_type]
    using = [name.lower() for name in body.using_columns]
    clause = ""
    if body.HasField("join_condition"):
        clause = f" ON {relations.over(left, right).sql(body.join_condition)}"
    elif using:
        clause = f" USING ({', '.join(quoted(name) for name in body.using_columns)})"
    elif kind == "INNER":
        kind = "CROSS"
    merged = [_merged(name, left, right) for name in using]
    items = [quoted(column.sql) for column in merged]
    columns = list(merged)
    for alias, side in (("_l", left), ("_r", right)):
        if alias == "_r" and kind in _LEFT_ONLY:
            continue
        own = [column for column in side.columns if column.name.lower() not in using]
        items += [quoted(alias, column.sql) for column in own]
        columns += own
    source = f"{quoted(left.cte)} AS `_l` {kind} JOIN {quoted(right.cte)} AS `_r`{clause}"
    return relations.add(f"SELECT {', '.join(items)} FROM {source}", named([c.name for c in columns], columns))


def _merged(name: str, left: Result, right: Result) -> Column:
    """The column that two of the same name become: it can be meant by either."""
    sides = [next(c for c in side.columns if c.name.lower() == name) for side in (left, right)]
    return sides[0]._replace(origins=sides[0].origins | sides[1].origins)


@writes("set_op")
def set_operation(relations: Relations, relation: Any) -> Result:
    """UNION, INTERSECT, EXCEPT; by position or by name."""
    body = relation.set_op
    left, right = relations.result(body.left_input), relations.result(body.right_input)
    names = [column.name for column in left.columns]
    first, second = star(left), star(right)
    if body.by_name:
        mine = {column.name.lower(): column.sql for column in left.columns}
        theirs = {column.name.lower(): column.sql for column in right.columns}
        names += [column.name for column in right.columns if column.name.lower() not in mine]
        first, second = (_listed(names, side) for side in (mine, theirs))
    words = _SETS[body.set_op_type] + (" ALL" if body.is_all else "")
    select = f"SELECT {first} FROM {quoted(left.cte)} {words} SELECT {second} FROM {quoted(right.cte)}"
    return relations.add(select, named(names))


def _listed(names: list[str], side: dict[str, str]) -> str:
    return ", ".join(quoted(side[name.lower()]) if name.lower() in side else "NULL" for name in names)
