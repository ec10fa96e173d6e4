"""A database, through SQLAlchemy: the model reference's `sqlflow_dbobjects` and `sqlflow_columns`, and our relations beside them."""

from __future__ import annotations

from headwater.export.feed import Feed
from headwater.export.format import Choices, ExportError, Format


def send(feed: Feed, url: str, choices: Choices) -> str:
    """Write a feed into the database of a SQLAlchemy URL, in one transaction; gives what is there now, in words."""
    try:
        from headwater.export.rdbms.database import store
    except ModuleNotFoundError as missing:
        raise ExportError(f"{missing.name} is not installed: pip install 'headwater[rdbms]'") from missing
    return store(feed, url, choices)


FORMAT = Format(
    "rdbms",
    "tables sqlflow_dbobjects and sqlflow_columns, and the relations, in a database (SQLite, PostgreSQL, …)",
    None,
    send=send,
    levels=("column", "table"),
)
