"""Functions whose arguments the grammar takes only in part, most of them in FROM: read without the words that say nothing about columns.

`… ON EMPTY` and wrappers in JSON_TABLE, BY REF in XMLTABLE, PARTITION BY behind a table argument go; `BULK 'x'`
becomes `BULK = 'x'`, the columns behind OPENROWSET's WITH its alias's column list, BigQuery's `TABLE t` becomes
`TABLE(t)`, and columns called like types are quoted. What stands in FROM without being a call is made one: `EXTERNAL 'x' (a INT)`
becomes `EXTERNAL('x') AS e (a)`, `(LOCATION = 'x')` becomes `READ_NOS('x')`, `FOREIGN TABLE (q)@s` becomes `FOREIGN_TABLE((q), s)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.grammar import parse_statement
from headwater.sql.reading.reading import Reading, is_string, reads, word

Rewrite = Callable[[Reading, list[Token]], None]
"""Moves a reading behind a function's name and its brackets, and adds what the grammar should read instead."""


@reads("SELECT", "WITH", "INSERT", "CREATE", "MERGE", "UPDATE", "DELETE", "(")
def table_source(reading: Reading) -> Any:
    """A statement with such a function, as the grammar reads it without those words."""
    rewritten: list[Token] = []
    found = False
    while reading:
        rewrite = _rewrite_of(reading)
        if rewrite is None:
            rewritten.append(reading.token())
        else:
            found = True
            rewrite(reading, rewritten)
    if not found or rewritten == list(reading.tokens):
        return None
    return parse_statement(rewritten, reading.sql, reading.dialect)


def _rewrite_of(reading: Reading) -> Rewrite | None:
    """What is to be done with the word here, if anything."""
    here, ahead, dialect = reading.word(), reading.word(1), reading.dialect.family
    if dialect == "teradata" and here == "(" and ahead == "LOCATION" and reading.word(2) == "=":
        return _read_nos
    if dialect == "teradata" and here == "FOREIGN" and ahead == "TABLE" and reading.word(2) == "(":
        return _foreign_table
    if dialect in ("oracle", "db2") and here == "EXTERNAL" and _stands_in_from(reading):
        return _external
    if dialect == "bigquery" and _is_table_argument(reading):
        return _table_argument
    return _REWRITES.get(here) if ahead == "(" else None


def _stands_in_from(reading: Reading) -> bool:
    return reading.at > 0 and word(reading.tokens[reading.at - 1]) in ("FROM", ",", "JOIN")


def _like(token: Token, kind: TokenType, text: str) -> Token:
    """A token that the script lacks, at the place of another."""
    return Token(kind, text, token.line, token.col, token.start, token.end)


def _bracketed(reading: Reading, into: list[Token]) -> Reading:
    """The inside of the brackets behind a name; the name and the opening bracket are added already."""
    into.append(reading.token())
    into.append(reading.here)
    inside = reading.brackets()
    return Reading(inside, reading.sql, reading.dialect)


def _column_name(inside: Reading, into: list[Token]) -> bool:
    """Take a column's name where one begins, behind COLUMNS: quoted, as the grammar would take `name` and its like for types."""
    named = word(into[-1]) in ("COLUMNS", "(", ",")
    if not named or inside.word() in ("(", "NESTED") or inside.word(1) in (")", ",", "(", "."):
        return False
    token = inside.token()
    if token.token_type is TokenType.IDENTIFIER:
        into.append(token)
    else:
        into.append(_like(token, TokenType.IDENTIFIER, inside.dialect.fold_column(token.text, False)))
    return True


def _with_passed(inside: Reading) -> Reading:
    """`doc, path PASSING x AS y` as `(doc, x), path`: what is passed makes the rows as well."""
    comma, passing = inside.find(","), inside.find("PASSING")
    if not 0 <= comma < passing:
        return inside
    tokens = inside.tokens
    inside.at = passing + 1
    passed = inside.until("COLUMNS")
    path, rest = tokens[comma:passing], inside.rest()
    document = [_like(tokens[0], TokenType.L_PAREN, "("), *tokens[:comma]]
    for value in _before_names(passed):
        document += [_like(value[0], TokenType.COMMA, ","), *value]
    document.append(_like(tokens[0], TokenType.R_PAREN, ")"))
    return Reading([*document, *path, *rest], inside.sql, inside.dialect)


