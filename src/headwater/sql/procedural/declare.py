"""Declarations: variables with types and defaults, records, cursors, handlers, types; in a part of their own or one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.form import NoLineage
from headwater.sql.procedural.body import Body, between_commas, steps
from headwater.sql.procedural.called import called_rows
from headwater.sql.procedural.executed_rows import executed_rows
from headwater.sql.procedural.form import NOT_FOUND, Assign, Condition, Query, Target
from headwater.sql.procedural.tree import Branch, Choice, Declared, Do, Handler, Let, Step
from headwater.sql.reading.reading import identifier
from headwater.sql.split import span_of
from headwater.sql.words import word

_CHANGES = frozenset({"INSERT", "UPDATE", "DELETE", "MERGE"})
"""Statements whose result, how many rows they changed, a result set may take."""
_RECORDS = frozenset({"RECORD", "ROWTYPE"})
_CURSORS = frozenset({"CURSOR", "SYS_REFCURSOR", "REFCURSOR", "RESULTSET"})
_OF_METHODS = frozenset(
    {"MEMBER", "STATIC", "CONSTRUCTOR", "OVERRIDING", "FINAL", "INSTANTIABLE", "NOT", "MAP", "ORDER"}
)
"""What may stand before a method of an object type."""
_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})
_OWN_TYPES = frozenset(
    {"NUMBER", "VARCHAR2", "NVARCHAR2", "PLS_INTEGER", "BINARY_INTEGER", "SIMPLE_INTEGER", "NATURAL", "POSITIVE"}
    | {"BOOLEAN", "RAW", "LONG", "ROWID", "UROWID", "CLOB", "NCLOB", "BLOB", "BFILE", "XMLTYPE", "STRING", "ANYELEMENT"}
    | {"REGCLASS", "OID", "VOID", "BYTEINT", "VARBYTE", "BYTE", "GRAPHIC", "VARGRAPHIC", "SYSNAME", "HIERARCHYID"}
)
"""Types of databases that the tokeniser takes for names."""
_DEFAULTS = frozenset({"DEFAULT", ":=", "="})


def declarations(body: Body, end: str) -> tuple[Step, ...]:
    """The declarations up to a word."""
    found: list[Step] = []
    while body and body.word() != end:
        if body.word() in (";", "DECLARE"):  # PL/pgSQL may say DECLARE again before each
            body.token()
            continue
        start = body.at
        try:
            found += _declaration(body)
        except (ParseError, TokenError) as error:
            body.at = max(body.at, body.end_of_statement(start))
            found.append(body.broken(body.tokens[start : max(body.at, start + 1)], error))
        if body.at == start:
            body.skip_noise()
    return tuple(found)


def one_declaration(body: Body) -> tuple[Step, ...]:
    """Just one declaration, where what follows may be the end of a package, or of a type's body."""
    while body.word() in _OF_METHODS and body.word(1) not in (";", ""):
        body.token()
    if body.word() in ("PROCEDURE", "FUNCTION"):
        return tuple(_declaration(body))
    start = body.at
    end = body.end_of_statement(start)
    found = declarations(body.inside(body.tokens[start : end + 1]), "BEGIN")
    body.at = min(end + 1, len(body.tokens))
    return found


def _declaration(body: Body) -> Sequence[Step]:
    if body.word() in ("PROCEDURE", "FUNCTION"):
        from headwater.sql.procedural.routine import inner_routine

        return inner_routine(body)
    if body.word() == "PRAGMA":
        return _unimportant(body)
    if body.word() == "SUBTYPE":
        return _subtype(body)
    if body.word() == "TYPE":
        return _type(body)
    if body.word() == "CURSOR":
        body.token()
        return _cursor(body, body.take_statement())
    return declared_names(body, body.take_statement())


def _unimportant(body: Body) -> Sequence[Step]:
    type = body.word().title()
    return [Do(body.made(body.take_statement(), NoLineage(type)))]


