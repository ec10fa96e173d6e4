"""SQLMesh's own macros, written for lineage from their documented behaviour: what each gives is made of the same columns."""

from __future__ import annotations

import re
from collections.abc import Mapping

from headwater.project.sqlmesh.macros import Arguments, Macro, MacroProblem, Macros, Made
from headwater.project.sqlmesh.words import unquoted
from headwater.sql.dialect import dialect
from headwater.sql.quoted import quoted

_EXCEPT = frozenset({"bigquery", "databricks", "spark", "clickhouse"})
_TEXT = {
    "bigquery": "STRING",
    "databricks": "STRING",
    "spark": "STRING",
    "hive": "STRING",
    "mysql": "CHAR",
    "tsql": "VARCHAR(MAX)",
}
_EARTH = {"mi": "3956", "km": "6371.0088"}


def _each(macros: Macros, given: Arguments) -> Made:
    return [macros.applied(given.get(1), item) for item in macros.items(given.get(0))]


def _filter(macros: Macros, given: Arguments) -> Made:
    items = macros.items(given.get(0))
    return [item for item in items if macros.condition(macros.applied(given.get(1), item)) is not False]


def _reduce(macros: Macros, given: Arguments) -> Made:
    items = macros.items(given.get(0))
    if not items:
        return ""
    total = items[0]
    for item in items[1:]:
        total = macros.applied(given.get(1), total, item)
    return total


def _if(macros: Macros, given: Arguments) -> Made:
    chosen = given.get(2) if macros.condition(given.get(0)) is False else given.get(1)
    return macros.written(chosen)


def _joined_by(word: str) -> Macro:
    def method(macros: Macros, given: Arguments) -> Made:
        parts = [item for each in given.placed for item in macros.items(each) if item.strip()]
        return f" {word} ".join(f"({part})" for part in parts) or "TRUE"

    return method


def _sql(macros: Macros, given: Arguments) -> Made:
    text = macros.written(given.get(0))
    return macros.written(unquoted(text.removeprefix("@")))


def _variable(macros: Macros, given: Arguments) -> Made:
    name = unquoted(given.get(0))
    default = given.get(1, "default")
    found = macros.written(f"@{name}") if not default or macros.knows(name) else default
    return macros.written(found)


def _star(macros: Macros, given: Arguments) -> Made:
    relation = macros.written(given.get(0, "relation"))
    alias = macros.written(given.get(1, "alias")).strip()
    left_out = [unquoted(each).lower() for each in macros.items(given.named.get("exclude") or given.get(2, "except_"))]
    prefix, suffix = unquoted(given.get(3, "prefix")), unquoted(given.get(4, "suffix"))
    columns = macros.columns(relation)
    owner = f"{alias}." if alias else ""
    kept = [name for name in columns if unquoted(name).lower() not in left_out]
    if kept:
        macros.charge(len(kept) * (len(owner) + len(prefix) + len(suffix)))
        return [f"{owner}{name} AS {_name(f'{prefix}{unquoted(name)}{suffix}', macros)}" for name in kept]
    if not left_out:
        return f"{owner}*"
    word = "EXCEPT" if macros.dialect in _EXCEPT else "EXCLUDE"
    return f"{owner}* {word} ({', '.join(left_out)})"


def _name(name: str, macros: Macros) -> str:
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else quoted(name, dialect(macros.dialect))


def _surrogate_key(macros: Macros, given: Arguments) -> Made:
    kind = _TEXT.get(macros.dialect, "TEXT")
    fields = [item for each in given.placed for item in macros.items(each)]
    parts = [f"COALESCE(CAST({each} AS {kind}), '_sqlmesh_surrogate_key_null_')" for each in fields]
    function = unquoted(given.named.get("hash_function", "")) or "MD5"
    return f"{function}(CONCAT({', '.join(parts)}))" if parts else "NULL"


def _safe(operator: str) -> Macro:
    def method(macros: Macros, given: Arguments) -> Made:
        parts = [item for each in given.placed for item in macros.items(each)]
        nulls = " AND ".join(f"{part} IS NULL" for part in parts)
        total = f" {operator} ".join(f"COALESCE({part}, 0)" for part in parts)
        return f"CASE WHEN {nulls} THEN NULL ELSE {total} END"

    return method


def _safe_div(macros: Macros, given: Arguments) -> Made:
    return f"({macros.written(given.get(0))} / NULLIF({macros.written(given.get(1))}, 0))"


