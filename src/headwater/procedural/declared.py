"""Declarations become variables: a scalar, or a cursor, record or collection with the columns that its type has."""

from __future__ import annotations

from dataclasses import replace

from headwater.model.resolution import NamedType, Variable
from headwater.procedural.around import Around
from headwater.procedural.trigger import qualified
from headwater.resolve import Session
from headwater.resolve.variable import Variables
from headwater.sql.procedural.tree import Declared, Program

_MOST_NAMES = 10
"""Names that one type may have: a type that is its own would have no end."""


def declare(declared: Declared, variables: Variables, around: Around, session: Session) -> Variable:
    """The variable of a declaration, known from here on; one that is met again, in a loop or another pass, is the same."""
    dialect = variables.dialect
    variable = around.known(declared)
    if variable is not None:
        variables.know(dialect.fold_column(declared.name, declared.quoted), variable)
        if variable.number in variables.shapes:
            return variable
    like = declared.like
    typed = _of_named_type(declared, variables, session)
    shape = _shape(typed, variables, session)
    if variable is None:
        kind = "record" if typed.kind == "scalar" and shape is not None else typed.kind
        variable = variables.add(declared.name, kind, declared.place, declared.quoted)
        around.know(declared, variable)
    if like is not None:
        variables.type_names[variable.number] = dialect.fold_column(like.name, False)
    if _is_collection(typed, variables, session):
        variables.collections.add(variable.number)
    variables.spread = variable if declared.spreads else variables.spread
    if shape is not None:
        variables.shapes[variable.number] = shape
    return variable


def _of_named_type(declared: Declared, variables: Variables, session: Session) -> Declared:
    """A declaration with what its type's own declaration says: of the package around, of another package, or of the script."""
    for _ in range(_MOST_NAMES):
        found = _type(declared, variables, session)
        if found is None:
            break
        kind = declared.kind if found.kind == "scalar" else found.kind
        collection = declared.collection or found.collection
        declared = replace(declared, kind=kind, fields=found.fields, like=found.like, collection=collection)
    return declared


def _type(declared: Declared, variables: Variables, session: Session) -> Declared | None:
    """What is known of a declaration's type."""
    if declared.like is None or declared.fields:
        return None
    parts = declared.like.parts
    name = parts[-1].name.upper()
    if len(parts) == 1:
        found: Declared | None = variables.type_named(name)
        return found
    package = session.programs.get(qualified(parts[:-1], session, variables.dialect))
    return package.types.get(name) if isinstance(package, Program) else None


def _shape(declared: Declared, variables: Variables, session: Session) -> tuple[str, ...] | None:
    """The columns that the type lists, or those of `t%ROWTYPE`: of a cursor, or of a table or named type if they are known."""
    fold = variables.dialect.fold_column
    if declared.fields:
        return tuple(fold(name, False) for name in declared.fields)
    if declared.like is None:
        return None
    cursor = variables.find(fold(declared.like.name, False))
    if cursor is not None and cursor.number in variables.shapes:
        return variables.shapes[cursor.number]
    name = qualified(declared.like.parts, session, variables.dialect)
    named = session.programs.get(name)
    if isinstance(named, NamedType):
        return named.fields or named.element_fields or None
    columns = session.columns(name, variables.dialect)
    return tuple(columns) if columns else None


def _is_collection(declared: Declared, variables: Variables, session: Session) -> bool:
    """Whether a variable holds several elements, by its type."""
    if declared.collection or declared.like is None:
        return declared.collection
    named = session.programs.get(qualified(declared.like.parts, session, variables.dialect))
    return isinstance(named, NamedType) and bool(named.element_fields)