def _before_names(tokens: Sequence[Token]) -> list[list[Token]]:
    """The values of `x AS a, y AS b`."""
    values: list[list[Token]] = [[]]
    depth, named = 0, False
    for token in tokens:
        depth += (token.token_type is TokenType.L_PAREN) - (token.token_type is TokenType.R_PAREN)
        if depth == 0 and token.token_type is TokenType.COMMA:
            values.append([])
            named = False
        elif depth == 0 and word(token) == "AS":
            named = True
        elif not named:
            values[-1].append(token)
    return [value for value in values if value]


def _json_table(reading: Reading, into: list[Token]) -> None:
    inside = _with_passed(_bracketed(reading, into))
    listed = False
    while inside:
        if listed and _column_name(inside, into):
            _json_column(inside, into)
        elif _skip_on_empty(inside) or _skip_words(inside, _JSON_NOISE):
            continue
        elif inside.word() == "AS" and is_string(into[-1]):
            inside.at += 2  # the name of a path
        elif inside.word() == "NESTED" and inside.word(1) != "PATH":
            nested = inside.token()
            into += [nested, _like(nested, TokenType.VAR, "PATH")]
        else:
            listed = listed or inside.word() == "COLUMNS"
            into.append(inside.token())
    into.append(reading.tokens[reading.at - 1])


def _json_column(inside: Reading, into: list[Token]) -> None:
    """What follows the name of a column: whether it counts. Types, paths and wrappers change nothing that flows."""
    while inside and inside.word() not in (",", ")"):
        if inside.sees("FOR", "ORDINALITY"):
            into += [inside.token(), inside.token()]
        elif inside.at_bracket():
            inside.brackets()
        else:
            inside.token()


_WRAPPERS = ((), ("ARRAY",), ("CONDITIONAL",), ("UNCONDITIONAL",), ("CONDITIONAL", "ARRAY"), ("UNCONDITIONAL", "ARRAY"))
_JSON_NOISE = (
    *(("FORMAT", "JSON"), ("KEEP", "QUOTES"), ("OMIT", "QUOTES"), ("ON", "SCALAR", "STRING"), ("EXISTS",)),
    *(("WITH", *kind, "WRAPPER") for kind in _WRAPPERS),
    *(("WITHOUT", *kind, "WRAPPER") for kind in _WRAPPERS),
)


def _skip_words(inside: Reading, phrases: Sequence[tuple[str, ...]]) -> bool:
    return any(inside.take(*phrase) for phrase in phrases)


_ON_EMPTY = frozenset({"NULL", "ERROR", "EMPTY", "DEFAULT", "TRUE", "FALSE", "UNKNOWN"})


def _skip_on_empty(inside: Reading) -> bool:
    """Step over `NULL ON EMPTY`, `DEFAULT '0' ON ERROR`, `EMPTY ARRAY ON EMPTY`."""
    if inside.word() not in _ON_EMPTY:
        return False
    for ahead in range(1, 6):
        if inside.word(ahead) == "ON" and inside.word(ahead + 1) in ("EMPTY", "ERROR", "MISMATCH", "NULL"):
            inside.at += ahead + 2
            return True
        if inside.word(ahead) == ",":
            return False
    return False


_XML_NOISE = (("BY", "REF"), ("BY", "VALUE"), ("RETURNING", "SEQUENCE"))


def _xml_table(reading: Reading, into: list[Token]) -> None:
    inside = _bracketed(reading, into)
    listed = False
    while inside:
        if _skip_words(inside, _XML_NOISE) or (listed and _column_name(inside, into)):
            continue
        listed = listed or inside.word() == "COLUMNS"
        if inside.word() == "AS":
            inside.at += 2
            continue
        if inside.sees("FOR", "ORDINALITY"):
            into.append(
                _like(inside.token(), TokenType.BIGSERIAL, "BIGSERIAL")
            )  # a type that counts, and that no document has
            inside.token()
        else:
            into.append(inside.token())
    into.append(reading.tokens[reading.at - 1])


