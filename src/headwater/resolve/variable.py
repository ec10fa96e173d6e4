"""Variables of procedures and scripts: who they are, and the columns that stand for them in a statement.

A scalar has one column of its own name, a cursor and a record have a column for each of theirs and a row set. A statement that reads
and assigns a variable has two entities of it: what it held before, and what it holds afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from headwater.model.entity import EntityKind, TableName
from headwater.model.kind import AGGREGATE_ROWS, FROM_ROWS, IDENTITY
from headwater.model.resolution import EntityRow, Variable
from headwater.resolve.builder import Builder, Owner
from headwater.resolve.scope import ResultSet, Scope
from headwater.sql.dialect import Dialect
from headwater.sql.procedural.form import NOT_FOUND, Target

_ATTRIBUTE = "%"
"""Between a cursor and what is asked about it: `c%NOTFOUND`."""
_OF_COLLECTION = frozenset({"COUNT", "FIRST", "LAST", "LIMIT", "NEXT", "PRIOR", "EXISTS"})
"""What is asked about a collection as a whole: its elements decide, not what they hold."""
_numbers = count(1)

ROW_COUNTS = frozenset(
    {"@@rowcount", "sql%rowcount", "sql%found", "sql%notfound", "sql%bulk_rowcount", "sqlrowcount", "sqlfound"}
    | {"sqlnotfound", "activity_count", "@@row_count", "sql%row_count"}
)
"""What asks how many rows the last change met, in lower case; the last is what GET DIAGNOSTICS asks for."""


class Variables:
    """The variables that a program's statements can name: those of the block at hand, then those around it."""

    def __init__(self, dialect: Dialect, procedure: str, outer: Variables | None = None) -> None:
        self.dialect = dialect
        self.procedure = procedure
        self.outer = outer
        self.closed = False
        """Whether this is the scope of an executed text, which does not see the variables around it."""
        self.labels: set[str] = set()
        """Names by which variables may be qualified: of the procedure, of blocks."""
        self._known: dict[str, Variable] = {}
        self.spread: Variable | None = None
        """The record of a loop whose columns are known without its name."""
        self._returned: Variable | None = None if outer is None or outer.procedure != procedure else outer.returned()
        self._counted: Variable | None = None
        self.out_columns: tuple[Variable, ...] = () if outer is None else outer.out_columns
        """The variables that RETURN NEXT gives as one row: OUT parameters, the columns of RETURNS TABLE."""
        self.shapes: dict[int, tuple[str, ...]] = {} if outer is None else outer.shapes
        """The columns of cursors and records, as far as they are known."""
        self.alternatives: dict[int, list[tuple[str, ...]]] = {} if outer is None else outer.alternatives
        """Of cursors that several statements open: the columns of each of their queries, as far as they differ."""
        self.fields: dict[int, dict[str, None]] = {} if outer is None else outer.fields
        """The fields that were assigned to one by one, of records whose columns nobody knows."""
        self.starred: set[int] = set() if outer is None else outer.starred
        """The records that took all columns of something unknown."""
        self.collections: set[int] = set() if outer is None else outer.collections
        """The variables that hold several elements."""
        self.types: Mapping[str, Any] = {}
        """Types that the package around declares, in upper case, each as a variable of it would be declared."""
        self.undeclared: set[int] = set() if outer is None else outer.undeclared
        """The cursors that nothing declares."""
        self.type_names: dict[int, str] = {} if outer is None else outer.type_names
        """The last parts of the names of variables' types, folded: a constructor has the same name."""
        self.changed: dict[int, TableName] = {} if outer is None else outer.changed
        """The tables whose changed row a record is, in a trigger: who assigns to it writes the table."""

    def add(self, name: str, kind: str, place: Any, quoted: bool = False) -> Variable:
        """A new variable."""
        made = Variable(name, kind, self.procedure, next(_numbers), place)
        self._known[self.dialect.fold_column(name, quoted)] = made
        return made

    def returned(self) -> Variable:
        """What the program gives back."""
        if self._returned is None:
            self._returned = Variable("RETURN", "scalar", self.procedure, next(_numbers))
        return self._returned

    def counted(self) -> Variable:
        """How many rows the last change met."""
        scope = self.outermost()
        if scope._counted is None:
            scope._counted = Variable("ROW COUNT", "scalar", self.procedure, next(_numbers))
        return scope._counted

    def deciding(self, type: str, place: Any) -> Variable:
        """What a condition decides."""
        return Variable(type, "condition", self.procedure, next(_numbers), place)

    def opened(self, variable: Variable, names: Sequence[str]) -> None:
        """Remember the columns of a cursor or record, unless nobody knows them; a record's stay what they are."""
        shape = tuple(names)
        if "*" in names:
            self.starred.add(variable.number)
        elif variable.kind != "record" or variable.number not in self.shapes:
            self.shapes[variable.number] = shape
            shapes = self.alternatives.setdefault(variable.number, [])
            if shape not in shapes:
                shapes.append(shape)

    def know(self, name: str, variable: Variable) -> None:
        """Another name for a variable, folded."""
        self._known[name] = variable

    def find(self, name: str) -> Variable | None:
        """The variable of a folded name, the innermost first."""
        scope: Variables | None = self
        while scope is not None:
            found = scope._known.get(name)
            if found is not None:
                return found
            scope = scope.outer
        return None

    def visible(self, name: str) -> Variable | None:
        """The variable that a folded name means in an expression: from inside of an executed text, only the session's are seen."""
        scope: Variables | None = self
        closed = False
        while scope is not None:
            found = None if closed and not _is_of_session(name) else scope._known.get(name)
            if found is not None:
                return found
            closed = closed or scope.closed
            scope = scope.outer
        return None

    def type_named(self, name: str) -> Any:
        """A variable of a declared type, by the name of that in upper case; None if nobody around declares it."""
        scope: Variables | None = self
        while scope is not None:
            if name in scope.types:
                return scope.types[name]
            scope = scope.outer
        return None

    def numbers(self) -> set[int]:
        """The variables of this scope alone."""
        return {variable.number for variable in self._known.values()}

    def row_with(self, name: str) -> Variable | None:
        """The row of a loop that has a column of a folded name, unless a variable of that name is nearer."""
        scope: Variables | None = self
        while scope is not None and name not in scope._known and not scope.closed:
            if scope.spread is not None and name in self.shapes.get(scope.spread.number, ()):
                return scope.spread
            scope = scope.outer
        return None

    def labelled(self, parts: Sequence[str]) -> Variable | None:
        """The variable of `label.v`, where the label is a block's, a routine's or a package's: the outermost v inside of that."""
        scope: Variables | None = self
        found: Variable | None = None
        while scope is not None and len(parts) > 1:
            found = scope._known.get(parts[1], found)
            if parts[0] in scope.labels:
                return found
            scope = scope.outer
        return None

    def of_session(self) -> Variables:
        """What a routine that is created here can name: no variable of a block or script, but those of the session."""
        known = Variables(self.dialect, self.procedure)
        marks = self.dialect.session_marks
        known._known = {
            name: each for name, each in self.outermost()._known.items() if marks and name.startswith(marks)
        }
        return known

    def outermost(self) -> Variables:
        """The variables of the whole program or script."""
        scope = self
        while scope.outer is not None:
            scope = scope.outer
        return scope


