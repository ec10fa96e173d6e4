"""Loops of a template whose values are known: their bodies once for each value, token by token.

`{% for c in ['u', 'w'] %} {{ c }}, {% endfor %}` becomes `u, w,`; each token has the place of the one in the body that it is made of. A
list may be given a name by `{% set %}`. The body of any other loop is there once, with its placeholders.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.dialect import Dialect
from headwater.sql.placeholder import filled
from headwater.sql.template import Loop
from headwater.sql.tokens import tokenise

MAX_NESTING = 20
"""Loops inside of each other that are unrolled."""
MAX_TOKENS = 20_000
"""Tokens that the rounds of a statement's loops may have together."""
MAX_ROUNDS = 32
"""Rounds of the loops around a statement."""
_HEAD = re.compile(r"(?P<names>\w+(?:\s*,\s*\w+)*)\s+in\s+(?P<items>.+)", re.DOTALL)
_EXPRESSION = re.compile(r"\{\{[-+]?(?P<inner>[^{}]*?)[-+]?\}\}")
_LITERAL_TOKENS = frozenset({TokenType.STRING, TokenType.RAW_STRING, TokenType.NATIONAL_STRING})
_CASES: dict[str, Callable[[str], str]] = {"upper": str.upper, "lower": str.lower, "trim": str.strip}

Values = Mapping[str, Any]
"""What names stand for in a round."""


class TooManyRounds(Exception):
    """The rounds of a statement's loops have too many tokens."""


class _Unknown(Exception):
    """An expression whose value the template does not tell."""


class Round(NamedTuple):
    """The values of a round, and whether it is the first and the last one."""

    values: Values
    first: bool = True
    last: bool = True


def rounds_of(loop: Loop, values: Values) -> list[Round]:
    """The rounds of a loop; a single one that adds no value if its values are not known."""
    head = _HEAD.fullmatch(loop.head)
    once = [Round(values)]
    if head is None:
        return once
    try:
        items = list(_value(head["items"], values))
        names = [name.strip() for name in head["names"].split(",")]
        each = [dict(zip(names, [item] if len(names) == 1 else item, strict=True)) for item in items]
    except (_Unknown, TypeError, ValueError):
        return once
    numbered = enumerate(each)
    counts = ({"loop": {"index": n + 1, "index0": n, "length": len(each)}} for n in range(len(each)))
    return [Round({**values, **next(counts), **own}, number == 0, number == len(each) - 1) for number, own in numbered]


def with_rounds(tokens: Sequence[Token], loops: Sequence[Loop], values: Values, dialect: Dialect) -> list[Token]:
    """The tokens of a statement with each of these loops unrolled, and with what is known in place of expressions."""
    return _Unrolling(dialect).tokens(list(tokens), loops, values)


