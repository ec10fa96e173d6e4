"""The second rule: literals that go to a name that sounds like a secret.

Its forms, with `◊` for what is masked (those of rows are in `columns`):

```
password = ◊, password => ◊, password := ◊, password: ◊      SET, options, arguments, variables; comparisons too
password = md5(◊), password = CASE … THEN ◊ END              all literals of the expression
password IN (◊, ◊), password LIKE ◊, password TO ◊
PASSWORD ◊, 'fs.s3a.secret.key' ◊                            options without a sign
password varchar(20) NOT NULL DEFAULT ◊                      columns, variables: @pwd nvarchar(20) = ◊, password text := ◊
◊ = password, md5(◊) = password
◊ AS password, ◊ password, DEFAULT ◊ FOR password
coalesce(a, ◊) AS password, coalesce(password, ◊)            see `values`
('password', ◊), map('user', 'bob', 'password', ◊)           names that are strings, not in a list behind IN
(name, password) VALUES ('bob', ◊), … SELECT 'bob', ◊        see `columns`, `unions`
SET fs.s3a.secret.key = ◊, SET PASSWORD FOR bob = ◊          all that stands behind the sign, with or without quotes
```
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Any

from sqlglot.tokenizer_core import TokenType

from headwater.model.span import Span
from headwater.sql.secrets.columns import cells_below
from headwater.sql.secrets.names import sounds_secret
from headwater.sql.secrets.tokens import expression_end, is_string, is_word, literals_of, strings_of, value_of
from headwater.sql.secrets.unions import union_secrets
from headwater.sql.secrets.values import OF_TYPES, TYPES, brackets, is_choice, literals_beside, value_literals

_T = TokenType
_SIGNS = frozenset({"=", ":", "=>", ":=", "==", "<>", "!=", "<=>", "IS", "NOT", "TO", "LIKE", "ILIKE", "IN", "DEFAULT"})
"""What may stand between a name and its value; up to three of them."""
_EQUALS = frozenset({"=", "==", "<>", "!=", "<=>"})
_MARKS = frozenset("@:$&#")
_ENDS_ITEM = frozenset({_T.COMMA, _T.R_PAREN, _T.FROM, _T.SEMICOLON, _T.UNION})
_MOST_TYPE_TOKENS = 10
_MOST_NAME_TOKENS = 60
_MOST_DEFAULT_TOKENS = 24


def assigned_secrets(raw: str, tokens: Sequence[Any], variables: Container[str] = ()) -> Iterator[Span]:
    """Literals that are assigned to names that sound like secrets, or to *variables* that such names are given."""
    names = [i for i, token in enumerate(tokens) if _names_secret(tokens, i, token, variables)]
    pairs, around = brackets(tokens) if names else ({}, {})
    behind, looked_at = 0, set[int]()
    for i in names:
        yield from _before(raw, tokens, i, pairs)
        yield from (
            span
            for start, end in cells_below(tokens, i, pairs, around)
            for span in literals_of(raw, tokens, start, end)
        )
        bracket = around.get(i)
        if bracket is not None and bracket not in looked_at and is_choice(tokens, first_of_name(tokens, i), i, bracket):
            looked_at.add(bracket)
            yield from literals_beside(raw, tokens, bracket, pairs)
        if i >= behind:
            start, behind = _value(tokens, i, pairs)
            yield from literals_of(raw, tokens, start, behind)
            behind = max(behind, i)
    if names:
        yield from union_secrets(raw, tokens)
    yield from _settings(raw, tokens)


def secret_variables(tokens: Sequence[Any]) -> Iterator[str]:
    """Variables and parameters that are given to names that sound like secrets: `pwd = @p`, `(name, pwd) VALUES (@n, @p)`."""
    names = [i for i, token in enumerate(tokens) if _names_secret(tokens, i, token, ())]
    pairs, around = brackets(tokens) if names else ({}, {})
    for i in names:
        for start, end in (_value(tokens, i, pairs), *cells_below(tokens, i, pairs, around)):
            yield from (name for j in range(start, end) if (name := variable_at(tokens, j)))


def variable_at(tokens: Sequence[Any], i: int) -> str:
    """The name of the variable or placeholder at a token, in lower case, with its mark; empty if there is none."""
    text = tokens[i].text
    if tokens[i].token_type is TokenType.PLACEHOLDER:
        return "?"
    if text[:1] in _MARKS and len(text) > 1 and not is_string(tokens[i]):
        return str(text.lower())
    if i and tokens[i - 1].text in _MARKS and tokens[i - 1].end + 1 == tokens[i].start and not is_string(tokens[i]):
        return f"{tokens[i - 1].text}{text.lower()}"
    return ""


def _names_secret(tokens: Sequence[Any], i: int, token: Any, variables: Container[str]) -> bool:
    """Whether a token ends a name that sounds like a secret; of a dotted one, its parts together."""
    text = token.text
    if not sounds_secret(text):
        return bool(variables) and variable_at(tokens, i) in variables
    return i + 1 >= len(tokens) or tokens[i + 1].token_type is not _T.DOT or is_string(token)


def _value(tokens: Sequence[Any], i: int, pairs: dict[int, int]) -> tuple[int, int]:
    """The tokens of what is assigned to the name that ends at *i*; none if nothing is."""
    start = i + 1
    if start >= len(tokens):
        return start, start
    if is_string(tokens[i]) and tokens[start].token_type is _T.COMMA:
        return _paired(tokens, i, pairs)
    if tokens[start].token_type is _T.R_BRACKET:  # `config['password'] = 'x'`
        start += 1
    if tokens[start : start + 1] and is_string(tokens[start]):
        return start, expression_end(tokens, start)
    sign = _sign(tokens, start)
    while (
        sign < len(tokens) and sign < start + 3 and tokens[sign].text.upper() in _SIGNS and not is_string(tokens[sign])
    ):
        sign += 1
    if sign == start or _is_option_list(tokens, sign):
        return start, start
    return sign, expression_end(tokens, sign)


def _sign(tokens: Sequence[Any], i: int) -> int:
    """The sign behind a name: at once, or behind a type."""
    while i + 1 < len(tokens) and tokens[i].text.upper() in ("IN", "OUT", "INOUT") and tokens[i + 1].text != "(":
        i += 1
    if tokens[i : i + 1] and tokens[i].text.upper() not in TYPES:
        return i
    for j in range(i, min(i + _MOST_TYPE_TOKENS, len(tokens))):
        text = tokens[j].text.upper()
        if text in (":=", "=", "DEFAULT"):
            return j
        if not (text in TYPES or text in OF_TYPES or tokens[j].token_type in (_T.NUMBER, _T.COMMA) or j == i):
            break
    return i


def _is_option_list(tokens: Sequence[Any], i: int) -> bool:
    """Whether a bracket holds options with names of their own: `CREDENTIALS = (AWS_KEY_ID = 'x')`."""
    if i + 2 >= len(tokens) or tokens[i].token_type is not _T.L_PAREN:
        return False
    return is_word(tokens[i + 1]) and (tokens[i + 2].text == "=" or is_string(tokens[i + 2]))


def _paired(tokens: Sequence[Any], i: int, pairs: dict[int, int]) -> tuple[int, int]:
    """The string behind a string that is a name: `('password', 'x')`; lists behind IN hold no pairs."""
    value = i + 2
    is_last = value + 1 < len(tokens) and tokens[value + 1].token_type in (_T.COMMA, _T.R_PAREN)
    if not is_last or not is_string(tokens[value]):
        return i + 1, i + 1
    opening = i - 1
    while opening > i - 16 and opening > 0 and tokens[opening].token_type is not _T.L_PAREN:
        opening -= 1
    is_list = opening > 0 and tokens[opening - 1].text.upper() in ("IN", "ANY", "ENUM", "SET")
    return (i + 1, i + 1) if is_list else (value, value + 1)


def _before(raw: str, tokens: Sequence[Any], i: int, pairs: dict[int, int]) -> Iterator[Span]:
    """What stands before the name that ends at *i*: `'x' = password`, `'x' AS password`, `'x' password`."""
    if is_string(tokens[i]):
        return
    sign = first_of_name(tokens, i) - 1
    if sign < 1:
        return
    value = sign - 1
    while value > 1 and tokens[value - 1].token_type is _T.DCOLON:  # 'x'::text
        value -= 2
    if tokens[sign].text in _EQUALS:
        first = pairs.get(value, value)
        yield from strings_of(raw, tokens[min(first, value) : sign])
    elif tokens[sign].text.upper() == "AS" and not is_string(tokens[sign]):
        first = pairs.get(value, value)
        is_call = first < value and first > 0 and is_word(tokens[first - 1]) and tokens[first].token_type is _T.L_PAREN
        yield from value_literals(raw, tokens, min(first, value) - is_call, sign)
    elif tokens[sign].text.upper() == "FOR" and not is_string(tokens[sign]):
        yield from _default(raw, tokens, sign)
    elif is_string(tokens[sign]) and (i + 1 == len(tokens) or tokens[i + 1].token_type in _ENDS_ITEM):
        yield value_of(raw, tokens[sign])


def _default(raw: str, tokens: Sequence[Any], sign: int) -> Iterator[Span]:
    """The strings between DEFAULT and FOR: `ADD CONSTRAINT c DEFAULT 'x' FOR password`."""
    for i in range(sign - 1, max(sign - _MOST_DEFAULT_TOKENS, 0), -1):
        if tokens[i].token_type is _T.SEMICOLON:
            return
        if tokens[i].text.upper() == "DEFAULT" and not is_string(tokens[i]):
            yield from strings_of(raw, tokens[i:sign])
            return


def first_of_name(tokens: Sequence[Any], i: int) -> int:
    """The first token of the dotted name, with its mark, that ends at a token."""
    while i > 1 and tokens[i - 1].token_type is _T.DOT:
        i -= 2
    return i - 1 if i and tokens[i - 1].text in _MARKS else i


def _settings(raw: str, tokens: Sequence[Any]) -> Iterator[Span]:
    """`SET some.secret.key = x`, `SET PASSWORD FOR u = 'x'`: everything behind the sign, to the end of the statement."""
    starts = [0, *(i + 1 for i, token in enumerate(tokens) if token.token_type is _T.SEMICOLON)]
    for start, following in zip(starts, [*starts[1:], len(tokens) + 1], strict=True):
        end = following - 1
        if start + 2 < end and tokens[start].text.upper() == "SET" and tokens[start + 1].text[:1] not in _MARKS:
            last = min(start + _MOST_NAME_TOKENS, end)
            sign = next((i for i in range(start + 2, last) if tokens[i].text.upper() in ("=", "TO")), end)
            name = raw[tokens[start + 1].start : tokens[sign - 1].end + 1]
            if sign + 1 < end and (sounds_secret(name) or name.upper().startswith("PASSWORD FOR")):
                yield Span(tokens[sign + 1].start, tokens[end - 1].end + 1)