def _subtype(body: Body) -> Sequence[Step]:
    """`SUBTYPE row_t IS t%ROWTYPE;`: another name for a type."""
    tokens = body.take_statement()
    if len(tokens) > 3 and tokens[1].text.upper() != tokens[3].text.upper():
        body.known.subtypes[tokens[1].text.upper()] = tokens[3:]
    return [Do(body.made(tokens, NoLineage("Subtype")))]


def _type(body: Body) -> Sequence[Step]:
    """`TYPE t IS RECORD (a NUMBER, b DATE);` lists fields; `IS TABLE OF e` has elements; `IS REF CURSOR` names a kind of cursor."""
    tokens = body.take_statement()
    name = tokens[1] if len(tokens) > 1 else tokens[0]
    words = [word(token) for token in tokens]
    if "OF" in words and words[3:4] != ["RECORD"]:
        end = words.index("INDEX") if "INDEX" in words else len(tokens)
        body.known.elements[name.text.upper()] = tokens[words.index("OF") + 1 : end]
        return [Do(body.made(tokens, NoLineage("Type")))]
    if "RECORD" in words and "(" in words:
        inner = body.inside(tokens[words.index("(") :])
        body.known.types[name.text.upper()] = tuple(part[0].text for part in between_commas(inner.brackets()))
    if "CURSOR" in words:
        # Programs in the wild use the type's name as if it were a variable.
        declared = Declared(name.text, "cursor", span_of([name]), "REF CURSOR")
        body.known.declared[name.text.upper()] = declared
        return [Let(declared)]
    return [Do(body.made(tokens, NoLineage("Type")))]


def declared_names(body: Body, tokens: Sequence[Token]) -> Sequence[Step]:
    """`a, b INT DEFAULT 0`, `c CURSOR FOR SELECT …`, `r t%ROWTYPE`: the names before a type, and what they hold at first."""
    inner = body.inside(tokens)
    if word(tokens[-1]) in ("EXCEPTION", "CONDITION") or "CONDITION" in (word(t) for t in tokens[1:3]):
        return [Do(body.made(tokens, NoLineage("Declare")))]
    if (
        len(tokens) > 1
        and word(tokens[1]) in ("CURSOR", "NO", "SCROLL", "INSENSITIVE")
        and inner.find_word("CURSOR") > 0
    ):
        return _cursor(body, tokens)
    names = [inner.token()]
    while inner.take(","):
        names.append(inner.token())
    inner.take("CONSTANT")
    default = next((i for i in range(inner.at, len(tokens)) if _is_default(tokens, i, inner.at)), None)
    typed = tokens[inner.at : default]
    found: list[Step] = [Let(declared_as(body, name, typed)) for name in names]
    for each in found:
        assert isinstance(each, Let)
        body.known.declared[each.declared.name.upper()] = each.declared
    value = tokens[default + 1 :] if default is not None else ()
    if value and not is_empty_collection(body, value):
        for name, let in zip(names, found[:], strict=True):
            assert isinstance(let, Let)
            target = Target((identifier(name),), span_of([name]))
            found.append(Do(body.made(tokens, given(body, target, value, "Declare", let.declared.kind))))
    return found


def given(body: Body, target: Target, value: Sequence[Token], type: str, kind: str = "") -> Any:
    """What a variable is given: a value, of a result set also a query, or a text that is executed; ASYNC only runs it beside others."""
    if word(value[0]) == "ASYNC" and len(value) > 1 and word(value[1]) == "(":
        value = value[1:]
    if word(value[0]) in ("(", "EXECUTE") and any(word(token) == "EXECUTE" for token in value[:3]):
        executed = executed_rows(body, value, target)
        if executed is not None:
            return executed
    first = word(value[1]) if word(value[0]) == "(" and len(value) > 1 else word(value[0])
    if first == "CALL":
        return called_rows(body, value, target)
    if first in _CHANGES:
        return body.statement(_query(value))
    if kind == "cursor" and word(value[0]) in ("(", "SELECT", "WITH"):
        return Query(target, body.statement(_query(value)))
    return Assign((target,), body.value(value), type=type)


