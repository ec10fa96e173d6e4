"""Random valid queries over a small fixed schema, as trees that can be written down in several ways.

`statements()` is a Hypothesis strategy of trees; `tokens(tree, style)` gives a tree's words in a style, and `text` joins them.
What may change without changing the meaning is not in the tree but in the style: how aliases, CTEs and inner columns are called,
whether a CTE is named or written where it is used, whether columns are qualified, whether keys are spelled out. Names that a style
may choose are `Name`s; names of tables, of their columns and of the statement's outputs are plain strings.

All columns are integers, texts or truths, and DuckDB accepts every query (see `test_properties.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, TypeVar

from hypothesis import assume
from hypothesis import strategies as st

T = TypeVar("T")
Schema = dict[str, dict[str, str]]

INT, TEXT, BOOL = "int", "text", "bool"
TYPES = (INT, TEXT, BOOL)
SCHEMA: Schema = {
    "t": {"id": INT, "a": INT, "b": INT, "s": TEXT},
    "u": {"id": INT, "k": INT, "c": INT, "w": TEXT},
    "v": {"id": INT, "k": INT, "d": INT},
}
ALIAS, CTE, COLUMN = "x", "q", "c"
"""What a `Name` is for; the default style begins it with this letter."""


@dataclass(frozen=True)
class Name:
    """A name that a style may choose. A `table` that goes without an alias is called by its own name."""

    kind: str
    number: int
    table: str | None = None


Columns = tuple[tuple[str | Name, str], ...]
"""Names and types."""


@dataclass(frozen=True)
class Column:
    """A reference to a column of a FROM item; without an item it is one that USING merged. `bare`: unambiguous without qualifier."""

    item: Name | None
    name: str | Name
    type: str
    bare: bool = False


@dataclass(frozen=True)
class Node:
    """An expression: words and subtrees in the order in which they are written."""

    parts: tuple[Any, ...]
    type: str


Expression = Column | Node


@dataclass(frozen=True)
class Output:
    """An expression of a select list under a name."""

    expression: Expression
    name: str | Name

    @property
    def columns(self) -> Columns:
        return ((self.name, self.expression.type),)

    @property
    def aliased(self) -> bool:
        return not (isinstance(self.expression, Column) and self.expression.name == self.name)


@dataclass(frozen=True)
class Star:
    """`*`, or `x.*`, with the columns it stands for after EXCLUDE and REPLACE."""

    item: Name | None
    columns: Columns
    exclude: tuple[str | Name, ...] = ()
    replace: tuple[Output, ...] = ()


@dataclass(frozen=True)
class Cte:
    """A query with a name. A recursive one cannot be written where it is used; what it reads of itself has the anchor as its query."""

    name: Name
    query: Query
    recursive: bool = False


@dataclass(frozen=True)
class Values:
    """Rows of literals."""

    columns: Columns
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Item:
    """What stands in FROM: a table, a CTE, a derived table or values, with the way it is joined to what stands before it.

    A NATURAL join has its `using` as well, but does not write it.
    """

    alias: Name
    source: str | Cte | Query | Values
    columns: Columns
    join: str = ""
    on: Node | None = None
    using: tuple[str | Name, ...] = ()

    @property
    def hidden(self) -> bool:
        """Whether nobody sees its columns."""
        return self.join in _HIDING


@dataclass(frozen=True)
class SortKey:
    """An expression, or the output of that index."""

    expression: Expression | int
    descending: bool


@dataclass(frozen=True)
class Tail:
    """ORDER BY and LIMIT."""

    keys: tuple[SortKey, ...] = ()
    limit: int | None = None


@dataclass(frozen=True)
class Select:
    outputs: tuple[Output | Star, ...]
    items: tuple[Item, ...] = ()
    where: Expression | None = None
    keys: tuple[Expression, ...] = ()
    rollup: bool = False
    having: Expression | None = None
    qualify: Node | None = None
    distinct: bool = False
    distinct_on: tuple[Expression, ...] = ()
    tail: Tail = Tail()
    ctes: tuple[Cte, ...] = ()

    @property
    def columns(self) -> Columns:
        return tuple(c for output in self.outputs for c in output.columns)


@dataclass(frozen=True)
class SetOperation:
    operator: str
    left: Query
    right: Query
    tail: Tail = Tail()
    ctes: tuple[Cte, ...] = ()

    @property
    def columns(self) -> Columns:
        return self.left.columns


Query = Select | SetOperation

SELECT, INSERT, INSERT_COLUMNS, CREATE_TABLE, CREATE_VIEW = "select", "insert", "insert columns", "table", "view"
KINDS = (SELECT, INSERT, INSERT_COLUMNS, CREATE_TABLE, CREATE_VIEW)


@dataclass(frozen=True)
class Statement:
    """A query, and what is done with its rows. Shown as SQL, so that a failing example can be read."""

    kind: str
    query: Query
    target: str = "made"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(text(self)))


# Writing a tree down


def plain(name: Name) -> str:
    """The default spelling."""
    return name.table or f"{name.kind}{name.number}"


@dataclass(frozen=True)
class Style:
    """How a tree is written; none of it may change the lineage."""

    spell: Callable[[Name], str] = plain
    inline: bool = False
    """CTEs are written where they are used, as derived tables."""
    qualify: bool = False
    """Every column has its qualifier."""
    keys: str = "expression"
    """How GROUP BY and ORDER BY name an output: `expression`, `ordinal` or `alias`."""
    wrap: bool = False
    """The whole query stands in `SELECT * FROM (…) AS w`."""
    lists: bool = False
    """The columns of CTEs and derived tables are named once more, in a list after the alias."""
    distinct: bool = False
    """UNION is written UNION DISTINCT, as BigQuery wants it."""

    def name(self, name: str | Name) -> str:
        return name if isinstance(name, str) else self.spell(name)


PLAIN = Style()


def text(statement: Statement, style: Style = PLAIN) -> str:
    """A statement on one line."""
    return " ".join(tokens(statement, style))


def output_names(statement: Statement, style: Style = PLAIN) -> list[str]:
    """The names of the statement's outputs, in order."""
    return [style.name(name) for name, _ in statement.query.columns]


