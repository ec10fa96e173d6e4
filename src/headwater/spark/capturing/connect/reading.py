"""What a client ran, to lineage: its plan is written as a statement, and the static engine resolves that.

Temporary views and checkpoints are followed as the program makes them, and so is the current schema.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from headwater.analysis import analyze
from headwater.analyzers.catalyst.executed import NoJob
from headwater.analyzers.select import Unread
from headwater.captured import job_of, read_job
from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.entity import PSEUDO_ROWS
from headwater.model.resolution import Resolution
from headwater.spark.capturing.connect import combine, group, leaf, shape
from headwater.spark.capturing.connect.command import Statement, command, query, query_in
from headwater.spark.capturing.connect.naming import parts_of, quoted
from headwater.spark.capturing.connect.relation import Relations
from headwater.spark.capturing.connect.server import Server
from headwater.spark.capturing.listener import Event
from headwater.spark.capturing.reading import Captured, captured, guarded, one_statement

WRITERS = (combine, group, leaf, shape)
"""Modules that register the writers of relations."""
_KEPT = 256
"""Checkpoints and statements that are remembered."""
_CONSTANT = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|(?<![\w`.])\d[\w.]*")
_DATA = frozenset({"local_relation", "cached_local_relation", "chunked_cached_local_relation", "catalog"})
_MISREAD = frozenset({Code.SYNTAX_ERROR, Code.UNSUPPORTED_STATEMENT})
_WITHOUT_DATA = re.compile(
    r"\s*(?:SHOW|DESC(?:RIBE)?|SET|RESET|USE|EXPLAIN|CACHE|UNCACHE|CLEAR|REFRESH|ANALYZE|MSCK|ADD|LIST|DROP|DECLARE)\b",
    re.IGNORECASE,
)


class ClientReader:
    """Reads what one client runs."""

    def __init__(self, client: Any, schema: str) -> None:
        self._client = client
        self._server = Server(client)
        self._schema = schema
        self._views: dict[str, Any] = {}
        self._checkpoints: OrderedDict[str, Any] = OrderedDict()
        self._known: OrderedDict[tuple[str, str], Resolution] = OrderedDict()

    def read(self, event: Event) -> Captured | None:
        """What was run; None if it is no job."""
        return guarded(lambda: self._job(*event.execution), "the client's plan")

    def _job(self, plan: Any, answers: dict[str, Any]) -> Captured:
        root, ran = self._unpacked(plan)
        relations = Relations(self._server, self._schema, self._views, self._checkpoints)
        if root is not None:
            return self._captured(relations, query(relations, self._asked(root)))
        self._follow(ran, answers)
        self._server.forget()
        return self._captured(relations, command(relations, ran))

    def _unpacked(self, plan: Any) -> tuple[Any, Any]:
        """The relation or the command of a plan, which may be compressed."""
        from pyspark.sql.connect.proto import Command, Relation

        kind = plan.WhichOneof("op_type")
        if kind != "compressed_operation":
            return (plan.root, None) if kind == "root" else (None, plan.command)
        packed = plan.compressed_operation
        data = self._client._zstd_module.decompress(packed.data)
        return (Relation.FromString(data), None) if packed.op_type == 1 else (None, Command.FromString(data))

    def _asked(self, root: Any) -> Any:
        """A query of the user's: not the look at what a command gave, nor one into the catalog."""
        shown = root.show_string.input if root.HasField("show_string") else root
        kind = shown.WhichOneof("rel_type")
        if kind == "catalog" and shown.catalog.HasField("set_current_database"):
            self._schema = shown.catalog.set_current_database.db_name
        if kind in _DATA or (kind == "sql" and _WITHOUT_DATA.match(shown.sql.query)):
            raise NoJob
        return root

    def _follow(self, ran: Any, answers: dict[str, Any]) -> None:
        """Remember views and checkpoints; SQL that was only looked at is run when its rows are asked for."""
        kind = ran.WhichOneof("command_type")
        if kind == "create_dataframe_view":
            view = ran.create_dataframe_view
            name = f"global_temp.{view.name}" if view.is_global else view.name
            self._views[name.lower()] = view.input
        elif kind == "checkpoint_command":
            made = answers["checkpoint_command_result"]._plan._relation_id
            self._checkpoints[made] = ran.checkpoint_command.relation
            if len(self._checkpoints) > _KEPT:
                self._checkpoints.popitem(last=False)
        elif kind == "sql_command":
            given = answers.get("sql_command_result")
            if given is not None and given.WhichOneof("rel_type") not in _DATA and not _writes(ran.sql_command):
                raise NoJob

    def _captured(self, relations: Relations, statement: Statement) -> Captured:
        resolution = self._resolved(statement.text, relations.schemas)
        if statement.said and not resolution.outputs:
            self._defined(resolution, statement.said)
        if statement.made:
            columns = dict(self._server.table(quoted(*statement.made)) or ())
            defines = [d._replace(columns=columns or d.columns) for d in resolution.defines]
            resolution = resolution._replace(defines=tuple(defines))
        for number in resolution.written if statement.format else ():
            resolution.entities[number].file_format = statement.format
        gaps = [*relations.gaps, *(() if statement.made else self._computed(resolution))]
        resolution = resolution._replace(diagnostics=[*resolution.diagnostics, *gaps])
        content = job_of(resolution, one_statement(statement.said) if statement.said else "")
        job = read_job(content, (self._schema,))
        return captured(job.resolution, job.text)

    def _computed(self, resolution: Resolution) -> Iterator[Diagnostic]:
        """Columns that a write leaves out, where the table's format may compute them."""
        for number in resolution.written:
            row = resolution.entities[number]
            name = row.table or (("delta", row.spelled) if row.file_format == "delta" else ())
            own = (target for target, *_ in resolution.edges if resolution.columns[target][0] == number)
            written = {resolution.columns[target][1].lower() for target in own} - {PSEUDO_ROWS.lower()}
            columns = self._server.table(quoted(*name)) if name and written else None
            left_out = [column for column, _ in columns or () if column.lower() not in written]
            if left_out and self._server.computes_columns(quoted(*name)):
                message = f"Delta Lake may compute {', '.join(left_out)} of {'.'.join(name)}: from what, Spark Connect does not tell"
                yield Diagnostic(Code.NOT_CAPTURED, message)

    def _resolved(self, text: str, schemas: dict[str, dict[str, str]]) -> Resolution:
        key = (text, repr((self._schema, sorted(schemas.items()))))
        if key not in self._known:
            lineage = analyze(text, "spark", schemas or None, self._schema)
            if len(lineage.statements) != 1:
                raise Unread("SQL of several statements")
            self._known[key] = _without_constants(lineage.statements[0].resolution)
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return self._known[key]

    def _defined(self, resolution: Resolution, text: str) -> None:
        """What a command changed about names; NoJob if it moved no data."""
        if resolution.process.type == "Use":
            self._schema = parts_of(text.split()[-1].rstrip(";"))[-1]
        for definition in resolution.defines:
            name = definition.table[-1].lower()
            if definition.dropped:
                self._views.pop(name, None)
            elif definition.view and definition.temporary:
                self._views[name] = _sql_relation(query_in(text))
                raise NoJob
        misread = any(d.code in _MISREAD for d in resolution.diagnostics)
        if not resolution.edges and (not misread or _WITHOUT_DATA.match(text)):
            raise NoJob


def _sql_relation(text: str) -> Any:
    from pyspark.sql.connect.proto import Relation

    relation = Relation()
    relation.sql.query = text
    return relation


def _without_constants(resolution: Resolution) -> Resolution:
    """A resolution whose expressions show no constants, as those of plans do not."""
    said = resolution.expression

    def expression(place: Any) -> tuple[str, Any]:
        text, span = said(place)
        return _CONSTANT.sub("?", text).replace("`", ""), span

    return resolution._replace(expression=expression)


def _writes(command: Any) -> bool:
    """Whether SQL writes: Spark Connect 3.5 answers an INSERT into several tables as if it were a query that waits to be run."""
    text = str(command.sql) or str(command.input.sql.query)
    return any(statement.resolution.written for statement in analyze(text).statements)
