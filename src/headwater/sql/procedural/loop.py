"""Loops: LOOP, WHILE, REPEAT, FOR over numbers, rows, cursors and collections, FORALL; and their labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.procedural.body import Body, Names, between_commas, steps
from headwater.sql.procedural.cursor import opened
from headwater.sql.procedural.form import ORDER_DECIDES, Assign, Dynamic, Fetch, IntoVariables, Query, Target
from headwater.sql.procedural.tree import Choice, Declared, Do, Group, Leave, Let, Repeat, Step
from headwater.sql.reading.reading import identifier
from headwater.sql.split import span_of
from headwater.sql.statement import Statement
from headwater.sql.words import word

_QUERY_WORDS = frozenset({"SELECT", "WITH", "VALUES", "TABLE", "FROM", "("})


@steps("LOOP")
def loop(body: Body) -> Any:
    """`LOOP … END LOOP;`."""
    body.token()
    inside = body.steps("END")
    body.close("END", "LOOP")
    return Repeat(None, inside)


@steps("WHILE")
def while_(body: Body) -> Any:
    """`WHILE c LOOP … END LOOP;`, `WHILE c DO … END WHILE;`."""
    if body.dialect.guards_one_statement:
        return None
    start = body.at
    body.token()
    tokens = body.up_to("LOOP", "DO")
    head = body.condition("While", tokens, start)
    return Repeat(head, _rounds(body))


@steps("REPEAT")
def repeat(body: Body) -> Any:
    """`REPEAT … UNTIL c END REPEAT;`."""
    if body.word(1) == "(":
        return None
    body.token()
    inside = body.steps("UNTIL", "END")
    head = None
    if body.word() == "UNTIL":
        start = body.at
        body.token()
        found = body.find_word("END")
        tokens = body.tokens[body.at : found if found >= 0 else body.end_of_statement(body.at)]
        body.at += len(tokens)
        head = body.condition("Until", tokens, start)
    body.close("END", "REPEAT")
    return Repeat(head, inside, tests_last=True)


@steps("FOR", "FOREACH")
def for_(body: Body) -> Any:
    """A FOR loop of any kind: the variable it runs through is known inside of it."""
    if body.dialect.guards_one_statement:
        return None
    start = body.at
    body.token()
    several = _several(body)
    nameless = body.word() in ("SELECT", "WITH", "VALUES") and body.dialect.loops_spread
    name = body.tokens[start] if nameless or several else body.token()
    outer, body.known = body.known, Names(body.known)
    try:
        before, head, declared = _head(body, start, name, nameless)
        body.known.declared[name.text.upper()] = declared
        inside = _rounds(body)
    finally:
        body.known = outer
    _note_order(head, inside)
    if several:
        row = Target((identifier(name),), span_of([name]))
        inside = (Do(body.made(_head_tokens(body, start), Fetch(row, several, type="For"))), *inside)
    if declared.kind == "record" and not several and _is_declared_record(body, name):
        return Group((*before, Repeat(head, inside)))
    return Group((Let(declared), *before, Repeat(head, inside)))


def _note_order(head: Statement | None, inside: Sequence[Step]) -> None:
    """Mark the ORDER BY of a loop's query where it decides: a round sees what those before it did, or the loop is left early."""
    query = head.tree.query if head is not None and isinstance(head.tree, Query) else None
    order = query.unnest().args.get("order") if isinstance(query, exp.Query) else None
    if order is not None and any(map(_depends_on_order, inside)):
        order.meta[ORDER_DECIDES] = True


def _depends_on_order(step: Step) -> bool:
    if isinstance(step, Do):
        return isinstance(step.statement.tree, (Assign, IntoVariables))
    if isinstance(step, Leave):
        return step.out_of != "round"
    if isinstance(step, Choice):
        return any(_depends_on_order(inner) for branch in step.branches for inner in branch.steps)
    return isinstance(step, (Repeat, Group)) and any(map(_depends_on_order, step.steps))


