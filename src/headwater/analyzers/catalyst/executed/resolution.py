"""An executed plan to its resolution."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from headwater.analyzers.catalyst.executed.commands import Executed, Known, executes
from headwater.analyzers.catalyst.jvm import Jvm
from headwater.analyzers.catalyst.places import Place, places_of
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.select import Unread
from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.resolution import Resolution
from headwater.model.span import Span
from headwater.resolve import statement as resolving
from headwater.resolve.builder import Builder
from headwater.resolve.session import Session
from headwater.resolve.statement import Outcome
from headwater.sql.dialect import dialect
from headwater.sql.place import Places
from headwater.sql.redact import Redacted
from headwater.sql.statement import Statement, query_hash

_QUERY = re.compile(r'\.(?:Project|Aggregate|Filter|Join|LogicalRelation|HiveTableRelation|DataSourceV2Relation)"')
_LARGE = 5_000
_TOO_LARGE = 50_000
"""Expressions of a plan; its JSON has some 350 bytes for each, and Python takes ten times that while it is read."""
_ID = re.compile(r'"id":(\d+),"jvmId":"[^"]*"')


class NoJob(Exception):
    """A plan that moves no data, or that another one reports as well."""


class Fetched(NamedTuple):
    """A plan as it comes from Java: its JSON, the places of its relations, and Spark's own object for what else is asked."""

    plan: Any
    text: str
    places: Mapping[int, Place]

    @classmethod
    def of(cls, jvm: Jvm, plan: Any) -> Fetched:
        """Fetch a plan; one whose projections list thousands of columns again and again, with fewer projections."""
        if jvm.size(plan) > _LARGE:
            plan = jvm.collapsed(plan)
            size = jvm.size(plan)
            if size > _TOO_LARGE:
                raise Unread(f"a plan of some {size:,} expressions")
        text = jvm.text(plan)
        return cls(plan, text, places_of(jvm, plan, text))

    @property
    def key(self) -> tuple[object, ...]:
        """The same for plans that differ in nothing but the numbers that Spark gives to columns, and to plans themselves."""
        numbers: dict[str, str] = {}
        text = _ID.sub(lambda match: '"id":' + numbers.setdefault(match[1], str(len(numbers))), self.text)
        return query_hash(text), tuple(self.places.values())  # a hash, as the text may be long and is kept

    def node(self, jvm: Jvm) -> Node:
        """The plan as a tree."""
        return jvm.tree(self.plan, self.text)


def resolution_of(jvm: Jvm, fetched: Fetched, known: Known, is_command: bool) -> Resolution:
    """What an executed plan did; `NoJob` if nothing, `Unread` if that cannot be told."""
    node = fetched.node(jvm)
    builder = new_builder()
    work = Executed(jvm, builder, fetched.places, known)
    command = executes.handlers.get(node.name)
    if command is not None:
        outcome = command(work, fetched.plan, node)
        if outcome is None:
            raise NoJob
    elif is_command and node.name == "Union":
        outcome = _several(work, fetched.plan, node)
    elif is_command:
        if not _QUERY.search(fetched.text):
            raise NoJob
        raise Unread(f"the command {node.name}")
    else:
        outcome = Outcome("Select", work.query(node, "select_list"))
    return completed(builder, outcome)


def _several(work: Executed, plan: Any, node: Node) -> Outcome:
    """`FROM … INSERT … INSERT …`: one statement of several commands."""
    outcome = None
    for child, part in zip(work.jvm.list_of(plan.children()), node.children, strict=True):
        command = executes.handlers.get(part.name)
        if command is None:
            raise Unread(f"the command {part.name}")
        outcome = command(work, child, part) or outcome
    if outcome is None:
        raise NoJob
    return outcome


def unread(message: str, code: Code) -> Resolution:
    """In the place of a resolution: why there is none."""
    builder = new_builder()
    builder.diagnostics.append(Diagnostic(code, message))
    return completed(builder, Outcome("Unknown"))


_SPARK = dialect("spark")
_NO_TEXT = Statement(Redacted("", ()), _SPARK, Span(0, 0), None)


def new_builder() -> Builder:
    """A builder of what has no text."""
    return Builder(_SPARK, Session(), Places(_NO_TEXT))


def completed(builder: Builder, outcome: Outcome) -> Resolution:
    """What a builder has collected."""
    return resolving.resolution_of(builder, _NO_TEXT, outcome)
