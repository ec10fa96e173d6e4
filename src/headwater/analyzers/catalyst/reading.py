"""A parsed statement to what it does: a query, a command that writes, or a script of both.

Only queries and commands that are known here ever reach Spark's analyzer: it would run scripts and dynamic SQL on the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from headwater.analyzers.catalyst.catalogs import SPARK_CATALOG, names_in
from headwater.analyzers.catalyst.changing import CHANGES
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.user_tables import SeenTables, is_path
from headwater.analyzers.catalyst.work import Work, commands
from headwater.analyzers.catalyst.writing import insert_query
from headwater.analyzers.select import Unread
from headwater.catalog import Catalog
from headwater.model.entity import TableName
from headwater.resolve.statement import Outcome


def read_script(work: Work, plan: Any) -> Outcome:
    """`BEGIN … END`: its statements one after the other, whatever its loops and conditions would do; the last query is shown."""
    builder = work.builder
    builder.session = replace(builder.session, defined=dict(builder.session.defined))
    result = None
    for each in _statements(work, plan):
        node = work.engine.read(each)
        if node.name not in commands.handlers and not _is_query(node):
            continue
        result = read_one(work, each, node).result or result
        _make_known(work)
    return Outcome(work.type, result)


def _make_known(work: Work) -> None:
    """What a script's statements define, its later ones know."""
    builder = work.builder
    for definition in builder.defines:
        builder.session.defined[definition.table] = definition
        table = builder.tables[definition.table, ""]
        columns = definition.columns or {}
        table.schema, table.listed = columns, columns
        table.open = False


def _statements(work: Work, plan: Any) -> Iterator[Any]:
    """The plans of a script's statements, in order; those of a block's handlers come behind its own."""
    if str(plan.nodeName()) == "SingleStatement":
        yield plan.parsedPlan()
        return
    for child in work.engine.list_of(plan.children()):
        yield from _statements(work, child)
    if str(plan.nodeName()) == "CompoundBody":
        for handler in work.engine.list_of(plan.handlers()):
            yield from _statements(work, handler.body())


def found_in_session(work: Work, node: Node) -> bool:
    """Whether a statement is about tables of the user's session, one of which has an analysis of its own; prepares for that."""
    names = {parts: work.name(parts) for parts in names_in(node)}
    builder, engine = work.builder, work.engine
    if any(builder.session.columns(name, builder.dialect) is not None for name in names.values()):
        return False
    seen = {name: found for name in names.values() if (found := engine.of_user(name)) is not None}
    if not any(each.has_analysis for each in seen.values()) or any(each.is_temporary for each in seen.values()):
        return False
    work.seen = SeenTables(seen)
    _know(work, {work.seen.meant(name): table.columns for name, table in seen.items() if not is_path(name)})
    engine.use_session(tuple(builder.session.default_schema or ()))
    return True


def _know(work: Work, found: Mapping[TableName, Mapping[str, str]]) -> None:
    """Let a statement know the columns of tables that Spark has."""
    if found:
        session = work.builder.session
        catalog = Catalog({".".join(name): dict(columns) for name, columns in found.items()})
        work.builder.session = replace(session, catalog=session.catalog.over(catalog))


def _declare(work: Work, node: Node) -> None:
    """Make the tables that a statement names known to Spark, by their columns."""
    builder, engine = work.builder, work.engine
    default = builder.session.default_schema
    engine.use(default[-1] if default else "default")
    found: dict[TableName, Mapping[str, str]] = {}
    for parts in names_in(node):
        if is_path(parts) or (len(parts) > 2 and parts[0].lower() != SPARK_CATALOG):
            continue
        name = work.name(parts)
        columns: Mapping[str, str] | None = builder.session.columns(name, builder.dialect)
        if columns is None:
            seen = engine.of_user(work.written(parts))
            if seen is not None:
                columns = found[name] = seen.columns
        key = (parts[-2].lower() if len(parts) > 1 else engine.database, parts[-1].lower())
        engine.declare(*key, columns)
        work.tables[key] = name
    _know(work, found)


def read_one(work: Work, plan: Any, node: Node) -> Outcome:
    """A statement, by the kind of its outermost operator."""
    if work.seen is None:
        _declare(work, node)
    inner, plan_inside = node, plan
    while inner.name == "UnresolvedWith":
        inner, plan_inside = inner.children[0], plan_inside.child()
    command = commands.handlers.get(inner.name)
    if command is not None and (inner is node or inner.name in CHANGES):
        return command(work, plan, inner)
    inserts = _inserts(inner, plan_inside, work)
    if inserts:
        for each, written in inserts:
            insert_query(work, written, each, _around(work, plan, written.query()), _around(work, plan, written))
        return Outcome("Insert")
    if command is not None or not _is_query(node):
        raise Unread(f"the command {inner.name}")
    result, _ = work.query(plan)
    return Outcome("Select", result)


def _inserts(node: Node, plan: Any, work: Work) -> list[tuple[Node, Any]]:
    """The INSERTs of `FROM t INSERT … INSERT …` or below a WITH."""
    if node.name == "InsertIntoStatement":
        return [(node, plan)]
    if node.name == "Union" and all(each.name == "InsertIntoStatement" for each in node.children):
        return list(zip(node.children, work.engine.list_of(plan.children()), strict=True))
    return []


def _around(work: Work, outer: Any, inner: Any) -> Any:
    """A plan with the WITHs that stand around its statement."""
    if str(outer.nodeName()) != "UnresolvedWith":
        return inner
    return work.engine.with_child(outer, _around(work, outer.child(), inner))


_QUERIES = frozenset(
    {
        "Project",
        "Aggregate",
        "Union",
        "Except",
        "Intersect",
        "Distinct",
        "Filter",
        "Sort",
        "GlobalLimit",
        "LocalLimit",
        "Offset",
    }
    | {
        "UnresolvedWith",
        "UnresolvedHaving",
        "UnresolvedQualify",
        "UnresolvedInlineTable",
        "UnresolvedRelation",
        "SubqueryAlias",
    }
    | {"Join", "LateralJoin", "Generate", "Pivot", "Unpivot", "WithWindowDefinition", "UnresolvedSubqueryColumnAliases"}
    | {"RepartitionByExpression", "ScriptTransformation", "UnresolvedHint", "LocalRelation", "Sample", "PipeOperator"}
)
"""What a query may begin with."""


def _is_query(node: Node) -> bool:
    return node.name in _QUERIES
