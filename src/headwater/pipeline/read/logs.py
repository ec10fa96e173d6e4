"""Query logs, as DataFrames of scripts: what was run ten thousand times is one, with its count, its times, its users and its cost.

Where a log says which session ran a statement, the statements of a session that makes something temporary, or changes its schema, are one
script, in the order of their times: they mean nothing without each other. Each of them keeps its own cost, by where it begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from itertools import groupby
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from headwater.pipeline.read.files import COST, SCRIPT, Reading, source_id
from headwater.pipeline.read.inputs import NothingToRead
from headwater.pipeline.read.log_files import BROKEN, broken_rows, unpaired_files
from headwater.pipeline.read.log_preset import LogPreset
from headwater.pipeline.read.log_rows import LOG_ROW, log_row, path_of, users_of
from headwater.pipeline.read.preset_log import preset_rows
from headwater.runtime.arrow_ddl import ddl, type_of
from headwater.store.identity import logged_id

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_OF_A_SESSION = r"(?i)\b(temp|temporary|volatile|cache\s+table|use|search_path)\b|[#@]\w"
"""Whether a statement may leave something to its session; one too many does no harm."""
LOGGED = "log"
"""The kind of script that a statement of a log is."""
_BROKEN_ROW = "rows cannot be read: they have too few or too many values"
_UNPAIRED = "files have a quote that is not closed: rows behind it may be missing"
_NO_TEXT = "statements have no text"
_COSTS = pa.list_(COST)
_EXACT = "decimal(38,9)"
"""Sums of such numbers do not depend on their order."""


@dataclass(frozen=True, slots=True)
class LogColumns:
    """The columns of a query log; only the statement's text must be there."""

    sql: str = "sql"
    dialect: str = ""
    user: str = ""
    time: str = ""
    default_schema: str = ""
    session: str = ""
    count: str = ""
    """How often the statement of a row ran; once, without it."""
    bytes: str = ""
    seconds: str = ""
    credits: str = ""

    def given(self) -> dict[str, str]:
        """Those that differ from what is taken for granted."""
        named = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: column for name, column in named.items() if column and (name, column) != ("sql", "sql")}


def read_log(
    log: DataFrame, name: str, columns: LogColumns, reading: Reading, preset: LogPreset | None = None
) -> DataFrame:
    """The distinct statements of a query log, and its sessions."""
    from pyspark.sql import functions as f

    whole = log.where(f"{BROKEN} is null").drop(BROKEN) if BROKEN in log.columns else log
    if preset is None:
        rows = _rows(whole, name, columns, reading).where("text is not null and trim(text) != ''")
    else:
        rows = preset_rows(whole, name, preset, columns.given(), reading.default_schema)
        blank = f.coalesce(f.trim("text"), f.lit("")) == ""
        lost = {"text": "", "cut": _NO_TEXT, "session": None, "default_schema": ""}
        rows = rows.withColumns({key: f.when(blank, f.lit(value)).otherwise(f.col(key)) for key, value in lost.items()})
    if BROKEN in log.columns:
        rows = rows.unionByName(_broken(broken_rows(log), _BROKEN_ROW, reading))
        rows = rows.unionByName(_broken(unpaired_files(log), _UNPAIRED, reading))
    return _scripts_of(rows, name, bool(columns.session) or preset is not None)


def _broken(rows: DataFrame, why: str, reading: Reading) -> DataFrame:
    """What is wrong in a log, as rows without a text."""
    from pyspark.sql import functions as f

    known = {"text": "", "cut": why, "dialect": reading.dialect, "default_schema": ""}
    return rows.select(*log_row(**{name: f.lit(value) for name, value in known.items()}))


def _scripts_of(rows: DataFrame, name: str, sessions: bool) -> DataFrame:
    """The scripts of a log's rows (`LOG_ROW`)."""
    from pyspark.sql import functions as f

    texts = rows.withColumn("costs", f.lit(None).cast(type_of(_COSTS)))
    together = _sessions(texts) if sessions else texts
    distinct = together.groupBy("text", "dialect", "default_schema", "cut").agg(
        f.sum("seen").alias("seen"),
        f.min("first").alias("first_seen"),
        f.max("last").alias("last_seen"),
        f.array_sort(f.array_distinct(f.flatten(f.collect_set("users")))).alias("users"),
        *_sums(),
        f.flatten(f.collect_list("costs")).alias("costs"),
        f.min("id").alias("id"),
    )
    return distinct.mapInArrow(_scripts(name), ddl(SCRIPT))


def _sums() -> list[Column]:
    from pyspark.sql import functions as f

    exact = [f.sum(f.col(name).cast(_EXACT)).cast("double").alias(name) for name in ("seconds", "credits")]
    return [f.sum("bytes").alias("bytes"), *exact]


