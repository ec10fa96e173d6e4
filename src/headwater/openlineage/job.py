"""What a run says, as a job that a build takes: the form in which `headwater.captured` writes down the jobs of Spark programs.

inputs, outputs                  entities, read and written; each output's rows depend on each input's
columnLineage.fields             relations between columns
columnLineage.dataset            relations from columns to the output's rows
schema of an output, with types  what the table is, for SQL that comes after
sql                              the text by which it is the same process as a statement in a script
extractionError                  a diagnostic
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from headwater.captured.description import described
from headwater.captured.job import canonical, written_down
from headwater.model.diagnostic import Code
from headwater.model.entity import FILES, PSEUDO_ROWS, EntityKind, TableName
from headwater.model.kind import (
    CASE_WHEN,
    FDD,
    FDR,
    GROUP_BY,
    JOIN_CONDITION,
    KINDS,
    MOVED,
    ORDER_BY,
    WHERE,
    WINDOW,
    WRITE_ROWS,
    Kind,
)
from headwater.openlineage.dataset_names import dialect_of, entity_name
from headwater.openlineage.namespaces import Namespaces, folded
from headwater.sql.dialect import Dialect, UnknownDialect, dialect
from headwater.sql.redact import Redacted, without_secrets
from headwater.sql.source import source
from headwater.sql.split import pieces

_KINDS = {
    kind.subtype: kind for kind in (KINDS[k] for k in (CASE_WHEN, WINDOW, WHERE, JOIN_CONDITION, GROUP_BY, ORDER_BY))
}
"""What the subtypes of indirect transformations are to us: OpenLineage has no clauses."""
_DIRECT = ("IDENTITY", "TRANSFORMATION", "AGGREGATION")
_OURS = "urn:headwater:"
_SPARK_CATALOG = "spark_catalog"
_KEEPS_ROWS = frozenset({"Update"})
"""What changes values only: rows do not depend on rows."""

_Edge = tuple[int, str, int, str, str, str, str, bool, str]


class _Dataset(NamedTuple):
    """A data set as an entity, and how its columns are folded."""

    kind: EntityKind
    name: TableName
    spoken: Dialect
    exact: bool

    def column(self, name: str) -> str:
        """A column's folded name."""
        return folded(self.spoken.fold_column, name, self.exact)

    @property
    def key(self) -> str:
        """What identifies the entity."""
        return canonical(self.entity())

    def entity(self) -> dict[str, Any]:
        """As a job writes it down."""
        return {"kind": self.kind.value, "name": list(self.name)}


def job_of_run(event: dict[str, Any], spoken: str, namespaces: Namespaces = Namespaces()) -> str | None:  # noqa: B008 - it is frozen
    """The job of a run, by its merged event; None if it says nothing of data. *spoken* is the dialect of names whose source is unknown.

    Tables go by their names alone, without the namespace; those of *namespaces* keep it, for `renaming` to replace it.
    """
    text = _Job(event, spoken, namespaces).text()
    return text and text.encode("utf-8", "replace").decode(
        "utf-8"
    )  # halves of characters are in no file that a build writes


