"""`docs/store.md`: the store's layout and tables in words, from the schema itself. `python -m headwater.store.document` prints it."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from headwater.store import layout
from headwater.store.schema import FORMAT, TABLES, Table

_TYPES = {pa.int32(): "int", pa.int64(): "bigint", pa.float64(): "double", pa.string(): "string", pa.bool_(): "boolean"}

_DAMAGE = """\
## Damage

A file that is missing, cut off, changed, or of another store or a newer version is one line on standard error, and the exit code is 2.

| file | what is checked | when |
|---|---|---|
| `store.json`, `current.json`, manifests | their own checksum (CRC-32) | each time they are read |
| files of a table, and the graph's arrays | their size | each time they are opened |
| | their checksum | when a process opens them first, if those of the table have at most 64 MiB together |
| | the checksums of Parquet's pages | when a reader reads pages |
| all files of the newest snapshot | the same | when a build starts |
| all files of all snapshots | everything | `headwater store verify` |

In arrays of more than 64 MiB, only `headwater store verify` finds a flipped bit. On disks, every file has a checksum. In remote stores,
files that Spark has written and only builds read (`cuts`, `records`) have none but those of Parquet's pages, so that no build reads them
twice.
Files of earlier versions have none; `verify` says how many there are.

`headwater store repair` makes the last whole snapshot the current one, and drops those behind it: `current.json` then names them, and
nobody uses them. It removes no file. A build removes dropped snapshots when they are older than those that `--keep` keeps; and as long as a
manifest is missing or cannot be read, it removes no data at all."""


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
    yield ""
    yield from _DAMAGE.splitlines()
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
