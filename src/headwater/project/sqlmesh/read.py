"""`read_sqlmesh`: a SQLMesh project to a `Project`, from its files alone. Nothing of it is run.

Models and audits are SQL with macros, which are written out here; models in Python are known by what they declare. What nobody knows,
such as a macro in Python, is said once, with the files that it costs.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Literal

from headwater.files import open_file
from headwater.model.diagnostic import Code
from headwater.model.entity import TableName
from headwater.model.span import LineIndex
from headwater.project.dbt.adapters import dialect_of_adapter
from headwater.project.dbt.naming import dotted, table_of
from headwater.project.dbt.property_files import files_below
from headwater.project.dbt.remarks import Remarks
from headwater.project.objects import Model, Place, Project, Source
from headwater.project.program import query_of_program
from headwater.project.sqlmesh.aliases import with_aliases
from headwater.project.sqlmesh.external import External, read_external
from headwater.project.sqlmesh.header import list_of, properties
from headwater.project.sqlmesh.jinja import Templates
from headwater.project.sqlmesh.loader import plain_name, rendered_queries
from headwater.project.sqlmesh.macros import MacroProblem, Macros
from headwater.project.sqlmesh.model_file import BrokenHeader, Definition, Piece, read_definitions
from headwater.project.sqlmesh.own_macros import OWN
from headwater.project.sqlmesh.python_models import PythonModel, macros_in, read_python_models
from headwater.project.sqlmesh.settings import Settings, read_sqlmesh_settings
from headwater.project.sqlmesh.unknown import UnknownNames
from headwater.project.sqlmesh.variables import as_sql
from headwater.project.sqlmesh.words import bare, closing, unquoted, words
from headwater.source.template import TemplateProblem
from headwater.sql.dialect import dialect
from headwater.sql.quoted import quoted_table
from headwater.sql.text import BINARY, decode, read_text

_VIEWS = frozenset({"VIEW", "EMBEDDED"})
_HEADER = 1_000_000
"""How far into a seed's file its header may reach, in bytes."""
_MAX_FILE = 5_000_000
_MAX_BLUEPRINTS = 1_000
_QUERY_WORDS = frozenset({"SELECT", "WITH", "FROM", "VALUES", "TABLE", "("})


@dataclass(frozen=True, slots=True)
class _File:
    """A file of the project."""

    path: str
    """From the project's folder on."""
    shown: str
    text: str

    def place(self, offset: int) -> Place:
        return Place(self.shown, *LineIndex(self.text).position(offset))


def read_sqlmesh(file: Path, environment: Mapping[str, str] | None = None) -> Project:
    """The project of a settings file."""
    remarks = Remarks()
    settings = read_sqlmesh_settings(file, environment or {}, remarks)
    loaded = rendered_queries(file.parent, environment or {}, remarks)
    return _Reading(file, settings, remarks, loaded).project()


