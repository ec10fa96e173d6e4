"""Respellings of Transact-SQL."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.respell.rule import (
    Edit,
    Tokens,
    closing,
    following,
    made,
    reads,
    respells,
    respells_phrase,
    word,
)

_OPERATORS = frozenset({"+", "-", "*", "/", "%", "&", "|", "^"})
_CHANGES = frozenset({"DELETE", "UPDATE", "INSERT", "MERGE"})


@respells("=", "tsql", first="UPDATE MERGE WITH SELECT SET")
def compound_assignment(tokens: Tokens, i: int) -> Tokens:
    """`SET a += b` is `SET a = a + b`; `@v += b` is `@v = @v + b`."""
    operator = tokens[i - 1] if i > 2 else None
    if operator is None or operator.text not in _OPERATORS or operator.end + 1 != tokens[i].start:
        return tokens
    first = i - 2
    if tokens[first - 1].token_type is TokenType.PARAMETER:
        return [*tokens[: i - 1], tokens[i], *tokens[first - 1 : i], *tokens[i + 1 :]]
    while first > 1 and tokens[first - 1].token_type is TokenType.DOT:
        first -= 2
    if word(tokens, first - 1) not in ("SET", ",", "="):
        return tokens
    name = tokens[first : i - 1]
    if len(name) == 1:
        name = [*_target(tokens, first), *name]
    return [*tokens[: i - 1], tokens[i], *name, operator, *tokens[i + 1 :]]


@respells("TOP", "tsql", first="DELETE UPDATE INSERT MERGE")
def changed_rows(tokens: Tokens, i: int) -> Tokens:
    """`DELETE TOP (10) FROM t`: how many rows are changed, not which."""
    if word(tokens, i - 1) not in _CHANGES or word(tokens, i + 1) != "(":
        return tokens
    end = closing(tokens, i + 1) + 1
    return [*tokens[:i], *tokens[end + (word(tokens, end) == "PERCENT") :]]


@respells("DELETE", "tsql", first="DELETE WITH")
def deleted_from(tokens: Tokens, i: int) -> Tokens:
    """`DELETE FROM x FROM t AS x JOIN u …`: the first FROM may be left out."""
    at = closing(tokens, i + 2) + 1 if (word(tokens, i + 1), word(tokens, i + 2)) == ("TOP", "(") else i + 1
    end = at + 2
    while word(tokens, end) == ".":
        end += 2
    if word(tokens, end) == "WITH" and word(tokens, end + 1) == "(":
        end = closing(tokens, end + 1) + 1
    if word(tokens, at) != "FROM" or word(tokens, end) not in ("FROM", "OUTPUT"):
        return tokens
    return [*tokens[:at], *tokens[at + 1 :]]


@respells("WITH", "tsql", first="INSERT")
@respells("WITH", "tsql", first="WITH", sign="INSERT")
def hints_of_target(tokens: Tokens, i: int) -> Tokens:
    """`INSERT INTO t WITH (TABLOCK) (a) …`: how the table is locked."""
    if word(tokens, i + 1) != "(" or not _is_target(tokens, i - 1):
        return tokens
    return [*tokens[:i], *tokens[closing(tokens, i + 1) + 1 :]]


def _is_target(tokens: Tokens, i: int) -> bool:
    """Whether a name that ends with the i-th token is all that stands behind INSERT INTO."""
    while i > 1 and tokens[i - 1].token_type is TokenType.DOT:
        i -= 2
    before = i - (word(tokens, i - 1) in ("#", "##", "@") and i > 1)
    if word(tokens, before - 1) in ("INSERT", "INTO"):
        return True
    return word(tokens, before - 1) == ")" and i < 16


@respells("DELETE", "tsql", first="SELECT WITH INSERT", sign="OUTPUT")
@respells("UPDATE", "tsql", first="SELECT WITH INSERT", sign="OUTPUT")
@respells("INSERT", "tsql", first="SELECT WITH INSERT", sign="OUTPUT")
def changed_in_from(tokens: Tokens, i: int) -> Tokens:
    """`FROM (DELETE FROM t OUTPUT deleted.a) AS x`: the changed rows, as a WITH whose body hands them back."""
    if i < 3 or word(tokens, i - 1) != "(" or word(tokens, i - 2) not in ("FROM", "JOIN", ","):
        return tokens
    end = closing(tokens, i - 1)
    at = tokens[i]
    name = made("changed_rows", TokenType.VAR, at)
    change = [tokens[i - 1], *_output_last(tokens[i:end]), tokens[end]]
    cte = [name, made("AS", TokenType.ALIAS, at), *change]
    rest = [*tokens[: i - 1], name, *tokens[end + 1 :]]
    if word(rest, 0) == "WITH":
        body = following(rest, 1, lambda n: word(rest, n) in ("SELECT", "INSERT"))
        return [*rest[:body], made(",", TokenType.COMMA, at), *cte, *rest[body:]]
    return [made("WITH", TokenType.WITH, at), *cte, *rest]


def _output_last(tokens: Tokens) -> Tokens:
    """A DELETE with its OUTPUT behind WHERE, where the grammar wants it."""
    start = following(tokens, 0, lambda n: word(tokens, n) == "OUTPUT") if word(tokens, 0) == "DELETE" else len(tokens)
    end = following(tokens, start, lambda n: word(tokens, n) in ("WHERE", "FROM"))
    return [*tokens[:start], *tokens[end:], *tokens[start:end]]


@respells("XMLNAMESPACES", "tsql", first="WITH")
def names_of_documents(tokens: Tokens, i: int) -> Tokens:
    """`WITH XMLNAMESPACES ('uri' AS ns), c AS (…) SELECT …`: short names for what stands in the paths of documents."""
    if i != 1 or word(tokens, 2) != "(":
        return tokens
    end = closing(tokens, 2) + 1
    return [tokens[0], *tokens[end + 1 :]] if word(tokens, end) == "," else tokens[end:]


@respells("NODE", "tsql", first="CREATE")
@respells("EDGE", "tsql", first="CREATE")
def graph_table(tokens: Tokens, i: int) -> Tokens:
    """`CREATE TABLE t (…) AS NODE`: a table of a graph."""
    is_table = (
        word(tokens, i - 1) == "AS" and word(tokens, 1) == "TABLE" and word(tokens, i + 1) in ("", ";", "ON", "WITH")
    )
    return tokens[: i - 1] + tokens[i + 1 :] if is_table else tokens


@respells("CLONE", "tsql", first="CREATE")
def clone_of(tokens: Tokens, i: int) -> Tokens:
    """Fabric's `CREATE TABLE t AS CLONE OF u AT '…'` is `CREATE TABLE t CLONE u AT '…'`."""
    return [*tokens[: i - 1], tokens[i], *tokens[i + 2 :]] if reads(tokens, i - 1, "AS", "CLONE", "OF") else tokens


