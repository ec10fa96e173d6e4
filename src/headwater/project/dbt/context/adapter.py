"""`adapter`: what templates ask of the database, answered from what is known without it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import jinja2

from headwater.project.dbt.context.column import Column
from headwater.project.dbt.context.relation import PARTS, Quotes, Relation
from headwater.project.dbt.context.results import Results, UnknownTable

_QUOTES = {
    **dict.fromkeys(("bigquery", "databricks", "spark", "mysql", "glue", "doris", "starrocks"), Quotes("`", "`")),
    **dict.fromkeys(("clickhouse", "fabricspark", "hive", "impala", "singlestore", "tidb"), Quotes("`", "`")),
    **dict.fromkeys(("sqlserver", "fabric", "synapse"), Quotes("[", "]")),
}
_PARENTS = {
    "redshift": "postgres",
    "databricks": "spark",
    "materialize": "postgres",
    "risingwave": "postgres",
    "greenplum": "postgres",
    "alloydb": "postgres",
    "synapse": "sqlserver",
    "fabric": "sqlserver",
    "fabricspark": "spark",
    "glue": "spark",
    "athena_spark": "spark",
}
"""Adapters whose macros are used where one has none of its own."""


def quotes_of(adapter: str) -> Quotes:
    """How a database writes names in quotes."""
    return _QUOTES.get(adapter, Quotes())


def quoted_parts(adapter: str) -> dict[str, bool]:
    """Which parts of names dbt writes in quotes by default."""
    return dict.fromkeys(PARTS, adapter not in ("snowflake", "") and adapter not in _UNQUOTED)


_UNQUOTED = (
    "spark",
    "clickhouse",
    "hive",
    "impala",
    "athena",
    "glue",
    "fabricspark",
    "exasol",
    "oracle",
    "teradata",
    "vertica",
)


def with_parents(adapter: str) -> tuple[str, ...]:
    """An adapter and those that it stands on, the nearest first.

    >>> with_parents("databricks")
    ('databricks', 'spark')
    """
    found = [adapter] if adapter else []
    while found and found[-1] in _PARENTS:
        found.append(_PARENTS[found[-1]])
    return tuple(found)


def prefixes_of(adapter: str) -> tuple[str, ...]:
    """What the names of an adapter's macros begin with: its own name, that of the one it stands on, `default`."""
    return (*with_parents(adapter), "default")


class Adapter:
    """dbt's adapter without a connection."""

    def __init__(
        self,
        type: str,
        results: Results,
        dispatch: Callable[[str, str | None], Any],
        columns: Callable[[Relation], Mapping[str, str] | None],
        find: Callable[[str, str, str], Relation | None],
        api: SimpleNamespace,
    ) -> None:
        """*api* has the makers of relations and columns, which templates find at the adapter as well."""
        self.Relation, self.Column = api.Relation, api.Column
        self._type, self._results = type, results
        self._dispatch, self._columns, self._find = dispatch, columns, find
        self._quotes = quotes_of(type)

    def dispatch(self, macro_name: str, macro_namespace: str | None = None, **_: object) -> Any:
        """The macro that is meant for the project's database."""
        return self._dispatch(str(macro_name), str(macro_namespace) if macro_namespace else None)

    def type(self) -> str:
        """The adapter's name."""
        return self._type

    def get_columns_in_relation(self, relation: object) -> list[Column]:
        """The columns of a table, as far as they are known; none if they are not."""
        found = self._columns(relation) if isinstance(relation, Relation) else None
        if found is None:
            self._results.note()
        return [Column(name, dtype, self._quotes) for name, dtype in (found or {}).items()]

    get_columns_in_table = get_columns_in_relation

    def get_relation(
        self, database: object = "", schema: object = "", identifier: object = "", **_: object
    ) -> Relation | None:
        """A table, if the project has it."""
        return self._find(str(database or ""), str(schema or ""), str(identifier or ""))

    load_relation = get_relation

    def get_missing_columns(self, source: object, target: object) -> list[Column]:
        """The columns of one table that another one lacks."""
        there = {column.name.lower() for column in self.get_columns_in_relation(target)}
        return [column for column in self.get_columns_in_relation(source) if column.name.lower() not in there]

    def quote(self, name: object) -> str:
        """A name in quotes."""
        return self._quotes.around(str(name))

    def quote_as_configured(self, name: object, part: str = "identifier") -> str:
        """A name, in quotes if the project has them for such a part."""
        return self.quote(name) if quoted_parts(self._type).get(part) else str(name)

    def quote_seed_column(self, name: object, quoted: object = None) -> str:
        """The name of a seed's column."""
        return self.quote(name) if quoted else str(name)

    def execute(self, *args: object, **named: object) -> tuple[str, UnknownTable]:
        """A query that is not run."""
        return "", self._results.run()

    def check_schema_exists(self, *_: object) -> bool:
        """Whether a schema is there: it is, for all that is known."""
        return True

    def list_relations_without_caching(self, *_: object) -> list[Relation]:
        """The tables of a schema: none are known."""
        return []

    list_relations = list_schemas = list_relations_without_caching

    def __getattr__(self, name: str) -> Callable[..., str]:
        """Everything else changes or asks the database: nothing is done, nothing is known."""
        if name.startswith("_"):
            raise AttributeError(name)
        return self._unknown

    def _unknown(self, *args: object, **named: object) -> Any:
        self._results.note()
        return jinja2.Undefined()
