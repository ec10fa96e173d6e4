"""The head of a routine, and where its body begins: CREATE PROCEDURE, TRIGGER, RULE, ALERT, PACKAGE, `DO $$ … $$`, a nameless block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlglot.errors import ParseError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.blocks import Block
from headwater.sql.dialect import Dialect
from headwater.sql.embedded import embedded_tokens, filled_tokens
from headwater.sql.procedural.alert import alert
from headwater.sql.procedural.attribute import joined_attributes
from headwater.sql.procedural.block import block
from headwater.sql.procedural.body import Body, Dotted, Names, ParsePiece, between_commas
from headwater.sql.procedural.compound import compound_sections
from headwater.sql.procedural.declare import declarations, declared_as, declared_types, named_type, one_declaration
from headwater.sql.procedural.form import Assign
from headwater.sql.procedural.javascript import javascript_steps
from headwater.sql.procedural.rule import rule
from headwater.sql.procedural.tree import Branch, Choice, Declared, Do, Inner, Program, Step, Trigger
from headwater.sql.procedural.trigger import know_rows, trigger_head
from headwater.sql.split import Piece, span_of
from headwater.sql.tokens import is_swallowed, shifted, tokenise
from headwater.sql.words import is_string, word

_MODES = {"IN": "in", "OUT": "out", "INOUT": "inout", "IN OUT": "inout", "VARIADIC": "in"}
_SQL = frozenset({"", "SQL", "PLPGSQL", "PLSQL", "PLVSQL"})
_STATEMENTS = frozenset(
    {
        "INSERT",
        "UPDATE",
        "DELETE",
        "MERGE",
        "SELECT",
        "WITH",
        "SET",
        "CALL",
        "REPLACE",
        "TRUNCATE",
        "IF",
        "WHILE",
        "LOOP",
    }
    | {"SEL", "INS", "UPD", "DEL", "CREATE", "DROP", "SIGNAL", "CASE", "RETURN", "EXECUTE", "EXEC", "BEGIN", "DECLARE"}
)


def read_program(piece: Piece, dialect: Dialect, parse: ParsePiece) -> Program:
    """The program that a piece spells."""
    found = piece.block
    tokens = joined_attributes(_whole(piece.tokens, piece, dialect), dialect)
    body = Body(tokens, piece, dialect, parse)
    if found is not None and found.name is None and found.kind not in ("block", "script"):
        return _nameless(body, found.kind)
    if found is None or found.name is None:
        return _without_name(body, found is not None and found.kind == "block")
    return _named(body, found)


def _nameless(body: Body, kind: str) -> Program:
    """A routine whose name is missing: what follows is read as steps."""
    while body and not word(body.token()).startswith(kind.upper()[:4]):
        continue
    body.missing("a name")
    place = span_of(body.tokens[:1])
    steps = body.steps()
    return Program(kind, None, place, steps=steps, diagnostics=tuple(body.diagnostics))


def _whole(tokens: Sequence[Token], piece: Piece, dialect: Dialect) -> list[Token]:
    """All tokens, also where the tokeniser took everything behind a command's word for its argument."""
    if not any(is_swallowed(token) for token in tokens):
        return list(tokens)
    found: list[Token] = []
    for i, token in enumerate(tokens):
        if is_swallowed(token) and i:
            start = tokens[i - 1].end + 1
            text = piece.text.raw[start : token.end + 1]
            inside = tokenise(text, dialect, semicolons=False)
            found += shifted(inside, start, tokens[i - 1].line - 1)
        else:
            found.append(token)
    return found


def _without_name(body: Body, is_block: bool) -> Program:
    """A block or script; `DO` and `EXECUTE IMMEDIATE` have theirs in a string."""
    place = span_of(body.tokens[:1])
    if is_block and (body.word() == "DO" or _executes_string(body.tokens)):
        string = next((token for token in body.tokens if is_string(token)), None)
        if string is None:
            return Program("block", None, place, opaque="it has no body")
        body = _inside_string(body, string)
    if body.dialect.family == "oracle" and body.word() in ("EXEC", "EXECUTE") and body.word(1) != "IMMEDIATE":
        body.token()  # SQL*Plus' `EXECUTE p(1)` is `BEGIN p(1); END;`
    steps = body.steps()
    return Program("block", None, place, steps=steps, diagnostics=tuple(body.diagnostics))


