"""Column references to columns: the numbered rules of `scope`, and what becomes of a name that fits nobody or several."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import FROM_ROWS, candidate
from headwater.model.unknown_part import has_unknown_part, may_be_called
from headwater.resolve.builder import Owner, Table
from headwater.resolve.field import field_of
from headwater.resolve.field_names import struct_fields
from headwater.resolve.field_rows import FieldRows
from headwater.resolve.niladic import SEQUENCE_NUMBERS, niladic_call, string_of
from headwater.resolve.pipe import kept_alias
from headwater.resolve.row_value import row_value
from headwater.resolve.scope import ALIASES_FIRST, NO_ALIASES, Beside, Item, ResultSet, Scope
from headwater.resolve.struct_path import struct_path
from headwater.resolve.suggestion import near_item, near_name
from headwater.resolve.variable import dotted as dotted_variable
from headwater.resolve.variable import named as variable_named
from headwater.sql.respell.exasol import LOCAL_MARK

Found = int | tuple[int, ...] | None
"""A column, several candidates, or nobody."""


def bind(scope: Scope, node: Any, target: int, kind: int) -> None:
    """Let the column that a reference names flow into *target*."""
    args = node.args
    identifier = args["this"]
    if type(identifier) is not exp.Identifier:
        if _bind_other(scope, node, target, kind):
            return
        if type(identifier) is not exp.Literal:
            _bind_oddity(scope, node, target, kind)
            return
    if args.get("table") is None:
        found = lookup(scope, scope.dialect.column(identifier), node)
    else:
        found = _qualified(scope, node)
    if isinstance(found, int):
        scope.builder.seen_at(found, node)
        scope.edges.append((target, found, kind, node))
    elif found is not None:
        for column in found:
            scope.edges.append((target, column, candidate(kind), node))


def _bind_other(scope: Scope, node: Any, target: int, kind: int) -> bool:
    """What stands for a column without being its name: `t.*`, Snowflake's `t.$2`."""
    what = node.args["this"]
    if isinstance(what, exp.Star):
        _bind_star(scope, node, target, kind)
        return True
    if isinstance(what, exp.Dot):
        return _bind_path(scope, node, target, kind)
    owner = find_item(scope, (scope.dialect.column(node.args["table"]),)) if node.args.get("table") else None
    if owner is None or not isinstance(what, exp.Parameter) or not what.name.isdigit():
        return False
    if owner.open:
        scope.edges.append((target, owner.claim("*"), kind, node))
        return True
    columns = owner.star()
    position = int(what.name)
    if 0 < position <= len(columns):
        scope.edges.append((target, columns[position - 1][1], kind, node))
    return 0 < position <= len(columns)


def _bind_path(scope: Scope, node: Any, target: int, kind: int) -> bool:
    """BigQuery's `` `p.d.t`.s.f ``, where the grammar takes all four parts for a column, and the last for a path."""
    path = list(node.args["this"].flatten())
    if not all(isinstance(step, exp.Identifier) for step in path):
        return False
    outer = [node.args[key] for key in ("catalog", "db", "table") if node.args.get(key) is not None]
    found = dotted(scope, [*outer, *path], node)
    for column in (found,) if isinstance(found, int) else found or ():
        scope.edges.append((target, column, kind if isinstance(found, int) else candidate(kind), node))
    return True


def _bind_oddity(scope: Scope, node: Any, target: int, kind: int) -> None:
    """What the parser takes for a column, though no name stands there: `t.()`."""
    what = node.this.key if isinstance(node.this, exp.Expr) else str(node.this)
    scope.builder.say(Code.UNSUPPORTED_CONSTRUCT, f"{what} is not understood as a column", node, what)
    scope.edges.append((target, scope.builder.orphan(what, node), kind, node))


