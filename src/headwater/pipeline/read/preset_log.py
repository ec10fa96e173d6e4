"""The query log of a known system, as rows (`log_rows`): by a preset, which says what its columns are called and what they mean.

Statements that failed are left out, pieces of statements are put together. A log that lacks a column which its preset needs is an error
that names the column and how such a log is exported.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from headwater.pipeline.read.access_history import OBJECTS, with_jobs
from headwater.pipeline.read.inputs import NothingToRead
from headwater.pipeline.read.log_preset import LogPreset, Measure, OneOf
from headwater.pipeline.read.log_rows import LOG_ROW, log_row, path_of, users_of
from headwater.runtime.arrow_ddl import ddl

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_MARK = r"(?s).*(?:\.\.\.|…)\s*(?:[\[(]?truncated[\])]?)?\s*"
"""How a text ends that was cut by what wrote it."""
_NUMBER = "decimal(38,9)"
_COLUMNS_NAMED = 12
"""Columns of a log that an error lists."""


def preset_rows(log: DataFrame, name: str, preset: LogPreset, own: Mapping[str, str], default_schema: str) -> DataFrame:
    """The rows of a log. *own* are columns that the user names, by field: they go before those of the preset."""
    inner = path_of(log, preset.inside) if preset.inside else None
    if inner is not None:
        log = log.where(f"{inner} is not null").select(f"{inner}.*")
    found = _Log(log, name, preset, own, default_schema)
    found.check()
    if preset.form == "postgres":
        return found.postgres()
    if preset.form == "access":
        return found.accesses()
    return found.mysql() if preset.form == "mysql" else found.statements()


@dataclass(frozen=True, slots=True)
class _Log:
    """A log and how it is read."""

    frame: DataFrame
    name: str
    preset: LogPreset
    own: Mapping[str, str]
    default_schema: str

    def check(self) -> None:
        """Fail, in words, if the log is not what the preset describes."""
        lacking = [field for field in self.preset.needed if self._named(field) is None]
        lacking += [field for field, column in self.own.items() if path_of(self.frame, column) is None]
        if not lacking:
            return
        words = ", ".join(" or ".join(self._names(field)) for field in dict.fromkeys(lacking))
        listed = self.frame.columns
        more = f" and {len(listed) - _COLUMNS_NAMED} more" if len(listed) > _COLUMNS_NAMED else ""
        raise NothingToRead(
            f"{self.name} is no log of the preset {self.preset.name} ({self.preset.system}): it has no column {words}. "
            f"It has {', '.join(listed[:_COLUMNS_NAMED]) or 'none'}{more}. Such a log is exported by:\n{self.preset.export}"
        )

    def statements(self) -> DataFrame:
        """The rows of a log that has a statement in each row, or a piece of one."""
        from pyspark.sql import functions as f

        log = self._but_children()
        if self.preset.statements is not None:
            log = log.where(self._meets(self.preset.statements))
        if self.preset.pieces is not None and path_of(log, self.preset.pieces.number) is not None:
            log = self._whole(log)
            text, cut = f.col("whole_text"), f.col("whole_cut")
        else:
            text, cut = self._value("sql").cast("string"), f.lit("")
        return log.where(self._succeeded()).select(*self._row(self._statement(text), cut))

    def _row(self, text: Column, cut: Column, **more: Column) -> list[Column]:
        from pyspark.sql import functions as f

        time = self._time("time")
        last = f.coalesce(self._time("last"), time)
        seen = f.coalesce(self._value("count").cast("bigint"), f.lit(1))
        elapsed = (self._time("end").cast("double") - time.cast("double")) if self._named("end") else f.lit(None)
        known = {
            "text": text,
            "dialect": f.coalesce(self._value("dialect").cast("string"), f.lit(self.preset.dialect)),
            "default_schema": self._schema(),
            "first": f.coalesce(time, last),
            "last": last,
            "users": users_of(self._value("user")),
            "session": self._value("session"),
            "position": f.coalesce(self._value("position").cast("bigint"), f.lit(0)),
            "seen": seen,
            "bytes": self._measured("bytes", self.preset.bytes).cast("bigint"),
            "seconds": f.coalesce(self._measured("seconds", self.preset.seconds), elapsed.cast(_NUMBER)),
            "credits": self._measured("credits", self.preset.credits),
            "id": self._value("id"),
            "cut": f.coalesce(f.nullif(cut, f.lit("")), self._cut(text)),
        }
        return log_row(**{**known, **more})

    def _names(self, field: str) -> tuple[str, ...]:
        return (self.own[field],) if field in self.own else self.preset.names(field)

    def _named(self, field: str) -> str | None:
        return next(filter(None, (path_of(self.frame, name) for name in self._names(field))), None)

    def _value(self, field: str) -> Column:
        """What a row says of a field; null if the log has no such column."""
        from pyspark.sql import functions as f

        found = [path_of(self.frame, name) for name in self._names(field)]
        columns = [f.col(path).cast("string") for path in found if path is not None]
        return f.coalesce(*columns) if columns else f.lit(None).cast("string")

    def _time(self, field: str) -> Column:
        from pyspark.sql import functions as f

        text = self._value(field)
        seconds = f.timestamp_micros((text.cast("double") * 1e6).cast("bigint"))
        return f.coalesce(text.cast("timestamp"), f.when(text.rlike(r"^\d{9,}(\.\d+)?(E\d+)?$"), seconds))

    def _measured(self, field: str, measure: Measure) -> Column:
        """A quantity: a number, or a duration such as `PT1M2.5S`."""
        from pyspark.sql import functions as f

        own = ((self.own[field], 1.0),) if field in self.own else ()
        found = [(path_of(self.frame, name), factor) for name, factor in own or measure]
        columns = [_quantity(f.col(path).cast("string")) * f.lit(factor) for path, factor in found if path is not None]
        return (f.coalesce(*columns) if columns else f.lit(None)).cast(_NUMBER)

    def _schema(self) -> Column:
        """The schema of unqualified names, with its database if the log has one; a name that is not folded is quoted."""
        from pyspark.sql import functions as f

        parts = [self._folded(self._value(field)) for field in ("database", "schema")]
        own = f.when(self._value("schema").isNotNull(), f.concat_ws(".", *parts))
        given = self._value("default_schema") if "default_schema" in self.own else f.lit(None)
        return f.coalesce(given, f.nullif(own, f.lit("")), f.lit(self.default_schema))

    def _folded(self, part: Column) -> Column:
        from pyspark.sql import functions as f

        part = f.nullif(f.trim(part), f.lit(""))
        if self.preset.upper is None:
            return part
        folded = f.upper(part) if self.preset.upper else f.lower(part)
        return f.when(part != folded, f.concat(f.lit('"'), part, f.lit('"'))).otherwise(part)

    def _statement(self, text: Column) -> Column:
        """A text without what is not SQL."""
        from pyspark.sql import functions as f

        if self.preset.hidden:
            text = f.when(~f.trim(text).isin(*self.preset.hidden), text)
        for pattern, instead in self.preset.rewrites:
            text = f.regexp_replace(text, f"(?i){pattern}", instead)
        if self.preset.escaped:
            for written, meant in (("\\n", "\n"), ("\\r", ""), ("\\t", "\t")):
                text = f.replace(text, f.lit(written), f.lit(meant))
        return text

    def _cut(self, text: Column) -> Column:
        """Why a text is not whole; empty if it is."""
        from pyspark.sql import functions as f

        why = f.when(text.rlike(_MARK), f.lit("its text ends in dots"))
        for limit in self.preset.limits:
            here = (f.length(text) == limit) | (f.octet_length(text) == limit)
            why = why.when(here, f.lit(f"its text ends at {limit:,} characters, where such logs cut texts"))
        return why.otherwise(f.lit(""))

    def _succeeded(self) -> Column:
        from pyspark.sql import functions as f

        kept = f.lit(True) if self.preset.succeeded is None else self._meets(self.preset.succeeded)
        for path in filter(None, (path_of(self.frame, name) for name in self.preset.failed)):
            told = f.col(path)
            simple = not hasattr(self.frame.select(path).schema[0].dataType, "fields")
            kept &= (told.isNull() | (f.trim(told.cast("string")).isin("", "0"))) if simple else told.isNull()
        return kept

    def _meets(self, condition: OneOf) -> Column:
        from pyspark.sql import functions as f

        found = [path_of(self.frame, name) for name in condition.column]
        columns = [f.lower(f.trim(f.col(path).cast("string"))) for path in found if path is not None]
        if not columns:
            return f.lit(True)
        return f.coalesce(f.coalesce(*columns).isin(*condition.values), f.lit(True))

    def _whole(self, log: DataFrame) -> DataFrame:
        """Statements put together from their pieces; of one with a gap, the pieces before the gap."""
        from pyspark.sql import functions as f

        cut = self.preset.pieces
        assert cut is not None
        number = f.col(path_of(log, cut.number) or cut.number).cast("int")
        keys = [path for path in (path_of(log, name) for name in cut.statement) if path is not None]
        rest = [f"`{name}`" for name in log.columns if f"`{name}`" not in keys]
        pieces = f.array_sort(f.collect_set(f.struct(number.alias("number"), self._value("sql").alias("text"))))
        grouped = log.groupBy(*keys).agg(pieces.alias("pieces"), *(f.max(each).alias(each.strip("`")) for each in rest))
        there = f.filter("pieces", lambda piece, at: piece["number"] == at)
        end = f.size("pieces") - 1
        whole = f.array_join(f.transform("there", lambda piece, at: _padded(piece["text"], at < end, cut.width)), "")
        missing = f.concat(f.lit("its piece "), f.size("there").cast("string"), f.lit(" is not in the log"))
        full = f.lit(f"the log keeps {cut.most} pieces of {cut.width} characters")
        why = f.when(f.size("there") < f.size("pieces"), missing).when(f.size("pieces") >= cut.most, full)
        return grouped.withColumn("there", there).withColumns(
            {"whole_text": whole, "whole_cut": why.otherwise(f.lit(""))}
        )

    def _but_children(self) -> DataFrame:
        """The log without statements that stand in the text of a script which is in the log, too; others of a script cost nothing more."""
        from pyspark.sql import functions as f

        parent, id = self._named("parent"), self._named("id")
        if parent is None or id is None:
            return self.frame
        above = self.frame.where(self._succeeded()).select(
            f.col(id).alias("above_id"), self._value("sql").alias("above_text"), f.lit(True).alias("above")
        )
        joined = self.frame.join(above, f.col(parent) == f.col("above_id"), "left")
        inside = f.col("above_text").contains(f.regexp_replace(f.trim(self._value("sql")), r";\s*$", ""))
        kept = joined.where(f.col("above").isNull() | ~f.coalesce(inside, f.lit(False)))
        spent = [
            path_of(self.frame, name) for name, _ in (*self.preset.bytes, *self.preset.seconds, *self.preset.credits)
        ]
        for path in {each.strip("`") for each in spent if each is not None and "." not in each}:
            kept = kept.withColumn(path, f.when(f.col("above").isNull(), f.col(path)))
        return kept.drop("above_id", "above_text", "above")

    def accesses(self) -> DataFrame:
        """Statements with the lineage that the warehouse found."""
        from pyspark.sql import functions as f

        def lists(field: str) -> Column:
            path = self._named(field)
            if path is None:
                return f.lit(None).cast("string")
            plain = self.frame.select(path).schema[0].dataType.simpleString() == "string"
            return f.col(path) if plain else f.to_json(f.col(path))

        told = {name: lists(name) for name in OBJECTS}
        rows = self.frame.select(
            *self._row(self._value("sql"), f.lit("")), *(column.alias(name) for name, column in told.items())
        )
        return rows.mapInArrow(with_jobs(self.default_schema), ddl(LOG_ROW))

    def postgres(self) -> DataFrame:
        """The statements among the messages of a server's log; one that is followed by an error, in its session, has failed."""
        from pyspark.sql import Window
        from pyspark.sql import functions as f

        message, severity = self._value("message"), f.upper(f.trim(self._value("severity")))
        text = f.nullif(f.regexp_extract(message, _POSTGRES_STATEMENT, 1), f.lit(""))
        spent = f.nullif(f.regexp_extract(message, r"^duration: ([0-9.]+) ms", 1), f.lit(""))
        what = (
            f.when(severity.isin("ERROR", "FATAL", "PANIC"), "error")
            .when((severity == "LOG") & text.isNotNull(), "statement")
            .when((severity == "LOG") & message.rlike(r"^duration: [0-9.]+ ms\s*$"), "duration")
        )
        entries = self.frame.select(
            *self._row(text, f.lit(""), seconds=spent.cast("double") / 1000), what.alias("what")
        ).where("what is not null")
        in_session = Window.partitionBy("session").orderBy("position", "first")
        after = {name: f.lead(name).over(in_session) for name in ("what", "seconds")}
        followed = entries.withColumns({"next": after["what"], "later": after["seconds"]})
        kept = followed.where("what = 'statement' and (next is null or next != 'error')")
        seconds = f.coalesce("seconds", f.when(f.col("next") == "duration", f.col("later")))
        return kept.withColumn("seconds", seconds).drop("what", "next", "later")

    def mysql(self) -> DataFrame:
        """The statements among the commands of a general log, with the database that their connection has chosen."""
        from pyspark.sql import Window
        from pyspark.sql import functions as f

        command, text = f.lower(f.trim(self._value("command"))), self._value("sql")
        chosen = (
            f.when(command == "init db", f.trim(text))
            .when(command == "connect", f.regexp_extract(text, r" on (\S*)(?: using|$)", 1))
            .when(command.isin("query", "execute"), f.nullif(f.regexp_extract(text, _MYSQL_USE, 1), f.lit("")))
        )
        user = f.regexp_extract(self._value("user"), r"^\s*([^\[@\s]*)", 1)
        row = self._row(text, f.lit(""), users=users_of(user))
        in_session = (
            Window.partitionBy("session").orderBy("first", "position").rowsBetween(Window.unboundedPreceding, 0)
        )
        schema = f.coalesce(
            f.nullif(f.last("chosen", ignorenulls=True).over(in_session), f.lit("")), f.col("default_schema")
        )
        rows = self.frame.select(*row, command.alias("command"), chosen.alias("chosen"))
        rows = rows.withColumn("default_schema", schema)
        return rows.where(f.col("command").isin("query", "execute")).drop("command", "chosen")


