"""The column level of a statement, held to the limits of its statement before it is made.

The hops of a statement are counted where they are made. Joined to the column level they can be many more: each of a thousand columns may
have a thousand sources. Those are counted here without being made, and only where there can be too many.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

from headwater.lineage.column_level import Eliminator
from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.entity import EntityKind
from headwater.model.resolution import Resolution
from headwater.model.work import OutOfTime, TooLarge, WorkLimits

LONGEST_EXPRESSION = 1_000
"""Characters of an expression that writers repeat with each relation."""
_OWNER, _NAME = itemgetter(0), itemgetter(1)
_KINDS = 3
"""Relations between the same two columns, as a rule at most: one by data, others by influence."""


def within_levels(resolution: Resolution, limits: WorkLimits, before: int = 0) -> tuple[Resolution, int]:
    """A statement, without its relations where its column level has too many, and how many it has.

    *before* is the number of relations that its script has already.
    """
    try:
        count = _relations(resolution, limits)
        excess = limits.excess(before + count, " in the script so far") if before else None
    except TooLarge as error:
        excess = error
    except OutOfTime:
        message = "the time of the script is up before the relations of the statement are counted (--timeout)"
        return _without_relations(resolution, Code.TIMEOUT, message, "allow more with --timeout"), 0
    if excess is not None:
        return _without_relations(resolution, Code.TOO_LARGE, excess.message, excess.hint), 0
    return resolution, count


def excess_with_literals(resolution: Resolution, limits: WorkLimits) -> TooLarge | None:
    """Why a statement's relations are too many if those from literals are asked for, too; None if they are not."""
    try:
        _relations(resolution, limits, literals=True)
    except TooLarge as error:
        return error
    return None


def _relations(resolution: Resolution, limits: WorkLimits, literals: bool = False) -> int:
    """How many relations a statement has, at the level where it has most, unless that is certainly few; raises `TooLarge`."""
    hops = len(resolution.edges)
    longest = 0 if limits.characters is None else _longest_record(resolution)
    for most in _most(resolution):
        is_few = limits.relations is None or most <= limits.relations
        if is_few and (limits.characters is None or most * longest <= limits.characters):
            return hops
    eliminator, count = Eliminator(resolution, literals), 0
    for found in eliminator.counts():
        count += found
    excess = limits.excess(max(count, hops), " between columns" if count > hops else "")
    if excess is not None:
        raise excess
    if limits.characters is not None and count * longest > limits.characters:
        _refuse_long(eliminator, limits.characters)
    return max(count, hops)


def _most(resolution: Resolution) -> Iterator[int]:
    """How many relations there can be: by the number of all columns, then by that of columns that relations can begin and end in."""
    yield _KINDS * len(resolution.columns) ** 2
    ends = [row.kind is not EntityKind.RESULT_SET for row in resolution.entities]
    count = sum(map(ends.__getitem__, map(_OWNER, resolution.columns)))
    yield _KINDS * count * (count + len(resolution.outputs) + 1)


def _longest_record(resolution: Resolution) -> int:
    """The most characters that a relation repeats."""
    tables = max((sum(map(len, row.table)) for row in resolution.entities if row.table), default=0)
    columns = max(map(len, map(_NAME, resolution.columns)), default=0)
    return 2 * (tables + columns) + LONGEST_EXPRESSION


def _refuse_long(eliminator: Eliminator, most: int) -> None:
    """End the work on a statement whose relations repeat too many characters."""
    characters = 0
    for edge in eliminator.edges():
        ends = (edge.source, edge.target)
        names = sum(len(end.table or "") + len(end.column) for end in ends)
        characters += names + min(len(edge.expression), LONGEST_EXPRESSION)
        if characters > most:
            message = f"more than {most:,} characters in the names and expressions of its relations: that is the limit (--memory)"
            raise TooLarge(message, "--memory")


def _without_relations(resolution: Resolution, code: Code, message: str, hint: str) -> Resolution:
    """A statement that says what it reads, writes and defines, and why there is no more."""
    said = [*resolution.diagnostics, Diagnostic(code, message, resolution.process.span, hint=hint)]
    return resolution._replace(
        edges=[], values=(), outputs=[], output_rows=-1, inferred=frozenset(), assigned=(), diagnostics=said
    )
