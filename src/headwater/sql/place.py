"""Where a syntax node stands in its script.

sqlglot keeps offsets on identifiers, literals, stars and most functions only. `Places` takes the outermost of these below a
node, and for a whole expression widens that stretch over the brackets, prefixes and suffixes around it. Nothing here runs
unless somebody asks for a place.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import Any, NamedTuple

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from headwater.model.span import Span
from headwater.sql.redact import MASK
from headwater.sql.statement import Statement

_OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE})
_CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END})
_LEFT_EDGE = frozenset(
    {
        TokenType.COMMA,
        TokenType.SELECT,
        TokenType.DISTINCT,
        TokenType.ALL,
        TokenType.SET,
        TokenType.VALUES,
        TokenType.RETURNING,
        TokenType.EQ,
        TokenType.WHEN,
        TokenType.THEN,
        TokenType.ELSE,
        TokenType.HINT,
        TokenType.FROM,
        TokenType.GROUP_BY,
        TokenType.JOIN,
        TokenType.LATERAL,
        TokenType.ON,
        TokenType.INTO,
    }
)
_CAST_WORDS = frozenset({"CAST", "TRY_CAST", "SAFE_CAST", "CONVERT", "TRY_CONVERT"})
_RIGHT_EDGE = frozenset(
    {
        TokenType.ALIAS,
        TokenType.ASC,
        TokenType.DESC,
        TokenType.COMMA,
        TokenType.FROM,
        TokenType.WHERE,
        TokenType.GROUP_BY,
        TokenType.HAVING,
        TokenType.QUALIFY,
        TokenType.ORDER_BY,
        TokenType.LIMIT,
        TokenType.UNION,
        TokenType.EXCEPT,
        TokenType.INTERSECT,
        TokenType.INTO,
        TokenType.WHEN,
        TokenType.PIPE_GT,
    }
)


_MARKS = ("'", '"', "`", "--", "/*")
"""Characters that may hide a bracket from a look at the text."""
_ITEM_BEGINS = re.compile(r"(?:,|\bselect(?:\s+distinct)?\b)\s*(?P<call>(?:\w+\()?)\Z", re.IGNORECASE)
_ITEM_ENDS = re.compile(r"\s*(?:,|as\s|from\s)", re.IGNORECASE)


class Expression(NamedTuple):
    """An expression's redacted source text, and where it stands."""

    text: str
    span: Span | None


class Elsewhere(NamedTuple):
    """A piece of SQL that was written elsewhere, in a function's body: what it says, and what brought it here."""

    text: str
    node: Any


