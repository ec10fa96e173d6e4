"""Writes statements down: fills their literals in, puts them into scripts and the log, and puts the truth beside them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import md5

from pipeline.chance import filled
from pipeline.edge import QUERY, Edge
from pipeline.scripts import Plan
from pipeline.statements import Statement
from pipeline.tables import TEMPORARY
from pipeline.truth import Document, Truth

_PER_FILE = 10_000
_VARIANTS = 40
"""Sets of literals that a statement has at most."""
_USERS = ("etl", "etl", "etl", "dashboard", "dashboard", "ana", "ben", "cleo", "dev")
_REMARKS = ("", "", "", "\n", "\n\n", "-- next step; nothing special\n", "/* block\n   comment */\n")
_FIRST = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the query log."""

    text: str
    user: str
    started_at: datetime
    database: str


@dataclass(slots=True)
class Corpus:
    """Scripts by path, the query log by path, what is true about them, and how many texts differ by more than literals."""

    scripts: dict[str, str] = field(default_factory=dict)
    logs: dict[str, list[Entry]] = field(default_factory=dict)
    truth: Truth = field(default_factory=Truth)
    shapes: int = 0


@dataclass(slots=True)
class Scribe:
    """Fills a corpus."""

    rng: random.Random
    corpus: Corpus = field(default_factory=Corpus)
    _texts: dict[str, list[str]] = field(default_factory=dict)
    _first: dict[str, str] = field(default_factory=dict)

    def script(self, plan: Plan) -> None:
        """Write a script down; what is repeated mostly has the same literals again."""
        texts = [self._written(statement, plan.path, new=0.1) for statement in plan.statements]
        self._document(plan.path, "script", plan.statements)
        self.corpus.scripts[plan.path] = "".join(f"{self.rng.choice(_REMARKS)}{text};\n" for text in texts)

    def log(self, entries: list[tuple[Statement, str]]) -> None:
        """Write a log down, in no order; each entry is a statement and the schema in which it ran."""
        self.rng.shuffle(entries)
        for number, start in enumerate(range(0, len(entries), _PER_FILE)):
            part = entries[start : start + _PER_FILE]
            path = f"logs/part-{number:05d}.parquet"
            self._document(path, "log", [statement for statement, _ in part])
            self.corpus.logs[path] = [self._entry(statement, schema, path) for statement, schema in part]

    def _entry(self, statement: Statement, schema: str, path: str) -> Entry:
        text = self._written(statement, path, new=0.5)
        started = _FIRST + timedelta(seconds=self.rng.randrange(90 * 86_400))
        return Entry(text, self.rng.choice(_USERS), started, schema)

    def _document(self, path: str, kind: str, statements: list[Statement]) -> None:
        broken = tuple(i for i, statement in enumerate(statements) if statement.broken)
        documents = self.corpus.truth.documents
        documents.append(Document(path, kind, len(documents), len(statements), broken))

    def _written(self, statement: Statement, path: str, new: float) -> str:
        """The statement's text in a place, with one of its sets of literals or, as often as that, a new one."""
        known = self._texts.setdefault(statement.template, [])
        if not known or (len(known) < _VARIANTS and self.rng.random() < new):
            known.append(filled(statement.template, self.rng))
        text = self.rng.choice(known)
        self._note(statement, text, path)
        return text

    def _note(self, statement: Statement, text: str, path: str) -> None:
        """Put down what a statement does in a place."""
        truth, query = self.corpus.truth, ""
        if any(edge.target_table == QUERY for edge in statement.edges):
            query = md5(text.encode(), usedforsecurity=False).hexdigest()
            truth.queries[query] = self._first.setdefault(statement.template, query)
        truth.relations.update(_placed(edge, path, query) for edge in statement.edges)
        table = statement.defines
        if table is not None:
            name = table.full_name if table.schema else path + table.full_name
            truth.columns[name] = tuple(column for column, _ in table.columns)


def _placed(edge: Edge, path: str, query: str) -> Edge:
    """An edge with the query's hash, and with the script's path before temporary views."""
    target, source = edge.target_table, edge.source_table
    if target == QUERY:
        target = QUERY + query
    elif target.startswith(TEMPORARY):
        target = path + target
    if source.startswith(TEMPORARY):
        source = path + source
    return edge._replace(target_table=target, source_table=source)
