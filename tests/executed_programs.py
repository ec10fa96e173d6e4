"""Programs of the cases, run on real servers with changed inputs: what changes in the result must be in the lineage.

A program runs on small made-up tables. Then one column gets other values, and it runs again. A column of the result that differs must be
related to the changed one: directly, over other tables of the program, or through the rows of its table. A difference without such a
relation refutes the lineage. A relation is proved by a difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any, Protocol

import headwater
from case_file import Case, all_cases

ROWS = "PseudoRows"
_ROWS_PER_TABLE = 5
_CALLS = {
    "postgres": {
        "An early RETURN decides over everything behind it": "CALL load_if_clean()",
        "A value that is only assigned in one branch": "CALL note_status()",
        "FOREACH over an array that a query filled": "CALL split_tags(2)",
        "GET DIAGNOSTICS counts the rows of the last change": "CALL purge_events('2024-01-04')",
        "An audit trigger with OLD and NEW": "UPDATE items SET price = CASE WHEN id > 2 THEN price + 1 ELSE price END",
        "A trigger that fills a column before the row is written": "INSERT INTO lines SELECT id, net, country FROM lines",
        "A text from format, with a value through USING": "CALL scale_year()",
        "A refcursor opened in two branches": "CALL pick_one(true); CALL pick_one(false)",
        "Two variables that swap in every round": "CALL rotate()",
        "A composite type is filled by position": "CALL print_label(2)",
        "The handler of a refused INSERT updates instead": "CALL put_setting('a')",
        "A sum that ends the loop": "CALL accept_claims(6)",
    },
    "mysql": {
        "Two calls of one procedure do not mix": "CALL fill_pairs()",
        "A cursor with a NOT FOUND handler": "CALL size_regions()",
        "A trigger that books the stock": "INSERT INTO order_lines SELECT id, sku, qty FROM order_lines",
        "A trigger that fills two columns of the row": "INSERT INTO offers SELECT id, grp, qty, price, 0, 0 FROM offers",
        "A grade that is a constant in every branch": "CALL grade_item(2)",
        "A variable of an inner block hides the outer one": "CALL log_both()",
        "A prepared text with a placeholder": "CALL load_sales()",
        "A WHILE loop up to the newest batch": "CALL load_batches()",
        "INTO goes by position, not by name": "CALL turn_names(2)",
        "LEAVE of the procedure's own block": "CALL load_unless_broken()",
    },
}
"""What is run behind a program that only defines routines or triggers, by the case's title."""

Row = tuple[Any, ...]
Tables = dict[str, list[Row]]


class Server(Protocol):
    """A database that runs a script in a fresh schema."""

    dialect: str

    def run(self, script: str, tables: Sequence[str]) -> dict[str, tuple[list[str], list[Row]]] | None:
        """The columns and rows of some tables behind a script; None if it fails."""


@dataclass(frozen=True)
class Findings:
    """What the runs of a program showed."""

    runs: int
    proved: frozenset[tuple[str, str]]
    """Pairs of changed and differing columns that the lineage relates."""
    refuted: frozenset[tuple[str, str]]
    """Pairs that it does not relate."""


def programs(dialect: str) -> list[Case]:
    """The programs of a dialect."""
    return [case for case in all_cases() if case.path.parent.name == "programs" and case.path.stem == dialect]


def findings(case: Case, server: Server, worlds: int) -> Findings:
    """Run a program in some worlds, each with one column after the other changed."""
    related = _related(case, server.dialect)
    runs, proved, refuted = 0, set(), set()
    for seed in range(worlds):
        draw = Random(f"{case.id} {seed}")
        world = _world(case, draw)
        before = _run(case, server, world)
        for source, changed in _changes(case, world, draw) if before is not None else ():
            after = _run(case, server, changed)
            if before is None or after is None:
                continue
            runs += 1
            for target in _differing(before, after, source):
                pair = (source, target)
                reached = target in related.get(source, ()) or f"{target.rpartition('.')[0]}.{ROWS}" in related.get(
                    source, ()
                )
                (proved if reached else refuted).add(pair)
    return Findings(runs, frozenset(proved), frozenset(refuted))


