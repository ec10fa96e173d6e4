"""The catalog that a statement is analysed with: its tables, under the names that it gives them, and the functions it may call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from headwater.analyzers.zetasql.type_text import type_message

Path = tuple[str, ...]
Columns = Mapping[str, str]

_PSEUDO_COLUMNS = {"_PARTITIONTIME": "TIMESTAMP", "_PARTITIONDATE": "DATE", "_FILE_NAME": "STRING"}
_SQL_FUNCTION = "Templated_SQL_Function"
"""GoogleSQL's word for a function whose body is analysed anew for each call."""


class Function(NamedTuple):
    """A function that a script defined: its name, its parameters, its body as SQL."""

    path: Path
    parameters: tuple[str, ...]
    body: str


def declared(tables: Mapping[Path, Columns], functions: Iterable[Function], language: Any) -> Any:
    """The message of a catalog."""
    from zetasql.wasi._pb2.zetasql.proto import simple_catalog_pb2

    root: Any = simple_catalog_pb2.SimpleCatalogProto(name="headwater")
    root.builtin_function_options.language_options.CopyFrom(language)
    folders: dict[Path, Any] = {(): root}
    for number, (path, columns) in enumerate(tables.items(), 1):
        table = _folder(folders, path).table.add(name=".".join(path), name_in_catalog=path[-1], serialization_id=number)
        for name, kind in columns.items():
            table.column.add(name=name, type=type_message(kind), is_writable_column=True)
        for name, kind in _pseudo_columns(path, columns).items():
            table.column.add(name=name, type=type_message(kind), is_pseudo_column=True)
    for each in functions:
        _add_function(_folder(folders, each.path), each)
    return root


def _folder(folders: dict[Path, Any], path: Path) -> Any:
    """The catalog inside the catalog in which the last part of a name is looked up."""
    folder = folders[()]
    for depth in range(1, len(path)):
        key = tuple(part.lower() for part in path[:depth])
        if key not in folders:
            folders[key] = folder.catalog.add(name=path[depth - 1])
        folder = folders[key]
    return folder


def _pseudo_columns(path: Path, columns: Columns) -> Columns:
    """What BigQuery lets one ask of a table beside its columns."""
    suffix = {"_TABLE_SUFFIX": "STRING"} if path[-1].endswith("*") else {}
    taken = {name.lower() for name in columns}
    return {name: kind for name, kind in {**_PSEUDO_COLUMNS, **suffix}.items() if name.lower() not in taken}


def _add_function(folder: Any, function: Function) -> None:
    """A function of arguments of any type."""
    from zetasql.wasi._pb2.zetasql.public import function_pb2

    made = folder.custom_function.add(group=_SQL_FUNCTION, mode=function_pb2.FunctionEnums.SCALAR)
    made.name_path.append(function.path[-1])
    made.templated_sql_function_argument_name.extend(function.parameters)
    made.parse_resume_location.input = function.body
    made.options.SetInParent()
    signature = made.signature.add()
    for argument in (*(signature.argument.add() for _ in function.parameters), signature.return_type):
        argument.kind = function_pb2.ARG_TYPE_ARBITRARY
        argument.num_occurrences = -1
        argument.options.cardinality = function_pb2.FunctionEnums.REQUIRED
