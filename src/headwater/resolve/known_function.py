"""What well-known table functions call their columns; who is not listed here is a function that only its owner can describe."""

from __future__ import annotations

from headwater.sql.dialect import Dialect

_JSON_TREE = ("key", "value", "type", "atom", "id", "parent", "fullkey", "path")
_FILE_FIELDS = ("column_name", "type", "nullable", "expression", "filenames", "order_id")

_ANYWHERE = {
    "posexplode": ("pos", "col"),
    "posexplode_outer": ("pos", "col"),
    "string_split": ("value", "ordinal"),
    "openjson": ("key", "value", "type"),
    "json_each": ("key", "value"),
    "jsonb_each": ("key", "value"),
    "json_each_text": ("key", "value"),
    "jsonb_each_text": ("key", "value"),
    "json_array_elements": ("value",),
    "jsonb_array_elements": ("value",),
    "json_array_elements_text": ("value",),
    "jsonb_array_elements_text": ("value",),
}
_BY_DIALECT: dict[str, dict[str, tuple[str, ...]]] = {
    "snowflake": {
        "split_to_table": ("seq", "index", "value"),
        "strtok_split_to_table": ("seq", "index", "value"),
        "infer_schema": _FILE_FIELDS,
        "generator": (),
    },
    "sqlite": {"json_each": _JSON_TREE, "json_tree": _JSON_TREE, "generate_series": ("value",)},
    "duckdb": {
        "json_each": _JSON_TREE,
        "json_tree": _JSON_TREE,
        "glob": ("file",),
        "generate_subscripts": ("generate_subscripts",),
    },
    "postgres": {
        **{
            name: (name,)
            for name in ("json_object_keys", "jsonb_object_keys", "regexp_split_to_table", "string_to_table")
        },
        **{name: (name,) for name in ("regexp_matches", "generate_subscripts", "jsonb_path_query", "xpath_table")},
        "each": ("key", "value"),
        "ts_stat": ("word", "ndoc", "nentry"),
        "csv_extract": (),
        "json_to_record": (),
        "jsonb_to_record": (),
        "json_to_recordset": (),
        "jsonb_to_recordset": (),
    },
    "spark": {
        "sql_keywords": ("keyword", "reserved"),
        "variant_explode": ("pos", "key", "value"),
        "variant_explode_outer": ("pos", "key", "value"),
    },
    "oracle": dict.fromkeys(
        (
            *("xmlsequence", "odcivarchar2list", "odcinumberlist", "odcidatelist", "odcirawlist"),
            *("dbms_debug_vc2coll", "ku$_vcnt", "ku$_objnumset"),
        ),
        ("column_value",),
    ),
    "tsql": {"generate_series": ("value",)},
    "mysql": {"numbers": ("number",), "json_to_array": ("table_col",), "split": ("table_col",)},
    "teradata": {"strtok_split_to_table": ("outkey", "tokennum", "token")},
    "trino": {"generate_series": ("sequential_number",)},
    "clickhouse": {
        "numbers": ("number",),
        "numbers_mt": ("number",),
        "generate_series": ("generate_series",),
        "zeros": ("zero",),
        "zeros_mt": ("zero",),
    },
}
_LIKE = {"databricks": "spark", "redshift": "postgres", "presto": "trino", "athena": "trino"}

PROGRAM = "python_model"
"""Stands for a program of a project that makes a table: of it, a diagnostic of its own says what is known."""
UNDESCRIBED = frozenset(
    {
        *("result_scan", "merge", "loop", "predict", "forecast", "exclude_columns", "crosstab", "appends", "changes"),
        *("json_populate_record", "jsonb_populate_record", "json_populate_recordset", "jsonb_populate_recordset"),
        *("mongodb", "sqlite", "jdbc", "odbc", "opendatasource", "td_jsonshred", "event_log"),
        PROGRAM,
    }
)
"""Functions of the engine itself whose columns the call does not tell: no entity of anybody's database."""


def known_columns(dialect: Dialect, name: str) -> list[str] | None:
    """The columns of a well-known function, folded; None if it is none."""
    columns = _BY_DIALECT.get(_LIKE.get(dialect.family, dialect.family), {}).get(name)
    if columns is None:
        columns = _ANYWHERE.get(name)
    return None if columns is None else [dialect.fold_column(c, False) for c in columns]
