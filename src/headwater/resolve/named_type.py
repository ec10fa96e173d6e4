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

from collections.abc import Mapping
from typing import Any

from sqlglot import exp

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
                node.set("this", known.this)
                node.set("nested", True)
                node.set("expressions", known.expressions)


def full_type(builder: Builder, name: Any) -> Any:
    """The type that a name stands for, as the grammar's node; None if nobody defined it, or it has neither fields nor elements."""
    named = _named(builder.session, builder.dialect, _parts(builder.dialect, name))
    return parsed_type(builder, named.spelled) if named is not None else None


def fields_of_type(session: Session, dialect: Dialect, spelled: str) -> tuple[str, ...]:
    """The fields of a type that the script has defined, by its name; none for any other. An object's constructor has its type's name."""
    named = _named(session, dialect, _parts(dialect, spelled)) if spelled and session.programs else None
    return named.fields if named is not None else ()


def _named(session: Session, dialect: Dialect, parts: TableName) -> NamedType | None:
    default = session.default_schema
    if default and len(parts) <= len(default):
        parts = default[: len(default) + 1 - len(parts)] + parts
    found = session.programs.get(parts)
    if isinstance(found, NamedType):
        return found
    columns = session.columns(parts, dialect) if dialect.tables_are_types else None
    return _of_table(columns) if columns else None


def _of_table(columns: Mapping[str, str]) -> NamedType:
    """The type of a table's rows."""
    fields = ", ".join(f"{in_quotes(name)} {kind or 'TEXT'}" for name, kind in columns.items())
    return NamedType(f"STRUCT<{fields}>", tuple(columns))


def _parts(dialect: Dialect, name: Any) -> TableName:
    """The folded parts of a type's name, which some grammars have as a text."""
    if not isinstance(name, str):
        return tuple(dialect.table(each) for each in (name.parts if isinstance(name, exp.Dot) else [name]))
    fold = dialect.fold_table or dialect.fold_column
    return tuple(fold(*unquoted(part)) for part in split_name(name))