def _executes_string(tokens: Sequence[Token]) -> bool:
    """`EXECUTE IMMEDIATE 'SELECT …'` and no more: nothing is bound to the text or put together with it."""
    words = [token for token in tokens if token.token_type is not TokenType.SEMICOLON]
    return word(tokens[0]) == "EXECUTE" and len(words) == 3 and is_string(words[2])


def _named(body: Body, found: Block) -> Program:
    """A routine: its name, what follows it, and its body."""
    assert found.name is not None
    start = found.name
    while start > 1 and body.tokens[start - 1].token_type is TokenType.DOT:
        start -= 2
    body.at = start
    place = span_of(body.tokens[found.name : found.name + 1])
    name = body.name()
    return _routine(body, found.kind, name, place)


def _routine(body: Body, kind: str, name: Any, place: Any) -> Program:
    trigger: Trigger | None = None
    parameters: tuple[Declared, ...] = ()
    head: list[Step] = []
    condition = None
    if kind == "rule":
        trigger, steps = rule(body)
        return Program(kind, name, place, steps=steps, diagnostics=tuple(body.diagnostics), trigger=trigger)
    if kind == "alert":
        return Program(kind, name, place, steps=alert(body), diagnostics=tuple(body.diagnostics))
    if kind == "trigger":
        trigger, condition = trigger_head(body)
    elif kind not in ("package", "type"):
        parameters, head = _parameters(body)
    returns = body.word(1) if body.word() == "RETURNS" else ""
    if returns == "TRIGGER":
        know_rows(body, ("new", "old"))
    columns, returned_type, rows_in = _returns(body)
    language = _language(body)
    script = _script_body(body) if language == "JAVASCRIPT" and kind == "procedure" else None
    if script is not None:
        return Program(kind, name, place, parameters, script, columns=columns)
    if language not in _SQL:
        message = f"it is written in {language.lower()}"
        return Program(kind, name, place, parameters, trigger=trigger, columns=columns, opaque=message)
    inside, steps = _body(body, kind)
    if condition is not None:
        steps = (Choice((Branch(condition, steps),)),)
    types = declared_types(inside) if kind == "package" else {}
    return Program(
        kind,
        name,
        place,
        parameters,
        (*head, *steps),
        tuple(inside.diagnostics),
        trigger,
        columns,
        returns,
        returned_type,
        rows_in,
        types=types,
    )


def _parameters(body: Body) -> tuple[tuple[Declared, ...], list[Step]]:
    """The parameters in brackets, T-SQL's also without; and their defaults as steps."""
    if body.at_bracket():
        tokens = body.brackets()
    elif body.dialect.marks_variables and body.word() == "@":
        tokens = body.tokens[body.at : (end := _as(body))]
        body.at = end
    else:
        return (), []
    found: list[Declared] = []
    defaults: list[Step] = []
    for part in between_commas(tokens):
        declared, rest = _parameter(body, part)
        if declared is None:
            continue
        at = next((i for i, t in enumerate(rest) if word(t) in ("DEFAULT", ":=", "=")), None)
        if at is not None and at + 1 < len(rest):
            declared = replace(declared, default=body.piece.text.slice(rest[at + 1].start, rest[-1].end + 1))
        found.append(declared)
        body.known.declared[declared.name.upper()] = declared
        if at is not None and at + 1 < len(rest):
            target = replace(body.inside(part[_name_at(part) :]).target(), partly=True)
            value = [t for t in rest[at + 1 :] if word(t) not in ("OUTPUT", "OUT", "READONLY")]
            try:
                defaults.append(Do(body.made(part, Assign((target,), body.value(value), type="Declare"))))
            except (ParseError, TokenError):
                continue
    return tuple(found), defaults


