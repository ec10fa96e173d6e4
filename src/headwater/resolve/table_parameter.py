"""A parameter in the place of a table, `FROM ?`, `FROM :source`: which table that is shows only when the statement runs."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.resolve.from_item import table_form
from headwater.resolve.scope import Scope


@table_form
def table_parameter(scope: Scope, node: Any) -> bool:
    """Say it, and leave the table to go by the parameter's name."""
    if isinstance(node.this, exp.Placeholder):
        scope.builder.say(Code.UNSUPPORTED_CONSTRUCT, "a parameter stands here for a table", node, "parameter")
    return False
