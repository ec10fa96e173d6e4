"""Statements that move no data: settings, transactions, grants, indexes, comments. Understood, and nothing to say."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.resolve.builder import Builder
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, describe, resolves
from headwater.sql.form import NoLineage

_CLASSES = tuple(
    getattr(exp, name)
    for name in (
        *("Set", "Transaction", "Commit", "Rollback", "Show", "Describe", "Pragma", "Comment", "Analyze", "Kill"),
        *(
            "Grant",
            "Revoke",
            "Uncache",
            "Refresh",
            "Semicolon",
            "Declare",
            "Detach",
            "Attach",
            "TruncateTable",
            "AlterSession",
        ),
    )
    if hasattr(exp, name)
)
_COMMANDS = frozenset(
    {
        "BEGIN",
        "COMMIT",
        "ROLLBACK",
        "START",
        "END",
        "SET",
        "RESET",
        "GRANT",
        "REVOKE",
        "DENY",
        "SHOW",
        "DESCRIBE",
        "DESC",
    }
    | {
        "VACUUM",
        "ANALYZE",
        "OPTIMIZE",
        "REINDEX",
        "CLUSTER",
        "COMMENT",
        "LOCK",
        "UNLOCK",
        "PRINT",
        "REFRESH",
        "MSCK",
        "ADD",
    }
    | {
        "CHECKPOINT",
        "DISCARD",
        "SAVEPOINT",
        "RELEASE",
        "LIST",
        "PRAGMA",
        "INSTALL",
        "KILL",
        "FLUSH",
        "SECURITY",
        "REASSIGN",
    }
)


@resolves(*_CLASSES)
def no_lineage(builder: Builder, node: Any, environment: Environment) -> Outcome:
    """A statement that says nothing about columns."""
    return Outcome(describe(node).title())


@resolves(exp.Command)
def command(builder: Builder, node: Any, environment: Environment) -> Outcome:
    """A statement that the parser did not take apart: harmless ones are known by their first word."""
    word = describe(node)
    if word not in _COMMANDS:
        words = node.name.upper()
        builder.say(Code.UNSUPPORTED_STATEMENT, f"{words} is not understood", node, words)
        return Outcome("Unknown")
    return Outcome(word.title())


@resolves(NoLineage)
def without_data(builder: Builder, form: NoLineage, environment: Environment) -> Outcome:
    """A statement that a reader recognised as one without data."""
    return Outcome(form.type)