def _union(macros: Macros, given: Arguments) -> Made:
    placed = list(given.placed)
    distinct = False
    while placed and (placed[0].startswith("'") or macros.condition_only(placed[0])):
        distinct = distinct or unquoted(placed[0]).lower() == "distinct"
        placed.pop(0)
    tables = [item for each in placed for item in macros.items(each)]
    if not tables:
        raise MacroProblem("@UNION names no tables")
    listed = _common(macros, tables)
    word = "UNION" if distinct else "UNION ALL"
    macros.charge(len(tables) * len(listed))
    return f"\n{word}\n".join(f"SELECT {listed} FROM {table}" for table in tables)


def _common(macros: Macros, tables: list[str]) -> str:
    """The columns that all tables have, where these are known; else all of them."""
    known: list[Mapping[str, str]] = [macros.columns(table) for table in tables]
    if not all(known):
        return "*"
    return ", ".join(name for name in known[0] if all(name in each for each in known[1:])) or "*"


def _pivot(macros: Macros, given: Arguments) -> Made:
    column = macros.written(given.get(0, "column"))
    values = macros.items(given.get(1, "values"))
    has_alias = unquoted(given.get(2, "alias", "true")).lower() != "false"
    function = unquoted(given.get(3, "agg", "SUM"))
    compared = unquoted(given.get(4, "cmp", "="))
    prefix, suffix = unquoted(given.get(5, "prefix")), unquoted(given.get(6, "suffix"))
    then, otherwise = macros.written(given.get(7, "then_value", "1")), macros.written(given.get(8, "else_value", "0"))
    distinct = "DISTINCT " if unquoted(given.get(10, "distinct")).lower() == "true" else ""
    made = []
    parts = (column, then, otherwise, function, compared, prefix, suffix)
    macros.charge(len(values) * sum(map(len, parts)))
    for value in values:
        shown = quoted(f"{prefix}{unquoted(value)}{suffix}", dialect(macros.dialect))
        literal = value if value.startswith("'") or value.replace(".", "").isdigit() else f"'{value}'"
        test = f"CASE WHEN {column} {compared} {literal} THEN {then} ELSE {otherwise} END"
        made.append(f"{function}({distinct}{test})" + (f" AS {shown}" if has_alias else ""))
    return made


def _deduplicate(macros: Macros, given: Arguments) -> Made:
    relation = macros.written(given.get(0, "relation"))
    partition = ", ".join(macros.items(given.get(1, "partition_by")))
    order = ", ".join(unquoted(each) for each in macros.items(given.get(2, "order_by")))
    return f"SELECT * FROM {relation} QUALIFY ROW_NUMBER() OVER (PARTITION BY {partition} ORDER BY {order}) = 1"


def _date_spine(macros: Macros, given: Arguments) -> Made:
    part = unquoted(given.get(0, "datepart")).lower()
    start, end = macros.written(given.get(1, "start_date")), macros.written(given.get(2, "end_date"))
    spine = f"SELECT CAST({start} AS DATE) AS date_{part} UNION ALL SELECT CAST({end} AS DATE) AS date_{part}"
    return f"SELECT date_{part} FROM ({spine}) AS spine"


def _distance(macros: Macros, given: Arguments) -> Made:
    lat1, lon1, lat2, lon2 = (
        macros.written(given.get(n, name)) for n, name in enumerate(("lat1", "lon1", "lat2", "lon2"))
    )
    radius = _EARTH.get(unquoted(given.get(4, "unit", "mi")).lower(), _EARTH["mi"])
    inside = (
        f"POWER(SIN(RADIANS(({lat2} - {lat1}) / 2)), 2) + COS(RADIANS({lat1})) * COS(RADIANS({lat2}))"
        f" * POWER(SIN(RADIANS(({lon2} - {lon1}) / 2)), 2)"
    )
    return f"2 * {radius} * ASIN(SQRT({inside}))"


def _column(macros: Macros, given: Arguments) -> Made:
    return unquoted(macros.written(given.get(0)))


def _and_default(macros: Macros, given: Arguments) -> Made:
    return macros.written(given.get(0))


OWN: Mapping[str, Macro] = {
    "each": _each,
    "filter": _filter,
    "reduce": _reduce,
    "if": _if,
    "and": _joined_by("AND"),
    "or": _joined_by("OR"),
    "sql": _sql,
    "eval": _and_default,
    "var": _variable,
    "blueprint_var": _variable,
    "star": _star,
    "generate_surrogate_key": _surrogate_key,
    "safe_add": _safe("+"),
    "safe_sub": _safe("-"),
    "safe_div": _safe_div,
    "union": _union,
    "pivot": _pivot,
    "deduplicate": _deduplicate,
    "date_spine": _date_spine,
    "haversine_distance": _distance,
    "column": _column,
    "resolve_template": lambda macros, given: "NULL",
}
"""The macros by name."""
