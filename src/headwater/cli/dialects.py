"""`headwater dialects`: the dialects there are, and what each does with names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from headwater.cli.echo import echo_lines
from headwater.cli.shared_options import color_option
from headwater.sql.dialect import Dialect, dialect, dialect_names, other_names
from headwater.sql.folding import Fold, insensitive, sensitive, unquoted_lower, unquoted_upper

TITLES = {
    "ansi": "SQL as the standard has it",
    "athena": "Amazon Athena",
    "bigquery": "Google BigQuery",
    "clickhouse": "ClickHouse",
    "databricks": "Databricks SQL",
    "db2": "IBM Db2",
    "dlt": "Databricks pipelines (Delta Live Tables, Lakeflow)",
    "doris": "Apache Doris",
    "dremio": "Dremio",
    "drill": "Apache Drill",
    "druid": "Apache Druid",
    "duckdb": "DuckDB",
    "exasol": "Exasol",
    "fabric": "Microsoft Fabric Warehouse",
    "flink": "Apache Flink SQL",
    "greenplum": "Greenplum",
    "hive": "Apache Hive",
    "impala": "Apache Impala",
    "materialize": "Materialize",
    "mysql": "MySQL, MariaDB",
    "oracle": "Oracle Database",
    "postgres": "PostgreSQL",
    "presto": "PrestoDB",
    "redshift": "Amazon Redshift",
    "risingwave": "RisingWave",
    "singlestore": "SingleStore",
    "snowflake": "Snowflake",
    "spark": "Apache Spark SQL",
    "sqlite": "SQLite",
    "starrocks": "StarRocks",
    "teradata": "Teradata Vantage",
    "trino": "Trino",
    "tsql": "Microsoft SQL Server, Azure Synapse",
    "vertica": "Vertica",
}
"""What each dialect is the language of."""

_FOLDS: dict[Fold, str] = {
    insensitive: "case never matters",
    unquoted_lower: "lower case unless quoted",
    unquoted_upper: "upper case unless quoted",
    sensitive: "case matters",
}


@click.command(short_help="List the SQL dialects.")
@click.option(
    "-f", "--format", "format_", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True
)
@color_option
def dialects(format_: str) -> None:
    """List the SQL dialects that --dialect takes: their names, what they are, and how they fold names."""
    found = [_row(dialect(name)) for name in dialect_names()]
    if format_ == "json":
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
    else:
        echo_lines(_lines(found) if format_ == "text" else _page(found))


def _row(of: Dialect) -> dict[str, Any]:
    columns, tables = _folding(of.fold_column), _folding(of.fold_table or of.fold_column)
    return {
        "name": of.name,
        "other_names": other_names(of.name),
        "title": TITLES.get(of.name, of.name),
        "descends_from": of.parent or None,
        "quotes": [opening + closing for opening, closing in of.name_quotes.items()],
        "columns": columns,
        "tables": tables,
    }


def _folding(fold: Fold) -> str:
    """How names are folded, in a few words: ours, or those of the rule itself."""
    said = (fold.__doc__ or "by a rule of its own").strip().splitlines()[0].rstrip(".")
    return _FOLDS.get(fold, said[:1].lower() + said[1:])


_INTRODUCTION = """\
# Dialects

The names that `--dialect` takes. `headwater dialects --format markdown` writes this page.

* *Names* says what becomes of a name: which spellings mean the same column, and the same table where that differs.
* *Quotes* are those that stand around names; two of them inside a quoted name are one. A quoted name may be any word, reserved or not.
* Reserved words: where a database takes a word as a name without quotes (`SELECT date FROM t`), so does Headwater. A word that the
  grammar does not take there is a `syntax-error`, never a silent loss. The cases of each dialect (`tests/cases/dialect`,
  `tests/cases/vendor`) show some.
* A dialect that *descends* from another has its phrases, statements and programs ([decision 15](decisions/0015-dialect-families.md)).
  [coverage.md](coverage.md) counts the cases of each.

| name | also called | what it is | descends from | names | quotes |
|---|---|---|---|---|---|"""


def _page(found: list[dict[str, Any]]) -> Iterator[str]:
    """The dialects as a page of the documentation."""
    yield _INTRODUCTION
    for each in found:
        also = ", ".join(f"`{name}`" for name in each["other_names"])
        quotes = " ".join(f"`` {pair} ``" for pair in each["quotes"])
        yield f"| `{each['name']}` | {also} | {each['title']} | {each['descends_from'] or ''} | {_names(each)} | {quotes} |"


def _names(row: dict[str, Any]) -> str:
    differs = row["tables"] != row["columns"]
    return f"{row['columns']}; of tables: {row['tables']}" if differs else str(row["columns"])


def _lines(found: list[dict[str, Any]]) -> Iterator[str]:
    """A table: a heading, then a dialect a line."""
    rows = [("name", "also called", "what it is", "names")]
    for each in found:
        rows.append((each["name"], ", ".join(each["other_names"]), each["title"], _names(each)))
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    for i, row in enumerate(rows):
        cells = [f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False)]
        if i == 0:
            yield click.style("  ".join([*cells, row[3]]), dim=True)
        else:
            yield "  ".join([click.style(cells[0], bold=True), *cells[1:], row[3]])
