"""A job whose tables go by the names that scripts have for them (`namespaces`): those of captured jobs and of events alike."""

from __future__ import annotations

import json
from typing import Any

from headwater.captured.job import canonical
from headwater.model.entity import FILES, PSEUDO_ROWS, EntityKind
from headwater.openlineage.namespaces import Namespaces, column_fold, folded
from headwater.sql.folding import Fold


def renamed(content: str, namespaces: Namespaces) -> str:
    """A job that was written down, with the names of scripts; one that cannot be read stays as it is, for others to say so."""
    if not namespaces.names or not content:
        return content
    try:
        return _Renaming(json.loads(content), namespaces).text() or content
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        return content


class _Renaming:
    """A job on its way. Two tables that become one are one entity."""

    def __init__(self, job: dict[str, Any], namespaces: Namespaces) -> None:
        self._job = job
        self._namespaces = namespaces
        self._folds: dict[int, Fold] = {}
        self._entities: dict[str, dict[str, Any]] = {}
        self._numbers: list[int] = []
        for number, each in enumerate(job["entities"]):
            self._add(number, each)

    def _add(self, number: int, each: dict[str, Any]) -> None:
        name = None
        if EntityKind(each["kind"]) not in FILES:
            name = self._namespaces.name(tuple(each["name"]))
        if name is not None:
            self._folds[number] = column_fold(each["name"][0])
            each = {**each, "name": list(name)}
        key = canonical([each["kind"], each["name"]])
        self._entities.setdefault(key, each)
        self._numbers.append(list(self._entities).index(key))

    def text(self) -> str:
        """The job, written down again; nothing if none of its names stands for another."""
        if not self._folds:
            return ""
        job = self._job
        changed = {
            "entities": list(self._entities.values()),
            "read": sorted({self._numbers[number] for number in job["read"]}),
            "written": sorted({self._numbers[number] for number in job["written"]}),
            "edges": [[*self._end(*edge[:2]), *self._end(*edge[2:4]), *edge[4:]] for edge in job["edges"]],
            "constants": [self._end(*each) for each in job["constants"]],
            "defines": [self._definition(each) for each in job["defines"]],
        }
        return canonical({**job, **changed})

    def _end(self, owner: int, column: str | int) -> list[Any]:
        """One end of an edge; an output of a query has no entity."""
        if owner < 0:
            return [owner, column]
        fold = self._folds.get(owner) if column != PSEUDO_ROWS else None
        return [self._numbers[owner], folded(fold, str(column)) if fold is not None else column]

    def _definition(self, each: dict[str, Any]) -> dict[str, Any]:
        name = self._namespaces.name(tuple(each["table"]))
        if name is None:
            return each
        fold = column_fold(each["table"][0])
        columns = [[folded(fold, column), type] for column, type in each["columns"]]
        return {**each, "table": list(name), "columns": columns}