def _is_of_session(name: str) -> bool:
    """Whether a name is marked as one of the session, or no name at all."""
    return not (name[:1].isalpha() or name[:1] in ("_", '"'))


class Holder(Owner):
    """A variable in a statement."""

    __slots__ = ("_either", "variable")

    def __init__(self, builder: Builder, variable: Variable, place: Any) -> None:
        row = EntityRow(EntityKind.VARIABLE, variable.kind, place, spelled=variable.name)
        row.variable = variable
        shape = _variables(builder).shapes.get(variable.number)
        listed = dict.fromkeys(shape) if shape is not None else None
        super().__init__(builder, builder.entity(row), listed, shape is None, place)
        self.variable = variable
        self._either: ResultSet | None = None

    def claim(self, name: str) -> int:
        """The column of that name."""
        found = self.columns.get(name)
        if found is None:
            found = self.columns[name] = self.builder.column(self.entity, name, None)
        return found

    def star(self) -> list[tuple[str, int]]:
        """All columns in order; where they are not known, the fields that were assigned to, and `*` for all others."""
        if self.open:
            variables, number = _variables(self.builder), self.variable.number
            fields = variables.fields.get(number, {})
            rest = ["*"] if number in variables.starred or not fields else []
            return [(name, self.claim(name)) for name in (*fields, *rest)]
        shapes = _variables(self.builder).alternatives.get(self.variable.number, ())
        if len(shapes) > 1:
            return self._by_position(shapes)
        return [(name, self.claim(name)) for name in self.listed]

    def _by_position(self, shapes: Sequence[tuple[str, ...]]) -> list[tuple[str, int]]:
        """The columns of a cursor that several queries open: each is that of any of them, in its position."""
        if self._either is None:
            self._either = ResultSet(self.builder, "union", self.builder.entities[self.entity].place)
            self.builder.edge(self._either.rows, self.rows, FROM_ROWS, None)
            for i, name in enumerate(self.listed):
                column = self._either.add(name, None)
                for other in dict.fromkeys(shape[i] for shape in shapes if i < len(shape)):
                    self.builder.edge(column, self.claim(other), IDENTITY, None)
            self._either.complete()
        return self._either.outputs

    @property
    def value(self) -> int:
        """What the variable as a whole holds."""
        return self.claim(self.variable.name if self.variable.kind in ("scalar", "condition") else "*")

    def field(self, name: str, place: Any) -> int:
        """What a field holds; of a collection also how many elements there are."""
        if name in _OF_COLLECTION and self.is_collection and (self.open or name not in self.listed):
            value = self.builder.function(place)
            self.builder.edge(value, self.rows, AGGREGATE_ROWS, place)
            return value
        return self.value if self.variable.kind == "scalar" else self.claim(name)

    @property
    def is_collection(self) -> bool:
        """Whether it holds several elements."""
        return self.variable.number in _variables(self.builder).collections