def _rows(log: DataFrame, name: str, columns: LogColumns, reading: Reading) -> DataFrame:
    """The rows of a log whose columns the user names."""
    from pyspark.sql import functions as f

    named = {"sql": columns.sql, **columns.given()}
    lacking = [f"{column} ({field})" for field, column in named.items() if path_of(log, column) is None]
    if lacking:
        raise NothingToRead(
            f"the log {name} has no column {', '.join(lacking)}; it has {', '.join(log.columns) or 'none'}: "
            "name its columns by --log, or what it is by --log-preset"
        )

    def told(field: str, otherwise: str | None = None) -> Column:
        column = named.get(field)
        return f.coalesce(f.col(column).cast("string"), f.lit(otherwise)) if column else f.lit(otherwise).cast("string")

    time = told("time").cast("timestamp")
    return log.select(
        *log_row(
            text=told("sql"),
            dialect=told("dialect", reading.dialect),
            default_schema=told("default_schema", reading.default_schema),
            first=time,
            last=time,
            users=users_of(told("user")),
            session=told("session"),
            seen=f.coalesce(told("count").cast("bigint"), f.lit(1)),
            bytes=told("bytes").cast(_EXACT).cast("bigint"),
            seconds=told("seconds").cast(_EXACT),
            credits=told("credits").cast(_EXACT),
        )
    )


def _sessions(rows: DataFrame) -> DataFrame:
    """The rows of a log, with one for each session whose statements mean nothing without each other."""
    from pyspark.sql import functions as f

    bound = rows.where(f.col("text").rlike(_OF_A_SESSION)).select("session").distinct()
    bound = bound.where("session is not null and session != ''")
    steps = f.array_sort(f.collect_list(f.struct("first", "position", "text", "bytes", "seconds", "credits", "cut")))
    grouped = (
        rows.join(bound, "session")
        .groupBy("session", "dialect", "default_schema")
        .agg(
            steps.alias("steps"),
            f.min("first").alias("first"),
            f.max("last").alias("last"),
            f.array_distinct(f.flatten(f.collect_set("users"))).alias("users"),
            f.min("id").alias("id"),
        )
    )
    whole = grouped.mapInArrow(_joined, ddl(_WITH_COSTS))
    return rows.join(bound, "session", "left_anti").select(*_WITH_COSTS.names).unionByName(whole)


_WITH_COSTS = LOG_ROW.append(pa.field("costs", _COSTS))


def _joined(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Sessions with their steps to rows with one text."""
    for batch in batches:
        rows = []
        for session in batch.to_pylist():
            parts, costs, length = [], [], 0
            for step in session["steps"]:
                part = f"{_without_end(step['text'])}\n;\n"
                costs.append({"start": length, **{name: step[name] for name in _UNITS}})
                parts.append(part)
                length += len(part)
            cut = next((step["cut"] for step in session["steps"] if step["cut"]), "")
            known = {**session, "text": "".join(parts)[:-1], "costs": costs, "cut": cut, "seen": 1}
            rows.append({name: known.get(name) for name in _WITH_COSTS.names})
        yield pa.RecordBatch.from_pylist(rows, _WITH_COSTS)


_UNITS = ("bytes", "seconds", "credits")


def _without_end(text: str) -> str:
    text = text.rstrip()
    return text[:-1].rstrip() if text.endswith(";") else text


def _scripts(name: str) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield pa.RecordBatch.from_pylist([_script(row, name) for row in batch.to_pylist()], SCRIPT)

    return run


def _script(row: dict[str, Any], name: str) -> dict[str, Any]:
    problem = _problem(row)
    text, dialect, schema = (row[key] or "" for key in ("text", "dialect", "default_schema"))
    key = (f"{text}\0{problem}" if problem else text, dialect, schema)
    return {
        **{field: row[field] for field in ("seen", "first_seen", "last_seen", "users")},
        "script_id": logged_id(name, *key),
        "source_id": source_id(name),
        "path": name,
        "kind": LOGGED,
        "dialect": dialect,
        "default_schema": schema,
        "schema": "",
        "encoding": "",
        "text": text,
        "problem": problem,
        "skipped": 0,
        "costs": _costs(row),
    }


def _problem(row: dict[str, Any]) -> str:
    """What is wrong with a row of a log, or with all rows that have no text; empty if nothing is."""
    if not row["cut"]:
        return ""
    which = f" of query {row['id']}" if row["id"] else ""
    if row["text"]:
        return f"the log does not have the whole text{which}: {row['cut']}"
    return f"the log is not whole; {row['cut']} ({row['seen']:,}{f', the first is that{which}' if which else ''})"


def _costs(row: dict[str, Any]) -> list[dict[str, Any]]:
    """What the statements of a script cost, by where they begin; those of equal sessions together."""
    told = list(row["costs"])
    if any(row[unit] is not None for unit in _UNITS) and not told:
        told = [{"start": 0, **{unit: row[unit] for unit in _UNITS}}]
    ordered = sorted(told, key=lambda each: (each["start"], *(each[unit] or 0 for unit in _UNITS)))
    summed = [
        {"start": start, **{unit: _sum([each[unit] for each in group]) for unit in _UNITS}}
        for start, group in ((key, list(found)) for key, found in groupby(ordered, lambda each: each["start"]))
    ]
    return [each for each in summed if any(each[unit] is not None for unit in _UNITS) or len(summed) > 1]


def _sum(values: list[Any]) -> Any:
    known = [value for value in values if value is not None]
    return sum(known) if known else None
