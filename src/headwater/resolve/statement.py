"""One statement to its resolution: the pure function that everything else is arranged around.

`resolve` takes a parsed statement and the session it runs in, and gives its relations and diagnostics. Each kind of
statement is a module that registers itself with `resolves`.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from sqlglot import exp

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.entity import TableName
from headwater.model.relation import Process
from headwater.model.resolution import Resolution
from headwater.model.work import TooLarge
from headwater.resolve.builder import Builder
from headwater.resolve.named_type import spell_out
from headwater.resolve.registry import Registry
from headwater.resolve.scope import Environment, ResultSet
from headwater.resolve.session import Session
from headwater.sql.comments_on_columns import comments_of
from headwater.sql.place import Places
from headwater.sql.statement import Statement


class Outcome(NamedTuple):
    """What a statement's resolver tells about the statement as a whole."""

    type: str
    """The process type, `Create View`."""
    result: ResultSet | None = None
    """The unwritten query, or the rows that a data-changing statement returns."""
    effect: str = ""
    """The seed's effectType of what is written, where the type does not tell: `rename_table`."""


StatementHandler = Callable[[Builder, Any, Environment], Outcome]

resolves = Registry[StatementHandler]()
"""Registers the resolver of a kind of statement."""


def resolve(statement: Statement, session: Session) -> Resolution:
    """The resolved relations of one statement; problems are diagnostics in it, never exceptions."""
    builder = Builder(statement.dialect, session, Places(statement))
    builder.diagnostics.extend(statement.diagnostics)
    outcome = Outcome("Unknown")
    if statement.tree is not None:
        try:
            if session.programs:
                spell_out(builder, statement.tree)
            outcome = run(builder, statement.tree, Environment())
        except TooLarge as excess:
            builder = _failed(builder, statement, Code.TOO_LARGE, excess.message, excess.hint)
        except RecursionError:
            builder = _failed(builder, statement, Code.TOO_DEEP, "the statement is nested too deeply to be resolved")
        except MemoryError:
            builder = _failed(
                builder, statement, Code.OUT_OF_MEMORY, "there is not enough memory to resolve the statement"
            )
        except Exception as error:  # noqa: BLE001 - the statement boundary: whatever happens, the script goes on
            where = traceback.extract_tb(error.__traceback__)[-1]
            message = (
                f"{type(error).__name__} in {where.name}, line {where.lineno} of {where.filename.rsplit('/', 1)[-1]}"
            )
            builder = _failed(builder, statement, Code.INTERNAL_ERROR, message)
    made = resolution_of(builder, statement, outcome)
    builder.release()
    return made


def _failed(builder: Builder, statement: Statement, code: Code, message: str, hint: str = "") -> Builder:
    """A fresh builder that holds nothing but the failure and what was said before it."""
    fresh = Builder(builder.dialect, builder.session, builder.places)
    fresh.diagnostics.extend(builder.diagnostics)
    fresh.diagnostics.append(Diagnostic(code, message, statement.span, hint=hint))
    return fresh


def run(builder: Builder, tree: Any, environment: Environment) -> Outcome:
    """Resolve a statement node into the builder."""
    handler = resolves.of(tree)
    if handler is None:
        builder.say(Code.UNSUPPORTED_STATEMENT, f"{describe(tree)} is not understood", tree, describe(tree))
        return Outcome("Unknown")
    return handler(builder, tree, environment)


def describe(tree: Any) -> str:
    """A statement's first word, for messages."""
    if isinstance(tree, exp.Command):
        return str(tree.this).split(" ")[0].upper()
    return str(tree.key).upper() if isinstance(tree, exp.Expr) else type(tree).__name__.upper()


def nested_statement(builder: Builder, node: Any, environment: Environment) -> ResultSet:
    """A data-changing statement inside WITH: it is resolved like any other, and gives the rows it returns."""
    outcome = run(builder, node, environment)
    return outcome.result or ResultSet(builder, "select_list", node).complete()


def _assigned(builder: Builder) -> tuple[int, ...]:
    """The columns of variables that edges lead into."""
    owners = [holder for (_, written), holder in builder.variables.items() if written]
    columns = [column for owner in owners for column in (*owner.columns.values(), owner.rows)]
    made = {target for target, _, _, _ in builder.edges}
    return tuple(column for column in columns if column in made)


def resolution_of(builder: Builder, statement: Statement, outcome: Outcome) -> Resolution:
    """What a builder has collected, as a resolution."""
    result = outcome.result
    builder.count_ambiguous()
    return Resolution(
        process=Process(outcome.type, statement.query_hash, statement.span),
        entities=builder.entities,
        columns=builder.columns,
        edges=builder.edges,
        numbered=builder.numbered,
        outputs=[column for _, column in result.outputs] if result else [],
        output_rows=result.rows if result else -1,
        read=list(builder.read),
        written=list(builder.written),
        inferred=frozenset(builder.inferred),
        defines=tuple(builder.defines),
        replaced=frozenset(builder.replaced | {d.table for d in builder.defines} - builder.reshaped),
        default_schema=builder.default_schema,
        diagnostics=builder.diagnostics,
        locate=builder.places.span,
        expression=builder.places.expression,
        function_name=builder.places.function_name,
        effect=outcome.effect,
        functions=tuple(builder.functions),
        dropped_functions=tuple(builder.dropped_functions),
        programs=tuple(builder.types),
        assigned=_assigned(builder) if builder.variables else (),
        routines=tuple(builder.routines),
        left_out=tuple(builder.left_out.items()),
        added=tuple(builder.added),
        altered=tuple(builder.altered),
        wildcards=tuple(builder.wildcards.values()),
        moved=tuple(builder.moved),
        comments=tuple(_comments(builder, statement)) if _may_comment(builder) else (),
        conditions=statement.conditions,
    )


def _may_comment(builder: Builder) -> bool:
    return builder.places.mentions("comment") or builder.places.mentions("description")


def _comments(builder: Builder, statement: Statement) -> Iterator[tuple[TableName, str | None, str]]:
    for table, column, text in comments_of(statement.tree, builder.dialect):
        yield builder.qualified(table), column, builder.places.without_secrets(text)
