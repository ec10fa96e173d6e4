"""What is known of a program that makes a table: each of its columns is made of all columns of the tables that it asks for.

SELECT python_model(t1.*, t2.*) AS score FROM raw.orders AS t1 CROSS JOIN raw.customers AS t2
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from headwater.sql.dialect import Dialect
from headwater.sql.quoted import quoted


def query_of_program(tables: Sequence[str], columns: Iterable[str], dialect: Dialect) -> str:
    """A query that says so; empty if its tables or its columns are not known."""
    every = ", ".join(f"t{number}.*" for number, _ in enumerate(tables, 1))
    listed = ", ".join(f"python_model({every}) AS {quoted(name, dialect)}" for name in columns)
    named = " CROSS JOIN ".join(f"{name} AS t{number}" for number, name in enumerate(tables, 1))
    return f"SELECT {listed} FROM {named}" if named and listed else ""
