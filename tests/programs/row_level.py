"""Compares the static and the Catalyst engine on changes.md, on the PySpark that is installed.

    python tests/programs/row_level.py FORMAT …

Each statement is analysed twice: with tables that are only declared by a schema (`declared`), and with the tables of the active session
(`session`), which are of the format. Prints one line of JSON for each: file and title, how it ended, and what differs. `right`: Spark
analysed it, and the edges are the same, or the difference is the one that the file explains. `gap`: Spark refused it for the reason that
the file tells. Anything else is `wrong`, and so is a table that the analysis has changed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from here import Result  # noqa: E402
from program_file import Program, programs  # noqa: E402

import headwater  # noqa: E402
from engine_differences import difference, refusals  # noqa: E402

FILE = "changes"
MODES = ("declared", "session")
TABLES = {
    "shop.orders": {"id": "bigint", "customer": "bigint", "day": "string", "amount": "double"},
    "shop.customers": {"id": "bigint", "name": "string", "country": "string"},
    "shop.totals": {"customer": "bigint", "total": "double", "day": "string", "n": "int"},
    "shop.updates": {"customer": "bigint", "total": "double", "day": "string", "n": "int", "extra": "string"},
    "shop.profile": {
        "id": "bigint",
        "adr": "struct<city:string,zip:string>",
        "tags": "array<string>",
        "note": "string",
    },
}
CHECKED = {"shop.strict": {"id": "bigint NOT NULL", "code": "varchar(5)", "n": "int"}}
"""A table whose values are checked before they are written."""
LATE = {"shop.late": TABLES["shop.totals"]}
"""A table of Iceberg's that keeps changes beside its files."""
GENERATED = {"shop.made": {"id": "bigint", "sold": "timestamp", "day": "date"}}
"""A table of Delta's, whose column `day` is computed from `sold`."""
_SCHEMA = {**TABLES, **LATE, **GENERATED, "shop.strict": {"id": "bigint", "code": "varchar(5)", "n": "int"}}
_MERGE_ON_READ = ", ".join(f"'write.{kind}.mode' = 'merge-on-read'" for kind in ("update", "delete", "merge"))


class Place(NamedTuple):
    """Where a statement is analysed."""

    format: str
    version: str
    mode: str

    @property
    def names(self) -> tuple[str, ...]:
        """What `on=` may call it, the most precise first."""
        f, v, m = self
        return f"{f}-{v}-{m}", f"{f}-{v}", f"{f}-{m}", f"{v}-{m}", f, v, m


def compared(program: Program, place: Place, values: dict[str, str]) -> Result:
    """How the engines answer a statement."""
    sql = (program.text("sql", place) or "").format(format=place.format, **values)
    static = headwater.analyze(sql, schema=_SCHEMA)
    catalyst = headwater.analyze(sql, schema=_SCHEMA if place.mode == "declared" else None, engine="catalyst")
    title = f"{program.title} ({place.mode})"
    refused = refusals(catalyst)
    told = [" ".join(line.split()) for line in (program.text("refused", place) or "").splitlines()]
    if refused or told:
        ended = bool(refused) and bool(told) and told[0] in refused[0]
        return Result(FILE, title, "gap" if ended else "wrong", [] if ended else [f"refused: {refused}, not {told}"])
    found = difference(static, catalyst)
    wanted = sorted(program.lines("differs", place))
    wrong = [] if found == wanted else [*found, *([f"not {wanted}"] if wanted else [])]
    wrong += [f"{d.code.value}: {d.message}" for d in catalyst.diagnostics]
    return Result(FILE, title, "wrong" if wrong else "explained" if wanted else "right", wrong)


def results(spark: Any, format: str, version: str) -> Iterator[Result]:
    """All statements, first with declared tables, then with those of the session."""
    statements = list(programs(FILE))
    with tempfile.TemporaryDirectory(prefix="headwater-row-level-") as folder:
        values = {"version": "1", "moment": "2026-01-01 00:00:00", "path": f"{folder}/lake"}
        for mode in MODES:
            place = Place(format, version, mode)
            if mode == "session":
                values |= made(spark, format, folder)
                before = state(spark, format)
            for program in statements:
                if program.text("sql", place) is not None:
                    yield compared(program, place, values)
        changed = [f"{a} became {b}" for a, b in zip(before, state(spark, format), strict=True) if a != b]
        yield Result(FILE, "Nothing was executed (session)", "wrong" if changed else "right", changed)


def made(spark: Any, format: str, folder: str) -> dict[str, str]:
    """Make the tables; gives a version of `shop.orders`, and a moment at which it was there."""
    spark.sql(f"CREATE DATABASE shop LOCATION '{folder}/tables'")
    for name, columns in _tables(format).items():
        listed = ", ".join(f"{column} {kind}" for column, kind in columns.items())
        properties = f"TBLPROPERTIES ('format-version' = '2', {_MERGE_ON_READ})" if name in LATE else ""
        spark.sql(f"CREATE TABLE {name} ({listed}) USING {format} {properties}")
    spark.sql("INSERT INTO shop.orders VALUES (1, 1, '2026-01-01', 1.5D)")
    spark.sql("INSERT INTO shop.orders VALUES (2, 1, '2026-01-02', 2.5D)")
    if format != "delta":
        spark.sql("ALTER TABLE shop.orders CREATE BRANCH audit")
        first = spark.sql("SELECT snapshot_id, committed_at FROM shop.orders.snapshots ORDER BY 2").first()
        return {"version": str(first[0]), "moment": str(first[1])}
    from delta.tables import DeltaTable

    table = DeltaTable.create(spark).tableName("shop.made").addColumn("id", "bigint").addColumn("sold", "timestamp")
    table.addColumn("day", "date", generatedAlwaysAs="CAST(sold AS DATE)").execute()
    spark.sql(f"CREATE TABLE delta.`{folder}/lake` (customer bigint, total double) USING delta")
    first = spark.sql("DESCRIBE HISTORY shop.orders").where("version = 1").first()
    return {"version": "1", "moment": str(first["timestamp"])}


def _tables(format: str) -> dict[str, dict[str, str]]:
    return {**TABLES, **CHECKED} if format == "delta" else {**TABLES, **LATE}


def state(spark: Any, format: str) -> list[tuple[str, str, int]]:
    """The columns and the number of changes of each table."""
    history = "DESCRIBE HISTORY {}" if format == "delta" else "SELECT * FROM {}.metadata_log_entries"
    names = [*_tables(format), *(GENERATED if format == "delta" else ())]
    return [(name, spark.table(name).schema.simpleString(), spark.sql(history.format(name)).count()) for name in names]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("formats", nargs="+")
    told = parser.parse_args()
    import pyspark
    from sessions import session

    version = ".".join(pyspark.__version__.split(".")[:2])
    wrong = 0
    for format in told.formats:
        with session(format, version, connect=False) as (spark, _):
            for result in results(spark, format, version):
                wrong += result.outcome == "wrong"
                print(json.dumps(result._asdict(), ensure_ascii=False), flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
