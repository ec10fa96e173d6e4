"""Stores for the end-to-end tests of the explorer: a small shop of which a person knows every answer, a wide one, a hostile one."""

from __future__ import annotations

from pathlib import Path

from headwater.model.entity import EntityKind
from headwater.store import Store
from headwater.store.identity import column_id, entity_id, identify
from stores import Rows, make_store, rows_of, write_rows

LOAD = """-- Loads the shop.
INSERT INTO mart.daily
SELECT o.day, sum(o.amount) AS total, count(o.customer_id) AS buyers
FROM raw.orders o
JOIN raw.customers c ON c.id = o.customer_id
WHERE c.country = 'NL'
GROUP BY o.day;

CREATE VIEW mart.contacts AS
SELECT c.id, upper(c.email) AS email
FROM raw.customers c;

INSERT INTO stage.copy
SELECT * FROM raw.customers;
"""
REPORT = """CREATE VIEW report.revenue AS
SELECT d.day, d.total * 1.21 AS gross
FROM mart.daily d;
"""
BROKEN = """-- Nobody has read this for years.

INSERT INTO mart.daily SELEC nothing;
"""
_SAME = """
    column raw.orders.day date
    column raw.orders.amount decimal(10,2)
    column raw.orders.customer_id int
    column raw.orders.note string
    column raw.customers.id int
    column raw.customers.email string
    column raw.customers.phone string
    column raw.customers.country string
    view mart.contacts
    view report.revenue
    metric shop.metric.revenue
    dashboard shop.dashboard.board
    raw.orders.day -> mart.daily.day = o.day @ scripts/load.sql:2 Insert
    raw.orders.amount -> mart.daily.total AGGREGATION = sum(o.amount) @ scripts/load.sql:2 Insert
    raw.customers.id -> mart.daily.rows JOIN @ scripts/load.sql:2 Insert
    raw.orders.customer_id -> mart.daily.rows JOIN @ scripts/load.sql:2 Insert
    raw.customers.country -> mart.daily.rows FILTER @ scripts/load.sql:2 Insert
    raw.customers.id -> mart.contacts.id = c.id @ scripts/load.sql:9 Create View
    raw.customers.email -> mart.contacts.email TRANSFORMATION = upper(c.email) @ scripts/load.sql:9 Create View
    raw.customers.id -> stage.copy.id = * @ scripts/load.sql:13 Insert
    raw.customers.email -> stage.copy.email = * @ scripts/load.sql:13 Insert
    raw.customers.phone -> stage.copy.phone = * @ scripts/load.sql:13 Insert
    raw.customers.country -> stage.copy.country = * @ scripts/load.sql:13 Insert
    column stage.copy.loaded_at timestamp
    unknown stage.copy.loaded_at
    mart.daily.day -> report.revenue.day = d.day @ scripts/report.sql:1 Create View
    report.revenue.gross -> shop.metric.revenue.value AGGREGATION = sum(gross) @ project.yml:3 Create View
    shop.metric.revenue.value -> shop.dashboard.board.revenue @ project.yml:9 Create View
"""
_BEFORE = """
    column raw.orders.channel string
    raw.orders.channel -> mart.daily.channel = o.channel @ scripts/load.sql:2 Insert
    mart.daily.total -> report.revenue.gross TRANSFORMATION = d.total * 1.19 @ scripts/report.sql:1 Create View
"""
_NOW = """
    raw.orders.customer_id -> mart.daily.buyers AGGREGATION masked = count(o.customer_id) @ scripts/load.sql:2 Insert
    mart.daily.total -> report.revenue.gross TRANSFORMATION = d.total * 1.21 @ scripts/report.sql:1 Create View
    tag raw.customers.email pii @ scripts/load.sql:10
    error scripts/broken.sql:3 syntax-error SELEC is no word of SQL
    warning scripts/load.sql:5 unresolved-column c.id may be of another table
    warning scripts/report.sql:2 unresolved-column d.total may be of another table
    info scripts/load.sql:14 star the columns of raw.customers are taken as the schema has them
"""


