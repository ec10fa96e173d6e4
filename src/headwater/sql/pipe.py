"""Pipe syntax as common table expressions: `FROM t |> WHERE a > 1 |> SELECT b`, token by token.

In come a statement's tokens, out come tokens without `|>`: each operator is a query over the one before it, under a name that no script
can have, `|> where 1`. Tokens of the script keep their places; those made up take up none.

```sql
FROM t |> EXTEND a + b AS c |> WHERE c > 1
WITH `|> from 0` AS (SELECT * FROM t), `|> extend 1` AS (SELECT *, a + b AS c FROM `|> from 0`)
SELECT * FROM `|> extend 1` WHERE c > 1
```
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.dialect import Dialect

Element = Token | list[Token]
"""A token, or a bracket with all that is in it."""

MARK = "|> "
"""How the name of a pipe's step begins."""

_BAR = re.compile(r"(?<!\|)\|(?!\|)")
_OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE})
_CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE})
_JOINS = frozenset({"JOIN", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "NATURAL", "SEMI", "ANTI", "OUTER"})
_SET_OPERATIONS = frozenset({"UNION", "EXCEPT", "INTERSECT", "MINUS"})
_SUFFIXES = frozenset({"WHERE", "LIMIT", "ORDER BY", "PIVOT", "UNPIVOT", "TABLESAMPLE", "LATERAL", "OFFSET"}) | {
    *("SORT BY", "DISTRIBUTE BY", "CLUSTER BY")
}
_ONLY_OPERATORS = frozenset({"SELECT", "WHERE", "LIMIT", "ORDER BY", "PIVOT", "UNPIVOT", "TABLESAMPLE"})
"""Operators whose word cannot begin an expression."""
_GROUPINGS = frozenset({"ROLLUP", "CUBE", "GROUPING SETS", "GROUPING", "ALL"})
_GROUPING_WORDS = _GROUPINGS | {"SETS"}


class UnknownOperator(Exception):
    """A pipe operator that is not understood; `token` is its first."""

    def __init__(self, token: Token) -> None:
        super().__init__(token.text)
        self.token = token


def has_pipe(text: str, dialect: Dialect) -> bool:
    """Whether a text may hold a pipe."""
    return "|>" in text or (dialect.bars_are_pipes and "|" in text and _BAR.search(text) is not None)


def without_pipes(tokens: Sequence[Token], dialect: Dialect) -> list[Token]:
    """The same statement with its pipes written as common table expressions."""
    steps = _Steps(dialect)
    levels: list[list[Element]] = [[]]
    for token in tokens:
        if token.token_type in _OPENING:
            levels.append([token])
        elif token.token_type in _CLOSING and len(levels) > 1:
            opening, *inner = levels.pop()
            levels[-1].append(_flat([opening, *steps.rewritten(inner), token]))
        else:
            levels[-1].append(token)
    while len(levels) > 1:
        unclosed = levels.pop()
        levels[-1].extend(unclosed)
    return _flat(steps.rewritten(levels[0]))


