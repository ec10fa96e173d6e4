"""One statement to its resolution, by GoogleSQL's analysis (see `analyzers.answer`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from headwater.analyzers.answer import answered, completed, readable, redacting
from headwater.analyzers.select import Unread
from headwater.analyzers.zetasql.engine import GoogleSql
from headwater.analyzers.zetasql.script_function import called
from headwater.analyzers.zetasql.service import Insert
from headwater.analyzers.zetasql.work import Work, commands
from headwater.analyzers.zetasql.writing import insert_into_unknown
from headwater.budget import Resolved
from headwater.model.resolution import Resolution
from headwater.resolve.builder import Builder
from headwater.resolve.session import Session
from headwater.sql.place import Places
from headwater.sql.statement import Statement


def analysed(
    statement: Statement, session: Session, static: Iterable[Resolved], engine: GoogleSql
) -> Iterator[Resolved]:
    """What a statement resolves to as GoogleSQL understands it; the static resolution where it does not."""
    return answered(
        statement, static, "GoogleSQL", lambda resolution: _resolved(statement, session, resolution, engine)
    )


def _resolved(statement: Statement, session: Session, static: Resolution, engine: GoogleSql) -> Resolution:
    builder = Builder(statement.dialect, session, Places(statement))
    work = Work(builder, redacting(statement), static.process.type)
    words = {token.text.lower() for token in statement.tokens()}
    work.reader.having, work.reader.qualify = "having" in words, "qualify" in words
    work.reader.piped = "|>" in words
    tree = engine.analyse(readable(statement), called(session, words), work.tell)
    if work.confused:
        raise Unread("what names tables that differ in case only")
    if isinstance(tree, Insert):
        outcome = insert_into_unknown(work, tree)
    else:
        command = commands.handlers.get(tree.name)
        if command is None:
            raise Unread(f"the statement {tree.name}")
        outcome = command(work, tree)
    return completed(builder, statement, static, outcome)