def tokens(statement: Statement, style: Style = PLAIN) -> list[str]:
    """The words of a statement."""
    words = [*_query(statement.query, style)]
    if style.wrap:
        words = ["SELECT", "*", "FROM", "(", *words, ")", "AS", "w"]
    before = {
        SELECT: [],
        INSERT: ["INSERT", "INTO", statement.target],
        INSERT_COLUMNS: ["INSERT", "INTO", statement.target, *_names(statement.query.columns, style)],
        CREATE_TABLE: ["CREATE", "TABLE", statement.target, "AS"],
        CREATE_VIEW: ["CREATE", "VIEW", statement.target, "AS"],
    }
    return [*before[statement.kind], *words]


def _commas(parts: Sequence[Sequence[str]]) -> Iterator[str]:
    for i, part in enumerate(parts):
        if i:
            yield ","
        yield from part


def _query(query: Query, style: Style) -> Iterator[str]:
    ctes = [cte for cte in query.ctes if cte.recursive or not style.inline]
    if ctes:
        yield "WITH"
        if any(cte.recursive for cte in ctes):
            yield "RECURSIVE"
        yield from _commas([[*_cte(cte, style)] for cte in ctes])
    yield from _select(query, style) if isinstance(query, Select) else _set_operation(query, style)
    yield from _tail(query, style)


def _cte(cte: Cte, style: Style) -> Iterator[str]:
    yield style.spell(cte.name)
    if style.lists:
        yield from _names(cte.query.columns, style)
    yield from ("AS", "(", *_query(cte.query, style), ")")


def _names(columns: Columns, style: Style) -> Iterator[str]:
    yield from ("(", *_commas([[style.name(name)] for name, _ in columns]), ")")


def _set_operation(query: SetOperation, style: Style) -> Iterator[str]:
    yield from _operand(query.left, style)
    yield from query.operator.split()
    if style.distinct and query.operator != "UNION ALL":
        yield "DISTINCT"
    yield from _operand(query.right, style)


def _operand(query: Query, style: Style) -> Iterator[str]:
    """An operand in parentheses, unless it is a plain SELECT."""
    if isinstance(query, Select) and not query.ctes and query.tail == Tail():
        yield from _query(query, style)
    else:
        yield from ("(", *_query(query, style), ")")


def _select(query: Select, style: Style) -> Iterator[str]:
    yield "SELECT"
    if query.distinct:
        yield "DISTINCT"
    if query.distinct_on:
        yield from ("DISTINCT", "ON", "(", *_commas([[*_expression(e, style)] for e in query.distinct_on]), ")")
    yield from _commas([[*_output(output, style)] for output in query.outputs])
    for item in query.items:
        yield from _item(item, style)
    if query.where is not None:
        yield from ("WHERE", *_expression(query.where, style))
    if query.rollup:
        yield from ("GROUP", "BY", "ROLLUP", "(", *_commas([[*_expression(key, style)] for key in query.keys]), ")")
    elif query.keys:
        yield from ("GROUP", "BY", *_commas([[*_group_key(query, key, style)] for key in query.keys]))
    if query.having is not None:
        yield from ("HAVING", *_expression(query.having, style))
    if query.qualify is not None:
        yield from ("QUALIFY", *_expression(query.qualify, style))


