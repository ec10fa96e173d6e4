"""Feeds that formats are tried with: a small warehouse, and names that mean something to whoever reads them."""

from __future__ import annotations

import io
from importlib import import_module
from pathlib import Path

import headwater
from headwater.cli.demo import sample_warehouse
from headwater.export.feed import Feed, Level, Scope
from headwater.export.format import Choices, Output
from headwater.export.script_feed import ScriptFeed
from headwater.feeds import StoreFeed
from headwater.graph import open_graph
from stores import make_store

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


def feed_of(sql: str, dialect: str = "hive", level: Level = "column") -> Feed:
    """A script of its own as a feed."""
    return ScriptFeed([headwater.analyze(sql, dialect=dialect, path="a.sql")], Scope(level))


def sample_feed() -> Feed:
    """The sample warehouse that the package brings along."""
    scripts = sorted(sample_warehouse().rglob("*.sql"))
    assert scripts
    return ScriptFeed([headwater.analyze(path.read_text(), path=path.name) for path in scripts])


def small_store_feed(folder: Path) -> Feed:
    """A store with a table, a view and a temporary table: three statements, four relations."""
    lines = """
        db.t.a -> db.u.b TRANSFORMATION = upper(a) @ etl.sql:3 Insert
        db.t.c -> db.u.rows FILTER where @ etl.sql:3 Insert
        db.u.b -> db.v.b @ etl.sql:9 Create View
        view db.v
        temporary x
        db.v.b -> x.b @ etl.sql:12 Insert
    """
    return StoreFeed(open_graph(make_store(folder, lines).path))


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