@respells("CONNECTION", "tsql", first="CREATE ALTER")
def edge_constraint(tokens: Tokens, i: int) -> Tokens:
    """`CONSTRAINT c CONNECTION (a TO b) ON DELETE CASCADE`: which nodes an edge may join; a CHECK to the grammar."""
    if word(tokens, i + 1) != "(":
        return tokens
    end = closing(tokens, i + 1)
    check, always = made("CHECK", TokenType.VAR, tokens[i]), made("1", TokenType.NUMBER, tokens[i])
    rest = tokens[end + 1 :]
    if reads(rest, 0, "ON", "DELETE"):
        rest = rest[4:] if word(rest, 2) == "NO" else rest[3:]
    return [*tokens[:i], check, tokens[i + 1], always, tokens[end], *rest]


@respells_phrase("OPTION", "tsql")
def query_hints(tokens: Tokens, i: int) -> Edit | None:
    """`OPTION (USE HINT('…'), OPTIMIZE FOR (@x = 5), MAXDOP 2)`: how the rows are found, never which.

    Fabric's `OPTION (FOR TIMESTAMP AS OF '…')` is left to the reader of such queries.
    """
    if word(tokens, i + 1) != "(" or reads(tokens, i + 2, "FOR", "TIMESTAMP"):
        return None
    return Edit(i, closing(tokens, i + 1) + 1)