def _bind_star(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`count(t.*)`, `struct(t.*)`: every column of the item; `struct(s.*)`: the fields of the struct s, as far as they are known."""
    identifiers = [node.args[key] for key in ("catalog", "db", "table") if node.args.get(key) is not None]
    owner = find_item(scope, tuple(scope.dialect.column(i) for i in identifiers))
    if owner is not None:
        for _, column in owner.star():
            scope.edges.append((target, column, kind, node))
        return
    name = scope.dialect.column(identifiers[0])
    found = lookup(scope, name, node) if len(identifiers) == 1 else dotted(scope, identifiers, node)
    for column in (found,) if isinstance(found, int) else found or ():
        fields = struct_fields(scope.builder, column)
        for each in [field_of(scope.builder, column, field) for field in fields] or [column]:
            scope.edges.append((target, each, kind, node))


def column_of(scope: Scope, node: Any) -> int | None:
    """The one column that a reference names; None if it is not just one."""
    args = node.args
    found = (
        lookup(scope, scope.dialect.column(args["this"]), node)
        if args.get("table") is None
        else _qualified(scope, node)
    )
    return found if isinstance(found, int) else None


def lookup(scope: Scope, name: str, node: Any) -> Found:
    """The column of an unqualified name; a name that nobody can own becomes an orphan."""
    dialect = scope.dialect
    found: Found = niladic_call(scope, name, node) if name in dialect.niladic else None
    if found is None and dialect.variables_first:
        found = variable_named(scope.builder, name, node)
    if found is None:
        found = _own(scope, name, node)
    if found is None and scope.parent is not None:
        found = search(scope.parent, name, node)
    if found is None:
        found = variable_named(scope.builder, name, node)
    if found is None:
        found = (
            pseudo_column(scope, name) or row_value(scope, name) or string_of(scope, node) or scope.implied.get(name)
        )
        if found is None:
            is_row = name.lower().endswith(_CURRENT_ROW)
            found = _unknown_cursor(scope, name, node) if is_row else _among_unknown(scope, name)
        if found is None:
            found = _of_untyped(scope, name, node)
        if found is None:
            found = _orphan(scope, name, node)
        scope.names[name] = found
    elif type(found) is int:
        scope.builder.seen_at(found, node)
    return found


def search(scope: Scope, name: str, node: Any) -> Found:
    """The column of an unqualified name, from the inside out; None if nobody can own it."""
    found = _own(scope, name, node)
    while found is None and scope.parent is not None:
        scope = scope.parent
        found = _own(scope, name, node)
    return found


def _own(scope: Scope, name: str, node: Any) -> Found:
    """The column of that name in one scope."""
    if scope.alias_rule >= ALIASES_FIRST and name in scope.aliases:
        return scope.aliases[name]
    found: Found = scope.names.get(name)
    if found is not None:
        return found
    found = scope.merged.get(name) if scope.merged else None
    if found is None:
        certain, possible = _owners(scope, name)
        if certain and scope.dialect.row_value_first and _is_row(scope, name):
            found = row_value(scope, name)
        elif len(certain) > 1 and scope.dialect.row_value_first and _is_element(scope, name):
            found = scope.by_name[name].owner.columns[name]
        elif len(certain) == 1:
            found = certain[0]
        elif certain:
            found = _ambiguous(scope, name, certain, node)
        elif scope.alias_rule != NO_ALIASES and name in scope.aliases:
            return scope.aliases[name]
        elif possible:
            found = _claimed(scope, name, possible, node)
    if found is not None:
        scope.names[name] = found
    return found


def _is_row(scope: Scope, name: str) -> bool:
    """Whether a name is that of a FROM item whose rows have columns: the name of unnested elements is the element."""
    item = scope.by_name.get(name)
    return item is not None and item.owner.__class__ in (Table, ResultSet)


def _is_element(scope: Scope, name: str) -> bool:
    """Whether a name is that of unnested elements."""
    item = scope.by_name.get(name)
    return item is not None and name in item.owner.columns and not _is_row(scope, name)


def _owners(scope: Scope, name: str) -> tuple[list[int], list[Owner]]:
    """Columns of that name in FROM that surely exist, and the owners that may have one."""
    certain: list[int] = []
    possible: list[Owner] = []
    for item in scope.items:
        owner = item.owner
        if name in owner.listed:
            certain += owner.having(name)
        elif owner.open and owner.may_own(name):
            possible.append(owner)
    return certain, possible


def _claimed(scope: Scope, name: str, possible: list[Owner], node: Any) -> Found:
    """A column that no known table has: a parameter, a FROM item's row, the one unknown table's unless others could own it too."""
    if name in scope.builder.parameters:
        return scope.builder.parameters[name]
    variable = variable_named(scope.builder, name, node)
    if variable is not None:
        return variable
    row = row_value(scope, name) if name in scope.by_name else None
    if row is not None:
        return row
    if name.lower().endswith(_CURRENT_ROW):
        return _unknown_cursor(scope, name, node)
    outer = _certain_outside(scope, name)
    if len(possible) == 1 and outer is None:
        return possible[0].claim(name)
    columns = [owner.claim(name) for owner in possible]
    if outer is not None:
        columns.append(outer)
    return _ambiguous(scope, name, columns, node)


def _certain_outside(scope: Scope, name: str) -> int | None:
    """The column of that name in an enclosing scope whose tables are known to have it."""
    current = scope.parent
    while current is not None:
        if current.__class__ is Beside:
            current = current.parent
            continue
        certain, possible = _owners(current, name)
        if len(certain) == 1:
            return certain[0]
        if certain or possible:
            return None
        current = current.parent
    return None


def _ambiguous(scope: Scope, name: str, columns: list[int], node: Any) -> Found:
    policy = scope.builder.session.ambiguous
    distinct = tuple({_origin(scope, column): column for column in reversed(columns)}.values())[::-1]
    if len(distinct) == 1:
        return distinct[0]
    if policy != "candidates":
        guessed = _by_prefix(scope, name, distinct) if policy == "prefix" else None
        guessed = distinct[0] if guessed is None else guessed
        message = f"column {name} is taken from one of {len(distinct)} possible tables, by the policy {policy}"
        scope.builder.say(Code.GUESSED_COLUMN, message, node, name)
        return (guessed,)
    scope.builder.say_ambiguous(name, tuple(_name_of_owner(scope, column) for column in distinct), node)
    return distinct


def _origin(scope: Scope, column: int) -> int:
    """The column that a column was passed on from, as it is: two such are one, under whatever names."""
    origins = scope.builder.origins
    while column in origins:
        column = origins[column]
    return column


def _name_of_owner(scope: Scope, column: int) -> str:
    """What the statement calls the table of a column: its name in FROM, else that of the entity."""
    builder = scope.builder
    entity = builder.columns[column][0]
    current: Scope | None = scope
    while current is not None:
        for item in current.items:
            if item.owner.entity == entity and item.name:
                return item.name
        current = current.parent
    return builder.name_of(entity)


def _by_prefix(scope: Scope, name: str, columns: tuple[int, ...]) -> int | None:
    """TPC-DS style: `ss_item_sk` belongs to the table whose words begin with s, s. Four tables of TPC-DS have other prefixes."""
    prefix, _, rest = name.lower().partition("_")
    if not rest:
        return None
    builder = scope.builder
    tables = [(builder.entities[builder.columns[c][0]].table or ("",))[-1].lower() for c in columns]
    for fits in (_tpc_ds_prefix, _initials):
        owners = [c for c, table in zip(columns, tables, strict=True) if fits(table) == prefix]
        if len(owners) == 1:
            return owners[0]
    return None


def _initials(table: str) -> str:
    return "".join(word[0] for word in table.split("_") if word)


def _tpc_ds_prefix(table: str) -> str:
    return _TPC_DS_PREFIXES.get(table) or _initials(table)


_TPC_DS_PREFIXES = {"date_dim": "d", "time_dim": "t", "inventory": "inv", "web_site": "web"}
"""Tables of TPC-DS whose columns do not begin with the table's initials."""


_CURRENT_ROW = "%current"
"""Ends the name that stands for `CURRENT OF c`."""


def _unknown_cursor(scope: Scope, name: str, node: Any) -> int:
    """`WHERE CURRENT OF c`, where nothing declares c: a query elsewhere chose the row, and an orphan stands for it."""
    cursor = name[: -len(_CURRENT_ROW)]
    message = f"the query of cursor {cursor} is not known here, so what chose its row is not followed"
    scope.builder.say(Code.UNRESOLVED_COLUMN, message, node, cursor)
    return scope.builder.orphan(cursor, node)


def _of_untyped(scope: Scope, name: str, node: Any) -> Found:
    """A field of rows of an unknown type, `UNNEST(f(x))`: such rows own what nothing else can own."""
    current: Scope | None = scope
    while current is not None:
        untyped = [item.owner for item in current.items if isinstance(item.owner, ResultSet) and item.owner.untyped]
        if untyped:
            columns = [owner.claim(name) for owner in untyped]
            return columns[0] if len(columns) == 1 else _ambiguous(scope, name, columns, node)
        current = current.parent
    return None


def _among_unknown(scope: Scope, name: str) -> Found:
    """The column that may have this name because a part of its own is known to the database only, from the inside out.

    A name that has such a part itself, and is no column's, is a value: nothing flows from it.
    """
    current: Scope | None = scope
    while current is not None:
        for item in current.items:
            found = may_be_called(item.owner.listed, name)
            if found is not None:
                return item.owner.having(found)[0]
        current = current.parent
    return () if has_unknown_part(name) else None


def _orphan(scope: Scope, name: str, node: Any) -> int:
    known: list[str] = []
    current: Scope | None = scope
    while current is not None:
        for item in current.items:
            known.extend(item.owner.listed)
        current = current.parent
    scope.builder.say(
        Code.UNRESOLVED_COLUMN,
        f"no table in FROM has a column {name}" if known else f"there is no table that could own {name}",
        node,
        name,
        near_name(scope.builder, name, known),
    )
    return scope.builder.orphan(name, node)


def pseudo_column(scope: Scope, name: str) -> int | None:
    """A column that the dialect gives every table, such as BigQuery's `_PARTITIONTIME`."""
    if name not in scope.dialect.pseudo_columns:
        return None
    return next((item.owner.claim(name) for item in scope.items if isinstance(item.owner, Table)), None)


def _qualified(scope: Scope, node: Any) -> Found:
    """The column of a dotted reference: the longest qualifier that names an item, else a field of a column."""
    args = node.args
    if scope.dialect.local_aliases and args["table"].name == LOCAL_MARK:
        name = scope.fold_column(args["this"])
        return scope.aliases[name] if name in scope.aliases else lookup(scope, name, node)
    if args.get("db") is None:  # `t.a`, where t has a column a: as most are
        item = scope.by_name.get(scope.fold_column(args["table"]))
        name = scope.fold_column(args["this"])
        if item is not None and name in item.owner.listed:
            found = item.owner.having(name)
            if len(found) == 1:
                return found[0]
    return dotted(scope, [args[key] for key in ("catalog", "db", "table", "this") if args.get(key) is not None], node)


def dotted(scope: Scope, identifiers: list[Any], node: Any) -> Found:
    """The column of `a.b.c`: a table's column, or a field below one."""
    dialect = scope.dialect
    columns = [dialect.column(i) for i in identifiers]
    tables = [dialect.table(i) for i in identifiers[:-1]]
    for length in range(len(tables), 0, -1):
        qualifier = tuple((columns if length == 1 else tables)[:length])
        owner = find_item(scope, qualifier)
        if owner is None or (length == 1 and _means_field(scope, owner, columns)):
            continue
        if length == 1:
            owner = _namesake(scope, owner, qualifier[0], columns[1])
        found = column_of_owner(scope, owner, columns[length], node)
        return _below(scope, found, columns[length + 1 :], node)
    variable = dotted_variable(scope.builder, columns, node)
    if variable is not None:
        return variable
    base = search(scope, columns[0], node) if dialect.dotted_fields and _may_be_struct(scope, columns) else None
    if base is None and dialect.dotted_fields:
        base = pseudo_column(scope, columns[0])
    if base is not None:
        return _below(scope, base, columns[1:], node)
    return _unknown_qualifier(scope, columns, node)


def _namesake(scope: Scope, owner: Owner, qualifier: str, name: str) -> Owner:
    """The owner of `j.b` where two items are called j: engines that allow that take the one that has a column b."""
    if name in owner.listed or scope.by_name.get(qualifier) is None:
        return owner
    others = (item.owner for item in scope.items if item.name == qualifier and name in item.owner.listed)
    return next(others, owner)


def _means_field(scope: Scope, owner: Owner, columns: list[str]) -> bool:
    """`e.name` where the item e has a column e but no column name: a field of that column."""
    has_column = columns[1] in owner.listed or (owner.open and owner.may_own(columns[1]))
    return scope.dialect.dotted_fields and not has_column and columns[0] in owner.listed


def find_item(scope: Scope, qualifier: tuple[str, ...]) -> Owner | None:
    """The FROM item that a qualifier names, from the inside out."""
    current: Scope | None = scope
    while current is not None:
        if len(qualifier) == 1:
            named = current.by_name.get(qualifier[0])
            if named is not None:
                return named.owner
        else:
            for item in current.items:
                if item.answers_to(qualifier):
                    return item.owner
        current = current.parent
    return kept_alias(scope, qualifier[-1]) if scope.builder.piped else None


def column_of_owner(scope: Scope, owner: Owner, name: str, node: Any) -> Found:
    """The column of a FROM item; one that it is known to lack gets a diagnostic."""
    if name in owner.listed:
        found = owner.having(name)
        return found[0] if len(found) == 1 else _ambiguous(scope, name, list(found), node)
    if (owner.open and owner.may_own(name)) or (isinstance(owner, Table) and name in scope.dialect.pseudo_columns):
        return owner.claim(name)
    if isinstance(owner, FieldRows) and owner.element is not None:
        return field_of(scope.builder, owner.element, name)
    unknown = may_be_called(owner.listed, name)
    if unknown is not None:
        return owner.having(unknown)[0]
    if has_unknown_part(name):
        return ()
    scope.builder.say(
        Code.UNRESOLVED_COLUMN,
        f"{scope.builder.name_of(owner.entity)} has no column {name}",
        node,
        name,
        near_name(scope.builder, name, owner.listed),
    )
    # The qualifier leaves no doubt about a table's column, only about its existence; a result set's columns are all known.
    return owner.claim(name) if isinstance(owner, Table) else scope.builder.orphan(name, node)


def _below(scope: Scope, found: Found, fields: list[str], node: Any) -> Found:
    """A field path below a column."""
    if not fields or found is None:
        return found
    if isinstance(found, tuple):
        return tuple(struct_path(scope, column, fields, node) for column in found)
    return struct_path(scope, found, fields, node)


def _implicit(scope: Scope, node: Any) -> Table:
    """The table that Teradata adds to FROM because a column is qualified by it."""
    builder = scope.builder
    parts = {"db": node.args["db"].copy()} if node.args.get("db") is not None else {}
    table = builder.reads(builder.table(exp.Table(this=node.args["table"].copy(), **parts)))
    scope.add(scope.dialect.column(node.args["table"]), table, aliased=False)
    if scope.rows >= 0:
        builder.edges.append((scope.rows, table.rows, FROM_ROWS, None))
    return table


def _may_be_struct(scope: Scope, columns: list[str]) -> bool:
    """Whether the first part of a dotted name could be a column: an aliased table of that name, or a sequence, is the better guess."""
    is_free = not _is_sequence_number(scope, columns) and _hidden_table(scope, tuple(columns[:-1])) is None
    return is_free or bool(_owners(scope, columns[0])[0])


def _is_sequence_number(scope: Scope, columns: list[str]) -> bool:
    """Whether a dotted name is that of a sequence's number, `s.NEXTVAL`."""
    dialect = scope.dialect
    return dialect.sequences and any(columns[-1] == dialect.fold_column(name, False) for name in SEQUENCE_NUMBERS)


def _hidden_table(scope: Scope, qualifier: tuple[str, ...]) -> Item | None:
    """The table of that name in FROM which an alias hides, from the inside out."""
    current: Scope | None = scope
    while current is not None:
        for item in current.items:
            if item.aliased and isinstance(item.owner, Table) and item.owner.name[-len(qualifier) :] == qualifier:
                return item
        current = current.parent
    return None


def _unknown_qualifier(scope: Scope, columns: list[str], node: Any) -> Found:
    """Nobody in FROM answers to the qualifier: a sequence's number, the table of that name behind an alias, else an orphan."""
    if _is_sequence_number(scope, columns):
        return scope.builder.function(node)
    hidden = _hidden_table(scope, tuple(columns[:-1]))
    if hidden is not None:
        scope.builder.say(
            Code.UNRESOLVED_COLUMN,
            f"{'.'.join(columns[:-1])} goes by the name {hidden.name} here; its own name is hidden",
            node,
            columns[-1],
            f"write {hidden.name}.{columns[-1]}",
        )
        return hidden.owner.claim(columns[-1])
    if scope.dialect.implicit_from and len(columns) > 1 and node.args.get("table") is not None:
        return column_of_owner(scope, _implicit(scope, node), columns[-1], node)
    if has_unknown_part(columns[-2]) or has_unknown_part(columns[-1]):
        return ()
    scope.builder.say(
        Code.UNRESOLVED_COLUMN,
        f"nothing in FROM is called {'.'.join(columns[:-1])}",
        node,
        columns[-1],
        near_item(scope, columns[-2], columns[-1]),
    )
    return scope.builder.orphan(columns[-1], node)