@dataclass(slots=True)
class _Reading:
    """A project while it is read."""

    file: Path
    settings: Settings
    remarks: Remarks
    loaded: Mapping[str, str] = field(default_factory=dict)
    """Queries as SQLMesh itself renders them, by the names of models."""
    files: list[str] = field(default_factory=list)
    sources: dict[str, Source] = field(default_factory=dict)
    declared: dict[TableName, Mapping[str, str]] = field(default_factory=dict)
    """Columns of tables, where a file declares them."""
    audits: dict[str, tuple[Definition, _File]] = field(default_factory=dict)
    unknown: UnknownNames = field(default_factory=UnknownNames)
    templates: Templates = field(init=False)

    def project(self) -> Project:
        """The project."""
        self._source(self.settings.dialect)
        jinja = (each.text for each in self._files_below("macros", ".sql"))
        self.templates = Templates(self.settings.variables, list(jinja))
        for program in self._files_below("macros", ".py"):
            self.unknown.python |= macros_in(program.text)
        external = [self._external(each) for each in read_external(self.file.parent, self.remarks)]
        definitions = [each for file in self._files_below("models", ".sql") for each in self._definitions(file)]
        for definition, file in (*definitions, *self._audit_definitions()):
            if definition.header.word == "AUDIT":
                self.audits[definition.header.text("name").lower()] = definition, file
        models = [*external, *self._models(definitions)]
        models += [model for file in self._files_below("models", ".py") for model in self._python(file)]
        models += [model for audit, file in self.audits.values() for model in self._standalone(audit, file)]
        self.unknown.tell(self.remarks)
        return Project(
            name=self.settings.name,
            tool="sqlmesh",
            sources=tuple(self.sources.values()),
            models=tuple(models),
            catalogs=_catalogs(models),
            remarks=self.remarks.all(),
            files=tuple(dict.fromkeys((self.file.as_posix(), *self.files))),
        )

    # Files

    def _files_below(self, folder: str, ending: str) -> Iterator[_File]:
        for path in files_below(self.file.parent, (folder,), ending):
            text = self._content(path)
            if text is not None:
                yield _File(path, (self.file.parent / path).as_posix(), text)

    def _content(self, path: str) -> str | None:
        full = self.file.parent / path
        shown = full.as_posix()
        self.files.append(shown)
        problem = ""
        try:
            if full.stat().st_size > _MAX_FILE:
                problem = "is too large to be read"
            else:
                read = read_text(full)
                problem = "holds no text" if read.encoding == BINARY else ""
        except OSError as error:
            problem = f"cannot be read: {error.strerror or type(error).__name__}"
        if problem:
            self.remarks.add(Code.UNREADABLE_FILE, f"{shown} {problem}", Place(shown))
            return None
        return read.text

    def _definitions(self, file: _File) -> Iterator[tuple[Definition, _File]]:
        try:
            found = read_definitions(file.text, self.settings.dialect)
        except BrokenHeader as problem:
            name = PurePosixPath(file.path).stem
            message = f"{name} is not read: {problem}"
            self.remarks.add(Code.UNREAD_MODEL, message, file.place(problem.offset), subject=name)
            return
        for each in found:
            if each.header.word != "METRIC" and each.header.text("enabled").lower() != "false":
                yield each, file
        if not found:
            message = f"{file.shown} has neither MODEL nor AUDIT: it is not read"
            self.remarks.add(Code.UNREAD_MODEL, message, Place(file.shown), subject=PurePosixPath(file.path).stem)

    def _audit_definitions(self) -> Iterator[tuple[Definition, _File]]:
        for file in self._files_below("audits", ".sql"):
            yield from self._definitions(file)

    # Names

    def _source(self, speaks: str) -> Source:
        """The source of models in a dialect: the project's own, or one beside it."""
        if speaks not in self.sources:
            name = self.settings.name if not self.sources else f"{self.settings.name}_{speaks}"
            schema = (self.settings.name.replace(".", "_").lower(),)
            self.sources[speaks] = Source(name, speaks, Place(self.file.as_posix()), schema)
        return self.sources[speaks]

    def _table(self, name: str, source: Source) -> TableName:
        """The table of a model's name; one without a schema is in the project's."""
        found = table_of({"relation_name": name}, dialect(source.dialect)) or (name,)
        return found if len(found) > 1 else (*source.default_schema, *found)

    def _columns(self, source: Source) -> _Columns:
        return _Columns(self, source)

    # Models

    def _models(self, definitions: list[tuple[Definition, _File]]) -> list[Model]:
        models = [each for each in definitions if each[0].header.word == "MODEL"]
        started = [made for definition, file in models for made in self._started(definition, file)]
        for each in started:
            columns = each.definition.header.columns
            if columns:
                self.declared[each.table] = columns
        return [model for each in started for model in each.models()]

    def _started(self, definition: Definition, file: _File) -> Iterator[_SqlModel]:
        """The models that a definition makes: one, or one for each of its blueprints."""
        for blueprint in self._blueprints(definition, file):
            made = self._sql_model(definition, file, blueprint)
            if made is not None:
                yield made

    def _blueprints(self, definition: Definition, file: _File) -> list[dict[str, str]]:
        written = definition.header.properties.get("blueprints", "")
        if not written:
            return [{}]
        if written.startswith("@"):
            name = definition.header.text("name")
            message = f"{name} is not read: its blueprints are made by a macro, {written.partition('(')[0]}"
            self.remarks.add(Code.UNREAD_MODEL, message, file.place(definition.offset), subject=name)
            return []
        found = list_of(written)
        rows = found if found and found[0].startswith("(") else [written]
        return [_named_values(row) for row in rows[:_MAX_BLUEPRINTS]]

    def _sql_model(self, definition: Definition, file: _File, blueprint: dict[str, str]) -> _SqlModel | None:
        header = definition.header
        speaks = dialect_of_adapter(header.text("dialect").partition(",")[0].strip().lower()) or self.settings.dialect
        source = self._source(speaks)
        variables = {**as_sql(self.settings.variables), "gateway": f"'{self.settings.gateway}'", **blueprint}
        variables["model_kind_name"] = f"'{(header.kind or self.settings.default_kind).lower()}'"
        macros = Macros(speaks, variables, OWN, self._columns(source))
        try:
            name = macros.written(header.properties.get("name", "")) or _inferred(file.path)
        except MacroProblem as problem:
            message = f"{file.shown} is not read: {problem}"
            self.remarks.add(Code.UNREAD_MODEL, message, file.place(definition.offset))
            return None
        table = self._table(name, source)
        variables["this_model"] = quoted_table(table, dialect(speaks))
        return _SqlModel(self, definition, file, name, table, source, variables)

    def _external(self, external: External) -> Model:
        source = self._source(self.settings.dialect)
        table = self._table(external.name, source)
        if external.columns:
            self.declared[table] = external.columns
        return Model(
            name=external.name,
            sql="",
            source=source,
            place=external.place,
            table=table,
            materialized="nothing",
            columns=external.columns or None,
            description=external.description,
        )

    # Models in Python

    def _python(self, file: _File) -> Iterator[Model]:
        if "@model" not in file.text:
            return
        try:
            found = read_python_models(file.text)
        except (SyntaxError, ValueError) as error:
            message = f"{file.shown} is no Python that can be read"
            line = error.lineno if isinstance(error, SyntaxError) and error.lineno else 1
            self.remarks.add(Code.UNREAD_MODEL, message, Place(file.shown, line))
            return
        for each in found:
            source = self._source(dialect_of_adapter(each.dialect) or self.settings.dialect)
            place = Place(file.shown, each.line)
            if plain_name(each.name) in self.loaded:
                each = replace(each, sql=self.loaded[plain_name(each.name)], returns_sql=True)
            if not (each.returns_sql and each.sql):
                message = f"{each.name} is written in Python: its columns depend on all columns of the tables that it asks for"
                hint = "`headwater.spark.capture` records what such programs do"
                self.remarks.add(Code.UNSUPPORTED_CONSTRUCT, message, place, subject=each.name, hint=hint)
            yield self._python_model(each, source, place)

    def _python_model(self, found: PythonModel, source: Source, place: Place) -> Model:
        table = self._table(found.name, source)
        made_of = query_of_program(found.reads, found.columns, dialect(source.dialect))
        sql = found.sql if found.returns_sql else made_of
        materialized: Literal["view", "table", "nothing"] = "table" if sql else "nothing"
        columns = found.columns or None
        return Model(found.name, sql, source, place, table, materialized, columns if not sql else None)

    # Audits

    def _standalone(self, audit: Definition, file: _File) -> Iterator[Model]:
        """An audit that belongs to no model."""
        if audit.header.text("standalone").lower() == "true":
            made = self._sql_model(audit, file, {})
            if made is not None:
                yield from made.audit(audit.header.text("name"))

    def audited(self, name: str, model: _SqlModel) -> Iterator[Model]:
        """The query of one of the project's audits, of a model that names it."""
        used = bare(words(name))
        definition, file = self.audits.get(used[0].text.lower() if used else "", (None, None))
        if definition is None or file is None or definition.header.text("standalone").lower() == "true":
            return
        start = name.find("(")
        given = _named_values(name[start:]) if start >= 0 else {}
        defaults = _named_values(definition.header.properties.get("defaults", ""))
        variables = {**model.variables, **defaults, **given}
        made = replace(model, definition=definition, file=file, variables=variables)
        yield from made.audit(f"{definition.header.text('name')}__{model.name}")


