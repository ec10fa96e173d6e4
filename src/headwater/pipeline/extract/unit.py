"""One unit to its records: the core's pure function, between what has travelled here and what is to travel on.

A unit is the text of a cut with everything that its meaning hangs on. Its statements, as a rule one, are resolved in order; each gives a
process, its entities and columns, its column-level relations, its diagnostics and definitions. Places count from the unit's start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from headwater.budget import resolved
from headwater.budget.run import Resolved
from headwater.captured import CAPTURED, read_job
from headwater.lineage.column_level import Eliminator
from headwater.lineage.level_limit import within_levels
from headwater.lineage.matched import with_matched_tables
from headwater.model.diagnostic import SEVERITY, Code
from headwater.model.entity import PERSISTENT, PSEUDO_ROWS, EntityKind, TableName, is_parameter, is_private
from headwater.model.kind import FDD, KINDS
from headwater.model.relation import OUTSIDE
from headwater.model.resolution import ORPHANS, Definition, Resolution, Wildcard
from headwater.model.span import LineIndex
from headwater.model.work import Work
from headwater.pipeline.extract.column_value import value_of
from headwater.pipeline.extract.definition import UNKNOWN, Given, digest, function_text, packed, routine_text, table_id
from headwater.pipeline.extract.kind_text import packed_kind
from headwater.pipeline.extract.records import RecordBuilder
from headwater.pipeline.extract.star_template import StarTemplates
from headwater.pipeline.options import Options
from headwater.project.resolved import PROJECT, resolve_statement
from headwater.project.written import read
from headwater.resolve import Session
from headwater.sql.dialect import Dialect, dialect
from headwater.sql.script import Script
from headwater.sql.source import Source
from headwater.store.identity import NOWHERE, column_id, entity_id, owned, process_id

_NO_PLACE = 2**31 - 1
"""The place of what a statement does not spell: behind all others, so that a spelling is preferred."""


class Unit(NamedTuple):
    """A text with what its meaning hangs on."""

    id: int
    raw: str
    readable: str | None
    dialects: str
    schema: str
    """The name of its own catalog, if it has one."""
    default_schema: TableName | None
    scope: int
    """The script, where the unit has to do with something temporary; else 0."""
    given: Given
    """Definitions by other units."""


class _Asked(dict[TableName, Definition]):
    """The definitions that a unit is given and makes; remembers what it was asked for."""

    def __init__(self, given: Mapping[TableName, Definition]) -> None:
        super().__init__(given)
        self.asked: dict[TableName, None] = {}

    def get(self, table: TableName, default: Definition | None = None) -> Definition | None:  # type: ignore[override]
        """What is known of a table."""
        self.asked[table] = None
        return super().get(table, default)


class Made(NamedTuple):
    """What other units want to know of a unit."""

    contents: list[str]
    """Its definitions, packed."""
    tables: list[int]
    """The tables and functions that it defines for all."""
    in_vain: list[int]
    """The tables that it asked for and nobody knew."""
    open: list[int]
    """The entities that it writes an open star into."""
    altered: list[int]
    """The entities that it alters."""
    wildcards: list[int]
    """The entities that it reads and that stand for many tables."""
    entities: list[int]
    """The entities that it speaks of."""
    processes: list[int]
    """The processes that its statements are."""
    crashed: bool = False
    """Whether it killed its process: that may have been chance."""


def analyse(unit: Unit, options: Options, records: RecordBuilder, guarded: bool = False) -> Made:
    """Add a unit's records. *guarded* takes every statement to a process of its own."""
    return _Analysis(unit, options, records, guarded).run()