def is_empty_collection(body: Body, value: Sequence[Token]) -> bool:
    """Whether a value is a collection without elements: `t_list()`."""
    return (
        len(value) == 3
        and (word(value[1]), word(value[2])) == ("(", ")")
        and body.known.element_of(value[0].text) is not None
    )


def _is_default(tokens: Sequence[Token], i: int, start: int) -> bool:
    if word(tokens[i]) not in _DEFAULTS:
        return False
    depth = sum((t.text == "(") - (t.text == ")") for t in tokens[start:i])
    return depth == 0


def _query(tokens: Sequence[Token]) -> Sequence[Token]:
    return tokens[1:-1] if word(tokens[0]) == "(" and word(tokens[-1]) == ")" else tokens


def declared_as(body: Body, name: Token, typed: Sequence[Token]) -> Declared:
    """A name with its type: `t%ROWTYPE` and record types make records, REF CURSORs and RESULTSETs cursors."""
    words = [word(token) for token in typed]
    same = body.known.subtype_of(words[0]) if len(words) == 1 else None
    if same is not None:
        return declared_as(body, name, same)
    element = body.known.element_of(words[0]) if len(words) == 1 else None
    if element is not None:
        of_element = (
            declared_as(body, name, element)
            if list(element) != list(typed)
            else Declared(name.text, "scalar", span_of([name]))
        )
        return replace(of_element, type=body.piece.text.slice(typed[0].start, typed[-1].end + 1), collection=True)
    spelled = body.piece.text.slice(typed[0].start, typed[-1].end + 1) if typed else ""
    place = span_of([name])
    if "ROWTYPE" in words:
        inner = body.inside(typed)
        return Declared(name.text, "record", place, spelled, like=inner.name())
    fields = body.known.fields_of(words[0]) if words else None
    if fields is not None or _RECORDS.intersection(words[:1]):
        return Declared(name.text, "record", place, spelled, fields=fields or ())
    if words and words[0] == "STRUCT":
        return Declared(name.text, "record", place, spelled, fields=_struct_fields(typed))
    if words and (words[0] in _CURSORS or _is_cursor_type(body, words[0])):
        return Declared(name.text, "cursor", place, spelled)
    named = named_type(body, typed)
    untyped = not typed and body.dialect.family == "bigquery"
    has_fields = (named is not None or untyped) and name.text in body.dotted
    return Declared(name.text, "record" if has_fields else "scalar", place, spelled, like=named)


def named_type(body: Body, typed: Sequence[Token]) -> Any:
    """The name of a type that is declared elsewhere, as a table node: `sch.tab`, `pkg.rec_t`; None for one of the database's own."""
    if not typed or typed[0].token_type not in _NAMES or word(typed[0]) in _OWN_TYPES:
        return None
    inner = body.inside(typed)
    try:
        name = inner.name()
    except (ParseError, TokenError):
        return None
    return name if not inner or inner.sees("NOT", "NULL") or inner.word() == "READONLY" else None


def declared_types(body: Body) -> dict[str, Declared]:
    """The types that were declared so far, in upper case, each as a variable of it would be declared."""
    nowhere = body.tokens[0]
    known = body.known
    found = {name: Declared(name, "record", span_of([nowhere]), fields=fields) for name, fields in known.types.items()}
    for name, typed in known.subtypes.items():
        found[name] = declared_as(body, nowhere, typed)
    for name, element in known.elements.items():
        found[name] = replace(declared_as(body, nowhere, element), collection=True)
    return found


def _struct_fields(typed: Sequence[Token]) -> tuple[str, ...]:
    """The names in `STRUCT<a INT64, b STRUCT<c DATE>>`; none where a field has none."""
    found: list[str] = []
    depth = 0
    for i, token in enumerate(typed):
        depth += token.text.count("<") + (token.text == "(") - token.text.count(">") - (token.text == ")")
        if (
            depth == 1
            and word(token) in ("<", ",")
            and i + 2 < len(typed)
            and word(typed[i + 2]) not in (",", ">", "<")
        ):
            found.append(typed[i + 1].text)
    return tuple(found)


