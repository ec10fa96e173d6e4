"""Statements and their true edges: one function per kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from pipeline.chance import Chance
from pipeline.edge import QUERY, Edge
from pipeline.expressions import Expression, Scope, aggregate, computed, condition
from pipeline.flow import COUNTED, FILTER, JOIN, NOTHING, ROWS, WRITTEN, Flows, through, together
from pipeline.layout import laid_out
from pipeline.queries import query
from pipeline.tables import KEY, NUMBER, TEXT, Item, Query, Table


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement with holes for literals, its edges, the schema it needs as default, and the table that it defines."""

    template: str
    edges: frozenset[Edge] = frozenset()
    schema: str = ""
    defines: Table | None = None
    broken: bool = False


def _statement(chance: Chance, text: str, edges: Iterable[Edge] = (), defines: Table | None = None) -> Statement:
    """A statement in some layout; asks whether its names rely on the default schema, and forgets that."""
    schema = chance.default if chance.relied else ""
    chance.relied = False
    return Statement(laid_out(text, chance.rng), frozenset(edges), schema, defines)


def _edges(table: str, targets: Mapping[str, Flows]) -> Iterator[Edge]:
    for target, flows in targets.items():
        for (owner, column), how in flows:
            yield Edge(table, target, owner, column, how.type, how.subtype)


def _written(table: str, columns: Iterable[str], source: Query) -> Iterator[Edge]:
    """The edges of a query that is written into columns, by position."""
    targets = {name: each.flows for name, each in zip(columns, source.outputs, strict=True)}
    return _edges(table, targets | {ROWS: through(source.rows, WRITTEN)})


def create_table(chance: Chance, table: Table) -> Statement:
    """A table by its columns."""
    columns = ", ".join(f"{name} {type}" for name, type in table.columns)
    text = f"CREATE TABLE {chance.one(('', 'IF NOT EXISTS '))}{chance.written(table)} ({columns}) USING parquet"
    return _statement(chance, text, defines=table)


def create_as(chance: Chance, schema: str, view: bool, source: Query | None = None, name: str = "") -> Statement:
    """A table or a view from a query."""
    source = source or query(chance)
    table = Table(schema, name or chance.table_name(), source.columns, view)
    listed = ""
    if view and chance.likely(0.3):
        table = replace(table, columns=tuple((_marked(name), type) for name, type in table.columns))
        listed = f" ({', '.join(name for name, _ in table.columns)})"
    word = chance.one(
        ("CREATE OR REPLACE VIEW", "CREATE VIEW") if view else ("CREATE TABLE", "CREATE OR REPLACE TABLE")
    )
    using = "" if view or chance.likely(0.5) else " USING parquet"
    text = f"{word} {chance.written(table)}{listed}{using} AS {source.text}"
    return _statement(chance, text, _written(table.full_name, (c for c, _ in table.columns), source), table)


def _marked(name: str) -> str:
    """Another name for a column: with a mark behind it, or without if it has one."""
    return name.removesuffix("_x") if name.endswith("_x") else f"{name}_x"


def create_temporary(chance: Chance, name: str) -> Statement:
    """A temporary view from a query."""
    source = query(chance)
    table = Table("", name, source.columns, view=True)
    text = f"CREATE OR REPLACE {chance.one(('TEMPORARY', 'TEMP'))} VIEW {name} AS {source.text}"
    return _statement(chance, text, _written(table.full_name, (c for c, _ in table.columns), source), table)


def insert(chance: Chance, table: Table) -> Statement:
    """An INSERT into a table that exists, with or without a column list."""
    columns = list(table.columns)
    listed = chance.likely(0.4)
    if listed:
        columns = chance.some(columns, 2, len(columns))
        chance.rng.shuffle(columns)
    source = query(chance, [type for _, type in columns])
    names = [name for name, _ in columns]
    word = chance.one(("INSERT INTO", "INSERT INTO TABLE", "INSERT OVERWRITE TABLE"))
    into = f"{chance.written(table)} ({', '.join(names)})" if listed else chance.written(table)
    return _statement(chance, f"{word} {into} {source.text}", _written(table.full_name, names, source))


