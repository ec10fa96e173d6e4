"""CREATE STREAM and CREATE SYNONYM: another name for a table's rows."""

from __future__ import annotations

from typing import Any

from headwater.sql.form import Location, Stream
from headwater.sql.reading.created import creates
from headwater.sql.reading.reading import Reading, reads

_STREAM_COLUMNS = ("METADATA$ACTION", "METADATA$ISUPDATE", "METADATA$ROW_ID")


@reads("CREATE")
def stream(reading: Reading) -> Any:
    """Snowflake's `CREATE STREAM s ON TABLE t`, `… ON DYNAMIC TABLE t`, `CREATE STREAM s CLONE r`."""
    if not creates(reading, "STREAM"):
        return None
    name = reading.name()
    if reading.take("CLONE"):
        return Stream("Create Stream", name, reading.name())
    if not reading.skip_to("ON"):
        return None
    reading.take("ON")
    reading.take_any("EXTERNAL", "DYNAMIC", "EVENT")
    kind = reading.token().text.upper()
    source: Any = reading.name()
    if kind == "STAGE":
        source = Location("stage", source)
    return Stream("Create Stream", name, source, _STREAM_COLUMNS)


@reads("CREATE")
def synonym(reading: Reading) -> Any:
    """`CREATE SYNONYM s FOR t`, Db2's `CREATE ALIAS`."""
    if not creates(reading, "SYNONYM", "ALIAS"):
        return None
    name = reading.name()
    if not reading.take("FOR"):
        return None
    reading.take("TABLE")
    return Stream("Create Synonym", name, reading.name())
