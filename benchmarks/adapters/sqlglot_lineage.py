"""sqlglot's own lineage, in the three ways that its signature offers."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.lineage import Node, lineage
from sqlglot.schema import MappingSchema

from corpus import Corpus, Query, Schema

Nodes = list[Node]


class PerColumn:
    """As documented: `lineage(column, sql, schema=dict, dialect=…)` for each output column.

    The names of the output columns are found beforehand, outside the clock.
    """

    packages = ("sqlglot", "sqlglotc")

    def __init__(self, corpus: Corpus) -> None:
        self.dialect = corpus.dialect
        self.schema = nested(corpus.schema)
        self.columns = {query.name: self._columns(query) for query in corpus.queries}

    def run(self, query: Query) -> Nodes:
        """One call for each output column."""
        columns = self.columns[query.name]
        return [lineage(column, query.sql, schema=self.schema, dialect=self.dialect) for column in columns]

    def is_answer(self, result: Nodes) -> bool:
        """A table's column below any output column."""
        return reaches_table(result)

    def _columns(self, query: Query) -> list[str]:
        return list(lineage(None, query.sql, schema=self.schema, dialect=self.dialect, trim_selects=False))


class AllColumns:
    """`lineage(None, sql, schema=MappingSchema, dialect=…)`: every output column in one call, the schema made once."""

    packages = ("sqlglot", "sqlglotc")
    trim_selects = True

    def __init__(self, corpus: Corpus) -> None:
        self.dialect = corpus.dialect
        self.schema = MappingSchema(nested(corpus.schema), dialect=corpus.dialect)

    def run(self, query: Query) -> Nodes:
        """One call for all output columns."""
        found = lineage(None, query.sql, self.schema, dialect=self.dialect, trim_selects=self.trim_selects)
        return list(found.values())

    def is_answer(self, result: Nodes) -> bool:
        """A table's column below any output column."""
        return reaches_table(result)


class Untrimmed(AllColumns):
    """The same with `trim_selects=False`, which spares a copy of the query for each node: its fastest setting."""

    trim_selects = False


def nested(schema: Schema) -> dict[str, Any]:
    """`{"db.t": …}` as `{"db": {"t": …}}`, the form that sqlglot takes."""
    result: dict[str, Any] = {}
    for name, columns in schema.items():
        *parents, table = name.split(".")
        level = result
        for parent in parents:
            level = level.setdefault(parent, {})
        level[table] = columns
    return result


def reaches_table(nodes: Nodes) -> bool:
    """Whether any of these nodes leads to a table's column."""
    return any(isinstance(node.expression, exp.Table) for root in nodes for node in root.walk())