@respells_phrase("SPATIAL_WINDOW_MAX_CELLS", "tsql")
def hint_with_value(tokens: Tokens, i: int) -> Edit | None:
    """`WITH (NOLOCK, SPATIAL_WINDOW_MAX_CELLS = 512)`: a hint of a table that has a value."""
    return Edit(i + 1, i + 3) if word(tokens, i + 1) == "=" else None


@respells_phrase("!", "tsql")
def not_less(tokens: Tokens, i: int) -> Edit | None:
    """`a !< b` is `a >= b`, `a !> b` is `a <= b`, `a ! = b` is `a != b`."""
    opposite = _NEGATED.get(word(tokens, i + 1))
    return Edit(i, i + 2, [made(*opposite, tokens[i])]) if opposite else None


_APART = {(">", "="): (">=", TokenType.GTE), ("<", "="): ("<=", TokenType.LTE), ("<", ">"): ("<>", TokenType.NEQ)}
_NEGATED = {"<": (">=", TokenType.GTE), ">": ("<=", TokenType.LTE), "=": ("!=", TokenType.NEQ)}


@respells_phrase("> <", "tsql", "oracle", sign="> =")
@respells_phrase("> <", "tsql", "oracle", sign="< =")
@respells_phrase("> <", "tsql", "oracle", sign="< >")
def operator_apart(tokens: Tokens, i: int) -> Edit | None:
    """`a > = b`: white space may stand inside of an operator."""
    operator = _APART.get((word(tokens, i), word(tokens, i + 1)))
    return Edit(i, i + 2, [made(*operator, tokens[i])]) if operator else None


@respells_phrase("INDEX", "tsql")
def index_hint(tokens: Tokens, i: int) -> Edit | None:
    """`WITH (INDEX = ix)` is `WITH (INDEX(ix))`."""
    if word(tokens, i + 1) != "=" or word(tokens, i - 1) not in ("(", ",") or i + 2 >= len(tokens):
        return None
    if word(tokens, i + 2) == "(":
        return Edit(i + 1, i + 2)
    name = tokens[i + 2]
    return Edit(i + 1, i + 3, [made("(", TokenType.L_PAREN, name), name, made(")", TokenType.R_PAREN, name)])


@respells_phrase("ON", "tsql")
def filegroup(tokens: Tokens, i: int) -> Edit | None:
    """`SELECT … INTO t ON [PRIMARY] FROM …`: where the new table is stored."""
    start = i - 1
    while start > 1 and tokens[start - 1].token_type is TokenType.DOT:
        start -= 2
    return Edit(i, i + 2) if start > 1 and word(tokens, start - 1) == "INTO" else None


@respells_phrase("LANGUAGE", "tsql", sign="CONTAINS")
@respells_phrase("LANGUAGE", "tsql", sign="FREETEXT")
def search_language(tokens: Tokens, i: int) -> Edit | None:
    """`CONTAINS(a, 'word', LANGUAGE 1033)`: the language of the words is a constant."""
    return Edit(i, i + 1) if word(tokens, i - 1) == "," and i + 1 < len(tokens) else None


@respells_phrase("PARSE TRY_PARSE", "tsql")
def parsed_text(tokens: Tokens, i: int) -> Edit | None:
    """`PARSE(x AS date USING 'en-US')` is a cast; the culture of its text may be a column, so it is a call of both."""
    if word(tokens, i + 1) != "(":
        return None
    end = closing(tokens, i + 1)
    as_ = following(tokens, i + 2, lambda n: word(tokens, n) == "AS" or n >= end)
    if as_ >= end:
        return None
    using = following(tokens, as_, lambda n: word(tokens, n) == "USING" or n >= end)
    culture = [made(",", TokenType.COMMA, tokens[using]), *tokens[using + 1 : end]] if using < end else []
    name = made(tokens[i].text, TokenType.VAR, tokens[i])
    return Edit(i, end, [name, *tokens[i + 1 : as_], *culture])


def _target(tokens: Tokens, i: int) -> Tokens:
    """The name of the table that the UPDATE around the i-th token changes, and a dot: its column is meant, nobody else's."""
    while i and word(tokens, i) != "SET":
        i -= 1
    before = tokens[i - 1]
    if i < 2 or word(tokens, i - 1) == "UPDATE" or before.token_type is TokenType.R_PAREN:
        return []
    return [before, made(".", TokenType.DOT, before)]
