"""What PIVOT calls the columns that it makes: from the values after IN, the aggregates and the aliases of both, as each dialect does.

```sql
PIVOT (sum(x) AS s, max(x) FOR m IN ('a' AS p, 'b'))   -- Spark: p_s, p_max(x), b_s, b_max(x)
PIVOT (sum(x) AS s FOR m IN ('a' AS p, 'b'))           -- Oracle: P_S, 'b'_S; BigQuery: s_p, s_b; Spark: p, b
```
"""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

from sqlglot import exp

from headwater.resolve.scope import Scope

_QUOTED_VALUES = frozenset({"snowflake", "oracle"})
"""Dialects in which a string without an alias keeps its quotes in the name."""
_ALIAS_ONLY = frozenset({"oracle", "snowflake"})
"""Dialects in which an aggregate without an alias leaves no trace in the name."""


class Generated(NamedTuple):
    """A column to be made: its name, and which aggregate it holds."""

    name: str
    aggregate: int


def generated_names(scope: Scope, fields: list[Any], aggregates: list[Any]) -> list[Generated] | None:
    """The columns of a PIVOT, value by value, all aggregates each; None where only the data tells the values."""
    values: list[list[str]] = []
    for field in fields:
        listed = field.expressions if isinstance(field, exp.In) else []
        if not listed or any(isinstance(v, (exp.PivotAny, exp.Query)) for v in listed):
            return None
        values.append([_value_name(scope, v) for v in listed])
    if not values:
        return None
    return [
        Generated(_name(scope, "_".join(chosen), aggregate, len(aggregates)), i)
        for chosen in product(*values)
        for i, aggregate in enumerate(aggregates)
    ]


def _value_name(scope: Scope, node: Any) -> str:
    """The part of a name that a value gives: its alias, else its text."""
    dialect = scope.dialect
    grammar = dialect.family
    alias = node.args.get("alias") if isinstance(node, (exp.PivotAlias, exp.Alias)) else None
    if isinstance(alias, exp.Identifier):
        return dialect.column(alias)
    if alias is not None:
        return dialect.fold_column(alias.name, True)
    if isinstance(node, exp.Tuple):
        parts = [_value_name(scope, part) for part in node.expressions]
        return "{" + ", ".join(parts) + "}" if grammar in ("spark", "databricks") else "_".join(parts)
    if isinstance(node, exp.Literal):
        quoted = node.is_string and grammar in _QUOTED_VALUES
        return dialect.fold_column(f"'{node.name}'" if quoted else node.name, True)
    if isinstance(node, exp.Column) and isinstance(node.this, exp.Identifier):
        return dialect.column(node.this)
    return dialect.fold_column(scope.builder.places.expression(node).text or str(node.name), True)


def _name(scope: Scope, value: str, aggregate: Any, count: int) -> str:
    grammar = scope.dialect.family
    alias = scope.dialect.column(aggregate.args["alias"]) if isinstance(aggregate, exp.Alias) else None
    if grammar == "bigquery":
        return f"{alias}_{value}" if alias else f"_{value}" if value[:1].isdigit() else value
    if alias is not None:
        return value if count == 1 and grammar in ("spark", "databricks") else f"{value}_{alias}"
    if count == 1 or grammar in _ALIAS_ONLY:
        return value
    text = scope.builder.places.expression(aggregate).text or str(aggregate.key)
    return f"{value}_{scope.dialect.fold_column(text, False)}"
