"""What only the server knows: the columns of tables, files and SQL. Asked in our own thread, as an analysis; nothing is run for it."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from typing import Any

from headwater.analyzers.select import Unread

_KEPT = 1000
"""Answers that are remembered."""


class Server:
    """The server of a session. What tables and files look like is remembered until the program runs a command."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._known: OrderedDict[bytes, list[tuple[str, str]] | None] = OrderedDict()

    def forget(self) -> None:
        """A command may have changed anything."""
        self._known.clear()

    def columns(self, relation: Any) -> list[tuple[str, str]]:
        """Names and types of a relation's columns, in order."""
        answer = self._answer(relation)
        if answer is None:
            raise Unread(f"{relation.WhichOneof('rel_type')}, whose columns the server does not tell,")
        return answer

    def table(self, name: str) -> list[tuple[str, str]] | None:
        """The columns of a table, if there is one."""
        from pyspark.sql.connect.proto import Relation

        relation = Relation()
        relation.read.named_table.unparsed_identifier = name
        return self._answer(relation)

    def _answer(self, relation: Any) -> list[tuple[str, str]] | None:
        if relation.HasField("read"):
            relation = type(relation)(read=relation.read)  # the same source again is another plan
        key = relation.SerializeToString(deterministic=True)
        if key not in self._known:
            self._known[key] = None
            with suppress(Exception):
                self._known[key] = self._asked(relation)
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return self._known[key]

    def _asked(self, relation: Any) -> list[tuple[str, str]]:
        from pyspark.sql.connect.proto import Plan

        plan = Plan()
        plan.root.CopyFrom(relation)
        return [(field.name, field.dataType.simpleString()) for field in self._client.schema(plan).fields]
