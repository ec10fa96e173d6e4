"""openlineage-sql: a parser and a partial column lineage in Rust, without a schema."""

from __future__ import annotations

from openlineage_sql import SqlMeta, parse

from adapters import ReportedError
from corpus import Corpus, Query


class OpenLineage:
    """`openlineage_sql.parse([sql], dialect=…)`."""

    packages = ("openlineage-sql",)

    def __init__(self, corpus: Corpus) -> None:
        self.dialect = corpus.dialect

    def run(self, query: Query) -> SqlMeta | None:
        """One call, with the statement as a list of one."""
        return parse([query.sql], dialect=self.dialect)

    def is_answer(self, result: SqlMeta | None) -> bool:
        """A source of any output column."""
        if result is not None and result.errors:
            raise ReportedError(result.errors[0].message)
        return result is not None and any(found.lineage for found in result.column_lineage)