def _name_at(part: Sequence[Token]) -> int:
    at = 0
    while at < len(part) - 1 and word(part[at]) in _MODES:
        at += 1
    return at


def _parameter(body: Body, part: Sequence[Token]) -> tuple[Declared | None, Sequence[Token]]:
    """`IN a INT`, `a IN OUT NUMBER`, `@a int OUTPUT`; one without a name is known by its number only."""
    at = _name_at(part)
    mode = " ".join(word(t) for t in part[:at])
    if word(part[at]) == "@":
        name, at = f"@{part[at + 1].text}", at + 2
        place = span_of(part[at - 2 : at])
    else:
        name, at = part[at].text, at + 1
        place = span_of(part[at - 1 : at])
    rest = list(part[at:])
    behind = []
    while rest and word(rest[0]) in _MODES:
        behind.append(word(rest.pop(0)))
    mode = mode or " ".join(behind)
    if rest and word(rest[0]) == "NOCOPY":
        rest.pop(0)
    if any(word(t) in ("OUTPUT", "OUT") for t in rest):
        mode = "INOUT"
    if not rest:
        return None, rest
    stop = next((i for i, t in enumerate(rest) if word(t) in ("DEFAULT", ":=", "=", "OUTPUT")), len(rest))
    spelled = body.piece.text.slice(rest[0].start, rest[stop - 1].end + 1) if stop else ""
    words = [word(t) for t in rest]
    if body.dialect.family == "oracle":
        return replace(declared_as(body, part[at - 1], rest[:stop]), mode=_MODES.get(mode, "in")), rest
    kind = (
        "cursor"
        if {"SYS_REFCURSOR", "REFCURSOR", "CURSOR"} & set(words)
        else "record"
        if "ROWTYPE" in words
        else "scalar"
    )
    like = named_type(body, rest[:stop]) if kind == "scalar" else None
    return Declared(name, kind, place, spelled, _MODES.get(mode, "in"), like=like), rest


def _returns(body: Body) -> tuple[tuple[str, ...], str, str]:
    """The columns of `RETURNS TABLE (a int)`, the type of `RETURNS SETOF addr`, and the variable of `RETURNS @r TABLE (…)`."""
    if not (body.take("RETURNS") or body.take("RETURN")):
        return (), "", ""
    variable = ""
    if body.word() == "@":
        variable = f"@{body.word(1).lower()}"
        body.at += 2
    body.take("SETOF")
    if body.take("TABLE") and body.at_bracket():
        return tuple(part[0].text for part in between_commas(body.brackets())), "", variable
    start = body.at
    spelled = body.spelled_name() if body and not variable else ""
    body.at = start
    return (), spelled, variable


def _language(body: Body) -> str:
    """What the options before or behind the body name as its language."""
    for i in range(body.at, len(body.tokens) - 1):
        if word(body.tokens[i]) == "LANGUAGE":
            return body.tokens[i + 1].text.upper()
        if word(body.tokens[i]) in ("BEGIN", "DECLARE"):
            break
    return ""


def _as(body: Body) -> int:
    """Where the AS stands that ends a T-SQL head."""
    for i in range(body.at, len(body.tokens)):
        if word(body.tokens[i]) == "AS" and word(body.tokens[i - 1]) not in ("EXECUTE", "EXEC"):
            following = word(body.tokens[i + 1]) if i + 1 < len(body.tokens) else ""
            if word(body.tokens[i - 2]) != "@" or following in _STATEMENTS:
                return i
    return len(body.tokens)


