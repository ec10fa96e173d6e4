"""UNION, EXCEPT, INTERSECT, recursion: result sets whose columns are put together by position."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.analyzers.select import Attribute, Select
from headwater.model.kind import FROM_ROWS, IDENTITY, SET_OPERATION
from headwater.resolve.scope import ResultSet

Operand = tuple[ResultSet, list[Attribute]]
"""A result set, and its columns in the order of the outputs."""


def combined(select: Select, operands: Sequence[Operand], flowing: int) -> list[Attribute]:
    """A FROM item made of operands; data flows from the first *flowing*, where that is one, what is compared decides over the rows."""
    result = ResultSet(select.builder, "union", None)
    outputs = [Attribute(c.id, c.name, result.add(select.fold(c.name), None)) for c in operands[0][1]]
    for number, operand in enumerate(operands):
        take(result, outputs, operand, data=number < flowing)
        if flowing == 1 and len(operands) > 1:
            for column in operand[1]:
                select.builder.edge(result.rows, column.column, SET_OPERATION, None)
    select.items.append(result.complete().rows)
    return outputs


def take(result: ResultSet, outputs: list[Attribute], operand: Operand, data: bool = True) -> None:
    """Let an operand's rows, and its *data*, be part of a result set."""
    builder = result.builder
    branch, columns = operand
    builder.edge(result.rows, branch.rows, FROM_ROWS, None)
    for output, column in zip(outputs, columns, strict=False) if data else ():
        builder.edge(output.column, column.column, IDENTITY, None)
        builder.unions.setdefault(output.column, []).append(column.column)
