"""How operands become one result set: outputs by position or by name, rows of all, and what is compared."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import DISTINCT, FROM_ROWS, IDENTITY, SET_OPERATION, candidate
from headwater.resolve.builder import Builder, Owner
from headwater.resolve.field import field_of
from headwater.resolve.scope import ResultSet
from headwater.resolve.shape import has_fields
from headwater.resolve.star_width import aligned


def branches_of(node: Any) -> list[Any]:
    """The operands of a set operation, its left spine flattened."""
    branches: list[Any] = []
    while isinstance(node, exp.SetOperation):
        branches.append(node.expression)
        node = node.this
    return [node, *branches[::-1]]


def open_union(builder: Builder, node: Any, first: ResultSet, by_name: bool = False) -> ResultSet:
    """A result set with the outputs of the first operand; by name, those inside of an open star keep theirs."""
    result = ResultSet(builder, "union", node)
    result.is_union = True
    result.is_struct = first.is_struct
    for name, source in (first if by_name else first.by_position()).outputs:
        add = result.add_inside if source in builder.inside else result.add
        output = result.add_open_star(first, None) if name == "*" and first.open else add(name, None)
        builder.edges.append((output, source, IDENTITY, None))
        builder.unions[output] = [source]
    return result


def branch_into(builder: Builder, result: ResultSet, branch: ResultSet, by_name: bool) -> None:
    """Let a further operand flow into a union's outputs."""
    if by_name:
        _by_name(builder, result, branch)
        return
    branch.by_position()
    spread_elements(builder, result, branch)
    if len(branch.outputs) != len(result.outputs) and not branch.open and not result.open:
        builder.say(
            Code.SCHEMA_MISMATCH,
            f"the branches of a set operation have {len(result.outputs)} and {len(branch.outputs)} columns",
            None,
        )
    for output, source, kind in aligned(builder, result, branch):
        builder.edges.append((output, source, kind, None))
        builder.unions.setdefault(output, []).append(source)
    if branch.open and result.open:
        result.stars += [branch for name, _ in branch.outputs if name == "*"][: len(result.outputs)]


def spread_elements(builder: Builder, result: ResultSet, branch: ResultSet) -> None:
    """Where one side is `*` over unnested elements whose fields are not declared, it has the fields of the other side."""
    if len(branch.outputs) == 1 < len(result.outputs) and _is_element(builder, branch):
        _spread(builder, branch, result)
    elif len(result.outputs) == 1 < len(branch.outputs) and _is_element(builder, result):
        _spread(builder, result, branch)
        for _, output in result.outputs:
            builder.unions[output] = [builder.origins.pop(output)]


def _is_element(builder: Builder, result: ResultSet) -> bool:
    """Whether the only output of a result set is the element of an array, which may be a struct."""
    column = result.outputs[0][1]
    while column in builder.origins or column in builder.unions:
        column = builder.origins[column] if column in builder.origins else builder.unions[column][0]
    return column in builder.elements and has_fields(builder, column) is None


def _spread(builder: Builder, narrow: ResultSet, wide: ResultSet) -> None:
    """Give a result set whose only output is a struct one output per field, by the names of another."""
    element = narrow.outputs[0][1]
    narrow.outputs, narrow.columns, narrow.open = [], {}, False
    narrow.listed = narrow.columns
    for name, _ in wide.outputs:
        source = field_of(builder, element, name)
        output = narrow.add(name, None)
        builder.edges.append((output, source, IDENTITY, None))
        builder.origins[output] = source


def _by_name(builder: Builder, result: ResultSet, branch: ResultSet) -> None:
    """Columns of one name flow together; behind an open star there may be one of any name."""
    earlier = list(result.stars)
    for name, source in branch.outputs:
        output = result.columns.get(name)
        if name == "*" and branch.open:
            if output is None:
                output = result.add_open_star(branch, None)
            else:
                result.stars.append(branch)
        elif output is None:
            output = result.add(name, None)
            for star in earlier:
                _may_flow(builder, star, name, output)
        builder.edges.append((output, source, IDENTITY, None))
        builder.unions.setdefault(output, []).append(source)
    if branch.open:
        for name, output in result.outputs:
            if name not in branch.columns:
                _may_flow(builder, branch, name, output)


def _may_flow(builder: Builder, branch: Owner, name: str, output: int) -> None:
    """Let the column of that name which an operand may have behind its star flow into an output."""
    if branch.may_own(name):
        source = branch.claim(name)
        builder.edges.append((output, source, candidate(IDENTITY), None))
        builder.unions.setdefault(output, []).append(source)


def keep_columns(result: ResultSet, branches: list[ResultSet], node: Any) -> None:
    """ON (a, b) keeps these columns, INNER those that all branches have, LEFT those of the first; otherwise all stay."""
    listed = node.args.get("on") or []
    if listed:
        fold = result.builder.dialect.column
        wanted = [fold(c.this if isinstance(c, exp.Column) else c) for c in listed]
        names = dict.fromkeys(name for name in wanted if name in result.columns)
    elif str(node.args.get("kind") or "").upper() == "INNER":
        names = dict.fromkeys(name for name in result.columns if all(b.open or name in b.columns for b in branches))
    elif str(node.args.get("side") or "").upper() == "LEFT":
        names = dict.fromkeys(name for name, _ in branches[0].outputs)
    else:
        return
    order = list(names) if listed else [name for name, _ in result.outputs if name in names]
    result.outputs = [(name, result.columns[name]) for name in order]
    result.columns = dict(result.outputs)
    result.listed = result.columns
    result.open = result.open and "*" in result.columns


def close(builder: Builder, node: Any, result: ResultSet, branches: list[ResultSet]) -> None:
    """What decides over the rows of a set operation: all its branches' rows, and the columns that are compared."""
    edges = builder.edges
    for branch in branches:
        edges.append((result.rows, branch.rows, FROM_ROWS, None))
    kind = DISTINCT if isinstance(node, exp.Union) else SET_OPERATION
    if kind == SET_OPERATION or node.args.get("distinct"):
        chosen = result.columns if node.args.get("by_name") else None
        for branch in branches:
            for name, column in branch.outputs:
                if chosen is None or name in chosen:
                    edges.append((result.rows, column, kind, None))
    result.complete()
