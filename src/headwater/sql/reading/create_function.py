"""CREATE FUNCTION and CREATE MACRO: parameters, declared columns, and the body where it is SQL, inside a string or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.embedded import embedded_tokens
from headwater.sql.form import CreateFunction, FunctionBody
from headwater.sql.reading.reading import Reading, identifier, is_string, reads, span_of, word

_MODIFIERS = frozenset({"OR", "REPLACE", "ALTER", "TEMP", "TEMPORARY", "SECURE", "EXTERNAL", "AGGREGATE", "DEFINER"})
_MODIFIERS |= {"TRANSFORM", "ANALYTIC", "ALIAS", "SYSTEM", "SCALAR", "SET"}
_SQL_STRINGS = frozenset({"snowflake"})
"""Dialects where a body in a string is SQL unless the statement says otherwise."""
_PROCEDURAL = frozenset({"oracle", "exasol"})
"""Dialects whose functions are programs."""
_QUERY_WORDS = frozenset({"SELECT", "WITH", "VALUES", "FROM", "TABLE"})
_MODES = frozenset({"IN", "INOUT", "VARIADIC", "OUT"})
_DEFAULTS = ("DEFAULT", "=", ":=")


@reads("CREATE", "REPLACE", first=True)
def create_function(reading: Reading) -> Any:
    """`CREATE [OR REPLACE] [TEMP] FUNCTION f (a int DEFAULT 1) RETURNS … LANGUAGE … AS …`; Teradata's `REPLACE FUNCTION`."""
    reading.take_any("CREATE", "REPLACE")
    words = set()
    while reading.word() in _MODIFIERS or (reading.word() == "TABLE" and reading.word(1) == "FUNCTION"):
        words.add(word(reading.token()))
        if "DEFINER" in words and not reading.skip_to("FUNCTION"):
            return None
    if reading.dialect.family == "exasol" and reading.word(1) in ("SCALAR", "SET"):
        reading.at += 2  # `PYTHON3 SCALAR SCRIPT f`
    kind = reading.take_any("FUNCTION", "MACRO", "SCRIPT") or ("AGGREGATE" if words == {"AGGREGATE"} else "")
    if kind == "SCRIPT" and (reading.dialect.family != "exasol" or reading.word(-2) not in ("SCALAR", "SET")):
        return None
    if not kind or (kind == "MACRO" and reading.dialect.family == "teradata"):
        return None
    reading.take("IF", "NOT", "EXISTS")
    name = reading.name()
    if not isinstance(name, exp.Table) or not isinstance(name.this, exp.Identifier) or not name.name:
        return None
    if reading.sees("AS", "LANGUAGE"):  # Vertica's `AS LANGUAGE 'C++' NAME 'F' LIBRARY l`
        return CreateFunction("Create Function", name, (FunctionBody((), None),), aggregates="AGGREGATE" in words)
    parameters = reading.brackets() if reading.at_bracket() else None
    if "ALIAS" in words:
        return _alias_function(reading, name)
    temporary = bool(words & {"TEMP", "TEMPORARY"})
    bodies = [_body(reading, parameters, "AGGREGATE" in words or reading.dialect.family in _PROCEDURAL)]
    while reading.dialect.family == "duckdb" and reading.take(","):
        bodies.append(_body(reading, reading.brackets(), False))
    return CreateFunction(f"Create {kind.title()}", name, tuple(bodies), temporary, "AGGREGATE" in words)


def _alias_function(reading: Reading, name: Any) -> Any:
    """Doris' `CREATE ALIAS FUNCTION f (INT) WITH PARAMETER (x) AS g(x, 1)`: the names of its parameters stand apart from their types."""
    if not reading.take("WITH", "PARAMETER") or not reading.at_bracket():
        return None
    declared = tuple((each.name, None) for each in reading.names())
    if not reading.take("AS"):
        return None
    return CreateFunction("Create Function", name, (FunctionBody(declared, reading.expression(reading.rest())),))


def _body(reading: Reading, parameters: Sequence[Token] | None, opaque: bool) -> FunctionBody:
    """Everything behind the parameters of one function."""
    declared, types = _parameters(parameters or (), reading)
    columns = _columns(reading) or _outputs(parameters or ())
    returns = "" if columns else _returned_type(reading)
    start = reading.at
    tokens = _from(reading, start) if _is_hive_macro(reading, start) else _body_tokens(reading)
    language = _language(reading.tokens[start:], tokens)
    before = reading.tokens[reading.at - len(tokens) - 1] if tokens else None
    is_text = len(tokens) == 1 and is_string(tokens[0]) and before is not None and word(before) == "AS"
    if parameters is None:
        declared, tokens = _lambda(tokens, reading)
    default = "SQL" if not is_text or reading.dialect.family in _SQL_STRINGS else ""
    if opaque or not tokens or (language or default) != "SQL" or (is_text and parameters is None):
        return FunctionBody(declared, None, columns, returns=returns, types=types)
    try:
        body = _parsed(_unquoted(tokens[0], reading) if is_text else tokens, reading)
    except (ParseError, TokenError):
        return FunctionBody(declared, None, columns, span_of(tokens), returns, types)
    return FunctionBody(declared, body, columns, returns=returns, types=types)


