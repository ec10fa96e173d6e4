"""A client's expressions, in SQL: names become those of the statement's columns, everything else is written as Spark's SQL has it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from headwater.analyzers.select import Unread
from headwater.spark.capturing.connect.fields import field_of
from headwater.spark.capturing.connect.literal import literal_sql, text_of
from headwater.spark.capturing.connect.naming import Column, Item, found, parts_of, qualified, quoted

Subquery = Callable[[Any, "Expressions"], str]
"""Writes a subquery expression."""

_INFIX = {name: name for name in ("+", "-", "*", "/", "%", "<", "<=", ">", ">=", "<=>", "&", "|", "^", "||")}
_INFIX |= {
    "==": "=",
    "=": "=",
    "!=": "<>",
    "and": "AND",
    "or": "OR",
    "like": "LIKE",
    "rlike": "RLIKE",
    "ilike": "ILIKE",
}
_PREFIX = {"not": "NOT ", "!": "NOT ", "negative": "-", "~": "~"}
_TESTS = {"isnull": "IS NULL", "isnotnull": "IS NOT NULL"}
_NAME = r"(?:`(?:[^`]|``)+`|[A-Za-z_]\w*)"
_QUOTED_OR_NAME = re.compile(rf"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|(?<![\w.`]){_NAME}(?:\s*\.\s*{_NAME})+")
_STAR = re.compile(rf"\s*(?:({_NAME}(?:\.{_NAME})*)\.)?\*\s*")
_ALIASED = re.compile(rf".*[\s)`'\"]AS\s+({_NAME})\s*", re.IGNORECASE | re.DOTALL)


class Expressions:
    """Expressions over something in FROM."""

    def __init__(self, items: Sequence[Item], subquery: Subquery) -> None:
        self.items = items
        self._subquery = subquery

    def sql(self, expression: Any) -> str:
        """An expression in SQL, without its alias."""
        kind = expression.WhichOneof("expr_type")
        writer = _WRITERS.get(kind)
        if writer is None:
            raise Unread(kind or "an empty expression")
        return writer(self, getattr(expression, kind))

    def listed(self, expressions: Iterable[Any]) -> str:
        """Expressions, separated by commas."""
        return ", ".join(map(self.sql, expressions))

    def key(self, expression: Any) -> str:
        """An expression as it stands in GROUP BY, where it has no alias."""
        text = self.sql(expression)
        return without_alias(text) if expression.WhichOneof("expr_type") == "expression_string" else text

    def column(self, expression: Any) -> Column | None:
        """The column that an expression is, if it is nothing else."""
        if expression.WhichOneof("expr_type") != "unresolved_attribute":
            return None
        place = self._place(expression.unresolved_attribute)
        return place[1] if place and not place[2] else None

    def star(self, expression: Any) -> list[tuple[Item, Column]] | None:
        """The columns that a star stands for; None if it is no star, or one over the fields of a column."""
        kind = expression.WhichOneof("expr_type")
        plan, target = None, ""
        if kind == "unresolved_star":
            star = expression.unresolved_star
            target = (
                star.unparsed_target.removesuffix("*").removesuffix(".") if star.HasField("unparsed_target") else ""
            )
            plan = field_of(star, "plan_id")
        elif kind == "expression_string" and (match := _STAR.fullmatch(expression.expression_string.expression)):
            target = match[1] or ""
        else:
            return None
        every = [(item, column) for item in self.items for column in item.result.columns]
        asked = parts_of(target)
        chosen = [each for each in every if not asked or qualified(each[1], asked)]
        if plan is not None:
            chosen = [each for each in chosen if plan in each[1].origins] or chosen
        return chosen or None

    def name(self, expression: Any) -> str | None:
        """What Spark calls the column that an expression makes, where that is plain."""
        kind = expression.WhichOneof("expr_type")
        if kind == "alias":
            return str(expression.alias.name[0]) if len(expression.alias.name) == 1 else None
        if kind == "unresolved_attribute":
            place = self._place(expression.unresolved_attribute)
            return place and (place[2][-1] if place[2] else place[1].name)
        return None

    def item(self, expression: Any) -> str:
        """An expression as it stands in SELECT, with its alias, which others there may use."""
        if expression.WhichOneof("expr_type") == "alias" and len(expression.alias.name) == 1:
            return f"{self.sql(expression.alias.expr)} AS {quoted(expression.alias.name[0])}"
        return self.sql(expression)

    def _place(self, attribute: Any) -> tuple[Item, Column, tuple[str, ...]] | None:
        plan = attribute.plan_id if attribute.HasField("plan_id") else None
        return found(self.items, parts_of(attribute.unparsed_identifier), plan)

    def attribute(self, attribute: Any) -> str:
        """A column, or a field of one."""
        place = self._place(attribute)
        if place is None:
            return quoted(*parts_of(attribute.unparsed_identifier))
        item, column, fields = place
        return ".".join([item.written(column), *map(quoted, fields)])

    def fields(self, star: Any) -> str:
        """A star over the fields of a column."""
        parts = parts_of(star.unparsed_target.removesuffix("*").removesuffix("."))
        place = found(self.items, parts, field_of(star, "plan_id")) if parts else None
        return "*" if place is None else ".".join([place[0].written(place[1]), *map(quoted, place[2]), "*"])

    def text(self, said: Any) -> str:
        """SQL that the program wrote: what is qualified by an alias gets the name that it has here."""

        def put(match: re.Match[str]) -> str:
            if match[0][0] in "'\"":
                return match[0]
            place = found(self.items, parts_of(re.sub(r"\s*\.\s*", ".", match[0])), None)
            return match[0] if place is None else ".".join([place[0].written(place[1]), *map(quoted, place[2])])

        return _QUOTED_OR_NAME.sub(put, str(said.expression))

    def function(self, call: Any) -> str:
        """A function or an operator."""
        name, arguments = str(call.function_name), list(call.arguments)
        low = name.lower()
        if low == "when":
            return self._case(arguments)
        if low in _INFIX and len(arguments) == 2:
            return f"({self.sql(arguments[0])} {_INFIX[low]} {self.sql(arguments[1])})"
        if low in _PREFIX and len(arguments) == 1:
            return f"({_PREFIX[low]}{self.sql(arguments[0])})"
        if low in _TESTS and len(arguments) == 1:
            return f"({self.sql(arguments[0])} {_TESTS[low]})"
        if low == "in" and arguments:
            return f"({self.sql(arguments[0])} IN ({self.listed(arguments[1:])}))"
        if low == "between" and len(arguments) == 3:
            return "({} BETWEEN {} AND {})".format(*map(self.sql, arguments))
        return self._call(name, arguments, getattr(call, "is_distinct", False))

    def _call(self, name: str, arguments: list[Any], distinct: bool = False) -> str:
        """A call; only the fields of a struct may have names inside."""
        if name.lower() == "count" and len(arguments) == 1 and self.star(arguments[0]) and not distinct:
            return "count(*)"
        written = []
        spell = self.item if name.lower() == "struct" else self.sql
        for each in arguments:
            star = self.star(each)
            written += [spell(each)] if star is None else [item.written(column) for item, column in star]
        spelled = name if re.fullmatch(r"\w+", name) else quoted(*parts_of(name))
        return f"{spelled}({'DISTINCT ' if distinct else ''}{', '.join(written)})"

    def _case(self, arguments: list[Any]) -> str:
        pairs = [
            f"WHEN {self.sql(test)} THEN {self.sql(value)}"
            for test, value in zip(arguments[::2], arguments[1::2], strict=False)
        ]
        rest = f" ELSE {self.sql(arguments[-1])}" if len(arguments) % 2 else ""
        return f"CASE {' '.join(pairs)}{rest} END"

    def inline_function(self, call: Any) -> str:
        """A function that the program brings along: made of its arguments."""
        name = str(call.function_name)
        return self._call(name if re.fullmatch(r"[A-Za-z_]\w*", name) else "python_function", list(call.arguments))

    def called(self, call: Any) -> str:
        """A function by its name in a catalog."""
        return self._call(str(call.function_name), list(call.arguments))

    def cast(self, cast: Any) -> str:
        """A cast; which type it is does not matter."""
        return f"CAST({self.sql(cast.expr)} AS {cast.type_str or 'string'})"

    def sorted(self, order: Any) -> str:
        """A key to sort by."""
        return self.sql(order.child) + (" DESC" if order.direction == 2 else "")

    def window(self, window: Any) -> str:
        """A window function."""
        partition = f"PARTITION BY {self.listed(window.partition_spec)}" if window.partition_spec else ""
        order = f"ORDER BY {', '.join(map(self.sorted, window.order_spec))}" if window.order_spec else ""
        return f"{self.sql(window.window_function)} OVER ({' '.join(filter(None, (partition, order)))})"

    def lambda_function(self, function: Any) -> str:
        """A function that another is given."""
        names = ", ".join(quoted(*each.name_parts) for each in function.arguments)
        return f"({names}) -> {self.sql(function.function)}"

    def extraction(self, value: Any) -> str:
        """A field, an element or a value of a map."""
        child = self.sql(value.child)
        key = value.extraction
        field = text_of(key.literal) if key.WhichOneof("expr_type") == "literal" else None
        if field is not None and self._is_structure(value.child):
            return f"{child}.{quoted(field)}"
        return f"{child}[{self.sql(key)}]"

    def _is_structure(self, expression: Any) -> bool:
        """Whether an expression is a column of nothing but structures, or a field of one."""
        if expression.WhichOneof("expr_type") == "unresolved_extract_value":
            return self._is_structure(expression.unresolved_extract_value.child)
        column = self.column(expression)
        return column is not None and column.type.startswith("struct") and "map<" not in column.type

    def updated(self, update: Any) -> str:
        """A structure with a field that is put in or taken out."""
        parts = [self.sql(update.struct_expression)]
        if update.HasField("value_expression"):
            parts.append(self.sql(update.value_expression))
        return f"update_fields({', '.join(parts)})"

    def subquery(self, query: Any) -> str:
        """A scalar subquery, EXISTS or IN."""
        return self._subquery(query, self)


def without_alias(text: str) -> str:
    """SQL without the alias at its end."""
    match = _ALIASED.fullmatch(text)
    if match is None or text.count("(", match.start(1)) or text.count("(") != text.count(")"):
        return text
    return text[: match.start(1)].rstrip()[:-2].rstrip()


_WRITERS: dict[str, Callable[[Expressions, Any], str]] = {
    "literal": lambda _, literal: literal_sql(literal),
    "unresolved_attribute": Expressions.attribute,
    "unresolved_function": Expressions.function,
    "expression_string": Expressions.text,
    "unresolved_star": Expressions.fields,
    "alias": lambda self, alias: self.sql(alias.expr),
    "cast": Expressions.cast,
    "sort_order": Expressions.sorted,
    "lambda_function": Expressions.lambda_function,
    "window": Expressions.window,
    "unresolved_extract_value": Expressions.extraction,
    "update_fields": Expressions.updated,
    "unresolved_named_lambda_variable": lambda _, variable: quoted(*variable.name_parts),
    "common_inline_user_defined_function": Expressions.inline_function,
    "call_function": Expressions.called,
    "named_argument_expression": lambda self, argument: self.sql(argument.value),
    "subquery_expression": Expressions.subquery,
    "direct_shuffle_partition_id": lambda self, shuffle: self.sql(shuffle.child),
}
