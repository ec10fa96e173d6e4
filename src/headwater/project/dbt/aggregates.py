"""Measures as SQL: the aggregate that dbt's semantic layer would write."""

from __future__ import annotations

from headwater.project.dbt.document import Document, inner, text, texts
from headwater.project.dbt.elements import SemanticModel

_CALLS = {
    "sum": "SUM({})",
    "min": "MIN({})",
    "max": "MAX({})",
    "count": "COUNT({})",
    "count_distinct": "COUNT(DISTINCT {})",
    "average": "AVG({})",
    "avg": "AVG({})",
    "sum_boolean": "SUM(CASE WHEN {} THEN 1 ELSE 0 END)",
    "median": "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY {})",
}


def aggregate(measure: Document, sql: str) -> str | None:
    """The aggregate of a measure over an expression; None for one that nobody knows.

    >>> aggregate({"agg": "count_distinct"}, "customer_id")
    'COUNT(DISTINCT customer_id)'
    """
    how = text(measure, "agg").lower()
    if how == "percentile":
        parameters = inner(measure, "agg_params")
        share = text(parameters, "percentile") or "0.5"
        function = "PERCENTILE_DISC" if parameters.get("use_discrete_percentile") is True else "PERCENTILE_CONT"
        return f"{function}({share}) WITHIN GROUP (ORDER BY {sql})"
    return _CALLS[how].format(_plain(sql)) if how in _CALLS else None


def _plain(sql: str) -> str:
    """SQL on one line, unless it has comments that end with theirs."""
    return f"{sql}\n" if "--" in sql else sql


def non_additive_filter(measure: Document, model: SemanticModel) -> str:
    """The rows that count for a measure that cannot be added up over time: the first or last of each group; empty if all do.

    `(customer_id, day) IN (SELECT customer_id, MAX(day) FROM balances GROUP BY customer_id)`
    """
    chosen = inner(measure, "non_additive_dimension")
    by = text(chosen, "name")
    if not by:
        return ""
    function = "MAX" if text(chosen, "window_choice").lower() == "max" else "MIN"
    column, groups = _sql_of(by, model), [_sql_of(group, model) for group in texts(chosen, "window_groupings")]
    if not groups:
        return f"{column} = (SELECT {function}({column}) FROM {model.relation})"
    listed = ", ".join(groups)
    return f"({listed}, {column}) IN (SELECT {listed}, {function}({column}) FROM {model.relation} GROUP BY {listed})"


def _sql_of(name: str, model: SemanticModel) -> str:
    """The SQL of a model's dimension or entity; groupings may name it with the entity that leads to it."""
    last = name.rpartition("__")[2]
    elements = (*model.dimensions, *model.entities)
    return next((element.sql for element in elements if element.name in (name, last)), last)