def _is_hive_macro(reading: Reading, start: int) -> bool:
    """Hive's `CREATE TEMPORARY MACRO f (x int) x + 1` has nothing before its body."""
    head = {word(token) for token in reading.tokens[: min(start, 4)]}
    return "MACRO" in head and reading.dialect.family in ("hive", "spark", "databricks")


def _language(tokens: Sequence[Token], body: Sequence[Token]) -> str:
    """The language that the options before or behind a body name."""
    inside = {id(token) for token in body}
    options = [token for token in tokens if id(token) not in inside]
    found = next((i for i, token in enumerate(options[:-1]) if word(token) == "LANGUAGE"), None)
    return options[found + 1].text.upper() if found is not None else ""


def _parameters(tokens: Sequence[Token], reading: Reading) -> tuple[tuple[tuple[str, Any], ...], tuple[str, ...]]:
    """Names and defaults; and types as spelled. A parameter that only has a type has no name."""
    found: list[tuple[str, Any]] = []
    types: list[str] = []
    for part in _between_commas(tokens):
        mode = word(part[0]) if len(part) > 1 else ""
        part = part[1:] if mode in _MODES else part
        if mode == "OUT" or not part:
            continue
        name, rest = _parameter_name(part, reading)
        default = next((i for i, t in enumerate(rest) if word(t) in _DEFAULTS), None)
        value = reading.expression(rest[default + 1 :]) if default is not None else None
        found.append((name, value))
        types.append(_spelled(rest[:default], reading))
    return tuple(found), tuple(types)


def _spelled(tokens: Sequence[Token], reading: Reading) -> str:
    return reading.sql[tokens[0].start : tokens[-1].end + 1] if tokens else ""


def _outputs(tokens: Sequence[Token]) -> tuple[Any, ...]:
    """The parameters that a function gives back: where there are several, its columns."""
    parts = [part for part in _between_commas(tokens) if len(part) > 2 and word(part[0]) in ("OUT", "INOUT")]
    return tuple(identifier(part[1]) for part in parts) if len(parts) > 1 else ()


def _parameter_name(part: Sequence[Token], reading: Reading) -> tuple[str, Sequence[Token]]:
    if part[0].text == "@" and len(part) > 1:
        return f"@{part[1].text}", part[2:]
    untyped = reading.dialect.family in ("duckdb", "clickhouse")
    if len(part) == 1 and not untyped:
        return "", part[1:]
    return part[0].text, part[1:]


def _between_commas(tokens: Sequence[Token]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.text in ("(", "[", "<")) - (token.text in (")", "]", ">"))
        if depth == 0 and token.token_type is TokenType.COMMA:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _columns(reading: Reading) -> tuple[Any, ...]:
    """The columns of `RETURNS TABLE (a int)`, `RETURNS TABLE<a INT64>`, `RETURNS @r TABLE (…)`; the fields of `RETURNS STRUCT<…>`."""
    start = reading.find("RETURNS")
    if start < 0:
        return ()
    behind = range(start + 1, min(start + 4, len(reading.tokens)))
    at = next((i for i in behind if word(reading.tokens[i]) in ("TABLE", "STRUCT")), -1)
    if at < 0 or at + 1 >= len(reading.tokens):
        return ()
    inner = Reading(reading.tokens[at + 1 :], reading.sql, reading.dialect)
    if inner.at_bracket() and word(reading.tokens[at]) == "TABLE":
        return tuple(identifier(part[0]) for part in _between_commas(inner.brackets()))
    return _fields(inner.rest()) if inner.take("<") else ()


def _returned_type(reading: Reading) -> str:
    """The name behind RETURNS or RETURNS SETOF, which may be that of a type with fields."""
    start = reading.find("RETURNS")
    if start < 0:
        return ""
    inner = Reading(reading.tokens[start + 1 :], reading.sql, reading.dialect)
    inner.take("SETOF")
    return inner.spelled_name() if inner else ""


def _fields(tokens: Sequence[Token]) -> tuple[Any, ...]:
    """The names in `a INT64, b ARRAY<STRUCT<c INT64>>>`, up to the bracket that closes them."""
    found: list[Any] = []
    depth, begins = 1, True
    for token in tokens:
        if begins:
            found.append(identifier(token))
        depth += token.text.count("<") + token.text.count("(") - token.text.count(">") - token.text.count(")")
        if depth <= 0:
            break
        begins = depth == 1 and token.token_type is TokenType.COMMA
    return tuple(found)


