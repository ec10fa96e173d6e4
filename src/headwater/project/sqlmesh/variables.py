"""Variables of the settings as SQL."""

from __future__ import annotations

from collections.abc import Mapping


def as_sql(variables: Mapping[str, object]) -> dict[str, str]:
    """Variables as SQL writes their values; mappings are left out.

    >>> as_sql({"schema": "raw", "limit": 3, "names": ["a", "b"]})
    {'schema': "'raw'", 'limit': '3', 'names': "['a', 'b']"}
    """
    return {name: sql for name, value in variables.items() if (sql := _sql(value))}


def _sql(value: object) -> str:
    if isinstance(value, str):
        quoted = value.replace("'", "''")
        return f"'{quoted}'"
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, list):
        return f"[{', '.join(filter(None, map(_sql, value)))}]"
    return "NULL" if value is None else ""