_POSTGRES_STATEMENT = r"(?s)^(?:duration: [0-9.]+ ms\s+)?(?:statement|execute [^:]*): (.*)$"
_MYSQL_USE = r"(?i)^\s*use\s+`?([^`;\s]+)"


def _quantity(text: Column) -> Column:
    """A number; or the seconds of a duration as ISO 8601 (`PT1M2.5S`) or Trino (`2.50s`, `105.00ms`) write it."""
    from pyspark.sql import functions as f

    def part(pattern: str, factor: float) -> Column:
        found = f.nullif(f.regexp_extract(text, pattern, 1), f.lit(""))
        return f.coalesce(found.cast("double"), f.lit(0.0)) * f.lit(factor)

    units = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
    iso = [part(r"(\d+(?:\.\d+)?)D", 86400), part(r"(\d+)H", 3600), part(r"(\d+)M", 60), part(r"([\d.]+)S", 1)]
    spoken = reduce(
        lambda made, unit: made.when(text.rlike(rf"^[\d.]+{unit}$"), part(r"^([\d.]+)", units[unit])),
        units,
        f.when(text.rlike("^P"), reduce(lambda one, other: one + other, iso)),
    )
    return f.coalesce(text.cast("double"), spoken)


def _padded(text: Column, more: Column, width: int) -> Column:
    """A piece that others follow, with the blanks that it had at its end."""
    from pyspark.sql import functions as f

    text = f.coalesce(text, f.lit(""))
    lost = f.greatest(f.lit(0), f.lit(width) - f.octet_length(text))
    return f.when(more, f.concat(text, f.call_function("repeat", f.lit(" "), lost))).otherwise(text)
