"""UPDATE: assignments from expressions, subqueries and other tables, under conditions."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import FROM_ROWS, IDENTITY, TRANSFORMATION, WHERE, WRITE_ROWS
from headwater.resolve.bind import find_item
from headwater.resolve.builder import Builder, Owner, Table
from headwater.resolve.collection import record
from headwater.resolve.cte import with_ctes
from headwater.resolve.flow import flow, make
from headwater.resolve.from_item import alias_name, from_item
from headwater.resolve.join import join
from headwater.resolve.order import order_and_limit
from headwater.resolve.query import is_query, query
from headwater.resolve.returning import returning
from headwater.resolve.scope import ALIASES_FIRST, NO_ALIASES, Environment, Item, ResultSet, Scope
from headwater.resolve.statement import Outcome, resolves
from headwater.resolve.target import changed, owner_of
from headwater.resolve.values import is_default
from headwater.resolve.variable import Holder, target_of
from headwater.sql.procedural.form import Target


@resolves(exp.Update)
def update(builder: Builder, node: Any, environment: Environment) -> Outcome:
    """`UPDATE t SET a = x FROM u WHERE …`."""
    environment = with_ctes(builder, node, None, environment)
    changes = ResultSet(builder, "update-set", node)
    scope = Scope(builder, None, environment, changes.rows)
    if not isinstance(node.this, (exp.Table, exp.Subquery)):
        builder.say(Code.UNSUPPORTED_CONSTRUCT, "what this UPDATE changes is not understood", node, "UPDATE")
        return Outcome("Update")
    target = changed_table(scope, node.this, _from_nodes(node))
    others = () if node.args.get("from_") is not None else node.expressions
    items = [_assigned_item(scope, assignment.this) or target for assignment in others]
    if any(item is not target for item in items):
        _update_several(scope, node, items, changes)
        return Outcome("Update")
    close_changes(scope, target, _bases(scope, target, node.expressions))
    if node.args.get("where") is not None:
        flow(scope, node.args["where"].this, changes.rows, WHERE)
    if scope.dialect.assigns_in_order and len(scope.items) == 1:
        _assign_in_order(scope, node.expressions, changes)
    else:
        for assignment in node.expressions:
            assign(scope, assignment, changes)
    order_and_limit(scope, node, changes)
    changes.complete()
    written = write_changes(builder, target.owner, changes)
    return Outcome("Update", returning(builder, node, written, environment, scope, [changes.rows]) if written else None)


def _assign_in_order(scope: Scope, assignments: list[Any], changes: ResultSet) -> None:
    """MySQL assigns from left to right: in `SET a = b, c = a` the second a is the new one, qualified or not."""
    own = scope.items[0].name

    def unqualified(node: Any) -> Any:
        qualifier = node.args.get("table") if isinstance(node, exp.Column) else None
        if qualifier is None or scope.dialect.column(qualifier) != own:
            return node
        return exp.Column(this=node.this) if scope.dialect.column(node.this) in changes.columns else node

    for assignment in assignments:
        qualified = any(column.args.get("table") is not None for column in assignment.find_all(exp.Column))
        assign(scope, assignment.transform(unqualified) if qualified else assignment, changes)
        scope.alias_rule, scope.aliases = ALIASES_FIRST, changes.columns
    scope.alias_rule, scope.aliases = NO_ALIASES, {}


def _assigned_item(scope: Scope, left: Any) -> Item | None:
    """The joined table that MySQL's `UPDATE a JOIN b … SET b.x = …` assigns to, by its qualifier or its known columns."""
    if scope.dialect.family != "mysql" or len(scope.items) < 2 or not isinstance(left, exp.Column):
        return None
    if left.args.get("table") is not None:
        return scope.by_name.get(scope.dialect.column(left.args["table"]))
    name = scope.dialect.column(left.this)
    owners = [item for item in scope.items if isinstance(item.owner, Table) and name in item.owner.listed]
    return owners[0] if len(owners) == 1 else None


def _update_several(scope: Scope, node: Any, items: list[Item], shared: ResultSet) -> None:
    """Each table that is assigned to has a change set of its own; the conditions are shared."""
    scope.names.clear()
    if node.args.get("where") is not None:
        flow(scope, node.args["where"].this, shared.rows, WHERE)
    shared.complete()
    for target in dict.fromkeys(items):
        changes = ResultSet(scope.builder, "update-set", node)
        scope.edges.append((changes.rows, shared.rows, FROM_ROWS, None))
        for item in scope.items:
            if item is not target:
                scope.edges.append((changes.rows, item.owner.rows, FROM_ROWS, None))
        for item, assignment in zip(items, node.expressions, strict=True):
            if item is target:
                assign(scope, assignment, changes)
        write_changes(scope.builder, target.owner, changes.complete())


def _from_nodes(node: Any) -> list[Any]:
    clause = node.args.get("from_")
    return [clause.this, *(clause.args.get("joins") or ())] if clause is not None else []