class _Analysis:
    """A unit under way."""

    def __init__(self, unit: Unit, options: Options, records: RecordBuilder, guarded: bool) -> None:
        self._unit = unit
        self._guarded = guarded
        self._options = options
        self._records = records
        self._made: Iterator[Resolved] = _TEXTS.get(unit.dialects, _Analysis._statements)(self)
        self._asked = _Asked(unit.given.tables)
        known = (options.catalog_of(unit.schema), unit.default_schema, options.ambiguous, self._asked)
        self._session = Session(*known, insert_by=options.insert_by)
        self._session.define_functions(unit.given.functions)
        self._session.programs.update(unit.given.programs)
        self._lines = LineIndex(unit.raw)
        self._entities: set[int] = set()
        self._columns: set[int] = set()
        self._contents: list[str] = []
        self._lasting: list[int] = []
        self._own: set[int] = set()
        self._open: dict[int, None] = {}
        self._altered: dict[int, None] = {}
        self._wildcards: dict[int, None] = {}
        self._processes: dict[int, None] = {}
        self._definition_count = 0
        self._crashed = False

    def run(self) -> Made:
        unit = self._unit
        for item, each in enumerate(self._made):
            self._statement(item, each)
            self._definitions(each)
            self._session = self._session.after(each.resolution)
        in_vain: list[int] = []
        for table in (NOWHERE, *map(table_id, self._asked.asked)):
            found = unit.given.digest(table)
            self._records.asked((table, found))
            if found == UNKNOWN and table != NOWHERE and table not in self._own:
                in_vain.append(table)
        self._records.close(unit.id)
        of_stars = list(self._open), list(self._altered), list(self._wildcards)
        spoken_of = list(self._entities), list(self._processes)
        return Made(self._contents, self._lasting, in_vain, *of_stars, *spoken_of, self._crashed)

    def _statements(self) -> Iterator[Resolved]:
        """The unit's statements, each resolved when those before it are recorded."""
        unit = self._unit
        text = unit.raw if unit.readable is None else Source(unit.raw, unit.readable)
        dialects: list[Dialect] = [dialect(name) for name in unit.dialects.split(",")]
        budget = self._options.budget
        script = Script(text, dialects, postpone=True, all_heavy=self._guarded)
        statements = script.statements()
        while True:
            with Work(budget.limits, turn=budget.turn, is_here=True):
                statement = next(statements, None)
                if statement is None:
                    return
                made = resolved(statement, dialects, self._session, budget)
            for each in made:
                yield each._replace(resolution=within_levels(each.resolution, budget.limits)[0])

    def _job(self) -> Iterator[Resolved]:
        """The captured job that the unit is: its resolution is known."""
        job = read_job(self._unit.raw, self._unit.default_schema)
        yield Resolved(job.resolution, job.text, job.dialect)

    def _object(self) -> Iterator[Resolved]:
        """The object of a project that the unit is."""
        statement = read(self._unit.raw)
        if statement.places is not None:
            self._lines = LineIndex.of_starts(statement.places.lines)
        yield from resolve_statement(statement, self._session, self._options.budget)

    def _statement(self, item: int, made: Resolved) -> None:
        [resolution], process = with_matched_tables([made.resolution]), made.resolution.process
        identity = process_id(process.procedure, process.query_hash)
        self._processes[identity] = None
        start, end = process.span
        line, column = self._lines.position(start)
        words = (process.type, process.name, process.procedure, process.query_hash, made.dialect, made.sql)
        self._records.statement((item, start, end, line - 1, column - 1, identity, *words))
        self._relations(item, resolution, identity, start)
        for d in resolution.diagnostics:
            self._crashed |= d.code is Code.CRASHED
            place = d.span or process.span
            line, column = self._lines.position(place.start)
            said = (d.code.value, SEVERITY[d.code].value, d.message, d.subject, d.hint)
            self._records.diagnostic((item, *said, place.start, place.end, line - 1, column - 1))

    def _relations(self, item: int, resolution: Resolution, process: int, start: int) -> None:
        templates = StarTemplates(resolution)
        owners = _Owners(self, templates.resolution, process)
        for entity in (*resolution.read, *resolution.written):
            owners.entity(entity)
        for ordinal, output in enumerate(resolution.outputs):
            owners.output(output, ordinal)
        add = self._records.relation
        eliminator = Eliminator(templates.resolution, literals=False)
        for number, sources in eliminator.numbered():
            asked = templates.asked.get(number)
            target = owners.column(number) if asked is None else NOWHERE
            if asked is None and not any(KINDS[kind].type == FDD for _, kind, _ in sources):
                owners.value(number, value_of(eliminator, templates.resolution, number, sources))
            for source, kind, (expression, span) in sources:
                place = (None, None) if span is None else (span.start - start, span.end - start)
                words = (process, packed_kind(kind), expression, *place)
                if asked is None:
                    add((owners.column(source), target, *words))
                else:
                    entity, name = owners.end(source)
                    self._records.behind_star((owners.end(number)[0], asked, entity, templates.named(name), *words))
        if templates.written:
            self._stars(item, templates, owners)
        if resolution.altered:
            self._alterations(item, resolution, owners)
        for wildcard in resolution.wildcards:
            self._wildcard(item, resolution, owners, process, wildcard)

    def _stars(self, item: int, templates: StarTemplates, owners: _Owners) -> None:
        """Record what open stars are written into."""
        defined = {definition.table for definition in templates.resolution.defines if not definition.dropped}
        for number in templates.written:
            owner = owners.entity(number)
            defines = templates.resolution.entities[number].table in defined
            names = (templates.elsewhere(number), templates.ambiguous(), templates.said())
            self._records.star((item, owner, defines, *names))
            self._open[owner] = None

    def _alterations(self, item: int, resolution: Resolution, owners: _Owners) -> None:
        """Record the tables that are altered, and the columns that they get; one of no name is there for each table."""
        numbers = {row.table: number for number, row in enumerate(resolution.entities)}
        for table, name in dict.fromkeys([*((table, "") for table in resolution.altered), *resolution.added]):
            owner = owners.identity(numbers[table])
            self._records.alteration((item, owner, name))
            self._altered[owner] = None

    def _wildcard(self, item: int, resolution: Resolution, owners: _Owners, process: int, wildcard: Wildcard) -> None:
        """Record a name that stands for many tables, and what the statement has to do with it."""
        owner = owners.identity(wildcard.entity)
        names = [name for entity, name, _ in resolution.columns if entity == wildcard.entity and name != PSEUDO_ROWS]
        known = [entity_id(EntityKind.TABLE, table) for table, _ in wildcard.known]
        written = [owners.identity(each) for each in resolution.written if each != wildcard.entity]
        parts = [f"{how} {text}" for how, text in wildcard.parts]
        self._records.wildcard((item, owner, process, parts, names, known, written))
        self._wildcards[owner] = None

    def _definitions(self, made: Resolved) -> None:
        procedure = made.resolution.process.procedure
        for definition in made.resolution.defines:
            if procedure != OUTSIDE and is_private(definition.table):
                self._own.add(table_id(definition.table))
                continue
            content = "" if definition.dropped else packed(definition)
            scope = self._unit.scope if definition.temporary else NOWHERE
            owner = entity_id(EntityKind.TABLE, definition.table, scope)
            columns = definition.columns or {}
            kind = EntityKind.VIEW if definition.view else EntityKind.TABLE
            name = ".".join(definition.table)
            self.entity(
                *(owner, kind.value, list(definition.table), name, name, definition.temporary, scope, "", _NO_PLACE)
            )
            listed = ([column_id(owner, name) for name in columns], list(columns), list(columns.values()))
            flags = (definition.temporary, definition.dropped, definition.columns is not None)
            self._defined(table_id(definition.table), owner, flags, listed, content)
        for function in made.resolution.functions:
            if function.effects is not None:
                self._callable(function.name, routine_text(function))
        whole = {f.name for f in made.resolution.functions if f.effects is None}
        for spelled in sorted(whole | {name for name, _ in made.resolution.programs}):
            self._callable(spelled, function_text(made.sql, made.dialect, self._unit.default_schema))

    def _callable(self, name: TableName, content: str) -> None:
        self._defined(table_id(name), NOWHERE, (False, False, False), ([], [], []), content)

    def _defined(
        self, table: int, owner: int, flags: tuple[bool, ...], listed: tuple[list[Any], ...], content: str
    ) -> None:
        place = (self._definition_count, next(iter(self._processes), NOWHERE))
        self._records.definition((table, owner, *flags, *listed, content, digest(content), *place))
        self._definition_count += 1
        self._own.add(table)
        if content:
            self._contents.append(content)
            temporary = flags[0]
            self._lasting += [] if temporary else [table]

    def entity(self, identity: int, *fields: object) -> None:
        """Record an entity once."""
        if identity not in self._entities:
            self._entities.add(identity)
            self._records.entity((identity, *fields))

    def column(self, identity: int, *fields: object) -> None:
        """Record a column once."""
        if identity not in self._columns:
            self._columns.add(identity)
            self._records.column((identity, *fields))

    def column_value(self, identity: int, *fields: object) -> None:
        """Record a column once more, with its value: `stitch` puts both records together."""
        self._records.column((identity, *fields))

    @property
    def spells_names(self) -> bool:
        """Whether people wrote the names of its tables, and not a template."""
        return self._unit.dialects != PROJECT

    @property
    def scope(self) -> int:
        """The script of what is temporary."""
        return self._unit.scope


