"""A job's lineage as one line of JSON, and back: the column level of its resolution, in one order only.

The same lineage is the same text, so that a job which ran ten thousand times is one job. Constants are not in it: they change from day to
day, and may be somebody's data.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from headwater.captured.description import described
from headwater.lineage.column_level import Eliminator
from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.entity import PERSISTENT, PSEUDO_ROWS, EntityKind, TableName
from headwater.model.kind import IDENTITY, KINDS, Kind, code
from headwater.model.relation import Process
from headwater.model.resolution import LITERALS, Definition, EntityRow, Resolution, reserved_entities
from headwater.model.span import Span
from headwater.sql.statement import query_hash

CAPTURED = "captured"
"""In the place of a dialect: the text is not SQL, but a job."""
_VERSION = 1
_OUTPUT = -1
"""In the place of an entity's number: what an unwritten query gives to whoever runs it."""
_CONSTANT = -2
"""In the place of an entity's number: a constant."""
_SPARK = "spark"
"""What a job's text is, unless it says so."""
_DEFAULT = "default"
"""The schema in which Spark looks for unqualified tables, unless it is told another."""


class NotAJob(ValueError):
    """A text that no job was written down in."""


class Job(NamedTuple):
    """What a job did, the redacted text that stands for it, and the hash of that."""

    resolution: Resolution
    text: str
    dialect: str
    """Of the text."""

    @property
    def hash(self) -> str:
        """What tells it from other processes."""
        return query_hash(self.text)


def job_of(resolution: Resolution, sql: str = "") -> str:
    """A job, written down; *sql* is its redacted text, if it was SQL."""
    content = _Writer(resolution).content()
    return written_down(content, sql or described(content))


def written_down(content: dict[str, Any], text: str) -> str:
    """A job's content as text, in one order only; *text* is what stands for it."""
    return canonical({"version": _VERSION, "text": text, **content})


def text_of(content: str) -> str:
    """The text that stands for a job which was written down."""
    return str(json.loads(content)["text"])


def canonical(content: Any) -> str:
    """The one text of a JSON value."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


class _Writer:
    """A resolution on its way into JSON."""

    def __init__(self, resolution: Resolution) -> None:
        self._resolution = resolution
        self._outputs = {column: ordinal for ordinal, column in enumerate(resolution.outputs)}

    def content(self) -> dict[str, Any]:
        resolution = self._resolution
        into = dict(Eliminator(resolution, literals=False).numbered())
        edges = [
            (target, source, kind, made[0] or self._copied(source, kind))
            for target, found in into.items()
            for source, kind, made in found
        ]
        made_of_nothing = [t for t, found in into.items() if not found and t not in self._outputs]
        used = {*resolution.read, *resolution.written}
        used |= {resolution.columns[c][0] for target, source, *_ in edges for c in (target, source)}
        rows = [(self._entity(e), e) for e in used if resolution.entities[e].kind in PERSISTENT]
        rows.sort(key=lambda each: canonical(each[0]))
        numbers = {entity: number for number, (_, entity) in enumerate(rows)}
        return {
            "type": resolution.process.type,
            "entities": [row for row, _ in rows],
            "read": sorted(numbers[e] for e in resolution.read),
            "written": sorted(numbers[e] for e in resolution.written),
            "outputs": [resolution.columns[c][1] for c in resolution.outputs],
            "edges": sorted(
                {(*self._end(t, numbers), *self._end(s, numbers), *_kind(k), x) for t, s, k, x in edges}, key=repr
            ),
            "constants": sorted(self._end(t, numbers) for t in made_of_nothing if resolution.columns[t][0] in numbers),
            "defines": [_definition(d) for d in resolution.defines],
            "diagnostics": [[d.code.value, d.message, d.subject, d.hint] for d in resolution.diagnostics],
        }

    def _copied(self, source: int, kind: int) -> str:
        """What makes a column that is another one's copy: programs read columns by their names, nobody wrote a star."""
        return self._resolution.columns[source][1] if kind == IDENTITY else ""

    def _entity(self, number: int) -> dict[str, Any]:
        row = self._resolution.entities[number]
        found: dict[str, Any] = {"kind": row.kind.value, "name": list(row.table or (row.spelled,))}
        found |= {"format": row.file_format} if row.file_format else {}
        return found | ({"as_of": row.as_of} if row.as_of else {})

    def _end(self, column: int, numbers: dict[int, int]) -> tuple[int, str | int]:
        """One end of an edge: its entity's number, and its name; of an output, its ordinal."""
        entity, name, _ = self._resolution.columns[column]
        if entity in numbers:
            return numbers[entity], name
        return _OUTPUT, self._outputs.get(column, PSEUDO_ROWS)


