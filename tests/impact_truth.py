"""What really happens when a column of `impact_warehouse` is dropped or renamed: DuckDB runs the scripts and says which fail.

The scripts run once. Then a column of a raw table is changed, and all scripts but those in `raw` run again, as a nightly run would. A
column of a view is lost if it cannot be selected any more. A column of a table is lost if a statement that writes it fails, or if the
table does not have it any more. Which columns an INSERT, UPDATE or MERGE writes is put down here by hand; a CREATE writes all columns of
what it makes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import duckdb

FOLDER = Path(__file__).parent / "impact_warehouse"
_LAYERS = ("stg", "core", "mart")
_WRITES = {
    "b03_customer_insert": "core.customer: id, name, email, country, loaded",
    "b04_customer_source": "core.customer: id, source",
    "b05_ledger_orders": "core.ledger: kind, ref, amount, day",
    "b06_ledger_returns": "core.ledger: kind, ref, amount",
    "b07_products_copy": "core.copy_of_products: sku, title, category, cost, weight",
    "b08_stock_sold": "core.stock: sku, sold",
    "b09_stock_returned": "core.stock: returned",
    "b10_stock_checked": "core.stock: checked",
    "b11_profile": "core.profile: id, score",
    "b12_profile_seen": "core.profile: last_seen",
    "b13_profile_region": "core.profile: region",
    "b14_profile_merge": "core.profile: segment",
    "b20_delete": "core.ledger:",
    "c01_daily_orders": "mart.daily: day, orders, revenue",
    "c02_daily_visits": "mart.daily: day, visits",
    "c03_top": "mart.top_skus: sku, rank, title",
    "c04_top_titles": "mart.top_skus: title",
    "c07_audit": "mart.audit: what, n",
    "c08_audit_again": "mart.audit: what, n",
}
_COLUMNS = """
SELECT table_schema || '.' || table_name, column_name FROM information_schema.columns
WHERE table_schema IN ('raw', 'stg', 'core', 'mart') ORDER BY ALL
"""


@dataclass(frozen=True)
class Change:
    """A column of a raw table, and what is done to it."""

    table: str
    column: str
    kind: str

    @property
    def sql(self) -> str:
        action = f"DROP COLUMN {self.column}" if self.kind == "drop" else f"RENAME {self.column} TO {self.column}_2"
        return f"ALTER TABLE {self.table} {action}"


@cache
def changes() -> tuple[Change, ...]:
    """Every column of the raw tables, dropped and renamed."""
    with _warehouse() as base:
        raw = [(table, column) for table, column in _columns(base) if table.startswith("raw.")]
    return tuple(Change(table, column, kind) for table, column in raw for kind in ("drop", "rename"))


def lost_columns(change: Change) -> tuple[set[str], set[str]]:
    """The columns behind the raw tables that are lost by a change, and all that there are, as `table.column`."""
    with _warehouse() as base:
        before = [(table, column) for table, column in _columns(base) if not table.startswith("raw.")]
        base.execute(change.sql)
        failed = [script for script in _scripts() if not _runs(base, script.read_text())]
        after = set(_columns(base))
        lost = {f"{table}.{column}" for table, column in before if (table, column) not in after}
        for script in failed:
            lost |= _written(script, before)
        views = {
            table for (table,) in base.execute("SELECT schema_name || '.' || view_name FROM duckdb_views()").fetchall()
        }
        lost |= {f"{t}.{c}" for t, c in before if t in views and not _runs(base, f'SELECT "{c}" FROM {t} LIMIT 0')}
    return lost, {f"{table}.{column}" for table, column in before}


def _written(script: Path, columns: list[tuple[str, str]]) -> set[str]:
    """The columns that the statement of a script writes."""
    if script.stem in _WRITES:
        table, _, listed = _WRITES[script.stem].partition(":")
        return {f"{table}.{column.strip()}" for column in listed.split(",") if column.strip()}
    made = script.read_text().split(" AS ")[0].split()[-1]
    return {f"{table}.{column}" for table, column in columns if table == made}


def _warehouse() -> duckdb.DuckDBPyConnection:
    base = duckdb.connect()
    for script in (FOLDER / "raw" / "tables.sql", FOLDER / "raw" / "targets.sql", *_scripts()):
        base.execute(script.read_text())
    return base


@cache
def _scripts() -> tuple[Path, ...]:
    return tuple(path for layer in _LAYERS for path in sorted((FOLDER / layer).glob("*.sql")))


def _columns(base: duckdb.DuckDBPyConnection) -> list[tuple[str, str]]:
    return base.execute(_COLUMNS).fetchall()


def _runs(base: duckdb.DuckDBPyConnection, sql: str) -> bool:
    try:
        base.execute(sql)
    except duckdb.Error:
        return False
    return True