def columns_of(builder: Builder, target: Holder, given: Sequence[str]) -> list[str]:
    """The names that as many columns get in a cursor or record: its own, by position, where it has as many."""
    known = [] if target.open or target.variable.kind == "cursor" else list(target.listed)
    return known if len(known) == len(given) and "*" not in given else list(given)


def found(variables: Variables) -> Variable | None:
    """What says whether a row was met: PL/pgSQL's FOUND; elsewhere a variable without a name, for handlers of NOT FOUND."""
    name = "found" if variables.dialect.family in ("postgres", "redshift") else NOT_FOUND
    return variables.find(variables.dialect.fold_column(name, False))


def held(builder: Builder, variable: Variable, place: Any = None) -> Holder:
    """A variable as a statement finds it."""
    return _holder(builder, variable, False, place)


def assigned(builder: Builder, variable: Variable, place: Any = None) -> Holder:
    """A variable as a statement leaves it."""
    return _holder(builder, variable, True, place)


def _holder(builder: Builder, variable: Variable, written: bool, place: Any) -> Holder:
    key = (variable.number, written)
    found = builder.variables.get(key)
    if found is None:
        found = builder.variables[key] = Holder(builder, variable, place)
    elif place is not None:
        builder.entities[found.entity].places += (place,)
    return found


