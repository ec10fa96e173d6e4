"""The tables that GoogleSQL's analyzer tests read, as far as a schema can declare them.

BigQuery has neither the small integer types, nor enums and protocol buffers: these are declared as INT64, STRING and STRUCT, which have
fields alike. Value tables, graphs, table functions, models and the functions of the sample catalog cannot be declared.
"""

from __future__ import annotations

import re

Schema = dict[str, dict[str, str]]

_WORD = re.compile(r"\w+")
_AB = "STRUCT<a INT64, b STRING>"
_CD = f"STRUCT<c INT64, d {_AB}>"
_EF = f"STRUCT<e INT64, f {_CD}>"
_NESTED = "STRUCT<nested_int64 INT64, nested_repeated_int64 ARRAY<INT64>, nested_repeated_int32 ARRAY<INT64>, value ARRAY<INT64>>"
_EXTRA = "STRUCT<int32_val1 INT64, int32_val2 INT64, str_value ARRAY<STRING>>"
_GROUP = "STRUCT<id INT64, idstr STRING>"
_KITCHEN_SINK = (
    "STRUCT<int64_key_1 INT64, int64_key_2 INT64, int32_val INT64, uint32_val INT64, int64_val INT64, uint64_val INT64, "
    "string_val STRING, float_val FLOAT64, double_val FLOAT64, bytes_val BYTES, bool_val BOOL, repeated_int32_val ARRAY<INT64>, "
    "repeated_uint32_val ARRAY<INT64>, repeated_int64_val ARRAY<INT64>, repeated_uint64_val ARRAY<INT64>, "
    "repeated_string_val ARRAY<STRING>, repeated_float_val ARRAY<FLOAT64>, repeated_double_val ARRAY<FLOAT64>, "
    f"repeated_bytes_val ARRAY<BYTES>, repeated_bool_val ARRAY<BOOL>, nested_value {_NESTED}, "
    f"nested_repeated_value ARRAY<{_NESTED}>, test_enum STRING, repeated_test_enum ARRAY<STRING>, "
    f"nested_repeated_group ARRAY<{_GROUP}>, date DATE, timestamp_seconds TIMESTAMP, timestamp_millis TIMESTAMP, "
    "timestamp_micros TIMESTAMP, repeated_date ARRAY<DATE>, repeated_timestamp_micros ARRAY<TIMESTAMP>, "
    f"int_with_default INT64, has_confusing_name STRING, test_extra_pb {_EXTRA}>"
)
_KEY_VALUE = {"Key": "INT64", "Value": "STRING"}
_SIMPLE = {
    "int32": "INT64",
    "int64": "INT64",
    "uint32": "INT64",
    "uint64": "INT64",
    "string": "STRING",
    "bytes": "BYTES",
    "bool": "BOOL",
    "float": "FLOAT64",
    "double": "FLOAT64",
    "date": "DATE",
}
_SERIES = {"borg_job": "STRING", "borg_task_num": "INT64"}
_LOAD = {"gcu": "FLOAT64", "requests": "INT64"}

