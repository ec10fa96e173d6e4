"""Which table an action is, and which one a reference means."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.model.entity import TableName
from headwater.model.suggestion import did_you_mean
from headwater.project.dataform.actions import Action
from headwater.project.dataform.js_values import Value, text_of
from headwater.project.dataform.settings import Settings


class Targets:
    """The tables of a project's actions."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._by_name: dict[str, list[Action]] = {}

    def add(self, action: Action) -> None:
        """Make an action known."""
        self._by_name.setdefault(action.name, []).append(action)

    def table(self, action: Action) -> TableName:
        """The table of an action: with the settings' suffixes and prefix, unless it is somebody else's."""
        database, schema = self._given(action)
        return self._table(database, schema, action.name, finalized=action.kind != "declaration")

    def _given(self, action: Action) -> tuple[str, str]:
        """Database and schema, without suffixes."""
        config, settings = action, self._settings
        own = settings.assertion_schema if action.kind == "assertion" else settings.schema
        database = config.text("database") or config.text("project") or settings.database
        return database, config.text("schema") or config.text("dataset") or own

    def _table(self, database: str, schema: str, name: str, *, finalized: bool) -> TableName:
        settings = self._settings
        if finalized:
            database = f"{database}_{settings.database_suffix}" if settings.database_suffix and database else database
            schema = f"{schema}_{settings.schema_suffix}" if settings.schema_suffix else schema
            name = f"{settings.name_prefix}_{name}" if settings.name_prefix else name
        return tuple(part for part in (database, schema, name) if part)

    def found(self, given: Sequence[Value]) -> tuple[Action | None, TableName, str]:
        """What a reference means: an action, its table, and a hint where there is none."""
        database, schema, name = _parts(given)
        known = [each for each in self._by_name.get(name, ()) if self._fits(each, database, schema)]
        if known:
            return known[0], self.table(known[0]), ""
        table = self._table(database or self._settings.database, schema or self._settings.schema, name, finalized=False)
        return None, table, did_you_mean(name, self._by_name)

    def _fits(self, action: Action, database: str, schema: str) -> bool:
        own = self._given(action)
        return database in ("", own[0]) and schema in ("", own[1], self._suffixed(own[1]))

    def _suffixed(self, schema: str) -> str:
        return f"{schema}_{self._settings.schema_suffix}" if self._settings.schema_suffix else schema


def _parts(given: Sequence[Value]) -> tuple[str, str, str]:
    """Database, schema and name of `ref("x")`, `ref("schema", "x")`, `ref({schema: "schema", name: "x"})`."""
    if len(given) == 1 and isinstance(given[0], list):
        given = given[0]
    if given and isinstance(given[0], dict):
        keys = (("database", "project"), ("schema", "dataset"), ("name",))
        found = [next((text_of(given[0][key]) for key in each if given[0].get(key)), "") for each in keys]
        return found[0], found[1], found[2]
    texts = ["", "", "", *(text_of(each) for each in given if each is not None)]
    return texts[-3], texts[-2], texts[-1]