def named(builder: Builder, name: str, place: Any) -> int | None:
    """The column behind a folded name that is a variable's, or a cursor's attribute's; None if it is neither."""
    variables = builder.session.variables
    if variables is None:
        return None
    found: Variable | None = variables.visible(name)
    row = variables.row_with(name)
    if row is not None:
        return held(builder, row, place).claim(name)
    if found is not None:
        return held(builder, found, place).value
    if name.lower() in ROW_COUNTS:
        return held(builder, variables.counted(), place).value
    cursor, mark, _ = name.partition(_ATTRIBUTE)
    found = variables.find(cursor) if mark else None
    return held(builder, found, place).rows if found is not None else None


def dotted(builder: Builder, parts: list[str], place: Any) -> int | None:
    """The column behind `r.a`, `label.v`, `label.r.a`; None if none of them is a variable."""
    variables = builder.session.variables
    if variables is None or len(parts) < 2:
        return None
    of_session = _in_session(builder.dialect, parts)
    if of_session:
        found = variables.outermost().find(of_session[0])
        return held(builder, found, place).value if found is not None else None
    found = variables.labelled(parts) if variables.visible(parts[1]) is not None else None
    if found is not None:
        holder = held(builder, found, place)
        return holder.value if len(parts) == 2 else holder.field(_path(parts[2:]), place)
    found = variables.visible(parts[0])
    if found is None:
        found = variables.visible(".".join(parts))  # one that was assigned to, and never declared
        return None if found is None else held(builder, found, place).value
    return held(builder, found, place).field(_path(parts[1:]), place)


def _path(parts: Sequence[str]) -> str:
    """The name of a field, or of one below it, as a record's columns have it."""
    return ".".join(parts)


def _in_session(dialect: Dialect, parts: list[str]) -> list[str]:
    """The name of a variable of the session without the schema that Spark gives it: `session.v`, `system.session.v`."""
    if "session" not in parts[:2] or not dialect.session_variables:
        return []
    start = 1 if parts[0] == "session" else 2
    return parts[start:] if parts[:start] in (["session"], ["system", "session"]) else []


def of_session(builder: Builder, name: str, new: bool = False) -> Variable | None:
    """The variable of the session of a name; *new* makes it known to the whole program if it is not."""
    variables = builder.session.variables
    if variables is None:
        return None
    found: Variable | None = variables.find(builder.dialect.fold_column(name, False))
    return variables.outermost().add(name, "scalar", None) if found is None and new else found


def record_named(builder: Builder, name: str) -> Holder | None:
    """The record or cursor of a folded name."""
    variables = builder.session.variables
    found = variables.visible(name) if variables is not None else None
    return held(builder, found) if found is not None and found.kind in ("record", "cursor") else None


def is_record(builder: Builder, name: str) -> bool:
    """Whether a folded name is that of a record or cursor."""
    variables = builder.session.variables
    found = variables.find(name) if variables is not None else None
    return found is not None and found.kind in ("record", "cursor")


def target_of(scope: Scope, target: Target) -> tuple[Holder, str | None]:
    """The variable that is assigned to, and the field where it is one; one that was never declared is a scalar of the whole program."""
    builder, dialect = scope.builder, scope.dialect
    variables = _variables(builder)
    parts = [dialect.column(part) for part in target.parts]
    parts = _in_session(dialect, parts) or parts
    found = variables.labelled(parts)
    if found is not None:
        parts = parts[1:]
    else:
        found = variables.find(parts[0])
    if found is None:
        name = ".".join(part.name for part in target.parts)
        folded = dialect.fold_column(name, False)
        found = variables.find(folded) or variables.outermost().add(name, "scalar", target.place)
        return assigned(builder, found, target.place), None
    field = _path(parts[1:]) if len(parts) > 1 and found.kind != "scalar" else None
    if field is not None:
        variables.fields.setdefault(found.number, {})[field] = None
    return assigned(builder, found, target.place), field


def _variables(builder: Builder) -> Variables:
    if builder.session.variables is None:
        raise AssertionError("a step of a program is resolved outside of one")
    found: Variables = builder.session.variables
    return found