class _Job:
    """A job on its way."""

    def __init__(self, event: dict[str, Any], spoken: str, namespaces: Namespaces) -> None:
        self._event = event
        self._namespaces = namespaces
        self._exact = str(event.get("producer", "")).startswith(_OURS)
        told = _facet(_part(event, "job"), "sql")
        self._query = _string(told, "query")
        self._spoken = _dialect(_string(told, "dialect")) or dialect(spoken.partition(",")[0])
        self._datasets: dict[tuple[str, str], _Dataset] = {}

    def text(self) -> str | None:
        """The job, written down."""
        outputs = _list(self._event.get("outputs"))
        if "job" not in self._event:
            outputs = [self._event["dataset"]]
        inputs = _list(self._event.get("inputs"))
        for told in (*inputs, *outputs):
            self._datasets[told["namespace"], told["name"]] = self._dataset(told)
        read = [self._known(each["namespace"], each["name"]) for each in inputs]
        edges = [edge for each in outputs for edge in self._edges(each)]
        read += [edge.source for edge in edges]
        written = [self._known(each["namespace"], each["name"]) for each in outputs]
        errors = list(self._errors())
        if not read and not edges and not errors and not any(_facet(each, "schema") for each in outputs):
            return None
        return self._written_down(outputs, read, written, edges, errors)

    def _written_down(
        self,
        outputs: list[dict[str, Any]],
        read: list[_Dataset],
        written: list[_Dataset],
        edges: list[_Related],
        errors: list[list[str]],
    ) -> str:
        type = self._type(outputs)
        entities = {each.key: each.entity() for each in sorted((*read, *written), key=lambda each: each.key)}
        numbers = {key: number for number, key in enumerate(entities)}
        numbered = {edge.numbered(numbers) for edge in edges}
        if type not in _KEEPS_ROWS:
            rows = [
                _Related(into, PSEUDO_ROWS, of, PSEUDO_ROWS, kind, "") for into, of, kind in self._rows(outputs, read)
            ]
            numbered |= {edge.numbered(numbers) for edge in rows}
        sourced = {edge[:2] for edge in numbered}
        named = {
            (numbers[into.key], column)
            for each, into in zip(outputs, written, strict=True)
            for column in _made(each, into)
        }
        content: dict[str, Any] = {
            "type": type,
            "entities": list(entities.values()),
            "read": sorted({numbers[each.key] for each in read}),
            "written": sorted({numbers[each.key] for each in written}),
            "outputs": [],
            "edges": sorted(numbered, key=repr),
            "constants": sorted(named - sourced),
            "defines": sorted(self._defines(outputs, written), key=canonical),
            "diagnostics": errors,
            "dialect": self._spoken.name,
        }
        return written_down(content, self._text() or f"{described(content)}{self._by()}")

    def _dataset(self, told: dict[str, Any]) -> _Dataset:
        """What a data set is: by the table that it is said to be the files of, or by its own name."""
        namespace, name = told["namespace"], told["name"]
        kinds = _facet(told, "datasetType")
        if kinds.get("subType") == "TEMPORARY":
            return _Dataset(EntityKind.TABLE, (name,), self._spoken_in(namespace), self._exact)
        for link in _list(_facet(told, "symlinks").get("identifiers")):
            if link.get("type") == "TABLE" and isinstance(link.get("name"), str):
                namespace, name = str(link.get("namespace", "")), link["name"]
        found = self._named(namespace, name)
        return found._replace(kind=EntityKind.VIEW) if _is_view(told) and found.kind is EntityKind.TABLE else found

    def _known(self, namespace: str, name: str) -> _Dataset:
        found = self._datasets.get((namespace, name))
        if found is None:
            found = self._datasets[namespace, name] = self._named(namespace, name)
        return found

    def _named(self, namespace: str, name: str) -> _Dataset:
        kind, parts = entity_name(namespace, name)
        spoken = self._spoken_in(namespace)
        if kind in FILES:
            return _Dataset(kind, tuple(map(without_secrets, parts)), spoken, self._exact)
        fold = spoken.fold_table or spoken.fold_column
        parts = parts[1:] if len(parts) > 1 and parts[0] == _SPARK_CATALOG else parts
        parts = tuple(folded(fold, part, self._exact) for part in parts)
        whole = (namespace, *parts) if self._namespaces.covers(namespace) else parts
        return _Dataset(kind, whole, spoken, self._exact)

    def _spoken_in(self, namespace: str) -> Dialect:
        return _dialect(dialect_of(namespace)) or self._spoken

    def _edges(self, output: dict[str, Any]) -> Iterator[_Related]:
        into = self._known(output["namespace"], output["name"])
        lineage = _facet(output, "columnLineage")
        for column, field in _items(lineage.get("fields")):
            for told in _list(field.get("inputFields")):
                yield from self._related(into, into.column(column), told, field)
        for told in _list(lineage.get("dataset")):
            yield from self._related(into, PSEUDO_ROWS, told, {})

    def _related(self, into: _Dataset, column: str, told: dict[str, Any], field: dict[str, Any]) -> Iterator[_Related]:
        namespace, name, of = (told.get(key) for key in ("namespace", "name", "field"))
        if not (isinstance(namespace, str) and isinstance(name, str) and isinstance(of, str)):
            return
        source = self._known(namespace, name)
        for made in _list(told.get("transformations")) or [_outdated(field)]:
            kind = _kind(made, column == PSEUDO_ROWS)
            yield _Related(into, column, source, source.column(of), kind, _hidden(_string(made, "description")))

    def _rows(self, outputs: list[dict[str, Any]], read: list[_Dataset]) -> Iterator[tuple[_Dataset, _Dataset, Kind]]:
        """Whose rows depend on whose; a table that has a new name has the old one's."""
        for told in outputs:
            into = self._known(told["namespace"], told["name"])
            moved = _facet(told, "lifecycleStateChange").get("lifecycleStateChange") == "RENAME"
            yield from ((into, of, KINDS[MOVED if moved else WRITE_ROWS]) for of in read if of.name != into.name)

    def _defines(self, outputs: list[dict[str, Any]], written: list[_Dataset]) -> Iterator[dict[str, Any]]:
        """Tables whose columns are told with their types: a list without types may be short of some."""
        for told, dataset in zip(outputs, written, strict=True):
            fields = _list(_facet(told, "schema").get("fields"))
            known = all(isinstance(f.get("name"), str) and isinstance(f.get("type"), str) for f in fields)
            if fields and known and dataset.kind not in FILES and dataset.name[0]:
                columns = [[dataset.column(field["name"]), field["type"]] for field in fields]
                view = {"view": True} if dataset.kind is EntityKind.VIEW else {}
                yield {"table": list(dataset.name), "columns": columns, **view}

    def _type(self, outputs: list[dict[str, Any]]) -> str:
        """What the process is called: as we have called it, or by what happens to its outputs."""
        told = _string(_facet(_part(self._event, "job"), "jobType"), "jobType")
        if self._exact and told:
            return told.replace("_", " ").title()
        if not outputs:
            return "Select"
        created = any(_facet(o, "lifecycleStateChange").get("lifecycleStateChange") == "CREATE" for o in outputs)
        return ("Create View" if any(map(_is_view, outputs)) else "Create Table") if created else "Insert"

    def _text(self) -> str:
        """The redacted SQL of the job, if it has one."""
        if not self._query.strip():
            return ""
        found = pieces(source(self._query, self._spoken), self._spoken)
        if len(found) == 1:
            return found[0].text.slice(*found[0].span)
        whole = found[0].text if found else Redacted(self._query, [])
        return whole.slice(0, len(self._query)).strip()

    def _by(self) -> str:
        """Whose job it is."""
        job = _part(self._event, "job")
        return f" by {job['namespace']}/{job['name']}".replace("\n", " ") if job else ""

    def _errors(self) -> Iterator[list[str]]:
        for error in _list(_facet(_part(self._event, "run"), "extractionError").get("errors")):
            said = _hidden(_string(error, "errorMessage"))
            yield [Code.NOT_CAPTURED.value, f"whoever told of this job could not read all of it: {said}", "", ""]


