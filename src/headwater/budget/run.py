"""A statement to its resolutions, within its budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from headwater.budget.budget import KEPT_FOR_OTHERS, Budget, held_by, seconds_in_words
from headwater.budget.portable import unpacked
from headwater.budget.process import Failed, Unavailable, run
from headwater.budget.worker import Analysis, Answer
from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.resolution import Resolution
from headwater.model.work import OutOfTime, WorkLimits, current_work
from headwater.resolve import Session, resolve
from headwater.sql.dialect import Dialect, dialect
from headwater.sql.statement import Statement
from headwater.sql.target import with_target
from headwater.witness import Made, witnessed

_LEAST_MEMORY = 100
"""Megabytes that a worker has in any case."""


class Resolved(NamedTuple):
    """A resolved statement, its redacted text and the name of the dialect that understood it."""

    resolution: Resolution
    sql: str
    dialect: str


def resolved(statement: Statement, dialects: Sequence[Dialect], session: Session, budget: Budget) -> Iterable[Resolved]:
    """What a statement resolves to: one resolution, or several where a heavy piece of T-SQL holds several statements.

    Raises `OutOfTime` where the time of the script is up and nothing is left for a worker.
    """
    if not statement.postponed:
        made = _resolved_here(statement, session)
        if made is not None:
            return [Resolved(resolution, each.sql, each.dialect.name) for each, resolution in made]
    asked, budget = budget, budget.within(current_work().left)
    try:
        return _elsewhere(statement, dialects, session, budget, asked.limits)
    except Failed as failure:
        message = _message(failure.code, budget, asked)
        problem = Diagnostic(failure.code, message, statement.span, hint=_HINTS[failure.code])
    except Unavailable:
        problem = Diagnostic(Code.TOO_DEEP, "the statement needs a process of its own, which cannot be started here")
    failed = replace(statement, tree=None, diagnostics=(problem,))
    return (Resolved(resolve(failed, session), statement.sql, statement.dialect.name),)


def _resolved_here(statement: Statement, session: Session) -> Made | None:
    """The resolutions that this process makes; None where the statement is too deep, or takes longer than a turn."""
    work = current_work()
    work.begin_turn()
    try:
        made = witnessed(statement, session)
    except OutOfTime:
        if work.left <= 0:
            raise
        return None
    finally:
        work.end_turn()
    return None if any(d.code is Code.TOO_DEEP for _, resolution in made for d in resolution.diagnostics) else made


def _elsewhere(
    statement: Statement, dialects: Sequence[Dialect], session: Session, budget: Budget, limits: WorkLimits
) -> list[Resolved]:
    text, (start, end) = statement.text, statement.span
    made = statement.source
    readable = made.readable[start - made.offset : end - made.offset] if made is not None else text.raw[start:end]
    request = Analysis(
        with_target(text.raw[start:end], statement.target),
        with_target(readable, statement.target),
        start,
        tuple(d.name for d in dialects),
        session.default_schema,
        session.ambiguous,
        session.functions,
        session.programs,
        budget.timeout,
        None if budget.memory is None else max(int(budget.memory) - held_by(len(text.raw)), _LEAST_MEMORY),
        whole=made is not None and made.is_uncut(start),
        insert_by=session.insert_by,
        limits=limits,
    )

    def tell(question: str, *about: Any) -> Any:
        if question == "definition":
            return session.definition(about[0])
        if question == "means":
            return session.means(about[0], dialect(about[1]))
        if question == "catalog_tables":
            return session.catalog_tables(about[0], dialect(about[1]))
        columns = session.columns(about[0], dialect(about[1]))
        return None if columns is None else dict(columns)

    answers: list[Answer] = run(request, tell, current_work().left - KEPT_FOR_OTHERS)
    found = [unpacked(each.portable, text)._replace(conditions=statement.conditions) for each in answers]
    return [
        Resolved(resolution, text.slice(*resolution.process.span), each.dialect)
        for resolution, each in zip(found, answers, strict=True)
    ]


def _message(code: Code, budget: Budget, asked: Budget) -> str:
    """What happened. Behind other heavy statements of its script a statement has less time than was *asked* for."""
    if code is Code.TIMEOUT and budget.timeout is not None and asked.timeout is not None:
        limit = f"the limit is {seconds_in_words(asked.timeout)} (--timeout)"
        if budget.timeout < 0.9 * asked.timeout:
            had = seconds_in_words(budget.timeout)
            return f"the statement was not analysed within {had}, what others left of the script's time: {limit} per statement"
        return f"the statement was not analysed in time: {limit}"
    if code is Code.OUT_OF_MEMORY:
        return f"the statement needs more memory: the limit is {budget.memory:,} MB (--memory)"
    return "the process that analysed the statement died"


_HINTS = {
    Code.TIMEOUT: "allow more with --timeout, or take the statement apart",
    Code.OUT_OF_MEMORY: "allow more with --memory, or take the statement apart",
    Code.CRASHED: "report it with the statement",
}
