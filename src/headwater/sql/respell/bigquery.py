"""BigQuery's WITH inside of queries, in words of the grammar.

`SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (privacy_unit_column = id) …`: the options bound what one unit, such as a user, may add
to an aggregate, and leave out groups of too few units. So the unit's column decides over each aggregate and over the rows, as a
HAVING does; it becomes one. The noise has no source. `WITH(x AS a + 1, x * 2)` is an expression: a query over its names.
"""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.respell.rule import Tokens, closing, following, made, respells, word

_KINDS = frozenset({"DIFFERENTIAL_PRIVACY", "AGGREGATION_THRESHOLD", "ANONYMIZATION"})
_BEHIND = frozenset({"HAVING", "QUALIFY", "WINDOW", "ORDER BY", "LIMIT", "UNION", "EXCEPT", "INTERSECT", ")", ";"})


@respells("WITH", "bigquery")
def privacy(tokens: Tokens, i: int) -> Tokens:
    """The clause as a HAVING over the unit's column; without that, nothing."""
    if word(tokens, i - 1) != "SELECT" or word(tokens, i + 1) not in _KINDS:
        return tokens
    end = i + 2
    unit: Tokens = []
    if word(tokens, end) == "OPTIONS" and word(tokens, end + 1) == "(":
        close = closing(tokens, end + 1)
        unit = _unit(tokens, end + 2, close)
        end = close + 1
    rest = tokens[end:]
    if unit:
        at = following(rest, 0, lambda n: word(rest, n) in _BEHIND)
        having, and_ = made("HAVING", TokenType.HAVING, unit[0]), made("AND", TokenType.AND, unit[0])
        known = [
            *unit,
            made("IS", TokenType.IS, unit[0]),
            made("NOT", TokenType.NOT, unit[0]),
            made("NULL", TokenType.NULL, unit[0]),
        ]
        rest = [*rest[:at], having, *known, *([and_, *rest[at + 1 :]] if word(rest, at) == "HAVING" else rest[at:])]
    return [*tokens[:i], *rest]


def _unit(tokens: Tokens, start: int, end: int) -> Tokens:
    """The column that `privacy_unit_column = t.id` names among the options."""
    for i in range(start, end):
        if word(tokens, i) == "PRIVACY_UNIT_COLUMN" and word(tokens, i + 1) == "=":
            return tokens[i + 2 : following(tokens[:end], i + 2, lambda n: word(tokens, n) == ",")]
    return []


@respells("WITH", "bigquery")
def with_expression(tokens: Tokens, i: int) -> Tokens:
    """`WITH(x AS a + 1, y AS x * 2, y + x)` is `(SELECT y + x FROM (SELECT *, x * 2 AS y FROM (SELECT a + 1 AS x)))`."""
    if i == 0 or word(tokens, i + 1) != "(" or word(tokens, i + 3) != "AS":
        return tokens
    end = closing(tokens, i + 1)
    parts: list[Tokens] = []
    at = i + 2
    while at < end:
        stop = following(tokens[:end], at, lambda n: word(tokens, n) == ",")
        parts.append(tokens[at:stop])
        at = stop + 1
    if len(parts) < 2 or not all(word(part, 1) == "AS" and len(part) > 2 for part in parts[:-1]):
        return tokens
    rows: Tokens = []
    for name, as_, *value in parts[:-1]:
        earlier = [made("*", TokenType.STAR, name), made(",", TokenType.COMMA, name)] if rows else []
        rows = _selected([*earlier, *value, as_, name], rows)
    return [*tokens[:i], *_selected(parts[-1], rows), *tokens[end + 1 :]]


def _selected(items: Tokens, rows: Tokens) -> Tokens:
    """`(SELECT items FROM rows)`."""
    at = items[0]
    source = [made("FROM", TokenType.FROM, at), *rows] if rows else []
    brackets = made("(", TokenType.L_PAREN, at), made(")", TokenType.R_PAREN, at)
    return [brackets[0], made("SELECT", TokenType.SELECT, at), *items, *source, brackets[1]]
