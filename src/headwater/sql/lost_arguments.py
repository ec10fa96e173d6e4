"""Calls of which the grammar loses an argument, spelled as ordinary calls.

Some of the grammar's functions take the arguments that they know and drop the others without a word: `ceil(a, b, c)`
becomes `ceil(a, b)`. Of `date_trunc(a, d)` it takes `a` for a unit, of a function `predict(a, b)` both for tables. No
list says which. So a function is tried once with as many columns as a call has arguments; what is no column of the tree
is lost. A call that would lose a name gets a name that no grammar knows, so that each argument is in its tree.
`unknown_names.restored` takes the made-up name out again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as Grammar
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.date_units import is_unit
from headwater.sql.dialect import Dialect
from headwater.sql.token_letters import letters
from headwater.sql.unknown_names import CLOSING, OPENING, Tokens, call_of, may_be_call, with_mark

Parse = Callable[[Tokens], Any]
"""The tree that the grammar makes of a call; None if it refuses it."""

_KIND = attrgetter("token_type")
_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})
_NO_LIST = frozenset({TokenType.SELECT, TokenType.WITH, TokenType.DISTINCT})
"""Words at the beginning of brackets in which commas do not separate arguments."""
_BEHIND_ARGUMENTS = frozenset({TokenType.ORDER_BY, TokenType.LIMIT, TokenType.FROM})
_NO_FUNCTIONS = frozenset(
    {"TABLE", "CAST", "TRY_CAST", "SAFE_CAST", "EXTRACT", "IN", "CASE", "IF", "EXISTS", "AND", "OR"}
)
"""Words before brackets that take no list of arguments, or keep each of them. They are common, and looking at them costs time."""
_MADE_WORDS = frozenset({"unit", "form"})
"""Arguments of the grammar's functions that become words."""
_LEAST, _MOST = 1, 9
"""Numbers of arguments with which a function is tried; more are taken like the most."""


def without_losses(tokens: Sequence[Token], dialect: Dialect, parse: Parse, text: str | None = None) -> Tokens | None:
    """The tokens with other names for the calls that would lose an argument; None if there are none.

    *text* are the letters of the tokens, where they are at hand.
    """
    if text is None:
        text = letters(list(map(_KIND, tokens)))
    functions = _functions(dialect.grammar_name)
    found = [i for i in _calls(tokens, text, functions) if _loses_name(tokens, i, functions, dialect, parse)]
    if not found:
        return None
    spelled = list(tokens)
    for i in found:
        spelled[i] = with_mark(spelled[i])
    return spelled


class Loss(NamedTuple):
    """The positions of the arguments that the grammar drops, and of those that it takes for units or for tables."""

    dropped: frozenset[int] = frozenset()
    units: frozenset[int] = frozenset()
    tables: frozenset[int] = frozenset()


_NOTHING = Loss()
Losses = dict[int, Loss]
"""What is lost, by the number of arguments, as far as the grammar was asked."""


def _calls(tokens: Sequence[Token], text: str, functions: dict[str, Losses]) -> Iterator[int]:
    """Where the names of calls stand that may lose an argument."""
    at = text.find("(", 1)
    while at > 0:
        if tokens[at - 1].text.upper() in functions:
            yield at - 1
        at = text.find("(", at + 1)


def _loses_name(tokens: Sequence[Token], i: int, functions: dict[str, Losses], dialect: Dialect, parse: Parse) -> bool:
    """Whether the call at a token has a name in an argument that the grammar drops."""
    if not may_be_call(tokens, i, dialect.grammar.parser_class.RANGE_PARSERS):
        return False
    arguments = _arguments(tokens, i + 2)
    if len(arguments) < _LEAST:
        return False
    lost = _loss(functions[tokens[i].text.upper()], tokens[i], min(len(arguments), _MOST), parse)
    if lost is _NOTHING:
        return False
    if any(not _NAMES.isdisjoint(map(_KIND, tokens[slice(*arguments[position])])) for position in lost.dropped):
        return True
    if any(_is_no_table(tokens[slice(*arguments[position])]) for position in lost.tables) and not _is_in_from(
        tokens, i
    ):
        return True
    units = [tokens[slice(*arguments[position])] for position in lost.units]
    return any(_has_word(unit) and not is_unit(tokens[i].text.upper(), unit, dialect) for unit in units)


