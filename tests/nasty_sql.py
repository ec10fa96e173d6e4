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
    head = random.choice(("", "INSERT INTO o ", "CREATE VIEW v AS "))
    return f"{n} aggregates by {n} keys", f"{head}SELECT {listed} FROM u GROUP BY {keys}"


def _crossed(random: Random) -> tuple[str, str]:
    """Each of many columns is made of one that is made of many: few hops, and the square of them between the ends."""
    n, depth = random.choice((30, 300, 1_500)), random.choice((1, 3, 10))
    steps = "".join(f", c{i} AS (SELECT abs(s) AS s FROM c{i - 1})" for i in range(1, depth))
    listed = ", ".join(f"abs(s) AS x{i}" for i in range(n))
    made = f"WITH c0 AS (SELECT {' + '.join(f'a{i}' for i in range(n))} AS s FROM u){steps}"
    return f"{n} columns of {n}, {depth} steps", f"CREATE VIEW v AS {made} SELECT {listed} FROM c{depth - 1}"


DYNAMIC = (
    "EXECUTE IMMEDIATE '{}'",
    "EXEC('{}')",
    "EXEC sp_executesql N'{}'",
    "PREPARE p FROM '{}'",
    "DO $$ BEGIN EXECUTE '{}'; END $$",
    "BEGIN EXECUTE IMMEDIATE '{}'; END;",
)


def _dynamic(random: Random) -> tuple[str, str]:
    """SQL in a text in a text: the quotes double with each step."""
    form, depth = random.choice(DYNAMIC), random.choice((1, 5, 12))
    sql = f"INSERT INTO o SELECT a FROM t WHERE {' OR '.join(['a = 1'] * random.choice((1, 100)))}"
    for _ in range(depth):
        sql = form.format(sql.replace("'", "''"))
    return f"{depth} dynamic texts {form!r}", sql


def _joined_text(random: Random) -> tuple[str, str]:
    """A dynamic text of many parts."""
    n = random.choice((100, 3_000))
    parts = " || ".join(["', a'"] * n)
    text = f"BEGIN EXECUTE IMMEDIATE 'INSERT INTO o SELECT a' || {parts} || ' FROM t'; END;"
    return f"a dynamic text of {n} parts", text


PROGRAMS = (
    ("CREATE PROCEDURE p() BEGIN ", "IF a = {} THEN INSERT INTO o SELECT a FROM t; END IF; ", "END;"),
    ("CREATE PROCEDURE p AS BEGIN ", "IF @a = {} BEGIN INSERT INTO o SELECT a FROM t END; ", "END"),
    ("BEGIN ", "FOR r IN (SELECT a FROM t) LOOP INSERT INTO o{} SELECT r.a FROM t; END LOOP; ", "END;"),
    ("BEGIN ", "INSERT INTO o{0} SELECT * FROM o{0}; ", "END;"),
    ("BEGIN ", "CREATE TEMPORARY TABLE x{0} AS SELECT * FROM t; INSERT INTO o SELECT * FROM x{0}; ", "END;"),
)


def _program(random: Random) -> tuple[str, str]:
    """A program of many statements, in each other or behind each other."""
    (head, part, end), n = random.choice(PROGRAMS), random.choice((10, 200, 1_000))
    if random.random() < 0.3:
        depth = min(n, 200)
        return f"a program of {depth} in each other", head * depth + part.format(1) + f" {end}" * depth
    return f"a program of {n} parts", head + "".join(part.format(i) for i in range(n)) + end


MARKS = (
    "/* ",
    "*/ ",
    "-- ",
    "'",
    '"',
    "`",
    "$$",
    "$a$",
    "''",
    "\\'",
    "E'",
    "q'[",
    "N'",
    "{{ ",
    "{# ",
    "\n",
    "; ",
    "a ",
    "#",
)


def _quoted(random: Random) -> tuple[str, str]:
    """Comments and strings that begin, end and do not end."""
    n = random.choice((10, 1_000, 20_000))
    if random.random() < 0.5:
        pair = "".join(random.choices(MARKS, k=random.choice((1, 2, 3))))
        return f"quoted: {n} times {pair!r}", f"SELECT a FROM t WHERE b = {pair * n}"
    return f"quoted: {n} marks", f"SELECT a FROM t WHERE b = {''.join(random.choices(MARKS, k=n))}"


KINDS = (_nested, _nested, _nested, _doubling, _doubling, _long, _wide, _views, _chain, _grouped)
KINDS += (_grouped, _crossed, _dynamic, _joined_text, _program, _program, _quoted, _quoted)


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
