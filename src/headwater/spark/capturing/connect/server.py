"""What only the server knows: the columns of tables, files and SQL, and what a table's format does on its own.

Asked in our own thread, as an analysis or a DESCRIBE; no job is run for it.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from contextlib import suppress
from inspect import signature
from typing import Any

from headwater.analyzers.select import Unread

_GENERATED = re.compile(r"delta\.feature\.generatedColumns=supported|delta\.minWriterVersion=[4-6]\b")
"""Properties of a table of Delta Lake's that may have generated columns."""
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

    def computes_columns(self, name: str) -> bool:
        """Whether a table may have columns that its format computes, as Delta Lake does; a client is not shown from what."""
        from pyspark.sql.connect.proto import Plan

        plan = Plan()
        plan.root.sql.query = f"DESCRIBE TABLE EXTENDED {name}"
        fetch = self._client.to_table
        more: dict[str, Any] = {"observations": {}} if "observations" in signature(fetch).parameters else {}
        with suppress(Exception):
            return any(_GENERATED.search(str(value)) for value in fetch(plan, **more)[0].column("data_type"))
        return False

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
