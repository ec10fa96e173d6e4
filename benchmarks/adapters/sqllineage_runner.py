"""sqllineage on its two parsers."""

from __future__ import annotations

import re

from sqllineage.core.metadata.dummy import DummyMetaDataProvider
from sqllineage.core.models import Column
from sqllineage.runner import LineageRunner

from corpus import Corpus, Query

Paths = list[tuple[Column, ...]]

SQLFLUFF_NAMES = {"spark": "sparksql"}
QUERY = re.compile(r"\s*(?:select|with|\()", re.IGNORECASE)


class SqlFluff:
    """`LineageRunner(sql, dialect=…, metadata_provider=…).get_column_lineage()`.

    sqllineage knows no lineage of a bare query, so queries are read as the source of an INSERT.
    """

    packages = ("sqllineage", "sqlfluff", "sqlparse")

    def __init__(self, corpus: Corpus) -> None:
        self.dialect = SQLFLUFF_NAMES.get(corpus.dialect, corpus.dialect)
        self.provider = DummyMetaDataProvider({qualified(name): list(found) for name, found in corpus.schema.items()})

    def run(self, query: Query) -> Paths:
        """One runner; a bare query becomes an INSERT."""
        sql = f"INSERT INTO query_output\n{query.sql}" if QUERY.match(query.sql) else query.sql
        runner = LineageRunner(sql, dialect=self.dialect, metadata_provider=self.provider)
        paths: Paths = runner.get_column_lineage()
        return paths

    def is_answer(self, result: Paths) -> bool:
        """Any path from a column to a column."""
        return bool(result)


class SqlParse(SqlFluff):
    """The same on the faster, deprecated parser that knows no dialect."""

    def __init__(self, corpus: Corpus) -> None:
        super().__init__(corpus)
        self.dialect = "non-validating"


def qualified(table: str) -> str:
    """A table's key for the metadata provider, which wants a schema before every name."""
    return table if "." in table else f"<default>.{table}"