def _body_tokens(reading: Reading) -> Sequence[Token]:
    """The tokens of the body; moves behind it. Options may stand before a body in a string, and behind it."""
    while reading:
        if reading.at_bracket():
            reading.brackets()
        elif reading.take("RETURN"):
            return _to_end(reading)
        elif reading.take("BEGIN"):
            return _block(reading)
        elif reading.take_any("EXECUTE", "EXEC"):
            reading.take("AS")
        elif reading.take("AS"):
            return _behind_as(reading)
        else:
            reading.token()
    return ()


def _behind_as(reading: Reading) -> Sequence[Token]:
    if reading.at_string():
        return [reading.token()]
    if reading.take("RETURN"):
        return _to_end(reading)
    if reading.take("BEGIN"):
        return _block(reading)
    if reading.word() == "TABLE" and (reading.word(1) in _QUERY_WORDS or reading.word(1) == "("):
        reading.token()
    if reading.dialect.family == "bigquery" and reading.at_bracket():
        return _in_brackets(reading)
    return _to_end(reading)


def _in_brackets(reading: Reading) -> Sequence[Token]:
    """A body in brackets, behind which OPTIONS may stand."""
    start = reading.at
    reading.brackets()
    return reading.tokens[start : reading.at] if not reading or reading.word() == "OPTIONS" else _from(reading, start)


def _from(reading: Reading, start: int) -> Sequence[Token]:
    reading.at = len(reading.tokens)
    return reading.tokens[start:]


def _to_end(reading: Reading) -> Sequence[Token]:
    """The tokens to the end of the statement, or to the next overload of a macro."""
    start = reading.at
    if reading.dialect.family != "duckdb":
        return _from(reading, start)
    while reading:
        if reading.word() == "," and reading.word(1) == "(" and _is_overload(reading):
            break
        if reading.at_bracket():
            reading.brackets()
        else:
            reading.token()
    return reading.tokens[start : reading.at]


def _is_overload(reading: Reading) -> bool:
    """Whether a comma is followed by `(a, b) AS`."""
    ahead = Reading(reading.tokens[reading.at + 1 :], reading.sql, reading.dialect)
    ahead.brackets()
    return ahead.word() == "AS"


def _block(reading: Reading) -> Sequence[Token]:
    """The one statement of `BEGIN [ATOMIC] RETURN x; END`; nothing where there are several."""
    reading.take("ATOMIC")
    tokens = list(reading.rest())
    reading.at = len(reading.tokens)
    closed = False
    while tokens and (tokens[-1].token_type is TokenType.SEMICOLON or (word(tokens[-1]) == "END" and not closed)):
        closed = word(tokens.pop()) == "END" or closed
    if tokens and word(tokens[0]) == "RETURN":
        tokens = tokens[1:]
    elif not tokens or word(tokens[0]) not in _QUERY_WORDS:
        return ()
    return () if any(t.token_type is TokenType.SEMICOLON for t in tokens) else tokens


def _lambda(tokens: Sequence[Token], reading: Reading) -> tuple[tuple[tuple[str, Any], ...], Sequence[Token]]:
    """ClickHouse's `(x, y) -> x + y`."""
    inner = Reading(tokens, reading.sql, reading.dialect)
    if not tokens or is_string(tokens[0]):
        return (), tokens
    names = inner.brackets() if inner.at_bracket() else [inner.token()]
    if not inner.take("->"):
        return (), tokens
    return tuple((t.text, None) for t in names if t.text != ","), inner.rest()


def _unquoted(token: Token, reading: Reading) -> list[Token]:
    """The tokens inside a string, at their places in the script; of several statements, the last, if all are queries."""
    raw = reading.sql[token.start : token.end + 1]
    tokens = embedded_tokens(token.text, raw, token.start, reading.dialect)
    statements: list[list[Token]] = [[]]
    for each in tokens:
        if each.token_type is TokenType.SEMICOLON:
            statements.append([])
        else:
            statements[-1].append(each)
    statements = [s for s in statements if s]
    if len(statements) > 1 and any(word(s[0]) not in ("SELECT", "WITH", "VALUES") for s in statements):
        raise ParseError("a body that does more than ask")
    return statements[-1] if statements else []


def _parsed(tokens: Sequence[Token], reading: Reading) -> Any:
    """The query or expression of a body."""
    if not tokens:
        return None
    if word(tokens[0]) in _QUERY_WORDS:
        return reading.statement(tokens)
    try:
        return reading.expression(tokens)
    except ParseError:
        tree = reading.statement(tokens)
        if not isinstance(tree, (exp.Query, exp.Condition)):
            raise
        return tree


@reads("DROP", first=True)
def drop_macro(reading: Reading) -> Any:
    """DuckDB's `DROP MACRO TABLE [IF EXISTS] m`, which the grammar takes only without TABLE."""
    if not reading.take("DROP", "MACRO", "TABLE"):
        return None
    reading.take("IF", "EXISTS")
    return exp.Drop(this=reading.name(), kind="MACRO")
