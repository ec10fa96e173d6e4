"""The resolution of one statement under construction: columns, edges, entities and diagnostics as they are found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any, NamedTuple

from sqlglot import exp

from headwater.catalog import TableSchema
from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.entity import PSEUDO_ROWS, EntityKind, TableName
from headwater.model.resolution import (
    FUNCTIONS,
    LITERALS,
    ORPHANS,
    VARIABLES,
    ColumnRow,
    Definition,
    Edge,
    EntityRow,
    NamedType,
    Routine,
    SqlFunction,
    Wildcard,
    reserved_entities,
)
from headwater.model.work import Work, current_work
from headwater.resolve.session import Session
from headwater.resolve.time_travel import state_in_name
from headwater.sql.dialect import Dialect
from headwater.sql.place import Elsewhere, Places
from headwater.sql.redact import without_secrets


class Owner:
    """Something that owns columns and can stand in FROM: a table or a result set.

    `listed` has the names of the columns that it surely has, `columns` those that were asked for so far. An owner that is `open` may have
    more than it lists.
    """

    __slots__ = ("builder", "columns", "entity", "listed", "open", "rows")

    def __init__(
        self, builder: Builder, entity: int, listed: Mapping[str, object] | None, open: bool, place: Any = None
    ) -> None:
        self.builder = builder
        self.entity = entity
        self.open = open
        self.columns: dict[str, int] = {}
        self.listed: Mapping[str, object] = self.columns if listed is None else listed
        self.rows = builder.column(entity, PSEUDO_ROWS, place)

    def get(self, name: str) -> int | None:
        """The column of that name if the owner surely has it."""
        return self.claim(name) if name in self.listed else None

    def having(self, name: str) -> Sequence[int]:
        """The columns of a listed name: one, unless the owner lists it twice."""
        return (self.claim(name),)

    def claim(self, name: str) -> int:
        """The column of that name, taken to exist."""
        raise NotImplementedError

    def may_own(self, name: str) -> bool:
        """Whether an open owner could have a column of that name."""
        return True

    def star(self) -> list[tuple[str, int]]:
        """All columns in order; an open owner ends with its `*`."""
        raise NotImplementedError


class Table(Owner):
    """A table, view or other persistent entity. One object per statement, however often the statement names it."""

    __slots__ = ("hidden", "name", "schema")

    def __init__(
        self,
        builder: Builder,
        entity: int,
        name: TableName,
        schema: TableSchema | None,
        hidden: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(builder, entity, schema or {}, schema is None, builder.entities[entity].place)
        self.name = name
        self.schema = schema
        self.hidden = hidden

    def claim(self, name: str) -> int:
        """The column of that name, taken to exist."""
        found = self.columns.get(name)
        if found is None:
            columns = self.builder.columns
            found = self.columns[name] = len(columns)
            columns.append((self.entity, name, None))
            if self.schema is None:
                self.builder.inferred.add(found)
        return found

    def star(self) -> list[tuple[str, int]]:
        """All columns in order; just `*` where the table is unknown."""
        if self.schema is None:
            return [("*", self.claim("*"))]
        return [(name, self.claim(name)) for name in self.schema if name not in self.hidden]

    def writable(self) -> list[str]:
        """The known columns that an INSERT without a column list fills: not those that the database fills itself."""
        known = self.builder.session.definition(self.name)
        made = known.computed if known is not None else ()
        return [name for name in self.schema or () if name not in made]


class Ambiguous(NamedTuple):
    """Columns that the same tables could own, and the number of the diagnostic that tells of them."""

    names: dict[str, None]
    number: int | None = None


@dataclass(slots=True)
class Builder:
    """Collects what the resolver finds. Everything that scales is a plain list of tuples."""

    dialect: Dialect
    session: Session
    places: Places
    columns: list[ColumnRow] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    entities: list[EntityRow] = field(default_factory=reserved_entities)
    numbered: list[int] = field(default_factory=list)
    tables: dict[tuple[TableName, str], Table] = field(default_factory=dict)
    """By name, and by what chooses the state that is read (see `time_travel`): nothing for the current one."""
    read: dict[int, None] = field(default_factory=dict)
    written: dict[int, None] = field(default_factory=dict)
    inferred: set[int] = field(default_factory=set)
    defines: list[Definition] = field(default_factory=list)
    added: list[tuple[TableName, str]] = field(default_factory=list)
    """Columns that a table has from now on."""
    altered: dict[TableName, None] = field(default_factory=dict)
    """Tables that were made before, and that the statement is about."""
    wildcards: dict[int, Wildcard] = field(default_factory=dict)
    """Names that stand for many tables, by their entities."""
    moved: list[tuple[int, int]] = field(default_factory=list)
    """Tables that took over another's unknown columns, and these others."""
    replaced: set[TableName] = field(default_factory=set)
    reshaped: set[TableName] = field(default_factory=set)
    """Tables that are defined anew and keep their rows."""
    diagnostics: list[Diagnostic] = field(default_factory=list)
    orphans: dict[str, int] = field(default_factory=dict)
    origins: dict[int, int] = field(default_factory=dict)
    """For a column that is nothing but another one: that one."""
    unions: dict[int, list[int]] = field(default_factory=dict)
    """For a column of a set operation: the branches' columns."""
    structs: dict[int, Any] = field(default_factory=dict)
    """For a column built as a struct: where its fields come from (see `nested`)."""
    fields: dict[tuple[int, str], int] = field(default_factory=dict)
    elements: dict[int, int] = field(default_factory=dict)
    """For a column that holds an array's elements: the array's column."""
    unfilled: dict[int, Any] = field(default_factory=dict)
    """Columns that only stand for a value with fields, which has not flowed into them: the shape of that value (see `shape`)."""
    inside: set[int] = field(default_factory=set)
    """Outputs that stand somewhere among the unknown columns of a star (see `star`)."""
    left_out: dict[int, frozenset[str]] = field(default_factory=dict)
    """For an open `*` of a result set or new table: the names that do not pass (see `star`, `create`)."""
    stages: dict[int, Any] = field(default_factory=dict)
    """The scopes of a pipe's steps, by their result sets; empty where there is no pipe (see `pipe`)."""
    piped: bool = False
    work: Work = field(default_factory=current_work)
    starred: int = 0
    """Columns that stars stood for."""
    default_schema: TableName | None = None
    """The new default schema, if the statement sets one."""
    said: set[tuple[Code, str]] = field(default_factory=set)
    scalars: dict[int, frozenset[str]] = field(default_factory=dict)
    """The names that a query uses as values without fields, by the query's node (see `scalar_use`)."""
    ambiguous: dict[tuple[str, ...], Ambiguous] = field(default_factory=dict)
    """Columns that several tables could own, by the names of these."""
    types: list[tuple[TableName, NamedType]] = field(default_factory=list)
    """Types that the statement defines."""
    functions: list[SqlFunction] = field(default_factory=list)
    """Functions that the statement defines."""
    routines: list[Routine] = field(default_factory=list)
    """Routines whose bodies are statements, that the statement creates."""
    dropped_functions: list[TableName] = field(default_factory=list)
    expanding: list[SqlFunction] = field(default_factory=list)
    """Functions whose bodies are being resolved, the outermost first."""
    expanded: int = 0
    """Calls inside bodies that were looked into."""
    parameters: dict[str, int] = field(default_factory=dict)
    """The columns that stand for the parameters of the innermost of these, by name (`@a`, `$1` too)."""

    lambdas: dict[str, int] = field(default_factory=dict)
    """The columns that stand for the parameters of lambdas, where it is known whose elements they are."""
    variables: dict[tuple[int, bool], Any] = field(default_factory=dict)
    """The declared variables in the statement, by number, before (False) and after it (see `variable`)."""

    def column(self, entity: int, name: str, place: Any) -> int:
        """A new column."""
        self.columns.append((entity, name, place))
        return len(self.columns) - 1

    def check(self, starred: int = 0) -> None:
        """End the work if the statement has too many relations, or its time is up, or too many columns with those of another star."""
        self.starred += starred
        work = self.work
        if self.starred > work.columns or len(self.edges) > work.relations or monotonic() > work.deadline:
            work.refuse_excess(self.starred, len(self.edges))

    def seen_at(self, column: int, place: Any) -> None:
        """A column that has no place yet is where it is first named."""
        entity, name, known = self.columns[column]
        if known is None:
            self.columns[column] = (entity, name, place)

    def written_at(self, column: int, place: Any) -> None:
        """A written column that has no place yet is where the statement names it, or else what it takes. It has no expression there."""
        entity, name, known = self.columns[column]
        if known is None and place is not None:
            self.columns[column] = (entity, name, Elsewhere("", place))

    def edge(self, target: int, source: int, kind: int, place: Any) -> None:
        """A new source–target pair."""
        self.edges.append((target, source, kind, place))

    def entity(self, row: EntityRow) -> int:
        """A new entity."""
        self.entities.append(row)
        return len(self.entities) - 1

    def function(self, node: Any) -> int:
        """The column that stands for a function call's value."""
        self.columns.append((FUNCTIONS, "", node))
        return len(self.columns) - 1

    def literal(self, node: Any) -> int:
        """The column that stands for a literal at its place."""
        self.columns.append((LITERALS, "", node))
        return len(self.columns) - 1

    def variable(self, node: Any, property: str = "") -> int:
        """The column that stands for a parameter or variable, or for a *property* of the document in it."""
        self.columns.append((VARIABLES, property, node))
        return len(self.columns) - 1

    def orphan(self, name: str, node: Any) -> int:
        """The column of that name which nobody can own."""
        found = self.orphans.get(name)
        if found is None:
            found = self.orphans[name] = self.column(ORPHANS, name, node)
        return found

    def table_name(self, node: Any, temporary: bool = False, new: bool = False) -> TableName:
        """The folded name of a table node, qualified by the default schema; that of a temporary one is not, where the dialect has it so."""
        return self._name(node, _identifiers(node), temporary, new)

    def _name(self, node: Any, identifiers: list[Any], temporary: bool, new: bool) -> TableName:
        parts = tuple([without_secrets(self.dialect.table(i)) for i in identifiers]) or ("?",)
        if len(parts) == 2:
            if node.args.get("catalog") is not None and self.dialect.first_schema:
                parts = (parts[0], self.dialect.first_schema, parts[1])
            elif parts[0] == self.dialect.pipeline_schema and self._is_of_pipeline(parts):
                parts = parts[1:]
        return self.qualified(parts, temporary, new)

    def _is_of_pipeline(self, parts: TableName) -> bool:
        """Whether `LIVE.t` is the table t of the script, and no table of a schema that is called so."""
        own = self.qualified(parts)
        listed = self.session.columns(own, self.dialect) is not None
        bare = self.session.columns(("", *parts[1:]), self.dialect) is not None  # a catalog may list t without a schema
        known = self._is_defined(own) or (listed and not bare)
        return not known and (self.dialect.is_pipeline or self._is_defined(self.qualified(parts[1:])))

    def qualified(self, parts: TableName, temporary: bool = False, new: bool = False) -> TableName:
        """A folded name, qualified by the default schema; or, unless it is that of something *new*, as a search path finds it."""
        if self.dialect.temporary_marks and parts[-1].startswith("#"):
            return parts[-1:]  # wherever it is said to be, it is in tempdb
        default = self.session.default_schema
        if not default or len(parts) > len(default) or parts[-1].startswith(("#", "@")):
            return parts
        if self.dialect.paths_are_whole and len(parts) > 1:
            return parts
        if len(parts) == 1 and self.dialect.temporary_without_schema and (temporary or self._is_temporary(parts)):
            return parts
        name = default[: len(default) + 1 - len(parts)] + parts
        if new or len(parts) > 1:
            return name
        meant = self.session.means(name, self.dialect)
        return name if meant == name or self._is_defined(name) else meant

    def _is_defined(self, name: TableName) -> bool:
        known = self.session.definition(name)
        return known is not None and not known.dropped

    def _is_temporary(self, name: TableName) -> bool:
        known = self.session.definition(name)
        return known is not None and known.temporary and not known.dropped

    def table(self, node: Any, temporary: bool = False, new: bool = False, state: str = "") -> Table:
        """The table that a node names, the same object each time; *temporary* where the statement makes it so, *new* where it makes it.

        In another *state* than the current one, a table has columns of its own: they are other sources.
        """
        identifiers = _identifiers(node)
        name = self._name(node, identifiers, temporary, new)
        if len(name) > 2 and not new and self.state_named(name):
            name = name[:-1]
        found = self.tables.get((name, state))
        if found is None:
            spelled = without_secrets(".".join([i.name for i in identifiers]))
            found = self.tables[name, state] = self._new_table(name, spelled, node, state)
        else:
            self.entities[found.entity].places += (node,)
        return found

    def state_named(self, name: TableName) -> str:
        """Which state of a table a name asks for, as `s.t.branch_audit` does where `s.t` is known; nothing if it is a table's own name."""
        state = state_in_name(name) if len(name) > 2 and self.dialect.states_in_names else ""
        known = self.session.columns
        return state if state and known(name[:-1], self.dialect) and not known(name, self.dialect) else ""

    def table_named(self, name: TableName, state: str = "") -> Table:
        """The table of a qualified, folded name, where there is no node that names it."""
        found = self.tables.get((name, state))
        if found is None:
            found = self.tables[name, state] = self._new_table(name, ".".join(name), None, state)
        return found

    def _new_table(self, name: TableName, spelled: str, node: Any, state: str) -> Table:
        known = self.session.definition(name)
        kind = EntityKind.VIEW if known is not None and known.view else EntityKind.TABLE
        temporary = name[-1].startswith(("#", "@")) or (known is not None and known.temporary)
        row = EntityRow(kind, kind.value, node, name, spelled, temporary=temporary)
        row.as_of = state
        hidden = known.hidden if known is not None else frozenset()
        return Table(self, self.entity(row), name, self.session.columns(name, self.dialect), hidden)

    def reads(self, table: Table) -> Table:
        """Note that the statement reads a table."""
        self.read[table.entity] = None
        return table

    def writes(self, table: Table) -> Table:
        """Note that the statement writes a table."""
        self.written[table.entity] = None
        return table

    def name_of(self, entity: int) -> str:
        """What messages call an entity: its name, the alias of a query, or what is written there if that is short."""
        row = self.entities[entity]
        if row.table or row.alias:
            return ".".join(row.table) if row.table else str(row.alias)
        text = " ".join(self.places.expression(row.place)[0].split())
        return text if 0 < len(text) <= _LONGEST_NAME else "a query without a name"

    def say_ambiguous(self, name: str, owners: tuple[str, ...], node: Any) -> None:
        """Add a column that several tables could own: one diagnostic for all columns of the same tables, at the first of them."""
        group = self.ambiguous.setdefault(owners, Ambiguous({}))
        group.names[name] = None
        if group.number is None and (Code.AMBIGUOUS_COLUMN, name) not in self.said:
            self.ambiguous[owners] = Ambiguous(group.names, len(self.diagnostics))
            hint = f"qualify it, or give a schema for {listed_names(owners, 'and')}"
            self.say(
                Code.AMBIGUOUS_COLUMN, f"column {name} could belong to {listed_names(owners, 'or')}", node, name, hint
            )

    def count_ambiguous(self) -> None:
        """Let the diagnostics of ambiguous columns tell how many there are."""
        for owners, (names, number) in self.ambiguous.items():
            if number is not None and len(names) > 1:
                listed = ", ".join(list(names)[:_MOST_NAMES]) + (", …" if len(names) > _MOST_NAMES else "")
                message = f"{len(names)} columns could belong to {listed_names(owners, 'or')}: {listed}"
                self.diagnostics[number] = replace(self.diagnostics[number], message=message)

    def say(self, code: Code, message: str, node: Any, subject: str = "", hint: str = "") -> None:
        """Add a diagnostic; the same code about the same subject is said once per statement."""
        if (code, subject) in self.said:
            return
        self.said.add((code, subject))
        self.diagnostics.append(Diagnostic(code, message, self.places.span(node), subject, hint))

    def release(self) -> None:
        """Let go of what refers back to the builder: without such cycles all of it is freed at once, not by the garbage collector."""
        for holders in (self.tables, self.structs, self.unfilled, self.stages, self.variables):
            holders.clear()