@dataclass(frozen=True, slots=True)
class _Columns:
    """The declared columns of a table, by its name in SQL."""

    reading: _Reading
    source: Source

    def __call__(self, name: str) -> Mapping[str, str]:
        return self.reading.declared.get(self.reading._table(name, self.source), {})


@dataclass(frozen=True, slots=True)
class _SqlModel:
    """A model in SQL, before its macros are written out."""

    reading: _Reading
    definition: Definition
    file: _File
    name: str
    table: TableName
    source: Source
    variables: Mapping[str, str]

    def models(self) -> Iterator[Model]:
        """The model, and its audits."""
        header = self.definition.header
        kind = header.kind or self.reading.settings.default_kind
        if kind == "SEED":
            yield self._seed()
            return
        if kind == "EXTERNAL":
            yield self._bare(header.columns or None)
            return
        yield self._query(kind)
        for audit in header.items("audits"):
            yield from self.reading.audited(audit, self)

    def audit(self, name: str) -> Iterator[Model]:
        """The query of an audit: it becomes no table."""
        made = self._query("VIEW")
        if made.sql:
            yield replace(made, name=name, table=None, materialized="view")

    def _bare(self, columns: Mapping[str, str] | None) -> Model:
        """The model without its SQL."""
        place = self.file.place(self.definition.offset)
        made = Model(self.name, "", self.source, place, self.table, "nothing", columns)
        return replace(made, tags=self._tags(), description=self.definition.header.text("description"))

    def _tags(self) -> dict[str, tuple[str, ...]]:
        found = tuple(unquoted(tag) for tag in self.definition.header.items("tags"))
        return {"": found} if found else {}

    def _query(self, kind: str) -> Model:
        model = self._bare(self.definition.header.columns or None)
        number = self.definition.query
        macros = Macros(self.source.dialect, self.variables, OWN, self.reading._columns(self.source))
        made: list[str] = []
        try:
            for piece in self.definition.pieces:
                made.append("" if not piece.jinja and macros.define(piece.text) else self._written(piece, macros))
        except (MacroProblem, TemplateProblem, RecursionError) as problem:
            return self._unread(model, str(problem) or "macros are nested too deeply")
        finally:
            if not self._loaded:
                self.reading.unknown.add(macros.noticed, self.file.shown)
        if number is not None and self._loaded:
            made[number] = self._loaded
        if number is None:
            return self._unread(model, "it has no query")
        real = bare(words(made[number]))
        if not real or real[0].text.upper() not in _QUERY_WORDS:
            return self._unread(model, "its query is made by a macro that is not known")
        place = self.file.place(self.definition.pieces[number].offset)
        return replace(
            model,
            sql=_with_history(with_aliases(made[number], self.source.dialect), kind, self.definition),
            place=place,
            materialized="view" if kind in _VIEWS else "table",
            columns=None,
            before=tuple(each for each in made[:number] if each),
            after=tuple(each for each in made[number + 1 :] if each),
        )

    @property
    def _loaded(self) -> str:
        """Its query as SQLMesh renders it, if SQLMesh was asked; an audit has none."""
        return self.reading.loaded.get(plain_name(self.name), "") if self.definition.header.word == "MODEL" else ""

    def _written(self, piece: Piece, macros: Macros) -> str:
        text = piece.text
        if piece.jinja:
            this = self.variables.get("this_model", "")
            noticed = macros.noticed.macros
            text = self.reading.templates.rendered(
                text, this, self.reading.settings.gateway, lambda name: noticed.setdefault(name)
            )
        before = set(macros.noticed.macros)
        made = macros.written(text).strip().rstrip(";")
        is_unknown_call = not piece.is_query and text.startswith("@") and set(macros.noticed.macros) - before
        return "" if is_unknown_call else made

    def _unread(self, model: Model, why: str) -> Model:
        message = f"{self.name} is not read: {why}"
        hint = "`sqlmesh render` shows its SQL"
        self.reading.remarks.add(Code.UNREAD_MODEL, message, model.place, subject=self.name, hint=hint)
        return model

    def _seed(self) -> Model:
        """A seed: its columns are those that it declares, else those of its file's header."""
        header = self.definition.header
        written = unquoted(header.kind_properties.get("path", ""))
        path = (
            self.reading.file.parent / written.removeprefix("$root/")
            if written.startswith("$root/")
            else Path(self.file.shown).parent / written
        )
        delimiter = unquoted(
            properties(words(header.kind_properties.get("csv_settings", "").strip("()"))).get("delimiter", "")
        )
        columns = header.columns or _csv_columns(path, delimiter or ",")
        if not columns:
            message = f"the columns of the seed {self.name} are not known: {written or 'no file'} cannot be read"
            place = self.file.place(self.definition.offset)
            self.reading.remarks.add(Code.UNREADABLE_FILE, message, place, subject=self.name)
        self.reading.declared.setdefault(self.table, columns)
        return self._bare(columns or None)


