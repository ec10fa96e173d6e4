"""DataHub's schema-aware parser, which runs sqlglot's optimizer and lineage."""

from __future__ import annotations

from datahub.emitter.mce_builder import make_dataset_urn
from datahub.sql_parsing.schema_resolver import SchemaResolver
from datahub.sql_parsing.sqlglot_lineage import SqlParsingResult, sqlglot_lineage

from adapters import ReportedError
from corpus import Corpus, Query


class DataHub:
    """`sqlglot_lineage(sql, schema_resolver=…)` with a resolver that holds the whole schema.

    It caches results by text; the worker's texts differ in every pass, so no pass is answered from the cache.
    """

    packages = ("acryl-datahub", "sqlglot", "sqlglotc")

    def __init__(self, corpus: Corpus) -> None:
        self.resolver = SchemaResolver(platform=corpus.dialect)
        for table, columns in corpus.schema.items():
            self.resolver.add_raw_schema_info(make_dataset_urn(corpus.dialect, table), columns)

    def run(self, query: Query) -> SqlParsingResult:
        """One call; the cache cannot answer it."""
        return sqlglot_lineage(query.sql, schema_resolver=self.resolver)

    def is_answer(self, result: SqlParsingResult) -> bool:
        """An upstream of any output column."""
        if result.debug_info.error:
            raise ReportedError(str(result.debug_info.error))
        return any(found.upstreams for found in result.column_lineage or ())
