"""What is known of a program that makes a table: each of its columns is made of all columns of the tables that it asks for.

SELECT python_model(t1.*, t2.*) AS score FROM raw.orders AS t1 CROSS JOIN raw.customers AS t2

Where its columns are not known, it may have any:

SELECT * FROM python_model((SELECT * FROM raw.orders AS t1), (SELECT * FROM raw.customers AS t2))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from headwater.resolve.known_function import PROGRAM
from headwater.sql.dialect import Dialect
from headwater.sql.quoted import quoted


def query_of_program(tables: Sequence[str], columns: Iterable[str], dialect: Dialect) -> str:
    """A query that says so; empty if no tables are known. A table may be a query in brackets."""
    every = ", ".join(f"t{number}.*" for number, _ in enumerate(tables, 1))
    listed = ", ".join(f"{PROGRAM}({every}) AS {quoted(name, dialect)}" for name in columns)
    named = [f"{name} AS t{number}" for number, name in enumerate(tables, 1)]
    if not named:
        return ""
    whole = f"SELECT * FROM {PROGRAM}({', '.join(f'(SELECT * FROM {each})' for each in named)})"
    return f"SELECT {listed} FROM {' CROSS JOIN '.join(named)}" if listed else whole