def _body(body: Body, kind: str) -> tuple[Body, tuple[Step, ...]]:
    """The steps of the body; and the cursor that read them."""
    if body.dialect.marks_variables:
        body.at = min(_as(body) + 1, len(body.tokens))
        return body, body.steps()
    while body:
        token = body.tokens[body.at]
        found = word(token)
        before = word(body.tokens[body.at - 1]) if body.at else ""
        if is_string(token) and before in ("AS", "IS", "DO"):
            inside = _inside_string(body, token)
            return inside, inside.steps()
        if kind == "trigger" and found == "COMPOUND":
            return body, compound_sections(body)
        if kind == "macro" and found == "AS":
            body.token()
            inside = body.inside(body.brackets() if body.at_bracket() else body.rest())
            return inside, inside.steps()
        if found in ("IS", "AS") and body.dialect.family == "oracle":
            body.token()
            return body, _declared_body(body, kind)
        if body.at_bracket():
            body.brackets()
        elif found == "EXECUTE" and body.word(1) == "AS":
            body.at += 2
        elif found in _STATEMENTS and not (found == "SET" and kind == "function"):
            return body, body.steps()
        else:
            body.token()
    return body, ()


def _declared_body(body: Body, kind: str) -> tuple[Step, ...]:
    """PL/SQL: declarations, then BEGIN … END; a package may have declarations only."""
    if kind in ("package", "type"):
        is_body = any(word(token) == "BODY" for token in body.tokens[: body.at])
        declared = _package(body)
        if not is_body:  # who uses the specification's cursors does not see what they ask
            return (*declared, *(Do(query) for query in body.known.queries.values()))
        return (*declared, block(body, ())) if body.word() == "BEGIN" else declared
    declared = declarations(body, "BEGIN")
    return (block(body, declared),)


def _package(body: Body) -> tuple[Step, ...]:
    found: list[Step] = []
    while body and body.word() not in ("BEGIN", "END"):
        found += one_declaration(body)
    return tuple(found)


def _script_body(body: Body) -> tuple[Step, ...] | None:
    """The steps of a body in JavaScript; None if it has none."""
    string = next((token for token in body.tokens[body.at :] if is_string(token) and "snowflake" in token.text), None)
    if string is None:
        return None
    begin = body.sql[string.start : string.end + 1].find(string.text)
    whole = span_of([string]) if begin < 0 else None
    return javascript_steps(string.text, string.start + max(begin, 0), whole, body.piece, body.dialect)


def _inside_string(body: Body, string: Token) -> Body:
    """A body that is written as a string, at its place in the script."""
    raw = body.sql[string.start : string.end + 1]
    tokens = embedded_tokens(string.text, raw, string.start, body.dialect)
    for token in tokens:
        token.line += string.line - 1
    body.piece.text.note(tokens)
    inside = body.inside(joined_attributes(_whole_inside(tokens, string, body), body.dialect))
    inside.dotted = Dotted(inside.tokens)
    inside.rewritten = string.text not in raw
    return inside


def _whole_inside(tokens: list[Token], string: Token, body: Body) -> list[Token]:
    """All tokens of a text, also where the tokeniser swallowed some; their places are already the script's."""
    if not any(is_swallowed(token) for token in tokens):
        return tokens
    raw = body.sql[string.start : string.end + 1]
    made = filled_tokens(string.text, body.dialect, semicolons=False)
    begin = raw.find(string.text)
    if begin < 0:
        return tokens
    return shifted(made, string.start + begin, 0)


def inner_routine(body: Body) -> Sequence[Step]:
    """A procedure or function that is declared inside another one, or in a package; one that is only announced is none."""
    kind = "procedure" if body.word() == "PROCEDURE" else "function"
    body.token()
    place = span_of(body.tokens[body.at : body.at + 1])
    start = body.at
    name = body.name()
    semicolon = body.end_of_statement(start)
    if not any(word(token) in ("IS", "AS") for token in body.tokens[start:semicolon]):
        body.at = min(semicolon + 1, len(body.tokens))
        return []
    outer, body.known = body.known, Names(body.known)
    diagnostics, body.diagnostics = body.diagnostics, []
    try:
        return [Inner(_routine(body, kind, name, place))]
    finally:
        body.known = outer
        body.diagnostics = diagnostics