def changed_table(scope: Scope, node: Any, others: list[Any]) -> Item:
    """Put an UPDATE's or DELETE's target and its FROM into the scope; gives the target's item.

    T-SQL may name the target by an alias that only FROM explains; then that FROM item is the target.
    """
    builder = scope.builder
    name = alias_name(scope, node)
    others = [other for other in others if isinstance(other, exp.Expr)]
    if isinstance(node, exp.Subquery):
        return scope.add(name, query(builder, node.this, None, scope.environment))
    node = changed(builder, node)
    explained = _explained_by(scope, node, others)
    if not explained:
        cte = scope.environment.find(scope.dialect.column(node.this)) if node.args.get("db") is None else None
        owner: Owner = cte if cte is not None else owner_of(builder, node)
        scope.add(name or scope.dialect.column(node.this), owner, aliased=name is not None)
        for each in node.args.get("joins") or ():
            join(scope, each)
    for other in others:
        if isinstance(other, exp.Join):
            join(scope, other)
        elif not explained and _is_target(scope, other, name):
            for each in other.args.get("joins") or ():
                join(scope, each)
        else:
            from_item(scope, other)
    if not explained:
        return scope.items[0]
    called = scope.dialect.column(node.this)
    named = [item for item in scope.items if item.name == called]
    return named[0] if named else next(i for i in scope.items if i.owner is owner_of(builder, node))


def _explained_by(scope: Scope, node: Any, others: list[Any]) -> bool:
    """Whether a FROM item is aliased as the target is called; in T-SQL also, whether FROM names the target's table once."""
    if node.args.get("alias") is not None:
        return False
    called = scope.dialect.column(node.this)
    tables = [t for other in others for t in _mentioned(other) if isinstance(t, exp.Table)]
    if node.args.get("db") is None and any(alias_name(scope, t) == called for t in tables):
        return True
    if scope.dialect.family != "tsql":
        return False
    name = scope.builder.table_name(node)
    return (
        sum(scope.builder.table_name(t) == name for t in tables if isinstance(t.this, (exp.Identifier, exp.Parameter)))
        == 1
    )


def _mentioned(node: Any) -> list[Any]:
    """The FROM items of a FROM tree, without looking into subqueries."""
    node = node.this if isinstance(node, exp.Join) else node
    found = [node]
    for each in node.args.get("joins") or ():
        found.extend(_mentioned(each))
    return found


def _is_target(scope: Scope, other: Any, name: str | None) -> bool:
    """`UPDATE t h … FROM h JOIN …`, `UPDATE t AS h … FROM t AS h, u`: the FROM item is the target again, under its alias."""
    if name is None or not isinstance(other, exp.Table) or not isinstance(other.this, exp.Identifier):
        return False
    owner = scope.items[0].owner if scope.items else None
    if alias_name(scope, other) == name:
        return isinstance(owner, Table) and scope.builder.table_name(other) == owner.name
    return other.args.get("db") is None and other.args.get("alias") is None and scope.dialect.column(other.this) == name


def _bases(scope: Scope, target: Item, assignments: list[Any]) -> list[Table]:
    """The tables behind a CTE or subquery that the assignments change."""
    if not isinstance(target.owner, ResultSet):
        return []
    sides = [each.this for each in assignments if isinstance(each.this, exp.Expr)]
    left = [part for side in sides for part in (side.expressions or [side])]
    bases = [base_column(scope.builder, target.owner, target_name(scope, part))[0] for part in left]
    return [table for table in bases if table is not None]


def close_changes(scope: Scope, target: Item, bases: list[Table]) -> None:
    """The row sets of all items but the target decide which rows are changed; of a CTE target, all that it reads but *bases*."""
    owner = target.owner
    for item in scope.items:
        if item is not target:
            scope.edges.append((scope.rows, item.owner.rows, FROM_ROWS, None))
    if isinstance(owner, ResultSet):
        own = {table.rows for table in bases}
        scope.builder.edges[:] = [e for e in scope.edges if not (e[0] == owner.rows and e[1] in own)]
        scope.edges.append((scope.rows, owner.rows, FROM_ROWS, None))
    scope.names.clear()


def assign(scope: Scope, assignment: Any, changes: ResultSet) -> None:
    """`a = x`, `(a, b) = (x, y)`, `(a, b) = (SELECT …)`."""
    if not isinstance(assignment, exp.Binary) or not isinstance(assignment.args.get("expression"), exp.Expr):
        scope.builder.say(Code.UNSUPPORTED_CONSTRUCT, "this is not an assignment", assignment, assignment.key)
        return
    left, right = assignment.this, assignment.expression
    if isinstance(left, exp.Tuple):
        _assign_tuple(scope, left.expressions, right, changes, assignment)
        return
    if isinstance(left, exp.Parameter):
        _assign_variable(scope, left, right, changes)
        return
    if isinstance(left, _PATHS):
        _assign_path(scope, left, right, changes)
        return
    whole = record(scope, right) if left.name.upper() == "ROW" else None
    if whole is not None:
        _assign_record(scope, whole, changes, right)
        return
    column = changes.add(target_name(scope, left), right)
    if not is_default(right):
        make(scope, right, column)


_PATHS = (exp.JSONExtract, exp.JSONExtractScalar)