def listed_names(names: Sequence[str], last: str) -> str:
    """Names with commas between, and a word before the last: `t, u or v`."""
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else "".join(names)


_LONGEST_NAME = 60
"""Characters of a text that stands for a name."""
_MOST_NAMES = 10
"""Columns that a diagnostic lists; it counts the others."""


def _identifiers(node: Any) -> list[Any]:
    """The identifiers of a table node, outermost first, dotted tails flattened."""
    args = node.args
    name = args.get("this")
    if type(name) is exp.Identifier and args.get("db") is None:
        return [name] if name.args["this"] else []
    parts = [p for p in (args.get("catalog"), args.get("db"), name) if p and p.__class__ is not str]
    if all(p.key == "identifier" for p in parts):
        return [p for p in parts if p.args["this"]]
    flat: list[Any] = []
    for part in parts:
        stack = [part]
        while stack:
            current = stack.pop()
            if current.__class__ is str:
                continue  # what `a..b` leaves out
            if current.key == "dot":
                stack.extend(p for p in (current.args.get("expression"), current.args.get("this")) if p)
            else:
                flat.append(_named(current) if current.key == "placeholder" else current)
    return [p for p in flat if p.name]


def _named(placeholder: Any) -> Any:
    """A placeholder in a name, as an identifier of its own spelling: `:schema`, `?`."""
    name = placeholder.name or "?"
    return exp.Identifier(this=f":{name}" if name.isidentifier() else name, quoted=False)
