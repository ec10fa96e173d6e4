"""SQL that costs more than its length: nested, chained and doubling, in every dialect. Each text is made from a seed and a number alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from headwater.sql.dialect import dialect_names


class Nasty(NamedTuple):
    """One text, what it is, and the dialect to read it in."""

    name: str
    dialect: str
    sql: str


SCHEMA = {"t": ["a", "b"], "wide": [f"c{i}" for i in range(2_000)]}

OPENINGS = (
    "BEGIN ",
    "BEGIN PRINT 'a' ",
    "BEGIN CALL p ",
    "IF @a=1 BEGIN PRINT 'a' END\n",
    "IF a THEN ",
    "LOOP ",
    "WHILE a DO ",
)
OPENINGS += (
    "REPEAT ",
    "CASE WHEN a THEN ",
    "DECLARE x INT; BEGIN ",
    "<<a>> ",
    "a: BEGIN ",
    "FOR r IN (SELECT 1) LOOP ",
)
OPENINGS += (
    "DO $$ BEGIN ",
    "CREATE PROCEDURE p AS BEGIN ",
    "EXCEPTION WHEN x THEN ",
    "BEGIN TRY ",
    "{% if a %} ",
    "/* ",
)
OPENINGS += (
    "EXPLAIN ",
    "WITH c AS (SELECT 1) ",
    "EXECUTE IMMEDIATE 'x' ",
    "(SELECT ",
    "[",
    "struct(",
    "array<",
    "ELSE IF a BEGIN ",
)

LISTS = (
    "a, ",
    "'x', ",
    "a + ",
    "a AND ",
    "f(a), ",
    "CASE WHEN a THEN b END, ",
    "count(*), ",
    "sum(a) OVER (ORDER BY b), ",
)


def _doubled(step: str) -> Callable[[int], str]:
    """A chain of CTEs, each made of the one before it by a step."""

    def made(n: int) -> str:
        steps = "".join(f", c{i} AS ({step.format(p=f'c{i - 1}')})" for i in range(1, n + 1))
        return f"WITH c0 AS (SELECT * FROM t){steps} SELECT * FROM c{n}"

    return made


DOUBLING = {
    "join": _doubled("SELECT * FROM {p} x JOIN {p} y ON x.a = y.a"),
    "cross join": _doubled("SELECT * FROM {p} x, {p} y"),
    "using": _doubled("SELECT * FROM {p} x JOIN {p} y USING (a)"),
    "qualified": _doubled("SELECT x.*, y.* FROM {p} x JOIN {p} y ON x.a = y.a"),
    "union": _doubled("SELECT * FROM {p} UNION ALL SELECT * FROM {p}"),
    "union of joins": _doubled("SELECT * FROM {p} x, {p} y UNION ALL SELECT * FROM {p} x, {p} y"),
    "subquery": _doubled("SELECT * FROM (SELECT * FROM {p}) x, (SELECT * FROM {p}) y"),
    "except": _doubled("SELECT * EXCEPT (a) FROM {p} x, {p} y"),
    "pivot": _doubled("SELECT * FROM (SELECT * FROM {p} x, {p} y) PIVOT (sum(a) FOR b IN (1, 2))"),
    "struct": _doubled("SELECT struct(x.*) AS s, x.*, y.* FROM {p} x, {p} y"),
    "scalar subquery": _doubled("SELECT *, (SELECT max(a) FROM {p}) AS m FROM {p} x, {p} y"),
}
UNKNOWN = {
    f"{name} of an unknown table": (lambda n, m=made: m(n).replace("FROM t)", "FROM u)"))
    for name, made in DOUBLING.items()
}


def _nested(random: Random) -> tuple[str, str]:
    opening = random.choice(OPENINGS)
    closing = random.choice(("", "", " END", ")", ";", " END;"))
    n = random.choice((30, 300, 1_000, 3_000))
    return f"{n} times {opening.strip()!r}", f"{opening * n}SELECT a FROM t{closing * n}"


def _doubling(random: Random) -> tuple[str, str]:
    name, made = random.choice(sorted((DOUBLING | UNKNOWN).items()))
    n = random.choice((3, 8, 12, 25, 60))
    return f"{name}, {n} steps", made(n)


def _long(random: Random) -> tuple[str, str]:
    part, n = random.choice(LISTS), random.choice((1_000, 20_000, 60_000))
    return f"{n} times {part.strip()!r}", f"SELECT {part * n}a FROM t WHERE a IN ({'1, ' * n}2)"


def _wide(random: Random) -> tuple[str, str]:
    n = random.choice((3, 30, 300))
    tables = ", ".join(f"wide w{i}" for i in range(n))
    return f"{n} wide tables", f"CREATE VIEW v AS SELECT * FROM {tables}; SELECT * FROM v x, v y"


def _views(random: Random) -> tuple[str, str]:
    n = random.choice((5, 40))
    made = "".join(f"CREATE VIEW v{i} AS SELECT * FROM v{i - 1} x, v{i - 1} y;\n" for i in range(1, n))
    return f"{n} views", f"CREATE VIEW v0 AS SELECT * FROM t;\n{made}"


def _chain(random: Random) -> tuple[str, str]:
    n = random.choice((100, 700, 2_000))
    return f"{n} CTEs", _doubled("SELECT a, b FROM {p}")(n)


def _grouped(random: Random) -> tuple[str, str]:
    n = random.choice((100, 1_000, 3_000))
    listed = ", ".join(f"sum(a{i})" for i in range(n))
    keys = ", ".join(f"k{i}" for i in range(n))
    return f"{n} aggregates by {n} keys", f"SELECT {listed} FROM u GROUP BY {keys}"


KINDS = (_nested, _nested, _nested, _doubling, _doubling, _long, _wide, _views, _chain, _grouped)


def nasty(seed: int, number: int) -> Nasty:
    """The text of a number."""
    random = Random(f"{seed}:{number}")
    name, sql = random.choice(KINDS)(random)
    return Nasty(name, random.choice(dialect_names()), sql)


def each_opening(n: int) -> Iterator[Nasty]:
    """Each opening, *n* times, in each dialect."""
    for dialect in dialect_names():
        for opening in OPENINGS:
            yield Nasty(f"{n} times {opening.strip()!r}", dialect, f"{opening * n}SELECT a FROM t")