def show(chance: Chance) -> Statement:
    """A query that writes nothing."""
    source = query(chance)
    targets = {each.name: each.flows for each in source.outputs} | {ROWS: source.rows}
    return _statement(chance, source.text, _edges(QUERY, targets))


def star_of(name: str, table: Table) -> Statement:
    """A star over a name that each schema has a table of."""
    targets = {each.name: each.flows for each in table.fields}
    targets[ROWS] = Item.of(table, name).rows
    return Statement(f"SELECT * FROM {name}", frozenset(_edges(QUERY, targets)), table.schema)


def delete(chance: Chance, table: Table) -> Statement:
    """A DELETE with a condition."""
    test = condition(Scope(chance, (Item.of(table, table.name),)))
    edges = _edges(table.full_name, {ROWS: through(test.flows, FILTER)})
    return _statement(chance, f"DELETE FROM {chance.written(table)} WHERE {test.text}", edges)


def update(chance: Chance, table: Table) -> Statement:
    """An UPDATE from the table's own columns, from a subquery, or from another table."""
    form = chance.one((_update_own, _update_lookup, _update_from))
    text, targets = form(chance, table, Item.of(table, "t"))
    return _statement(chance, f"UPDATE {chance.written(table)} AS t SET {text}", _edges(table.full_name, targets))


def _update_own(chance: Chance, table: Table, item: Item) -> tuple[str, dict[str, Flows]]:
    scope = Scope(chance, (item,))
    assigned = _assigned(scope, table, 1, 3)
    test = condition(scope)
    return f"{_set(assigned)} WHERE {test.text}", _influenced(assigned, through(test.flows, FILTER))


def _update_lookup(chance: Chance, table: Table, item: Item) -> tuple[str, dict[str, Flows]]:
    """The value is a correlated aggregate; which rows change is a list of keys."""
    other = Item.of(chance.table(), "s")
    text = chance.written(chance.tables[chance.reads[-1]])
    mine, theirs = chance.one(item.columns), chance.one(other.columns)
    value = aggregate(Scope(chance, (other,), qualified=True), through(other.rows, COUNTED))
    inner = through(other.rows | mine.flows | theirs.flows, FILTER)
    name = chance.one(table.of_type(NUMBER) or table.of_type(KEY) or [table.columns[0][0]])
    of = f"(SELECT {value.text} FROM {text} AS s WHERE s.{theirs.name} = t.{mine.name})"
    where = f"t.{mine.name} IN (SELECT s.{theirs.name} FROM {text} AS s)"
    return f"{name} = {of} WHERE {where}", {name: value.flows | inner}


def _update_from(chance: Chance, table: Table, item: Item) -> tuple[str, dict[str, Flows]]:
    """Values of another table, matched in WHERE."""
    other = Item.of(chance.table(), "s")
    text = chance.written(chance.tables[chance.reads[-1]])
    assigned = _assigned(Scope(chance, (other, item)), table, 1, 3)
    mine, theirs = chance.one(item.columns), chance.one(other.columns)
    influence = through(mine.flows | theirs.flows, FILTER) | through(other.rows, WRITTEN)
    where = f"t.{mine.name} = s.{theirs.name}"
    return f"{_set(assigned)} FROM {text} AS s WHERE {where}", _influenced(assigned, influence)


Assigned = list[tuple[str, Expression]]


def _assigned(scope: Scope, table: Table, low: int, high: int) -> Assigned:
    """Some columns of a table, each with an expression for it."""
    columns = scope.chance.some(table.columns, low, high)
    return [(name, computed(scope) if scope.chance.likely(0.4) else scope.any(type)) for name, type in columns]


def _set(assigned: Assigned) -> str:
    return ", ".join(f"{name} = {value.text}" for name, value in assigned)


def _influenced(assigned: Assigned, influence: Flows) -> dict[str, Flows]:
    return {name: value.flows | influence for name, value in assigned}