class Places:
    """Finds spans and source text of one statement's nodes."""

    def __init__(self, statement: Statement) -> None:
        self._statement = statement
        self._text = statement.text
        self._offset = statement.span.start
        self._mentions: dict[str, bool] = {}
        self._spans: dict[int, Span | None] = {}
        """Spans by node identity: the statement keeps its nodes alive."""
        self._wrapped: dict[int, int] = {}
        self._extents: dict[int, tuple[int, int]] = {}
        """Extents of nodes that somebody asked for: whatever stands around them need not look inside again."""

    @cached_property
    def _tokens(self) -> list[Token]:
        return self._statement.tokens()

    @cached_property
    def _starts(self) -> list[int]:
        return [token.start for token in self._tokens]

    @property
    def statement(self) -> Span:
        """The place of the statement as a whole."""
        return self._statement.span

    def mentions(self, word: str) -> bool:
        """Whether the statement's text has a word, given in lower case, anywhere: a cheap way to rule a construct out."""
        found = self._mentions.get(word)
        if found is None:
            span = self._statement.span
            found = self._mentions[word] = word in self._text.raw[span.start : span.end].lower()
        return found

    def span(self, node: Any) -> Span | None:
        """The span of a node, as far as the parser kept offsets; None for nodes that it made up."""
        if node is None or isinstance(node, Span):
            return node
        if node.__class__ is exp.Column:
            return _column_span(node)
        if node.__class__ is Elsewhere:
            return self.span(node.node)
        key = id(node)
        if key not in self._spans:
            self._spans[key] = self._found(node)
        return self._spans[key]

    def _found(self, node: Any) -> Span | None:
        if isinstance(node, _VARIABLES) and not (node._meta and "start" in node._meta):
            return self._variable(node)[1]
        if isinstance(node, exp.Star) and node._meta and "start" in node._meta:
            return Span(node._meta["start"], node._meta["end"] + 1)
        start, end = self._extent(_select_list(node))
        if start >= end:
            return None
        span = Span(start, end)
        return self._call(node, span) or span

    def _variable(self, node: Any) -> tuple[str, Span | None]:
        """A variable or parameter as the script spells it, `@v`, and its place if it stands there once: the parser keeps no offset."""
        start, end = self._statement.span
        raw = self._text.raw[start:end]
        inner = node.this if isinstance(node.this, exp.Parameter) else node
        name = re.escape(inner.name)
        if not name:
            return "?", None
        found = list(re.finditer(rf"(?:@@?|\$\{{?|:|%\(|\{{|&&?)(?:\w+\.)?{name}\b(?:\}}|\)s)?", raw, re.IGNORECASE))
        own = Span(start + found[0].start(), start + found[0].end()) if len(found) == 1 else None
        return (found[0][0] if found else inner.name), own

    def raw(self, span: Span) -> str:
        """The script's own text, secrets and all: for reading, never for showing."""
        return self._text.raw[span.start : span.end]

    def _extent(self, nodes: list[Any]) -> tuple[int, int]:
        """Smallest start and largest end of the offsets in and below nodes."""
        known = self._extents
        low, high = _NOWHERE
        for node in nodes:
            found = known.get(id(node))
            if found is None:
                found = known[id(node)] = _extent(node, known)
            low, high = min(low, found[0]), max(high, found[1])
        return low, high

    def expression(self, node: Any) -> Expression:
        """A select item or assigned value without its alias: its redacted source text, and where it stands."""
        if node.__class__ is Elsewhere:
            return Expression(node.text, self.span(node.node))
        span = self._expression_span(node)
        if span is None:
            inner = node.this if isinstance(node, exp.Alias) else node
            return Expression(inner.sql() if isinstance(inner, (exp.Null, exp.Boolean)) else "", None)
        return Expression(self._text.slice(span.start, span.end), span)

    def _expression_span(self, node: Any) -> Span | None:
        if node is None:
            return None
        alias = None
        if isinstance(node, exp.Alias):
            alias = node.args.get("alias")
            node = node.this
        span = self.span(node)
        if span is None or isinstance(node, (exp.Column, exp.Literal, exp.Star, *_VARIABLES)):
            return span
        if isinstance(node, exp.Cast):
            return self._cast(node, span, alias)
        plain = self._call(node, span) or self._plain(node, span)
        if plain is not None:
            return plain
        return self._around(span, alias, _wraps(node, self._wrapped))

    def _around(self, span: Span, alias: Any, wraps: int) -> Span:
        named = self.span(alias)
        limit = len(self._tokens) if named is None else self._token_at(named.start)
        first, last = self._widened(self._token_at(span.start), self._token_at(span.end - 1), limit, wraps)
        return Span(self._tokens[first].start + self._offset, self._tokens[last].end + 1 + self._offset)

    def _cast(self, node: Any, span: Span, alias: Any) -> Span:
        """`CAST(a AS int)` has a bracket around it, `a::int` has not."""
        opening = self._opening_left_of(self._token_at(span.start))
        named = opening > 0 and self._tokens[opening - 1].text.upper() in _CAST_WORDS
        return self._around(span, alias, _wraps(node.this, self._wrapped) + int(named))

    def _call(self, node: Any, span: Span) -> Span | None:
        """The span of a function call, from its name to the bracket that closes its arguments."""
        if not isinstance(node, exp.Func) or not node._meta or node._meta.get("start") != span.start:
            return None
        end = self._balanced(span)
        raw = self._text.raw
        if raw[end - 1 : end] != ")" or any(mark in raw[span.start : end] for mark in _MARKS):
            return None
        return Span(span.start, end)

    def _balanced(self, span: Span) -> int:
        """The first offset from the span's end on where as many brackets are closed as were opened; 0 if there is none."""
        raw = self._text.raw
        end = span.end
        missing = raw.count("(", span.start, end) - raw.count(")", span.start, end)
        while missing > 0:
            closing = raw.find(")", end) + 1
            if closing == 0:
                return 0
            missing += raw.count("(", end, closing) - 1
            end = closing
        return end

    def _plain(self, node: Any, span: Span) -> Span | None:
        """The span of an expression that the text alone delimits, as most are: between commas and simple words.

        None where quotes, comments or unbalanced brackets ask for a closer look at the tokens.
        """
        raw = self._text.raw
        before = raw[max(span.start - 60, 0) : span.start]
        begins = _ITEM_BEGINS.search(before)
        if begins is None or "--" in before or "*/" in before or isinstance(node, exp.Query):
            return None
        call = begins.group("call")
        if call and not isinstance(node, exp.Func):
            return None
        start = span.start - len(call)
        end = self._balanced(Span(start, span.end))
        inside = raw[start:end]
        if any(mark in inside for mark in _MARKS) or inside.count("(") != inside.count(")"):
            return None
        return Span(start, end) if _ITEM_ENDS.match(raw, end) else None

    def literal(self, node: Any) -> str:
        """The value of a literal, for a name that is made of it; as it is shown if there is a secret in it."""
        shown = self.expression(node).text
        return shown.strip("'\"") if MASK in shown else str(node.name)

    def without_secrets(self, text: str) -> str:
        """A text out of the statement, as it may be shown: hidden if it is not to be found outside of secrets."""
        shown = self._text.slice(*self._statement.span)
        return text if text in shown or shown == self.raw(self._statement.span) else MASK

    def function_name(self, node: Any) -> str:
        """A function as the script calls it, in lower case; a variable as it is spelled."""
        if node.__class__ is Elsewhere:
            return str(node.text)
        if isinstance(node, _VARIABLES):
            return self._variable(node)[0]
        meta = getattr(node, "_meta", None)
        if meta and "start" in meta:
            return self._text.slice(meta["start"], meta["end"] + 1).lower()
        return str(getattr(node, "key", "row"))

    def _token_at(self, offset: int) -> int:
        return max(bisect_right(self._starts, offset - self._offset) - 1, 0)

    def _widened(self, first: int, last: int, limit: int, wraps: int) -> tuple[int, int]:
        """The token range of the expression around the tokens *first* to *last*."""
        match = self._match
        for _ in range(wraps):
            first = self._opening_left_of(first)
            last = max(last, match.get(first, last))
        while True:
            last = self._right(first, last, limit)
            before = first - 1
            if before < 0:
                return first, last
            kind = self._tokens[before].token_type
            if kind in _OPENING:
                if match.get(before, -1) > last and not self._is_call(before):
                    return first, last
                last = max(last, match.get(before, last))
            elif kind in _LEFT_EDGE or self._is_top(before) or self._is_pipe(before - 1):
                return first, last
            first = match[before] if kind in _CLOSING and before in match else before

    def _is_top(self, i: int) -> bool:
        """Whether a number belongs to T-SQL's `SELECT TOP 10`."""
        return i > 0 and self._tokens[i - 1].text.upper() == "TOP"

    def _is_pipe(self, i: int) -> bool:
        """Whether a token is the pipe before an operator."""
        return i >= 0 and self._tokens[i].token_type is TokenType.PIPE_GT

    def _opening_left_of(self, i: int) -> int:
        """The nearest bracket to the left that is still open at *i*; *i* itself if there is none."""
        match = self._match
        j = i - 1
        while j >= 0:
            kind = self._tokens[j].token_type
            if kind in _OPENING:
                return j
            j = match.get(j, j) - 1 if kind in _CLOSING else j - 1
        return i

    def _right(self, first: int, last: int, limit: int) -> int:
        """The last token of an expression that begins at *first* and reaches at least to *last*."""
        match = self._match
        i = first
        while i + 1 < limit:
            if i in match and match[i] > i:
                i = match[i]
                last = max(last, i)
                continue
            following = self._tokens[i + 1].token_type
            if i >= last and (following in _RIGHT_EDGE or following in _CLOSING):
                return i
            if following in _CLOSING and match.get(i + 1, -1) < first:
                return i
            i += 1
        return max(i, last) if i < limit else last

    def _is_call(self, bracket: int) -> bool:
        """Whether a bracket opens a function's arguments: a name stands right before it."""
        if bracket == 0 or self._tokens[bracket].token_type is not TokenType.L_PAREN:
            return False
        name = self._tokens[bracket - 1]
        return name.end + 1 == self._tokens[bracket].start and name.text[-1:].isalnum()

    @cached_property
    def _match(self) -> dict[int, int]:
        """For each bracket token the index of its partner; CASE and END count as brackets."""
        match: dict[int, int] = {}
        opened: list[int] = []
        for i, token in enumerate(self._tokens):
            if token.token_type in _OPENING:
                opened.append(i)
            elif token.token_type in _CLOSING and opened:
                partner = opened.pop()
                match[partner], match[i] = i, partner
        return match


