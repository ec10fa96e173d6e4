"""The facts of each dialect, one entry per dialect; what they mean is told in `dialect`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from headwater.sql.dialect import Dialect
from headwater.sql.folding import insensitive, sensitive, sensitive_but_variables, unquoted_lower, unquoted_upper


def _numbered(prefix: str, first: int = 1) -> Callable[[int], str]:
    """Names of VALUES columns: a prefix and a number."""
    return lambda n: f"{prefix}{n + first}"


_UPPER_NOW = frozenset({"CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "CURRENT_USER", "USER", "SYSDATE"})

_FILE_METADATA = (
    "struct<file_path:string,file_name:string,file_size:bigint,file_block_start:bigint,file_block_length:bigint,"
    "file_modification_time:timestamp,row_index:bigint>"
)
"""What Spark tells of the file of a row; the number of the row in it only of Parquet files."""

_SPARK: dict[str, Any] = {
    "all_is_name": True,
    "nested_routines": True,
    "loops_spread": True,
    "fold_column": insensitive,
    "dotted_fields": True,
    "pseudo_columns": frozenset({"_metadata", "input__file__name"}),
    "pseudo_types": {"_metadata": _FILE_METADATA},
    "lateral_alias": True,
    "alias_in_having": True,
    "aggregate_any": True,
    "script_transforms": True,
    "regex_columns": True,
    "niladic": frozenset({"grouping__id", "current_path"}),
    "pipeline_schema": "live",
    "time_windows": True,
    "lateral_fields": True,
    "bars_are_pipes": True,
    "session_variables": True,
    "columns_before_calls": True,
    "identifier_clause": True,
    "using_first_of_item": True,
    "values_column": _numbered("col"),
    "temporary_without_schema": True,
    "states_in_names": True,
}
_TRINO: dict[str, Any] = {
    "fold_column": insensitive,
    "underscored_numbers": True,
    "empty_binary": True,
    "dotted_fields": True,
    "alias_in_group_by": False,
    "pseudo_columns": frozenset({"$path", "$file_size", "$file_modified_time", "$partition", "$bucket", "$row_id"}),
    "values_column": _numbered("_col", 0),
    "row_member": _numbered("_col", 0),
    "numbered_fields": True,
    "unnest_gives_fields": True,
    "using_leaves_item": True,
}

DIALECTS = {
    d.name: d
    for d in (
        Dialect("ansi", "", unquoted_upper, alias_in_group_by=False, nested_routines=True, own_operators=True),
        Dialect("spark", "spark", wider_grammar="databricks", **_SPARK),
        Dialect("databricks", "databricks", **_SPARK),
        Dialect(
            "hive",
            "hive",
            insensitive,
            niladic=frozenset({"grouping__id"}),
            dotted_fields=True,
            script_transforms=True,
            regex_columns=True,
            pseudo_columns=frozenset({"input__file__name", "block__offset__inside__file"}),
            alias_in_having=True,
            values_column=_numbered("col"),
            row_member=_numbered("col"),
            aggregate_filter=False,
        ),
        Dialect(
            "bigquery",
            "bigquery",
            insensitive,
            sensitive,
            dotted_fields=True,
            arrays_in_from=True,
            alias_first_in_group_by=True,
            pseudo_columns=frozenset({"_partitiontime", "_partitiondate", "_table_suffix", "_file_name"}),
            alias_in_having=True,
            row_value_of_alias=True,
            row_value_first=True,
            nested_routines=True,
            aggregate_filter=False,
            numbered_fields=True,
        ),
        Dialect(
            "snowflake",
            "snowflake",
            unquoted_upper,
            defines_objects=True,
            join_marks=True,
            lateral_alias=True,
            alias_in_where=True,
            alias_in_having=True,
            implicit_recursion=True,
            pseudo_columns=frozenset(
                {"METADATA$FILENAME", "METADATA$FILE_ROW_NUMBER", "METADATA$ACTION", "METADATA$ISUPDATE"}
            ),
            sequences=True,
            first_schema="PUBLIC",
            databases_of_schemas=True,
            into_variables=True,
            values_column=_numbered("COLUMN"),
            declares_before_block=True,
            nested_routines=True,
            session_marks="$",
            identifier_clause=True,
            aggregate_filter=False,
        ),
        Dialect(
            "postgres",
            "postgres",
            unquoted_lower,
            underscored_numbers=True,
            tables_are_types=True,
            temporary_without_schema=True,
            row_value_of_alias=True,
            row_member=_numbered("f"),
            numbered_fields=True,
            unnest_gives_fields=True,
            alias_in_order_expression=False,
            short_column_list=True,
            lambdas=False,
            pseudo_columns=frozenset({"ctid", "xmin", "xmax", "cmin", "cmax", "tableoid", "oid"}),
            declares_before_block=True,
            values_are_queries=True,
            own_operators=True,
        ),
        Dialect(
            "tsql",
            "tsql",
            insensitive,
            alias_in_group_by=False,
            alias_in_order_expression=False,
            implicit_recursion=True,
            batch_separator="GO",
            optional_semicolons=True,
            guards_one_statement=True,
            marks_variables=True,
            changed_tables=("inserted", "deleted"),
            alters_routines=True,
            blocks_scope_variables=False,
            temporary_marks=True,
            first_schema="dbo",
            databases_of_schemas=True,
            aggregate_filter=False,
            money_signs=True,
            empty_binary=True,
            identity_is_left_out=True,
        ),
        Dialect(
            "duckdb",
            "duckdb",
            insensitive,
            unnest_takes_structs=True,
            numbered_fields=True,
            json_arrows=True,
            temporary_without_schema=True,
            dotted_fields=True,
            using_first=False,
            column_sets=True,
            implicit_lateral=True,
            pseudo_columns=frozenset({"rowid", "filename"}),
            lateral_alias=True,
            alias_in_where=True,
            alias_in_having=True,
            row_value_of_alias=True,
            values_column=_numbered("col", 0),
            own_operators=True,
        ),
        Dialect(
            "redshift",
            "redshift",
            insensitive,
            temporary_without_schema=True,
            join_marks=True,
            dotted_fields=True,
            arrays_in_from=True,
            lateral_alias=True,
            alias_in_where=True,
            alias_in_having=True,
            lambdas=False,
            pseudo_columns=frozenset({"$path", "$size"}),
            declares_before_block=True,
            values_are_queries=True,
            aggregate_filter=False,
            own_operators=True,
        ),
        Dialect(
            "mysql",
            "mysql",
            insensitive,
            sensitive,
            alias_in_having=True,
            lambdas=False,
            one_row_tables={("dual",): "dummy", ("DUAL",): "dummy"},
            into_variables=True,
            insert_sees_row=True,
            assigns_in_order=True,
            partitions_have_names=True,
            ctas_by_name=True,
            values_column=_numbered("column_", 0),
            variables_first=True,
            session_marks="@",
            aggregate_filter=False,
        ),
        Dialect(
            "oracle",
            "oracle",
            unquoted_upper,
            alias_in_group_by=False,
            implicit_recursion=True,
            pseudo_columns=frozenset({"ROWID", "ORA_ROWSCN"}),
            niladic=_UPPER_NOW | {"UID", "SYSTIMESTAMP", "SESSIONTIMEZONE", "DBTIMEZONE", "ROWNUM"},
            sequences=True,
            join_marks=True,
            one_row_tables={("DUAL",): "DUMMY", ("SYS", "DUAL"): "DUMMY"},
            into_variables=True,
            partitions_have_names=True,
            batch_separator="/",
            declares_before_block=True,
            aggregate_filter=False,
        ),
        Dialect(
            "db2",
            "oracle",
            unquoted_upper,
            loops_spread=True,
            alias_in_group_by=False,
            implicit_recursion=True,
            niladic=_UPPER_NOW
            | {f"CURRENT_{name}" for name in ("TIMEZONE", "SCHEMA", "SERVER", "SQLID", "PATH", "DEGREE", "ISOLATION")},
            sequences=True,
            one_row_tables={("SYSIBM", "SYSDUMMY1"): "IBMREQD", ("SYSDUMMY1",): "IBMREQD", ("DUAL",): "DUMMY"},
            into_variables=True,
            values_column=_numbered(""),
            aggregate_filter=False,
        ),
        Dialect(
            "teradata",
            "teradata",
            insensitive,
            lateral_alias=True,
            alias_in_where=True,
            alias_in_having=True,
            implicit_from=True,
            pseudo_columns=frozenset({"rowid", "partition"}),
            niladic=frozenset({"date", "time", "user", "database", "account", "session", "profile", "role"})
            | {"until_changed", "until_closed"}
            | {name.lower() for name in _UPPER_NOW},
            into_variables=True,
            aggregate_filter=False,
        ),
        Dialect("trino", "trino", **_TRINO),
        Dialect("presto", "presto", **_TRINO),
        Dialect("athena", "athena", **_TRINO),
        Dialect(
            "clickhouse",
            "clickhouse",
            sensitive,
            row_member=_numbered(""),
            numbered_fields=True,
            dotted_fields=True,
            using_first=False,
            column_sets=True,
            lateral_alias=True,
            alias_in_where=True,
            alias_in_having=True,
            alias_first=True,
            dictionaries=True,
            in_table=True,
            pseudo_columns=frozenset(
                {"_part", "_part_index", "_part_uuid", "_partition_id", "_partition_value", "_sample_factor", "_table"}
                | {"_database", "_file", "_path", "_size", "_time", "_part_offset", "_shard_num", "_row_exists"}
            ),
            one_row_tables={("system", "one"): "dummy"},
            values_column=_numbered("c"),
        ),
        Dialect(
            "sqlite",
            "sqlite",
            insensitive,
            temporary_without_schema=True,
            using_first=False,
            alias_in_where=True,
            alias_in_having=True,
            lambdas=False,
            quoted_may_be_string=True,
            in_table=True,
            pseudo_columns=frozenset({"rowid", "oid", "_rowid_"}),
        ),
        Dialect(
            "exasol",
            "exasol",
            unquoted_upper,
            alias_in_group_by=True,
            niladic=_UPPER_NOW | {"SYSTIMESTAMP", "ROWNUM", "CURRENT_SCHEMA", "CURRENT_SESSION", "CURRENT_STATEMENT"},
            one_row_tables={("DUAL",): "DUMMY", ("SYS", "DUAL"): "DUMMY"},
            pseudo_columns=frozenset({"ROWID"}),
            implicit_recursion=True,
            aggregate_filter=False,
            join_marks=True,
            local_aliases=True,
            batch_separator="/",
        ),
        Dialect("dremio", "dremio", insensitive, dotted_fields=True, paths_are_whole=True),
        Dialect("druid", "druid", sensitive, alias_in_group_by=False, lookup_schema="lookup"),
        Dialect(
            "drill",
            "drill",
            insensitive,
            unquoted_lower,
            dotted_fields=True,
            paths_are_whole=True,
            pseudo_columns=frozenset({"filename", "filepath", "suffix", "fqn", "dir0", "dir1", "dir2", "dir3"}),
        ),
        Dialect(
            "flink",
            "flink",
            sensitive,
            dotted_fields=True,
            alias_in_group_by=False,
            unnest_gives_fields=True,
            ctas_by_name=True,
            names_reorder=True,
            identity_is_left_out=True,
            values_column=_numbered("EXPR$", 0),
        ),
    )
}


def _descends(name: str, parent: str, grammar_name: str = "", **facts: Any) -> None:
    """Add a dialect that has all facts of its *parent* but those that are given."""
    base = DIALECTS[parent]
    DIALECTS[name] = replace(base, name=name, grammar_name=grammar_name or base.grammar_name, parent=parent, **facts)


_STRUCTS_AND_LAMBDAS: dict[str, Any] = {
    "dotted_fields": True,
    "lambdas": True,
    "json_arrows": True,
    "dictionaries": True,
    "ctas_by_name": False,
    "insert_sees_row": False,
    "assigns_in_order": False,
    "variables_first": False,
}
"""What engines that speak MySQL's protocol have of their own."""

