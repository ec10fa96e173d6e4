"""Compares what a statement's tokens name with what was made of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.kind import WRITE_ROWS
from headwater.model.resolution import Resolution
from headwater.model.span import Span
from headwater.procedural import resolutions
from headwater.procedural.defect import described
from headwater.resolve import Session
from headwater.sql.form import Routine
from headwater.sql.mentions.due import DueName, due_names
from headwater.sql.mentions.moving import holds_query, moves_nothing
from headwater.sql.statement import Statement
from headwater.sql.words import word

_SAYS_NO_LOSS = frozenset({Code.SKIPPED_CLAUSE, Code.GUESSED_COLUMN, Code.MANY_TABLES})
"""Diagnostics of statements that may yet have lost a table."""

Made = list[tuple[Statement, Resolution]]


def witnessed(statement: Statement, session: Session) -> Made:
    """The resolutions of a statement, with a diagnostic for each table that its tokens name and its lineage has not.

    The statements inside of a program are looked at one by one, and then the program as a whole: its reader may have passed one over.
    """
    made = list(resolutions(statement, session))
    if not statement.due.moves:
        return made
    found = [resolution for _, resolution in made]
    try:
        missed = list(_missed(statement, found, found, statement))
        if len(made) > 1:
            made = [_witnessed_inside(each, resolution, found, statement) for each, resolution in made]
            missed = missed if all(a is b for a, (_, b) in zip(found, made, strict=True)) else []
    except Exception as error:  # noqa: BLE001 - the statement boundary: a defect of the witness costs its word, not the script
        missed = [described(error, statement.span)]
    if not missed:
        return made
    first, resolution = made[0]
    return [(first, _with(resolution, missed)), *made[1:]]


def _witnessed_inside(
    inner: Statement, resolution: Resolution, found: Sequence[Resolution], program: Statement
) -> tuple[Statement, Resolution]:
    """A statement of a program: what it names may be known from any other of them."""
    if inner is program or not inner.due.moves:
        return inner, resolution
    missed = list(_missed(inner, [resolution], found, program))
    if inner.text is not program.text:  # a text that is executed
        missed = [replace(each, span=resolution.process.span) for each in missed]
    return inner, _with(resolution, missed)


def _with(resolution: Resolution, missed: list[Diagnostic]) -> Resolution:
    return resolution._replace(diagnostics=[*resolution.diagnostics, *missed]) if missed else resolution


def _has_relations(resolution: Resolution) -> bool:
    """Whether there is more than that what is written has as many rows as the query: `INSERT INTO t SELECT` reads nothing."""
    edges = resolution.edges
    return len(edges) > 1 or (len(edges) == 1 and edges[0][2] != WRITE_ROWS)


def _plain_names(found: Iterable[Resolution]) -> set[str]:
    """The names of entities as they are folded, or their aliases: enough for most statements, and quick."""
    return {
        row.table[-1] if row.table else row.alias or row.spelled for resolution in found for row in resolution.entities
    }


def _all_names(found: Iterable[Resolution]) -> set[str]:
    return _tables(found) | _columns(found)


def _tables(found: Iterable[Resolution]) -> set[str]:
    """The names of all entities, in lower case: the last part, as it is folded, as it was spelled, and as an alias."""
    names: set[str] = set()
    for resolution in found:
        for row in resolution.entities:
            if row.table:
                names.add(row.table[-1].lower())
            if row.spelled:
                names.add(row.spelled.rpartition(".")[2].lower())
            if row.alias:
                names.add(row.alias.lower())
            if row.variable is not None:
                names.add(row.variable.name.lower())
        for definition in resolution.defines:
            names.add(definition.table[-1].lower())
    return names


def _columns(found: Iterable[Resolution]) -> set[str]:
    return {name.rpartition(".")[2].lower() for resolution in found for _, name, _ in resolution.columns}


def _missed(
    statement: Statement, own: Sequence[Resolution], found: Sequence[Resolution], program: Statement
) -> Iterable[Diagnostic]:
    """What the tokens of a statement show and is not in its *own* resolutions, nor its names in those that were *found* in its program."""
    has_relations = False
    for resolution in own:
        if resolution.diagnostics and not _SAYS_NO_LOSS.issuperset(d.code for d in resolution.diagnostics):
            return ()
        has_relations = has_relations or _has_relations(resolution)
    names = statement.due.names
    if has_relations and (names <= _plain_names(found) or names <= _tables(found) or names <= _all_names(found)):
        return ()
    return _looked_at(statement, found, has_relations, program)


def _looked_at(
    statement: Statement, found: Sequence[Resolution], has_relations: bool, program: Statement
) -> Iterator[Diagnostic]:
    tokens = statement.tokens()
    if moves_nothing(tokens):
        return
    names = _all_names(found)
    names |= _changed_rows(program, names)
    missing = [each for each in due_names(tokens, statement.dialect) if not _is_known(each, names, statement)]
    for each in {each.name: each for each in reversed(missing)}.values():
        message = f"the statement names {each.spelled} behind {each.word}, but its lineage has no such table"
        yield Diagnostic(Code.MISSING_LINEAGE, message, _placed(each.span, statement), each.spelled)
    if not has_relations and not missing and holds_query(tokens):
        first = word(tokens[0])
        yield Diagnostic(Code.MISSING_LINEAGE, f"no lineage was found in {first}", statement.span, first)


def _changed_rows(program: Statement, names: set[str]) -> set[str]:
    """The names that a trigger gives to all changed rows: they mean its table, if that is one of the *names* that were found."""
    trigger = program.tree.program.trigger if isinstance(program.tree, Routine) and program.tree.program else None
    if trigger is None or trigger.table.name.lower() not in names:
        return set()
    return {name.lower() for name in trigger.tables}


def _is_known(due: DueName, names: set[str], statement: Statement) -> bool:
    return due.name in names or due.name in {name[-1].lower() for name in statement.dialect.one_row_tables}


def _placed(span: Span, statement: Statement) -> Span:
    start = statement.span.start
    return Span(span.start + start, span.end + start)
