"""What only BigQuery writes, in words of the grammar.

The options of `SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (privacy_unit_column = id) …` bound what one unit, such as a user, may add to an
aggregate, and leave out groups of too few units. So the unit's column decides over each aggregate and over the rows, as a HAVING does; it
becomes one. The noise has no source.
"""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.respell.rule import Edit, Tokens, closing, following, made, respells, respells_phrase, word

_KINDS = frozenset({"DIFFERENTIAL_PRIVACY", "AGGREGATION_THRESHOLD", "ANONYMIZATION"})
_BEFORE_ITEM = frozenset({"FROM", ",", "JOIN", "("})
_BEHIND_ITEM = frozenset({"JOIN", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", ",", ")"})
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


_LONGEST = 5_000
"""Tokens that a WITH expression may become: names that use each other twice double it."""


@respells("WITH", "bigquery")
def with_expression(tokens: Tokens, i: int) -> Tokens:
    """`WITH(a AS x + 1, a * a)` is its last part, with what the names stand for in their place."""
    if word(tokens, i + 1) != "(" or (tokens[i + 2 : i + 3] and tokens[i + 2].token_type is TokenType.SELECT):
        return tokens
    end = closing(tokens, i + 1)
    *named, result = _split(tokens, i + 2, end)
    known: dict[str, Tokens] = {}
    for part in named:
        if len(part) < 3 or word(part, 1) != "AS":
            return tokens
        known[part[0].text.lower()] = _with_values(part[2:], known)
    found = _with_values(result, known)
    brackets = made("(", TokenType.L_PAREN, tokens[i + 1]), made(")", TokenType.R_PAREN, tokens[end])
    return [*tokens[:i], brackets[0], *found, brackets[1], *tokens[end + 1 :]] if len(found) < _LONGEST else tokens


def _split(tokens: Tokens, start: int, end: int) -> list[Tokens]:
    """The parts between commas, outside of brackets."""
    parts = []
    while start < end:
        comma = following(tokens[:end], start, lambda n: word(tokens, n) == ",")
        parts.append(tokens[start:comma])
        start = comma + 1
    return parts or [[]]


def _with_values(tokens: Tokens, known: dict[str, Tokens]) -> Tokens:
    """An expression, with what some names stand for in their place."""
    found: Tokens = []
    for i, token in enumerate(tokens):
        is_name = token.token_type in (TokenType.VAR, TokenType.IDENTIFIER) and word(tokens, i + 1) != "("
        value = known.get(token.text.lower()) if is_name and word(tokens, i - 1) != "." else None
        if value is None or len(found) > _LONGEST:
            found.append(token)
        else:
            found += [made("(", TokenType.L_PAREN, token), *value, made(")", TokenType.R_PAREN, token)]
    return found


@respells_phrase("OFFSET", "bigquery", sign="OFFSET")
def path_with_offset(tokens: Tokens, i: int) -> Edit | None:
    """`FROM t, t.items AS i WITH OFFSET`: an array in FROM is an UNNEST."""
    if word(tokens, i - 1) != "WITH":
        return None
    end = i - 2
    alias: Tokens = []
    if word(tokens, end - 1) == "AS":
        end -= 2
    elif word(tokens, end - 1) != ".":
        end -= 1
    else:
        alias = [made("AS", TokenType.ALIAS, tokens[end]), tokens[end]]
    start = end
    while word(tokens, start - 1) == ".":
        start -= 2
    if start == end or word(tokens, start - 1) not in _BEFORE_ITEM:
        return None
    first, last = tokens[start], tokens[end]
    call = [made("UNNEST", TokenType.UNNEST, first), made("(", TokenType.L_PAREN, first)]
    return Edit(start, end + 1, [*call, *tokens[start : end + 1], made(")", TokenType.R_PAREN, last), *alias])


@respells_phrase("=>", "bigquery", sign="->")
def named_lambda(tokens: Tokens, i: int) -> Edit | None:
    """`transformation => (x, y) -> x`: the grammar reads a lambda only without the argument's name."""
    end = closing(tokens, i + 1) if word(tokens, i + 1) == "(" else i + 1
    return Edit(i - 1, i + 1) if word(tokens, end + 1) == "->" else None


@respells_phrase("<>", "bigquery", sign="STRUCT<>")
def empty_struct(tokens: Tokens, i: int) -> Edit | None:
    """`STRUCT<>()` is `STRUCT()`."""
    return Edit(i, i + 1) if word(tokens, i - 1) == "STRUCT" and word(tokens, i + 1) == "(" else None


@respells_phrase("UNNEST", "bigquery", sign="UNNEST")
def unnest_first_in_brackets(tokens: Tokens, i: int) -> Edit | None:
    """`FROM (UNNEST(a) AS x JOIN u USING (k))`: the grammar joins only what stands in brackets of its own.

    `a LIKE ANY UNNEST(b)` is `a LIKE ANY (b)`.
    """
    if word(tokens, i - 1) in ("ANY", "SOME", "ALL") and word(tokens, i - 2) == "LIKE":
        return Edit(i, i + 1)
    if word(tokens, i - 1) != "(" or word(tokens, i - 2) not in _BEFORE_ITEM or word(tokens, i + 1) != "(":
        return None
    end = following(tokens, closing(tokens, i + 1) + 1, lambda n: word(tokens, n) in _BEHIND_ITEM)
    if word(tokens, end) in ("", ")"):
        return None
    first = tokens[i]
    inside = [made("(", TokenType.L_PAREN, first), *tokens[i:end], made(")", TokenType.R_PAREN, first)]
    return Edit(i, end, inside)


@respells_phrase("RB BR", "bigquery", sign="RB'")
@respells_phrase("RB BR", "bigquery", sign='RB"')
@respells_phrase("RB BR", "bigquery", sign="BR'")
@respells_phrase("RB BR", "bigquery", sign='BR"')
def raw_bytes(tokens: Tokens, i: int) -> Edit | None:
    """`rb'a'`: a string, however its escapes are read."""
    behind = tokens[i + 1] if i + 1 < len(tokens) else None
    is_prefix = behind is not None and behind.token_type is TokenType.STRING and behind.start == tokens[i].end + 1
    return Edit(i, i + 1) if is_prefix else None


@respells_phrase("RETURN", "bigquery", sign="RETURN")
def then_return(tokens: Tokens, i: int) -> Edit | None:
    """GoogleSQL's `THEN RETURN a` behind a change is RETURNING."""
    if word(tokens, i - 1) != "THEN" or word(tokens, i + 1) in ("", ";", "WITH"):
        return None
    return Edit(i - 1, i + 1, [made("RETURNING", TokenType.RETURNING, tokens[i])])


@respells_phrase("ASSERT_ROWS_MODIFIED", "bigquery")
def assert_rows(tokens: Tokens, i: int) -> Edit:
    """`ASSERT_ROWS_MODIFIED 1`: how many rows may change, not which."""
    return Edit(i, i + (3 if word(tokens, i + 1) == "@" else 2))


@respells_phrase("HAVING", "bigquery", sign="HAVING")
def having_max(tokens: Tokens, i: int) -> Edit | None:
    """`ANY_VALUE(x HAVING MAX y - z)`: the grammar takes a single operand, so the expression stands in brackets."""
    if word(tokens, i + 1) not in ("MAX", "MIN") or word(tokens, i + 2) == "(":
        return None
    start = i + 2
    end = following(tokens, start, lambda n: word(tokens, n) in ("ORDER BY", "LIMIT", ")"))
    if end - start < 2 or word(tokens, end) == "":
        return None
    opened, closed = made("(", TokenType.L_PAREN, tokens[start]), made(")", TokenType.R_PAREN, tokens[end - 1])
    return Edit(start, end, [opened, *tokens[start:end], closed])


_ENDS_ARGUMENT = frozenset({TokenType.VAR, TokenType.IDENTIFIER, TokenType.R_PAREN, TokenType.STAR})


@respells_phrase("CLAMPED", "bigquery")
def clamped(tokens: Tokens, i: int) -> Edit | None:
    """`ANON_SUM(x CLAMPED BETWEEN 0 AND 9)`: the bounds of what one person adds, which are constants."""
    if word(tokens, i + 1) != "BETWEEN" or i == 0 or tokens[i - 1].token_type not in _ENDS_ARGUMENT:
        return None
    return Edit(i, following(tokens, i + 2, lambda n: word(tokens, n) == ")"))