def _assign_path(scope: Scope, left: Any, value: Any, changes: ResultSet) -> None:
    """SingleStore's `doc::a::b = x`: a part of the document is new, the rest stays."""
    while isinstance(left, _PATHS):
        left = left.this
    column = changes.add(target_name(scope, left), value)
    flow(scope, value, column, TRANSFORMATION)
    flow(scope, left, column, TRANSFORMATION)


def _assign_record(scope: Scope, whole: Holder, changes: ResultSet, value: Any) -> None:
    """PL/SQL's `SET ROW = r`: every column takes a field, by position where both are known, else by name."""
    table = scope.items[0].owner
    known = table.writable() if isinstance(table, Table) and table.schema is not None else []
    given = [(name, whole.claim(name)) for name in known] if whole.open and known else whole.star()
    names = known if len(known) == len(given) else [name for name, _ in given]
    for name, (_, source) in zip(names, given, strict=True):
        scope.edges.append((changes.add(name, value), source, IDENTITY, value))
    for index in value.expressions:
        flow(scope, index, changes.rows, WHERE)


def _assign_variable(scope: Scope, variable: Any, value: Any, changes: ResultSet) -> None:
    """T-SQL's `@v = a` keeps a value in a variable, `@v = a = x` writes the column as well; neither writes a column v."""
    if isinstance(value, exp.EQ):
        assign(scope, value, changes)
        value = value.expression
    if scope.builder.session.variables is None:
        flow(scope, value, scope.builder.variable(variable), IDENTITY)
        return
    name = exp.to_identifier(f"@{variable.name}", quoted=False)
    holder, _ = target_of(scope, Target((name,), scope.builder.places.span(variable)))
    make(scope, value, holder.value)
    scope.edges.append((holder.value, changes.rows, WHERE, variable))


def target_name(scope: Scope, node: Any) -> str:
    """The assigned column, without the qualifier that names the target; a field keeps its path."""
    if isinstance(node, exp.Column):
        parts = [node.args[k] for k in ("catalog", "db", "table", "this") if node.args.get(k) is not None]
        names = [scope.dialect.column(p) for p in parts]
        for length in range(len(names) - 1, 0, -1):
            if find_item(scope, tuple(names[:length])) is not None:
                return ".".join(names[length:])
        return ".".join(names) if len(names) == 2 or scope.dialect.dotted_fields else names[-1]
    if isinstance(node, (exp.Bracket, exp.Paren)):
        return target_name(scope, node.this)
    if isinstance(node, exp.Dot):
        return f"{target_name(scope, node.this)}.{scope.dialect.column(node.expression)}"
    if isinstance(node, exp.Identifier):
        return scope.dialect.column(node)
    return scope.dialect.fold_column(node.alias_or_name, False)


def _assign_tuple(scope: Scope, left: list[Any], right: Any, changes: ResultSet, place: Any) -> None:
    inner = right.this if isinstance(right, exp.Subquery) else right
    if is_query(inner):
        result = query(scope.builder, inner, scope, scope.environment)
        result.row.type = "update-select"
        for target, (_, source) in zip(left, result.outputs, strict=False):
            column = changes.add(target_name(scope, target), scope.builder.columns[source][2])
            scope.edges.append((column, source, IDENTITY, place))
            scope.edges.append((column, result.rows, WHERE, place))
        return
    row = isinstance(right, (exp.Tuple, exp.Struct)) or (
        isinstance(right, exp.Anonymous) and right.name.upper() == "ROW"
    )
    values = right.expressions if row else [right.this if isinstance(right, exp.Paren) else right]
    for target, value in zip(left, values, strict=False):
        column = changes.add(target_name(scope, target), value)
        if not is_default(value):
            make(scope, value, column)


def write_changes(builder: Builder, owner: Owner, changes: ResultSet) -> Table | None:
    """The changed columns go into the table, under the influence of what decides over the changed rows."""
    for name, column in changes.outputs:
        table, target = base_column(builder, owner, name)
        if table is None:
            continue
        builder.writes(table)
        place = builder.columns[column][2]
        builder.edges.append((target, column, IDENTITY, place))
        builder.written_at(target, _assigned_at(place))
        builder.edges.append((target, changes.rows, WRITE_ROWS, None))
    return owner if isinstance(owner, Table) else None


def _assigned_at(value: Any) -> Any:
    """Where an assigned column is named, by the place of its value: left of the equals sign."""
    above = value.parent if isinstance(value, exp.Expr) else None
    return above.this if isinstance(above, exp.EQ) and above.expression is value else value


def base_column(builder: Builder, owner: Owner, name: str) -> tuple[Table | None, int]:
    """The table column behind a name: the owner's own, or what an updatable CTE passes on."""
    if isinstance(owner, Table):
        return owner, owner.claim(name)
    column = owner.get(name)
    seen: set[int] = set()
    while column is not None and column not in seen:
        seen.add(column)
        for table in builder.tables.values():
            if builder.columns[column][0] == table.entity:
                return table, column
        column = builder.origins.get(column)
    return None, -1