def _is_declared_record(body: Body, name: Token) -> bool:
    """Whether PL/pgSQL's loop runs through a variable that is declared before it: the record keeps its columns, and the last row."""
    known = body.known.find(name.text) if body.dialect.family in ("postgres", "redshift") else None
    return known is not None and known.kind == "record"


def _several(body: Body) -> tuple[Target, ...]:
    """The variables of `FOR a, b IN SELECT …`, or the one scalar that takes a query's only column; nothing for a record."""
    if body.word(1) in (",", "."):
        return body.targets()
    if body.word(1) != "IN" or body.word(2) not in _QUERY_WORDS | {"QUERY"}:
        return ()
    known = body.known.find(body.tokens[body.at].text)
    return body.targets() if known is not None and known.kind == "scalar" and body.dialect.family == "postgres" else ()


def _head_tokens(body: Body, start: int) -> Sequence[Token]:
    """The tokens of a loop's head."""
    end = next((i for i in range(start, body.at) if word(body.tokens[i]) in ("LOOP", "DO")), body.at)
    return body.tokens[start:end]


def _head(body: Body, start: int, name: Token, nameless: bool = False) -> tuple[list[Step], Any, Declared]:
    """What comes before the loop, what begins each round, and the loop's variable."""
    place = span_of([name])
    target = Target((identifier(name),), place)
    if body.take("SLICE"):
        body.token()
    if not (nameless or body.take("IN") or body.take("AS")):
        raise ParseError("IN is missing")
    if body.take("ARRAY"):
        tokens = body.up_to("LOOP", "DO")
        value = body.made(body.tokens[start : body.at], Assign((target,), body.value(tokens), type="For"))
        return [], value, Declared(name.text, "scalar", place)
    body.take("REVERSE")
    if body.word() == "QUERY" and body.word(1) in _QUERY_WORDS:  # Vertica
        body.token()
    if (body.word(1) == "CURSOR" and body.word(2) == "FOR") or body.word(2) == "CURSOR":
        return _named_cursor(body, start, target, name)
    tokens = body.up_to("LOOP", "DO")
    whole = body.tokens[start : body.at]
    bounds = _bounds(body, tokens)
    if bounds is not None:
        return [], body.made(whole, Assign((target,), bounds, type="For")), Declared(name.text, "scalar", place)
    record = Declared(name.text, "record", place, spreads=body.dialect.loops_spread)
    if word(tokens[0]) == "EXECUTE":
        inner = body.inside(tokens)
        inner.token()
        inner.take("IMMEDIATE")
        has_values = inner.find_word("USING") >= 0
        text = inner.value(inner.up_to("USING") if has_values else inner.rest())
        using = tuple(inner.value(part) for part in between_commas(inner.rest())) if has_values else ()
        return [], body.made(whole, Dynamic(text, using=using, cursor=target)), record
    if word(tokens[0]) in _QUERY_WORDS:
        return [], body.made(whole, Query(target, body.statement(_unwrapped(tokens)), type="For")), record
    inner = body.inside(tokens)
    cursor = inner.target()
    inner.at = min(len(cursor.parts) * 2 - 1, len(tokens))
    arguments = inner.brackets() if inner.at_bracket() else ()
    before = opened(body, cursor.parts[-1].name, arguments)
    return before, body.made(whole, Fetch(cursor, (target,), type="For")), record


def _named_cursor(body: Body, start: int, target: Target, name: Token) -> tuple[list[Step], Any, Declared]:
    """`FOR r AS c CURSOR FOR SELECT …`: a cursor of its own, so that CURRENT OF c can name it."""
    token = body.token()
    place = span_of([token])
    cursor = Target((identifier(token),), place)
    declared = Declared(token.text, "cursor", place)
    body.known.declared[token.text.upper()] = declared
    body.up_to("FOR")
    query = body.statement(_unwrapped(body.up_to("LOOP", "DO")))
    whole = body.tokens[start : body.at]
    before: list[Step] = [Let(declared), Do(body.made(whole, Query(cursor, query)))]
    head = body.made(whole, Fetch(cursor, (target,), type="For"))
    return before, head, Declared(name.text, "record", span_of([name]))


