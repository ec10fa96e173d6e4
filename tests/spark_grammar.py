"""Random valid Spark statements: `statement(choices)` follows a grammar that knows which columns are in reach and of which type.

Everything hangs on a sequence of small numbers, the choices: `Choices(seed=7)` draws them by a seed, `Choices(drawn)` repeats them. What
a shorter or smaller sequence gives is, as a rule, a simpler statement of the same kind: that is how `shrunk` finds the smallest statement
with which something still happens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple, TypeVar

T = TypeVar("T")

INT, REAL, TEXT, BOOL, DAY = "int", "double", "string", "boolean", "date"
LIST, MAP, STRUCT, STRUCTS = "array<int>", "map<string,int>", "struct<x:int,y:string>", "array<struct<p:int,q:string>>"
SCALARS = (INT, TEXT, REAL, DAY)
SCHEMA = {
    "t": {
        "id": INT,
        "a": INT,
        "b": REAL,
        "s": TEXT,
        "d": DAY,
        "f": BOOL,
        "l": LIST,
        "r": STRUCT,
        "m": MAP,
        "ls": STRUCTS,
    },
    "u": {"id": INT, "k": INT, "c": INT, "w": TEXT, "day": DAY},
    "v": {"id": INT, "k": INT, "z": TEXT, "e": REAL, "n": LIST},
    "o": {"p": INT, "q": TEXT, "g": REAL},
}
READ = ("t", "u", "v")
DEPTH = 3


class Choices:
    """A sequence of small numbers, each drawn below a bound; past the end of a given sequence all are 0."""

    def __init__(self, given: Sequence[int] = (), seed: int | str | None = None) -> None:
        self.drawn: list[int] = []
        self._given = list(given)
        self._random = Random(seed) if seed is not None else None

    def below(self, bound: int) -> int:
        """A number from 0 to below a bound."""
        at = len(self.drawn)
        if self._random is not None:
            number = self._random.randrange(bound)
        else:
            number = min(self._given[at], bound - 1) if at < len(self._given) else 0
        self.drawn.append(number)
        return number

    def one(self, options: Sequence[T]) -> T:
        """One of some options; the first is the simplest."""
        return options[self.below(len(options))]

    def maybe(self, percent: int) -> bool:
        """True so many times in a hundred; 0 is False."""
        return self.below(100) >= 100 - percent


class Column(NamedTuple):
    """A column in reach: the FROM item that it can be qualified with (none for a merged one), its name and type."""

    item: str
    name: str
    type: str


class Query(NamedTuple):
    """The text of a query, and its columns."""

    text: str
    columns: list[tuple[str, str]]


@dataclass
class Scope:
    """What an expression may refer to: the columns of this select, and those of the selects around it."""

    columns: list[Column]
    outer: list[Column] = field(default_factory=list)
    aliases: list[tuple[str, str]] = field(default_factory=list)
    """Earlier outputs of the same select list."""

    def spelled(self, choices: Choices, column: Column) -> str:
        """A reference to a column, qualified where it has to be."""
        alone = sum(each.name == column.name for each in self.columns) == 1 and column in self.columns
        if not column.item or (alone and not choices.maybe(50)):
            return column.name
        return f"{column.item}.{column.name}"


class Grammar:
    """Makes one statement."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self._numbers: dict[str, int] = {}

    def name(self, letter: str) -> str:
        """A name that is used once."""
        self._numbers[letter] = self._numbers.get(letter, 0) + 1
        return f"{letter}{self._numbers[letter]}"

    # -- statements

    def statement(self) -> str:
        """A statement of any kind."""
        made: tuple[Callable[[], str], ...] = (
            self._plain,
            self._plain,
            self._plain,
            self._insert,
            self._create,
            self._change,
        )
        return self.choices.one(made)()

    def _plain(self) -> str:
        return self.query(DEPTH, [], {}).text

    def _insert(self) -> str:
        columns = [*SCHEMA["o"].items()]
        if self.choices.maybe(30):
            columns = columns[: 1 + self.choices.below(2)][::-1]
        query = self.query(DEPTH - 1, [], {}, [kind for _, kind in columns])
        listed = f" ({', '.join(name for name, _ in columns)})" if len(columns) < 3 or self.choices.maybe(50) else ""
        word = "OVERWRITE" if not listed and self.choices.maybe(20) else "INTO"
        return f"INSERT {word} o{listed} {query.text}"

    def _create(self) -> str:
        query = self.query(DEPTH - 1, [], {})
        names = [name for name, _ in query.columns]
        listed = ""
        head = self.choices.one(("CREATE TABLE made AS", "CREATE OR REPLACE VIEW made", "CREATE TEMPORARY VIEW made"))
        if "VIEW" in head:
            listed = f" ({', '.join(self.name('h') for _ in names)})" if self.choices.maybe(30) else ""
            head += listed + " AS"
        return f"{head} {query.text}"

    def _change(self) -> str:
        return self.choices.one((self._update, self._delete, self._merge))()

    def _target(self) -> list[Column]:
        return [Column("o", name, kind) for name, kind in SCHEMA["o"].items()]

    def _update(self) -> str:
        scope = Scope(self._target())
        changed = [*SCHEMA["o"].items()][: 1 + self.choices.below(2)]
        sets = ", ".join(f"{name} = {self.expression(kind, scope, 2)}" for name, kind in changed)
        where = f" WHERE {self.condition(scope, 2)}" if self.choices.maybe(70) else ""
        return f"UPDATE o SET {sets}{where}"

    def _delete(self) -> str:
        return f"DELETE FROM o WHERE {self.condition(Scope(self._target()), 2)}"

    def _merge(self) -> str:
        source = self.choices.one(READ)
        both = Scope(self._target() + [Column(source, name, kind) for name, kind in SCHEMA[source].items()])
        theirs = Scope([column for column in both.columns if column.item == source])
        text = f"MERGE INTO o USING {source} ON o.p = {source}.id"
        if self.choices.maybe(40):
            text += f" AND {self.condition(both, 1, subqueries=False)}"
        if self.choices.maybe(30):
            action = f"UPDATE SET p = {source}.id" if self.choices.maybe(50) else "DELETE"
            text += f" WHEN MATCHED AND {self.condition(both, 1, subqueries=False)} THEN {action}"
        text += f" WHEN MATCHED THEN UPDATE SET q = {self.expression(TEXT, both, 2, subqueries=False)}"
        if self.choices.maybe(70):
            values = ", ".join(self.expression(kind, theirs, 1, subqueries=False) for kind in (INT, TEXT))
            text += f" WHEN NOT MATCHED THEN INSERT (p, q) VALUES ({values})"
        return text

    # -- queries

    def query(
        self, depth: int, outer: list[Column], ctes: dict[str, list[tuple[str, str]]], want: Sequence[str] = ()
    ) -> Query:
        """A query, with columns of the types that are wanted, if any are."""
        ctes = dict(ctes)
        named: list[str] = []
        if depth > 0 and not outer and self.choices.maybe(25):
            if self.choices.maybe(15):
                named.append(self._recursive(ctes))
            for _ in range(1 + self.choices.below(2)):
                name = self.name("q")
                inner = self.query(depth - 1, [], ctes)
                listed, columns = "", inner.columns
                if self.choices.maybe(25):
                    columns = [(self.name("c"), kind) for _, kind in inner.columns]
                    listed = f" ({', '.join(each for each, _ in columns)})"
                named.append(f"{name}{listed} AS ({inner.text})")
                ctes[name] = columns
        body = self._body(depth, outer, ctes, want)
        recursive = "RECURSIVE " if any(each.startswith("rec") for each in named) else ""
        head = f"WITH {recursive}{', '.join(named)} " if named else ""
        return Query(head + body.text + self._tail(body, bool(outer)), body.columns)

    def _recursive(self, ctes: dict[str, list[tuple[str, str]]]) -> str:
        name = self.name("rec")
        ctes[name] = [("n", INT), ("g", TEXT)]
        step = f"SELECT {name}.n + 1, {name}.g FROM {name} WHERE {name}.n < 5"
        if self.choices.maybe(50):
            step = f"SELECT u.c, {name}.g FROM {name} JOIN u ON u.k = {name}.n WHERE {name}.n < 5"
        return f"{name} (n, g) AS (SELECT a, s FROM t UNION ALL {step})"

    def _tail(self, query: Query, inner: bool) -> str:
        names = [name for name, kind in query.columns if kind in SCALARS]
        unique = [name for name in names if sum(name == other for other, _ in query.columns) == 1]
        text = ""
        if unique and not inner and self.choices.maybe(25):
            text = f" ORDER BY {self.choices.one(unique)}{self.choices.one(('', ' DESC', ' NULLS LAST'))}"
        if not inner and self.choices.maybe(20):
            text += " LIMIT 10"
        return text

    def _body(
        self, depth: int, outer: list[Column], ctes: dict[str, list[tuple[str, str]]], want: Sequence[str]
    ) -> Query:
        if depth > 0 and not outer and self.choices.maybe(15):
            return self._set_operation(depth, ctes, want)
        if not want and not outer and self.choices.maybe(3):
            return Query("SELECT * FROM VALUES (1, 'x'), (2, 'y')", [("col1", INT), ("col2", TEXT)])
        return self.select(depth, outer, ctes, want)

    def _set_operation(self, depth: int, ctes: dict[str, list[tuple[str, str]]], want: Sequence[str]) -> Query:
        kinds = list(want) or [self.choices.one(SCALARS) for _ in range(1 + self.choices.below(3))]
        left = self.select(depth - 1, [], ctes, kinds)
        right = self.select(depth - 1, [], ctes, kinds)
        word = self.choices.one(("UNION ALL", "UNION", "INTERSECT", "EXCEPT", "MINUS", "EXCEPT ALL"))
        return Query(f"{left.text} {word} {right.text}", left.columns)

    def select(
        self, depth: int, outer: list[Column], ctes: dict[str, list[tuple[str, str]]], want: Sequence[str] = ()
    ) -> Query:
        """A SELECT."""
        items, columns = self.source(depth, outer, ctes)
        scope = Scope(columns, outer)
        views = ""
        for _ in range(self.choices.below(2)):
            views += self._lateral_view(scope)
        where = f" WHERE {self.condition(scope, depth)}" if self.choices.maybe(40) else ""
        if self.choices.maybe(30):
            listed, rest = self._grouped(scope, depth, want)
        else:
            listed, rest = self._projected(scope, depth, want)
        distinct = (
            "DISTINCT "
            if self.choices.maybe(8) and all(k in (*SCALARS, BOOL, LIST, STRUCT) for _, k, _ in listed)
            else ""
        )
        texts = ", ".join(text for _, _, text in listed if text)
        return Query(
            f"SELECT {distinct}{texts} FROM {items}{views}{where}{rest}", [(name, kind) for name, kind, _ in listed]
        )

    def _projected(self, scope: Scope, depth: int, want: Sequence[str]) -> tuple[list[tuple[str, str, str]], str]:
        """Outputs (name, type, text) of a select without groups, and what follows FROM and WHERE."""
        listed: list[tuple[str, str, str]] = []
        if not want and self.choices.maybe(20):
            star = self._star(scope)
            if star:
                listed += star
        windows: list[str] = []
        for kind in want or [
            self.choices.one((*SCALARS, BOOL, LIST, STRUCT, MAP)) for _ in range(1 + self.choices.below(3))
        ]:
            name = self.name("c")
            if kind in (INT, REAL) and self.choices.maybe(12):
                text = self._window(kind, scope, windows)
            else:
                text = self.expression(kind, scope, depth)
                if not want:
                    scope.aliases.append((name, kind))
            listed.append((name, kind, f"{text} AS {name}"))
        return listed, f" WINDOW {', '.join(windows)}" if windows else ""

    def _star(self, scope: Scope) -> list[tuple[str, str, str]]:
        items = sorted({column.item for column in scope.columns if column.item})
        whole = len({c.name for c in scope.columns}) == len(scope.columns) and all(c.item for c in scope.columns)
        if whole and self.choices.maybe(50):
            columns, text = scope.columns, "*"
            if len(columns) > 1 and self.choices.maybe(40):
                gone = self.choices.one(columns)
                columns, text = [c for c in columns if c != gone], f"* EXCEPT ({gone.name})"
        elif items and all(c.item for c in scope.columns):
            item = self.choices.one(items)
            columns, text = [c for c in scope.columns if c.item == item], f"{item}.*"
            if len({c.name for c in columns}) < len(columns):
                return []
        else:
            return []
        return [(c.name, c.type, text if n == 0 else "") for n, c in enumerate(columns)]

    def _grouped(self, scope: Scope, depth: int, want: Sequence[str]) -> tuple[list[tuple[str, str, str]], str]:
        kinds = list(want) or [self.choices.one(SCALARS) for _ in range(1 + self.choices.below(3))]
        keys: list[str] = []
        listed: list[tuple[str, str, str]] = []
        for kind in kinds:
            name = self.name("c")
            text = ""
            if kind in SCALARS and self.choices.maybe(50):
                column = self._column(kind, scope)
                if column:
                    text = column
                    keys.append(column)
            text = text or self.aggregate(kind, scope, depth)
            listed.append((name, kind, f"{text} AS {name}"))
        group = self._group_by(list(dict.fromkeys(keys)), listed, want)
        having = f" HAVING {self._having(scope)}" if self.choices.maybe(25) else ""
        return listed, group + having

    def _group_by(self, keys: list[str], listed: list[tuple[str, str, str]], want: Sequence[str]) -> str:
        if not keys:
            return ""
        form = self.choices.below(12)
        if form == 1:
            return " GROUP BY ALL"
        if form in (2, 3, 4) and not want:
            listed.append(
                (self.name("c"), INT, f"grouping_id() AS {self.name('gid')}" if form == 2 else f"grouping({keys[0]})")
            )
            name, kind, text = listed.pop()
            listed.append((name, kind, f"{text.partition(' AS ')[0]} AS {name}"))
        inside = ", ".join(keys)
        if form in (2, 5):
            return f" GROUP BY ROLLUP ({inside})"
        if form in (3, 6):
            return f" GROUP BY CUBE ({inside})"
        if form in (4, 7):
            return f" GROUP BY {inside} GROUPING SETS (({inside}), ({keys[0]}), ())"
        return f" GROUP BY {inside}"

    def _having(self, scope: Scope) -> str:
        return f"{self.aggregate(INT, scope, 0)} > {self.choices.below(3)}"

    # -- FROM

    def source(
        self, depth: int, outer: list[Column], ctes: dict[str, list[tuple[str, str]]]
    ) -> tuple[str, list[Column]]:
        """FROM items, and the columns that they put in reach."""
        text, columns = self._item(depth, ctes)
        for _ in range(self.choices.one((0, 0, 1, 1, 2))):
            text, columns = self._joined(text, columns, depth, outer, ctes)
        return text, columns

    def _item(self, depth: int, ctes: dict[str, list[tuple[str, str]]]) -> tuple[str, list[Column]]:
        alias = self.name("x")
        form = self.choices.below(12) if depth > 0 else self.choices.below(6)
        if ctes and form in (4, 5):
            name = self.choices.one(sorted(ctes))
            return f"{name} AS {alias}", _reached(alias, ctes[name])
        if form in (8, 9):
            inner = self.query(depth - 1, [], ctes)
            return f"({inner.text}) AS {alias}", _reached(alias, inner.columns)
        if form == 10:
            return self._pivoted(alias)
        if form == 11:
            return self._unpivoted(alias)
        if form == 7:
            return f"VALUES (1, 'x'), (2, 'y') AS {alias} (i, j)", _reached(alias, [("i", INT), ("j", TEXT)])
        table = self.choices.one(READ)
        return f"{table} AS {alias}", _reached(alias, [*SCHEMA[table].items()])

    def _pivoted(self, alias: str) -> tuple[str, list[Column]]:
        several = self.choices.maybe(50)
        aggregates = "sum(a) AS n, max(b) AS h" if several else "sum(a) AS n"
        pivot = f"(SELECT id, s, a, b FROM t) PIVOT ({aggregates} FOR s IN ('x' AS x, 'y' AS y))"
        text = f"(SELECT * FROM {pivot}) AS {alias}"
        columns = [("x_n", INT), ("x_h", REAL), ("y_n", INT), ("y_h", REAL)] if several else [("x", INT), ("y", INT)]
        return text, _reached(alias, [("id", INT), *columns] if several else [("id", INT), ("b", REAL), *columns])

    def _unpivoted(self, alias: str) -> tuple[str, list[Column]]:
        nulls = self.choices.one(("", " INCLUDE NULLS"))
        unpivot = f"(SELECT id, k, c, w FROM u) UNPIVOT{nulls} (worth FOR label IN (k, c))"
        text = f"(SELECT * FROM {unpivot}) AS {alias}"
        return text, _reached(alias, [("id", INT), ("w", TEXT), ("label", TEXT), ("worth", INT)])

    def _joined(
        self, text: str, columns: list[Column], depth: int, outer: list[Column], ctes: dict[str, list[tuple[str, str]]]
    ) -> tuple[str, list[Column]]:
        form = self.choices.below(14)
        if form == 13 and depth > 0:
            alias = self.name("x")
            inner = self.select(depth - 1, [c for c in columns if c.item], ctes)
            return f"{text}, LATERAL ({inner.text}) AS {alias}", columns + _reached(alias, inner.columns)
        other, added = self._item(depth - 1, ctes)
        both = columns + added
        common = [name for name in dict.fromkeys(c.name for c in columns) if _is_common(name, columns, added)]
        if form in (10, 11) and common:
            return self._using(text, columns, other, added, common)
        if (
            form == 12
            and common
            and all(_is_common(n, columns, added) for n in {c.name for c in columns} & {c.name for c in added})
        ):
            merged = [Column("", c.name, c.type) for c in columns if c.name in common]
            rest = [c for c in both if c.name not in common]
            return f"{text} NATURAL JOIN {other}", merged + rest
        if form == 1:
            return f"{text} CROSS JOIN {other}", both
        word = self.choices.one(("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "LEFT SEMI JOIN", "LEFT ANTI JOIN"))
        condition = self.condition(Scope(both, []), min(depth, 1), subqueries=False)
        return f"{text} {word} {other} ON {condition}", columns if "SEMI" in word or "ANTI" in word else both

    def _using(
        self, text: str, columns: list[Column], other: str, added: list[Column], common: list[str]
    ) -> tuple[str, list[Column]]:
        name = self.choices.one(common)
        word = self.choices.one(("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "LEFT SEMI JOIN"))
        if "SEMI" in word:
            return f"{text} {word} {other} USING ({name})", columns
        kind = next(c.type for c in columns if c.name == name)
        rest = [c for c in columns + added if c.name != name]
        return f"{text} {word} {other} USING ({name})", [Column("", name, kind), *rest]

    def _lateral_view(self, scope: Scope) -> str:
        alias = self.name("lv")
        outer = self.choices.one(("", "OUTER "))
        form = self.choices.below(5)
        array, mapped, structs = (self._column(kind, scope) for kind in (LIST, MAP, STRUCTS))
        if form == 0 and array:
            text, made = f"explode({array})", [(self.name("e"), INT)]
        elif form == 1 and array:
            text, made = f"posexplode({array})", [(self.name("e"), INT), (self.name("e"), INT)]
        elif form == 2 and mapped:
            text, made = f"explode({mapped})", [(self.name("e"), TEXT), (self.name("e"), INT)]
        elif form == 3 and structs:
            text, made = f"inline({structs})", [(self.name("e"), INT), (self.name("e"), TEXT)]
        elif form == 4:
            values = [f"CAST({self.expression(INT, scope, 0)} AS INT)" for _ in range(2)]
            text, made = (
                f"stack(2, 'x', {values[0]}, 'y', {values[1]})",
                [(self.name("e"), TEXT), (self.name("e"), INT)],
            )
        else:
            return ""
        scope.columns = scope.columns + _reached(alias, made)
        return f" LATERAL VIEW {outer}{text} {alias} AS {', '.join(name for name, _ in made)}"

    # -- expressions

    def _column(self, kind: str, scope: Scope, outer: bool = False) -> str:
        """A column of a type; empty if none is in reach."""
        here = [c for c in scope.columns if c.type == kind and _is_plain(c, scope.columns)]
        far = [c for c in scope.outer if c.type == kind and c.item] if outer else []
        if far and (not here or self.choices.maybe(40)):
            chosen = self.choices.one(far)
            return f"{chosen.item}.{chosen.name}"
        return scope.spelled(self.choices, self.choices.one(here)) if here else ""

    def expression(self, kind: str, scope: Scope, depth: int, subqueries: bool = True) -> str:
        """An expression of a type."""
        if depth > 0 and self.choices.maybe(6):
            return f"({self.expression(kind, scope, depth, subqueries)})"
        if depth > 0 and self.choices.maybe(55):
            made = self._compound(kind, scope, depth - 1, subqueries)
            if made:
                return made
        earlier = [name for name, each in scope.aliases if each == kind]
        if earlier and self.choices.maybe(25):
            return self.choices.one(earlier)
        return self._column(kind, scope) or self._literal(kind)

    def _literal(self, kind: str) -> str:
        number = self.choices.below(9)
        return {
            INT: str(number),
            REAL: f"{number}.5D",
            TEXT: f"'w{number}'",
            BOOL: ("true", "false")[number % 2],
            DAY: f"DATE '2020-01-0{number + 1}'",
            LIST: f"array({number}, 2)",
            MAP: f"map('k', {number})",
            STRUCT: f"named_struct('x', {number}, 'y', 'w')",
            STRUCTS: f"array(named_struct('p', {number}, 'q', 'w'))",
        }[kind]

    def _compound(self, kind: str, scope: Scope, depth: int, subqueries: bool) -> str:
        def e(wanted: str) -> str:
            return self.expression(wanted, scope, depth, subqueries)

        general: list[Callable[[], str]] = [
            lambda: f"CASE WHEN {self.condition(scope, depth, False)} THEN {e(kind)} ELSE {e(kind)} END",
            lambda: f"if({self.condition(scope, depth, False)}, {e(kind)}, {e(kind)})",
            lambda: f"coalesce({e(kind)}, {e(kind)})",
        ]
        if kind in SCALARS:
            general += [
                lambda: f"nullif({e(kind)}, {e(kind)})",
                lambda: f"CASE {e(INT)} WHEN {e(INT)} THEN {e(kind)} END",
                lambda: f"nvl2({e(TEXT)}, {e(kind)}, {e(kind)})",
                lambda: f"greatest({e(kind)}, {e(kind)})",
            ]
        if subqueries and depth > 0 and kind in SCALARS:
            general.append(lambda: self._scalar_subquery(kind, scope, depth))
        own = self._own(kind, e)
        return self.choices.one([*own, *general])()

    def _own(self, kind: str, e: Callable[[str], str]) -> list[Callable[[], str]]:
        """What gives values of one type."""
        v, w = self.name("y"), self.name("y")
        return {
            INT: [
                lambda: f"{e(INT)} + {e(INT)}",
                lambda: f"({e(INT)} * {e(INT)})",
                lambda: f"length({e(TEXT)})",
                lambda: f"size({e(LIST)})",
                lambda: f"{e(STRUCT)}.x",
                lambda: f"{e(MAP)}['k']",
                lambda: f"element_at({e(LIST)}, 1)",
                lambda: f"aggregate({e(LIST)}, CAST(0 AS BIGINT), ({v}, {w}) -> {v} + {w})",
                lambda: f"year({e(DAY)})",
                lambda: f"CAST({e(TEXT)} AS INT)",
                lambda: f"datediff({e(DAY)}, {e(DAY)})",
            ],
            REAL: [
                lambda: f"{e(INT)} / {e(INT)}",
                lambda: f"round({e(REAL)}, 1)",
                lambda: f"CAST({e(INT)} AS DOUBLE)",
            ],
            TEXT: [
                lambda: f"concat({e(TEXT)}, {e(TEXT)})",
                lambda: f"{e(TEXT)} || {e(TEXT)}",
                lambda: f"upper({e(TEXT)})",
                lambda: f"substr({e(TEXT)}, {e(INT)}, 2)",
                lambda: f"{e(STRUCT)}.y",
                lambda: f"CAST({e(INT)} AS STRING)",
                lambda: f"date_format({e(DAY)}, 'yyyy')",
                lambda: f"md5({e(TEXT)})",
                lambda: f"decode({e(INT)}, 1, {e(TEXT)}, {e(TEXT)})",
            ],
            BOOL: [
                lambda: f"({e(INT)} > {e(INT)})",
                lambda: f"isnull({e(TEXT)})",
                lambda: f"array_contains({e(LIST)}, {e(INT)})",
            ],
            DAY: [
                lambda: f"date_add({e(DAY)}, {e(INT)})",
                lambda: f"to_date({e(TEXT)})",
                lambda: f"last_day({e(DAY)})",
            ],
            LIST: [
                lambda: f"array({e(INT)}, {e(INT)})",
                lambda: f"transform({e(LIST)}, {v} -> {v} + {e(INT)})",
                lambda: f"filter({e(LIST)}, {v} -> {v} > {e(INT)})",
                lambda: f"sort_array({e(LIST)})",
            ],
            STRUCT: [
                lambda: f"named_struct('x', {e(INT)}, 'y', {e(TEXT)})",
                lambda: f"struct({e(INT)} AS x, {e(TEXT)} AS y)",
            ],
            MAP: [
                lambda: f"map('k', {e(INT)})",
                lambda: f"transform_values({e(MAP)}, ({v}, {w}) -> {w} + {e(INT)})",
                lambda: f"map_filter({e(MAP)}, ({v}, {w}) -> {w} > {e(INT)})",
            ],
            STRUCTS: [],
        }[kind]

    def _scalar_subquery(self, kind: str, scope: Scope, depth: int) -> str:
        table, alias = self.choices.one(READ), self.name("x")
        inner = Scope(_reached(alias, [*SCHEMA[table].items()]), [*scope.columns, *scope.outer])
        value = self._column(kind, inner) or self._literal(kind)
        where = f" WHERE {self._meeting(inner)}" if self.choices.maybe(60) else ""
        return f"(SELECT max({value}) FROM {table} AS {alias}{where})"

    def _meeting(self, inner: Scope) -> str:
        """An equation of an inner column with one of the query around it."""
        far = [c for c in inner.outer if c.type == INT and c.item]
        mine = self._column(INT, inner)
        return f"{mine} = {self._named(self.choices.one(far))}" if far else f"{mine} > 1"

    def _named(self, column: Column) -> str:
        return f"{column.item}.{column.name}"

    def condition(self, scope: Scope, depth: int, subqueries: bool = True) -> str:
        """A test."""

        def e(wanted: str) -> str:
            return self.expression(wanted, scope, depth - 1, False)

        kind = self.choices.one(SCALARS)
        made: list[Callable[[], str]] = [
            lambda: f"{e(kind)} = {e(kind)}",
            lambda: f"{e(kind)} > {e(kind)}",
            lambda: f"{e(kind)} <=> {e(kind)}",
            lambda: f"{e(kind)} BETWEEN {e(kind)} AND {e(kind)}",
            lambda: f"{e(kind)} IN ({e(kind)}, {e(kind)})",
            lambda: f"{e(TEXT)} LIKE 'x%'",
            lambda: f"{e(kind)} IS NOT NULL",
            lambda: e(BOOL),
        ]
        if depth > 0:
            made += [
                lambda: f"({self.condition(scope, depth - 1, False)} AND {self.condition(scope, depth - 1, False)})",
                lambda: f"({self.condition(scope, depth - 1, False)} OR {self.condition(scope, depth - 1, False)})",
                lambda: f"NOT ({self.condition(scope, depth - 1, False)})",
                lambda: f"exists({e(LIST)}, y0 -> y0 > {e(INT)})",
            ]
        if depth > 0 and subqueries:
            made += [lambda: self._exists(scope), lambda: self._in_query(scope)]
        return self.choices.one(made)()

    def _exists(self, scope: Scope) -> str:
        table, alias = self.choices.one(READ), self.name("x")
        inner = Scope(_reached(alias, [*SCHEMA[table].items()]), [*scope.columns, *scope.outer])
        word = self.choices.one(("EXISTS", "NOT EXISTS"))
        return f"{word} (SELECT 1 FROM {table} AS {alias} WHERE {self._meeting(inner)})"

    def _in_query(self, scope: Scope) -> str:
        table, alias = self.choices.one(READ), self.name("x")
        inner = Scope(_reached(alias, [*SCHEMA[table].items()]), [*scope.columns, *scope.outer])
        where = f" WHERE {self._meeting(inner)}" if self.choices.maybe(50) else ""
        word = self.choices.one(("IN", "NOT IN"))
        return f"{self.expression(INT, scope, 1, False)} {word} (SELECT {self._column(INT, inner)} FROM {table} AS {alias}{where})"

    # -- aggregates and windows

    def aggregate(self, kind: str, scope: Scope, depth: int) -> str:
        """An aggregate of a type."""
        bare = Scope(scope.columns, scope.outer)

        def e(wanted: str) -> str:
            return self.expression(wanted, bare, min(depth, 1), False)

        own: dict[str, list[Callable[[], str]]] = {
            INT: [
                lambda: f"sum({e(INT)})",
                lambda: "count(*)",
                lambda: f"count({e(TEXT)})",
                lambda: f"count(DISTINCT {e(INT)}, {e(TEXT)})",
                lambda: f"count_if({self.condition(bare, 0, False)})",
                lambda: f"sum({e(INT)}) FILTER (WHERE {self.condition(bare, 0, False)})",
                lambda: f"sum({e(INT)}) + count(*)",
            ],
            REAL: [lambda: f"avg({e(INT)})", lambda: f"stddev({e(REAL)})", lambda: f"sum({e(REAL)}) / count(*)"],
            TEXT: [lambda: f"concat_ws(',', collect_list({e(TEXT)}))"],
            LIST: [lambda: f"collect_list({e(INT)})", lambda: f"collect_set({e(INT)})"],
        }
        general: list[Callable[[], str]] = []
        if kind in SCALARS or kind in (BOOL, STRUCT, LIST):
            general += [lambda: f"max({e(kind)})", lambda: f"first({e(kind)})", lambda: f"max_by({e(kind)}, {e(INT)})"]
        return self.choices.one([*own.get(kind, []), *general] or [lambda: f"first({e(kind)})"])()

    def _window(self, kind: str, scope: Scope, windows: list[str]) -> str:
        def e(wanted: str) -> str:
            return self.expression(wanted, Scope(scope.columns, scope.outer), 1, False)

        ordered = f"ORDER BY {e(INT)}{self.choices.one(('', ' DESC'))}"
        partition = f"PARTITION BY {e(TEXT)} " if self.choices.maybe(70) else ""
        frame = self.choices.one(("", "", " ROWS BETWEEN 1 PRECEDING AND CURRENT ROW"))
        if kind == REAL:
            call = self.choices.one((f"avg({e(INT)})", f"first_value({e(REAL)})"))
        else:
            ranking = ("row_number()", "rank()", f"lag({e(INT)}, 1)", f"lead({e(INT)})", "ntile(2)")
            call = self.choices.one((f"sum({e(INT)})", "count(*)", *(() if frame else ranking)))
        if self.choices.maybe(25):
            name = self.name("win")
            windows.append(f"{name} AS ({partition}{ordered}{frame})")
            return f"{call} OVER {name}"
        return f"{call} OVER ({partition}{ordered}{frame})"


def _reached(alias: str, columns: Iterable[tuple[str, str]]) -> list[Column]:
    return [Column(alias, name, kind) for name, kind in columns]


def _is_common(name: str, columns: list[Column], added: list[Column]) -> bool:
    """Whether both sides have one column of a name, of one plain type."""
    left, right = ([c for c in side if c.name == name] for side in (columns, added))
    return len(left) == len(right) == 1 and left[0].type == right[0].type and left[0].type in SCALARS


def _is_plain(column: Column, columns: list[Column]) -> bool:
    """Whether a column can be referred to without doubt."""
    same = [c for c in columns if c.name == column.name and (not column.item or c.item == column.item)]
    return len(same) == 1


def statement(choices: Choices) -> str:
    """A random statement."""
    return Grammar(choices).statement()


def shrunk(drawn: Sequence[int], still: Callable[[str], bool], tries: int = 120) -> str:
    """The smallest statement found, by leaving out and lowering choices, of which something *still* holds."""
    best = list(drawn)
    tried: set[str] = {statement(Choices(best))}
    for candidate in _smaller(best):
        if tries <= 0:
            break
        text = statement(Choices(candidate(best)))
        if len(text) > len(statement(Choices(best))) or text in tried:
            continue
        tried.add(text)
        tries -= 1
        if still(text):
            best = candidate(best)
    return statement(Choices(best))


def _smaller(drawn: Sequence[int]) -> Iterable[Callable[[list[int]], list[int]]]:
    """Ways to make a sequence smaller: long parts go first, then single numbers become 0."""
    for _ in range(3):
        for size in (32, 16, 8, 4, 2, 1):
            for start in range(0, len(drawn), max(size // 2, 1)):
                yield lambda now, start=start, size=size: now[:start] + now[start + size :]  # type: ignore[misc]
                yield (
                    lambda now, start=start, size=size: [  # type: ignore[misc]
                        *now[:start],
                        *[0] * len(now[start : start + size]),
                        *now[start + size :],
                    ]
                )
