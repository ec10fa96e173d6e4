"""Teradata's phrases in brackets behind an expression: `a (NAMED b)`, `a (FORMAT 'X9')`, `a (INTEGER)`."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.respell.rule import Edit, Tokens, closing, following, made, respells, respells_phrase, word

_PHRASES = frozenset({"NAMED", "FORMAT", "TITLE", "CASESPECIFIC", "CS", "UPPERCASE"})
_VALUE_ENDS = frozenset(
    {TokenType.VAR, TokenType.IDENTIFIER, TokenType.R_PAREN, TokenType.STRING, TokenType.NUMBER, TokenType.END}
)
_TYPES = frozenset(
    {"INTEGER", "INT", "SMALLINT", "BIGINT", "BYTEINT", "DECIMAL", "DEC", "NUMERIC", "NUMBER", "FLOAT", "REAL", "CHAR"}
    | {"VARCHAR", "CHARACTER", "DATE", "TIME", "TIMESTAMP", "BYTE", "VARBYTE"}
)


@respells_phrase("(", "teradata")
def phrase(tokens: Tokens, i: int) -> Edit | None:
    """`a (INTEGER, FORMAT '9', NAMED b)` is `a::INTEGER AS b`; a title or a format alone changes nothing that flows."""
    first = word(tokens, i + 1)
    if first == "NOT" and word(tokens, i + 2) in ("CASESPECIFIC", "CS") and word(tokens, i + 3) == ")":
        return Edit(i, i + 4)
    if first not in _PHRASES and first not in _TYPES:
        return None
    end = closing(tokens, i)
    parts = _parts(tokens, i, end)
    if i == 0 or not parts or not all(word(p, 0) in _PHRASES for p in parts[first in _TYPES :]):
        return None
    if first in _TYPES and not _converts(tokens, i, parts[0]):
        return None
    spelled: Tokens = []
    for part in parts:
        if word(part, 0) == "NAMED" and len(part) == 2:
            spelled += [made("AS", TokenType.ALIAS, part[0]), part[1]]
        elif word(part, 0) in _TYPES:
            spelled = [made("::", TokenType.DCOLON, part[0]), *part, *spelled]
    return Edit(i, end + 1, spelled)


def _parts(tokens: Tokens, opening: int, end: int) -> list[list[Token]]:
    """What stands between the commas of a bracket."""
    parts: list[list[Token]] = [[]]
    i = opening + 1
    while i < end:
        stop = closing(tokens, i) if word(tokens, i) == "(" else i
        if word(tokens, i) == ",":
            parts.append([])
        else:
            parts[-1].extend(tokens[i : stop + 1])
        i = stop + 1
    return [p for p in parts if p]


def _converts(tokens: Tokens, i: int, kind: list[Token]) -> bool:
    """Whether a type in brackets converts what stands before: a value, and a space between, unlike a call's bracket."""
    before = tokens[i - 1]
    value = before.token_type in _VALUE_ENDS
    plain = len(kind) == 1 or word(kind, 1) == "("
    return value and plain and before.end + 1 < tokens[i].start


@respells_phrase("YEAR MONTH DAY HOUR MINUTE", "teradata")
def interval_of_difference(tokens: Tokens, i: int) -> Edit | None:
    """`(a - b) DAY(4) TO SECOND(0)`: the unit of a difference, which changes nothing that flows."""
    if i == 0 or tokens[i - 1].token_type not in (TokenType.R_PAREN, TokenType.VAR, TokenType.IDENTIFIER):
        return None
    end = _precision(tokens, i + 1)
    if word(tokens, end) == "TO":
        return Edit(i, _precision(tokens, end + 2))
    return Edit(i, end) if end > i + 1 else None


def _precision(tokens: Tokens, i: int) -> int:
    """Behind the digits of a unit that begin there, `(4)`; *i* itself if there are none."""
    has_digits = word(tokens, i) == "(" and i + 1 < len(tokens) and tokens[i + 1].token_type is TokenType.NUMBER
    return closing(tokens, i) + 1 if has_digits else i


@respells_phrase("RANK", "teradata")
def old_rank(tokens: Tokens, i: int) -> Edit | None:
    """`RANK(a DESC)` is `RANK() OVER (ORDER BY a DESC)`."""
    end = closing(tokens, i + 1) if word(tokens, i + 1) == "(" else 0
    if end <= i + 2 or word(tokens, end + 1) in ("OVER", "WITHIN"):
        return None
    at = tokens[i]
    brackets = [made("(", TokenType.L_PAREN, at), made(")", TokenType.R_PAREN, at)]
    over = [made("OVER", TokenType.OVER, at), brackets[0], made("ORDER BY", TokenType.ORDER_BY, at)]
    return Edit(i, end + 1, [at, *brackets, *over, *tokens[i + 2 : end], brackets[1]])