def _named_values(row: str) -> dict[str, str]:
    """`(customer := acme, size = 3)` as SQL by name."""
    found = words(row)
    start = next((number for number, word in enumerate(found) if word.text == "("), None)
    end = closing(found, start) if start is not None else None
    inside = row[found[start].end : found[end].start] if start is not None and end is not None else row
    made = {}
    for each in list_of(f"({inside})"):
        name, mark, value = each.partition(":=") if ":=" in each else each.partition("=")
        if mark:
            made[name.strip().lower()] = value.strip()
    return made


def _inferred(path: str) -> str:
    """The name of a model that has none: by its folders below `models`."""
    return ".".join(PurePosixPath(path).with_suffix("").parts[1:][-3:])


def _with_history(sql: str, kind: str, definition: Definition) -> str:
    """A query of a table that keeps old rows, with the columns that say from when to when each row was true."""
    if not kind.startswith("SCD_TYPE_2"):
        return sql
    told = definition.header.kind_properties
    start, end = (
        unquoted(told.get("valid_from_name", "")) or "valid_from",
        unquoted(told.get("valid_to_name", "")) or "valid_to",
    )
    if kind == "SCD_TYPE_2_BY_COLUMN":
        times = f"CURRENT_TIMESTAMP AS {start}, CURRENT_TIMESTAMP AS {end}"
    else:
        updated = unquoted(told.get("updated_at_name", "")) or "updated_at"
        keys = ", ".join(list_of(told.get("unique_key", ""))) or "1"
        later = f"LEAD(history.{updated}) OVER (PARTITION BY {keys} ORDER BY history.{updated})"
        times = f"history.{updated} AS {start}, {later} AS {end}"
    return f"SELECT history.*, {times} FROM (\n{sql}\n) AS history"


def _catalogs(models: Iterable[Model]) -> dict[str, dict[str, Mapping[str, str]]]:
    """The columns of tables that files declare, by the dialect of each."""
    found: dict[str, dict[str, Mapping[str, str]]] = {}
    for model in models:
        if model.table and model.columns:
            found.setdefault(model.source.dialect, {})[dotted(model.table)] = model.columns
    return found


def _csv_columns(path: Path, delimiter: str) -> dict[str, str]:
    """The columns in the header of a CSV file."""
    try:
        with open_file(path) as file:
            start = decode(file.read(_HEADER)).text
        header = next(csv.reader(start.splitlines(), delimiter=delimiter[:1]), [])
    except (OSError, csv.Error, TypeError):
        return {}
    return {name.strip(): "" for name in header if name.strip()}
