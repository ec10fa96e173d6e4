"""Types that a script defines: a named type is another spelling of a type with fields or elements.

The session knows them by name. A statement that comes later has the type in full wherever it names it, so that columns, casts and
what functions return have fields like those of any struct.

```sql
CREATE TYPE addr AS (street text, city text);
CREATE TABLE c (id int, a addr);              -- a is a STRUCT<street TEXT, city TEXT>
SELECT (a).city, (a).* FROM c                 -- c.a.city; c.a.street and c.a.city
```
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from headwater.model.entity import TableName
from headwater.model.resolution import NamedType
from headwater.resolve.builder import Builder
from headwater.resolve.field_names import parsed_type
from headwater.resolve.session import Session
from headwater.sql.dialect import Dialect
from headwater.sql.spelled_name import in_quotes, split_name, unquoted


def spell_out(builder: Builder, tree: Any) -> None:
    """Put types in full in the place of their names, anywhere in a tree."""
    for node in list(tree.find_all(exp.DataType)) if isinstance(tree, exp.Expr) else ():
        if node.this is exp.DType.USERDEFINED and node.args.get("kind"):
            known = full_type(builder, node.args["kind"])
            if known is not None:
                for part in known.find_all(exp.Identifier):
                    part.meta.clear()  # its offsets are not those of this statement
                node.set("this", known.this)
                node.set("nested", True)
                node.set("expressions", known.expressions)


def full_type(builder: Builder, name: Any) -> Any:
    """The type that a name stands for, as the grammar's node; None if nobody defined it, or it has neither fields nor elements."""
    parts = _parts(builder.session, builder.dialect, name)
    named = _defined(builder.session, parts) or _of_table(builder.session, builder.dialect, parts)
    return parsed_type(builder, named.spelled) if named is not None else None


def fields_of_type(session: Session, dialect: Dialect, spelled: str) -> tuple[str, ...]:
    """The fields of a type that the script has defined, or of a table's rows; none for any other."""
    if not spelled or not (session.programs or dialect.tables_are_types):
        return ()
    parts = _parts(session, dialect, spelled)
    named = _defined(session, parts)
    if named is None and dialect.tables_are_types and _is_own(dialect, spelled):
        named = _of_table(session, dialect, parts)
    return named.fields if named is not None else ()


def constructed_fields(session: Session, dialect: Dialect, function: str) -> tuple[str, ...]:
    """The fields of the object that a function makes, as it has the name of a type: Oracle's `addr_t(a, b)`."""
    if not session.programs or dialect.tables_are_types:
        return ()
    named = _defined(session, _parts(session, dialect, function))
    return named.fields if named is not None else ()


def _is_own(dialect: Dialect, spelled: str) -> bool:
    """Whether a type is none of those that the engine has: a table may be called `date`."""
    try:
        return exp.DataType.build(spelled, dialect=dialect.grammar_name, udt=True).this is exp.DType.USERDEFINED
    except SqlglotError:
        return False


def _defined(session: Session, parts: TableName) -> NamedType | None:
    found = session.programs.get(parts)
    return found if isinstance(found, NamedType) else None


def _of_table(session: Session, dialect: Dialect, parts: TableName) -> NamedType | None:
    """The type of a table's rows, where such a type goes by the table's name."""
    columns = session.columns(parts, dialect) if dialect.tables_are_types else None
    if not columns:
        return None
    fields = ", ".join(f"{in_quotes(name)} {kind or 'TEXT'}" for name, kind in columns.items())
    return NamedType(f"STRUCT<{fields}>", tuple(columns))


def _parts(session: Session, dialect: Dialect, name: Any) -> TableName:
    """The folded name of a type, qualified by the default schema; some grammars have it as a text."""
    if isinstance(name, str):
        fold = dialect.fold_table or dialect.fold_column
        parts = tuple(fold(*unquoted(part)) for part in split_name(name))
    else:
        parts = tuple(dialect.table(each) for each in (name.parts if isinstance(name, exp.Dot) else [name]))
    default = session.default_schema
    return default[: len(default) + 1 - len(parts)] + parts if default and len(parts) <= len(default) else parts
