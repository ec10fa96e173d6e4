"""CREATE TYPE: it moves no data; what is declared to be of the type has its fields."""

from __future__ import annotations

from headwater.model.resolution import Definition
from headwater.resolve.builder import Builder
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, resolves
from headwater.sql.form import NamedType


@resolves(NamedType)
def create_type(builder: Builder, form: NamedType, environment: Environment) -> Outcome:
    """The fields of a type; a collection has those of its elements."""
    columns = dict(form.fields) or None
    if form.element is not None:
        columns = builder.session.columns(builder.table_name(form.element), builder.dialect)  # type: ignore[assignment]
    builder.defines.append(Definition(builder.table_name(form.name), columns, type=form.kind))
    return Outcome("Create Type")
