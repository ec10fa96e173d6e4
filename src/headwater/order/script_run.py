"""`ScriptRun`: a script that is resolved statement by statement; others may take their turn in between."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from typing import NamedTuple

from headwater.budget import Budget, Resolved
from headwater.budget.budget import seconds_in_words
from headwater.lineage.asked import with_asked_columns
from headwater.lineage.level_limit import within_levels
from headwater.lineage.lineage import Lineage, StatementLineage
from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.entity import TableName
from headwater.model.resolution import Resolution
from headwater.model.span import Span
from headwater.model.work import MAX_TEXTS, OutOfTime, Work
from headwater.procedural.later import calls_of_later, may_call
from headwater.resolve import Session
from headwater.sql.dialect import Dialect
from headwater.sql.redact import Redacted
from headwater.sql.script import Script
from headwater.sql.statement import Statement

Resolver = Callable[[Statement, Sequence[Dialect], Session], Iterable[Resolved]]
"""Resolves a statement, as an engine does it."""


class ScriptRun:
    """A script under way: `step` resolves its next statement, `lineage` is what came out of all of them."""

    def __init__(
        self,
        sql: str,
        dialects: Sequence[Dialect],
        session: Session,
        path: str | None,
        resolver: Resolver,
        budget: Budget | None = None,
    ) -> None:
        self._sql, self._dialects, self._path, self._resolver = sql, dialects, path, resolver
        self.session = session
        """The state in which the next statement is resolved."""
        self._budget = budget or Budget()
        self._left = self._budget.script_seconds
        self._texts_left: float = MAX_TEXTS
        self._behind = 0
        """Where the last statement ends."""
        self._given_up: Diagnostic | None = None
        self._remarks: tuple[Diagnostic, ...] = ()
        self._statements = self._split()
        with self._at_work() as work:
            self._next = self._following()
        self._spend(work)
        self._results: list[Resolved] = []
        self._programs: list[_Program] = []
        self._texts: dict[int, Redacted] = {}
        self._relations = 0
        """How many all statements so far have."""

    @property
    def offset(self) -> int | None:
        """Where the next statement begins; None behind the last one."""
        return None if self._next is None else self._next.span.start

    def step(self) -> list[Resolution]:
        """Resolve the next statement."""
        statement = self._next
        if statement is None:
            return []
        self._texts[id(statement.text)] = statement.text
        first, before = len(self._results), self.session
        with self._at_work() as work:
            self._next = self._following() if self._resolve(statement) else None
        self._spend(work)
        if may_call(statement):
            self._programs.append(_Program(statement, before.default_schema, first, len(self._results)))
        return [each.resolution for each in self._results[first:]]

    def _resolve(self, statement: Statement) -> bool:
        """Resolve a statement; false where the time of the script is up before."""
        try:
            for each in self._resolver(statement, self._dialects, self.session):
                self._results.append(self._within_levels(each))
                self.session = self.session.after(self._results[-1].resolution)
        except OutOfTime:
            self._give_up()
            return False
        self._behind = statement.span.end
        return True

    def _within_levels(self, made: Resolved) -> Resolved:
        resolution, count = within_levels(made.resolution, self._budget.limits, self._relations)
        self._relations += count
        return made if resolution is made.resolution else made._replace(resolution=resolution)

    def _split(self) -> Iterator[Statement]:
        """The statements, one after the other; none of a script that is too long."""
        excess = self._budget.excess_of(len(self._sql))
        if excess is not None:
            code, message = excess
            self._given_up = Diagnostic(code, message, hint="take the script apart, or allow more")
            return
        script = Script(self._sql, self._dialects, postpone=True)
        self._remarks = script.remarks
        yield from script.statements()

    def _following(self) -> Statement | None:
        """The next statement; None behind the last one, and where the time is up."""
        try:
            return next(self._statements, None)
        except OutOfTime:
            self._give_up()
        return None

    def _at_work(self) -> Work:
        """Holds to the limits what is done inside."""
        work = Work(self._budget.limits, self._left, self._budget.turn, is_here=True)
        work.texts_left = self._texts_left
        return work

    def _spend(self, work: Work) -> None:
        """Note what a part of the work has left to the next one."""
        self._left, self._texts_left = work.left, work.texts_left

    def _give_up(self) -> None:
        rest = self._sql[self._behind :]
        start = self._behind + len(rest) - len(rest.lstrip("; \t\r\n"))
        self._say_time_is_up("what follows is left out", Span(start, start))

    def _say_time_is_up(self, consequence: str, place: Span) -> None:
        limit = seconds_in_words(self._budget.script_seconds)
        message = f"the script was not analysed within {limit}: {consequence} (--timeout)"
        hint = "allow more with --timeout, or take the script apart"
        self._given_up = self._given_up or Diagnostic(Code.TIMEOUT, message, place, hint=hint)

    def lineage(self) -> Lineage:
        """The lineage of the script, whose last statement is resolved."""
        self._resolve_callers()
        text = reduce(Redacted.also, self._texts.values()) if self._texts else None
        asked = with_asked_columns([each.resolution for each in self._results])
        statements = [StatementLineage(made, *each[1:]) for made, each in zip(asked, self._results, strict=True)]
        lineage = Lineage(
            statements, self._sql, self._path, text.slice if text else None, self._budget.limits, self._left
        )
        for remark in (*self._remarks, *((self._given_up,) if self._given_up else ())):
            lineage.remark(remark)
        lineage.note_zeros()
        return lineage

    def _resolve_callers(self) -> None:
        """Resolve the callers of procedures again that the script defines behind the call."""
        results, programs, session = self._results, self._programs, self.session
        calls = [(each.statement, [r.resolution for r in results[each.start : each.end]]) for each in programs]
        again: dict[int, list[Resolved]] = {}
        for i in calls_of_later(calls, session):
            here = replace(session, default_schema=programs[i].default_schema)
            try:
                with self._at_work() as work:
                    made = self._resolver(programs[i].statement, self._dialects, here)
                    again[i] = [self._within_levels(each) for each in made]
            except OutOfTime:
                self._say_time_is_up(
                    "calls of procedures that it defines later are left out", programs[i].statement.span
                )
                break
            finally:
                self._spend(work)
            for each in again[i]:
                session.define_functions(each.resolution.functions)
        for i in sorted(again, reverse=True):
            results[programs[i].start : programs[i].end] = again[i]


class _Program(NamedTuple):
    """A statement that may call procedures, the schema it was met in, and where its results stand."""

    statement: Statement
    default_schema: TableName | None
    start: int
    end: int
