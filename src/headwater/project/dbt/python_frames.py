"""Models in Python whose DataFrame can be read as a query. Nothing is run.

    orders = dbt.ref("orders").filter("amount > 0")
    return orders.select("id", col("amount").alias("paid"))

    SELECT id, amount AS paid FROM (SELECT * FROM (SELECT * FROM shop.orders) AS f WHERE amount > 0) AS f

One assignment after the other is read, up to the only `return`. Whatever is not simple makes the whole program unreadable: then the model
is made of all that it asks for.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence

from headwater.project.dbt.python_models import Asked, asked_in, constant_text, is_session
from headwater.sql.dialect import Dialect
from headwater.sql.quoted import quoted

_PLAIN = re.compile(r"[^\W\d]\w*")
_SAME = frozenset(
    {
        *("toPandas", "to_pandas", "df", "to_df", "fetchdf", "pl", "arrow", "cache", "persist", "copy", "repartition"),
        *(
            "coalesce",
            "limit",
            "head",
            "sample",
            "sort",
            "orderBy",
            "order_by",
            "order",
            "sort_values",
            "execute",
            "fetchall",
        ),
    }
)
"""Methods that give the same columns of the same table."""
_TEXTS = frozenset({"selectExpr", "select_expr", "project"})
_CONDITIONS = frozenset({"filter", "where"})
_UNIONS = frozenset({"union", "unionAll", "union_all", "unionByName", "union_by_name"})
_DISTINCT = frozenset({"distinct", "drop_duplicates", "dropDuplicates"})
_COLUMNS = frozenset({"col", "column"})


def query_of_frame(program: str, relation_of: Callable[[Asked], str], dialect: Dialect) -> str:
    """The query that a model's program amounts to; empty if it is not that simple."""
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    models = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "model"]
    if len(models) != 1:
        return ""
    try:
        return _Frames(relation_of, dialect).returned(models[0])
    except RecursionError:
        return ""


class _Frames:
    def __init__(self, relation_of: Callable[[Asked], str], dialect: Dialect) -> None:
        self._relation_of, self._dialect = relation_of, dialect
        self._known: dict[str, str] = {}

    def returned(self, function: ast.FunctionDef) -> str:
        """What a function returns, if it does nothing but assign names one after the other."""
        *steps, last = function.body
        if not isinstance(last, ast.Return) or last.value is None:
            return ""
        for step in steps:
            if isinstance(step, ast.Assign) and len(step.targets) == 1 and isinstance(step.targets[0], ast.Name):
                self._known[step.targets[0].id] = self._query(step.value)
            elif not isinstance(step, (ast.Expr, ast.Import, ast.ImportFrom)):
                return ""
        return self._query(last.value)

    def _query(self, node: ast.expr) -> str:
        """The query that an expression stands for; empty if that is not known."""
        if isinstance(node, ast.Name):
            return self._known.get(node.id, "")
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.List):
            return self._selected(self._query(node.value), node.slice.elts)
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return ""
        asked = asked_in(node)
        if asked is not None:
            relation = self._relation_of(asked)
            return f"SELECT * FROM {relation}" if relation else ""
        if is_session(node.func.value):
            return self._of_session(node, node.func.attr)
        frame = self._query(node.func.value)
        return self._method(frame, node.func.attr, node) if frame else ""

    @staticmethod
    def _of_session(node: ast.Call, method: str) -> str:
        text = constant_text(node.args[0]) if len(node.args) == 1 else ""
        if method == "table":
            return f"SELECT * FROM {text}" if text else ""
        return text.strip().rstrip(";") if method in ("sql", "execute", "query") else ""

    def _method(self, frame: str, method: str, call: ast.Call) -> str:
        inner, arguments = f"({frame}) AS f", call.args
        if method in _SAME:
            return frame
        if method in _DISTINCT:
            return f"SELECT DISTINCT * FROM {inner}" if not arguments and not call.keywords else ""
        if method == "select":
            is_list = len(arguments) == 1 and isinstance(arguments[0], (ast.List, ast.Tuple))
            return self._selected(frame, arguments[0].elts if is_list else arguments)  # type: ignore[attr-defined]
        texts = [constant_text(each) for each in arguments]
        if method in _TEXTS and texts and all(texts):
            return f"SELECT {', '.join(texts)} FROM {inner}"
        if method in _CONDITIONS and len(arguments) == 1:
            condition = texts[0] or self._condition(arguments[0])
            return f"SELECT * FROM {inner} WHERE {condition}" if condition else ""
        if method in _UNIONS and len(arguments) == 1:
            other = self._query(arguments[0])
            return f"SELECT * FROM {inner} UNION ALL SELECT * FROM ({other}) AS g" if other else ""
        return self._joined(inner, call) if method == "join" else ""

    def _joined(self, inner: str, call: ast.Call) -> str:
        """`a.join(b, "k")`, `a.join(b, on=["k"], how="left")`."""
        named = {word.arg: word.value for word in call.keywords}
        on = call.args[1] if len(call.args) > 1 else named.get("on")
        how = (
            constant_text(call.args[2])
            if len(call.args) > 2
            else constant_text(named.get("how", ast.Constant("inner")))
        )
        keys = [
            constant_text(each) for each in (on.elts if isinstance(on, (ast.List, ast.Tuple)) else [on] if on else [])
        ]
        other = self._query(call.args[0]) if call.args else ""
        side = {
            "inner": "JOIN",
            "left": "LEFT JOIN",
            "right": "RIGHT JOIN",
            "outer": "FULL JOIN",
            "full": "FULL JOIN",
        }.get(how)
        if not (other and keys and all(keys) and side):
            return ""
        return f"SELECT * FROM {inner} {side} ({other}) AS g USING ({', '.join(map(self._name, keys))})"

    def _selected(self, frame: str, items: Sequence[ast.expr]) -> str:
        columns = [self._item(each) for each in items]
        return f"SELECT {', '.join(columns)} FROM ({frame}) AS f" if frame and columns and all(columns) else ""

    def _item(self, node: ast.expr) -> str:
        """A column: `"a"`, `col("a")`, `df["a"]`, `df.a`; or one with `.alias("b")`."""
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("alias", "name", "as_")
        ):
            inner, alias = self._item(node.func.value), constant_text(node.args[0]) if node.args else ""
            return f"{inner} AS {self._name(alias)}" if inner and alias else ""
        name = constant_text(node) or self._column(node)
        return "*" if name == "*" else self._name(name) if name else ""

    def _column(self, node: ast.expr) -> str:
        """The name of a column that an expression is."""
        if isinstance(node, ast.Call) and len(node.args) == 1:
            called = node.func
            word = (
                called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
            )
            return constant_text(node.args[0]) if word in _COLUMNS else ""
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in self._known:
            return constant_text(node.slice)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in self._known:
            return node.attr
        return ""

    def _condition(self, node: ast.expr) -> str:
        """A condition over columns, whatever it says of them."""
        names = list(dict.fromkeys(self._columns(node)))
        return f"python_condition({', '.join(map(self._name, names))})" if names else ""

    def _columns(self, node: ast.expr) -> Iterator[str]:
        found = self._column(node)
        if found:
            yield found
            return
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                yield from self._columns(child)

    def _name(self, name: str) -> str:
        return name if _PLAIN.fullmatch(name) else quoted(name, self._dialect)
