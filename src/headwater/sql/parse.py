"""A piece to a statement: by the grammar of its dialect, and by our own readers where that gives up.

A piece that nobody understands carries a diagnostic instead of a tree.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.span import Span
from headwater.model.work import OutOfTime, check_time
from headwater.sql.blocks import WITH_FUNCTIONS
from headwater.sql.column_all import may_be_column_all, with_column_all
from headwater.sql.dialect import Dialect
from headwater.sql.form import CreateFunction, Routine
from headwater.sql.given_text import is_given_text
from headwater.sql.grammar import parse_statement
from headwater.sql.identifier_clause import all_named, names_spelled
from headwater.sql.macro_calls import called_macro, unknown_macros
from headwater.sql.pipe import UnknownOperator
from headwater.sql.placeholder import is_placeholder
from headwater.sql.procedural import read_program
from headwater.sql.procedural.form import Dynamic
from headwater.sql.reading import Reading, read, read_first
from headwater.sql.source import Source
from headwater.sql.spelling import spelled
from headwater.sql.split import Piece, span_of
from headwater.sql.statement import Statement
from headwater.sql.tables_due import NOTHING, tables_due
from headwater.sql.target import created
from headwater.sql.template_loops import (
    MAX_ROUNDS,
    MAX_TOKENS,
    TooManyRounds,
    Values,
    given_values,
    rounds_of,
    with_rounds,
)
from headwater.sql.template_ways import MAX_WAYS, Way, Ways, ways_of
from headwater.sql.tokens import is_swallowed, shifted
from headwater.sql.variables import name_variables

_BEGINNINGS = (
    "SELECT",
    "WITH",
    "INSERT",
    "UPDATE",
    "DELETE",
    "MERGE",
    "CREATE",
    "ALTER",
    "DROP",
    "TRUNCATE",
    "GRANT",
    "VALUES",
)
_VERBS = frozenset({"CREATE", "ALTER", "DROP"})
"""Words that are always understood: it is the next one that is not."""
_STATEMENT_WORDS = frozenset({"SELECT", "WITH", "INSERT", "CREATE", "UPDATE", "DELETE", "MERGE", "("})
_KEPT = 10_000
"""Tokens that a script's first statement may keep: a log's scripts are one statement, whose places are asked for next."""


def parse(piece: Piece, dialect: Dialect) -> Statement:
    """The statement that a piece spells."""
    if piece.problem is not None:
        return Statement(piece.text, dialect, piece.span, None, (piece.problem,))
    if piece.block is not None and piece.block.kind != WITH_FUNCTIONS:
        piece = names_spelled(piece, dialect)
        tree: Any = _function(piece, dialect)
        problem = None
        if tree is None:
            tree, problem = _routine(piece, dialect)
        return _statement(piece, dialect, tree, (problem,) if problem else ())
    if piece.source.tags:
        return _of_template(piece, dialect)
    return _statement(piece, dialect, *_taken(piece, dialect))


def other_ways(piece: Piece, dialect: Dialect, first: Statement) -> Iterator[Statement]:
    """A template's statement in each way, and each round of the loops around it, but the *first*.

    A way that is no SQL is left out if each pair of its branches is in another way that is.
    """
    ways, rounds = _ways(piece), _rounds(piece)
    chosen, remarks = _chosen(piece, ways, rounds)
    is_read_here = not (first.postponed and (piece.source.loops or piece.source.sets))
    read = [_covered(ways.ways[0], 0)] if first.postponed or is_understood(first.tree) else []
    lost: list[tuple[Way, int, Statement]] = []
    for way, number in chosen[is_read_here:]:
        rendered = _rendered(piece, way.hidden, dialect, rounds[number])
        if rendered is None:
            continue
        tree, problems = _taken_here(rendered, dialect)
        statement = _statement(rendered, dialect, tree, (*remarks, *problems), way.conditions)
        remarks = ()
        if statement.tree is None or _lacks_query(tree):
            lost.append((way, number, statement))
        else:
            read.append(_covered(way, number))
            yield statement
    found = frozenset().union(*read)
    for way, number, statement in lost:
        if not _covered(way, number) <= found:
            found |= _covered(way, number)
            yield statement


def _taken_here(piece: Piece, dialect: Dialect) -> tuple[Any, tuple[Diagnostic, ...]]:
    """A piece's tree, or the reason for having none; of a way that a worker cannot read, since it would read the first one again."""
    try:
        return _taken(piece, dialect)
    except OutOfTime:
        check_time()
        message = "a branch of the template other than the first is too long, or nested too deeply, to be read here"
        return None, (Diagnostic(Code.TOO_DEEP, message, piece.span),)


