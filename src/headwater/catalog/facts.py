"""What a database says of some tables of a schema: columns, keys and comments, and why some of that could not be read."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from headwater.catalog.description import ColumnDescription, ForeignKey


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts about tables, by their names. A table without an entry in `columns` is one whose columns could not be read."""

    columns: dict[str, tuple[ColumnDescription, ...]] = field(default_factory=dict)
    comments: dict[str, str] = field(default_factory=dict)
    primary_keys: dict[str, tuple[str, ...]] = field(default_factory=dict)
    foreign_keys: dict[str, tuple[ForeignKey, ...]] = field(default_factory=dict)
    problems: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """What could not be read of a table, and why."""
