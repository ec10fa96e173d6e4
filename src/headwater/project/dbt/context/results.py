"""Results of queries that are not run: one row that stands for all, so that loops over rows and columns have a round.

Its values are texts, `run_query_value`; what is made of them is named after a value that only the database knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from headwater.model.unknown_part import UNKNOWN_PART


class _UnknownValue(str):
    """A value that only the database knows: a text, and 1 where a template takes it for a number."""

    __slots__ = ()

    def __int__(self) -> int:
        return 1

    def __float__(self) -> float:
        return 1.0

    def __lt__(self, other: object) -> bool:
        return other > 1 if isinstance(other, (int, float)) else str.__lt__(self, str(other))

    def __le__(self, other: object) -> bool:
        return other >= 1 if isinstance(other, (int, float)) else str.__le__(self, str(other))

    def __gt__(self, other: object) -> bool:
        return other < 1 if isinstance(other, (int, float)) else str.__gt__(self, str(other))

    def __ge__(self, other: object) -> bool:
        return other <= 1 if isinstance(other, (int, float)) else str.__ge__(self, str(other))


VALUE = _UnknownValue(UNKNOWN_PART)


class UnknownColumn:
    """A column of a result."""

    name = VALUE

    def values(self) -> list[str]:
        """Its values."""
        return [VALUE]

    values_distinct = values_without_nulls = values

    def __iter__(self) -> Iterator[str]:
        return iter((VALUE,))

    def __getitem__(self, index: object) -> str:
        return VALUE

    def __len__(self) -> int:
        return 1


class UnknownRow:
    """A row of a result: every column of it has a value."""

    def values(self) -> list[str]:
        """Its values."""
        return [VALUE]

    def keys(self) -> list[str]:
        """The names of its columns."""
        return [VALUE]

    def items(self) -> list[tuple[str, str]]:
        """Its columns and values."""
        return [(VALUE, VALUE)]

    def dict(self) -> dict[str, str]:
        """Its columns and values."""
        return {VALUE: VALUE}

    def get(self, name: object, default: object = None) -> str:
        """The value of a column."""
        return VALUE

    def __iter__(self) -> Iterator[str]:
        return iter((VALUE,))

    def __getitem__(self, index: object) -> str:
        return VALUE

    def __len__(self) -> int:
        return 1


class _Columns:
    def __iter__(self) -> Iterator[UnknownColumn]:
        return iter((UnknownColumn(),))

    def __getitem__(self, index: object) -> UnknownColumn:
        return UnknownColumn()

    def __len__(self) -> int:
        return 1

    def keys(self) -> list[str]:
        return [VALUE]

    def values(self) -> list[UnknownColumn]:
        return [UnknownColumn()]

    def items(self) -> list[tuple[str, UnknownColumn]]:
        return [(VALUE, UnknownColumn())]

    def get(self, name: object, default: object = None) -> UnknownColumn:
        return UnknownColumn()


class UnknownTable:
    """The table that `run_query` gives."""

    columns = _Columns()
    column_names = (VALUE,)
    column_types = ("text",)

    @property
    def rows(self) -> list[UnknownRow]:
        """Its rows."""
        return [UnknownRow()]

    def print_table(self, *args: object, **named: object) -> str:
        """Nothing: nobody sees it."""
        return ""

    print_bars = print_csv = print_html = print_json = print_structure = to_csv = to_json = print_table

    def rename(self, *args: object, **named: object) -> UnknownTable:
        """A table that is made of it: as unknown as it is."""
        return self

    select = exclude = where = order_by = limit = distinct = rename
    join = merge = compute = pivot = normalize = denormalize = homogenize = rename

    def group_by(self, *args: object, **named: object) -> UnknownTables:
        """It in parts, by the values of a column."""
        return UnknownTables()

    def find(self, *args: object) -> UnknownRow:
        """One of its rows."""
        return UnknownRow()

    def aggregate(self, *args: object) -> str:
        """What is counted over its rows."""
        return VALUE

    def __iter__(self) -> Iterator[UnknownRow]:
        return iter(self.rows)

    def __getitem__(self, index: object) -> UnknownRow:
        return UnknownRow()

    def __len__(self) -> int:
        return 1


class UnknownTables:
    """A table in parts: one part that stands for all."""

    def get(self, key: object, default: object = None) -> UnknownTable:
        """A part."""
        return UnknownTable()

    def keys(self) -> list[str]:
        """The values by which it is divided."""
        return [VALUE]

    def values(self) -> list[UnknownTable]:
        """The parts."""
        return [UnknownTable()]

    def items(self) -> list[tuple[str, UnknownTable]]:
        """The values, each with its part."""
        return [(VALUE, UnknownTable())]

    def aggregate(self, *args: object) -> UnknownTable:
        """What is counted over each part."""
        return UnknownTable()

    def __iter__(self) -> Iterator[UnknownTable]:
        return iter(self.values())

    def __getitem__(self, key: object) -> UnknownTable:
        return UnknownTable()

    def __len__(self) -> int:
        return 1


class Results:
    """`statement`, `run_query`, `store_result` and `load_result`; *note* is told what the database was asked for."""

    def __init__(self, note: Callable[[], None]) -> None:
        self.note = note

    def run(self, sql: object = "", *args: object, **named: object) -> UnknownTable:
        """`run_query(sql)`: a table of one row."""
        self.note()
        return UnknownTable()

    def statement(self, name: object = None, *args: object, caller: object = None, **named: object) -> str:
        """What a `{% call statement %}` block holds is not run, and nothing is written."""
        self.note()
        return ""

    def load(self, name: object = "") -> dict[str, object]:
        """`load_result('name')`."""
        table = UnknownTable()
        return {"response": {"rows_affected": 0}, "data": table.rows, "table": table}

    def store(self, *args: object, **named: object) -> str:
        """`store_result(…)`: nothing is kept."""
        return ""