def _chosen(piece: Piece, ways: Ways, rounds: list[Values]) -> tuple[list[tuple[Way, int]], tuple[Diagnostic, ...]]:
    """The ways and rounds that are read together, the first ones first, and what is to be said of the others."""
    remarks: tuple[Diagnostic, ...] = () if ways.complete else (_not_all_ways(piece, len(ways.ways)),)
    if len(rounds) > MAX_ROUNDS:
        remarks += (_not_all_rounds(piece),)
    numbers = range(min(len(rounds), MAX_ROUNDS))
    if len(ways.ways) * len(numbers) <= 2 * MAX_WAYS:
        return [(way, number) for number in numbers for way in ways.ways], remarks
    chosen = [*((way, 0) for way in ways.ways), *((ways.ways[0], number) for number in numbers[1:])]
    return chosen, remarks or (_not_all_ways(piece, len(chosen)),)


def in_all_rounds(piece: Piece, dialect: Dialect) -> list[Piece]:
    """A piece of a template in each round of the loops around it, and in it, with all branches; itself where there are no loops."""
    if not (piece.source.loops or piece.source.sets):
        return [piece]
    rendered = (_rendered(piece, [], dialect, values) for values in _rounds(piece)[:MAX_ROUNDS])
    return [piece, *(each for each in rendered if each is not None)]


def _covered(way: Way, number: int) -> frozenset[tuple[int, frozenset[Span]]]:
    """The branches of a way, one by one and in pairs, in a round."""
    pairs = {frozenset((one, other)) for one in way.shown for other in way.shown}
    return frozenset((number, pair) for pair in (frozenset[Span](), *pairs))


def _lacks_query(tree: Any) -> bool:
    """Whether nothing is left to be inserted."""
    return isinstance(tree, exp.Insert) and not (tree.expression or tree.args.get("default"))


def _ways(piece: Piece) -> Ways:
    if not piece.source.tags:
        return Ways((Way([], frozenset()),))
    return ways_of(piece.source.conditions_in(piece.span), piece.source.branches_around(piece.span))


def first_way(piece: Piece) -> tuple[Source, tuple[str, ...]]:
    """What a piece is made of, and on what conditions; of a template, by the first branch of each condition."""
    if not piece.source.tags:
        return piece.source, ()
    first = _ways(piece).ways[0]
    return piece.source.without(first.hidden, piece.span), first.conditions


def _of_template(piece: Piece, dialect: Dialect) -> Statement:
    """A template's statement by the first branches; without any, where these are no SQL."""
    ways = _ways(piece)
    hidden, _, told = ways.ways[0]
    notes: list[Diagnostic] = []
    is_made = bool(hidden or piece.source.loops or piece.source.sets)
    first = _rendered(piece, hidden, dialect, notes=notes) if is_made else piece
    tree, problems = _taken(first, dialect) if first else (None, ())
    problems += tuple(notes)
    conditions = piece.source.conditions_in(piece.span)
    if tree is not None or not conditions:
        return _statement(first or piece, dialect, tree, problems, told if len(ways.ways) > 1 else ())
    bare = _rendered(piece, [branch for c in conditions for branch in c.branches], dialect)
    tree, said = _taken(bare, dialect) if bare else (None, ())
    if bare is None or tree is None:
        return _statement(piece, dialect, None, problems)
    message = "what the template's conditions guard here is left out: with it the statement is not understood"
    return _statement(bare, dialect, tree, (*said, Diagnostic(Code.TEMPLATE, message, conditions[0].tag)))


def _not_all_ways(piece: Piece, count: int) -> Diagnostic:
    message = (
        f"the template's conditions can come out in very many ways, and {count} of them are read: what only several "
        "branches give together may be missing"
    )
    tag = piece.source.conditions_in(piece.span)[0].tag
    return Diagnostic(Code.TEMPLATE, message, tag, "ways", "analyse the rendered SQL for the whole truth")