def _kind(number: int) -> tuple[Any, ...]:
    kind = KINDS[number]
    return kind.type, kind.subtype or "", kind.clause, kind.masking


def _definition(definition: Definition) -> dict[str, Any]:
    found: dict[str, Any] = {"table": list(definition.table), "columns": list((definition.columns or {}).items())}
    return found | ({"view": True} if definition.view else {})


def read_job(content: str, default_schema: TableName | None = None) -> Job:
    """A job out of its text. Tables of Spark's schema `default` are named as unqualified ones are, unless these have a schema."""
    try:
        found = json.loads(content)
        if found["version"] != _VERSION:
            raise NotAJob(f"it was captured by another version ({found['version']})")
        return _Reader(found, default_schema, Span(0, len(content))).job()
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise error if isinstance(error, NotAJob) else NotAJob("it is damaged") from None


class _Reader:
    """A resolution on its way out of JSON."""

    def __init__(self, content: dict[str, Any], default_schema: TableName | None, span: Span) -> None:
        self._content = content
        self._span = span
        self._unqualified = not default_schema
        self._entities = reserved_entities()
        self._first = len(self._entities)
        self._columns: list[tuple[int, str, str | None]] = []
        self._numbers: dict[tuple[int, str | int], int] = {}

    def job(self) -> Job:
        content = self._content
        for each in content["entities"]:
            self._add(each)
        result = self._result = len(self._entities)
        self._entities.append(EntityRow(EntityKind.RESULT_SET, "select_list"))
        outputs = [self._column(_OUTPUT, i, result, name) for i, name in enumerate(content["outputs"])]
        rows = self._column(_OUTPUT, PSEUDO_ROWS, result, PSEUDO_ROWS) if outputs else -1
        process = Process(content["type"], query_hash(content["text"]), self._span)
        return Job(
            Resolution(
                process=process,
                entities=self._entities,
                edges=list(self._edges()),
                columns=list(self._columns),
                numbered=[result],
                outputs=outputs,
                output_rows=rows,
                read=[self._first + number for number in content["read"]],
                written=[self._first + number for number in content["written"]],
                inferred=frozenset(),
                defines=tuple(self._definition(each) for each in content["defines"]),
                replaced=frozenset(),
                default_schema=None,
                diagnostics=[Diagnostic(Code(c), message, None, *rest) for c, message, *rest in content["diagnostics"]],
                locate=_nowhere,
                expression=_said,
                function_name=_unnamed,
            ),
            content["text"],
            content.get("dialect", _SPARK),
        )

    def _add(self, each: dict[str, Any]) -> None:
        kind = EntityKind(each["kind"])
        name = tuple(each["name"]) if kind is EntityKind.PATH else self._name(each["name"])
        row = EntityRow(kind, kind.value, None, name, ".".join(name))
        row.file_format = each.get("format", "")
        row.as_of = str(each.get("as_of", ""))
        self._entities.append(row)

    def _name(self, parts: list[str]) -> TableName:
        return tuple(parts[1:] if self._unqualified and len(parts) == 2 and parts[0] == _DEFAULT else parts)

    def _column(self, owner: int, key: str | int, entity: int, name: str) -> int:
        number = self._numbers[owner, key] = len(self._columns)
        self._columns.append((entity, name, None))
        return number

    def _edges(self) -> Iterator[tuple[int, int, int, None]]:
        makers: dict[tuple[int, str], int] = {}
        for *ends, type, subtype, clause, masking, expression in self._content["edges"]:
            target, source = (self._end(*end) for end in (ends[:2], ends[2:]))
            if expression and (target, expression) not in makers:
                makers[target, expression] = len(self._columns)
                self._columns.append((self._result, self._columns[target][1], expression))
                yield target, makers[target, expression], IDENTITY, None
            into = makers.get((target, expression), target)
            yield into, source, code(Kind(type, subtype or None, clause, masking)), None
        for owner, key in self._content["constants"]:
            yield self._end(owner, key), self._column(_CONSTANT, key, LITERALS, ""), IDENTITY, None

    def _end(self, owner: int, key: str | int) -> int:
        found = self._numbers.get((owner, key))
        return self._column(owner, key, self._first + owner, str(key)) if found is None else found

    def _definition(self, each: dict[str, Any]) -> Definition:
        return Definition(self._name(each["table"]), dict(each["columns"]), view=each.get("view", False))


def _nowhere(place: Any) -> Span | None:
    return None


def _said(place: Any) -> tuple[str, Span | None]:
    return place or "", None


def _unnamed(place: Any) -> str:
    return ""
