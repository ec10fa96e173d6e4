"""RENAME, EXCHANGE, SWITCH and the other ways of moving whole tables or partitions, where the grammar does not take them."""

from __future__ import annotations

from typing import Any

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.form import NoLineage, PartitionMove, Renaming
from headwater.sql.grammar import parse_statement
from headwater.sql.reading.reading import Reading, reads

_ONE_WAY = frozenset({"hive", "spark", "databricks"})
"""Dialects where EXCHANGE PARTITION moves a partition instead of swapping it."""
_HARMLESS = frozenset(
    {
        "SET",
        "RESET",
        "OWNER",
        "ENABLE",
        "DISABLE",
        "ENGINE",
        "COMMENT",
        "CLUSTER",
        "VALIDATE",
        "REFRESH",
        "RECLUSTER",
        "LOCK",
    }
    | {
        "REBUILD",
        "SUSPEND",
        "RESUME",
        "RECOVER",
        "TOUCH",
        "ARCHIVE",
        "COMPACT",
        "CONCATENATE",
        "FREEZE",
        "INHERIT",
        "MODIFY",
    }
    | {
        "SHRINK",
        "ALLOCATE",
        "DETACH",
        "DROP",
        "TRUNCATE",
        "ADD",
        "ALTER",
        "CONVERT",
        "ORDER",
        "UNSET",
        "REORGANIZE",
        "SPLIT",
    }
    | {
        "MERGE",
        "OPTIMIZE",
        "ANALYZE",
        "CHECK",
        "REPAIR",
        "COALESCE",
        "PARALLEL",
        "NOPARALLEL",
        "LOGGING",
        "NOLOGGING",
        "CACHE",
    }
    | {"NOCACHE", "FORCE", "NO", "REPLICA", "VALIDATE", "WITH", "MATERIALIZE", "CLEAR", "FETCH", "UNFREEZE"}
    | {"EXPAND"}
)
"""What an ALTER TABLE may do without moving rows between tables."""
_SHAPES = frozenset({"ADD", "DROP", "ALTER", "MODIFY"})
"""Of these, what may change a table's columns."""


@reads("RENAME")
def rename(reading: Reading) -> Any:
    """`RENAME TABLE a TO b, c TO d` (MySQL, ClickHouse, Teradata), `RENAME a TO b` (Oracle, Db2), `RENAME OBJECT s.a TO b` (Synapse)."""
    reading.take("RENAME")
    reading.take_any("TABLE", "TABLES", "VIEW", "OBJECT")
    reading.take("::")
    pairs = []
    while reading:
        old = reading.name()
        if not reading.take_any("TO", "AS"):
            return None
        new = reading.name()
        pairs.append((old, beside(old, new) if reading.dialect.family in ("db2", "tsql") else new))
        if not reading.take(","):
            break
    return Renaming("Rename Table", tuple(pairs))


@reads("EXCHANGE")
def exchange(reading: Reading) -> Any:
    """ClickHouse's `EXCHANGE TABLES a AND b`."""
    if not reading.take("EXCHANGE", "TABLES"):
        return None
    first = reading.name()
    return Renaming("Exchange Tables", ((first, reading.name()),), swap=True) if reading.take("AND") else None


def beside(old: Any, new: Any) -> Any:
    """A new name that stays in the old one's schema."""
    for part in ("catalog", "db"):
        if new.args.get(part) is None and old.args.get(part) is not None:
            new.set(part, old.args[part].copy())
    return new


@reads("ALTER")
def transfer_schema(reading: Reading) -> Any:
    """T-SQL's `ALTER SCHEMA s TRANSFER dbo.t`."""
    if not reading.take("ALTER", "SCHEMA") or reading.find("TRANSFER") < 0:
        return None
    schema = reading.name()
    if not reading.take("TRANSFER"):
        return None
    if reading.take("OBJECT"):
        reading.take("::")
    table = reading.name()
    moved = table.copy()
    moved.set("db", schema.this.copy())
    return Renaming("Alter Table", ((table, moved),))