def _rendered(
    piece: Piece,
    hidden: list[Span],
    dialect: Dialect,
    values: Values | None = None,
    notes: list[Diagnostic] | None = None,
) -> Piece | None:
    """A piece without some parts of it, in a round of the loops around it; None if nothing is left that could be read."""
    source = piece.source.without(hidden, piece.span)
    try:
        tokens = shifted(source.tokens(dialect, *piece.span), piece.span.start, 0)
    except TokenError:
        return None
    loops, _ = piece.source.loops_in(piece.span)
    values = _rounds(piece)[0] if values is None else values
    try:
        tokens = with_rounds(tokens, loops, values, dialect) if loops or values else tokens
    except TooManyRounds:
        message = (
            f"with all rounds of its loops the statement has more than {MAX_TOKENS:,} words: each loop is read once"
        )
        said = Diagnostic(
            Code.TEMPLATE, message, loops[0].tag, "rounds", "analyse the rendered SQL for the whole truth"
        )
        notes = [] if notes is None else notes
        notes.append(said)
    return replace(piece, source=source, tokens=tokens) if tokens else None


def _rounds(piece: Piece) -> list[Values]:
    """The values in each round of the loops around a statement."""
    _, around = piece.source.loops_in(piece.span)
    found: list[Values] = [given_values(piece.source.sets)]
    for loop in around:
        made = [each.values for values in found for each in rounds_of(loop, values)]
        found = made[: MAX_ROUNDS + 1] or found
    return found


def _not_all_rounds(piece: Piece) -> Diagnostic:
    message = f"the loops around the statement have more than {MAX_ROUNDS} rounds, of which no more are read"
    tag = piece.source.loops_in(piece.span)[1][0].tag
    return Diagnostic(Code.TEMPLATE, message, tag, "rounds", "analyse the rendered SQL for the whole truth")


_NO_STATEMENTS = (exp.Alias, exp.Condition, exp.Block)


def _statement(
    piece: Piece,
    dialect: Dialect,
    tree: Any,
    problems: tuple[Diagnostic, ...] = (),
    conditions: tuple[str, ...] = (),
) -> Statement:
    kept = piece.tokens if piece.span.start == 0 and piece.source.is_plain and len(piece.tokens) <= _KEPT else None
    due = tables_due(piece.tokens, piece.kinds, piece.letters) if not problems else NOTHING
    if piece.target and isinstance(tree, exp.Query):
        tree = created(tree, piece.target, piece.tokens[0])
    return Statement(
        *(piece.text, dialect, piece.span, tree, problems, piece.source),
        due=due,
        read=kept,
        conditions=conditions,
        target=piece.target,
    )


def _taken(piece: Piece, dialect: Dialect) -> tuple[Any, tuple[Diagnostic, ...]]:
    """A piece's tree, finished; or None and the reason."""
    notes: list[Diagnostic] = []
    piece, said = all_named(piece, dialect)
    tree, problem = _tree(piece, dialect, notes)
    if problem is None and not isinstance(tree, _NO_STATEMENTS):
        tree, problems = _finished(tree, piece)
        leading = unknown_macros(piece.tokens[: _size_of_leading_template(piece.tokens)])
        return tree, (*said, *leading, *notes, *problems)
    if all(map(called_macro, piece.tokens)):
        return None, unknown_macros(piece.tokens)
    return None, (problem or _no_statement(piece),)


def _tree(piece: Piece, dialect: Dialect, notes: list[Diagnostic]) -> tuple[Any, Diagnostic | None]:
    """What the grammar or the readers make of a piece, or why they make nothing of it; readers add to the *notes*."""
    try:
        return _read_or_parsed(piece, dialect, notes)
    except Exception as error:  # noqa: BLE001 - the statement boundary: a reader's defect costs its statement, not the script
        return None, _defect(error, piece)


def _defect(error: Exception, piece: Piece) -> Diagnostic:
    where = traceback.extract_tb(error.__traceback__)[-1]
    message = f"{type(error).__name__} in {where.name}, line {where.lineno} of {Path(where.filename).name}"
    return Diagnostic(Code.INTERNAL_ERROR, message, piece.span)


def _read_or_parsed(piece: Piece, dialect: Dialect, notes: list[Diagnostic]) -> tuple[Any, Diagnostic | None]:
    tree: Any = None
    problem: Diagnostic | None = None
    tokens = _without_leading_template(piece.tokens)
    if len(tokens) == 1 and is_given_text(tokens[0].text):
        return _given(tokens[0]), None
    try:
        tree = read_first(Reading(tokens, piece.text.raw, dialect, notes)) or _parsed(tokens, piece, dialect)
    except (ParseError, TokenError) as error:
        problem = _syntax_error(error, piece)
    except UnknownOperator as error:
        word, span = error.token.text, Span(error.token.start, error.token.end + 1)
        problem = Diagnostic(Code.SYNTAX_ERROR, f"the pipe operator {word} is not understood", span, word)
    except RecursionError:
        problem = Diagnostic(Code.TOO_DEEP, "the statement is nested too deeply to be parsed", piece.span)
    except MemoryError:
        problem = Diagnostic(Code.OUT_OF_MEMORY, "there is not enough memory to parse the statement", piece.span)
    if not is_understood(tree):
        read_by_us = _read(tokens, piece, dialect, notes)
        if read_by_us is not None:
            tree, problem = read_by_us, None
        elif problem is None and tokens[0].token_type in _DEFINES:
            tree, problem = _query_problem(tree, tokens, piece, dialect)
    return tree, problem


