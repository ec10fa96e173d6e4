"""`read_dataform`: a Dataform project to a `Project`.

Nothing is run but the project's JavaScript, in an interpreter of our own (`js_run`), which reaches nothing outside. What is not worked
out is a placeholder in the SQL, with one remark for each function that gives it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from headwater.model.diagnostic import Code
from headwater.project.dataform.actions import QUERIES, Action, Written
from headwater.project.dataform.js_tokens import JsProblem
from headwater.project.dataform.js_values import documents, texts
from headwater.project.dataform.session import COMPILE, Session
from headwater.project.dataform.settings import SETTINGS_FILES, read_dataform_settings
from headwater.project.dbt.remarks import Remarks
from headwater.project.objects import Model, Operation, Place, Project, Source


def read_dataform(file: Path) -> Project:
    """The project of a settings file, or of the folder that it is in."""
    if file.is_dir():
        file = next((file / name for name in SETTINGS_FILES if (file / name).is_file()), file / SETTINGS_FILES[0])
    remarks = Remarks()
    settings = read_dataform_settings(file, remarks)
    session = Session(file.parent, settings, remarks)
    session.read()
    schema = tuple(part for part in (settings.database, settings.schema) if part)
    source = Source(settings.name, settings.dialect, Place(file.as_posix()), schema)
    models, operations = _Models(session, source).all()
    session.tell_unknown()
    return Project(
        name=settings.name,
        tool="dataform",
        sources=(source,),
        models=models,
        operations=operations,
        remarks=remarks.all(),
        files=tuple(dict.fromkeys((file.as_posix(), *session.files))),
    )


class _Models:
    """Makes models and operations of actions."""

    def __init__(self, session: Session, source: Source) -> None:
        self._session, self._source = session, source
        self._operations: list[Operation] = []

    def all(self) -> tuple[tuple[Model, ...], tuple[Operation, ...]]:
        """The models, and the operations that belong to none, or fill the table of one once more."""
        models = [model for action in self._session.actions for model in self._made(action)]
        outside = {model.table: model for model in reversed(models) if model.materialized == "nothing"}
        unique = (each for each in models if outside.get(each.table, each) is each or each.sql)
        return tuple(unique), tuple(self._operations)

    def _made(self, action: Action) -> Iterator[Model]:
        if action.config.get("disabled") is True:
            return
        try:
            if action.kind == "operations":
                yield from self._operation(action)
            elif action.kind == "declaration":
                yield self._model(action, None)
            elif action.kind in QUERIES or action.kind == "assertion":
                yield self._query(action)
            else:
                message = f"{action.name} is of a type that is not known: {action.kind}"
                self._remark(Code.UNSUPPORTED_CONSTRUCT, action, message)
        except (JsProblem, RecursionError) as problem:
            what = str(problem) if isinstance(problem, JsProblem) else "the text is nested too deeply"
            self._remark(Code.UNREAD_MODEL, action, f"{action.name} is not read: {what}")

    def _remark(self, code: Code, action: Action, message: str) -> None:
        self._session.remarks.add(code, message, action.place, subject=action.name, hint=COMPILE)

    def _query(self, action: Action) -> Model:
        """A query; of an incremental table, what a later run does is an operation if it is something else."""
        first = _Script.of(self._session, action, incremental=False)
        if first.query is None:
            self._remark(Code.UNREAD_MODEL, action, f"{action.name} has no query that is known")
            return self._model(action, None)
        if action.kind == "incremental":
            later = _Script.of(self._session, action, incremental=True)
            if later.query is not None and later != first:
                table = self._session.quoted(self._session.targets.table(action))
                sql = _joined(*later.before, f"INSERT INTO {table}\n{_bare(later.query.sql)}", *later.after)
                self._add(f"{action.name} (incremental)", sql, later.query.place, action)
        return self._model(action, first)

    def _model(self, action: Action, script: _Script | None) -> Model:
        query = script.query if script is not None else None
        materialized = (
            "nothing" if query is None else "view" if action.kind in ("view", "assertion", "inline") else "table"
        )
        return Model(
            name=".".join(self._session.targets.table(action)),
            sql=query.sql if query is not None else "",
            source=self._source,
            place=query.place if query is not None else action.place,
            table=self._session.targets.table(action),
            materialized=materialized,  # type: ignore[arg-type]
            tags=_tags(action),
            description=action.text("description"),
            before=script.before if script is not None else (),
            after=script.after if script is not None else (),
        )

    def _operation(self, action: Action) -> Iterator[Model]:
        """SQL that is run as it is; a table that it says to make is a model without a query."""
        script = list(self._session.writing(action, incremental=False).all(action.queries))
        for number, written in enumerate(script, 1):
            name = f"{action.name} ({number})" if len(script) > 1 else action.name
            self._add(name, written.sql, written.place, action)
        if action.config.get("hasOutput") is True:
            yield self._model(action, None)

    def _add(self, name: str, sql: str, place: Place, action: Action) -> None:
        has_table = action.kind != "operations" or action.config.get("hasOutput") is True
        table = self._session.targets.table(action) if has_table else None
        self._operations.append(Operation(name, sql, self._source, place, table))


class _Script:
    """What an action runs: SQL before its query, the query, SQL after it."""

    __slots__ = ("after", "before", "query")

    def __init__(self, before: tuple[str, ...], query: Written | None, after: tuple[str, ...]) -> None:
        self.before, self.query, self.after = before, query, after

    @classmethod
    def of(cls, session: Session, action: Action, *, incremental: bool) -> _Script:
        writing = session.writing(action, incremental=incremental)
        query = next(writing.all(action.queries), None)
        where = next(writing.all([action.incremental_where]), None) if incremental and query is not None else None
        if query is not None and where is not None:
            sql = f"SELECT * FROM (\n{_bare(query.sql)}\n) AS subquery WHERE (\n{where.sql}\n)"
            query = Written(sql, query.place)
        before = tuple(each.sql for each in writing.all(action.before))
        after = tuple(each.sql for each in writing.all(action.after))
        return cls(before, query, after)

    def __eq__(self, other: object) -> bool:
        own = (self.before, self.query, self.after)
        return isinstance(other, _Script) and own == (other.before, other.query, other.after)

    __hash__ = None  # type: ignore[assignment]


def _bare(sql: str) -> str:
    return sql.strip().rstrip(";")


def _joined(*statements: str) -> str:
    return ";\n".join(map(_bare, statements))


def _tags(action: Action) -> dict[str, tuple[str, ...]]:
    """Tags of an action, and the policy tags of its columns."""
    found = {"": texts(action.config.get("tags"))}
    for name, column in documents(action.config.get("columns")).items():
        policy = documents(column)
        found[name] = (*texts(policy.get("tags")), *texts(policy.get("bigqueryPolicyTags")))
    return {name: tags for name, tags in found.items() if tags}
