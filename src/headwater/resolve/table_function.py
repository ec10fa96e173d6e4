"""Functions in FROM: those that the script defines, those that are well known, and any other as a table that nobody described.

An unknown function is an entity like a table, of type `function`: its columns are passed on, and each also depends on
all arguments. Well-known functions register under their name with `in_from`, or under their node class with
`call_form`; those that only have fixed column names are in `known_function`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import AGGREGATE_ROWS, FROM_ROWS, IDENTITY, WHERE
from headwater.resolve.builder import Table
from headwater.resolve.call_argument import (
    flow_arguments,
    input_owner,
    named,
    named_table,
    partition_keys,
    whole_input,
)
from headwater.resolve.collection import record
from headwater.resolve.flow import flow_all
from headwater.resolve.from_item import add_derived, alias_columns, alias_name, table_form
from headwater.resolve.generator import GENERATORS, SERIES, arguments_of, generate, name_of
from headwater.resolve.known_function import PROGRAM, UNDESCRIBED, known_columns
from headwater.resolve.query import is_query, query
from headwater.resolve.registry import Registry
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.spelled_table import spelled_table
from headwater.resolve.sql_function import called_without_brackets, declared_columns, expand_in_from
from headwater.resolve.unnest import unnest_column

CallHandler = Callable[[Scope, Any, Any], bool]
"""Puts a call's rows into FROM: scope, the FROM item, the call. False leaves it to the others."""

call_form = Registry[CallHandler]()
"""Registers the resolver of a function that the grammar has a node class for."""

_BY_NAME: dict[str, list[tuple[frozenset[str], CallHandler]]] = {}


def in_from(*names: str, dialects: tuple[str, ...] = ()) -> Callable[[CallHandler], CallHandler]:
    """Register the resolver of functions of these names (in lower case, with a schema before them or not), in some dialects or in all."""

    def register(handler: CallHandler) -> CallHandler:
        for name in names:
            _BY_NAME.setdefault(name, []).append((frozenset(dialects), handler))
        return handler

    return register


class FunctionRows(ResultSet):
    """The rows of a function that nobody described: any column may exist, passed on from the function and made of its arguments."""

    __slots__ = ("call", "table")
    call: int
    table: Table | None

    def claim(self, name: str) -> int:
        """A column of that name."""
        found = self.columns.get(name) or self.claims.get(name)
        if found is None:
            found = self.claims[name] = self.builder.column(self.entity, name, None)
            self.fill(found, name)
            self.builder.inferred.add(found)
        return found

    def fill(self, column: int, name: str) -> None:
        """Let the function's column of that name and its arguments flow into *column*."""
        if self.table is not None:
            source = self.table.claim(name)
            self.builder.edges.append((column, source, IDENTITY, None))
            self.builder.origins[column] = source
        self.builder.edges.append((column, self.call, IDENTITY, None))

    def star(self) -> list[tuple[str, int]]:
        """Its listed outputs; just `*` where there are none."""
        return self.outputs or [("*", self.claim("*"))]


@table_form
def function_as_table(scope: Scope, node: Any) -> bool:
    """`FROM f(x)`: a table node that holds a call."""
    if not isinstance(node.this, exp.Func):
        return False
    table_function(scope, node, node.this)
    return True


def table_function(scope: Scope, node: Any, call: Any) -> None:
    """Put a function's rows into FROM; *node* carries the alias."""
    qualifier, call, window = _taken_apart(node, call)
    if _of_engine(scope, qualifier, call):
        qualifier = []
    if _is_method(scope, qualifier, call):
        _method(scope, node, qualifier, call)
        return
    inner = _collection(scope, call)
    if inner is not None:
        _rows_of(scope, node, inner)
        return
    if qualifier and (_parameterised_view(scope, node, qualifier, call) or _with_options(scope, node, qualifier, call)):
        return
    if expand_in_from(scope, node, qualifier, call) or (
        _of_catalog(scope, node, qualifier, call) if qualifier else _well_known(scope, node, call)
    ):
        return
    if not qualifier and _parameterised_view(scope, node, qualifier, call):
        return
    table = _entity(scope, qualifier, call)
    undescribed(scope, node, call, table, window, declared_columns(scope, qualifier, call))