def _output(output: Output | Star, style: Style) -> Iterator[str]:
    if isinstance(output, Star):
        yield from ("*",) if output.item is None else (style.spell(output.item), ".", "*")
        if output.exclude:
            yield from ("EXCLUDE", "(", *_commas([[style.name(name)] for name in output.exclude]), ")")
        if output.replace:
            yield from ("REPLACE", "(", *_commas([[*_replacement(each, style)] for each in output.replace]), ")")
        return
    yield from _expression(output.expression, style)
    if output.aliased:
        yield from ("AS", style.name(output.name))


def _replacement(output: Output, style: Style) -> Iterator[str]:
    yield from (*_expression(output.expression, style), "AS", style.name(output.name))


def _item(item: Item, style: Style) -> Iterator[str]:
    yield from item.join.split() or ("FROM",)
    alias = style.spell(item.alias)
    if isinstance(item.source, str):
        name = [item.source]
    elif isinstance(item.source, Values):
        name = ["(", "VALUES", *_commas([["(", *_commas([[v] for v in row]), ")"] for row in item.source.rows]), ")"]
    elif isinstance(item.source, Cte) and (item.source.recursive or not style.inline):
        name = [style.spell(item.source.name)]
    else:
        query = item.source.query if isinstance(item.source, Cte) else item.source
        name = ["(", *_query(query, style), ")"]
    yield from name
    if name != [alias]:
        yield from ("AS", alias)
    if isinstance(item.source, Values) or (style.lists and name[0] == "("):
        yield from _names(item.columns, style)
    if item.on is not None:
        yield from ("ON", *_expression(item.on, style))
    if item.using and not item.join.startswith("NATURAL"):
        yield from ("USING", "(", *_commas([[style.name(name)] for name in item.using]), ")")


def _expression(part: Any, style: Style) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, Column):
        if part.item is not None and (style.qualify or not part.bare):
            yield from (style.spell(part.item), ".")
        yield style.name(part.name)
    elif isinstance(part, Node):
        for each in part.parts:
            yield from _expression(each, style)
    else:
        yield from _query(part, style)


def _group_key(query: Select, key: Expression, style: Style) -> Iterator[str]:
    for output in query.outputs:
        if isinstance(output, Output) and output.expression is key and output.aliased and style.keys != "expression":
            yield _short(query, output.name, style)
            return
    yield from _expression(key, style)


def _tail(query: Query, style: Style) -> Iterator[str]:
    if query.tail.keys:
        yield from ("ORDER", "BY", *_commas([[*_sort_key(query, key, style)] for key in query.tail.keys]))
    if query.tail.limit is not None:
        yield from ("LIMIT", str(query.tail.limit))


def _sort_key(query: Query, key: SortKey, style: Style) -> Iterator[str]:
    if isinstance(key.expression, int):
        yield _short(query, query.columns[key.expression][0], style)
    else:
        yield from _expression(key.expression, style)
    if key.descending:
        yield "DESC"


def _short(query: Query, name: str | Name, style: Style) -> str:
    """An output by its number or by its name."""
    if style.keys == "alias":
        return style.name(name)
    return str([n for n, _ in query.columns].index(name) + 1)


# Making a tree

QUALIFY, SEMI, NATURAL, LATERAL_ALIAS, LATERAL = "qualify", "semi", "natural", "lateral alias", "lateral"
DISTINCT_ON, EXCLUDE, VALUES, ANY, FILTER = "distinct on", "exclude", "values", "any", "filter"
MERGED_IN_PLACE = "merged in place"
FEATURES: dict[str, frozenset[str]] = {
    "spark": frozenset({SEMI, NATURAL, LATERAL_ALIAS, LATERAL, VALUES, FILTER}),
    "postgres": frozenset({NATURAL, LATERAL, DISTINCT_ON, VALUES, ANY, FILTER}),
    "duckdb": frozenset(
        {QUALIFY, SEMI, NATURAL, LATERAL_ALIAS, LATERAL, DISTINCT_ON, EXCLUDE, VALUES, ANY, FILTER, MERGED_IN_PLACE},
    ),
    "snowflake": frozenset({QUALIFY, NATURAL, LATERAL_ALIAS, LATERAL, EXCLUDE, VALUES, ANY}),
    "bigquery": frozenset({QUALIFY}),
}
"""What the dialects have beyond what they share."""


@dataclass(frozen=True)
class Reach:
    """What a query may use from outside: CTEs, and the columns of the queries around it."""

    ctes: tuple[Cte, ...] = ()
    outer: tuple[Column, ...] = ()


