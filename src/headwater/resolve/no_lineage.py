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
            "Detach",
            "Attach",
            "ListStage",
            "Summarize",
            "Undrop",
            "Install",
            "AlterSession",
        ),
    )
    if hasattr(exp, name)
)


@resolves(*_CLASSES)
def no_lineage(builder: Builder, node: Any, environment: Environment) -> Outcome:
    """A statement that says nothing about columns."""
    if isinstance(node, exp.Set):
        say_unfollowed(builder, node)
    return Outcome(describe(node).title())


def say_unfollowed(builder: Builder, node: Any) -> None:
    """Say of a statement that gives a variable the result of a query that this is not followed."""
    query = node.find(exp.Query)
    if query is not None:
        builder.say(Code.UNSUPPORTED_CONSTRUCT, "what a variable takes from a query is not followed", query)


@resolves(exp.Command)
def command(builder: Builder, node: Any, environment: Environment) -> Outcome:
    """A statement that neither the grammar nor a reader took apart."""
    words = node.name.upper()
    builder.say(Code.UNSUPPORTED_STATEMENT, f"{words} is not understood", node, words)
    return Outcome("Unknown")


@resolves(NoLineage)
def without_data(builder: Builder, form: NoLineage, environment: Environment) -> Outcome:
    """A statement that a reader recognised as one without data."""
    return Outcome(form.type)
