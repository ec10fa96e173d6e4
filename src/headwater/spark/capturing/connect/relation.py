"""A client's relations, as CTEs of one statement: each names its columns, in order, and reads from those before it.

The same plan in two places is one CTE, so that a DataFrame which is used ten times is written once. Relations have their writers in
`leaf`, `shape`, `combine` and `group`, each under its name in Spark's protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from headwater.analyzers.select import Unread
from headwater.model.diagnostic import Diagnostic
from headwater.spark.capturing.connect.expression import Expressions
from headwater.spark.capturing.connect.naming import Column, Item, Result, quoted, typed
from headwater.spark.capturing.connect.server import Server

Write = Callable[["Relations", Any], Result]
_WRITERS: dict[str, Write] = {}


def writes(*kinds: str) -> Callable[[Write], Write]:
    """Register the writer of relations."""

    def register(write: Write) -> Write:
        _WRITERS.update(dict.fromkeys(kinds, write))
        return write

    return register


class Relations:
    """The CTEs of a statement in the making."""

    def __init__(self, server: Server, schema: str, views: Mapping[str, Any], kept: Mapping[str, Any]) -> None:
        self.server = server
        self.schema = schema
        """The current one, in which unqualified tables are."""
        self.views = views
        """Temporary views, by their lower-case names: the relations that they stand for."""
        self.kept = kept
        """Checkpoints, by their ids: the relations that they were made of."""
        self.schemas: dict[str, dict[str, str]] = {}
        """Columns of tables that SQL in the plan mentions."""
        self.groups: dict[str, str] = {}
        """The queries of CTEs that HAVING may be added to."""
        self.gaps: list[Diagnostic] = []
        """What is not known, though the rest is."""
        self._ctes: dict[str, str] = {}
        self._results: dict[int, Result] = {}
        self._references: dict[int, Any] = {}

    def result(self, relation: Any) -> Result:
        """What a relation gives."""
        plan = relation.common.plan_id if relation.common.HasField("plan_id") else None
        if plan is not None and plan in self._results:
            return self._results[plan]
        kind = relation.WhichOneof("rel_type")
        if kind not in _WRITERS:
            raise Unread(kind or "an empty relation")
        made = _WRITERS[kind](self, relation)
        if plan is not None:
            here = frozenset((plan,))
            made = made._replace(columns=tuple(c._replace(origins=c.origins | here) for c in made.columns))
            self._results[plan] = made
        return made

    def add(self, select: str, columns: Sequence[Column], name: str = "") -> Result:
        """A CTE: *columns* are what its query gives, in order."""
        name = name or f"_{len(self._ctes) + 1}"
        self._ctes[name] = f"{quoted(name)}({', '.join(quoted(c.sql) for c in columns)}) AS ({select})"
        return Result(name, tuple(columns))

    def asked(self, relation: Any, select: str) -> Result:
        """A CTE whose columns only the server knows."""
        return self.add(select, self.columns(relation))

    def columns(self, relation: Any) -> tuple[Column, ...]:
        """A relation's columns, as the server tells them; it is told what the relation refers to."""
        if not self._references:
            return typed(self.server.columns(relation))
        whole = type(relation)()
        whole.with_relations.root.CopyFrom(relation)
        whole.with_relations.references.extend(self._references.values())
        return typed(self.server.columns(whole))

    def over(self, *results: Result) -> Expressions:
        """Expressions over one result; or over two that are called `_l` and `_r`."""
        aliases = ("",) if len(results) == 1 else ("_l", "_r")
        return Expressions([Item(r, a) for r, a in zip(results, aliases, strict=True)], self._subquery)

    def view(self, name: str) -> Result | None:
        """What a temporary view gives, if there is one of that name."""
        relation = self.views.get(name.lower())
        return None if relation is None else self.result(relation)

    def named_view(self, name: str) -> bool:
        """Whether there is a temporary view of that name; it is a CTE then, which SQL in the plan finds."""
        made = self.view(name)
        if made is not None and name.lower() not in self._ctes:
            self.add(f"SELECT {star(made)} FROM {quoted(made.cte)}", made.columns, name.lower())
        return made is not None

    @contextmanager
    def referring(self, relations: Iterable[Any]) -> Iterator[None]:
        """Relations that expressions, or SQL, refer to: by the ids of their plans, or as views."""
        before = self.views, self._references
        relations = list(relations)
        self._references = {**self._references, **{each.common.plan_id: each for each in relations}}
        aliases = {r.subquery_alias.alias.lower(): r for r in relations if r.HasField("subquery_alias")}
        self.views = {**self.views, **aliases}
        yield
        self.views, self._references = before

    def statement(self, head: str, final: str) -> str:
        """The statement: *head* is what stands before WITH."""
        ctes = ", ".join(self._ctes.values())
        return " ".join(filter(None, (head, ctes and f"WITH {ctes}", final)))

    def _subquery(self, query: Any, outer: Expressions) -> str:
        relation = self._references.get(query.plan_id)
        if relation is None:
            raise Unread("a subquery without its plan")
        result = self.result(relation)
        inner = f"SELECT {star(result)} FROM {quoted(result.cte)}"
        if query.subquery_type == 1:
            return f"({inner})"
        if query.subquery_type == 2:
            return f"EXISTS ({inner})"
        if query.subquery_type == 4:
            return f"(({outer.listed(query.in_subquery_values)}) IN ({inner}))"
        raise Unread("a table as an argument")


def star(result: Result) -> str:
    """All columns of a result, in SQL."""
    return ", ".join(quoted(column.sql) for column in result.columns)
