"""Words that say what a function of dates counts: `DAY` in `datediff(DAY, a, b)`. They look like columns and are none.

The grammar takes any name there for such a word. Whether it is one depends on the dialect: T-SQL wants a word, PostgreSQL's
`date_trunc(a, d)` an expression, so that even `month` is a column.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.dialect import Dialect

_SPANS = "NANOSECOND MICROSECOND MILLISECOND SECOND MINUTE HOUR DAY WEEK MONTH QUARTER YEAR DECADE"
_PARTS = """
    CENTURY CENTURIES MILLENNIUM MILLENNIA EPOCH JULIAN TIMEZONE TIMEZONE_HOUR TIMEZONE_MINUTE TZOFFSET
    DOW DOY ISODOW ISOYEAR ISOWEEK ISO_WEEK WEEKISO WEEK_ISO WEEKDAY WEEKDAY_ISO WEEKOFYEAR YEAROFWEEK YEAROFWEEKISO
    DAYOFWEEK DAYOFWEEKISO DAYOFWEEK_ISO DAYOFMONTH DAYOFYEAR FRAC_SECOND
    EPOCH_SECOND EPOCH_MILLISECOND EPOCH_MICROSECOND EPOCH_NANOSECOND
    SECOND_MICROSECOND MINUTE_MICROSECOND MINUTE_SECOND HOUR_MICROSECOND HOUR_SECOND HOUR_MINUTE
    DAY_MICROSECOND DAY_SECOND DAY_MINUTE DAY_HOUR YEAR_MONTH
    SUNDAY MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY
"""
_SHORT = """
    NANOSEC NSEC NS MICROSEC USEC US MCS MILLISEC MSEC MS SEC SECS SS S MIN MINS MI N HR HRS HH H DD D DY Y DW WK WW W WY WOY
    ISOWK ISOWW MON MONS MM M QTR QTRS QQ Q YR YRS YY YYY YYYY DEC DECS CENT CENTS C MIL MILS TZ TZH TZM DW_ISO DOW_ISO
"""
_FORMS = "NFC NFD NFKC NFKD"
"""What NORMALIZE makes of a text; the grammar reads it in the same way."""
UNITS = frozenset(form.format(span) for span in _SPANS.split() for form in ("{}", "{}S", "SQL_TSI_{}")) | frozenset(
    f"{_PARTS} {_FORMS}".split()
)
"""Words for units, in upper case."""
UNITS_AND_SHORT = UNITS | frozenset(_SHORT.split())
"""The same, and abbreviations."""
_SHORT_IN = frozenset({"tsql", "snowflake", "redshift", "clickhouse"})
"""Dialects that abbreviate the words."""
_TRINO = frozenset({"DATE_TRUNC", "DATE_ADD", "DATE_DIFF"})
_EXPRESSIONS = {
    "postgres": frozenset({"DATE_TRUNC", "DATE_PART"}),
    "redshift": frozenset({"DATE_TRUNC"}),
    "duckdb": frozenset(
        {"DATE_TRUNC", "DATETRUNC", "DATE_PART", "DATEPART", "DATE_DIFF", "DATEDIFF", "DATE_SUB", "DATESUB"}
    ),
    "trino": _TRINO,
    "presto": _TRINO,
    "athena": _TRINO,
    "spark": frozenset({"DATE_TRUNC", "TRUNC", "DATE_PART", "DATEPART"}),
    "databricks": frozenset({"DATE_TRUNC", "TRUNC", "DATE_PART", "DATEPART"}),
    "hive": frozenset({"DATE_TRUNC", "TRUNC", "DATE_PART"}),
    "clickhouse": frozenset({"DATE_TRUNC", "DATETRUNC"}),
    "db2": frozenset({"DATE_TRUNC", "DATE_PART"}),
}
"""Functions that take the unit as an expression, a text: a bare word is a column there."""
_NEVER = frozenset({"DATE_BIN", "TIME_BUCKET"})
"""Functions that have no unit: the grammar takes the origin for one."""


def is_unit(function: str, argument: Sequence[Token], dialect: Dialect) -> bool:
    """Whether an argument that the grammar takes for a unit is one: a word, or `WEEK(MONDAY)`."""
    if function in _NEVER or function in _EXPRESSIONS.get(dialect.family, ()):
        return False
    words = UNITS_AND_SHORT if dialect.family in _SHORT_IN else UNITS
    kinds = [token.token_type for token in argument]
    if kinds[1:] and (kinds[1] is not TokenType.L_PAREN or len(kinds) != 4):
        return False
    return all(token.token_type is not TokenType.IDENTIFIER and token.text.upper() in words for token in argument[:3:2])
