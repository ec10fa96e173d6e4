"""ALTER TABLE and ALTER VIEW: what becomes of a table's name, its columns and its rows."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import IDENTITY, WHERE
from headwater.model.resolution import Definition
from headwater.resolve.builder import Builder, Table
from headwater.resolve.column_definition import column_definitions, compute, reading_default, unwritten_names
from headwater.resolve.create import create_as
from headwater.resolve.external_table import fill_from_files
from headwater.resolve.flow import flow
from headwater.resolve.foreign_key import foreign_keys
from headwater.resolve.query import is_query
from headwater.resolve.rename import move, rename, rename_column, swap
from headwater.resolve.scope import Environment, Scope
from headwater.resolve.statement import Outcome, resolves
from headwater.sql.form import Location

_HARMLESS = (
    *(exp.AlterSet, exp.AlterSortKey, exp.AlterDistStyle, exp.DropPartition, exp.AlterIndex),
    *(exp.Cluster, exp.Properties, exp.Property, exp.RenameIndex, exp.Set, exp.AlterModifySqlSecurity),
)
"""Actions that neither move rows nor change columns."""


@resolves(exp.Alter)
def alter(builder: Builder, node: Any, environment: Environment) -> Outcome:
    """`ALTER TABLE t …`, one action after the other; `ALTER VIEW v AS SELECT …`."""
    actions = node.args.get("actions") or []
    if len(actions) == 1 and is_query(actions[0]):
        create_as(builder, node, actions[0], environment, "VIEW")
        return Outcome("Create View")
    kind = str(node.args.get("kind") or "TABLE").upper()
    if kind in ("SESSION", "INDEX"):
        return Outcome(f"Alter {kind.title()}")
    if not isinstance(node.this, exp.Table):
        builder.say(Code.UNSUPPORTED_STATEMENT, f"ALTER {kind} is not understood", node, f"ALTER {kind}")
        return Outcome("Unknown")
    table = builder.table(node.this)
    builder.altered[table.name] = None
    change = _Change(builder, table)
    for action in actions:
        change.apply(action, node)
    change.define()
    return Outcome(f"Alter {'View' if 'VIEW' in kind else 'Table'}", effect=change.effect)


class _Change:
    """What the actions of one ALTER make of a table."""

    def __init__(self, builder: Builder, table: Table) -> None:
        self.builder = builder
        self.table = table
        self.columns = None if table.schema is None else dict(table.schema)
        self.changed = False
        self.unknown = False
        self.effect = ""
        known = builder.session.definition(table.name)
        self.computed = known.computed if known is not None else frozenset()

    def apply(self, action: Any, node: Any) -> None:
        """One action."""
        builder, table = self.builder, self.table
        if isinstance(action, exp.AlterRename):
            self._rename(action, node)
        elif isinstance(action, exp.SwapTable) and isinstance(action.this, exp.Table):
            swap(builder, table, builder.table(action.this))
            self.effect = "swap_table"
        elif isinstance(action, exp.RenameColumn) and isinstance(action.args.get("to"), exp.Expr):
            self._replace(rename_column(builder, table, _identifier(action.this), _identifier(action.args["to"])))
        elif isinstance(action, exp.Drop):
            self._drop(action)
        elif isinstance(action, (exp.ColumnDef, exp.Schema)):
            self._add(action.expressions if isinstance(action, exp.Schema) else [action])
        elif isinstance(action, exp.ReplaceColumns):
            self._replace(column_definitions(builder, action.expressions))
        elif isinstance(action, exp.AlterColumn):
            self._alter_column(action)
        elif isinstance(action, exp.ModifyColumn):
            self._modify(action)
        elif isinstance(action, exp.AddConstraint):
            foreign_keys(builder, table, action.expressions)
        elif isinstance(action, exp.ReplacePartition):
            source = action.args.get("source")
            if isinstance(source, exp.Table):
                move(builder, builder.table(source), table)
        elif isinstance(action, exp.Delete):
            self._delete(action)
        elif isinstance(action, exp.AddPartition):
            self._add_partition(action)
        elif not isinstance(action, _HARMLESS):
            self._not_understood(action)

    def _rename(self, action: Any, node: Any) -> None:
        """`RENAME TO u`; the grammar also gives `RENAME a TO b`, which is a column's."""
        options = [o for o in node.args.get("options") or () if isinstance(o, exp.ToTableProperty)]
        if options:
            self._replace(rename_column(self.builder, self.table, action.this.this, options[0].this.this))
            return
        if not isinstance(action.this, exp.Table):
            self._not_understood(action)
            return
        rename(self.builder, self.table, self.builder.table(self._in_own_schema(action.this)))
        self.effect = "rename_table"

    def _in_own_schema(self, target: Any) -> Any:
        """A new name without a schema stays in the table's own."""
        if target.args.get("db") is not None:
            return target
        own = [exp.to_identifier(part, quoted=True) for part in self.table.name[-2:-4:-1]]
        return exp.Table(this=target.this.copy(), **dict(zip(("db", "catalog"), own, strict=False)))

    def _replace(self, columns: dict[str, str] | None) -> None:
        self.columns = columns
        self.table.schema = columns
        self.changed = True

    def _drop(self, action: Any) -> None:
        if str(action.args.get("kind") or "").upper() not in ("COLUMN", "COLUMNS"):
            return
        gone = {self.builder.dialect.column(i) for t in action.args.get("tables") or () for i in _identifiers(t)}
        if self.columns is not None:
            self._replace({name: kind for name, kind in self.columns.items() if name not in gone})

    def _add(self, items: list[Any]) -> None:
        definitions = column_definitions(self.builder, items)
        if not definitions:
            self._not_understood(items[0] if items else None)
            return
        self.builder.added += [(self.table.name, name) for name in definitions]
        foreign_keys(self.builder, self.table, items)
        compute(self.builder, self.table, items)
        self.computed |= unwritten_names(self.builder, items)
        if self.columns is not None:
            self._replace(_placed({**self.columns, **definitions}, items, self.builder))

    def _alter_column(self, action: Any) -> None:
        """`ALTER COLUMN c TYPE text USING f(c)`, Hive's `CHANGE COLUMN a b int`."""
        named = action.args.get("rename_to")
        fold = self.builder.dialect.column
        both = isinstance(named, exp.Identifier) and isinstance(action.this, exp.Identifier)
        if both and fold(named) != fold(action.this):
            self._replace(rename_column(self.builder, self.table, action.this, named))
        if both and self.columns is not None:
            self._replace(_moved(self.columns, fold(named), action.args.get("position"), self.builder))
        using = action.args.get("using")
        if using is None and self.builder.dialect.defaults_read:
            using = reading_default(action.args.get("default"))
        if isinstance(using, exp.Expr) and isinstance(action.this, exp.Identifier):
            scope = self._scope()
            target = self.builder.writes(self.table).claim(self.builder.dialect.column(action.this))
            flow(scope, using, target, IDENTITY)

    def _modify(self, action: Any) -> None:
        """MySQL's `CHANGE a b int`, `MODIFY a int`."""
        named = action.args.get("rename_from")
        definition = action.this
        if isinstance(named, exp.Identifier) and isinstance(definition, exp.ColumnDef):
            self._replace(rename_column(self.builder, self.table, named, definition.this))
        if isinstance(definition, exp.ColumnDef) and self.columns is not None:
            self._replace(_placed(self.columns, [definition], self.builder))

    def _add_partition(self, action: Any) -> None:
        """Hive's `ADD PARTITION (d = 'x') LOCATION '/p'`: the files there are rows of the table."""
        location = action.args.get("location")
        if isinstance(location, exp.LocationProperty) and location.this.name:
            where = Location("path", location.this.name, location)
            fill_from_files(self.builder, self.builder.writes(self.table), self.columns or {}, [where], {})

    def _delete(self, action: Any) -> None:
        """ClickHouse's `ALTER TABLE t DELETE WHERE c`."""
        where = action.args.get("where")
        if where is not None:
            self.builder.writes(self.table)
            flow(self._scope(), where.this, self.table.rows, WHERE)

    def _scope(self) -> Scope:
        scope = Scope(self.builder, None, Environment(), self.table.rows)
        scope.add(self.table.name[-1], self.table)
        return scope

    def _not_understood(self, action: Any) -> None:
        self.builder.say(Code.UNSUPPORTED_STATEMENT, "this form of ALTER is not understood", action, "ALTER")
        self.unknown = True

    def define(self) -> None:
        """What is known about the table from now on; what was known before is said again, for those who hear of this statement alone."""
        known = self.builder.session.definition(self.table.name)
        known = None if known is None or known.dropped else known
        if self.changed or self.unknown:
            columns = None if self.unknown else self.columns
            known = (known or Definition(self.table.name, None))._replace(
                columns=columns, unknown=self.unknown, computed=self.computed
            )
        elif self.effect:  # the table has another name, and this one is told of already
            return
        if known is not None:
            self.builder.defines.append(known)
            self.builder.reshaped.add(self.table.name)