def _given(token: Token) -> Dynamic:
    """An SQL text that a program gives to a call, and that is not known."""
    text = exp.Placeholder(this=token.text)
    text.update_positions(token)
    return Dynamic(text)


_DEFINES = frozenset({TokenType.CREATE, TokenType.ALTER})
_QUERIES = frozenset({TokenType.SELECT, TokenType.WITH, TokenType.L_PAREN})


def _query_problem(tree: Any, tokens: list[Token], piece: Piece, dialect: Dialect) -> tuple[Any, Diagnostic | None]:
    """What is wrong with the query of `CREATE … AS`, where the grammar only says that it does not take the whole statement."""
    found = pairwise(tokens)
    start = next((i for i, (a, b) in enumerate(found) if _begins_query(a, b)), None)
    if start is None:
        return tree, None
    try:
        parse_statement(spelled(tokens[start + 1 :], piece.text.raw, dialect), piece.text.raw, dialect)
    except ParseError as error:
        return None, _syntax_error(error, piece)
    except (TokenError, UnknownOperator, RecursionError):
        pass
    return tree, None


def _begins_query(as_: Token, query: Token) -> bool:
    return as_.token_type is TokenType.ALIAS and query.token_type in _QUERIES


def _parsed(tokens: list[Token], piece: Piece, dialect: Dialect) -> Any:
    if tokens[0].token_type in dialect.grammar.tokenizer_class.COMMANDS and not any(map(is_swallowed, tokens[1:2])):
        return exp.Command(this=tokens[0].text.upper())
    upper = piece.upper if tokens is piece.tokens else None
    if dialect.all_is_name and may_be_column_all(piece.letters):
        tokens = with_column_all(tokens)
    found = spelled(tokens, piece.text.raw, dialect, upper)
    return parse_statement(found, piece.text.raw, dialect, piece.letters if found is piece.tokens else None)


def _without_leading_template(tokens: list[Token]) -> list[Token]:
    """The tokens without expressions of a template that stand before the statement: `{{ log_start() }} SELECT …`."""
    start = _size_of_leading_template(tokens)
    return tokens[start:] if start else tokens


def _size_of_leading_template(tokens: Sequence[Token]) -> int:
    """How many expressions of a template stand before a statement."""
    start = 0
    while start + 1 < len(tokens) and tokens[start].text.startswith("{{") and is_placeholder(tokens[start].text):
        start += 1
    return start if start and tokens[start].text.upper() in _STATEMENT_WORDS else 0


def _read(tokens: list[Token], piece: Piece, dialect: Dialect, notes: list[Diagnostic]) -> Any:
    """What our own readers make of a piece that the grammar does not take, if they do."""
    try:
        return read(Reading(tokens, piece.text.raw, dialect, notes))
    except (ParseError, TokenError, RecursionError):
        notes.clear()
        return None


def _finished(tree: Any, piece: Piece) -> tuple[Any, tuple[Diagnostic, ...]]:
    """The tree with its variables, and with a place where it is the grammar's catch-all."""
    if isinstance(tree, exp.Command):
        unknown = piece.tokens[1 if len(piece.tokens) > 1 and tree.name.upper() in _VERBS else 0]
        tree.update_positions(unknown)
        if unknown.text.isidentifier() and unknown is not piece.tokens[0]:
            tree.set("this", f"{tree.name.upper()} {piece.text.slice(unknown.start, unknown.end + 1).upper()}")
    if piece.source.readable is piece.source.raw:
        return tree, ()
    return tree, tuple(name_variables(tree, piece.text))


def _function(piece: Piece, dialect: Dialect) -> CreateFunction | None:
    """A function that is one query or expression, or in another language; a body of several statements is a routine."""
    if piece.block is None or piece.block.kind not in ("function", "macro"):
        return None
    tree, _ = _tree(piece, dialect, [])
    if not isinstance(tree, CreateFunction):
        return None
    if any(body.body is not None for body in tree.bodies):
        return tree
    return None if any(body.broken for body in tree.bodies) or _is_program(piece, dialect) else tree