TABLES: Schema = {
    "Value": {"Value": "INT64", "Value_1": "INT64"},
    "KeyValue": _KEY_VALUE,
    "KeyValueWithPrimaryKey": _KEY_VALUE,
    "KeyValueReadTimeIgnored": _KEY_VALUE,
    "AnotherKeyValue": {"Key": "INT64", "value": "STRING"},
    "KeyValue2": {"Key": "INT64", "Value2": "STRING"},
    "MultipleColumns": {
        "int_a": "INT64",
        "string_a": "STRING",
        "int_b": "INT64",
        "string_b": "STRING",
        "int_c": "INT64",
        "int_d": "INT64",
    },
    "TableWithTimestampColumn": {"ts_col": "TIMESTAMP"},
    "TableWithMixedCaseColumn": {"ts_col": "TIMESTAMP", "MiXeD_cAsE": "STRING"},
    "UpdateToDefaultTable": dict.fromkeys(("writable", "readonly", "readonly_settable_to_default"), "INT64"),
    "abTable": {"a": "INT64", "b": "STRING"},
    "bcTable": {"b": "INT64", "c": "STRING"},
    "TableWithDefaultColumn": dict.fromkeys(("id", "a", "default_col"), "INT64"),
    "TableWithGeneratedColumn": dict.fromkeys(("A", "B", "C", "D"), "INT64"),
    "GeoStructTable1": {"geo": "STRUCT<a GEOGRAPHY>"},
    "GeoStructTable2": {"geo": "STRUCT<b GEOGRAPHY>"},
    "StructWithJsonTable": {"json_struct": "STRUCT<json JSON, json_2 JSON>"},
    "ArrayOfStructOfJsonAndIntTable": {"json_and_int_array": "ARRAY<STRUCT<json JSON, int INT64>>"},
    "CollatedTable": {
        "string_ci": "STRING",
        "string_binary": "STRING",
        "struct_with_string_ci": _AB,
        "array_with_string_ci": "ARRAY<STRING>",
    },
    "SimpleTypes": {
        **_SIMPLE,
        **{f"timestamp_{unit}": "TIMESTAMP" for unit in ("seconds", "millis", "micros", "nanos")},
        "timestamp": "TIMESTAMP",
        "numeric": "NUMERIC",
        "bignumeric": "BIGNUMERIC",
        "json": "JSON",
        "uuid": "STRING",
    },
    "SimpleTypesWithAnonymizationUid": {**_SIMPLE, "uid": "INT64", "numeric": "NUMERIC"},
    "ArrayWithAnonymizationUid": {"int64_array": "ARRAY<INT64>", "double_array": "ARRAY<FLOAT64>", "uid": "INT64"},
    "T1StringAnonymizationUid": {"uid": "STRING", "c2": "STRING"},
    "T2StringAnonymizationUid": {"c1": "STRING", "uid": "STRING"},
    "TableWithSingleInt64ArrayCol": {"array_col": "ARRAY<INT64>"},
    "GeographyTable": {"key": "INT64", "text": "STRING", "geo1": "GEOGRAPHY", "geo2": "GEOGRAPHY"},
    "NumericTypeTable": {"numeric_col": "NUMERIC"},
    "BigNumericTypeTable": {"bignumeric_col": "BIGNUMERIC"},
    "JSONTable": {"json_col": "JSON"},
    "TwoIntegers": {"key": "INT64", "value": "INT64"},
    "FourIntegers": dict.fromkeys(("key1", "value1", "key2", "value2"), "INT64"),
    "NameConflictTable": {"key": "INT64"},
    "name_conflict_table": {"a": "STRING", "name_conflict_field": "STRING"},
    "user_training_data": {"data": "INT64"},
    "user_custom_holiday": {"region": "STRING", "holiday_name": "STRING", "primary_date": "DATE"},
    "ArrayTableOrCatalog": {"Int32Array": "ARRAY<INT64>"},
    "base_table": {"id": "INT64", "embedding": "ARRAY<FLOAT64>", "string_col": "STRING"},
    "query_table": {
        "id": "INT64",
        "query_embedding": "ARRAY<FLOAT64>",
        "embedding": "ARRAY<FLOAT64>",
        "float_embedding": "ARRAY<FLOAT64>",
        "string_query_col": "STRING",
    },
    "TimeseriesTable": {**_SERIES, "ts_col": "TIMESTAMP", **_LOAD},
    "TimeseriesTableWithTimestampColumn": {**_SERIES, "timestamp": "TIMESTAMP", **_LOAD},
    "TestTable": {"key": "INT64", "TestEnum": "STRING", "KitchenSink": _KITCHEN_SINK},
    "ComplexTypes": {
        "key": "INT64",
        "TestEnum": "STRING",
        "KitchenSink": _KITCHEN_SINK,
        "Int32Array": "ARRAY<INT64>",
        "TestStruct": _CD,
        "TestProto": _EXTRA,
    },
    "MoreComplexTypes": {
        "key": "INT64",
        "ArrayOfStruct": f"ARRAY<{_AB}>",
        "StructOfArrayOfStruct": f"STRUCT<x INT64, y {_AB}, z ARRAY<{_AB}>>",
    },
    "StructWithKitchenSinkTable": {
        "kitchen_sink": _KITCHEN_SINK,
        "s": f"STRUCT<kitchen_sink {_KITCHEN_SINK}, s STRUCT<kitchen_sink {_KITCHEN_SINK}>>",
        "t": f"STRUCT<a INT64, b ARRAY<STRUCT<kitchen_sink {_KITCHEN_SINK}>>>",
    },
    "DoublyNestedStructTable": {"key": "INT64", "doubly_nested_struct": _EF},
    "ArrayTypes": {
        **{f"{name}Array": "ARRAY<INT64>" for name in ("Int32", "Int64", "UInt32", "UInt64")},
        "StringArray": "ARRAY<STRING>",
        "BytesArray": "ARRAY<BYTES>",
        "BoolArray": "ARRAY<BOOL>",
        "FloatArray": "ARRAY<FLOAT64>",
        "DoubleArray": "ARRAY<FLOAT64>",
        "DateArray": "ARRAY<DATE>",
        **{f"Timestamp{unit}Array": "ARRAY<TIMESTAMP>" for unit in ("Seconds", "Millis", "Micros", "")},
        "ProtoArray": f"ARRAY<{_EXTRA}>",
        "StructArray": f"ARRAY<{_AB}>",
        "JsonArray": "ARRAY<JSON>",
        "NumericArray": "ARRAY<NUMERIC>",
        "BigNumericArray": "ARRAY<BIGNUMERIC>",
        "IntervalArray": "ARRAY<INTERVAL>",
    },
    "SimpleTypesWithStruct": {"key": "INT64", "TestEnum": "STRING", "TestStruct": _CD},
    "KeywordTable": {
        "current_date": "DATE",
        "current_timestamp": "TIMESTAMP",
        **{f"current_timestamp_{unit}": "TIMESTAMP" for unit in ("seconds", "millis", "micros")},
    },
    "EnumTable": {"key": "INT64", "TestEnum": "STRING", "AnotherTestEnum": "STRING"},
    "Person": {
        "id": "INT64",
        "name": "STRING",
        "gender": "STRING",
        "birthday": "DATE",
        "email": "STRING",
        "age": "INT64",
        "data": "BYTES",
    },
    "InsertTestTable": {"id": "INT64", "val": "STRING", "readonly_col": "STRING"},
}
"""The columns of the tables."""
_NESTED_CATALOG = {
    "nested_catalog.KeyValue": "KeyValue",
    "nested_catalog.NestedKeyValue": "KeyValue",
    "nested_catalog.KeyValueNested": "KeyValue",
    "ArrayTableOrCatalog.Int32Array": "ArrayTableOrCatalog",
}
_BY_NAME = {name.lower(): columns for name, columns in TABLES.items()} | {
    name.lower(): TABLES[alike] for name, alike in _NESTED_CATALOG.items()
}
_NAME = re.compile(r"(?:\w+\.)?\w+")


def tables(sql: str) -> Schema:
    """The tables that a statement may read, as it spells them: their names are not case-sensitive here, but in BigQuery they are."""
    words = {*_WORD.findall(sql), *_NAME.findall(sql)}
    return {word: _BY_NAME[word.lower()] for word in words if word.lower() in _BY_NAME}
