"""A job that reads a view which a notebook defines."""

import pandas as pd
from sqlalchemy import text


def revenue(engine, connection):
    with engine.connect() as open_connection:
        open_connection.execute(text("INSERT INTO mart.revenue SELECT * FROM mart.by_customer"))
    return pd.read_sql("SELECT customer_id, revenue FROM mart.revenue", connection)
