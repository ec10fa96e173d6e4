"""Delta Lake's clones. What its commands run inside (files that are looked for, the log) is no job of its own."""

from __future__ import annotations

from typing import Any

from headwater.analyzers.catalyst.executed.commands import Executed, executes
from headwater.analyzers.catalyst.executed.owners import parts_of
from headwater.analyzers.catalyst.places import local
from headwater.analyzers.catalyst.plan import Node
from headwater.model.kind import FROM_ROWS, IDENTITY
from headwater.resolve.builder import Table
from headwater.resolve.scope import ResultSet
from headwater.resolve.statement import Outcome


@executes("CreateDeltaTableCommand")
def create(work: Executed, plan: Any, node: Node) -> Outcome | None:
    """CREATE TABLE … CLONE; any other table is created by a command around this one, or has no query."""
    asked = plan.query()
    if not asked.isDefined() or str(asked.get().getClass().getSimpleName()) != "CloneTableCommand":
        return None
    return _clone(work, asked.get().sourceTable(), work.owners.table(parts_of(node.fields["table"]["identifier"])))


@executes("CloneTableCommand")
def clone(work: Executed, plan: Any, node: Node) -> Outcome:
    """A clone to a path."""
    return _clone(work, plan.sourceTable(), work.owners.path(local(str(plan.targetPath().toString())), "delta"))


def _clone(work: Executed, cloned: Any, table: Table) -> Outcome:
    if not cloned.catalogTable().isDefined():
        source = work.owners.path(local(str(cloned.dataPath().toString())), "delta")
    else:
        identifier = cloned.catalogTable().get().identifier()
        source = work.owners.table((str(identifier.database().get()), str(identifier.table())))
    work.builder.reads(source)
    result = ResultSet(work.builder, "select_list", None)
    names = [work.fold(str(name)) for name in cloned.schema().fieldNames()]
    source.schema = {**(source.schema or {}), **dict.fromkeys(names, "")}
    for name in names:
        work.builder.edge(result.add(name, None), source.claim(name), IDENTITY, None)
    work.builder.edge(result.rows, source.rows, FROM_ROWS, None)
    work.write(table, names, result.complete())
    return Outcome("Clone")
