"""CREATE FUNCTION, CREATE MACRO: no data moves; what the function means is known from then on."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.entity import TableName
from headwater.model.resolution import Parameter, Routine, SqlFunction
from headwater.resolve.builder import Builder
from headwater.resolve.named_type import fields_of_type
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, resolves
from headwater.sql.form import CreateFunction


@resolves(CreateFunction)
def create_function(builder: Builder, form: CreateFunction, environment: Environment) -> Outcome:
    """`CREATE FUNCTION f (a int) RETURNS int RETURN a + 1`."""
    dialect = builder.dialect
    name = builder.table_name(form.name)
    for each in form.bodies:
        parameters = tuple((dialect.fold_column(p, False), default) for p, default in each.parameters)
        columns = tuple(dialect.column(c) for c in each.columns)
        if each.returns:
            columns = fields_of_type(builder.session, dialect, each.returns)
        _note_literals(builder, each.body)
        found = SqlFunction(name, parameters, each.body, columns, form.temporary, aggregates=form.aggregates)
        builder.functions.append(found._replace(types=each.types))
        if each.broken is not None:
            message = (
                f"the body of {name[-1]} is not one query or expression; its calls are taken for those of any function"
            )
            builder.say(Code.UNSUPPORTED_CONSTRUCT, message, each.broken, name[-1])
    builder.routines.append(_head(builder, form, name))
    return Outcome(form.type)


def _head(builder: Builder, form: CreateFunction, name: TableName) -> Routine:
    """What the function is called, and its arguments; of several bodies, those of the first."""
    spelled = [part.name for part in form.name.parts]
    arguments = [parameter for parameter, _ in form.bodies[0].parameters] if form.bodies else []
    parameters = tuple(Parameter(each, "", "in") for each in arguments)
    qualified = ".".join((*name[: -len(spelled)], *spelled))
    return Routine(qualified, "function", parameters, builder.places.span(form.name), folded=".".join(name))


def _note_literals(builder: Builder, body: Any) -> None:
    """Literals are shown where the function is called, which may be in another script: as this one shows them."""
    for literal in body.find_all(exp.Literal) if isinstance(body, exp.Expr) else ():
        literal.meta["shown"] = builder.places.expression(literal).text


def drop_function(builder: Builder, node: Any) -> Outcome:
    """`DROP FUNCTION f`: what the script said about it no longer holds."""
    for each in node.args.get("tables") or [node.this]:
        if isinstance(each, exp.Table) and isinstance(each.this, exp.Identifier):
            builder.dropped_functions.append(builder.table_name(each))
    return Outcome("Drop Function")
