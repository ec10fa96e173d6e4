"""Queries over the warehouse's tables: one function per form, each gives text, outputs and what decides over the rows.

`wanted` asks for outputs of these types in this order, as an INSERT without column list does; without it the form chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pipeline.chance import Chance
from pipeline.expressions import Expression, Scope, aggregate, computed, condition, windowed
from pipeline.flow import COUNTED, FILTER, GROUP_BY, JOIN, NOTHING, SORT, Flows, through, together
from pipeline.tables import FLAG, KEY, NUMBER, TEXT, TIME, Column, Item, Query, Table

Wanted = Sequence[str] | None
Form = Callable[[Chance, Wanted], Query]
Outputs = tuple[list[str], tuple[Column, ...]]
"""The select list's items, and the outputs."""


def select(chance: Chance, wanted: Wanted = None) -> Query:
    """A query over one table, with a condition mostly."""
    source, item = _source(chance)
    scope = Scope(chance, (item,))
    items, outputs = _projected(scope, wanted)
    text, rows = _where(scope)
    return Query(f"SELECT {', '.join(items)} FROM {source}{text}", outputs, scope.rows | rows)


def join(chance: Chance, wanted: Wanted = None) -> Query:
    """A query over two or three tables."""
    scope, source, joined = _joined(chance)
    items, outputs = _projected(scope, wanted)
    text, rows = _where(scope)
    return Query(f"SELECT {', '.join(items)} FROM {source}{text}", outputs, scope.rows | joined | rows)