def _taken_apart(node: Any, call: Any) -> tuple[list[Any], Any, list[Any]]:
    """The identifiers before a call's name, the call itself, and what an OVER behind it names."""
    window: list[Any] = []
    if isinstance(call, exp.Window):
        order = call.args.get("order")
        window = [*(call.args.get("partition_by") or ()), *(order.expressions if order else ())]
        call = call.this
    qualifier = [node.args[key] for key in ("catalog", "db") if isinstance(node.args.get(key), exp.Expr)]
    steps: list[Any] = []
    while isinstance(call, exp.Dot) and isinstance(call.expression, exp.Func):
        before, call = call.this, call.expression
        while isinstance(before, exp.Dot):
            steps.insert(0, before.expression)
            before = before.this
        steps.insert(0, before)
    return [step for step in qualifier + steps if isinstance(step, exp.Expr)], call, window


def _parameterised_view(scope: Scope, node: Any, qualifier: list[Any], call: Any) -> bool:
    """ClickHouse's `v(day = '2024-01-01')`: a view whose query has parameters; what they are given decides over its rows."""
    given = call.expressions if isinstance(call, (exp.Anonymous, exp.AnonymousAggFunc)) else []
    if scope.dialect.family != "clickhouse" or not given or not all(isinstance(g, exp.EQ) for g in given):
        return False
    parts = [*(q for q in qualifier if isinstance(q, exp.Identifier)), exp.to_identifier(str(call.this).strip('"`'))]
    view = scope.builder.reads(scope.builder.table(named_table(parts)))
    scope.add(alias_name(scope, node) or scope.dialect.column(parts[-1]), view)
    if scope.rows >= 0:
        flow_all(scope, [g.expression for g in given], scope.rows, WHERE)
    return True


def _with_options(scope: Scope, node: Any, qualifier: list[Any], call: Any) -> bool:
    """Dremio's and Drill's `TABLE(lake."x.csv"(type => 'text', …))`: a table, and how its files are read."""
    given = call.expressions if isinstance(call, exp.Anonymous) else []
    if scope.dialect.family not in ("dremio", "drill") or not given:
        return False
    if not all(isinstance(each, (exp.Kwarg, exp.PropertyEQ)) for each in given):
        return False
    name = str(call.this)
    last = exp.to_identifier(name.strip('"`'), quoted=name[:1] in '"`')
    parts = [*(q for q in qualifier if isinstance(q, exp.Identifier)), last]
    table = scope.builder.reads(scope.builder.table(named_table(parts)))
    scope.add(alias_name(scope, node) or scope.dialect.column(last), table)
    return True


def _of_engine(scope: Scope, qualifier: list[Any], call: Any) -> bool:
    """BigQuery's `ML.` and `AI.` are part of its functions' names; Oracle's own types and functions are in `SYS`."""
    if scope.dialect.family == "oracle" and len(qualifier) == 1 and qualifier[0].name.upper() == "SYS":
        return known_columns(scope.dialect, name_of(call)) is not None
    named = len(qualifier) == 1 and qualifier[0].name.upper() in ("ML", "AI") and not isinstance(call, exp.Anonymous)
    return named and scope.dialect.family == "bigquery"


def _is_method(scope: Scope, qualifier: list[Any], call: Any) -> bool:
    """T-SQL's `x.nodes('/a')` is a method of the value before the dot."""
    return bool(qualifier) and scope.dialect.family == "tsql" and name_of(call) == "nodes"