_BEFORE_TABLES = frozenset({"MODEL", "TABLE", "("})
_BEFORE_ITEMS = frozenset({TokenType.FROM, TokenType.JOIN})


def _is_no_table(argument: Sequence[Token]) -> bool:
    """Whether an argument lacks the words that hand over a table: `predict(a, b)` is no `ML.PREDICT(MODEL m, TABLE t)`."""
    return bool(argument) and argument[0].text.upper() not in _BEFORE_TABLES and _has_word(argument)


def _is_in_from(tokens: Sequence[Token], i: int) -> bool:
    """Whether a call, with the names before it, stands directly behind FROM or JOIN."""
    while i > 1 and tokens[i - 1].token_type is TokenType.DOT:
        i -= 2
    return i > 0 and tokens[i - 1].token_type in _BEFORE_ITEMS


def _has_word(argument: Sequence[Token]) -> bool:
    """Whether a name may stand in an argument."""
    return any(token.token_type is not TokenType.STRING and token.text.isidentifier() for token in argument)


def _arguments(tokens: Sequence[Token], start: int) -> list[tuple[int, int]]:
    """Where the arguments of a call stand whose brackets open before a token; none where commas do something else."""
    found: list[tuple[int, int]] = []
    if start >= len(tokens) or tokens[start].token_type in _NO_LIST:
        return found
    depth, begin = 0, start
    for at in range(start, len(tokens)):
        kind = tokens[at].token_type
        if depth == 0 and (kind in CLOSING or kind is TokenType.COMMA or kind in _BEHIND_ARGUMENTS):
            found.append((begin, at))
            begin = at + 1
            if kind is not TokenType.COMMA:
                break
        depth += (kind in OPENING) - (kind in CLOSING)
    return found


def _loss(losses: Losses, name: Token, count: int, parse: Parse) -> Loss:
    """What a call with so many arguments loses. The grammar is asked once for each number."""
    if count not in losses:
        losses[count] = _tried(name.text.upper(), name.token_type, count, parse)
    return losses[count]


def _tried(name: str, kind: TokenType, count: int, parse: Parse) -> Loss:
    """What a call with so many arguments loses; nothing if the grammar refuses it."""
    columns = [f"zq{position}qz" for position in range(count)]
    tree = parse(call_of(name, kind, columns))
    if tree is None:
        return _NOTHING
    if isinstance(tree, exp.JoinHint):  # a hint where it is no function: all of it would be lost
        return Loss(frozenset(range(count)))
    texts = texts_of(tree)
    words = {node.name.lower() for node in tree.find_all(exp.Var, exp.Literal)}
    tables = {node.name.lower() for node in tree.find_all(exp.Table)}
    loss = Loss(
        frozenset(i for i, column in enumerate(columns) if not any(column in text for text in texts)),
        frozenset(i for i, column in enumerate(columns) if any(column in text for text in words)),
        frozenset(i for i, column in enumerate(columns) if column in tables),
    )
    return loss if any(loss) else _NOTHING


def texts_of(tree: exp.Expr) -> set[str]:
    """All names and texts in a tree, in lower case."""
    return {value.lower() for node in tree.walk() for value in node.args.values() if isinstance(value, str)}


@cache
def _functions(grammar_name: str) -> dict[str, Losses]:
    """The functions that a grammar builds in a way of its own, or that have units; the others refuse arguments that they do not know."""
    parser = Grammar.get_or_raise(grammar_name).parser_class
    built = {name for name, builder in parser.FUNCTIONS.items() if _may_lose(builder)}
    built |= {*parser.FUNCTION_PARSERS, *parser.NO_PAREN_FUNCTION_PARSERS}
    return {name: {} for name in {name.upper() for name in built} - _NO_FUNCTIONS}


def _may_lose(builder: Any) -> bool:
    if getattr(builder, "__name__", "") != "from_arg_list":
        return True
    return not _MADE_WORDS.isdisjoint(getattr(builder, "__self__", exp.Func).arg_types)