def _open_json(reading: Reading, into: list[Token]) -> None:
    """A path that is not a string: both arguments in brackets of their own."""
    inside = _bracketed(reading, into)
    comma = inside.find(",")
    computed = 0 <= comma < len(inside.tokens) - 1 and not is_string(inside.tokens[comma + 1])
    into += [_like(into[-1], TokenType.L_PAREN, "(")] if computed else []
    into += inside.tokens
    into += [_like(into[-1], TokenType.R_PAREN, ")")] if computed else []
    into.append(reading.tokens[reading.at - 1])


def _open_row_set(reading: Reading, into: list[Token]) -> None:
    inside = _bracketed(reading, into)
    while inside:
        token = inside.token()
        into.append(token)
        if word(token) == "BULK":
            into.append(_like(token, TokenType.EQ, "="))
    into.append(reading.tokens[reading.at - 1])
    if reading.take("WITH") and reading.at_bracket():
        _alias_with(_first_words(reading.brackets()), reading, into)


def _open_xml(reading: Reading, into: list[Token]) -> None:
    """`OPENXML(@h, '/r') WITH (a INT '@a')`: the columns as the alias's list; `WITH t` takes those of the table t."""
    into += _bracketed(reading, into).tokens
    into.append(reading.tokens[reading.at - 1])
    if reading.take("WITH"):
        if reading.at_bracket():
            _alias_with(_first_words(reading.brackets()), reading, into)
        else:
            reading.name()


def _alias_with(names: Sequence[Token], reading: Reading, into: list[Token]) -> None:
    """The alias that follows, with a column list; one is made up where none is written."""
    last = into[-1]
    written = reading.take("AS") or (bool(reading) and reading.here.token_type in _NAMES)
    alias = reading.token() if written and reading else _like(last, TokenType.VAR, "declared")
    into.append(alias)
    if reading.at_bracket():
        return
    into.append(_like(alias, TokenType.L_PAREN, "("))
    for i, name in enumerate(names):
        into += [*([_like(name, TokenType.COMMA, ",")] if i else []), name]
    into.append(_like(alias, TokenType.R_PAREN, ")"))


_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})


def _first_words(tokens: Sequence[Token]) -> list[Token]:
    """The first word of each of some definitions between commas."""
    found: list[Token] = []
    depth, begins = 0, True
    for token in tokens:
        if begins:
            found.append(token)
        depth += (token.token_type is TokenType.L_PAREN) - (token.token_type is TokenType.R_PAREN)
        begins = depth == 0 and token.token_type is TokenType.COMMA
    return found


def _table(reading: Reading, into: list[Token]) -> None:
    """`TABLE(f(input => TABLE(t) PARTITION BY a ORDER BY b KEEP WHEN EMPTY))`: the table argument alone.

    Teradata's `TABLE(f(x) RETURNS (a INT)) AS d` declares the columns of d.
    """
    start = len(into)
    inside = _bracketed(reading, into)
    declared: list[Token] = []
    while inside:
        if _skip_words(inside, (("KEEP", "WHEN", "EMPTY"), ("PRUNE", "WHEN", "EMPTY"))):
            continue
        if inside.word() == "TABLE" and inside.word(1) == "(":
            _table(inside, into)
        elif inside.word() in ("PARTITION BY", "ORDER BY", "COPARTITION"):
            inside.token()
            if inside.at_bracket():
                inside.brackets()
            else:
                inside.name()
                inside.take_any("ASC", "DESC")
        elif inside.word() == "STRTOK_SPLIT_TO_TABLE" and inside.word(1) == "(":
            _split_to_table(inside, into)
        elif inside.word() == "RETURNS" and inside.word(1) == "(":
            inside.token()
            declared = _first_words(inside.brackets())
        else:
            into.append(inside.token())
    if declared:
        del into[start : start + 2]
        _alias_with(declared, reading, into)
    else:
        into.append(reading.tokens[reading.at - 1])


