"""The things that lineage connects: tables, views, result sets, functions, literals; and their columns."""

from __future__ import annotations

from typing import NamedTuple

from headwater.model.span import Span
from headwater.model.string_enum import StrEnum

PSEUDO_ROWS = "PseudoRows"
"""The name of the column that stands for an entity's row set."""

ORPHAN_TABLE = "pseudo_table_include_orphan_column"
"""The table that owns columns nobody else can own."""

TableName = tuple[str, ...]
"""Identity of a table: its folded name parts, outermost first, as many as are known."""


def is_private(name: TableName) -> bool:
    """Whether a table is known only to the routine that makes it, and to those it calls: T-SQL's `#t` and `@t`, but not `##t`."""
    return name[-1].startswith("@") or (name[-1].startswith("#") and not name[-1].startswith("##"))


def is_parameter(name: TableName) -> bool:
    """Whether a table's name is a variable whose value nobody knows, `$src`, `:t`, `?`: another script means another table by it."""
    last = name[-1]
    return last[:1] in ("$", ":", "?") or "||" in last


class EntityKind(StrEnum):
    """What an entity is. The first group is persistent, so is the second, of semantic layers; the third lives inside one statement."""

    TABLE = "table"
    VIEW = "view"
    PATH = "path"
    STAGE = "stage"
    ORPHAN = "pseudoTable"

    MODEL = "model"
    DIMENSION = "dimension"
    METRIC = "metric"
    INSIGHT = "insight"
    INPUT = "input"
    CHART = "chart"
    DASHBOARD = "dashboard"
    EXPOSURE = "exposure"

    RESULT_SET = "resultset"
    FUNCTION = "function"
    LITERAL = "literal"
    VARIABLE = "variable"


SEMANTIC = frozenset(
    {
        EntityKind.MODEL,
        EntityKind.DIMENSION,
        EntityKind.METRIC,
        EntityKind.INSIGHT,
        EntityKind.INPUT,
        EntityKind.CHART,
        EntityKind.DASHBOARD,
        EntityKind.EXPOSURE,
    }
)
"""What semantic layers define: worked out whenever somebody looks at it, as a view is."""

PERSISTENT = SEMANTIC | {EntityKind.TABLE, EntityKind.VIEW, EntityKind.PATH, EntityKind.STAGE, EntityKind.ORPHAN}


FILES = frozenset({EntityKind.PATH, EntityKind.STAGE})
"""What lies outside of the database, behind one pseudo column."""


class Entity(NamedTuple):
    """One entity of a statement's complete model.

    `name` is shown to people; `table` identifies a persistent entity and is None for the others. `type` is the seed's word
    for a result set (`select_list`, `insert-select`, `cte`, …), else the kind itself; a table that is a function's result is a `function`.
    """

    id: int
    kind: EntityKind
    type: str
    name: str
    table: TableName | None = None
    alias: str | None = None
    temporary: bool = False
    span: Span | None = None
    file_format: str = ""
    """Of a path or stage, if the statement names it."""
    spans: tuple[Span, ...] = ()
    """Every place where the statement names it; `span` is the first that was met."""
    owner: str = ""
    """The procedure that keeps it to itself, of a temporary table or table variable: another procedure's is another one."""

    @property
    def persistent(self) -> bool:
        """Whether it outlives its statement."""
        return self.kind in PERSISTENT


class Column(NamedTuple):
    """A column of an entity, or its row set. `inferred` marks columns that no schema vouches for."""

    id: int
    entity: int
    name: str
    ordinal: int | None = None
    inferred: bool = False
    span: Span | None = None

    @property
    def is_row_set(self) -> bool:
        """Whether it stands for the entity's rows."""
        return self.name == PSEUDO_ROWS


class ColumnRef(NamedTuple):
    """A column as the outside names it: the table's qualified, folded name (None for a bare SELECT's output) and the column."""

    table: str | None
    column: str

    def __str__(self) -> str:
        return self.column if self.table is None else f"{self.table}.{self.column}"
