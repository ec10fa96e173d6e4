"""Queries over the warehouse's tables: one function per form, each gives text, outputs and what decides over the rows.

`wanted` asks for outputs of these types in this order, as an INSERT without column list does; without it the form chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pipeline.chance import Chance
from pipeline.clauses import (
    Wanted,
    equal_columns,
    from_one,
    from_several,
    in_from,
    named,
    of_type,
    one_table,
    plain_columns,
    projected,
    where,
)
from pipeline.expressions import Expression, Scope, aggregate, computed, windowed
from pipeline.flow import AGGREGATION, COUNTED, FILTER, GROUP_BY, JOIN, NOTHING, SORT, Flows, through, together
from pipeline.tables import FLAG, KEY, NUMBER, TEXT, TIME, Column, Item, Query

Form = Callable[[Chance, Wanted], Query]


def select(chance: Chance, wanted: Wanted = None) -> Query:
    """A query over one table, with a condition mostly."""
    source, item = one_table(chance)
    scope = Scope(chance, (item,))
    items, outputs = projected(scope, wanted)
    text, rows = where(scope)
    return Query(f"SELECT {', '.join(items)} FROM {source}{text}", outputs, scope.rows | rows)


def join(chance: Chance, wanted: Wanted = None) -> Query:
    """A query over two or three tables."""
    scope, source, joined = from_several(chance)
    items, outputs = projected(scope, wanted)
    text, rows = where(scope)
    return Query(f"SELECT {', '.join(items)} FROM {source}{text}", outputs, scope.rows | joined | rows)


def grouped(chance: Chance, wanted: Wanted = None) -> Query:
    """Aggregates per key, over one table or a join."""
    scope, source, joined = from_several(chance) if chance.likely(0.4) else from_one(chance)
    text, rows = where(scope)
    types = wanted or [*(chance.one((KEY, TEXT, TIME)) for _ in range(chance.rng.randint(1, 3))), *[NUMBER] * 3]
    keys = [_key(scope, type) for type in types if type not in (NUMBER, FLAG)]
    by = through(together(key.flows for key in keys), GROUP_BY)
    grouped_by = by if keys else through(scope.rows, COUNTED)
    having, held = _having(scope, grouped_by)
    influence = grouped_by | held
    remaining = iter(keys)
    items, outputs = named(
        chance,
        [_aggregate(scope, influence, type) if type in (NUMBER, FLAG) else next(remaining) for type in types],
        positional=wanted is not None,
    )
    grouping = f" GROUP BY {_grouping(chance, keys, types)}" if keys else ""
    text = f"SELECT {', '.join(items)} FROM {source}{text}{grouping}{having}"
    return Query(text, outputs, scope.rows | joined | rows | by | held)


def windows(chance: Chance, wanted: Wanted = None) -> Query:
    """Window functions over one table; the newest row per key where the types are free."""
    if wanted is None and chance.likely(0.4):
        return _newest(chance)
    source, item = one_table(chance)
    scope = Scope(chance, (item,))
    types = wanted or [NUMBER] * chance.rng.randint(1, 3)
    expressions = [_windowed(scope, type) for type in types]
    if wanted is None:
        expressions = [*plain_columns(scope), *expressions]
    items, outputs = named(chance, expressions, positional=wanted is not None)
    text, rows = where(scope)
    return Query(f"SELECT {', '.join(items)} FROM {source}{text}", outputs, scope.rows | rows)


def _newest(chance: Chance) -> Query:
    """All columns of the newest row per key: a star over a derived table with a row number."""
    source, item = one_table(chance)
    scope = Scope(chance, (item,), qualified=True)
    rank = windowed(scope)
    taken = [each.name for each in item.columns]
    name = chance.column_name(KEY, taken) if "rn" in taken else "rn"
    outputs = (*item.columns, Column(name, rank.type, rank.flows))
    inner = Query(f"SELECT {item.alias}.*, {rank.text} AS {name} FROM {source}", outputs, item.rows)
    star = "*" if chance.likely(0.5) else "newest.*"
    rows = inner.rows | through(rank.flows, FILTER)
    return Query(f"SELECT {star} FROM ({inner.text}) AS newest WHERE newest.{name} = 1", outputs, rows)


def with_cte(chance: Chance, wanted: Wanted = None) -> Query:
    """One or two CTEs, the second over the first, and a query over the last, joined with a table now and then."""
    first = chance.one((select, join, grouped, windows, starred))(chance, None)
    text, last, name = f"WITH base AS ({first.text})", first, "base"
    if chance.likely(0.4):
        last, name = _over(chance, first.item("b"), "base AS b", None), "refined"
        text += f", refined AS ({last.text})"
    if chance.likely(0.3) and (joined := _with_table(chance, last.item("c"), f"{name} AS c", wanted)):
        return Query(f"{text} {joined.text}", joined.outputs, joined.rows)
    outer = _over(chance, last.item("c"), f"{name} AS c", wanted)
    return Query(f"{text} {outer.text}", outer.outputs, outer.rows)


def union(chance: Chance, wanted: Wanted = None) -> Query:
    """Two or three branches, matched by position."""
    types = wanted or [chance.one((KEY, NUMBER, TEXT, TIME)) for _ in range(chance.rng.randint(2, 6))]
    branches = [chance.one((select, select, join, grouped))(chance, types) for _ in range(chance.rng.randint(2, 3))]
    first = _renamed(chance, branches[0], types) if wanted is None else branches[0]
    outputs = tuple(
        Column(each[0].name, each[0].type, together(column.flows for column in each))
        for each in zip(first.outputs, *(branch.outputs for branch in branches[1:]), strict=True)
    )
    distinct = chance.likely(0.2)
    rows = together(branch.rows for branch in branches)
    if distinct:
        rows |= through(together(each.flows for each in outputs), GROUP_BY)
    texts = (first.text, *(branch.text for branch in branches[1:]))
    return Query((" UNION " if distinct else " UNION ALL ").join(texts), outputs, rows)


def _renamed(chance: Chance, query: Query, types: Sequence[str]) -> Query:
    """A query whose outputs surely have names: the first branch of a union gives them."""
    scope = Scope(chance, (query.item("u"),), qualified=True)
    taken: list[str] = []
    for type in types:
        taken.append(chance.column_name(type, taken))
    outputs = tuple(Column(name, each.type, each.flows) for name, each in zip(taken, query.outputs, strict=True))
    return Query(f"SELECT * FROM ({query.text}) AS u({', '.join(taken)})", outputs, scope.rows)


def starred(chance: Chance, wanted: Wanted = None) -> Query:
    """A star: of one table, of one of two joined tables with a column of the other, or of a derived table."""
    if wanted is not None:
        return select(chance, wanted)
    if chance.likely(0.4):
        source, item = one_table(chance)
        text, rows = where(Scope(chance, (item,)))
        star = chance.one(("*", f"{item.alias}.*"))
        return Query(f"SELECT {star} FROM {source}{text}", item.columns, item.rows | rows)
    if chance.likely(0.3):
        inner = chance.one((select, grouped, join))(chance, None)
        return Query(f"SELECT * FROM ({inner.text}) AS inner_query", inner.outputs, inner.rows)
    scope, source, joined = from_several(chance)
    item = scope.items[0]
    taken = [each.name for each in item.columns]
    added = computed(Scope(chance, scope.items[1:], qualified=True))
    name = chance.column_name(added.type, taken)
    outputs = (*item.columns, Column(name, added.type, added.flows))
    text = f"SELECT {item.alias}.*, {added.text} AS {name} FROM {source}"
    return Query(text, outputs, scope.rows | joined)


def distinct(chance: Chance, wanted: Wanted = None) -> Query:
    """DISTINCT over one table: every output decides over the rows."""
    inner = select(chance, wanted)
    rows = inner.rows | through(together(each.flows for each in inner.outputs), GROUP_BY)
    return Query(inner.text.replace("SELECT", "SELECT DISTINCT", 1), inner.outputs, rows)


def limited(chance: Chance, wanted: Wanted = None) -> Query:
    """The first rows by an output."""
    inner = join(chance, None) if wanted is None else select(chance, wanted)
    if wanted is not None:
        return Query(f"{inner.text} LIMIT 1000", inner.outputs, inner.rows)
    key = chance.one(inner.outputs)
    text = f"{inner.text} ORDER BY {key.name} DESC LIMIT 100"
    return Query(text, inner.outputs, inner.rows | through(key.flows, SORT))


FORMS: tuple[Form, ...] = (
    *(select, select, join, join, join, grouped, grouped, windows, with_cte, with_cte, union, starred, starred),
    *(distinct, limited),
)


def query(chance: Chance, wanted: Wanted = None) -> Query:
    """A query of any form."""
    return chance.one(FORMS)(chance, wanted)


def _windowed(scope: Scope, type: str) -> Expression:
    found = windowed(scope)
    return found if found.type == type else scope.any(type)


def _key(scope: Scope, type: str) -> Expression:
    return scope.any(type) if scope.chance.likely(0.7) else of_type(scope, type)


def _aggregate(scope: Scope, influence: Flows, type: str) -> Expression:
    found = aggregate(scope, influence)
    return Expression(f"{found.text} > 0", FLAG, found.flows) if type == FLAG else found


def _grouping(chance: Chance, keys: list[Expression], types: Sequence[str]) -> str:
    """GROUP BY's list: the keys again, or the places of the keys in the select list."""
    places = [i for i, type in enumerate(types, 1) if type not in (NUMBER, FLAG)]
    constant = any(not key.flows for key in keys)
    if constant or chance.likely(0.3):
        return ", ".join(map(str, places))
    return ", ".join(key.text for key in keys)