def _method(scope: Scope, node: Any, qualifier: list[Any], call: Any) -> None:
    keys = ("this", "table", "db", "catalog")
    value = qualifier[0]
    if all(isinstance(step, exp.Identifier) for step in qualifier):
        value = exp.Column(**dict(zip(keys, reversed([q.copy() for q in qualifier]), strict=False)))
    generated = exp.Anonymous(this="nodes", expressions=[value])
    _put(scope, node, generate(scope, generated, alias_columns(scope, node) or ["nodes"], node), None)


def _collection(scope: Scope, call: Any) -> Any:
    """What stands in `TABLE(…)`, where the grammar takes that for a function."""
    if isinstance(call, exp.Anonymous) and str(call.this).upper() == "TABLE" and len(call.expressions) == 1:
        return call.expressions[0]
    return None if isinstance(call, exp.Func) else call


def _rows_of(scope: Scope, node: Any, inner: Any) -> None:
    """`TABLE(f(x))`, Oracle's `TABLE(collection)` and `TABLE(CAST(MULTISET(SELECT …) AS type))`, Snowflake's `TABLE('t')`."""
    while isinstance(inner, (exp.Cast, exp.Paren)):
        inner = inner.this
    if isinstance(inner, exp.Anonymous) and str(inner.this).upper() == "MULTISET":
        inner = next(filter(is_query, inner.expressions), inner)
    whole = record(scope, inner)
    if whole is None:
        inner = called_without_brackets(scope, inner)
    if whole is not None:
        scope.add(alias_name(scope, node), whole)
    elif is_query(inner):
        add_derived(scope, node, query(scope.builder, inner, scope, scope.environment))
    elif spelled_table(scope, node, inner):
        return
    elif isinstance(inner, exp.Column):
        unnest_column(scope, node, inner, "column_value")
    elif isinstance(inner, (exp.Func, exp.Dot, exp.Window)):
        table_function(scope, node, inner)
    else:
        undescribed(scope, node, inner, None)


def _of_catalog(scope: Scope, node: Any, qualifier: list[Any], call: Any) -> bool:
    """A function that every catalog has in the same schema: `crm.system.query(…)`; or that every source has: `pg.external_query(…)`."""
    name = name_of(call)
    return _by_name(scope, node, call, f"{qualifier[-1].name.lower()}.{name}") or _by_name(
        scope, node, call, f"*.{name}"
    )


def _by_name(scope: Scope, node: Any, call: Any, name: str) -> bool:
    return any(handler(scope, node, call) for dialects, handler in _BY_NAME.get(name, ()) if _are_of(scope, dialects))


def _are_of(scope: Scope, dialects: frozenset[str]) -> bool:
    """Whether a function of these dialects is one of the scope's."""
    return not dialects or scope.dialect.family in dialects or scope.dialect.name in dialects


def _is_registered(scope: Scope, name: str) -> bool:
    return any(_are_of(scope, dialects) for dialects, _ in _BY_NAME.get(name, ()))


def _well_known(scope: Scope, node: Any, call: Any) -> bool:
    handler = call_form.of(call)
    if handler is not None and handler(scope, node, call):
        return True
    name = name_of(call)
    if _by_name(scope, node, call, name):
        return True
    columns = known_columns(scope.dialect, name)
    if columns is None and name not in GENERATORS and name not in SERIES:
        return False
    names = column_names(scope, node, columns, name)
    numbered = bool(node.args.get("ordinality"))
    _put(scope, node, generate(scope, call, names, call, numbered), name)
    return True


def _put(scope: Scope, node: Any, result: ResultSet, name: str | None) -> None:
    result.row.alias = alias_name(scope, node)
    scope.add(result.row.alias or name, result)