def _split_to_table(reading: Reading, into: list[Token]) -> None:
    """Teradata's `STRTOK_SPLIT_TO_TABLE(key, text, ',')`: the grammar takes two arguments, so key and text are one of them."""
    inside = _bracketed(reading, into).tokens
    depth, commas = 0, []
    for i, token in enumerate(inside):
        depth += (token.token_type is TokenType.L_PAREN) - (token.token_type is TokenType.R_PAREN)
        if depth == 0 and token.token_type is TokenType.COMMA:
            commas.append(i)
    if len(commas) == 2:
        opening, closing = _like(inside[0], TokenType.L_PAREN, "("), _like(inside[0], TokenType.R_PAREN, ")")
        inside = [opening, *inside[: commas[1]], closing, *inside[commas[1] :]]
    into += [*inside, reading.tokens[reading.at - 1]]


def _is_table_argument(reading: Reading) -> bool:
    before = reading.tokens[reading.at - 1] if reading.at else None
    return reading.word() == "TABLE" and before is not None and before.text in ("(", ",", "=>")


def _table_argument(reading: Reading, into: list[Token]) -> None:
    table = reading.token()
    start = reading.at
    reading.name()
    into += [table, _like(table, TokenType.L_PAREN, "("), *reading.tokens[start : reading.at]]
    into.append(_like(table, TokenType.R_PAREN, ")"))


def _read_nos(reading: Reading, into: list[Token]) -> None:
    """Teradata's `(LOCATION = '/s3/…')`, the short form of READ_NOS."""
    opening = reading.here
    strings = [token for token in reading.brackets() if is_string(token)]
    into += [_like(opening, TokenType.VAR, "READ_NOS"), opening, *strings[:1], reading.tokens[reading.at - 1]]


def _foreign_table(reading: Reading, into: list[Token]) -> None:
    """Teradata's `FOREIGN TABLE (SELECT …)@server`: a call with the query and the server."""
    foreign = reading.token()
    reading.token()
    start = reading.at
    reading.brackets()
    into += [_like(foreign, TokenType.VAR, "FOREIGN_TABLE"), _like(foreign, TokenType.L_PAREN, "(")]
    into += reading.tokens[start : reading.at]
    if reading.take("@"):
        into += [_like(foreign, TokenType.COMMA, ","), reading.token()]
    into.append(_like(foreign, TokenType.R_PAREN, ")"))


def _external(reading: Reading, into: list[Token]) -> None:
    """Oracle's `EXTERNAL ((a NUMBER) … LOCATION ('x.csv'))`, Db2's `EXTERNAL 'x.del' (a INT) USING (…)`: a call with the files."""
    external = reading.token()
    options = Reading(reading.brackets(), reading.sql, reading.dialect) if reading.at_bracket() else reading
    files = [options.token()] if options is reading else []
    names = _first_words(options.brackets()) if options.at_bracket() else []
    if options is reading:
        if reading.take("USING"):
            reading.brackets()
    elif options.skip_to("LOCATION") and options.take("LOCATION"):
        files = [token for token in options.brackets() if is_string(token)]
    into += [external, _like(external, TokenType.L_PAREN, "(")]
    for i, each in enumerate(files):
        into += [*([_like(each, TokenType.COMMA, ",")] if i else []), each]
    into.append(_like(external, TokenType.R_PAREN, ")"))
    _alias_with(names, reading, into)


def _json_function(reading: Reading, into: list[Token]) -> None:
    """`JSON_QUERY(doc, '$.a' WITH WRAPPER NULL ON EMPTY)`: the document and the path."""
    inside = _bracketed(reading, into)
    while inside:
        if not _skip_on_empty(inside) and not _skip_words(inside, _JSON_NOISE):
            into.append(inside.token())
    into.append(reading.tokens[reading.at - 1])


def _match_recognize(reading: Reading, into: list[Token]) -> None:
    """The word, for grammars that take it for a name."""
    into.append(_like(reading.token(), TokenType.MATCH_RECOGNIZE, "MATCH_RECOGNIZE"))


_REWRITES: dict[str, Rewrite] = {
    "JSON_QUERY": _json_function,
    "JSON_VALUE": _json_function,
    "JSON_EXISTS": _json_function,
    "MATCH_RECOGNIZE": _match_recognize,
    "JSON_TABLE": _json_table,
    "XMLTABLE": _xml_table,
    "OPENJSON": _open_json,
    "OPENROWSET": _open_row_set,
    "OPENXML": _open_xml,
    "TABLE": _table,
}