def _wraps(node: Any, known: dict[int, int]) -> int:
    """How many brackets without an offset of their own (parentheses, CASE, calls, arrays) open an expression.

    *known* keeps the answers for all nodes on the way.
    """
    way: list[tuple[int, int]] = []
    count = 0
    while isinstance(node, exp.Expr) and not (node._meta and "start" in node._meta):
        if id(node) in known:
            count = known[id(node)]
            break
        own = isinstance(node, _BRACKETED) or (isinstance(node, exp.Func) and not isinstance(node, _OPERATOR_LIKE))
        way.append((id(node), int(own)))
        if isinstance(node, exp.Case) and node.args.get("this") is None:
            node = node.args["ifs"][0]
        node = next((v for v in map(_first, node.args.values()) if v is not None), None)
    for key, brackets in reversed(way):
        count += brackets
        known[key] = count
    return count


_VARIABLES = (exp.Parameter, exp.SessionParameter, exp.Placeholder)
_BRACKETED = (exp.Paren, exp.Subquery, exp.Case, exp.Exists, exp.Tuple, exp.Array)
_OPERATOR_LIKE = (exp.Cast, exp.Binary, exp.Case, exp.Exists, exp.Array, exp.Interval)


def _first(value: Any) -> Any:
    """The first node of an argument."""
    if isinstance(value, list):
        value = value[0] if value else None
    return value if isinstance(value, exp.Expr) else None


