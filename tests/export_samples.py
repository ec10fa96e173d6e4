"""Feeds that formats are tried with: a small warehouse, and names that mean something to whoever reads them."""

from __future__ import annotations

import io
from importlib import import_module

import headwater
from headwater.export.feed import Feed, Level, Scope
from headwater.export.format import Choices, Output
from headwater.export.script_feed import ScriptFeed

WAREHOUSE = """
CREATE TABLE raw.orders (order_id bigint, customer_id bigint, amount decimal(12,2), status string);
CREATE TABLE raw.customers (customer_id bigint, email string, country string);
CREATE TABLE raw.idle (a int);
CREATE VIEW staging.orders AS SELECT order_id, customer_id, amount FROM raw.orders WHERE status <> 'cancelled';
CREATE VIEW staging.customers AS SELECT customer_id, sha2(email, 256) AS email_hash, country FROM raw.customers;
CREATE TABLE mart.sales AS
SELECT c.country, sum(o.amount) AS revenue FROM staging.orders o JOIN staging.customers c ON o.customer_id = c.customer_id
GROUP BY c.country;
INSERT INTO mart.sales SELECT country, 0 FROM staging.customers;
INSERT INTO mart.top SELECT country, rank() OVER (ORDER BY revenue DESC) AS place FROM mart.sales;
"""

HOSTILE = [
    *(
        'a"b',
        "x\ny",
        "nul\0z",
        "<script>alert(1)</script>",
        "</script>",
        "😀",
        "half\ud800",
        "L" * 10_000,
        "end",
        "subgraph",
    ),
    *(
        "--> b",
        "`md`",
        "**bold**",
        "1. list",
        "- item",
        "#35;",
        "&lt;",
        "\\N \\G",
        '"]:::x',
        "%% c",
        "]]>",
        "=1+1",
        "\u202ex",
    ),
    *("@SUM(A1)", "tab\tq", "it's", "{}", "|pipe|", "\u2028u", "-1", "+1"),
]


def warehouse(level: Level = "column", impact: bool = True, sql: str = WAREHOUSE, dialect: str = "spark") -> ScriptFeed:
    """The warehouse as a feed."""
    return ScriptFeed([headwater.analyze(sql, dialect=dialect)], Scope(level, impact=impact))


def hostile(level: Level = "column") -> ScriptFeed:
    """Tables and columns with hostile names."""
    names = ['"' + name.replace('"', '""') + '"' for name in HOSTILE]
    columns = ", ".join(names)
    return warehouse(
        level,
        sql=f'CREATE VIEW {names[3]} AS SELECT {columns} FROM "t <b>" WHERE {names[8]} > 1',
        dialect="postgres",
    )


def written(format: str, feed: Feed, choices: Choices | None = None) -> tuple[bytes, list[str]]:
    """What a format's module writes, and what it says it left out."""
    stream = io.BytesIO()
    output = Output(stream)
    write = import_module(f"headwater.export.{format}").FORMAT.write
    write(feed, output, choices or Choices())
    return stream.getvalue(), list(output.left_out())


def text(format: str, feed: Feed, choices: Choices | None = None) -> str:
    """What a format's module writes, as text."""
    return written(format, feed, choices)[0].decode("utf-8")
