"""The analyzer in its own process: a statement and the columns of its tables in, its resolved tree or a refusal out.

Questions are asked by `engine`, in the parent process; they are answered here. Which tables a statement names, GoogleSQL's parser
says; what columns these have, the parent is asked.
"""

from __future__ import annotations

import gc
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from headwater.analyzers.zetasql.declaration import Columns, Function, Path, declared
from headwater.analyzers.zetasql.message import Messages
from headwater.analyzers.zetasql.tree import Node
from headwater.analyzers.zetasql.wasm import AnalyzerError, Wasm

Ask = Callable[..., Any]

ADDRESS_SPACE = 16_384
"""Megabytes of addresses that WebAssembly reserves for its memory."""
_CATALOGS = 32
"""Sets of tables that the analyzer keeps."""
_POSITIONAL = "Positional parameters are not supported"


class Insert(NamedTuple):
    """An INSERT whose target nobody knows: where it goes, and its query, which was analysed alone."""

    target: Path
    columns: tuple[str, ...]
    query: Node


class Refusal(NamedTuple):
    """What the analyzer says against a statement."""

    message: str


class Start(NamedTuple):
    """Asks for the analyzer to be started, compiled if need be."""

    text: str = ""
    timeout: float | None = 600.0
    memory: int | None = None
    reserved: int = ADDRESS_SPACE

    def answer(self, ask: Ask) -> None:
        """Start it."""
        service()


class Question(NamedTuple):
    """Asks for the analysis of a statement."""

    text: str
    functions: tuple[Function, ...]
    timeout: float | None
    memory: int | None
    reserved: int = ADDRESS_SPACE

    def answer(self, ask: Ask) -> Node | Insert | Refusal:
        """The statement's tree."""
        try:
            return service().analysed(self.text, self.functions, ask)
        except AnalyzerError as error:
            return Refusal(str(error))


_STARTED: list[Service] = []


def service() -> Service:
    """The process' analyzer."""
    if not _STARTED:
        _STARTED.append(Service())
        gc.collect()
        gc.freeze()  # a worker collects garbage after each answer: not all of this again and again
    return _STARTED[0]


class Service:
    """The analyzer, with BigQuery's options."""

    def __init__(self) -> None:
        from zetasql.wasi._pb2.zetasql.local_service import local_service_pb2
        from zetasql.wasi._pb2.zetasql.proto import options_pb2
        from zetasql.wasi._pb2.zetasql.public import options_pb2 as public_options

        self._wasm = Wasm()
        self._requests: Any = local_service_pb2
        self._public: Any = public_options
        self._messages = Messages()
        self._language = self._bigquery(options_pb2.LanguageOptionsProto)
        self._options: Any = options_pb2.AnalyzerOptionsProto(prune_unused_columns=True, preserve_unnecessary_cast=True)
        self._options.language_options.CopyFrom(self._language)
        self._options.allow_undeclared_parameters = True
        self._options.enabled_rewrites.append(public_options.REWRITE_INLINE_SQL_FUNCTIONS)
        self._options.parse_location_record_type = public_options.PARSE_LOCATION_RECORD_FULL_NODE_SCOPE
        self._options.error_message_mode = public_options.ERROR_MESSAGE_ONE_LINE
        self._known: OrderedDict[Any, int] = OrderedDict()
        """Catalogs that the analyzer keeps, by what they hold."""

    def _bigquery(self, options: Any) -> Any:
        """BigQuery's language: every feature, for customers outside Google, every kind of statement."""
        request = self._requests.LanguageOptionsRequest(maximum_features=True)
        language = options.FromString(self._wasm.call("GetLanguageOptions", request.SerializeToString()))
        language.product_mode = self._public.PRODUCT_EXTERNAL
        del language.supported_statement_kinds[:]
        return language

    def analysed(self, sql: str, functions: tuple[Function, ...], ask: Ask) -> Node | Insert:
        """The tree of a statement that may call these functions; *ask* tells the columns of tables."""
        tables: dict[Path, Columns] = {}
        unknown = []
        for path in self._names(sql):
            columns = ask("columns", path)
            if columns is None:
                unknown.append(path)
            else:
                tables[path] = columns
        if unknown:
            insert = self._insert_into(sql, unknown)
            if insert is not None:
                target, listed, query = insert
                return Insert(target, listed, self._statement(query, tables, functions))
        return self._statement(sql, tables, functions)

    def _names(self, sql: str) -> list[Path]:
        """The names of tables in a statement; each may be of one part that is quoted as a whole."""
        request = self._requests.ExtractTableNamesFromStatementRequest(sql_statement=sql, options=self._language)
        answer = self._wasm.call("ExtractTableNamesFromStatement", request.SerializeToString())
        found = self._requests.ExtractTableNamesFromStatementResponse.FromString(answer)
        return [tuple(each.table_name_segment) for each in found.table_name]

    def _insert_into(self, sql: str, unknown: list[Path]) -> tuple[Path, tuple[str, ...], str] | None:
        """The target, the column list and the query of an INSERT into a table that is not known."""
        request = self._requests.ParseRequest(sql_statement=sql, options=self._language)
        parsed = self._requests.ParseResponse.FromString(self._wasm.call("Parse", request.SerializeToString()))
        statement = parsed.parsed_statement
        if statement.WhichOneof("node") != "ast_insert_statement_node":
            return None
        insert = statement.ast_insert_statement_node
        named = insert.target_path.ast_path_expression_node.names
        target = tuple(part.id_string for part in named)
        if target not in unknown or not insert.HasField("query"):
            return None
        place = insert.query.parent.parent.parse_location_range
        query = sql.encode()[place.start : place.end].decode()
        return target, tuple(each.id_string for each in insert.column_list.identifiers), query

    def _statement(self, sql: str, tables: Mapping[Path, Columns], functions: tuple[Function, ...]) -> Node:
        request = self._requests.AnalyzeRequest(sql_statement=sql, options=self._options)
        request.registered_catalog_id = self._catalog(tables, functions)
        try:
            answer = self._wasm.call("Analyze", request.SerializeToString())
        except AnalyzerError as error:
            if _POSITIONAL not in str(error):
                raise
            request.options.parameter_mode = self._public.PARAMETER_POSITIONAL
            answer = self._wasm.call("Analyze", request.SerializeToString())
        response = self._requests.AnalyzeResponse.FromString(answer)
        tree: Node = self._messages.tree(response.resolved_statement)
        return tree

    def _catalog(self, tables: Mapping[Path, Columns], functions: tuple[Function, ...]) -> int:
        """The number of a catalog of these; to make one takes as long as to analyse a small statement, so some are kept."""
        key = (frozenset((path, tuple(columns.items())) for path, columns in tables.items()), functions)
        if key in self._known:
            self._known.move_to_end(key)
            return self._known[key]
        if len(self._known) >= _CATALOGS:
            _, oldest = self._known.popitem(last=False)
            self._wasm.call(
                "UnregisterCatalog", self._requests.UnregisterRequest(registered_id=oldest).SerializeToString()
            )
        request = self._requests.RegisterCatalogRequest(simple_catalog=declared(tables, functions, self._language))
        answer = self._wasm.call("RegisterCatalog", request.SerializeToString())
        number = int(self._requests.RegisterResponse.FromString(answer).registered_id)
        self._known[key] = number
        return number