def shop(folder: Path) -> Store:
    """A shop with two snapshots.

    `raw.orders.channel` went, and with it `mart.daily.channel`; `mart.daily.buyers` came; the tax is another one.
    """
    load, report = LOAD.replace("count(o.customer_id) AS buyers", "o.channel"), REPORT.replace("1.21", "1.19")
    make_store(folder, _SAME + _BEFORE, {"scripts/load.sql": load, "scripts/report.sql": report})
    texts = {"scripts/load.sql": LOAD, "scripts/report.sql": REPORT, "scripts/broken.sql": BROKEN}
    return make_store(folder, _SAME + _NOW, texts)


TABLES, COLUMNS, NEIGHBOURS = 1000, 8, 200


def wide(folder: Path) -> Store:
    """1,000 tables of 8 columns: `wide.t0000` is a hub that feeds the next 200, each later table feeds the next."""
    rows = rows_of("wide.t0000.c0 -> wide.t0001.c0", {})
    for table in range(TABLES):
        for column in range(COLUMNS):
            _wide_column(rows, table, column)
    links = [(0, other) for other in range(1, NEIGHBOURS + 1)]
    links += [(table, table + 1) for table in range(NEIGHBOURS + 1, TABLES - 1)]
    for source, target in links:
        for column in range(COLUMNS):
            _wide_relation(rows, source, target, column)
    return write_rows(folder, rows)


def _wide_column(rows: Rows, table: int, column: int) -> None:
    parts = ("wide", f"t{table:04}")
    id = entity_id(EntityKind.TABLE, parts)
    template = next(iter(rows["entities"].values()))
    rows["entities"][id] = template | {
        "entity_id": id,
        "parts": parts,
        "name": ".".join(parts),
        "spelling": ".".join(parts),
    }
    own = column_id(id, f"c{column}")
    rows["columns"][own] = next(iter(rows["columns"].values())) | {
        "column_id": own,
        "entity_id": id,
        "name": f"c{column}",
        "ordinal": column,
    }


def _wide_relation(rows: Rows, source: int, target: int, column: int) -> None:
    ends = [
        column_id(entity_id(EntityKind.TABLE, ("wide", f"t{table:04}")), f"c{column}") for table in (source, target)
    ]
    id = identify("relation", *map(str, ends))
    template = next(iter(rows["relations"].values()))
    rows["relations"][id] = template | {
        "relation_id": id,
        "source_id": ends[0],
        "target_id": ends[1],
        "expression": f"c{column}",
    }


HOSTILE = {
    "markup": '<img src=x onerror="alert(1)">',
    "script": "</title><script>alert(2)</script>",
    "long": "n" * 10_000,
    "turned": "\u202egpj.exe\u2066",
    "quotes": "a\"b'c`d",
    "dots": "..a..b.",
    "picture": "🦆\U000e0041\u200d💧",
}
"""Names that somebody may have given to a table, a column, a script or a tag, by what is nasty about them."""


def hostile(folder: Path) -> Store:
    """For each of the hostile names a table `t`, fed by `source.t`, with a column, a script, a tag and a diagnostic of that name."""
    lines = []
    for word in HOSTILE:
        lines += [
            f"source.{word}.{word} -> target.{word}.{word} TRANSFORMATION = {word} @ {word}.sql:1 Insert",
            f"tag source.{word}.{word} {word}",
            f"warning {word}.sql:1 hostile {word}",
        ]
    rows = rows_of("\n".join(lines), {f"{word}.sql": f"INSERT INTO t SELECT {name}" for word, name in HOSTILE.items()})
    for entity in rows["entities"].values():
        schema, word = entity["parts"]
        entity.update(parts=[schema, HOSTILE[word]], name=f"{schema}.{HOSTILE[word]}", spelling=HOSTILE[word])
    for column in rows["columns"].values():
        column.update(name=HOSTILE[column["name"]], data_type=HOSTILE[column["name"]])
    for relation in rows["relations"].values():
        relation["expression"] = HOSTILE[relation["expression"]]
    for tag in rows["tags"].values():
        tag["tag"] = HOSTILE[tag["tag"]]
    for said in rows["diagnostics"].values():
        said.update(message=HOSTILE[said["message"]], hint=HOSTILE[said["message"]], subject=HOSTILE[said["message"]])
    for script in rows["scripts"].values():
        script["path"] = HOSTILE[script["path"].removesuffix(".sql")]
    return write_rows(folder, rows)
