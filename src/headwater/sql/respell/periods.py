"""Teradata's periods: their functions, predicates and operators, NORMALIZE, EXPAND ON, and the buckets of CASE_N and RANGE_N."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.respell.rule import (
    Edit,
    Tokens,
    closing,
    following,
    made,
    opening,
    respells,
    respells_phrase,
    word,
)

_VALUE_ENDS = frozenset(
    {TokenType.VAR, TokenType.IDENTIFIER, TokenType.R_PAREN, TokenType.STRING, TokenType.NUMBER, TokenType.END}
)
_BEFORE_VALUES = frozenset(
    {"SELECT", "DISTINCT", "WHERE", "AND", "OR", "NOT", "ON", "HAVING", "QUALIFY", "WHEN", "THEN", "ELSE", "CASE"}
    | {"BETWEEN", "IN", "ORDER BY", "GROUP BY", "PARTITION BY", "VALUES", "CONTAINS", "PRECEDES", "MEETS", "OVERLAPS"}
    | {",", "(", "=", "<", ">", "<=", ">=", "<>", "+", "-", "*", "/", "||"}
)
"""Words behind which a value begins: `BEGIN(p)` and `END(p)` are functions there."""
_NOT_VALUES = frozenset({"", ",", ")", "FROM", "AS", ";", ".", "=", "WHERE", "AND", "OR"})
_CLAUSES = frozenset({"WHERE", "GROUP BY", "HAVING", "QUALIFY", "ORDER BY", "SAMPLE", "WITH"})
_NAMED = TokenType.VAR


@respells_phrase("BEGIN END LAST PRIOR NEXT", "teradata")
def function_of_period(tokens: Tokens, i: int) -> Edit | None:
    """`BEGIN(p)`, `END(p)`: functions that are called like other words of the grammar."""
    if word(tokens, i + 1) != "(" or word(tokens, i - 1) not in _BEFORE_VALUES:
        return None
    return Edit(i, i + 1, [made(f"PERIOD_{word(tokens, i)}", _NAMED, tokens[i])])


@respells_phrase("INTERVAL", "teradata")
def length_of_period(tokens: Tokens, i: int) -> Edit | None:
    """`INTERVAL(p) DAY TO SECOND` is a function of the period; the unit changes nothing that flows."""
    if word(tokens, i + 1) != "(":
        return None
    close = closing(tokens, i + 1)
    end = _behind_unit(tokens, close + 1)
    end = _behind_unit(tokens, end + 1) if word(tokens, end) == "TO" else end
    return Edit(i, end, [made("PERIOD_INTERVAL", _NAMED, tokens[i]), *tokens[i + 1 : close + 1]])


def _behind_unit(tokens: Tokens, i: int) -> int:
    return closing(tokens, i + 1) + 1 if word(tokens, i + 1) == "(" else i + 1


@respells_phrase("CONTAINS PRECEDES SUCCEEDS MEETS EQUALS", "teradata", "ansi")
def predicate(tokens: Tokens, i: int) -> Edit | None:
    """`p IMMEDIATELY PRECEDES q`: the grammar knows OVERLAPS alone."""
    start = i - (word(tokens, i - 1) == "IMMEDIATELY")
    start -= word(tokens, start - 1) == "NOT"
    if not _is_infix(tokens, start, i):
        return None
    return Edit(start, i + 1, [made("OVERLAPS", TokenType.OVERLAPS, tokens[i])])


@respells_phrase("P_INTERSECT P_NORMALIZE LDIFF RDIFF", "teradata")
def operator(tokens: Tokens, i: int) -> Edit | None:
    """`p P_INTERSECT q` makes a period of two."""
    return Edit(i, i + 1, [made("||", TokenType.DPIPE, tokens[i])]) if _is_infix(tokens, i, i) else None


def _is_infix(tokens: Tokens, start: int, i: int) -> bool:
    """Whether a value ends before the word, and another begins behind it: not an alias, not a call."""
    return start > 0 and tokens[start - 1].token_type in _VALUE_ENDS and word(tokens, i + 1) not in _NOT_VALUES


@respells_phrase("NORMALIZE", "teradata")
def normalized(tokens: Tokens, i: int) -> Edit | None:
    """`SELECT NORMALIZE ON MEETS OR OVERLAPS a, p`: rows that differ in nothing but their periods become one, as by DISTINCT."""
    if word(tokens, i - 1) != "SELECT":
        return None
    end = i + 1
    if word(tokens, end) == "ON":
        end += 2
        end += 2 if word(tokens, end) == "OR" else 0
    elif end >= len(tokens) or tokens[end].token_type not in _VALUE_ENDS or word(tokens, end) == ")":
        return None
    return Edit(i, end, [made("DISTINCT", TokenType.DISTINCT, tokens[i])])


@respells("EXPAND", "teradata")
def expanded(tokens: Tokens, i: int) -> Tokens:
    """`FROM t … EXPAND ON p AS q BY INTERVAL '1' DAY`: a row for each part q of the period, as a generator in FROM gives them."""
    by = following(tokens, i + 2, lambda n: word(tokens, n) in ("BY", ")"))
    start = _clauses(tokens, i)
    if word(tokens, i + 1) != "ON" or by >= len(tokens) or word(tokens, by) == ")" or start < 0:
        return tokens
    end = following(tokens, by, lambda n: word(tokens, n) in (")", ";", "QUALIFY", "ORDER BY", "WITH"))
    as_ = following(tokens, i + 2, lambda n: n >= by or word(tokens, n) == "AS")
    at = tokens[i]
    name = tokens[as_ + 1] if as_ < by else made("expanded period", TokenType.IDENTIFIER, at)
    view = [made("LATERAL", TokenType.LATERAL, at), made("VIEW", TokenType.VIEW, at), made("EXPLODE", _NAMED, at)]
    brackets = made("(", TokenType.L_PAREN, at), made(")", TokenType.R_PAREN, at)
    alias = [made("expanded", TokenType.IDENTIFIER, at), made("AS", TokenType.ALIAS, at), name]
    generator = [*view, brackets[0], *tokens[i + 2 : min(as_, by)], brackets[1], *alias]
    return [*tokens[:start], *generator, *tokens[start:i], *tokens[end:]]


def _clauses(tokens: Tokens, i: int) -> int:
    """Where the clauses behind the FROM of the same query begin, before the *i*-th token; -1 if there is no FROM."""
    first = i
    while i > 0:
        i -= 1
        if tokens[i].token_type is TokenType.R_PAREN:
            i = opening(tokens, i)
        elif word(tokens, i) in _CLAUSES:
            first = i
        elif word(tokens, i) == "FROM":
            return first
        elif tokens[i].token_type is TokenType.L_PAREN or word(tokens, i) == "SELECT":
            return -1
    return -1


@respells_phrase("CASE_N", "teradata")
def number_of_condition(tokens: Tokens, i: int) -> Edit | None:
    """`CASE_N(a < 1, b < 2, NO CASE OR UNKNOWN)` is `CASE WHEN a < 1 THEN 1 WHEN b < 2 THEN 1 END`."""
    at, spelled = tokens[i], [made("CASE", TokenType.CASE, tokens[i])]

    def add(part: Tokens) -> None:
        then = [made("THEN", TokenType.THEN, at), made("1", TokenType.NUMBER, at)]
        spelled.extend([made("WHEN", TokenType.WHEN, at), *part, *then])

    end = _each_part(tokens, i, add)
    return Edit(i, end, [*spelled, made("END", TokenType.END, at)]) if end and len(spelled) > 1 else None


@respells_phrase("RANGE_N", "teradata")
def number_of_range(tokens: Tokens, i: int) -> Edit | None:
    """`RANGE_N(d BETWEEN a AND b EACH c, NO RANGE)` is a call of these values."""
    spelled: Tokens = []

    def add(part: Tokens) -> None:
        comma = made(",", TokenType.COMMA, tokens[i])
        spelled.extend([comma] if spelled else [])
        spelled.extend(comma if word(part, n) in ("BETWEEN", "AND", "EACH") else token for n, token in enumerate(part))

    end = _each_part(tokens, i, add)
    known = [token for token in spelled if token.token_type is not TokenType.STAR]
    return Edit(i, end, [*tokens[i : i + 2], *_without_gaps(known), tokens[end - 1]]) if end and known else None


def _without_gaps(tokens: Tokens) -> Tokens:
    """Arguments without commas that follow each other: `*` is an open end."""
    comma = TokenType.COMMA
    kept = [
        t for n, t in enumerate(tokens) if t.token_type is not comma or (n and tokens[n - 1].token_type is not comma)
    ]
    return kept[:-1] if kept and kept[-1].token_type is comma else kept


def _each_part(tokens: Tokens, i: int, add: Callable[[list[Token]], None]) -> int:
    """Hand over what stands between the commas of a call, but for NO CASE, NO RANGE and UNKNOWN; gives the end of the call, or 0."""
    if word(tokens, i + 1) != "(":
        return 0
    end, start = closing(tokens, i + 1), i + 2
    while start < end:
        comma = following(tokens, start, lambda n: n >= end or tokens[n].token_type is TokenType.COMMA)
        if word(tokens, start) not in ("NO", "UNKNOWN"):
            add(tokens[start : min(comma, end)])
        start = comma + 1
    return end + 1