class _Related(NamedTuple):
    """A relation between data sets."""

    into: _Dataset
    column: str
    source: _Dataset
    of: str
    kind: Kind
    expression: str

    def numbered(self, numbers: dict[str, int]) -> _Edge:
        """As a job writes it down."""
        type, subtype, clause, masking, *_ = self.kind
        copied = self.of if (type, subtype) == (FDD, "IDENTITY") else ""  # it is read by its name: nobody wrote a star
        said = (type, subtype or "", clause, masking, self.expression or copied)
        return numbers[self.into.key], self.column, numbers[self.source.key], self.of, *said


def _kind(made: dict[str, Any], rows: bool) -> Kind:
    """What a transformation is to us."""
    subtype = _string(made, "subtype").upper()
    masking = made.get("masking") is True
    if _string(made, "type").upper() != "INDIRECT" and not rows:
        return Kind(FDD, subtype if subtype in _DIRECT else "TRANSFORMATION", "select", masking)
    kind = _KINDS.get(subtype, Kind(FDR, None, ""))
    return kind._replace(type=FDR if rows else kind.type, masking=masking)


def _outdated(field: dict[str, Any]) -> dict[str, Any]:
    """What older facets say of a whole field."""
    type = _string(field, "transformationType").upper()
    said = {"type": "DIRECT", "description": _string(field, "transformationDescription")}
    return {**said, "subtype": type, "masking": type == "MASKED"}


def _made(output: dict[str, Any], dataset: _Dataset) -> Iterable[str]:
    """The columns of an output that its facet speaks of."""
    return {dataset.column(column) for column, _ in _items(_facet(output, "columnLineage").get("fields"))}


def _is_view(told: dict[str, Any]) -> bool:
    return _facet(told, "datasetType").get("datasetType") == "VIEW"


def _hidden(text: str) -> str:
    return Redacted("", []).hide(text)


def _dialect(name: str) -> Dialect | None:
    try:
        return dialect(name) if name else None
    except UnknownDialect:
        return None


def _part(event: dict[str, Any], key: str) -> dict[str, Any]:
    found = event.get(key)
    return found if isinstance(found, dict) else {}


def _facet(part: dict[str, Any], name: str) -> dict[str, Any]:
    found = _part(_part(part, "facets"), name)
    return {} if found.get("_deleted") is True else found


def _list(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _items(value: Any) -> list[tuple[str, dict[str, Any]]]:
    return [(key, each) for key, each in value.items() if isinstance(each, dict)] if isinstance(value, dict) else []


def _string(value: dict[str, Any], key: str) -> str:
    found = value.get(key)
    return found if isinstance(found, str) else ""
