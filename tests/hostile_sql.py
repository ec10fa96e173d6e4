"""SQL that nobody writes by hand: nested thousands of levels deep, or thousands of terms long."""

from __future__ import annotations

from collections.abc import Callable


def around(opening: str, closing: str, core: str = "a") -> Callable[[int], str]:
    """A select item inside *n* pairs of something."""
    return lambda n: f"INSERT INTO o SELECT {opening * n}{core}{closing * n} AS x FROM t"


def _ctes_in_ctes(n: int) -> str:
    opened = "".join(f"WITH c{i} AS (" for i in range(n))
    closed = "".join(f") SELECT x FROM c{i}" for i in reversed(range(n)))
    return f"INSERT INTO o {opened}SELECT a AS x FROM t{closed}"


def _derived(n: int) -> str:
    return "INSERT INTO o SELECT x FROM " + "(SELECT x FROM " * n + "(SELECT a AS x FROM t)" + ")" * n


NESTED: dict[str, Callable[[int], str]] = {
    "parentheses": around("(", ")"),
    "case": around("CASE WHEN true THEN ", " END"),
    "else": around("CASE WHEN true THEN 1 ELSE ", " END"),
    "casts": around("cast(", " AS int)"),
    "added on the right": around("1 + (", ")"),
    "if": around("if(true, 1, ", ")"),
    "not": around("NOT ", ""),
    "derived tables": _derived,
    "ctes in ctes": _ctes_in_ctes,
    "unions": lambda n: "INSERT INTO o " + "(SELECT a AS x FROM t UNION ALL " * n + "SELECT a FROM t" + ")" * n,
}
"""All of these give `o.x <- t.a` at 5,000 levels."""

STUBBORN: dict[str, Callable[[int], str]] = {
    "calls": around("f(", ")"),
    "arrays": around("array(", ")"),
    "brackets": around("[", "]"),
    "structs": around("struct(", ")"),
    "dates": around("date(", ")"),
    "unary minus": around("- ", ""),
    "scalar subqueries": around("(SELECT ", " FROM t)"),
    "types": lambda n: f"INSERT INTO o SELECT cast(a AS {'array<' * n}int{'>' * n}) AS x FROM t",
    "lambdas": around("transform(a, e -> ", ")"),
    "fields": lambda n: f"INSERT INTO o SELECT a{'.b' * n} AS x FROM t",
    "indexes": lambda n: f"INSERT INTO o SELECT a{'[0]' * n} AS x FROM t",
    "unclosed": lambda n: "SELECT " + "(" * n,
    "unopened": lambda n: "SELECT a" + ")" * n,
    "between": lambda n: "SELECT a FROM t WHERE " + "a BETWEEN " * n + "b",
    "exists": lambda n: "SELECT a FROM t WHERE " + "EXISTS (SELECT a FROM t WHERE " * n + "b" + ")" * n,
}
"""The parser or the resolver may need too long for these: an answer or a diagnostic, and neighbours that survive."""


def _names(prefix: str, n: int) -> list[str]:
    return [f"{prefix}{i}" for i in range(n)]


LONG: dict[str, tuple[Callable[[int], str], int, int]] = {
    "added terms": (lambda n: f"SELECT {' + '.join(_names('c', n))} AS x FROM t", 20_000, 20_001),
    "ORs": (lambda n: f"SELECT a FROM t WHERE {' OR '.join(f'{c} = 1' for c in _names('c', n))}", 5_000, 5_002),
    "unions": (lambda n: " UNION ALL ".join(f"SELECT a FROM {t}" for t in _names("t", n)), 2_000, 4_000),
    "mixed set operations": (
        lambda n: "SELECT a FROM t" + "".join(f" {('UNION', 'EXCEPT')[i % 2]} SELECT a FROM t{i}" for i in range(n)),
        2_000,
        # values of the first operand and every UNION's; all rows; what is compared: by a UNION and the EXCEPT after it, or by an EXCEPT
        1_001 + 2_001 + 2 * 1_001 + 1_000,
    ),
    "chained CTEs": (
        lambda n: (
            "WITH c0 AS (SELECT a FROM t)"
            + "".join(f", c{i} AS (SELECT a FROM c{i - 1})" for i in range(1, n))
            + f" SELECT a FROM c{n - 1}"
        ),
        500,
        2,
    ),
    "columns over 50 joins": (
        lambda n: (
            f"SELECT {', '.join(f't{i % 50}.c{i}' for i in range(n))} FROM t0 "
            + " ".join(f"JOIN t{i} ON t0.id = t{i}.id" for i in range(1, 50))
        ),
        1_000,
        1_000 + 50 + 50,
    ),
    "aliases of aliases": (
        lambda n: "SELECT a AS x0" + "".join(f", x{i} + {i} AS x{i + 1}" for i in range(n)) + " FROM t",
        5_000,
        5_002,
    ),
    "IN list": (lambda n: f"SELECT a FROM t WHERE b IN ({', '.join(_names('', n))})", 30_000, 3),
    "VALUES": (lambda n: "INSERT INTO o (a, b) VALUES " + ", ".join(f"({i}, 'x')" for i in range(n)), 10_500, 0),
}
"""A shape, how long, and how many column-level edges it has."""