_TEXTS: Mapping[str, Callable[[_Analysis], Iterator[Resolved]]] = {
    CAPTURED: _Analysis._job,
    PROJECT: _Analysis._object,
}
"""How a unit is read whose text is no SQL, by what stands in the place of its dialect."""


class _Owners:
    """The entities and columns of one resolution, recorded as they are asked for."""

    def __init__(self, analysis: _Analysis, resolution: Resolution, process: int) -> None:
        self._analysis = analysis
        self._resolution = resolution
        self._process = process
        self._entities: dict[int, int] = {}
        self._columns: dict[int, int] = {}

    def entity(self, number: int) -> int:
        """The id of an entity."""
        found = self._entities.get(number)
        if found is None:
            found = self._entities[number] = self._recorded(number)
        return found

    def _recorded(self, number: int) -> int:
        row = self._resolution.entities[number]
        if row.kind not in PERSISTENT:
            return self._result()
        name, scope, identity = row.table or (row.spelled,), self._scope(number), self.identity(number)
        span = self._resolution.locate(row.place) if row.place is not None else None
        self._analysis.entity(
            *(identity, row.kind.value, list(name), ".".join(name), row.spelled, row.temporary, scope),
            *(row.file_format, span.start if span and self._analysis.spells_names else _NO_PLACE),
        )
        return identity

    def identity(self, number: int) -> int:
        """The id of an entity that is not recorded by this."""
        row = self._resolution.entities[number]
        return entity_id(row.kind, row.table or (row.spelled,), self._scope(number))

    def _scope(self, number: int) -> int:
        row = self._resolution.entities[number]
        if number == ORPHANS:
            return self._process
        is_own = row.temporary or (row.table is not None and is_parameter(row.table))
        return owned(self._analysis.scope, row.owner) if is_own else NOWHERE

    def _result(self) -> int:
        """The entity of what a query gives to whoever runs it."""
        name = f"query_{self._resolution.process.query_hash[:12]}"
        identity = entity_id(EntityKind.RESULT_SET, (name,), self._process)
        kind = EntityKind.RESULT_SET.value
        self._analysis.entity(identity, kind, [name], name, name, False, self._process, "", _NO_PLACE)
        return identity

    def column(self, number: int) -> int:
        """The id of a column."""
        found = self._columns.get(number)
        if found is None:
            entity, name, _ = self._resolution.columns[number]
            owner = self.entity(entity)
            found = self._columns[number] = column_id(owner, name)
            self._analysis.column(found, owner, name, None, number in self._resolution.inferred, None)
        return found

    def value(self, number: int, value: str | None) -> None:
        """Record what a column holds that no column flows into; that the column is there was recorded before."""
        if value is not None:
            entity, name, _ = self._resolution.columns[number]
            inferred = number in self._resolution.inferred
            self._analysis.column_value(self.column(number), self.entity(entity), name, None, inferred, value)

    def end(self, number: int) -> tuple[int, str]:
        """The entity and the name of a column that is not recorded."""
        entity, name, _ = self._resolution.columns[number]
        return self.entity(entity), name

    def output(self, number: int, ordinal: int) -> int:
        """The id of a query's output, which is known by its place."""
        name = self._resolution.columns[number][1]
        owner = self._result()
        found = self._columns[number] = column_id(owner, name, ordinal)
        self._analysis.column(found, owner, name, ordinal, False, None)
        return found
