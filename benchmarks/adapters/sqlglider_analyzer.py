"""sql-glider, which calls sqlglot's lineage for each output column."""

from __future__ import annotations

from sqlglider.global_models import AnalysisLevel
from sqlglider.lineage.analyzer import LineageAnalyzer, QueryLineageResult

from adapters import ReportedError
from corpus import Corpus, Query


class Lenient:
    """`LineageAnalyzer(sql, dialect, schema=…).analyze_queries(level=COLUMN)`; a failing column is only a warning."""

    packages = ("sql-glider", "sqlglot", "sqlglotc")
    strict = False

    def __init__(self, corpus: Corpus) -> None:
        self.dialect = corpus.dialect
        self.schema = corpus.schema

    def run(self, query: Query) -> tuple[LineageAnalyzer, list[QueryLineageResult]]:
        """Parse and analyse; the analyzer is kept, because it knows what it skipped."""
        analyzer = LineageAnalyzer(query.sql, self.dialect, schema=self.schema, strict_lineage=self.strict)
        return analyzer, analyzer.analyze_queries(level=AnalysisLevel.COLUMN)

    def is_answer(self, result: tuple[LineageAnalyzer, list[QueryLineageResult]]) -> bool:
        """A source of any output column, and nothing skipped."""
        analyzer, found = result
        if analyzer.skipped_queries:
            raise ReportedError("; ".join(skipped.reason for skipped in analyzer.skipped_queries))
        return any(item.source_name for lineage in found for item in lineage.lineage_items)


class Strict(Lenient):
    """The same with `strict_lineage=True`: a column that fails ends the query."""

    strict = True