@reads("ALTER")
def alter_view(reading: Reading) -> Any:
    """`ALTER MATERIALIZED VIEW v REBUILD` and the like."""
    reading.take("ALTER")
    materialized = reading.take("MATERIALIZED")
    if not reading.take("VIEW"):
        return None
    reading.take("IF", "EXISTS")
    view = reading.name()
    if materialized and reading.take("RENAME", "TO"):
        return Renaming("Alter View", ((view, beside(view, reading.name())),))
    if materialized and reading.take("SWAP", "WITH"):
        return Renaming("Alter View", ((view, reading.name()),), swap=True)
    moved = _set_schema(reading, view)
    if moved is not None:
        return moved
    return NoLineage("Alter View") if materialized or reading.word() in _HARMLESS else None


@reads("ALTER")
def several_tables(reading: Reading) -> Any:
    """Vertica's `ALTER TABLE a, b RENAME TO c, d`: one after the other."""
    if not reading.take("ALTER", "TABLE"):
        return None
    old = _listed_tables(reading)
    if len(old) < 2 or not reading.take("RENAME", "TO"):
        return None
    new = _listed_tables(reading)
    pairs = [(before, beside(before, after)) for before, after in zip(old, new, strict=False)]
    return Renaming("Rename Table", tuple(pairs)) if len(old) == len(new) else None


def _listed_tables(reading: Reading) -> list[Any]:
    found = [reading.name()]
    while reading.take(","):
        found.append(reading.name())
    return found


@reads("ALTER")
def alter_partition(reading: Reading) -> Any:
    """`ALTER TABLE t EXCHANGE PARTITION p WITH TABLE u`, `… SWITCH TO u`, `… APPEND FROM u`, `… MOVE PARTITION p TO TABLE u`."""
    reading.take("ALTER")
    reading.take_any("ICEBERG", "EXTERNAL", "FOREIGN", "DYNAMIC")
    if not reading.take("TABLE"):
        return None
    reading.take("IF", "EXISTS")
    reading.take("ONLY")
    table = reading.name()
    if reading.take("ON", "CLUSTER"):
        reading.token()
    while reading.take(
        "ALTER", "PARTITION"
    ):  # Greenplum's path to a subpartition: `ALTER PARTITION FOR ('x') EXCHANGE …`
        reading.take("FOR")
        if reading.at_bracket():
            reading.brackets()
        else:
            reading.token()
    action = reading.word()
    for move in (_replace, _exchange, _switch, _append, _partition_from, _partition_to, _attach, _set_schema, _update):
        start = reading.at
        found = move(reading, table)
        if found is not None:
            return found
        reading.at = start
    return NoLineage("Alter Table") if action in _HARMLESS - _SHAPES or _keeps_columns(reading) else None


def _keeps_columns(reading: Reading) -> bool:
    """Whether the one action here changes neither columns nor foreign keys: `DROP CLUSTERING KEY`, `RENAME INDEX i TO j`."""
    action = reading.word()
    harmless = reading.word(1) in _NO_COLUMNS.get(action, ()) or (
        action == "ADD" and reading.sees("ADD", "IF", "NOT", "EXISTS", "PARTITION")
    )
    return harmless and reading.find(",") < 0 and reading.find("REFERENCES") < 0


