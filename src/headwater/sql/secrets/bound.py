"""The second rule for dynamic SQL: literals bound to a parameter that goes to a name that sounds like a secret.

```
EXECUTE 'UPDATE u SET password = $1' USING ◊, EXECUTE IMMEDIATE 'UPDATE u SET password = :1' USING ◊
EXEC sp_executesql N'UPDATE u SET pwd = @p', N'@p varchar(10)', ◊
```

`@p = ◊` is an assignment to a variable: see `assignment`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from typing import Any

from sqlglot.tokenizer_core import TokenType

from headwater.model.span import Span
from headwater.sql.secrets.tokens import arguments, is_string, strings_of

_T = TokenType
_ENDS_TEXT = frozenset({_T.USING, _T.SEMICOLON})
_REACH = 60
"""Tokens from EXECUTE to USING."""
_PARAMETER = re.compile(r"@\w+")
_MOST_ARGUMENTS = 100


def bound_secrets(raw: str, tokens: Sequence[Any], variables: Container[str]) -> Iterator[Span]:
    """The literals that statements of dynamic SQL bind, where one of the script's parameters goes to a secret."""
    for i, token in enumerate(tokens):
        word = token.text.upper()
        if is_string(token) or i + 1 == len(tokens):
            continue
        if word == "EXECUTE":
            yield from _of_execute(raw, tokens, i)
        elif word == "SP_EXECUTESQL":
            yield from _of_procedure(raw, tokens, i, variables)


def _of_execute(raw: str, tokens: Sequence[Any], i: int) -> Iterator[Span]:
    """The literals behind USING."""
    end = next((j for j in range(i + 1, min(i + _REACH, len(tokens))) if tokens[j].token_type in _ENDS_TEXT), i)
    if tokens[end].token_type is _T.USING:
        given = arguments(tokens, end + 1, _MOST_ARGUMENTS)
        yield from (span for first, behind in given for span in strings_of(raw, tokens[first:behind]))


def _of_procedure(raw: str, tokens: Sequence[Any], i: int, variables: Container[str]) -> Iterator[Span]:
    """The values of sp_executesql without a name, by the order in which its second argument declares parameters."""
    _, *others = arguments(tokens, i + 1, _MOST_ARGUMENTS)
    declared = _PARAMETER.findall(tokens[others[0][0]].text.lower()) if others else []
    for name, (start, end) in zip(declared, others[1:], strict=False):
        if name in variables and is_string(tokens[start]):
            yield from strings_of(raw, tokens[start:end])