def _related(case: Case, dialect: str) -> Mapping[str, set[str]]:
    """All columns and row sets that a column reaches, over any number of tables."""
    edges: dict[str, set[str]] = {}
    for edge in headwater.analyze(f"{case.sql}\n{_call(case, dialect)}", dialect, case.schema).column_edges():
        edges.setdefault(str(edge.source), set()).add(str(edge.target))
    columns = [f"{table}.{column}" for table, all_ in (case.schema or {}).items() for column in all_]
    return {column: set(_reached(column, edges, columns)) for column in columns}


def _reached(column: str, edges: Mapping[str, set[str]], columns: Sequence[str]) -> Iterator[str]:
    seen: set[str] = set()
    pending = [column]
    while pending:
        for target in edges.get(pending.pop(), ()):
            table, _, name = target.rpartition(".")
            own = [each for each in columns if each.startswith(f"{table}.")] if name == ROWS else []
            for each in (target, *own):
                if each not in seen:
                    seen.add(each)
                    pending.append(each)
    yield from seen


def _world(case: Case, draw: Random) -> Tables:
    words = _words(case.sql)
    return {
        table: [tuple(_value(kind, draw, words) for kind in columns.values()) for _ in range(_ROWS_PER_TABLE)]
        for table, columns in (case.schema or {}).items()
    }


def _changes(case: Case, world: Tables, draw: Random) -> Iterator[tuple[str, Tables]]:
    """Each column, and the world with other values in it."""
    words = _words(case.sql)
    for table, columns in (case.schema or {}).items():
        for at, (column, kind) in enumerate(columns.items()):
            rows = [(*row[:at], _value(kind, draw, words), *row[at + 1 :]) for row in world[table]]
            yield f"{table}.{column}", {**world, table: rows}


def _words(sql: str) -> tuple[list[int], list[str]]:
    """The numbers and strings of a program: data that it compares with them takes either way."""
    numbers = [int(each) for each in re.findall(r"(?<![\w.])\d{1,4}(?![\w.])", sql)]
    strings = [each for each in re.findall(r"'(\w{1,12})'", sql) if not each.isdigit()]
    return [*numbers, *(n + 1 for n in numbers), 1, 2, 3, 4], [*strings, "a", "b", "c"]


def _value(kind: str, draw: Random, words: tuple[list[int], list[str]]) -> Any:
    if kind.endswith("[]"):
        return [_value(kind[:-2], draw, words) for _ in range(draw.randrange(1, 3))]
    if kind == "boolean":
        return draw.random() < 0.5
    if kind == "date":
        return date(2024, 1, 1) + timedelta(days=draw.randrange(8))
    if kind.startswith(("text", "varchar", "char")):
        return draw.choice(words[1])
    return draw.choice(words[0])


def _run(case: Case, server: Server, world: Tables) -> dict[str, tuple[list[str], list[Row]]] | None:
    create = [
        f"CREATE TABLE {table} ({', '.join(f'{column} {kind}' for column, kind in columns.items())});"
        for table, columns in (case.schema or {}).items()
    ]
    fill = [
        f"INSERT INTO {table} VALUES {', '.join('(' + ', '.join(map(_literal, row)) + ')' for row in rows)};"
        for table, rows in world.items()
    ]
    return server.run("\n".join([*create, *fill, case.sql, _call(case, server.dialect)]), list(world))


def _call(case: Case, dialect: str) -> str:
    call = _CALLS[dialect].get(case.title)
    return f"{call};" if call else ""


def _literal(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"ARRAY[{', '.join(map(_literal, value))}]"
    return f"'{value}'" if isinstance(value, (str, date)) else str(value)


def _differing(
    before: Mapping[str, tuple[list[str], list[Row]]], after: Mapping[str, tuple[list[str], list[Row]]], source: str
) -> Iterator[str]:
    """The columns whose values differ, the changed one aside; where there are more or fewer rows, the row set."""
    for table, (columns, rows) in before.items():
        others = after[table][1]
        if len(rows) != len(others):
            yield f"{table}.{ROWS}"
            continue
        for at, column in enumerate(columns):
            if f"{table}.{column}" != source and _sorted(rows, at) != _sorted(others, at):
                yield f"{table}.{column}"


def _sorted(rows: Sequence[Row], at: int) -> list[str]:
    return sorted(str(row[at]) for row in rows)
