"""`Column`: what `get_columns_in_relation` and `api.Column` give."""

from __future__ import annotations

import re
from dataclasses import dataclass

from headwater.project.dbt.context.relation import DOUBLE, Quotes

_TEXT = ("char", "text", "string", "clob")
_FLOAT = ("float", "real", "double")
_WHOLE = ("int", "serial", "long")
_EXACT = ("numeric", "decimal", "number")
_SIZE = re.compile(r"\((\d+)(?:\s*,\s*(\d+))?\)")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its name and its type, as far as that is known."""

    column: str
    dtype: str = ""
    quotes: Quotes = DOUBLE

    @property
    def name(self) -> str:
        """Its name."""
        return self.column

    @property
    def quoted(self) -> str:
        """Its name in quotes."""
        return self.quotes.around(self.column)

    @property
    def data_type(self) -> str:
        """Its type."""
        return self.dtype

    @property
    def char_size(self) -> int | None:
        """How long its texts may be."""
        size = _SIZE.search(self.dtype)
        return int(size[1]) if size and self.is_string() else None

    @property
    def numeric_precision(self) -> int | None:
        """How many digits its numbers may have."""
        size = _SIZE.search(self.dtype)
        return int(size[1]) if size and self.is_numeric() else None

    @property
    def numeric_scale(self) -> int | None:
        """How many digits its numbers may have behind the point."""
        size = _SIZE.search(self.dtype)
        return int(size[2] or 0) if size and self.is_numeric() else None

    def is_string(self) -> bool:
        """Whether it holds texts."""
        return self._is(_TEXT)

    def is_number(self) -> bool:
        """Whether it holds numbers."""
        return self._is((*_FLOAT, *_WHOLE, *_EXACT))

    def is_numeric(self) -> bool:
        """Whether it holds exact numbers."""
        return self._is(_EXACT)

    def is_integer(self) -> bool:
        """Whether it holds whole numbers."""
        return self._is(_WHOLE)

    def is_float(self) -> bool:
        """Whether it holds numbers with a floating point."""
        return self._is(_FLOAT)

    def string_size(self) -> int:
        """How long its texts may be, by default 256."""
        return self.char_size or 256

    def _is(self, kinds: tuple[str, ...]) -> bool:
        return any(kind in self.dtype.lower() for kind in kinds)

    @staticmethod
    def string_type(size: int) -> str:
        """The type of texts of a length."""
        return f"character varying({size})"

    @staticmethod
    def numeric_type(dtype: str, precision: object = None, scale: object = None) -> str:
        """The type of exact numbers."""
        return dtype if precision is None else f"{dtype}({precision},{scale if scale is not None else 0})"

    @staticmethod
    def translate_type(dtype: str) -> str:
        """A type as it is."""
        return dtype

    def literal(self, value: object) -> str:
        """A value of the column's type."""
        return f"{value}::{self.dtype}"


class ColumnMaker:
    """`api.Column`: makes columns."""

    string_type, numeric_type = staticmethod(Column.string_type), staticmethod(Column.numeric_type)
    translate_type = staticmethod(Column.translate_type)

    def __init__(self, quotes: Quotes) -> None:
        self._quotes = quotes

    def __call__(self, column: str, dtype: str = "", *sizes: object, **_: object) -> Column:
        """A column of a name and a type."""
        return Column(str(column), str(dtype), self._quotes)

    def create(self, name: str, label_or_dtype: str = "") -> Column:
        """A column of a name and a type."""
        return Column(str(name), str(label_or_dtype), self._quotes)

    from_description = create