def _is_cursor_type(body: Body, name: str) -> bool:
    known = body.known.find(name)
    return known is not None and known.type == "REF CURSOR"


def _cursor(body: Body, tokens: Sequence[Token]) -> Sequence[Step]:
    """`c [(p NUMBER)] IS SELECT …`, `c CURSOR FOR SELECT …`: what it asks is asked when it is opened."""
    name = tokens[0]
    inner = body.inside(tokens)
    inner.token()
    declared = Declared(name.text, "cursor", span_of([name]))
    body.known.declared[name.text.upper()] = declared
    found: list[Step] = [Let(declared)]
    inner.take("CURSOR")
    if inner.at_bracket():
        body.known.parameters[name.text.upper()] = between_commas(inner.brackets())
    at = inner.find_word("IS", "FOR", "AS")
    if at < 0 or at + 1 >= len(tokens):
        return found
    if any(word(token) == "RETURN" for token in tokens[:at]):
        body.known.returned_cursors.add(name.text.upper())
    query = list(tokens[at + 1 :])
    target = Target((identifier(name),), span_of([name]))
    if len(query) == 1 and body.known.find(query[0].text) is not None:
        body.known.queries[name.text.upper()] = body.made(tokens, Assign((target,), body.value(query), type="Open"))
        return found
    if len(query) == 1:
        body.known.prepared_cursors[name.text.upper()] = query[0].text.upper()
        return found
    if word(query[0]) not in ("SELECT", "WITH", "VALUES", "(", "TABLE", "FROM"):
        return found
    body.known.queries[name.text.upper()] = body.made(tokens, Query(target, body.statement(updatable(query))))
    return found


def updatable(query: Sequence[Token]) -> Sequence[Token]:
    """A cursor's query without FOR UPDATE, FOR READ ONLY."""
    depth = 0
    for i, token in enumerate(query):
        depth += (token.text == "(") - (token.text == ")")
        if depth == 0 and token.token_type is TokenType.FOR and i:
            return query[:i]
    return query


@steps("DECLARE")
def declare(body: Body) -> Any:
    """`DECLARE a, b INT DEFAULT 0;`, `DECLARE c CURSOR FOR …;`, `DECLARE EXIT HANDLER FOR … BEGIN … END;`."""
    if body.dialect.marks_variables or body.dialect.declares_before_block:
        return None
    body.token()
    body.take("OR", "REPLACE")
    while body.word() in ("VARIABLE", "VAR") and body.word(1) not in (";", ""):
        body.token()
    if body.word(1) == "HANDLER":
        return _handler(body)
    if body.word() == "TABLE" or body.word() == "GLOBAL":
        body.at -= 1
        return None
    return declared_names(body, body.take_statement())


def _handler(body: Body) -> Sequence[Step]:
    """`CONTINUE HANDLER FOR NOT FOUND SET done = 1;`: it may take over at any point of its block."""
    start = body.at
    resumes = body.word() == "CONTINUE"
    body.at += 2
    body.take("FOR")
    state = body.tokens[body.at : body.at + 2]
    not_found = body.sees("NOT", "FOUND") or [token.text.upper() for token in state] == ["SQLSTATE", "02000"]
    while body and body.word() not in (
        "BEGIN",
        "SET",
        "INSERT",
        "UPDATE",
        "DELETE",
        "CALL",
        "SELECT",
        "ROLLBACK",
        "RESIGNAL",
    ):
        if body.word() == ";":
            return [Do(body.made(body.tokens[start - 1 : body.at], NoLineage("Declare")))]
        body.token()
    if body:
        steps = tuple(body.step())
        if not_found:
            asked = exp.column(exp.to_identifier(NOT_FOUND, quoted=False))
            steps = (Choice((Branch(body.made(body.tokens[start : body.at], Condition("If", asked)), steps),)),)
        if resumes:
            body.resuming.append(Handler(steps, not_found))
        else:
            body.handlers.append(steps)
    return []