def _is_program(piece: Piece, dialect: Dialect) -> bool:
    """Whether a function that is no query and no expression has a body of several statements, in SQL."""
    if _has_block(piece, dialect) or sum(token.token_type is TokenType.SEMICOLON for token in piece.tokens) > 1:
        return True
    words = [token.text.upper() for token in piece.tokens]
    return any(pair in (("LANGUAGE", "PLPGSQL"), ("LANGUAGE", "PLVSQL")) for pair in pairwise(words))


def _has_block(piece: Piece, dialect: Dialect) -> bool:
    """Whether a function has a body that needs no semicolons: T-SQL's BEGIN … END."""
    return dialect.optional_semicolons and any(token.token_type is TokenType.BEGIN for token in piece.tokens)


def _routine(piece: Piece, dialect: Dialect) -> tuple[Routine | None, Diagnostic | None]:
    """The program that a block is, or why it cannot be read."""
    try:
        program = read_program(piece, dialect, parse)
    except (ParseError, TokenError, IndexError):
        message = "the head of the routine is not understood"
        return None, Diagnostic(Code.SYNTAX_ERROR, message, span_of(piece.tokens[:1]), piece.tokens[0].text.upper())
    except RecursionError:
        return None, Diagnostic(Code.TOO_DEEP, "the program is nested too deeply to be read", piece.span)
    except Exception as error:  # noqa: BLE001 - the statement boundary: a reader's defect costs its program, not the script
        return None, _defect(error, piece)
    name = "" if program.name is None else piece.text.slice(*program.place)
    return Routine(program.kind, name, program.place, program), None


def is_understood(tree: Any) -> bool:
    """Whether a tree is a statement that was taken apart: not the parser's catch-all, nor a bare expression."""
    if isinstance(tree, exp.Alter):
        return not any(isinstance(action, exp.Command) for action in tree.args.get("actions") or ())
    return tree is not None and not isinstance(tree, (exp.Command, *_NO_STATEMENTS))


def understood(statement: Statement) -> bool:
    """Whether a statement was taken apart."""
    return is_understood(statement.tree)


def _no_statement(piece: Piece) -> Diagnostic:
    """A piece that is an expression at best: its first word begins no statement."""
    place = span_of(piece.tokens[:1])
    near = piece.text.slice(*place)
    if is_placeholder(piece.tokens[0].text):
        message = f"what {near} stands for is not known"
        return Diagnostic(Code.UNSUPPORTED_STATEMENT, message, place, near, "analyse the rendered SQL")
    meant = get_close_matches(near.upper(), _BEGINNINGS, n=1, cutoff=0.75)
    hint = f"did you mean {meant[0]}?" if meant else ""
    return Diagnostic(Code.SYNTAX_ERROR, f"no statement begins with {near!r}", place, near, hint)


def _syntax_error(error: ParseError | TokenError, piece: Piece) -> Diagnostic:
    """A diagnostic from the parser's structured report; its message quotes raw SQL and is not passed on."""
    first = piece.tokens[0]
    if (first.token_type is TokenType.VAR and first.text.isalpha()) or is_placeholder(first.text):
        return _no_statement(piece)
    if isinstance(error, TokenError):
        return Diagnostic(Code.SYNTAX_ERROR, "a string, comment or quoted name is not closed", piece.span)
    report = error.errors[0] if error.errors else {"description": str(error)}
    description = _plain_words(str(report.get("description") or "not understood"))
    line, column = report.get("line"), report.get("col")
    for token in piece.tokens:
        if token.line == line and token.col == column:
            near = piece.text.slice(token.start, token.end + 1)
            return Diagnostic(
                Code.SYNTAX_ERROR, f"{description}, at {near!r}", Span(token.start, token.end + 1), subject=near
            )
    return Diagnostic(Code.SYNTAX_ERROR, description, piece.span)


def _plain_words(description: str) -> str:
    """The parser's complaint without its own objects, which mean nothing to a reader and may quote the script."""
    description = description.split("\n")[0].rstrip(".")
    incomplete = re.match(r"Required keyword: '\w+' missing for <class '(?:\w+\.)*(\w+)'>", description)
    if incomplete:
        return f"{incomplete.group(1).upper()} is incomplete"
    return re.sub(r",? but got <.*|<.*", "", description).strip()