class _Unrolling:
    """Loops being unrolled."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._count = 0

    def tokens(self, tokens: list[Token], loops: Sequence[Loop], values: Values, depth: int = 0) -> list[Token]:
        """The tokens of a stretch, whose loops are in order. The body of a loop that is nested too deeply stands once."""
        if depth > MAX_NESTING:
            return list(self._filled(tokens, values))
        found: list[Token] = []
        starts = [token.start for token in tokens]
        at = 0
        for loop in _outermost(loops):
            first, last = (bisect_left(starts, offset) for offset in loop.body)
            if first < at:
                continue
            found += self._filled(tokens[at:first], values)
            inner = [each for each in loops if loop.body.start <= each.tag.start < loop.body.end]
            for each in rounds_of(loop, values):
                found += self.tokens(self._of_round(tokens[first:last], loop, each), inner, each.values, depth + 1)
            at = last
        found += self._filled(tokens[at:], values)
        return found

    def _of_round(self, tokens: list[Token], loop: Loop, each: Round) -> list[Token]:
        """The tokens of a body in a round, with what parts it from the one before or behind."""
        holds = {"first": each.first, "last": each.last}
        hidden = [span for span, word in loop.only if not holds[word]]
        kept = [token for token in tokens if not any(span.start <= token.start < span.end for span in hidden)]
        parting = [
            t for s in loop.separators if not holds[s.word] for t in self._made(s.text, s.span.start, s.span.end)
        ]
        return sorted([*kept, *parting], key=lambda token: token.start) if parting else kept

    def _filled(self, tokens: Iterable[Token], values: Values) -> Iterator[Token]:
        for token in tokens:
            self._count += 1
            if self._count > MAX_TOKENS:
                raise TooManyRounds
            text = _filled(token.text, values) if values and "{{" in token.text else token.text
            is_literal = token.token_type in _LITERAL_TOKENS or token.token_type is TokenType.IDENTIFIER
            if text == token.text or is_literal:
                yield Token(token.token_type, text, token.line, token.col, token.start, token.end, token.comments)
            else:
                made = self._made(text, token.start, token.end + 1, token)
                self._count += len(made)
                yield from made

    def _made(self, text: str, start: int, end: int, like: Token | None = None) -> list[Token]:
        """The tokens of a text that stands for a stretch of the script."""
        try:
            made = tokenise(filled(text, self._dialect), self._dialect, text)
        except TokenError:
            return [like] if like is not None else []
        line, column = (like.line, like.col) if like is not None else (1, 1)
        return [Token(each.token_type, each.text, line, column, start, end - 1) for each in made]


def _outermost(loops: Sequence[Loop]) -> Iterator[Loop]:
    end = -1
    for loop in loops:
        if loop.tag.start >= end:
            end = loop.body.end
            yield loop


def _filled(text: str, values: Values) -> str:
    """A text with the values of the expressions that are known."""

    def written(match: re.Match[str]) -> str:
        try:
            value = _value(match["inner"], values)
        except _Unknown:
            return match.group()
        return str(value) if isinstance(value, (str, int, float)) else match.group()

    return _EXPRESSION.sub(written, text)


def _value(written: str, values: Values) -> Any:
    """The value of an expression of the template."""
    try:
        return _of_node(ast.parse(written.strip(), mode="eval").body, values)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
        raise _Unknown from error


def _of_node(node: ast.expr, values: Values) -> Any:
    match node:
        case ast.Constant(value=str() | int() | float()):
            return node.value
        case ast.List() | ast.Tuple():
            return [_of_node(each, values) for each in node.elts]
        case ast.Dict():
            pairs = zip(node.keys, node.values, strict=True)
            return {_of_node(k, values): _of_node(v, values) for k, v in pairs if k is not None}
        case ast.Name(id=name) if name in values:
            value = values[name]
            return _value(value.text, {}) if isinstance(value, Given) else value
        case ast.Attribute(value=owner, attr=name):
            return _member(_of_node(owner, values), name)
        case ast.Subscript(value=owner, slice=key):
            return _member(_of_node(owner, values), _of_node(key, values))
        case ast.BinOp(left=left, op=ast.BitOr(), right=ast.Name(id=name)) if name in _CASES:
            return _CASES[name](str(_of_node(left, values)))
        case ast.BinOp(
            left=left,
            op=ast.BitOr(),
            right=ast.Call(func=ast.Name(id="join"), args=[ast.Constant(value=str() as between)]),
        ):
            return between.join(_texts(_of_node(left, values)))
        case ast.Call(func=ast.Attribute(value=owner, attr="items"), args=[]):
            owned = _of_node(owner, values)
            return list(owned.items()) if isinstance(owned, dict) else _unknown()
        case ast.Call(func=ast.Name(id="range"), args=arguments) if arguments:
            return _numbers([_of_node(each, values) for each in arguments])
    return _unknown()


def _texts(owner: Any) -> list[str]:
    """The members of a list, or the keys of a mapping, as texts."""
    members = list(owner) if isinstance(owner, (list, dict)) else _unknown()
    return [str(each) if isinstance(each, (str, int, float)) else _unknown() for each in members]


def _numbers(arguments: list[Any]) -> list[int]:
    if len(arguments) > 2 or not all(isinstance(each, int) and abs(each) <= MAX_TOKENS for each in arguments):
        raise _Unknown
    return list(range(*arguments))


def _member(owner: Any, key: Any) -> Any:
    try:
        return owner[key] if isinstance(owner, (dict, list)) else _unknown()
    except (KeyError, IndexError, TypeError) as error:
        raise _Unknown from error


def _unknown() -> Any:
    raise _Unknown


class Given(NamedTuple):
    """What `{% set %}` gives a name, as it is written."""

    text: str


def given_values(sets: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """What names stand for that are set once."""
    found: dict[str, Any] = {}
    again = set[str]()
    for name, text in sets:
        again |= {name} & found.keys()
        found[name] = Given(text)
    return {name: value for name, value in found.items() if name not in again}
