"""A model in Python: nothing in it is run; its columns depend on the tables that it asks for."""

import typing as t
from datetime import datetime

import pandas as pd
from sqlmesh import ExecutionContext, model


@model(
    "marts.churn_scores",
    kind="FULL",
    columns={"customer_id": "int", "score": "double"},
    depends_on=["marts.customer_plans"],
)
def execute(
    context: ExecutionContext, start: datetime, end: datetime, execution_time: datetime, **kwargs: t.Any
) -> pd.DataFrame:
    """Score customers by what they paid."""
    table = context.resolve_table("marts.customer_plans")
    plans = context.fetchdf(f"SELECT customer_id, gross FROM {table}")
    plans["score"] = 1 / (1 + plans.pop("gross"))
    return plans
