"""Texts that a program puts together, as far as they are known: literals and variables, joined; what is not known is a hole.

A text is a tuple of strings and holes. Where a variable may hold several texts, each is tried, up to a number. A program can double a
text with each of its steps: one that would be too long is not made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

from sqlglot import exp

from headwater.model.work import current_work

Text = tuple[str | None, ...]
"""Strings, with None for a part that is not known."""

Lookup = Callable[[Any], "Texts | None"]
"""The texts that a variable may hold; None if the node is no variable or nothing is known of it."""

Texts = frozenset[Text]

HOLE: Text = (None,)
UNKNOWN: Texts = frozenset({HOLE})
TOO_LONG: Text = ()
"""A text that is too long to be known, and whatever is made of it."""
_MOST = 16
"""Texts that are tried for one place."""

_VARIABLES = (exp.Column, exp.Parameter, exp.Placeholder, exp.SessionParameter)
_SAME = (exp.Paren, exp.National, exp.Cast, exp.TryCast, exp.Trim)
_QUOTING = frozenset({"quote_ident", "quotename", "assert_true", "dbms_assert.simple_sql_name", "to_char", "to_clob"})
_FORMATS = frozenset({"format", "formatmessage"})
WITH_NAMES = "text with names"
"""A call that stands for a statement's text: strings, and between them pairs of a name's value and of what is written there."""


def texts_of(node: Any, lookup: Lookup) -> Texts:
    """The texts that an expression may be."""
    if isinstance(node, (exp.Literal, exp.RawString)):
        return frozenset({(str(node.this),)})
    if isinstance(node, _VARIABLES):
        return lookup(node) or UNKNOWN
    if isinstance(node, (exp.DPipe, exp.Add, exp.Concat)):
        return _joined([texts_of(each, lookup) for each in _operands(node)])
    if isinstance(node, _SAME):
        return texts_of(node.this, lookup) if isinstance(node.this, exp.Expr) else frozenset({(str(node.this),)})
    if isinstance(node, exp.Coalesce):
        return _few(frozenset().union(*(texts_of(each, lookup) for each in (node.this, *node.expressions))))
    if isinstance(node, (exp.Case, exp.If)):
        return _few(frozenset().union(*(texts_of(each, lookup) for each in _branches(node))))
    if isinstance(node, exp.Chr):
        return frozenset({("\n",)})
    if isinstance(node, exp.Replace):
        return _replaced(node, lookup)
    if isinstance(node, exp.Anonymous) and node.this == WITH_NAMES:
        return _with_names(node, lookup)
    if isinstance(node, (exp.Format, exp.Anonymous)):
        return _called(node, lookup)
    return UNKNOWN


def hole_values(node: Any, lookup: Lookup) -> list[Any]:
    """The expressions whose values stand in the holes of the one text that an expression is, in order; None for one that is not known.

    Of `'… VALUES (' || r.a || ')'` it is `r.a`; of a variable whose text has one hole, the variable. Several texts have none.
    """
    found: list[Any] = []
    for part in _operands(node):
        texts = texts_of(part, lookup)
        if len(texts) != 1:
            return []
        (text,) = texts
        holes = text.count(None)
        is_value = holes == 1 and (text == HOLE or isinstance(part, _VARIABLES))
        found += [part] if is_value and not isinstance(part, exp.Null) else [None] * holes
    return found


def _operands(node: Any) -> Iterable[Any]:
    """What a text is put together of, from left to right."""
    if isinstance(node, (exp.DPipe, exp.Add)):
        return [*_operands(node.this), *_operands(node.expression)]
    if isinstance(node, exp.Concat):
        return [each for part in node.expressions for each in _operands(part)]
    return _operands(node.this) if isinstance(node, exp.Paren) else [node]


def _branches(node: Any) -> Iterable[Any]:
    if isinstance(node, exp.If):
        found = [node.args.get("true"), node.args.get("false")]
    else:
        found = [*(each.args.get("true") for each in node.args.get("ifs") or ()), node.args.get("default")]
    return [each for each in found if each is not None]


def _few(texts: Texts) -> Texts:
    return texts if len(texts) <= _MOST else UNKNOWN


def name_of(node: Any, mark: str = "@") -> str:
    """The name of a variable as it is declared: `@x` with its *mark*."""
    marks = {exp.Parameter: mark, exp.SessionParameter: "@@"}
    return f"{marks.get(node.__class__, '')}{node.name}"


def texts_given(value: Any, count: int, lookup: Lookup) -> list[Texts]:
    """The texts that a value gives to each of several variables; a query gives none that are known."""
    several = isinstance(value, exp.Tuple) and len(value.expressions) == count
    given = value.expressions if several else [value] if count == 1 else []
    return [texts_of(each, lookup) for each in given]


def joined(first: Texts, second: Texts) -> Texts:
    """The texts of one after the other."""
    return _joined([first, second])


def _joined(parts: list[Texts]) -> Texts:
    count = 1
    for part in parts:
        count *= len(part)
    if count > _MOST:
        return UNKNOWN
    return frozenset(_one_after_the_other(choice) for choice in product(*parts))


def _one_after_the_other(texts: tuple[Text, ...]) -> Text:
    if TOO_LONG in texts or not current_work().makes_text(sum(map(_length, texts))):
        return TOO_LONG
    return _tidy(tuple(part for text in texts for part in text))


def _length(text: Text) -> int:
    return sum(1 if part is None else len(part) for part in text)


def _tidy(text: Text) -> Text:
    """A text with its neighbouring strings put together."""
    found: list[str | None] = []
    run: list[str] = []
    for part in text:
        if part is not None:
            run.append(part)
            continue
        found += ["".join(run), None] if run else [None]
        run = []
    if run or not found:
        found.append("".join(run))
    return tuple(found)


def _with_names(node: Any, lookup: Lookup) -> Texts:
    """A statement's text with the names that are known in it; a hole if none is."""
    parts, known = [], False
    for part in node.expressions:
        if isinstance(part, exp.Tuple):
            value, written = (texts_of(each, lookup) for each in part.expressions)
            whole = frozenset(text for text in value if None not in text)
            known = known or bool(whole)
            parts.append(whole | written if len(whole) < len(value) else whole)
        else:
            parts.append(texts_of(part, lookup))
    return _joined(parts) if known else UNKNOWN