_descends("starrocks", "mysql", "starrocks", **_STRUCTS_AND_LAMBDAS)
_descends("doris", "mysql", "doris", **_STRUCTS_AND_LAMBDAS)
_descends("singlestore", "mysql", "singlestore", ctas_by_name=False)
_POSTGRES_COLUMNS = DIALECTS["postgres"].pseudo_columns

_descends("greenplum", "postgres", pseudo_columns=_POSTGRES_COLUMNS | {"gp_segment_id"})
_descends("materialize", "postgres", "materialize", streams=True)
_descends("risingwave", "postgres", "risingwave", streams=True, pseudo_columns=frozenset({"_row_id", "_rw_timestamp"}))
_descends(
    "vertica",
    "postgres",
    fold_column=insensitive,
    row_value_of_alias=False,
    dotted_fields=True,
    sequences=True,
    niladic=frozenset({"sysdate"}),
    one_row_tables={("dual",): "dummy"},
    calls_move_rows=True,
    defaults_read=True,
    numbers_elements=True,
    pseudo_columns=frozenset({"epoch"}),
)
_descends("fabric", "tsql", "fabric", fold_column=sensitive_but_variables)
_descends(
    "impala",
    "hive",
    arrays_in_from=True,
    element_name="item",
    script_transforms=False,
    regex_columns=False,
    pseudo_columns=frozenset({"input__file__name", "file__position", "iceberg__data__sequence__number"}),
)
_descends("dlt", "databricks", is_pipeline=True)
