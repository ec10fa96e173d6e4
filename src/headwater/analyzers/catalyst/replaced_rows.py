"""INSERT … REPLACE WHERE, REPLACE ON and REPLACE USING: what decides which rows of the target make way for the new ones.

The plan of an INSERT keeps the condition as it was parsed. Spark analyses it here as that of a filter over the target, or of a join of
the target and the query.
"""

from __future__ import annotations

from typing import Any

from headwater.analyzers.catalyst.flow import flow
from headwater.analyzers.catalyst.join import compare
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.relation import table_outputs
from headwater.analyzers.catalyst.work import Work
from headwater.analyzers.select import Attribute, Scope, Select
from headwater.model.kind import WHERE
from headwater.resolve.builder import Table
from headwater.resolve.replaced_rows import replaced_by_keys
from headwater.resolve.scope import ResultSet


def replaced_rows(work: Work, plan: Any, node: Node, query: Any, table: Table, result: ResultSet) -> bool:
    """Let a REPLACE clause decide over the target's rows; whether there is one."""
    clause = node.tree("replaceCriteriaOpt")
    if clause is None:
        return False
    parsed = plan.replaceCriteriaOpt().get()
    if clause.name == "InsertReplaceUsing":
        names = {work.fold(str(name)): None for name in work.engine.list_of(parsed.cols())}
        replaced_by_keys(work.builder, names, table, result)
    elif clause.name == "InsertReplaceOn":
        alias = parsed.tableAliasOpt()
        target = work.engine.aliased(plan.table(), alias.get()) if alias.isDefined() else plan.table()
        _compared(work, work.engine.joined(target, query, parsed.cond()), table, result)
    else:
        _filtered(work, work.engine.filtered(plan.table(), parsed.cond()), table)
    return True


def _filtered(work: Work, plan: Any, table: Table) -> None:
    """`REPLACE WHERE c`."""
    _, node = work.analysed(plan)
    condition = node.tree("condition")
    assert condition is not None
    scope = Scope(Select(work.reader, None, "delete"), table_outputs(table, node.children[0]))
    flow(scope, condition, table.rows, WHERE)


def _compared(work: Work, plan: Any, table: Table, result: ResultSet) -> None:
    """`REPLACE ON c`: the query is read already, so its columns are those of the result set, one by one."""
    analysed, node = work.analysed(plan)
    outputs = work.engine.list_of(analysed.right().output())
    theirs = [
        Attribute(int(each.exprId().id()), name, column)
        for each, (name, column) in zip(outputs, result.outputs, strict=True)
    ]
    made = Select(work.reader, None, "delete")
    compare(made, node.tree("condition"), table_outputs(table, node.children[0]), theirs, table.rows)
