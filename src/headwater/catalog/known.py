"""What is known of a live catalog, and since when: its search path, its schemas, their tables' names, and some tables' descriptions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from headwater.catalog.description import QUOTED, TableDescription
from headwater.model.entity import TableName

VERSION = 2
"""Of the form in which it is kept."""


class Schemas(NamedTuple):
    """The schemas of a catalog at some time, and in which of them unqualified names are looked up."""

    time: float
    path: tuple[TableName, ...]
    names: tuple[TableName, ...]


class Listing(NamedTuple):
    """The tables and views of a schema at some time, with their kinds."""

    time: float
    kinds: Mapping[str, str]


class KnownTable(NamedTuple):
    """A table as it was described, when that was still so, and the stamp that it had."""

    time: float
    stamp: str
    description: TableDescription


Timed = TypeVar("Timed", Listing, KnownTable)


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a catalog."""

    place: str
    schemas: Schemas | None = None
    listings: Mapping[TableName, Listing] = field(default_factory=dict)
    tables: Mapping[TableName, KnownTable] = field(default_factory=dict)

    def merged(self, other: Known) -> Known:
        """What either knows; of two that know the same thing, the later."""
        both = [known for known in (self.schemas, other.schemas) if known is not None]
        return Known(
            self.place,
            max(both, key=lambda known: known.time, default=None),
            _later(self.listings, other.listings),
            _later(self.tables, other.tables),
        )

    @property
    def times(self) -> list[float]:
        """When its parts were read."""
        times = [self.schemas.time] if self.schemas else []
        times += [listing.time for listing in self.listings.values()]
        return [*times, *(table.time for table in self.tables.values())]

    def as_json(self) -> dict[str, Any]:
        """In the form in which it is kept."""
        schemas = self.schemas
        return {
            "version": VERSION,
            "place": self.place,
            "schemas": {"time": schemas.time, "path": schemas.path, "names": schemas.names} if schemas else None,
            "listings": [{"schema": s, "time": t, "kinds": kinds} for s, (t, kinds) in self.listings.items()],
            "tables": [
                {"name": QUOTED.table(name), "time": t, "stamp": stamp, "description": description.as_json()}
                for name, (t, stamp, description) in self.tables.items()
            ],
        }

    @classmethod
    def of_json(cls, told: dict[str, Any]) -> Known:
        """What was kept; KeyError, TypeError or ValueError if it is of another version, or damaged."""
        if told["version"] != VERSION:
            raise ValueError("another version")
        schemas = told["schemas"]
        described = [
            KnownTable(float(t["time"]), str(t["stamp"]), TableDescription.of_json(t["name"], t["description"]))
            for t in told["tables"]
        ]
        return cls(
            str(told["place"]),
            Schemas(float(schemas["time"]), _names(schemas["path"]), _names(schemas["names"])) if schemas else None,
            {tuple(each["schema"]): Listing(float(each["time"]), dict(each["kinds"])) for each in told["listings"]},
            {table.description.name: table for table in described},
        )


def _names(lists: list[list[str]]) -> tuple[TableName, ...]:
    return tuple(tuple(name) for name in lists)


def _later(one: Mapping[TableName, Timed], other: Mapping[TableName, Timed]) -> dict[TableName, Timed]:
    found = dict(one)
    for name, known in other.items():
        if name not in found or found[name].time <= known.time:
            found[name] = known
    return found
