"""UPDATE, DELETE and MERGE as Spark has analysed them: who reads which command, and what the statement says besides.

Plain tables keep the commands as they were parsed (`update`, `merge`); Delta Lake has commands of its own (`delta`); those of Iceberg
are rewritten by Spark (`rewritten`). The engine and live capture use the same readers.

Analysis adds casts, and turns `SET s.x = 1` into a value of the whole struct. Where the parsed statement is at hand, `Written` tells
what somebody wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.work import Writing, parts_of
from headwater.analyzers.registry import Registry
from headwater.resolve.statement import Outcome

MATCHED, NOT_MATCHED, NOT_MATCHED_BY_SOURCE = "matchedActions", "notMatchedActions", "notMatchedBySourceActions"
"""The kinds of WHEN, as Spark calls them."""
BRANCHES = (MATCHED, NOT_MATCHED, NOT_MATCHED_BY_SOURCE)
UPDATE = "assignments"

Change = Callable[[Writing, Any, Node], Outcome | None]
"""Reads an analysed command that changes rows: what has been prepared, Spark's plan, and the same as a tree; None if it is none."""

changes = Registry[Change]()
"""Registers the reader of such a command by its class' name."""


class Written(NamedTuple):
    """What an UPDATE or a WHEN assigns, as the parsed statement writes it."""

    keys: tuple[tuple[str, ...], ...] = ()
    """The names on the left, as they are written, in lower case."""
    casts: frozenset[str] = frozenset()
    """The columns whose value is a cast that somebody wrote, not one that Spark adds."""
    star: bool = False
    """Whether it is `UPDATE SET *` or `INSERT *`."""

    def lists(self, column: str) -> bool:
        """Whether a column, or a field of it, is assigned."""
        return any(column.lower() in key for key in self.keys)

    def fields(self, column: str) -> list[tuple[str, ...]]:
        """The fields of a struct that are assigned, each as a path below its column; none if the column is assigned as a whole."""
        return [path for key in self.keys if (path := _below(column.lower(), key))]


def _below(column: str, key: tuple[str, ...]) -> tuple[str, ...]:
    """What follows a column's name in `t.s.x`; the last such name, because an alias may be the same."""
    found = [i for i, part in enumerate(key[:-1]) if part == column]
    return key[found[-1] + 1 :] if found else ()


def written_in(node: Node) -> dict[str, list[Written]]:
    """What a parsed UPDATE or MERGE assigns: for each kind of WHEN what its branches do, in order."""
    found = {kind: [_written(action) for action in node.trees(kind)] for kind in BRANCHES}
    return {**found, UPDATE: [_assigned(node.trees(UPDATE))]}


def _written(action: Node) -> Written:
    if "Star" in action.name:
        return Written(star=True)
    return _assigned([each for each in action.children if each.name == "Assignment"])


def _assigned(assignments: Sequence[Node]) -> Written:
    keys = [tuple(part.lower() for part in parts_of(each.children[0].fields["nameParts"])) for each in assignments]
    casts = {key[-1] for key, each in zip(keys, assignments, strict=True) if each.children[1].name == "Cast"}
    return Written(tuple(keys), frozenset(casts))


def branches_of(
    work: Writing, node: Node, kinds: Sequence[tuple[str, str]]
) -> Iterator[tuple[Node, str, Written | None]]:
    """The branches of a command, by the names of its fields: each with its kind of WHEN, and what the statement writes there."""
    for field, kind in kinds:
        told = work.assigned.get(kind, [])
        for i, each in enumerate(node.trees(field)):
            yield each, kind, told[i] if i < len(told) else None
