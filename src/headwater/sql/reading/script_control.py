"""Statements that steer a script and move no data: RAISERROR, WAITFOR, RETURN, cursors opened and closed, backups, checks."""

from __future__ import annotations

from typing import Any

from headwater.sql.form import NoLineage
from headwater.sql.reading.reading import Reading, reads


@reads(
    *("RAISERROR", "THROW", "RAISE", "SIGNAL", "RESIGNAL", "ASSERT", "RETURN", "BREAK", "CONTINUE", "LEAVE", "ITERATE"),
    *("GOTO", "WAITFOR", "OPEN", "CLOSE", "DEALLOCATE", "DBCC", "CHECKPOINT", "RECONFIGURE", "SHUTDOWN", "BACKUP"),
    *("UPDATE STATISTICS", "BT", "ET", "LOGOFF"),
)
def steers(reading: Reading) -> Any:
    """Known by its first word."""
    return NoLineage(reading.word().title())


@reads("SAVE")
def savepoint(reading: Reading) -> Any:
    """T-SQL's `SAVE TRANSACTION name`."""
    return NoLineage("Savepoint") if reading.word(1) in ("TRAN", "TRANSACTION") else None