def _having(scope: Scope, grouped_by: Flows) -> tuple[str, Flows]:
    """A condition on an aggregate, which GROUP BY, or the lack of it, influences like every other one."""
    value = Scope(scope.chance, scope.items, qualified=True).column(NUMBER)
    if value is None or scope.chance.likely(0.8):
        return "", NOTHING
    return f" HAVING max({value.text}) > 10", through(through(value.flows, AGGREGATION) | grouped_by, FILTER)


def _over(chance: Chance, item: Item, source: str, wanted: Wanted) -> Query:
    """A query over one item that stands in FROM under an alias."""
    scope = Scope(chance, (item,))
    if wanted is None and chance.likely(0.3):
        text, rows = where(scope)
        return Query(f"SELECT * FROM {source}{text}", item.columns, item.rows | rows)
    items, outputs = projected(scope, wanted)
    text, rows = where(scope)
    return Query(f"SELECT {', '.join(items)} FROM {source}{text}", outputs, item.rows | rows)


def _with_table(chance: Chance, item: Item, source: str, wanted: Wanted) -> Query | None:
    """A query over an item joined with a table."""
    text, other = in_from(chance, chance.table(), "d")
    test, flows = equal_columns(chance, item, other)
    if not flows:
        return None
    scope = Scope(chance, (item, other))
    items, outputs = projected(scope, wanted)
    rows = scope.rows | through(flows, JOIN)
    return Query(f"SELECT {', '.join(items)} FROM {source} LEFT JOIN {text} ON {test}", outputs, rows)
