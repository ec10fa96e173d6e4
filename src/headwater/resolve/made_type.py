"""The types of the columns that a query gives a new table or view, as far as they are sure.

A column that is passed on keeps the type that its table declares; a struct that is made, and one in an array that is made, has its
members' names. A cast says its type, a count is a whole number, a comparison is a truth value. Where databases disagree, as about
sums, nothing is said.

```sql
CREATE VIEW v AS SELECT t.s, struct(a AS x) AS made FROM t
SELECT s.*, made.* FROM v                                  -- the fields that t declares for s, and x
```
"""

from __future__ import annotations

from sqlglot import exp

from headwater.resolve.builder import Builder
from headwater.resolve.field_names import declared_spelling
from headwater.resolve.scope import ResultSet
from headwater.resolve.shape import Built, HandedOn, shape_of

_UNKNOWN = "unknown"
"""The type of a member that nothing tells: it may have fields."""


def made_types(builder: Builder, names: list[str], result: ResultSet) -> dict[str, str]:
    """The columns of a table that a query makes, under *names* or its own, with their types."""
    listed = names or [name for name, _ in result.outputs]
    types = dict.fromkeys(listed, "")
    for name, (_, column) in zip(listed, result.outputs, strict=False):
        types[name] = _type(builder, column) or _type_of_value(builder, column)
    return types


def _type_of_value(builder: Builder, column: int) -> str:
    """The type of what an expression makes, where the expression alone says it."""
    node = builder.columns[column][2]
    while isinstance(node, (exp.Alias, exp.Paren)):
        node = node.this
    if isinstance(node, exp.Cast) and isinstance(node.args.get("to"), exp.DataType):
        return str(node.args["to"].sql(builder.dialect.grammar_name))
    for classes, type_ in _TYPES_OF_VALUES:
        if isinstance(node, classes):
            return type_
    return ""


_TYPES_OF_VALUES = (
    (exp.Count, "bigint"),
    ((exp.Predicate, exp.Not, exp.And, exp.Or, exp.Is), "boolean"),
)


def _type(builder: Builder, column: int) -> str:
    """The type of a column that is passed on or has fields, as a schema spells it; nothing for any other."""
    seen: set[int] = set()
    while column not in seen:
        seen.add(column)
        shape = builder.structs.get(column)
        if isinstance(shape, Built):
            return _struct(builder, shape)
        if isinstance(shape, HandedOn) and shape.handed.is_array:
            return _array(builder, shape)
        following = builder.origins.get(column)
        column = next(iter(builder.unions.get(column, ())), column) if following is None else following
    return declared_spelling(builder, column)


def _array(builder: Builder, shape: HandedOn) -> str:
    """The type of an array that an expression makes of structs; nothing for one whose elements are made elsewhere."""
    elements = shape_of(shape.scope, shape.handed.parts[0][0])
    spelled = _struct(builder, elements) if isinstance(elements, Built) else ""
    return spelled and f"array<{spelled}>"


def _struct(builder: Builder, shape: Built) -> str:
    """The type of a struct that an expression makes."""
    if not shape.members:
        return ""
    kinds = [_member_type(builder, shape, member) or _UNKNOWN for member in shape.by_name.values()]
    fields = zip(shape.members, kinds, strict=True)
    return f"struct<{', '.join(f'`{name}`: {kind}' for name, kind in fields)}>"


def _member_type(builder: Builder, shape: Built, member: object) -> str:
    if isinstance(member, int):
        return _type(builder, member)
    inner = shape_of(shape.scope, member)
    if isinstance(inner, HandedOn) and inner.handed.is_array:
        return _array(builder, inner)
    return _struct(builder, inner) if isinstance(inner, Built) else ""