def _entity(scope: Scope, qualifier: list[Any], call: Any) -> Table | None:
    """The function as an entity that owns columns; None for a function of the engine itself, which is nobody's source."""
    name = name_of(call)
    ours = isinstance(call, exp.Anonymous) and name not in UNDESCRIBED and not _is_registered(scope, name)
    if not ours and not (qualifier and isinstance(call, exp.Func)):
        return None
    spelled = str(call.this) if isinstance(call, exp.Anonymous) else scope.builder.places.function_name(call)
    parts = [*(q for q in qualifier if isinstance(q, exp.Identifier)), exp.to_identifier(spelled, quoted=False)]
    table = scope.builder.table(named_table(parts))
    row = scope.builder.entities[table.entity]
    row.type = "function"
    row.place = row.place if scope.builder.places.span(row.place) else call
    return scope.builder.reads(table)


def undescribed(
    scope: Scope, node: Any, call: Any, table: Table | None, window: Sequence[Any] = (), declared: Sequence[str] = ()
) -> None:
    """The rows of a function whose columns are what the alias lists, what the schema says of it, or anything."""
    builder = scope.builder
    result = FunctionRows(builder, "function", node)
    result.table = table
    result.call = builder.function(call)
    flow_arguments(scope, [*arguments_of(call), *window], result.call, result.rows)
    if table is not None:
        builder.edges.append((result.rows, table.rows, FROM_ROWS, None))
    if scope.dialect.family == "flink":
        _pass_keys_on(scope, result, arguments_of(call))
    known = list(declared) or (list(table.schema) if table is not None and table.schema is not None else [])
    listed = column_names(scope, node, known, "")
    own = _declared_inside(scope, node)
    for position, name in enumerate(listed):
        column = result.add(name, node)
        if node.args.get("ordinality") and 0 < position == len(listed) - 1:
            builder.edges.append((column, result.rows, AGGREGATE_ROWS, node))
        else:
            result.fill(column, known[position] if position < len(known) else own.get(name, "*"))
    result.open = not (alias_columns(scope, node) or known)
    name = name_of(call)
    if result.open and name != PROGRAM:
        builder.say(
            Code.UNKNOWN_TABLE_FUNCTION,
            f"the columns of the table function {name} are not known; each is taken to depend on all its arguments",
            node,
            name,
        )
    _put(scope, node, result.complete(), name)


def _pass_keys_on(scope: Scope, result: FunctionRows, arguments: Sequence[Any]) -> None:
    """Flink's `f(TABLE t PARTITION BY k)` gives k as it is, besides the function's own columns."""
    for argument in arguments:
        given = named(scope, argument)[1]
        keys = [key for key in partition_keys(given) if isinstance(key, exp.Column)]
        table = whole_input(given) if keys else None
        if table is None:
            continue
        owner = input_owner(scope, table, result.rows)
        for key in keys:
            name = scope.dialect.column(key.this)
            column = result.claims[name] = scope.builder.column(result.entity, name, key)
            scope.edges.append((column, owner.claim(name), IDENTITY, key))


def _declared_inside(scope: Scope, node: Any) -> dict[str, str]:
    """The columns of `AS r (a int, b text)`, which are the function's own; a list without types only renames by position."""
    alias = node.args.get("alias")
    columns = alias.args.get("columns") or () if isinstance(alias, exp.TableAlias) else ()
    names = [scope.dialect.column(c.this) for c in columns if isinstance(c, exp.ColumnDef) and c.args.get("kind")]
    return {name: name for name in names}


def column_names(scope: Scope, node: Any, columns: list[str] | None, name: str) -> list[str]:
    """The names of a function's columns: the alias's list, then the function's own, then that of WITH ORDINALITY.

    A PostgreSQL function with one column calls it as the alias says. An empty list leaves it to the function.
    """
    listed = alias_columns(scope, node)
    own = list(columns or ())
    alias = alias_name(scope, node)
    if name and alias is not None and scope.dialect.family == "postgres" and own in ([], [name]):
        own = [alias] if columns is None or own else []
    if not node.args.get("ordinality"):
        return listed if len(listed) >= len(own) else listed + own[len(listed) :]
    own = [*(own or listed[:1] or ([name] if name else [])), "ordinality"]
    return listed + own[len(listed) :]
