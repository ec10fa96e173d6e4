"""Calls of which the grammar loses an argument, spelled as ordinary calls.

Some of the grammar's functions take the arguments that they know and drop the others without a word: `ceil(a, b, c)`
becomes `ceil(a, b)`. No list says which. So a function is tried once with as many columns as a call has arguments; what
is not in the tree is lost. A call that would lose a name gets a name that no grammar knows, so that each argument is in
its tree. `unknown_names.restored` takes the made-up name out again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from operator import attrgetter
from typing import Any

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as Grammar
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.dialect import Dialect
from headwater.sql.unknown_names import CLOSING, OPENING, Tokens, call_of, may_be_call, with_mark

Parse = Callable[[Tokens], Any]
"""The tree that the grammar makes of a call; None if it refuses it."""

_KIND = attrgetter("token_type")
_BRACKET = TokenType.L_PAREN
_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})
_NO_LIST = frozenset({TokenType.SELECT, TokenType.WITH, TokenType.DISTINCT})
"""Words at the beginning of brackets in which commas do not separate arguments."""
_BEHIND_ARGUMENTS = frozenset({TokenType.ORDER_BY, TokenType.LIMIT, TokenType.FROM})
_NO_FUNCTIONS = frozenset(
    {"TABLE", "CAST", "TRY_CAST", "SAFE_CAST", "EXTRACT", "IN", "CASE", "IF", "EXISTS", "AND", "OR"}
)
"""Words before brackets that take no list of arguments, or keep each of them. They are common, and looking at them costs time."""
_LEAST, _MOST = 2, 9
"""Numbers of arguments with which a function is tried; more are taken like the most."""


def without_losses(
    tokens: Sequence[Token], dialect: Dialect, parse: Parse, kinds: list[TokenType] | None = None
) -> Tokens | None:
    """The tokens with other names for the calls that would lose an argument; None if there are none.

    *kinds* are those of the tokens, where they are at hand.
    """
    if kinds is None:
        kinds = list(map(_KIND, tokens))
    functions = _functions(dialect.grammar_name)
    found = [i for i in _calls(tokens, kinds, functions) if _loses_name(tokens, kinds, i, functions, dialect, parse)]
    if not found:
        return None
    spelled = list(tokens)
    for i in found:
        spelled[i] = with_mark(spelled[i])
    return spelled


Losses = dict[int, frozenset[int]]
"""The positions of the arguments that are lost, by the number of arguments, as far as the grammar was asked."""


def _calls(tokens: Sequence[Token], kinds: list[TokenType], functions: dict[str, Losses]) -> Iterator[int]:
    """Where the names of calls stand that may lose an argument."""
    at = -1
    with suppress(ValueError):  # a search by C code is cheaper than a loop over all kinds
        while True:
            at = kinds.index(_BRACKET, at + 1)
            if at and tokens[at - 1].text.upper() in functions:
                yield at - 1


def _loses_name(
    tokens: Sequence[Token],
    kinds: Sequence[TokenType],
    i: int,
    functions: dict[str, Losses],
    dialect: Dialect,
    parse: Parse,
) -> bool:
    """Whether the call at a token has a name in an argument that the grammar drops."""
    if kinds[i] in dialect.grammar.parser_class.RANGE_PARSERS or not may_be_call(tokens, i):
        return False
    arguments = _arguments(kinds, i + 2)
    if len(arguments) < _LEAST:
        return False
    lost = _lost_positions(functions[tokens[i].text.upper()], tokens[i], min(len(arguments), _MOST), parse)
    return any(not _NAMES.isdisjoint(kinds[slice(*arguments[position])]) for position in lost)


def _arguments(kinds: Sequence[TokenType], start: int) -> list[tuple[int, int]]:
    """Where the arguments of a call stand whose brackets open before a token; none where commas do something else."""
    found: list[tuple[int, int]] = []
    if start >= len(kinds) or kinds[start] in _NO_LIST:
        return found
    depth, begin = 0, start
    for at in range(start, len(kinds)):
        kind = kinds[at]
        if depth == 0 and (kind in CLOSING or kind is TokenType.COMMA or kind in _BEHIND_ARGUMENTS):
            found.append((begin, at))
            begin = at + 1
            if kind is not TokenType.COMMA:
                break
        depth += (kind in OPENING) - (kind in CLOSING)
    return found


def _lost_positions(losses: Losses, name: Token, count: int, parse: Parse) -> frozenset[int]:
    """The positions of arguments that are not in the tree of a call with so many. The grammar is asked once for each number."""
    if count not in losses:
        losses[count] = _tried(name.text.upper(), name.token_type, count, parse) or frozenset()
    return losses[count]


def _tried(name: str, kind: TokenType, count: int, parse: Parse) -> frozenset[int] | None:
    """The positions that a call with so many arguments loses; None if the grammar refuses it."""
    columns = [f"zq{position}qz" for position in range(count)]
    tree = parse(call_of(name, kind, columns))
    if tree is None:
        return None
    texts = texts_of(tree)
    missing = [i for i, column in enumerate(columns) if column not in texts]
    return frozenset(i for i in missing if not any(columns[i] in text for text in texts))


def texts_of(tree: exp.Expr) -> set[str]:
    """All names and texts in a tree, in lower case."""
    return {value.lower() for node in tree.walk() for value in node.args.values() if isinstance(value, str)}


@cache
def _functions(grammar_name: str) -> dict[str, Losses]:
    """The functions that a grammar builds in a way of its own; the others refuse arguments that they do not know."""
    parser = Grammar.get_or_raise(grammar_name).parser_class
    built = {name for name, builder in parser.FUNCTIONS.items() if getattr(builder, "__name__", "") != "from_arg_list"}
    built |= {*parser.FUNCTION_PARSERS, *parser.NO_PAREN_FUNCTION_PARSERS}
    return {name: {} for name in {name.upper() for name in built} - _NO_FUNCTIONS}