class _Steps:
    """Rewrites the pipes of one statement; numbers its steps."""

    def __init__(self, dialect: Dialect) -> None:
        self.count = 0
        self.dialect = dialect

    def rewritten(self, level: list[Element]) -> list[Element]:
        """One level of brackets, its pipes as common table expressions."""
        pipes = self._pipes(level)
        if not pipes:
            return level
        prefix, source = _head(level[: pipes[0]], level[pipes[0]])
        ends = [*pipes[1:], len(level)]
        cut = [(i, level[i + 1 : end]) for i, end in zip(pipes, ends, strict=True)]
        operators = [(pipe, part) for pipe, operator in cut for part in self._parts(operator)]
        word, body = _source(source)
        at = _first(source)
        joined = _follows_cte(prefix)
        made: list[Element] = list(prefix)
        for pipe, operator in operators:
            if not operator or not isinstance(operator[0], Token):
                raise UnknownOperator(_first(level[pipe:]))
            following = operator[0]
            if _word(following) == "WITH":
                made += [_separator(at, joined), *operator[1:]]
                joined = True
                continue
            if word in ("order by", "sort by") and _word(following) in ("LIMIT", "OFFSET"):
                body = [*body, *operator]
                word = "limit"
                continue
            name = self._name(word, at)
            made += [_separator(at, joined), name, _made(TokenType.ALIAS, "AS", at), _bracket(body, at)]
            joined = True
            word, body = _operator(operator, name)
            at = following
        return [*made, *body]

    def _pipes(self, level: list[Element]) -> list[int]:
        """Where pipes stand; Spark reads a `|` before an operator's word as one, unless it may be a number's."""
        bars = self.dialect.bars_are_pipes
        first = level[0].token_type if level and isinstance(level[0], Token) else None
        words = _ONLY_OPERATORS if first is TokenType.SELECT else _ONLY_OPERATORS | _BUILDERS.keys()
        found = []
        for i, element in enumerate(level):
            kind = element.token_type if isinstance(element, Token) else None
            follows = level[i + 1] if i + 1 < len(level) else None
            is_bar = kind is TokenType.PIPE and bars and isinstance(follows, Token) and _word(follows) in words
            if kind is TokenType.PIPE_GT or is_bar:
                found.append(i)
        return found

    def _parts(self, operator: list[Element]) -> list[list[Element]]:
        """An operator that is several steps: `ORDER BY a ORDER BY b`, and Spark's SET, where a later value sees the earlier ones."""
        words = [_word(e) if isinstance(e, Token) else "" for e in operator]
        if words[:1] == ["ORDER BY"] and "ORDER BY" in words[1:]:
            second = words.index("ORDER BY", 1)
            return [operator[:second], operator[second:]]
        if words[:1] == ["SET"] and self.dialect.bars_are_pipes:
            return [[operator[0], *part] for part in _split(operator[1:])] or [operator]
        return [operator]

    def _name(self, word: str, at: Token) -> Token:
        self.count += 1
        return _made(TokenType.IDENTIFIER, f"{MARK}{word} {self.count - 1}", at)


def _head(head: list[Element], pipe: Element) -> tuple[list[Element], list[Element]]:
    """What stands before the first operator, cut into the statement around and the query that is piped."""
    for i, element in enumerate(head):
        starts = isinstance(element, Token) and element.token_type in (TokenType.SELECT, TokenType.FROM)
        if starts or _is_rows(head, i):
            return head[:i], head[i:]
    if head and isinstance(head[-1], list):
        return head[:-1], head[-1:]
    raise UnknownOperator(pipe if isinstance(pipe, Token) else pipe[0])


def _is_rows(head: list[Element], i: int) -> bool:
    """Whether a word begins `TABLE t` or `VALUES (1)` in the place of a query, and does not name what is written."""
    element, before = head[i], head[i - 1] if i else None
    if not isinstance(element, Token) or element.token_type not in (TokenType.TABLE, TokenType.VALUES):
        return False
    first = head[0].token_type if isinstance(head[0], Token) else None
    is_target = isinstance(before, Token) and before.token_type in (TokenType.INTO, TokenType.OVERWRITE)
    return i == 0 or (first is TokenType.INSERT and not is_target)


def _source(source: list[Element]) -> tuple[str, list[Element]]:
    """The piped query: `FROM t`, `TABLE t`, or any query as it stands."""
    first = _first(source)
    if source[0] is first and first.token_type is TokenType.FROM:
        return "from", [*_select_star(first), *source]
    if source[0] is first and first.token_type is TokenType.TABLE:
        return "from", [*_select_star(first), _made(TokenType.FROM, "FROM", first), *source[1:]]
    if source[0] is first and first.token_type is not TokenType.VALUES:
        return "select", source
    if source[0] is first:
        return "from", [*_select_star(first), _made(TokenType.FROM, "FROM", first), *source]
    return "select", [*_select_star(first), _made(TokenType.FROM, "FROM", first), *source]


