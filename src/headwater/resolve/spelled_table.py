"""Tables whose names are values: Snowflake's `IDENTIFIER('db.t')`, `TABLE('t')`, `TABLE($$db."T"$$)`, and variables in their place.

A string names the table (or the CTE) as SQL would spell it. A variable does so only when the statement runs: it is said, and the table
goes by the variable's name.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from headwater.model.diagnostic import Code
from headwater.resolve.from_item import table, table_form
from headwater.resolve.scope import Scope

_STRINGS = (exp.Literal, exp.RawString, exp.National)
_VARIABLES = (exp.Parameter, exp.Placeholder, exp.SessionParameter)


@table_form
def dynamic_identifier(scope: Scope, node: Any) -> bool:
    """`FROM IDENTIFIER('db.t') AS x`, `FROM IDENTIFIER($name)`."""
    return isinstance(node.this, exp.DynamicIdentifier) and spelled_table(scope, node, node.this.this)


def spelled_table(scope: Scope, node: Any, name: Any) -> bool:
    """Put the table that a string or a variable names into FROM, under the alias of *node*; False for any other value."""
    if isinstance(name, _STRINGS):
        found = parsed_name(scope, name.name)
    elif isinstance(name, _VARIABLES):
        scope.builder.say(Code.UNSUPPORTED_CONSTRUCT, "a parameter stands here for a table", node, "parameter")
        mark = "$" if isinstance(name, exp.Parameter) else "" if name.name == "?" else ":"
        found = exp.Table(this=exp.to_identifier(f"{mark}{name.name or '?'}", quoted=True))
    else:
        return False
    alias = node.args.get("alias")
    if isinstance(alias, exp.TableAlias):
        found.set("alias", alias.copy())
    table(scope, found)
    return True


def parsed_name(scope: Scope, text: str) -> Any:
    """The table that a text names, as SQL would spell it."""
    try:
        return exp.to_table(text, dialect=scope.dialect.grammar_name)
    except (SqlglotError, ValueError):
        return exp.Table(this=exp.to_identifier(text, quoted=True))
