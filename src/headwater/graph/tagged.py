"""Who has a tag of its own: what a snapshot was told by projects and schemas, and what rules say of the names in the graph."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from headwater.graph.files import ROW_SET, Arrays, Ints
from headwater.graph.search import bare_names_like, named_columns
from headwater.store import Snapshot
from headwater.tags.governance import Governance, Rule, expression_of

TAGS_FILE, NAME_RULE = "tags", "name rule"


@dataclass(frozen=True, slots=True)
class Said:
    """Somebody says that a column has a tag."""

    tag: str
    origin: str
    """`tags`, `name rule`; or as the store has it: `dbt`, `visivo`, `schema`, `comment`."""
    place: str
    """`file:line`, empty if it is not known."""


@dataclass(slots=True)
class Tagged:
    """The columns that have tags of their own."""

    nodes: dict[str, Ints] = field(default_factory=dict)
    """By tag."""
    unmatched: list[Rule] = field(default_factory=list)
    """Rules about columns that no column fits."""
    _said: list[tuple[Said, Ints]] = field(default_factory=list)

    def add(self, said: Said, nodes: Ints) -> None:
        """Note that columns have a tag."""
        known = self.nodes.get(said.tag, np.empty(0, np.int64))
        self.nodes[said.tag] = np.union1d(known, nodes)
        self._said.append((said, np.sort(nodes)))

    def said_of(self, node: int, tags: Iterable[str]) -> tuple[Said, ...]:
        """Who says that a column has one of these tags."""
        wanted = set(tags)
        found = [said for said, nodes in self._said if said.tag in wanted and _holds(nodes, node)]
        return tuple(dict.fromkeys(found))


def _holds(nodes: Ints, node: int) -> bool:
    at = int(np.searchsorted(nodes, node))
    return at < len(nodes) and int(nodes[at]) == node


def tagged(arrays: Arrays, snapshot: Snapshot, governance: Governance) -> Tagged:
    """The columns of a snapshot that have tags of their own."""
    found = Tagged()
    for rule in governance.columns:
        nodes = named_columns(arrays, rule.pattern)
        if nodes.size:
            found.add(Said(rule.tag, TAGS_FILE, rule.place), nodes)
        else:
            found.unmatched.append(rule)
    for rule in governance.names:
        nodes = _by_bare_name(arrays, rule.pattern)
        if nodes.size:
            found.add(Said(rule.tag, NAME_RULE, rule.place), nodes)
    _add_stored(found, arrays, snapshot)
    return found


def _by_bare_name(arrays: Arrays, pattern: str) -> Ints:
    expression = expression_of(pattern)
    if expression is None:
        names = bare_names_like(arrays, pattern)
    else:
        fits = re.compile(expression, re.IGNORECASE).search
        names = np.array([fits(name) is not None for name in arrays.names.to_pylist()], dtype=bool)
    if not names.any():
        return np.empty(0, np.int64)
    return np.flatnonzero(names[arrays.node_name] & (arrays.node_flags & ROW_SET == 0))


def _add_stored(found: Tagged, arrays: Arrays, snapshot: Snapshot) -> None:
    """What the build was told."""
    rows = snapshot.table("tags").to_pylist()
    if not rows:
        return
    columns = _numbers(arrays.node_id, (row["column_id"] for row in rows))
    tables = _numbers(arrays.entities.column(0).to_numpy(), (row["entity_id"] for row in rows))
    for said, nodes in _together(rows, columns, tables, arrays).items():
        found.add(said, np.unique(np.concatenate(nodes)))


def _together(
    rows: list[dict[str, Any]], columns: dict[int, int], tables: dict[int, int], arrays: Arrays
) -> dict[Said, list[Ints]]:
    found: dict[Said, list[Ints]] = {}
    for row in sorted(rows, key=lambda row: (row["tag"], row["origin"] or "", row["place"] or "")):
        nodes = np.empty(0, np.int64)
        if row["column_id"] in columns:
            nodes = np.array([columns[row["column_id"]]])
        elif row["column_id"] is None and row["entity_id"] in tables:
            table = tables[row["entity_id"]]
            nodes = np.arange(arrays.entity_start[table], arrays.entity_start[table + 1])
            nodes = nodes[arrays.node_flags[nodes] & ROW_SET == 0]
        if nodes.size:
            found.setdefault(Said(row["tag"], row["origin"] or "", row["place"] or ""), []).append(nodes)
    return found


def _numbers(ids: Ints, wanted: Iterable[int | None]) -> dict[int, int]:
    """Where some ids stand, those that are there."""
    asked = pa.array(sorted({id for id in wanted if id is not None}), pa.int64()).to_numpy()
    at = np.flatnonzero(np.isin(ids, asked))
    return {int(ids[number]): int(number) for number in at}