def _operator(operator: list[Element], name: Token) -> tuple[str, list[Element]]:
    """The step that an operator is, over the step *name*: its word, and its query."""
    first = _first(operator)
    word = _word(first)
    over: list[Element] = [_made(TokenType.FROM, "FROM", first), name]
    if _is_set_operation(operator):
        return "union", [*_select_star(first), *over, *_set_operation(operator)]
    if word in _SUFFIXES or word in _JOINS:
        suffix = "join" if word in _JOINS else word.lower()
        return suffix, [*_select_star(first), *over, *operator]
    build = _BUILDERS.get(word)
    if build is None or (len(operator) == 1 and word not in _ALONE):
        raise UnknownOperator(first)
    return word.lower(), build(first, operator[1:], over)


def _is_set_operation(operator: list[Element]) -> bool:
    """Whether an operator is UNION, EXCEPT or INTERSECT, perhaps with a side before it."""
    for element in operator:
        word = _word(element) if isinstance(element, Token) else ""
        if word in _SET_OPERATIONS:
            return True
        if word not in _JOINS:
            return False
    return False


def _set_operation(operator: list[Element]) -> list[Element]:
    """`UNION ALL (q1), (q2)`: the operator before each operand; `UNION ALL TABLE t`: all of t."""
    table = next((i for i, e in enumerate(operator) if isinstance(e, Token) and e.token_type is TokenType.TABLE), None)
    if table is not None:
        at = _first(operator[table:])
        return [*operator[:table], *_select_star(at), _made(TokenType.FROM, "FROM", at), *operator[table + 1 :]]
    first, *others = _split(operator)
    if not isinstance(first[-1], list) or not all(isinstance(o[0], list) for o in others):
        return operator
    words = first[:-1]
    for operand in others:
        first = [*first, *words, *operand]
    return first


def _select(at: Token, rest: list[Element], over: list[Element]) -> list[Element]:
    items, clauses = _before_clauses(rest)
    return [at, *items, *over, *clauses]


def _extend(at: Token, rest: list[Element], over: list[Element]) -> list[Element]:
    items, clauses = _before_clauses(rest)
    return [*_select_star(at), _made(TokenType.COMMA, ",", at), *items, *over, *clauses]


def _set(at: Token, rest: list[Element], over: list[Element]) -> list[Element]:
    """`SET a = e` replaces a in the star."""
    replaced: list[Element] = []
    for item in _split(rest):
        if len(item) < 3 or not isinstance(item[1], Token) or item[1].token_type is not TokenType.EQ:
            raise UnknownOperator(at)
        comma = [_made(TokenType.COMMA, ",", at)] if replaced else []
        replaced += [*comma, *item[2:], _made(TokenType.ALIAS, "AS", at), item[0]]
    return [*_select_star(at), _made(TokenType.REPLACE, "REPLACE", at), _bracket(replaced, at), *over]


def _drop(at: Token, rest: list[Element], over: list[Element]) -> list[Element]:
    """`DROP a, outer.b`: nothing but names, whatever words they are."""
    names = [_as_name(e) if isinstance(e, Token) and e.text.isidentifier() else e for e in rest]
    return [*_select_star(at), _made(TokenType.EXCEPT, "EXCEPT", at), _bracket(names, at), *over]


def _as_name(token: Token) -> Token:
    kind = token.token_type if token.token_type is TokenType.IDENTIFIER else TokenType.VAR
    return Token(kind, token.text, token.line, token.col, token.start, token.end)


def _rename(at: Token, rest: list[Element], over: list[Element]) -> list[Element]:
    renamed: list[Element] = []
    for item in _split(rest):
        comma = [_made(TokenType.COMMA, ",", at)] if renamed else []
        renamed += [*comma, item[0], _made(TokenType.ALIAS, "AS", at), item[-1]]
    return [*_select_star(at), _made(TokenType.VAR, "RENAME", at), _bracket(renamed, at), *over]


