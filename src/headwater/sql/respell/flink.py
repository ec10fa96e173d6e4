"""Flink's phrases: tables and models as arguments, windows, columns of metadata."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.respell.rule import Edit, Tokens, closing, following, made, reads, respells_phrase, word

_DEFINING = frozenset({"CREATE", "REPLACE", "ALTER"})
_IN_CALL = frozenset({"(", ",", "=>"})
_NAMES = (TokenType.VAR, TokenType.IDENTIFIER)


@respells_phrase("TABLE", "flink", sign="TABLE")
def table_argument(tokens: Tokens, i: int) -> Edit | None:
    """`f(TABLE t PARTITION BY a ORDER BY b)` is `f(TABLE(t, (a)))`: how the rows are ordered makes no column."""
    if word(tokens, i - 1) not in _IN_CALL or word(tokens, i + 1) == "(" or i + 1 >= len(tokens):
        return None
    end = _behind_name(tokens, i + 1)
    name = tokens[i + 1 : end]
    keys: Tokens = []
    if word(tokens, end) == "PARTITION BY":
        start, end = end + 1, following(tokens, end + 1, lambda n: _ends_keys(tokens, n))
        comma = made(",", TokenType.COMMA, tokens[start])
        in_brackets = word(tokens, start) == "(" and closing(tokens, start) == end - 1
        keys = [comma, *(tokens[start:end] if in_brackets else _bracketed(tokens[start:end]))]
    if word(tokens, end) == "ORDER BY":
        end = following(tokens, end + 1, lambda n: _ends_argument(tokens, n))
    return Edit(i, end, [tokens[i], *_bracketed([*name, *keys])])


def _behind_name(tokens: Tokens, i: int) -> int:
    """The token behind the dotted name that begins here."""
    end = i + 1
    while word(tokens, end) == "." and end + 1 < len(tokens):
        end += 2
    return end


def _ends_keys(tokens: Tokens, n: int) -> bool:
    return word(tokens, n) == "ORDER BY" or _ends_argument(tokens, n)


def _ends_argument(tokens: Tokens, n: int) -> bool:
    """Whether an argument ends here: with the call, or where the next one begins, `, uid => 'x'`, `, DESCRIPTOR(ts)`, `, TABLE u`."""
    if word(tokens, n) != ",":
        return tokens[n].token_type is TokenType.R_PAREN
    begins = word(tokens, n + 1) in ("TABLE", "DESCRIPTOR", "INTERVAL", "MODEL") or word(tokens, n + 2) == "=>"
    return begins or (n + 1 < len(tokens) and tokens[n + 1].token_type not in _NAMES)


def _bracketed(tokens: Tokens) -> Tokens:
    return [made("(", TokenType.L_PAREN, tokens[0]), *tokens, made(")", TokenType.R_PAREN, tokens[-1])]


@respells_phrase("MODEL", "flink", sign="ML_")
def model_argument(tokens: Tokens, i: int) -> Edit | None:
    """`ML_PREDICT(TABLE t, MODEL m, …)` is `ML_PREDICT(TABLE(t), MODEL(m), …)`."""
    if word(tokens, i - 1) not in _IN_CALL or i + 1 >= len(tokens) or tokens[i + 1].token_type not in _NAMES:
        return None
    end = _behind_name(tokens, i + 1)
    return Edit(i, end, [made("MODEL", TokenType.VAR, tokens[i]), *_bracketed(tokens[i + 1 : end])])


@respells_phrase("SESSION", "flink")
def session_window(tokens: Tokens, i: int) -> Edit | None:
    """`SESSION(TABLE t, …)`, `GROUP BY SESSION(ts, …)`: a function, which the grammar takes for a word of its own."""
    return Edit(i, i + 1, [made("SESSION", TokenType.VAR, tokens[i])]) if word(tokens, i + 1) == "(" else None


@respells_phrase("WITHIN", "flink", sign="MATCH_RECOGNIZE")
def pattern_duration(tokens: Tokens, i: int) -> Edit | None:
    """`PATTERN (a b+) WITHIN INTERVAL '1' HOUR`: how long a match may last, a constant."""
    if not reads(tokens, i + 1, "INTERVAL"):
        return None
    return Edit(i, following(tokens, i, lambda n: word(tokens, n) in ("DEFINE", ")")))


@respells_phrase("MAP", "flink")
def map_constructor(tokens: Tokens, i: int) -> Edit | None:
    """`MAP['a', x]` is a call of its keys and values."""
    if word(tokens, i + 1) != "[":
        return None
    depth, end = 0, i + 1
    while end < len(tokens):
        depth += (tokens[end].token_type is TokenType.L_BRACKET) - (tokens[end].token_type is TokenType.R_BRACKET)
        if depth == 0:
            break
        end += 1
    if end == len(tokens):
        return None
    return Edit(i, end + 1, [tokens[i], *_bracketed(tokens[i + 2 : end])] if end > i + 2 else tokens[i : i + 1])


@respells_phrase("ROW", "flink")
def row_constructor(tokens: Tokens, i: int) -> Edit | None:
    """`ROW(a, b)` makes a struct."""
    return Edit(i, i + 1, [made("STRUCT", TokenType.STRUCT, tokens[i])]) if word(tokens, i + 1) == "(" else None


@respells_phrase("METADATA", "flink")
def metadata_column(tokens: Tokens, i: int) -> Edit | None:
    """`ts TIMESTAMP METADATA FROM 'timestamp'` is a column like others; a VIRTUAL one only the connector fills, as a database counts."""
    if word(tokens, 0) not in _DEFINING or word(tokens, i - 1) in ("(", ",", ".", "", "TABLE", "EXISTS"):
        return None
    end = i + 1
    if word(tokens, end) == "FROM" and end + 1 < len(tokens) and tokens[end + 1].token_type is TokenType.STRING:
        end += 2
    if word(tokens, end) != "VIRTUAL":
        return Edit(i, end)
    kinds = (
        ("GENERATED", TokenType.VAR),
        ("ALWAYS", TokenType.VAR),
        ("AS", TokenType.ALIAS),
        ("IDENTITY", TokenType.VAR),
    )
    return Edit(i, end + 1, [made(text, kind, tokens[i]) for text, kind in kinds])


@respells_phrase("WATERMARK", "flink")
def watermark(tokens: Tokens, i: int) -> Edit | None:
    """`(…, WATERMARK FOR ts AS ts - INTERVAL '5' SECOND, …)`: how late rows may come."""
    if word(tokens, 0) not in _DEFINING or word(tokens, i + 1) != "FOR" or word(tokens, i - 1) not in ("(", ","):
        return None
    end = following(tokens, i, lambda n: word(tokens, n) == "," or tokens[n].token_type is TokenType.R_PAREN)
    if word(tokens, end) == ",":
        return Edit(i, end + 1)
    return Edit(i - 1, end) if word(tokens, i - 1) == "," else Edit(i - 1, end + 1)
