"""CREATE TYPE: the session knows the type by its name; see `named_type`."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.errors import ErrorLevel

from headwater.model.resolution import NamedType
from headwater.resolve.builder import Builder
from headwater.resolve.field_names import type_fields
from headwater.resolve.named_type import full_type, spell_out
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, resolves
from headwater.sql.form import CreateType


@resolves(CreateType)
def create_type(builder: Builder, form: CreateType, environment: Environment) -> Outcome:
    """CREATE TYPE moves no data."""
    inherited = full_type(builder, form.under) if form.under else None
    if inherited is not None:
        form.kind.set("expressions", [*inherited.expressions, *form.kind.expressions])
    if inherited is not None or not form.under:
        define_type(builder, form.name, form.kind)
    return Outcome("Create Type")


def define_type(builder: Builder, name: Any, kind: Any) -> None:
    """Make a type known by its name."""
    spell_out(builder, kind)
    spelled = kind.sql(builder.dialect.grammar_name, unsupported_level=ErrorLevel.IGNORE)
    fields = tuple(type_fields(builder, kind)) if kind.is_type(exp.DType.STRUCT) else ()
    element = kind.expressions[0] if kind.is_type(exp.DType.ARRAY) and kind.expressions else None
    is_row = isinstance(element, exp.DataType) and element.is_type(exp.DType.STRUCT)
    of_elements = tuple(type_fields(builder, element)) if is_row else ()
    builder.types.append((builder.table_name(name, new=True), NamedType(spelled, fields, of_elements)))
