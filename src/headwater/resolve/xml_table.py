"""XMLTABLE: the nodes that a path finds in a document, one per row; a column's default may come from elsewhere."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import LATERAL
from headwater.resolve.flow import flow
from headwater.resolve.from_item import add_derived
from headwater.resolve.generator import add_column, add_position
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.table_function import call_form


@call_form(exp.XMLTable)
def xml_table(scope: Scope, node: Any, call: Any) -> bool:
    """`XMLTABLE('/r/i' PASSING doc COLUMNS a int PATH '@id', n FOR ORDINALITY)`."""
    passed = [p.this if isinstance(p, exp.Alias) else p for p in call.args.get("passing") or ()]
    arguments = [*passed, *([] if isinstance(call.this, exp.Literal) else [call.this])]
    result = ResultSet(scope.builder, "function", node)
    for argument in arguments:
        flow(scope, argument, result.rows, LATERAL)
    declared = [c for c in call.args.get("columns") or () if isinstance(c, exp.ColumnDef)]
    for each in declared:
        if each.args.get("ordinality") or (each.kind is not None and each.kind.this is exp.DType.BIGSERIAL):
            add_position(scope, result, scope.dialect.column(each.this), each)
            continue
        add_column(scope, result, scope.dialect.column(each.this), [*arguments, *_defaults(each)], each)
    if not declared:
        name = scope.dialect.fold_column("column_value", False)
        add_column(scope, result, name, arguments, node)
    add_derived(scope, node, result.complete(), "xmltable" if scope.dialect.family == "postgres" else None)
    return True


def _defaults(column: Any) -> list[Any]:
    """What a column holds where its path finds nothing."""
    kinds = [c.args.get("kind") for c in column.args.get("constraints") or ()]
    return [k.this for k in kinds if isinstance(k, exp.DefaultColumnConstraint) and isinstance(k.this, exp.Expr)]