def _as(at: Token, rest: list[Element], over: list[Element]) -> list[Element]:
    return [*_select_star(at), *over, _made(TokenType.ALIAS, "AS", at), *rest]


def _distinct(at: Token, rest: list[Element], over: list[Element]) -> list[Element]:
    return [_made(TokenType.SELECT, "SELECT", at), at, _made(TokenType.STAR, "*", at), *over, *rest]


def _pass(at: Token, rest: list[Element], over: list[Element]) -> list[Element]:
    """`ASSERT` stops a query or does nothing, `DESCRIBE` only tells: rows and columns pass as they are."""
    return [*_select_star(at), *over]


def _call(at: Token, rest: list[Element], over: list[Element]) -> list[Element]:
    """`CALL f(x) AS t`: a table function, whose first argument is the rows before it."""
    bracket = next((i for i, e in enumerate(rest) if isinstance(e, list)), None)
    if not bracket:
        raise UnknownOperator(at)
    opening, *arguments, closing = _flat([rest[bracket]])
    comma = [_made(TokenType.COMMA, ",", at)] if arguments else []
    call: list[Element] = [opening, _bracket([*_select_star(at), *over], at), *comma, *arguments, closing]
    source = _made(TokenType.FROM, "FROM", at)
    return [*_select_star(at), source, *rest[:bracket], *call, *rest[bracket + 1 :]]


def _aggregate(at: Token, rest: list[Element], over: list[Element]) -> list[Element]:
    """`AGGREGATE sum(a) AS s GROUP BY k`: the keys come first, and group by their position."""
    group = next((i for i, e in enumerate(rest) if isinstance(e, Token) and _word(e) in ("GROUP BY", "GROUP")), None)
    aggregates = [_without_order(a) for a in _split(rest[:group])]
    if group is None:
        return [_made(TokenType.SELECT, "SELECT", at), *_listed(aggregates, at), *over]
    grouping = _first(rest[group:])
    words = 3 if _word(grouping) == "GROUP" else 1
    keys = [_without_order(k) for k in _split(rest[group + words :])]
    if not keys:
        raise UnknownOperator(grouping)
    columns = _grouped_columns(keys, grouping)
    places = {_text(key): _made(TokenType.NUMBER, str(i), at) for i, key in enumerate(columns, 1)}
    grouped: list[list[Element]] = [[places[_text(key)]] if _text(key) in places else key for key in keys]
    by = _made(TokenType.GROUP_BY, "GROUP BY", at)
    return [
        *(_made(TokenType.SELECT, "SELECT", at), *_listed([*columns, *aggregates], at)),
        *(*over, by, *_listed(grouped, at)),
    ]


def _grouped_columns(keys: list[list[Element]], grouping: Token) -> list[list[Element]]:
    """The columns of `GROUP BY a, ROLLUP (b, c), GROUPING SETS ((b), (c), ())`, in the order in which they are named.

    A key that is named twice is two columns; one that several sets have is one.
    """
    found: list[list[Element]] = []
    plain = [_flat(key) for key in reversed(keys)]
    seen = {_text(key) for key in plain}
    pending = list(plain)
    while pending:
        key = pending.pop()
        words = 0
        while words < len(key) and _word(key[words]) in _GROUPING_WORDS:
            words += 1
        parts = _in_brackets(key[words:])
        if words and not parts:
            raise UnknownOperator(grouping)
        if parts is not None and (words or len(parts) != 1):
            pending += reversed(parts)
        elif any(key is each for each in plain):
            found.append([*key])
        elif _text(key) not in seen:
            seen.add(_text(key))
            found.append([*key])
    return found


def _text(elements: Sequence[Element]) -> str:
    """What elements spell, in lower case."""
    return " ".join(token.text.lower() for token in _flat(elements))