_NO_COLUMNS = {
    "ADD": (
        "CONSTRAINT",
        "PRIMARY",
        "UNIQUE",
        "PARTITION",
        "INDEX",
        "KEY",
        "PROJECTION",
        "SEARCH",
        "ROW",
        "STATISTICS",
    ),
    "DROP": (
        "PARTITION",
        "INDEX",
        "KEY",
        "PROJECTION",
        "SEARCH",
        "ROW",
        "STATISTICS",
        "CLUSTERING",
        "CONSTRAINT",
        "ALL",
    ),
    "MODIFY": ("PARTITION", "CONSTRAINT", "COMMENT", "TTL", "SETTING", "ORDER", "SAMPLE", "RESET"),
    "ALTER": ("INDEX", "CONSTRAINT", "DISTSTYLE", "DISTKEY", "SORTKEY", "COMPOUND", "ENCODE"),
    "RENAME": ("INDEX", "KEY", "CONSTRAINT", "PARTITION"),
    "NOCHECK": ("CONSTRAINT",),
    "EXECUTE": ("OPTIMIZE", "EXPIRE_SNAPSHOTS", "REMOVE_ORPHAN_FILES", "DROP_EXTENDED_STATS"),
}
"""What some actions of ALTER TABLE are about besides columns, by the word behind the action's own."""


def _replace(reading: Reading, table: Any) -> Any:
    """Doris' `REPLACE WITH TABLE u`: both swap their names, unless `'swap' = 'false'` lets u take the place of the table."""
    if not reading.take("REPLACE", "WITH", "TABLE"):
        return None
    other = beside(table, reading.name())
    swaps = all(token.text.lower() != "false" for token in reading.rest())
    return Renaming("Alter Table", ((table, other) if swaps else (other, table),), swap=swaps)


def _exchange(reading: Reading, table: Any) -> Any:
    if not reading.take("EXCHANGE") or not reading.skip_to("WITH", "TABLE"):
        return None
    reading.take("WITH", "TABLE")
    return PartitionMove(table, reading.name(), swap=reading.dialect.family not in _ONE_WAY)


def _switch(reading: Reading, table: Any) -> Any:
    if not reading.take("SWITCH") or not reading.skip_to("TO"):
        return None
    reading.take("TO")
    return PartitionMove(reading.name(), table)


def _append(reading: Reading, table: Any) -> Any:
    return PartitionMove(table, reading.name()) if reading.take("APPEND", "FROM") else None


def _partition_from(reading: Reading, table: Any) -> Any:
    """ClickHouse's `REPLACE | ATTACH PARTITION p FROM u`."""
    if not reading.take_any("REPLACE", "ATTACH") or not reading.take("PARTITION") or not reading.skip_to("FROM"):
        return None
    reading.take("FROM")
    return PartitionMove(table, reading.name()) if not reading.at_bracket() else None


def _partition_to(reading: Reading, table: Any) -> Any:
    """ClickHouse's `MOVE PARTITION p TO TABLE u`."""
    if not reading.take("MOVE") or not reading.skip_to("TO", "TABLE"):
        return None
    reading.take("TO", "TABLE")
    return PartitionMove(reading.name(), table)


def _attach(reading: Reading, table: Any) -> Any:
    """PostgreSQL's `ATTACH PARTITION p FOR VALUES …`: p's rows are the table's from then on."""
    return PartitionMove(table, reading.name()) if reading.take("ATTACH", "PARTITION") else None


def _update(reading: Reading, table: Any) -> Any:
    """ClickHouse's `ALTER TABLE t UPDATE a = b WHERE c` is an UPDATE."""
    if reading.word() != "UPDATE" or reading.dialect.family != "clickhouse":
        return None
    first = reading.token()
    made = [(TokenType.UPDATE, "UPDATE"), (TokenType.VAR, "x"), (TokenType.SET, "SET")]
    head = [Token(kind, text, first.line, first.col, first.start, first.end) for kind, text in made]
    assigned = reading.until("IN", "WHERE")
    if reading.sees("IN", "PARTITION"):
        reading.skip_to("WHERE")
    else:
        assigned = [*assigned, *reading.until("WHERE")]
    tree = parse_statement([*head, *assigned, *reading.rest()], reading.sql, reading.dialect)
    tree.set("this", table)
    return tree


def _set_schema(reading: Reading, table: Any) -> Any:
    if not reading.take("SET", "SCHEMA"):
        return None
    schema = reading.name()
    moved = table.copy()
    moved.set("db", schema.this.copy())
    return Renaming("Alter Table", ((table, moved),))
