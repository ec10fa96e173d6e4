"""`docs/store.md`: the store's layout and tables in words, from the schema itself. `python -m headwater.store.document` prints it."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from headwater.store import layout
from headwater.store.schema import FORMAT, TABLES, Table

_TYPES = {pa.int32(): "int", pa.int64(): "bigint", pa.float64(): "double", pa.string(): "string", pa.bool_(): "boolean"}


def markdown() -> str:
    """The page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# The store"
    yield ""
    yield "Written by `headwater build`, read by everything else; written here from `headwater.store` by `make docs`."
    yield f"Format {FORMAT}. The tables are Parquet: DuckDB, Spark, pandas or any other engine can ask them too."
    yield ""
    yield "`headwater store files TABLE` lists the files of a table, as paths or as a list for SQL:"
    yield ""
    yield "```sh"
    yield "columns=$(headwater store files columns --format sql) entities=$(headwater store files entities --format sql)"
    yield 'duckdb -c "SELECT e.name, c.name FROM read_parquet($columns) c JOIN read_parquet($entities) e USING (entity_id)"'
    yield "```"
    yield ""
    yield "## Layout"
    yield ""
    yield from (line.rstrip() for line in (layout.__doc__ or "").split("\n\n", 1)[1].strip("\n").splitlines())
    yield ""
    yield "Ids are signed 64-bit integers made of content alone: the same thing has the same id in every build, so that two"
    yield "snapshots can be joined. A manifest also holds `run`, what the build says about itself, and lists files that only Headwater"
    yield "reads: `cuts`, `records` and those that begin with `memo-`, from which the next build knows what is unchanged; and `graph`,"
    yield "the arrays that questions are answered from. Files whose rows are all unchanged are listed again by the next snapshot."
    yield "Stores of format 1 are read as they are; the next build brings them to this format."
    for table in TABLES.values():
        yield ""
        yield from table_lines(table)


def table_lines(table: Table) -> Iterator[str]:
    """A table in words: what it holds, and its columns."""
    yield f"## {table.name}"
    yield ""
    yield table.meaning
    yield ""
    yield "| column | type | what it is |"
    yield "|---|---|---|"
    for field in table.fields:
        yield f"| `{field.name}` | {_type(field.type)} | {field.meaning} |"


def _type(type: pa.DataType) -> str:
    if pa.types.is_list(type):
        return f"array of {_type(type.value_type)}"
    return "timestamp" if pa.types.is_timestamp(type) else _TYPES[type]


if __name__ == "__main__":
    print(markdown(), end="")  # noqa: T201 - it is what the module is run for
