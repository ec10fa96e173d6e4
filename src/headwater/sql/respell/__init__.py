"""Vendors' phrases that the grammar does not read, spelled so that it does; see `rule`."""

from headwater.sql.respell import (
    bigquery,
    chained_call,
    db2,
    hive,
    inserted,
    mysql,
    oracle_model,
    spark,
    table_operator,
    td_unpivot,
    teradata,
    time_travel,
    tsql,
    units,
    vendors,
    word_predicates,
)
from headwater.sql.respell.endless import ended, may_be_endless
from headwater.sql.respell.operators import may_have_operators, with_known_operators
from headwater.sql.respell.rule import respelled, upper_text

__all__ = [
    "bigquery",
    "chained_call",
    "db2",
    "ended",
    "hive",
    "inserted",
    "may_be_endless",
    "may_have_operators",
    "mysql",
    "oracle_model",
    "respelled",
    "spark",
    "table_operator",
    "td_unpivot",
    "teradata",
    "time_travel",
    "tsql",
    "units",
    "upper_text",
    "vendors",
    "with_known_operators",
    "word_predicates",
]
