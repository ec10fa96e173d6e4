"""Functions in FROM: well-known ones by their rule, any other as rows made of all its arguments."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import IDENTITY, LATERAL, TRANSFORMATION
from headwater.resolve.flow import flow
from headwater.resolve.from_item import add_derived, alias_columns, alias_name, table_form
from headwater.resolve.generator import GENERATORS, NAMED_COLUMNS, SERIES, arguments_of, generate, name_of
from headwater.resolve.query import is_query, query
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.values import is_default


class FunctionResult(ResultSet):
    """The rows of a table function whose columns nobody declared: any column may exist, made of all arguments."""

    __slots__ = ("call",)
    call: int

    def claim(self, name: str) -> int:
        """A column of that name, made of the call."""
        found = self.columns.get(name) or self.claims.get(name)
        if found is None:
            found = self.claims[name] = self.builder.column(self.entity, name, None)
            self.builder.edges.append((found, self.call, IDENTITY, None))
            self.builder.inferred.add(found)
        return found

    def star(self) -> list[tuple[str, int]]:
        """Its listed outputs; just `*` where there are none."""
        return self.outputs or [("*", self.claim("*"))]


@table_form
def function_as_table(scope: Scope, node: Any) -> bool:
    """`FROM f(x)`, `FROM TABLE(f(x))`: a table node that holds a call. Db2's `TABLE (SELECT …)` is a lateral query."""
    call = node.this
    if not isinstance(call, exp.Func):
        return False
    if isinstance(call, exp.Anonymous) and call.name.upper() == "TABLE" and len(call.expressions) == 1:
        call = call.expressions[0]
        while isinstance(call, exp.Dot) and isinstance(call.expression, (exp.Dot, exp.Func)):
            call = call.expression
        if is_query(call):
            add_derived(scope, node, query(scope.builder, call, scope, scope.environment))
            return True
        if not isinstance(call, exp.Func):
            if scope.dialect.grammar_name == "oracle":
                return False
            call = node.this
    table_function(scope, node, call)
    return True


def _value(argument: Any) -> Any:
    """An argument without its name: `header = true` in a call in FROM sets an option, it does not compare."""
    named = (
        isinstance(argument, exp.EQ) and isinstance(argument.this, exp.Column) and not argument.this.args.get("table")
    )
    return argument.expression if named else argument


def table_function(scope: Scope, node: Any, call: Any) -> None:
    """A function in FROM: known generators by their rule, any other as rows made of all its arguments."""
    name = name_of(call)
    if name in GENERATORS or name in SERIES or name in NAMED_COLUMNS:
        names = alias_columns(scope, node)
        alias = alias_name(scope, node)
        if not names and alias is not None and scope.dialect.grammar_name == "postgres" and name not in NAMED_COLUMNS:
            names = [alias]
        result = generate(scope, call, names, call)
        result.row.alias = alias
        scope.add(alias or name, result)
        return
    builder = scope.builder
    result = FunctionResult(builder, "function", node)
    result.open = True
    result.call = builder.function(call)
    for argument in map(_value, arguments_of(call)):
        if is_default(argument):
            continue
        if isinstance(argument, exp.Subquery) or not is_query(argument):
            flow(scope, argument, result.call, TRANSFORMATION)
        flow(scope, argument, result.rows, LATERAL)
    for listed in alias_columns(scope, node):
        column = result.add(listed, node)
        builder.edges.append((column, result.call, IDENTITY, node))
        result.open = False
    if result.open:
        builder.say(
            Code.UNKNOWN_TABLE_FUNCTION,
            f"the columns of the table function {name} are not known; each is taken to depend on all its arguments",
            node,
            name,
        )
    result.row.alias = alias_name(scope, node)
    scope.add(result.row.alias or name, result.complete())
