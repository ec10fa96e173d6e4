"""Statements that move no data and that the grammar does not take apart: known by their first words, and nothing more to say."""

from __future__ import annotations

from typing import Any

from headwater.sql.form import NoLineage
from headwater.sql.reading.reading import Reading, reads

_WORDS = (
    *("BEGIN", "START", "COMMIT", "ROLLBACK", "END", "ABORT", "SAVEPOINT", "RELEASE", "SET", "RESET", "UNSET"),
    *("GRANT", "REVOKE", "DENY", "REASSIGN", "SECURITY", "AUDIT", "NOAUDIT", "BT", "ET", "QUIT", "LOGOFF"),
    *("SHOW", "DESCRIBE", "DESC", "LIST", "LS", "HELP", "SUMMARIZE"),
    *("VACUUM", "ANALYZE", "OPTIMIZE", "REINDEX", "CLUSTER", "CHECKPOINT", "COMMENT", "COLLECT", "RUNSTATS", "REORG"),
    *("LOCK", "UNLOCK", "PRINT", "RAISERROR", "WAITFOR", "DBCC", "BACKUP", "RESTORE", "FLASHBACK", "UNDROP", "PURGE"),
    *(
        "REFRESH",
        "MSCK",
        "REPAIR",
        "ADD",
        "DISCARD",
        "PRAGMA",
        "INSTALL",
        "KILL",
        "FLUSH",
        "SYSTEM",
        "DETACH",
        "ATTACH",
        "HANDLER",
    ),
    *(
        "LISTEN",
        "NOTIFY",
        "UNLISTEN",
        "DEALLOCATE",
        "DEALLOCATE PREPARE",
        "CLEAR",
        "UNCACHE",
        "FREE",
        "CLOSE",
        "REMOVE",
        "RM",
        "CHECK",
        "UPDATE STATISTICS",
        "MSCK REPAIR",
        "ADD JAR",
        "ADD JARS",
        "ADD FILE",
        "ADD FILES",
        "ADD ARCHIVE",
        "CHECKSUM",
        "COMPUTE",
        "INVALIDATE",
        "ANALYSE",
        "DISABLE",
        "ENABLE",
        "LOCK TABLES",
        "VALIDATE",
        "WAIT",
        "RECOVER",
        "CANCEL",
        "CONNECT",
        "DISCONNECT",
        "UNLOCK TABLES",
        "IMPERSONATE",
        "REORGANIZE",
        "RECOMPRESS",
        "PRELOAD",
        "ENFORCE",
        "PAUSE",
        "RESUME",
        "STOP",
        "CANCEL",
        "ADMIN",
        "SYNC",
        "RECOVER",
        "WARM",
        "BUILD",
        "SNAPSHOT",
        "REBALANCE",
        "TEST",
        "CONNECT",
        "SUMMARY",
        "PROFILE",
    ),
)


@reads(*_WORDS)
def no_lineage(reading: Reading) -> Any:
    """`VACUUM t`, `RESTORE TABLE t TO VERSION AS OF 1`, `COLLECT STATISTICS ON t`."""
    return NoLineage(reading.word().title())


@reads("EXECUTE")
def execute_task(reading: Reading) -> Any:
    """Snowflake's `EXECUTE TASK t`, `EXECUTE ALERT a`: its CREATE says what it does."""
    reading.take("EXECUTE")
    kind = reading.take_any("TASK", "ALERT")
    return NoLineage(f"Execute {kind.title()}") if kind else None


@reads("UNLOAD")
@reads("USE", first=True)
def modules(reading: Reading) -> Any:
    """Flink's `UNLOAD MODULE m`, `USE MODULES m, core`: where functions come from."""
    verb = reading.token().text.title()
    if reading.word() not in ("MODULE", "MODULES") or reading.dialect.family != "flink" or len(reading.tokens) < 3:
        return None
    return NoLineage(f"{verb} {reading.word().title()}")


@reads("STOP")
def stop_job(reading: Reading) -> Any:
    """Flink's `STOP JOB 'id' WITH SAVEPOINT`."""
    return NoLineage("Stop Job") if reading.take("STOP", "JOB") else None


@reads("MERGE", "USE", first=True)
def branches(reading: Reading) -> Any:
    """Dremio's `MERGE BRANCH dev INTO main IN nessie`, `USE TAG v1 IN nessie`: which state of all tables counts."""
    verb = reading.token().text.title()
    if reading.dialect.family != "dremio" or reading.word(2) not in ("INTO", "IN"):
        return None
    kind = reading.take_any("BRANCH", "TAG", "COMMIT", "REFERENCE")
    return NoLineage(f"{verb} {kind.title()}") if kind else None