def _in_brackets(tokens: list[Token]) -> list[list[Token]] | None:
    """What stands between the commas, if one bracket holds all tokens."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for i, token in enumerate(tokens):
        depth += (token.token_type in _OPENING) - (token.token_type in _CLOSING)
        if depth == 0 and i + 1 < len(tokens):
            return None
        if depth == 1 and token.token_type is TokenType.COMMA:
            parts.append([])
        elif 0 < i < len(tokens) - 1:
            parts[-1].append(token)
    return [part for part in parts if part] if tokens and tokens[0].token_type is TokenType.L_PAREN else None


_BUILDERS: dict[str, Callable[[Token, list[Element], list[Element]], list[Element]]] = {
    "SELECT": _select,
    "EXTEND": _extend,
    "WINDOW": _extend,
    "SET": _set,
    "DROP": _drop,
    "RENAME": _rename,
    "AS": _as,
    "DISTINCT": _distinct,
    "ASSERT": _pass,
    "STATIC_DESCRIBE": _pass,
    "DESCRIBE": _pass,
    "LOG": _pass,
    "AGGREGATE": _aggregate,
    "CALL": _call,
}


_ALONE = frozenset({"DISTINCT", "STATIC_DESCRIBE", "DESCRIBE", "LOG"})
"""Operators that may have nothing behind their word."""


def _before_clauses(rest: list[Element]) -> tuple[list[Element], list[Element]]:
    """A select list, and the clauses behind it, which come after FROM: WINDOW, and in Spark GROUP BY."""
    for i, element in enumerate(rest):
        if i and isinstance(element, Token) and element.token_type in (TokenType.WINDOW, TokenType.GROUP_BY):
            return rest[:i], rest[i:]
    return rest, []


def _without_order(item: list[Element]) -> list[Element]:
    """An aggregate or key without the order that GROUP AND ORDER BY allows behind it."""
    for words in (("NULLS", "FIRST"), ("NULLS", "LAST"), ("ASC",), ("DESC",)):
        tail = item[-len(words) :]
        if len(item) > len(words) and tuple(_word(e) for e in tail if isinstance(e, Token)) == words:
            item = item[: -len(words)]
    return item


def _split(elements: list[Element]) -> list[list[Element]]:
    """The parts between commas; a trailing comma makes none."""
    parts: list[list[Element]] = [[]]
    for element in elements:
        if isinstance(element, Token) and element.token_type is TokenType.COMMA:
            parts.append([])
        else:
            parts[-1].append(element)
    return [part for part in parts if part]


def _listed(parts: list[list[Element]], at: Token) -> list[Element]:
    listed: list[Element] = []
    for part in parts:
        listed += [_made(TokenType.COMMA, ",", at), *part] if listed else part
    return listed


def _follows_cte(prefix: list[Element]) -> bool:
    """Whether the statement around ends with a WITH clause that the steps continue."""
    begun = any(isinstance(e, Token) and e.token_type is TokenType.WITH for e in prefix)
    return begun and isinstance(prefix[-1], list)


def _separator(at: Token, joined: bool) -> Token:
    return _made(TokenType.COMMA, ",", at) if joined else _made(TokenType.WITH, "WITH", at)


def _select_star(at: Token) -> list[Element]:
    return [_made(TokenType.SELECT, "SELECT", at), _made(TokenType.STAR, "*", at)]


def _bracket(elements: list[Element], at: Token) -> list[Token]:
    return _flat([_made(TokenType.L_PAREN, "(", at), *elements, _made(TokenType.R_PAREN, ")", at)])


def _made(kind: TokenType, text: str, at: Token) -> Token:
    """A token that the script does not have, right before one that it has: it takes up no place."""
    return Token(kind, text, at.line, at.col, at.start, at.start - 1)


def _word(token: Token) -> str:
    return str(token.text).upper()


def _first(elements: list[Element]) -> Token:
    first = elements[0]
    return first if isinstance(first, Token) else first[0]


def _flat(elements: Sequence[Element]) -> list[Token]:
    flat: list[Token] = []
    for element in elements:
        if isinstance(element, Token):
            flat.append(element)
        else:
            flat.extend(element)
    return flat