def _bounds(body: Body, tokens: Sequence[Token]) -> Any:
    """The bounds of `1..n`, or of Snowflake's `1 TO n`, as one expression; None if these are none."""
    for i, token in enumerate(tokens):
        dots = token.token_type is TokenType.DOT
        if dots and i and (tokens[i - 1].token_type is TokenType.DOT or tokens[i - 1].text.endswith(".")):
            first = list(tokens[: i - 1]) if tokens[i - 1].token_type is TokenType.DOT else list(tokens[:i])
            last = body.inside(tokens[i + 1 :])
            parts = [first, last.until_any("BY"), last.rest()[1:]]
            return exp.Tuple(expressions=[body.value(part) for part in parts if part])
        if word(token) == "TO" and i:
            return exp.Tuple(expressions=[body.value(tokens[:i]), body.value(tokens[i + 1 :])])
    return None


def _unwrapped(tokens: Sequence[Token]) -> Sequence[Token]:
    """A query without the brackets that are all around it."""
    pairs = _pairs(tokens)
    first, last = 0, len(tokens) - 1
    while last > first + 1 and pairs.get(first) == last:
        first, last = first + 1, last - 1
    return tokens[first : last + 1]


def _pairs(tokens: Sequence[Token]) -> dict[int, int]:
    """The closing bracket of each opening one."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for i, token in enumerate(tokens):
        if token.token_type is TokenType.L_PAREN:
            opened.append(i)
        elif token.token_type is TokenType.R_PAREN and opened:
            found[opened.pop()] = i
    return found


def _rounds(body: Body) -> tuple[Step, ...]:
    inside = body.steps("END")
    body.take("END")
    body.take_any("LOOP", "WHILE", "FOR")
    if body and body.word() != ";" and body.word(1) == ";":
        body.token()
    body.take(";")
    return inside


@steps("FORALL")
def forall(body: Body) -> Any:
    """`FORALL i IN 1 .. v.COUNT UPDATE …`: one statement, for each element."""
    start = body.at
    body.token()
    name = body.token()
    verbs = ("INSERT", "UPDATE", "DELETE", "MERGE", "EXECUTE")
    found = body.find_word(*verbs)
    if found < 0:
        raise ParseError("a statement is missing")
    range = body.tokens[body.at + 1 : found]
    body.at = found
    place = span_of([name])
    declared = Declared(name.text, "scalar", place)
    outer, body.known = body.known, Names(body.known)
    body.known.declared[name.text.upper()] = declared
    try:
        inside = body.step()
    finally:
        body.known = outer
    target = Target((identifier(name),), place)
    head = body.made(body.tokens[start:found], Assign((target,), _elements(body, range), type="For"))
    return Group((Let(declared), Repeat(head, tuple(inside))))


def _elements(body: Body, range: Sequence[Token]) -> Any:
    """What FORALL runs through: `1 .. l.COUNT`, `INDICES OF l`, `VALUES OF l`."""
    words = [word(token) for token in range]
    end = words.index("SAVE") if "SAVE" in words else len(range)
    if words[1:2] == ["OF"] and end > 2:
        return exp.column("COUNT", body.inside(range[2:end]).target().parts[0])
    bounds = _bounds(body, range[:end])
    return exp.Null() if bounds is None else bounds


@steps()
def labelled(body: Body) -> Any:
    """`<<a>> LOOP …`, `a: LOOP …`: what a label is put to."""
    label = ""
    if body.word() == "<" and body.word(1) == "<":
        label = body.word(2)
        body.at += 5
    elif body.word(1) == ":" and body.word(2) in ("LOOP", "WHILE", "REPEAT", "FOR", "BEGIN"):
        label = body.word()
        body.at += 2
    if not label or not body:
        return None
    found = body.step()
    return [_named(step, label) for step in found]


def _named(step: Step, label: str) -> Step:
    if isinstance(step, Repeat):
        return Repeat(step.head, step.steps, step.tests_last, label)
    if isinstance(step, Group):
        inside = tuple(_named(s, label) if isinstance(s, Repeat) else s for s in step.steps)
        return Group(inside, step.handlers, label, step.resuming)
    return step
