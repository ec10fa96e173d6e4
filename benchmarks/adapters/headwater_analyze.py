"""Headwater at its three depths. The catalog is made once; `analyze` takes it in place of a mapping."""

from __future__ import annotations

import headwater
from adapters import ReportedError
from corpus import Corpus, Query


class Analyze:
    """`headwater.analyze(sql, dialect=…, schema=Catalog)`: the complete model in its compact form."""

    packages = ("headwater", "sqlglot", "sqlglotc")

    def __init__(self, corpus: Corpus) -> None:
        self.dialect = corpus.dialect
        self.catalog = headwater.Catalog(corpus.schema)

    def run(self, query: Query) -> headwater.Lineage:
        """The compact model."""
        return headwater.analyze(query.sql, dialect=self.dialect, schema=self.catalog)

    def is_answer(self, result: headwater.Lineage) -> bool:
        """A column edge, and no diagnostic of severity error."""
        errors = [found.message for found in result.diagnostics if found.severity == "error"]
        if errors:
            raise ReportedError("; ".join(errors))
        return bool(result.column_edges())


class ColumnEdges(Analyze):
    """The same, and `column_edges()`: the answer that the peers give."""

    def run(self, query: Query) -> headwater.Lineage:
        """The compact model and its edges."""
        result = super().run(query)
        result.column_edges()
        return result


class CompleteRecords(Analyze):
    """The same, and `.relations`: every relation of the complete model as a record."""

    def run(self, query: Query) -> headwater.Lineage:
        """The compact model and its records."""
        result = super().run(query)
        _ = result.relations
        return result
