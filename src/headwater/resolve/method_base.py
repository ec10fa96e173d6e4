"""What stands before a method: `XMLAGG(x ORDER BY y).getClobVal()`, `lower(a).replace(b, c)`.

The grammar takes the dots before a call for those of a qualified name. It turns every column on their left into a bare name, which nothing
would flow from. Here they become columns again.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

_NAMES_OF = {
    exp.Column: ("this", "table", "db", "catalog"),
    exp.Alias: ("alias",),
    exp.PropertyEQ: ("this",),
    exp.Kwarg: ("this",),
    exp.XMLElement: ("this",),
    exp.Lambda: ("expressions",),
    exp.Collate: ("expression",),
}
"""Where a bare name is a name: by the class of the node around it, the arguments that hold one."""
_NO_VALUES = (exp.DataType, exp.ColumnDef, exp.Table, exp.TableAlias, exp.Query)


def with_columns(node: Any) -> Any:
    """A copy of an expression whose bare names are columns, but for the parameters of its lambdas."""
    copied = node.copy()
    parameters = {each.name.lower() for f in copied.find_all(exp.Lambda) for each in f.expressions}
    for each in list(copied.find_all(exp.Identifier)):
        if each.name.lower() not in parameters and _is_value(each):
            each.replace(exp.Column(this=each.copy()))
    return copied


def _is_value(node: Any) -> bool:
    """Whether a bare name stands for a value, or begins the dotted name of one; before a call it may be a schema's."""
    parent = node.parent
    if parent is None or isinstance(parent, _NO_VALUES):
        return False
    if isinstance(parent, exp.Dot):
        begins: bool = node.arg_key == "this"
        while begins and isinstance(parent, exp.Dot):
            begins, parent = isinstance(parent.expression, exp.Identifier), parent.parent
        return begins
    return node.arg_key not in _NAMES_OF.get(parent.__class__, ())