def _replaced(node: Any, lookup: Lookup) -> Texts:
    """`REPLACE(text, 'x', y)`, where all three are known."""
    parts = [texts_of(node.args[key], lookup) for key in ("this", "expression", "replacement") if node.args.get(key)]
    if len(parts) != 3 or any(len(text) != 1 or text[0] is None for part in parts[1:2] for text in part):
        return UNKNOWN
    found = set()
    for text, (old,), new in product(*parts):
        assert old is not None
        found.add(_with_replaced(text, old, new))
    return _few(frozenset(found))


def _with_replaced(text: Text, old: str, new: Text) -> Text:
    """A text with another one in the place of a string."""
    times = sum(part.count(old) for part in text if part is not None) if old else 0
    if TOO_LONG in (text, new) or not current_work().makes_text(_length(text) + times * max(_length(new), 1)):
        return TOO_LONG
    if not times:
        return text
    pieces = [(part,) if part is None else part.split(old) for part in text]
    return _tidy(
        tuple(part for split in pieces for i, each in enumerate(split) for part in ((*new, each) if i else (each,)))
    )


def _called(node: Any, lookup: Lookup) -> Texts:
    """`format('… %I …', a)`, `QUOTENAME(a)`."""
    name = "format" if isinstance(node, exp.Format) else str(node.this).lower()
    arguments = [node.this, *node.expressions] if isinstance(node, exp.Format) else list(node.expressions)
    arguments = [each for each in arguments if isinstance(each, exp.Expr)]
    if name in _QUOTING and arguments:
        return texts_of(arguments[0], lookup)
    if name in _FORMATS and arguments:
        return _formatted(texts_of(arguments[0], lookup), [texts_of(each, lookup) for each in arguments[1:]])
    return UNKNOWN


def _formatted(patterns: Texts, values: list[Texts]) -> Texts:
    found: Texts = frozenset()
    for pattern in patterns:
        if pattern == TOO_LONG:
            return frozenset({TOO_LONG})
        if len(pattern) != 1 or pattern[0] is None:
            return UNKNOWN
        found |= _joined(_filled(pattern[0], values)) or UNKNOWN
    return _few(found)


def _filled(pattern: str, values: list[Texts]) -> list[Texts]:
    """A pattern's strings, and the values between them; PL/pgSQL's `%1$s` names its value by a number, `%L` quotes it."""
    parts: list[Texts] = []
    at = used = 0
    while True:
        mark = pattern.find("%", at)
        if mark < 0 or mark + 1 >= len(pattern):
            parts.append(frozenset({(pattern[at:],)}))
            return parts
        parts.append(frozenset({(pattern[at:mark],)}))
        end = mark + 1
        while end < len(pattern) - 1 and (pattern[end].isdigit() or pattern[end] == "$"):
            end += 1
        number = pattern[mark + 1 : end].rstrip("$")
        letter = pattern[end]
        at = end + 1
        if letter == "%":
            parts.append(frozenset({("%",)}))
            continue
        position = int(number) - 1 if number.isdigit() and "$" in pattern[mark:end] else used
        used += 1
        value = values[position] if 0 <= position < len(values) else UNKNOWN
        quote = letter in ("L", "T")
        parts += [frozenset({("'",)}), value, frozenset({("'",)})] if quote else [value]