def grouped(chance: Chance, wanted: Wanted = None) -> Query:
    """Aggregates per key, over one table or a join."""
    scope, source, joined = _joined(chance) if chance.likely(0.4) else _alone(chance)
    text, rows = _where(scope)
    types = wanted or [*(chance.one((KEY, TEXT, TIME)) for _ in range(chance.rng.randint(1, 3))), *[NUMBER] * 3]
    keys = [_key(scope, type) for type in types if type not in (NUMBER, FLAG)]
    having, held = _having(scope)
    by = through(together(key.flows for key in keys), GROUP_BY)
    influence = (by if keys else through(scope.rows, COUNTED)) | held
    remaining = iter(keys)
    items, outputs = _named(
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
    source, item = _source(chance)
    scope = Scope(chance, (item,))
    types = wanted or [NUMBER] * chance.rng.randint(1, 3)
    expressions = [_windowed(scope, type) for type in types]
    if wanted is None:
        expressions = [*_plain(scope), *expressions]
    items, outputs = _named(chance, expressions, positional=wanted is not None)
    text, rows = _where(scope)
    return Query(f"SELECT {', '.join(items)} FROM {source}{text}", outputs, scope.rows | rows)


def _newest(chance: Chance) -> Query:
    """All columns of the newest row per key: a star over a derived table with a row number."""
    source, item = _source(chance)
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
        source, item = _source(chance)
        text, rows = _where(Scope(chance, (item,)))
        star = chance.one(("*", f"{item.alias}.*"))
        return Query(f"SELECT {star} FROM {source}{text}", item.columns, item.rows | rows)
    if chance.likely(0.3):
        inner = chance.one((select, grouped, join))(chance, None)
        return Query(f"SELECT * FROM ({inner.text}) AS inner_query", inner.outputs, inner.rows)
    scope, source, joined = _joined(chance)
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


def _source(chance: Chance) -> tuple[str, Item]:
    """A table in FROM, mostly under an alias, and the item that it is."""
    table = chance.table()
    return _in_from(chance, table, chance.one(("a", "src", "t", "")))


def _in_from(chance: Chance, table: Table, alias: str) -> tuple[str, Item]:
    word = "AS " if chance.likely(0.5) else ""
    text = f"{chance.written(table)} {word}{alias}" if alias else chance.written(table)
    return text, Item.of(table, alias or table.name)


def _alone(chance: Chance) -> tuple[Scope, str, Flows]:
    source, item = _source(chance)
    return Scope(chance, (item,)), source, NOTHING


def _joined(chance: Chance) -> tuple[Scope, str, Flows]:
    """Two or three tables on their keys: the scope, the text behind FROM, and the influence of ON."""
    source, first = _in_from(chance, chance.table(), "a")
    items, influence = [first], NOTHING
    for alias in ("b", "c")[: chance.rng.randint(1, 2)]:
        text, item = _in_from(chance, chance.table(), alias)
        test, flows = _on(chance, chance.one(items), item)
        source += f" {chance.one(('JOIN', 'INNER JOIN', 'LEFT JOIN', 'LEFT OUTER JOIN'))} {text} ON {test}"
        items.append(item)
        influence |= through(flows, JOIN)
    return Scope(chance, tuple(items)), source, influence


def _on(chance: Chance, left: Item, right: Item) -> tuple[str, Flows]:
    """A condition of equal columns of one type."""
    types = [type for type in (KEY, TEXT, TIME, NUMBER) if left.of_type(type) and right.of_type(type)]
    if not types:
        return "true", NOTHING
    mine, theirs = chance.one(left.of_type(types[0])), chance.one(right.of_type(types[0]))
    return f"{left.alias}.{mine.name} = {right.alias}.{theirs.name}", mine.flows | theirs.flows


def _where(scope: Scope) -> tuple[str, Flows]:
    """WHERE with up to three conditions, a subquery among them now and then, and its influence."""
    chance = scope.chance
    if chance.likely(0.25):
        return "", NOTHING
    tests = [condition(scope) for _ in range(chance.rng.randint(1, 2))]
    if chance.likely(0.15) and (listed := _listed(scope)):
        tests.append(listed)
    if chance.likely(0.1) and (existing := _existing(scope)):
        tests.append(existing)
    text = chance.one((" AND ", " AND ", " OR ")).join(test.text for test in tests)
    return f" WHERE {text}", through(together(test.flows for test in tests), FILTER)


def _listed(scope: Scope) -> Expression | None:
    """IN with a subquery: its value and all that decides over its rows."""
    chance = scope.chance
    left, table = scope.column(KEY), chance.table()
    source, item = _in_from(chance, table, "listed")
    if left is None or not item.of_type(KEY):
        return None
    key, test = chance.one(item.of_type(KEY)), condition(Scope(chance, (item,), qualified=True))
    flows = left.flows | key.flows | item.rows | test.flows
    text = f"{left.text} IN (SELECT listed.{key.name} FROM {source} WHERE {test.text})"
    return Expression(text, FLAG, flows)


def _existing(scope: Scope) -> Expression | None:
    """EXISTS with a correlated subquery: only what decides over its rows."""
    chance = scope.chance
    outer, table = chance.one(scope.items), chance.table()
    source, item = _in_from(chance, table, "probe")
    test, flows = _on(chance, outer, item)
    if not flows:
        return None
    return Expression(f"EXISTS (SELECT 1 FROM {source} WHERE {test})", FLAG, item.rows | flows)


def _plain(scope: Scope) -> list[Expression]:
    """Some columns as they are."""
    pairs = [(item, each) for item in scope.items for each in item.columns]
    return [scope.of(item, each) for item, each in scope.chance.some(pairs, 1, 6)]


def _projected(scope: Scope, wanted: Wanted) -> Outputs:
    """A select list: columns, expressions, a lookup now and then."""
    chance = scope.chance
    if wanted is not None:
        return _named(chance, [_of_type(scope, type) for type in wanted], positional=True)
    expressions = [*_plain(scope), *(computed(scope) for _ in range(chance.rng.randint(0, 4)))]
    if chance.likely(0.1) and (found := _lookup(scope)):
        expressions.append(found)
    return _named(chance, expressions, positional=False)


def _lookup(scope: Scope) -> Expression | None:
    """A correlated scalar subquery with an aggregate: its value, and its row set twice over."""
    chance = scope.chance
    outer, table = chance.one(scope.items), chance.table()
    source, item = _in_from(chance, table, "hit")
    test, flows = _on(chance, outer, item)
    if not flows:
        return None
    value = aggregate(Scope(chance, (item,), qualified=True), through(item.rows, COUNTED))
    rows = through(item.rows | through(flows, FILTER), FILTER)
    return Expression(f"(SELECT {value.text} FROM {source} WHERE {test})", value.type, value.flows | rows)


def _of_type(scope: Scope, type: str) -> Expression:
    """A column of a type, or an expression that happens to have it."""
    if scope.chance.likely(0.4) and (found := computed(scope)).type == type:
        return found
    return scope.any(type)


def _windowed(scope: Scope, type: str) -> Expression:
    found = windowed(scope)
    return found if found.type == type else scope.any(type)


def _key(scope: Scope, type: str) -> Expression:
    return scope.any(type) if scope.chance.likely(0.7) else _of_type(scope, type)


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


def _having(scope: Scope) -> tuple[str, Flows]:
    value = Scope(scope.chance, scope.items, qualified=True).column(NUMBER)
    if value is None or scope.chance.likely(0.8):
        return "", NOTHING
    return f" HAVING max({value.text}) > 10", through(value.flows, FILTER)


def _named(chance: Chance, expressions: Sequence[Expression], positional: bool) -> Outputs:
    """Select items with names that occur once; where only the place counts, not every expression gets a name."""
    items, outputs, taken = [], [], set[str]()
    for each in expressions:
        keeps = each.name and each.name not in taken and chance.likely(0.7)
        name = each.name if keeps else chance.column_name(each.type, taken)
        taken.add(name)
        bare = keeps or (positional and chance.likely(0.5))
        items.append(each.text if bare else f"{each.text} AS {name}")
        outputs.append(Column(name, each.type, each.flows))
    return items, tuple(outputs)


def _over(chance: Chance, item: Item, source: str, wanted: Wanted) -> Query:
    """A query over one item that stands in FROM under an alias."""
    scope = Scope(chance, (item,))
    if wanted is None and chance.likely(0.3):
        text, rows = _where(scope)
        return Query(f"SELECT * FROM {source}{text}", item.columns, item.rows | rows)
    items, outputs = _projected(scope, wanted)
    text, rows = _where(scope)
    return Query(f"SELECT {', '.join(items)} FROM {source}{text}", outputs, item.rows | rows)


def _with_table(chance: Chance, item: Item, source: str, wanted: Wanted) -> Query | None:
    """A query over an item joined with a table."""
    text, other = _in_from(chance, chance.table(), "d")
    test, flows = _on(chance, item, other)
    if not flows:
        return None
    scope = Scope(chance, (item, other))
    items, outputs = _projected(scope, wanted)
    rows = scope.rows | through(flows, JOIN)
    return Query(f"SELECT {', '.join(items)} FROM {source} LEFT JOIN {text} ON {test}", outputs, rows)
