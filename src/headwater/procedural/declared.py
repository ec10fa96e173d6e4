"""Declarations become variables: a scalar, or a cursor, record or collection with the columns that its type has."""

from __future__ import annotations

from headwater.model.resolution import Variable
from headwater.procedural.around import Around
from headwater.procedural.trigger import qualified
from headwater.resolve import Session
from headwater.resolve.named_type import fields_of_type
from headwater.resolve.variable import Variables
from headwater.sql.dialect import Dialect
from headwater.sql.procedural.tree import Declared


def declare(declared: Declared, variables: Variables, around: Around, session: Session) -> Variable:
    """The variable of a declaration, known from here on; one that is met again, in a loop or another pass, is the same."""
    dialect = variables.dialect
    variable = around.known(declared)
    named = _named_fields(declared, session, dialect)
    if variable is None:
        variable = variables.add(declared.name, "record" if named else declared.kind, declared.place, declared.quoted)
        around.know(declared, variable)
    else:
        variables.know(dialect.fold_column(declared.name, declared.quoted), variable)
        if variable.number in variables.shapes:
            return variable
    if declared.collection:
        variables.collections.add(variable.number)
    variables.spread = variable if declared.spreads else variables.spread
    shape = named or _shape(declared, variables, session)
    if shape is not None:
        variables.shapes[variable.number] = shape
    return variable


def _shape(declared: Declared, variables: Variables, session: Session) -> tuple[str, ...] | None:
    """The columns that the type lists, or those of `t%ROWTYPE`: of a cursor, or of a table if they are known."""
    fold = variables.dialect.fold_column
    if declared.fields:
        return tuple(fold(name, False) for name in declared.fields)
    if declared.like is None:
        return None
    cursor = variables.find(fold(declared.like.name, False))
    if cursor is not None and cursor.number in variables.shapes:
        return variables.shapes[cursor.number]
    columns = session.columns(qualified(declared.like, session, variables.dialect), variables.dialect)
    return None if columns is None else tuple(columns)


def _named_fields(declared: Declared, session: Session, dialect: Dialect) -> tuple[str, ...]:
    """The fields of a variable whose type the script has defined: `DECLARE r addr`."""
    return fields_of_type(session, dialect, declared.type) if declared.kind == "scalar" else ()
