"""One statement to its resolution, by Spark's analysis (see `analyzers.answer`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from headwater.analyzers.answer import answered, completed, readable, redacting
from headwater.analyzers.catalyst.catalogs import foreign_names, foreign_schemas, names_in
from headwater.analyzers.catalyst.edits import edited
from headwater.analyzers.catalyst.plan import everywhere
from headwater.analyzers.catalyst.reading import found_in_session, read_one, read_script
from headwater.analyzers.catalyst.session import Catalyst
from headwater.analyzers.catalyst.time_travel import TIME_TRAVEL, version_clauses
from headwater.analyzers.catalyst.variant import COLON
from headwater.analyzers.catalyst.work import Work
from headwater.analyzers.select import Unread
from headwater.budget import Resolved
from headwater.model.resolution import Resolution
from headwater.resolve.builder import Builder
from headwater.resolve.session import Session
from headwater.sql.place import Places
from headwater.sql.statement import Statement

_DANGEROUS = frozenset({"UnresolvedExecuteImmediate", "ExecuteImmediateCommand", "ExecuteImmediateQuery"})
"""What Spark would run while it analyses."""


def analysed(
    statement: Statement, session: Session, static: Iterable[Resolved], engine: Catalyst
) -> Iterator[Resolved]:
    """What a statement resolves to as Spark understands it; the static resolution where Spark does not."""
    return answered(statement, static, "Spark", lambda resolution: _resolved(statement, session, resolution, engine))


def _resolved(statement: Statement, session: Session, static: Resolution, engine: Catalyst) -> Resolution:
    text = readable(statement)
    plan = engine.parse(text)
    node = engine.read(plan)
    inside = [*everywhere(node)]
    names = {each.name for each in inside}
    if names & _DANGEROUS:
        raise Unread("dynamic SQL, which Spark would run,")
    builder = Builder(statement.dialect, session, Places(statement))
    work = Work(engine, builder, redacting(statement), static.process.type)
    work.reader.having = "UnresolvedHaving" in names
    work.reader.pivots = "Pivot" in names
    work.reader.documents = frozenset(str(each.fields.get("field")) for each in inside if each.name == COLON)
    evolves = any(each.fields.get("withSchemaEvolution") is True for each in inside)
    if node.name == "CompoundBody" or evolves or not found_in_session(work, node):
        work.schemas = foreign_schemas(names_in(node))
        edits = [*foreign_names(statement, work.schemas), *(version_clauses(statement) if TIME_TRAVEL in names else ())]
        if edits:
            plan = engine.parse(edited(text, edits))
            node = engine.read(plan)
    outcome = read_script(work, plan) if node.name == "CompoundBody" else read_one(work, plan, node)
    return completed(builder, statement, static, outcome)
