"""The unit: sqlglot's compiled parser and nothing else."""

from __future__ import annotations

import sqlglot
from sqlglot import exp

from corpus import Corpus, Query

Trees = list[exp.Expr | None]


class Parse:
    """`sqlglot.parse(sql, dialect=…)`."""

    packages = ("sqlglot", "sqlglotc")

    def __init__(self, corpus: Corpus) -> None:
        self.dialect = corpus.dialect

    def run(self, query: Query) -> Trees:
        """One call."""
        return sqlglot.parse(query.sql, dialect=self.dialect)

    def is_answer(self, result: Trees) -> bool:
        """A tree that is not an opaque command; parsing has no lineage to look at."""
        return bool(result) and not isinstance(result[0], exp.Command)