@dataclass(frozen=True)
class Pool:
    """What an expression is made from: atoms, and what subqueries inside it may use and how deep they are. No reach: no subqueries.

    A `correlated` one has atoms of a query around it.
    """

    atoms: tuple[Expression, ...]
    reach: Reach | None = None
    depth: int = 0
    correlated: bool = False

    def of(self, type: str) -> list[Expression]:
        return [a for a in self.atoms if a.type == type]


_LITERALS = {INT: ("0", "1", "7"), TEXT: ("'x'", "'y'"), BOOL: ("TRUE",)}
_JOINS = ("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "INNER JOIN")
_HIDING = ("SEMI JOIN", "ANTI JOIN")
_CROSS = ("CROSS JOIN", ",")
_SET_OPERATORS = ("UNION ALL", "UNION ALL", "UNION", "EXCEPT", "INTERSECT")


@dataclass
class _Maker:
    """Makes the parts of a tree. `repeatable` trees give the same rows at each run: no LIMIT, no order among equals."""

    draw: Callable[[st.SearchStrategy[Any]], Any]
    schema: Schema
    features: frozenset[str]
    repeatable: bool
    numbers: Iterator[int]

    def pick(self, options: Sequence[T]) -> T:
        return self.draw(st.sampled_from(options))  # type: ignore[no-any-return]

    def upto(self, most: int, least: int = 0) -> int:
        return self.draw(st.integers(least, most))  # type: ignore[no-any-return]

    def one_in(self, n: int, feature: str | None = None) -> bool:
        """True now and then, if there is that feature; shrinks to False."""
        return (feature is None or feature in self.features) and self.upto(n - 1) == n - 1

    def name(self, kind: str, table: str | None = None) -> Name:
        return Name(kind, next(self.numbers), table)

    # Queries

    def query(self, depth: int, reach: Reach, types: tuple[str, ...] | None = None, top: bool = False) -> Query:
        """A query; of these column types, if any are given. The outputs of the topmost have names for good."""
        ctes: tuple[Cte, ...] = ()
        if depth and self.one_in(3):
            for _ in range(self.upto(2, 1)):
                ctes += (self.cte(depth - 1, Reach((*reach.ctes, *ctes))),)
        within = replace(reach, ctes=(*reach.ctes, *ctes))
        if depth and self.one_in(4):
            left = self.query(depth - 1, within, types, top)
            right = self.query(depth - 1, within, tuple(t for _, t in left.columns))
            query: Query = SetOperation(self.pick(_SET_OPERATORS), left, right)
        else:
            query = self.select(depth, within, types, top)
        return replace(query, ctes=ctes, tail=self.tail(query))

    def cte(self, depth: int, reach: Reach) -> Cte:
        name = self.name(CTE)
        if not self.one_in(5):
            return Cte(name, self.query(depth, reach))
        anchor = self.select(0, reach, (INT, *(self.pick(TYPES) for _ in range(self.upto(2)))), False)
        step = self.step(Cte(name, anchor, recursive=True), reach)
        return Cte(name, SetOperation(self.pick(("UNION ALL", "UNION")), anchor, step), recursive=True)

    def step(self, cte: Cte, reach: Reach) -> Select:
        """The recursive branch: it counts its first column up, and stops after a few rounds."""
        items: tuple[Item, ...] = (Item(self.name(ALIAS), cte, cte.query.columns),)
        if self.one_in(2):
            items += (self.joined(self.item(0, reach, items), items, ("JOIN",)),)
        counter = Column(items[0].alias, cte.query.columns[0][0], INT)
        types = tuple(t for _, t in cte.query.columns[1:])
        outputs = self.outputs(Pool(visible(items)), types, False) if types else ()
        first = Output(Node(("(", counter, "+", "1", ")"), INT), self.name(COLUMN))
        return Select((first, *outputs), items, Node((counter, "BETWEEN", "0", "AND", "2"), BOOL))

    def select(self, depth: int, reach: Reach, types: tuple[str, ...] | None, top: bool) -> Select:
        items = self.items(depth, reach)
        columns = visible(items)
        seen = (*columns, *around(reach.outer, columns))
        pool = Pool(seen, Reach(reach.ctes, seen) if depth else None, depth - 1, bool(reach.outer))
        where = self.expression(BOOL, pool, 2) if self.one_in(3) else None
        query = Select((), items, where)
        if items and self.one_in(3):
            return self.grouped(query, depth, columns, reach, types, top)
        stars = self.stars(items, columns) if types is None and items and self.one_in(4) else ()
        if items and self.one_in(4):
            pool = replace(pool, atoms=(*pool.atoms, self.window(columns), self.window(columns)))
            if self.one_in(3, QUALIFY):
                query = replace(query, qualify=Node(("(", pool.atoms[-1], "<", "3", ")"), BOOL))
        outputs = self.outputs(pool, types, top, stars)
        told = [replace(c, bare=False) for c in columns if c.item is not None]  # a bare name may be an output's
        if told and not self.repeatable and self.one_in(8, DISTINCT_ON):
            return replace(query, outputs=outputs, distinct_on=(self.pick(told),))
        return replace(query, outputs=outputs, distinct=self.one_in(5))

    def grouped(
        self,
        query: Select,
        depth: int,
        columns: tuple[Column, ...],
        reach: Reach,
        types: tuple[str, ...] | None,
        top: bool,
    ) -> Select:
        """Complete a SELECT with aggregates: its outputs are made from keys and aggregates only."""
        plain_columns = Pool(columns)
        keys = tuple(self.key(plain_columns) for _ in range(self.upto(2)))
        aggregates = tuple(self.aggregate(plain_columns) for _ in range(self.upto(2, 1)))
        pool = Pool((*keys, *aggregates), Reach(reach.ctes) if depth else None, depth - 1)
        having = self.expression(BOOL, pool, 1) if self.one_in(4) else None
        if self.one_in(4):
            pool = replace(pool, atoms=(*pool.atoms, self.window(pool.atoms)))
        rollup = bool(keys) and self.one_in(6)
        return replace(query, outputs=self.outputs(pool, types, top), keys=keys, rollup=rollup, having=having)

    def tail(self, query: Query) -> Tail:
        if not self.one_in(4):
            return Tail()
        seen = visible(query.items) if isinstance(query, Select) and _orders_freely(query) else ()
        columns = [replace(c, bare=False) for c in seen if c.item is not None]  # a bare name may be an output's
        keys = [SortKey(e, False) for e in query.distinct_on] if isinstance(query, Select) else []
        for _ in range(self.upto(2)):
            free = columns and self.one_in(2)
            keys.append(SortKey(self.pick(columns) if free else self.upto(len(query.columns) - 1), self.one_in(2)))
        return Tail(tuple(keys), None if self.repeatable else self.pick((None, 1, 10)))

    # FROM

    def items(self, depth: int, reach: Reach) -> tuple[Item, ...]:
        if depth and self.one_in(12):
            return ()
        items: tuple[Item, ...] = ()
        for i in range(self.upto(2, 0) + 1):
            if i and depth and self.one_in(6, LATERAL):
                items += (self.lateral(depth, reach, items),)
            else:
                item = self.item(depth, reach, items)
                items += (self.joined(item, items) if i else item,)
        return items

    def item(self, depth: int, reach: Reach, before: tuple[Item, ...]) -> Item:
        kind = self.pick(("table", "table", "derived", "cte") if depth else ("table", "cte"))
        if kind == "derived":
            query = self.query(depth - 1, Reach(reach.ctes))
            return Item(self.name(ALIAS), query, query.columns)
        if kind == "cte" and reach.ctes:
            cte = self.pick(reach.ctes)
            used = {i.alias for i in before} | {c.item for c in reach.outer}
            alias = cte.name if cte.name not in used and self.one_in(2) else self.name(ALIAS)
            return Item(alias, cte, cte.query.columns)
        if self.one_in(10, VALUES):
            return self.values()
        table = self.pick(tuple(self.schema))
        taken = {i.alias.table for i in before} | {c.item.table for c in reach.outer if c.item is not None}
        bare = table not in taken and self.one_in(2)
        return Item(self.name(ALIAS, table if bare else None), table, tuple(self.schema[table].items()))

    def values(self) -> Item:
        columns = tuple((self.name(COLUMN), self.pick((INT, TEXT))) for _ in range(self.upto(2, 1)))
        rows = tuple(tuple(self.pick(_LITERALS[t]) for _, t in columns) for _ in range(self.upto(2, 1)))
        return Item(self.name(ALIAS), Values(columns, rows), columns)

    def lateral(self, depth: int, reach: Reach, before: tuple[Item, ...]) -> Item:
        """A derived table that sees what stands before it."""
        query = self.query(depth - 1, Reach(reach.ctes, visible(before)))
        return Item(self.name(ALIAS), query, query.columns, self.pick(_CROSS) + " LATERAL")

    def joined(self, item: Item, before: tuple[Item, ...], joins: tuple[str, ...] = _JOINS) -> Item:
        """The item with a way to join it; one that would leave a merged column and a namesake side by side is not made."""
        found = self._joined(item, before, joins)
        merged = {name for i in before for name in i.using}
        assume(not (merged - set(found.using)) & {name for name, _ in item.columns})
        return found

    def _joined(self, item: Item, before: tuple[Item, ...], joins: tuple[str, ...]) -> Item:
        if any(i.join.startswith(_CROSS) for i in before) or self.one_in(5):
            return replace(item, join=self.pick(_CROSS))
        common = _common(before, item)
        if common and self.one_in(4, NATURAL) and _natural(before, item):
            return replace(item, join=f"NATURAL {self.pick(joins)}", using=tuple(common))
        join = self.pick(_HIDING) if self.one_in(6, SEMI) else self.pick(joins)
        if common and self.one_in(3):
            return replace(item, join=join, using=(self.pick(common),))
        left = [c for c in visible(before) if c.item is not None]
        right = [Column(item.alias, name, type) for name, type in item.columns]
        pairs = [(a, b) for a in left for b in right if a.type == b.type]
        if not pairs:
            return replace(item, join="CROSS JOIN")
        tests = [(replace(a, bare=False), "=", b) for a, b in (self.pick(pairs) for _ in range(self.upto(1) + 1))]
        return replace(item, join=join, on=Node(tests[0] if len(tests) == 1 else (*tests[0], "AND", *tests[1]), BOOL))

    # Select lists

    def stars(self, items: tuple[Item, ...], columns: tuple[Column, ...]) -> tuple[Star, ...]:
        """A star whose columns have different names, if there is one."""
        merged = {name for i in items for name in i.using}
        own = [i for i in items if not i.hidden and _different(i.columns) and _merged_first(i.columns, merged)]
        found = [Star(i.alias, i.columns) for i in own]
        everything = starred(items, MERGED_IN_PLACE in self.features)
        if _different(everything):
            found.append(Star(None, everything))
        if not found:
            return ()
        star = self.pick(found)
        if len(star.columns) == 1 or not self.one_in(3, EXCLUDE):
            return (star,)
        (excluded, _), *rest = star.columns
        name, type = self.pick(rest)
        replaced = (Output(self.expression(type, Pool(columns), 1), name),) if self.one_in(2) else ()
        return (Star(star.item, tuple(rest), (excluded,), replaced),)

    def outputs(
        self, pool: Pool, types: tuple[str, ...] | None, top: bool, stars: tuple[Star, ...] = ()
    ) -> tuple[Output | Star, ...]:
        used = {name for star in stars for name, _ in star.columns}
        outputs: list[Output | Star] = [*stars]
        if types is None:
            types = tuple(self.pick(TYPES[:2] * 2 + TYPES) for _ in range(self.upto(3, 0 if stars else 1)))
        for type in types:
            atoms = pool.of(type)
            made = self.pick(atoms) if atoms and self.one_in(2) else self.expression(type, pool, 2)
            name: str | Name = f"o{len(outputs) + 1}" if top else self.name(COLUMN)
            if isinstance(made, Column) and made.name not in used and self.one_in(2):
                name = made.name
            elif self.one_in(4, LATERAL_ALIAS) and not pool.correlated and not _asks(made):
                pool = replace(pool, atoms=(*pool.atoms, Column(None, name, type)))
            used.add(name)
            outputs.append(Output(made, name))
        return tuple(outputs)

    # Expressions

    def key(self, pool: Pool) -> Expression:
        """A grouping key: a column, or an expression with one."""
        column = self.pick(pool.atoms)
        if column.type != INT or not self.one_in(3):
            return column
        return Node(("(", column, "+", self.expression(INT, pool, 0), ")"), INT)

    def aggregate(self, pool: Pool) -> Node:
        texts = pool.of(TEXT)
        argument = self.expression(INT, pool, 1)
        kind = self.upto(6)
        if kind == 0 or (kind == 1 and not texts):
            return Node(("count", "(", "*", ")"), INT)
        if kind == 1:
            return Node((self.pick(("min", "max")), "(", self.pick(texts), ")"), TEXT)
        if kind == 2:
            return Node(("count", "(", "DISTINCT", argument, ")"), INT)
        call: tuple[Any, ...] = (self.pick(("sum", "min", "max", "count")), "(", argument, ")")
        if kind == 3 and FILTER in self.features:
            call = (*call, "FILTER", "(", "WHERE", self.expression(BOOL, pool, 1), ")")
        return Node(call, INT)

    def window(self, atoms: Sequence[Expression]) -> Node:
        value = self.expression(INT, Pool(tuple(atoms)), 1)
        calls: tuple[tuple[Any, ...], ...] = (("sum", "(", value, ")"), ("count", "(", "*", ")"))
        ranked: tuple[tuple[Any, ...], ...] = (("rank", "(", ")"),)
        if not self.repeatable:
            ranked = (("row_number", "(", ")"), ("lag", "(", value, ")"), *ranked)
        order = ("ORDER", "BY", self.pick(atoms)) if self.one_in(2) else ()
        parts = ("PARTITION", "BY", self.pick(atoms)) if self.one_in(2) else ()
        return Node((*self.pick((*calls, *ranked) if order else calls), "OVER", "(", *parts, *order, ")"), INT)

    def expression(self, type: str, pool: Pool, depth: int) -> Expression:
        if depth == 0 or self.one_in(3):
            return self.atom(type, pool)
        return {INT: self.integer, TEXT: self.words, BOOL: self.truth}[type](pool, depth - 1)

    def atom(self, type: str, pool: Pool) -> Expression:
        atoms = pool.of(type)
        if atoms and not self.one_in(5):
            return self.pick(atoms)
        if type == BOOL:
            return self.comparison(pool, 0)
        return Node((self.pick(_LITERALS[type]),), type)

    def integer(self, pool: Pool, depth: int) -> Expression:
        kind = self.upto(7 if pool.reach else 6)
        if kind == 7:
            return self.scalar(INT, pool)
        one, other = self.expression(INT, pool, depth), self.expression(INT, pool, depth)
        if kind == 6:
            return Node(("CASE", "WHEN", self.expression(BOOL, pool, depth), "THEN", one, "ELSE", other, "END"), INT)
        if kind == 5:
            return Node(("length", "(", self.expression(TEXT, pool, depth), ")"), INT)
        parts: tuple[tuple[Any, ...], ...] = (
            ("(", one, self.pick(("+", "-", "*")), other, ")"),
            ("coalesce", "(", one, ",", other, ")"),
            ("abs", "(", one, ")"),
            ("nullif", "(", one, ",", other, ")"),
            ("CAST", "(", one, "AS", "INT", ")"),
        )
        return Node(parts[kind], INT)

    def words(self, pool: Pool, depth: int) -> Expression:
        kind = self.upto(5 if pool.reach else 4)
        if kind == 5:
            return self.scalar(TEXT, pool)
        one, other = self.expression(TEXT, pool, depth), self.expression(TEXT, pool, depth)
        parts: tuple[tuple[Any, ...], ...] = (
            ("upper", "(", one, ")"),
            ("(", one, "||", other, ")"),
            ("md5", "(", one, ")"),
            ("coalesce", "(", one, ",", other, ")"),
            ("CASE", one, "WHEN", other, "THEN", one, "ELSE", other, "END"),
        )
        return Node(parts[kind], TEXT)

    def truth(self, pool: Pool, depth: int) -> Expression:
        kind = self.upto(6 if pool.reach else 4)
        if kind == 0:
            return self.comparison(pool, depth)
        if kind < 3:
            one, other = self.expression(BOOL, pool, depth), self.expression(BOOL, pool, depth)
            return Node(("(", one, ("AND", "OR")[kind - 1], other, ")"), BOOL)
        if kind == 3:
            return Node(("(", "NOT", self.expression(BOOL, pool, depth), ")"), BOOL)
        value = self.expression(INT, pool, depth)
        if kind == 4:
            return Node(("(", value, "IN", "(", "1", ",", "2", ")", ")"), BOOL)
        assert pool.reach is not None
        if kind == 5:
            return Node(("(", "EXISTS", "(", self.query(pool.depth, pool.reach), ")", ")"), BOOL)
        compared = (">=", "ANY") if self.one_in(3, ANY) else ("IN",)
        return Node(("(", value, *compared, "(", self.query(pool.depth, pool.reach, (INT,)), ")", ")"), BOOL)

    def comparison(self, pool: Pool, depth: int) -> Node:
        kind = self.upto(3)
        type = TEXT if kind == 0 else INT
        one, other = self.expression(type, pool, depth), self.expression(type, pool, depth)
        parts: tuple[tuple[Any, ...], ...] = (
            ("(", one, "=", other, ")"),
            ("(", one, self.pick(("<", ">=", "<>")), other, ")"),
            ("(", one, "IS", "NULL", ")"),
            ("(", one, "BETWEEN", "0", "AND", other, ")"),
        )
        return Node(parts[kind], BOOL)

    def scalar(self, type: str, pool: Pool) -> Node:
        """A subquery of one value: an aggregate, or the first row."""
        assert pool.reach is not None
        items = self.items(0, pool.reach)
        columns = visible(items)
        atoms = [c for c in columns if c.type == type]
        inside = Pool((*columns, *around(pool.reach.outer, columns)))
        where = self.expression(BOOL, inside, 1) if self.one_in(2) else None
        if atoms and (self.repeatable or self.one_in(2)):
            value: Expression = Node((self.pick(("min", "max")), "(", self.pick(atoms), ")"), type)
            query = Select((Output(value, self.name(COLUMN)),), items, where)
        elif self.repeatable:
            query = Select((Output(self.atom(type, Pool(pool.reach.outer)), self.name(COLUMN)),))
        else:
            value = self.expression(type, inside, 1)
            tail = Tail((SortKey(self.pick(columns), False),) if self.one_in(2) else (), 1)
            query = Select((Output(value, self.name(COLUMN)),), items, where, tail=tail)
        return Node(("(", query, ")"), type)


def visible(items: tuple[Item, ...]) -> tuple[Column, ...]:
    """The columns that a SELECT sees: merged ones, then each item's own."""
    seen = [i for i in items if not i.hidden]
    merged: dict[str | Name, None] = {}
    for item in seen:
        merged = dict.fromkeys([*item.using, *merged])
    columns = [Column(i.alias, name, type) for i in seen for name, type in i.columns if name not in merged]
    names = [c.name for c in columns]
    types = {name: type for i in seen for name, type in i.columns}
    return (
        *(Column(None, name, types[name]) for name in merged),
        *(replace(c, bare=names.count(c.name) == 1) for c in columns),
    )


def starred(items: tuple[Item, ...], in_place: bool) -> Columns:
    """The columns of `*`: those that USING merged stand first, or stay in the left side's place."""
    columns = {c.name: c.type for c in visible(items)}
    order = [name for i in items if not i.hidden for name, _ in i.columns]
    if not in_place:
        order = [*(name for i in reversed(items) for name in i.using), *order]
    unique = dict.fromkeys(order) if len(columns) == len(visible(items)) else order
    return tuple((name, columns[name]) for name in unique)


def around(outer: tuple[Column, ...], columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """The columns of the queries around one that sees *columns*: those of a name it has itself need their qualifier."""
    hidden = {c.name for c in columns}
    return tuple(
        replace(c, bare=c.bare and c.name not in hidden) for c in outer if c.item is not None or c.name not in hidden
    )


def _common(before: tuple[Item, ...], item: Item) -> list[str | Name]:
    """Names by which USING can join: once on each side, of one type."""
    left = [(c.name, c.type) for c in visible(before)]
    names, theirs = [name for name, _ in left], [name for name, _ in item.columns]
    return [
        name for name, type in left if (name, type) in item.columns and names.count(name) == theirs.count(name) == 1
    ]


def _natural(before: tuple[Item, ...], item: Item) -> bool:
    """Whether every name that both sides have is one by which they can be joined."""
    theirs = {name for name, _ in item.columns}
    shared = {c.name for c in visible(before) if c.name in theirs}
    return shared == set(_common(before, item))


def _merged_first(columns: Columns, merged: set[str | Name]) -> bool:
    """Whether `x.*` has one order everywhere: Spark lists the columns that USING merges before the others."""
    names = [name for name, _ in columns]
    return all(name not in merged for name in names[1:])


def _different(columns: Columns) -> bool:
    return len({name for name, _ in columns}) == len(columns)


def _orders_freely(query: Select) -> bool:
    """Whether a SELECT may be ordered by any column it sees: it has them all to the end."""
    return not (query.distinct or query.keys or query.having or any(_aggregates(o) for o in query.outputs))


def _aggregates(part: Any) -> bool:
    if isinstance(part, Output):
        return _aggregates(part.expression)
    if not isinstance(part, Node) or "OVER" in part.parts:
        return isinstance(part, Node) and any(_aggregates(each) for each in part.parts)
    return part.parts[0] in ("sum", "min", "max", "count") or any(_aggregates(each) for each in part.parts)


def _asks(part: Any) -> bool:
    """Whether there is a subquery in an expression: DuckDB reuses no alias of such, nor of correlated ones."""
    return isinstance(part, Query) or (isinstance(part, Node) and any(_asks(each) for each in part.parts))


@st.composite
def statements(
    draw: st.DrawFn,
    kinds: Sequence[str] = KINDS,
    dialect: str | None = None,
    schema: Schema = SCHEMA,
    depth: int = 2,
    target: str = "made",
    repeatable: bool = False,
    first_number: int = 1,
) -> Statement:
    """A statement of one of the kinds that reads tables of the schema; with what the dialect has, or what all have."""
    features = FEATURES.get(dialect or "", frozenset())
    maker = _Maker(draw, schema, features, repeatable, count(first_number))
    query = maker.query(depth, Reach(), top=True)
    return Statement(draw(st.sampled_from(kinds)), query, target)