@respells_phrase("RESET", "teradata")
def reset_when(tokens: Tokens, i: int) -> Edit | None:
    """`OVER (ORDER BY d RESET WHEN b < 0 ROWS …)`: the condition divides the rows, as one more key of the window does."""
    if word(tokens, i + 1) != "WHEN":
        return None
    end = following(tokens, i + 2, lambda n: word(tokens, n) in ("ROWS", "RANGE", ")"))
    at = tokens[i]
    before = [made(",", TokenType.COMMA, at), made("(", TokenType.L_PAREN, at)]
    return Edit(i, end, [*before, *tokens[i + 2 : end], made(")", TokenType.R_PAREN, at)])


@respells("INSERT", "teradata")
@respells("INS", "teradata")
def values_without_the_word(tokens: Tokens, i: int) -> Tokens:
    """`INSERT INTO t (1, 'x')`, in MERGE `INSERT (s.a, s.b)`: one bracket, and it holds the values."""
    name = i + 2 if word(tokens, i + 1) == "INTO" else i + 1
    opening = name
    if i == 0:
        opening = name + 1
        while word(tokens, opening) == ".":
            opening += 2
    if word(tokens, opening) != "(":
        return tokens
    end = closing(tokens, opening)
    if end + 1 < len(tokens) and word(tokens, end + 1) != "WHEN":
        return tokens
    return [*tokens[:opening], made("VALUES", TokenType.VALUES, tokens[opening]), *tokens[opening:]]


@respells("STATS", "teradata", first="CREATE")
@respells("STAT", "teradata", first="CREATE")
def with_statistics(tokens: Tokens, i: int) -> Tokens:
    """`CREATE TABLE o AS t WITH DATA AND STATS`: the short word for STATISTICS."""
    if word(tokens, i - 1) not in ("AND", "NO"):
        return tokens
    return [*tokens[:i], made("STATISTICS", TokenType.VAR, tokens[i]), *tokens[i + 1 :]]


@respells("USING", "teradata", first="USING")
def imported_row(tokens: Tokens, i: int) -> Tokens:
    """`USING (id INTEGER) UPDATE t SET …`: the names of what a client sends, which are parameters."""
    if i or word(tokens, 1) != "(":
        return tokens
    rest = tokens[closing(tokens, 1) + 1 :]
    if not rest:
        return tokens
    found = _first(rest, "ELSE")
    return else_insert(rest, found) if found < len(rest) else rest


@respells("ELSE", "teradata", first="UPDATE UPD")
def else_insert(tokens: Tokens, i: int) -> Tokens:
    """`UPDATE t SET a = 1 WHERE k = 2 ELSE INSERT INTO t (k, a) VALUES (2, 1)` is a MERGE by the condition."""
    if word(tokens, i + 1) not in ("INSERT", "INS") or following(tokens, 0, lambda n: n == i) != i:
        return tokens
    from_, set_, where = _first(tokens, "FROM"), _first(tokens, "SET"), _first(tokens, "WHERE")
    opening, values = _first(tokens, "(", i), _first(tokens, "VALUES", i)
    if word(tokens, 0) not in ("UPDATE", "UPD") or not set_ < where < i or opening == len(tokens):
        return tokens
    at = tokens[0]
    if values == len(tokens):  # `INSERT t (2, 1)`: the bracket holds the values
        tokens, values = [*tokens[:opening], made("VALUES", TokenType.VALUES, at), *tokens[opening:]], opening
    target = tokens[1 : min(set_, from_)]
    source = tokens[from_ + 1 : set_ if from_ < set_ else where] if from_ < where else _one_row(at)
    assigned = tokens[set_ : from_ if set_ < from_ < where else where]
    listed = tokens[opening:values] if opening < values else []
    return [
        *_words("MERGE INTO", at),
        *target,
        *_words("USING", at),
        *source,
        *_words("ON", at),
        *tokens[where + 1 : i],
        *_words("WHEN MATCHED THEN UPDATE", at),
        *assigned,
        *_words("WHEN NOT MATCHED THEN INSERT", at),
        *listed,
        *tokens[values:],
    ]


def _first(tokens: Tokens, expected: str, start: int = 0) -> int:
    """Where a word stands first, outside of brackets; the end if it does not."""
    return following(tokens, start, lambda n: word(tokens, n) == expected)


def _one_row(at: Token) -> Tokens:
    """`(SELECT 1) one_row`: what is compared is in the condition itself."""
    return _words("( SELECT 1 AS one ) one_row", at)


_KINDS = {
    "MERGE": TokenType.MERGE,
    "INTO": TokenType.INTO,
    "USING": TokenType.USING,
    "ON": TokenType.ON,
    "WHEN": TokenType.WHEN,
    "THEN": TokenType.THEN,
    "UPDATE": TokenType.UPDATE,
    "NOT": TokenType.NOT,
    "INSERT": TokenType.INSERT,
    "SELECT": TokenType.SELECT,
    "AS": TokenType.ALIAS,
    "(": TokenType.L_PAREN,
    ")": TokenType.R_PAREN,
    "1": TokenType.NUMBER,
}


def _words(text: str, at: Token) -> Tokens:
    return [made(each, _KINDS.get(each, TokenType.VAR), at) for each in text.split()]
