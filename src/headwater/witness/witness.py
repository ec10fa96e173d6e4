"""Compares what a statement's tokens name with what was made of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.resolution import Resolution
from headwater.model.span import Span
from headwater.procedural import resolutions
from headwater.resolve import Session
from headwater.sql.mentions.due import DueName, due_names
from headwater.sql.mentions.moving import holds_query, moves_nothing
from headwater.sql.statement import Statement
from headwater.sql.words import word

_SAYS_NO_LOSS = frozenset({Code.SKIPPED_CLAUSE, Code.GUESSED_COLUMN})
"""Diagnostics of statements that may yet have lost a table."""

Made = list[tuple[Statement, Resolution]]


def witnessed(statement: Statement, session: Session) -> Made:
    """The resolutions of a statement, with a diagnostic for each table that its tokens name and its lineage has not."""
    made = list(resolutions(statement, session))
    due = statement.due
    if not due.moves or any(d.code not in _SAYS_NO_LOSS for _, resolution in made for d in resolution.diagnostics):
        return made
    found = [resolution for _, resolution in made]
    has_relations = any(resolution.edges for resolution in found)
    if has_relations and any(due.names <= names(found) for names in (_plain_names, _tables, _all_names)):
        return made
    missed = list(_missed(statement, found, has_relations))
    if not missed:
        return made
    first, resolution = made[0]
    return [(first, resolution._replace(diagnostics=[*resolution.diagnostics, *missed])), *made[1:]]


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


def _missed(statement: Statement, found: Sequence[Resolution], has_relations: bool) -> Iterator[Diagnostic]:
    tokens = statement.tokens()
    if moves_nothing(tokens):
        return
    names = _all_names(found)
    missing = [each for each in due_names(tokens, statement.dialect) if not _is_known(each, names, statement)]
    for each in {each.name: each for each in reversed(missing)}.values():
        message = f"the statement names {each.spelled} behind {each.word}, but its lineage has no such table"
        yield Diagnostic(Code.MISSING_LINEAGE, message, _placed(each.span, statement), each.spelled)
    if not has_relations and not missing and holds_query(tokens):
        first = word(tokens[0])
        yield Diagnostic(Code.MISSING_LINEAGE, f"no lineage was found in {first}", statement.span, first)


def _is_known(due: DueName, names: set[str], statement: Statement) -> bool:
    return due.name in names or due.name in {name[-1].lower() for name in statement.dialect.one_row_tables}


def _placed(span: Span, statement: Statement) -> Span:
    start = statement.span.start
    return Span(span.start + start, span.end + start)
