"""A described table: what a database, or a file, says of a table besides the names of its columns.

    {"kind": "view", "columns": {"id": {"type": "INTEGER", "nullable": false}}, "sql": "CREATE VIEW …", "comment": "…"}

Names are those of the database itself, in their own case. In JSON they stand in double quotes where the database's dialect would fold them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from headwater.model.entity import TableName
from headwater.sql.dialect import Dialect
from headwater.sql.folding import Fold
from headwater.sql.spelled_name import bare, in_quotes, parts_of

TABLE, VIEW, MATERIALIZED_VIEW, EXTERNAL_TABLE = "table", "view", "materialized view", "external table"
VIEWS = (VIEW, MATERIALIZED_VIEW)

_TEXTS = ("kind", "sql", "default_schema", "comment", "problem")
_LISTS = ("primary_key", "foreign_keys", "tags")
_WORDS = frozenset({"columns", *_TEXTS, *_LISTS})
_SIGNS = frozenset('."`[]')
"""What means something in a name as a catalog spells it."""


class Spelling(NamedTuple):
    """How names are written in JSON: parts of tables' names, and columns."""

    part: Callable[[str], str] = in_quotes
    column: Callable[[str], str] = in_quotes

    @classmethod
    def of(cls, spoken: Dialect) -> Spelling:
        """In quotes only where a dialect would take the name for another without."""
        return cls(_where_needed(spoken.fold_table or spoken.fold_column), _where_needed(spoken.fold_column))

    def table(self, name: TableName) -> str:
        """A table's name."""
        return ".".join(map(self.part, name))


def _where_needed(fold: Fold) -> Callable[[str], str]:
    def spell(name: str) -> str:
        return name if fold(name, False) == fold(name, True) and not _SIGNS & set(name) else in_quotes(name)

    return spell


QUOTED = Spelling()


class ColumnDescription(NamedTuple):
    """A column, as far as it is described."""

    name: str
    type: str = ""
    nullable: bool | None = None
    comment: str = ""
    tags: tuple[str, ...] = ()
    generated: str = ""
    """The expression of a column that is always computed."""

    def as_json(self) -> dict[str, Any]:
        """What there is to say besides the name."""
        said: dict[str, Any] = {"type": self.type}
        if self.nullable is not None:
            said["nullable"] = self.nullable
        return said | _if_any(comment=self.comment, tags=list(self.tags), generated=self.generated)


class ForeignKey(NamedTuple):
    """Columns that refer to the key of another table."""

    columns: tuple[str, ...]
    table: TableName
    referred: tuple[str, ...]

    def as_json(self, spelling: Spelling) -> dict[str, Any]:
        """The key, as a catalog in JSON has it."""
        return {
            "columns": list(map(spelling.column, self.columns)),
            "table": spelling.table(self.table),
            "referred": list(map(spelling.column, self.referred)),
        }


@dataclass(frozen=True, slots=True)
class TableDescription:
    """A table or view, by the name that its database gives it."""

    name: TableName
    kind: str = TABLE
    columns: tuple[ColumnDescription, ...] = ()
    sql: str = ""
    """The statement that creates a view."""
    primary_key: tuple[str, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    comment: str = ""
    tags: tuple[str, ...] = ()
    default_schema: TableName = ()
    """The schema of unqualified names in its SQL, where that is not its own."""
    problem: str = ""
    """What of it could not be read, and why."""

    def as_json(self, spelling: Spelling = QUOTED) -> dict[str, Any]:
        """Everything but the name, as a catalog in JSON has it."""
        return {
            "kind": self.kind,
            "columns": {spelling.column(column.name): column.as_json() for column in self.columns},
        } | _if_any(
            sql=self.sql,
            primary_key=list(map(spelling.column, self.primary_key)),
            foreign_keys=[key.as_json(spelling) for key in self.foreign_keys],
            comment=self.comment,
            tags=list(self.tags),
            default_schema=spelling.table(self.default_schema),
            problem=self.problem,
        )

    @property
    def sql_schema(self) -> TableName:
        """The schema of unqualified names in its SQL."""
        return self.default_schema or self.name[:-1]

    @classmethod
    def of_json(cls, name: str, said: Mapping[str, Any]) -> TableDescription:
        """The description of a table that a catalog spells *name*."""
        return cls(
            parts_of(name),
            str(said.get("kind") or TABLE),
            tuple(_columns(said["columns"])),
            str(said.get("sql") or ""),
            _bare_names(said.get("primary_key")),
            tuple(_foreign_keys(said.get("foreign_keys"))),
            str(said.get("comment") or ""),
            tuple(map(str, said.get("tags") or ())),
            parts_of(str(said["default_schema"])) if said.get("default_schema") else (),
            str(said.get("problem") or ""),
        )


def is_description(value: Mapping[str, Any]) -> bool:
    """Whether a mapping describes a table: it has `columns`, and says something else of a table.

    With `columns` alone it might be a schema that has a table of this name.
    """
    others = value.keys() - {"columns"}
    if not others or not value.keys() <= _WORDS or not isinstance(value.get("columns"), (Mapping, list, tuple)):
        return False
    texts = all(isinstance(value[word], str) for word in _TEXTS if word in value)
    return texts and all(isinstance(value[word], list) for word in _LISTS if word in value)


def _columns(columns: Any) -> Iterable[ColumnDescription]:
    if isinstance(columns, Mapping):
        for name, said in columns.items():
            yield _column(str(name), said if isinstance(said, Mapping) else {"type": said})
    else:
        for column in columns:
            said = column if isinstance(column, Mapping) else {"name": column}
            yield _column(str(said.get("name", "")), said)


def _column(name: str, said: Mapping[str, Any]) -> ColumnDescription:
    nullable = said.get("nullable")
    return ColumnDescription(
        bare(name),
        str(said.get("type") or said.get("data_type") or ""),
        nullable if isinstance(nullable, bool) else None,
        str(said.get("comment") or said.get("description") or ""),
        tuple(map(str, said.get("tags") or ())),
        str(said.get("generated") or ""),
    )


def _foreign_keys(keys: Sequence[Any] | None) -> Iterable[ForeignKey]:
    for key in keys or ():
        if isinstance(key, Mapping) and key.get("table"):
            yield ForeignKey(
                _bare_names(key.get("columns")), parts_of(str(key["table"])), _bare_names(key.get("referred"))
            )


def _bare_names(names: Sequence[Any] | None) -> tuple[str, ...]:
    return tuple(bare(str(name)) for name in names or ())


def _if_any(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value}