def merge(chance: Chance, table: Table) -> Statement:
    """A MERGE with an update branch and an insert branch, and now and then a delete branch."""
    target, (text, source) = Item.of(table, "t"), _merged(chance)
    mine, theirs = chance.one(target.of_type(KEY) or target.columns), chance.one(source.of_type(KEY) or source.columns)
    always = through(mine.flows | theirs.flows, JOIN) | through(source.rows, WRITTEN)
    parts, writes, rows = [], list[dict[str, Flows]](), NOTHING
    if chance.likely(0.2):
        extra, influence = _and(chance, (source,), likely=1.0)
        parts.append(f"WHEN MATCHED{extra} THEN DELETE")
        rows |= always | influence
    extra, influence = _and(chance, (target, source), likely=0.4)
    assigned = _assigned(Scope(chance, (source, target), qualified=True), table, 1, 4)
    parts.append(f"WHEN MATCHED{extra} THEN UPDATE SET {_set(assigned)}")
    writes.append(_influenced(assigned, always | influence))
    extra, influence = _and(chance, (source,), likely=0.3)
    assigned = _assigned(Scope(chance, (source,), qualified=True), table, 2, 8)
    values = ", ".join(value.text for _, value in assigned)
    parts.append(f"WHEN NOT MATCHED{extra} THEN INSERT ({', '.join(n for n, _ in assigned)}) VALUES ({values})")
    writes.append(_influenced(assigned, always | influence))
    writes.append({ROWS: rows | always | influence})
    on = f"t.{mine.name} = s.{theirs.name}"
    text = f"MERGE INTO {chance.written(table)} AS t USING {text} AS s ON {on} {' '.join(parts)}"
    return _statement(chance, text, _edges(table.full_name, _all(writes)))


def _merged(chance: Chance) -> tuple[str, Item]:
    """What MERGE reads: a table or a query."""
    if chance.likely(0.6):
        table = chance.table()
        return chance.written(table), Item.of(table, "s")
    source = query(chance)
    return f"({source.text})", source.item("s")


def _and(chance: Chance, items: tuple[Item, ...], likely: float) -> tuple[str, Flows]:
    """A branch's own condition."""
    if not chance.likely(likely):
        return "", NOTHING
    test = condition(Scope(chance, items, qualified=True))
    return f" AND {test.text}", through(test.flows, FILTER)


def _all(writes: list[dict[str, Flows]]) -> dict[str, Flows]:
    """The flows of all branches into each column."""
    return {name: together(each.get(name, NOTHING) for each in writes) for each in writes for name in each}


def broken(chance: Chance) -> Statement:
    """A statement that no Spark reads: cut off, misspelt, or with a hole in it."""
    table = chance.table()
    name, columns = f"{table.schema}.{table.name}", ", ".join(c for c, _ in chance.some(table.columns, 2, 4))
    number = chance.number()
    text = chance.one(
        (
            f"SELCT {columns} FROM {name} LIMIT {number}",
            f"INSERT INTO {name} SELECT {columns}, {number} FROM",
            f"CREATE TABEL {name}_{number} AS SELECT {columns} FROM {name}",
            f"SELECT {columns}, (1 + FROM {name} WHERE id = {number}",
            f"MERGE INTO {name} AS t USING {name} AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET id = {number} +",
            f"CREATE VIEW {name}_v{number} AS SELECT {columns} FROM {name} WHERE",
        )
    )
    return Statement(laid_out(text, chance.rng), broken=True)


def raw_table(chance: Chance, schema: str, width: int) -> Table:
    """A table of a source system: a key, a time, a number, a text, and more of these."""
    columns: list[tuple[str, str]] = []
    for type in (KEY, "timestamp", NUMBER, TEXT, *(chance.one((KEY, NUMBER, TEXT, "boolean")) for _ in range(width))):
        columns.append((chance.column_name(type, [name for name, _ in columns]), type))
    return Table(schema, chance.table_name(), tuple(columns))