def _placed(columns: dict[str, str], items: list[Any], builder: Builder) -> dict[str, str]:
    """The columns in the order that FIRST and AFTER of their definitions say."""
    for item in items:
        if isinstance(item, exp.ColumnDef):
            columns = _moved(columns, builder.dialect.column(item.this), item.args.get("position"), builder)
    return columns


def _moved(columns: dict[str, str], name: str, position: Any, builder: Builder) -> dict[str, str]:
    if not isinstance(position, exp.ColumnPosition) or name not in columns:
        return columns
    others = [each for each in columns if each != name]
    after = position.this
    if isinstance(after, exp.Expr):
        previous = builder.dialect.column(after.this if isinstance(after, exp.Column) else after)
        at = others.index(previous) + 1 if previous in others else len(others)
    else:
        at = 0
    return {each: columns[each] for each in [*others[:at], name, *others[at:]]}


def _identifiers(node: Any) -> list[Any]:
    if isinstance(node, exp.Schema):
        return [i for i in node.expressions if isinstance(i, exp.Identifier)]
    return [node.this] if isinstance(node.this, exp.Identifier) else []


def _identifier(node: Any) -> Any:
    """The name of a column, which may stand in quotes of a string."""
    if isinstance(node, exp.Column) and isinstance(node.this, exp.Identifier):
        return node.this
    return exp.to_identifier(node.name or "?", quoted=True)