def _column_span(node: Any) -> Span | None:
    """The span of a column reference, from its first part to its last."""
    args = node.args
    last = args["this"]._meta
    first = last
    for key in ("table", "db", "catalog"):
        part = args.get(key)
        if part is not None:
            first = part._meta
    if not first or not last or "start" not in first or "start" not in last:
        return None
    return Span(first["start"], last["end"] + 1)


def _select_list(node: Any) -> list[Any]:
    """What a node's place is measured by: of a query its select list, of anything else the node itself."""
    while isinstance(node, (exp.SetOperation, exp.Subquery)):
        node = node.this
    if isinstance(node, exp.Select):
        return list(node.expressions)
    return [node]


_NOWHERE = (1 << 60, -1)


def _extent(node: Any, known: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """Smallest start and largest end of the offsets in and below a node; those of *known* nodes are taken as they are.

    A type's sizes are left out: Snowflake's `number` becomes `DECIMAL(38, 0)`, whose offsets are those of that text.
    """
    low, high = _NOWHERE
    stack = [node]
    while stack:
        current = stack.pop()
        if current.__class__ is exp.DataTypeParam:
            continue
        if id(current) in known:
            start, end = known[id(current)]
            low, high = min(low, start), max(high, end)
            continue
        meta = current._meta
        if meta and meta.get("start") is not None and meta.get("end") is not None:
            if meta["start"] < low:
                low = meta["start"]
            if meta["end"] >= high:
                high = meta["end"] + 1
        for value in current.args.values():
            if value.__class__ is list:
                stack.extend(v for v in value if isinstance(v, exp.Expr))
            elif isinstance(value, exp.Expr):
                stack.append(value)
    return low, high
