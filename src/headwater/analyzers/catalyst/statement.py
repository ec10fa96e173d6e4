"""One statement to its resolution, by Spark's analysis (see `analyzers.answer`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from headwater.analyzers.answer import answered, completed, readable, redacting
from headwater.analyzers.catalyst.catalogs import foreign_schemas, names_in, respelled
from headwater.analyzers.catalyst.plan import everywhere
from headwater.analyzers.catalyst.reading import read_one, read_script
from headwater.analyzers.catalyst.session import Catalyst
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
    schemas = foreign_schemas(names_in(node))
    if schemas:
        plan = engine.parse(respelled(statement, text, schemas))
        node = engine.read(plan)
    inside = {each.name for each in everywhere(node)}
    if inside & _DANGEROUS:
        raise Unread("dynamic SQL, which Spark would run,")
    builder = Builder(statement.dialect, session, Places(statement))
    work = Work(engine, builder, redacting(statement), static.process.type)
    work.schemas = schemas
    work.reader.having = "UnresolvedHaving" in inside
    outcome = read_script(work, plan) if node.name == "CompoundBody" else read_one(work, plan, node)
    return completed(builder, statement, static, outcome)
