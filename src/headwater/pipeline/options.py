"""What a build is told; travels to the workers as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from headwater import __version__
from headwater.budget import Budget
from headwater.catalog import Catalog
from headwater.store.identity import identify


@dataclass(frozen=True, slots=True)
class Options:
    """How scripts are to be read."""

    dialect: str = "spark"
    default_schema: str = ""
    ambiguous: str = "candidates"
    catalog: Catalog = field(default_factory=Catalog)
    budget: Budget = field(default_factory=Budget)
    own: Mapping[str, Catalog] = field(default_factory=dict)
    """Catalogs that some scripts have of their own, by name."""
    insert_by: str = "position"

    def catalog_of(self, name: str) -> Catalog:
        """The catalog of that name; without a name, the common one."""
        return self.own[name] if name else self.catalog

    @property
    def key(self) -> str:
        """What shapes an analysis, besides the statement's own text and settings and the tables that other statements define."""
        named = [("", self.catalog), *sorted(self.own.items())]
        tables = [f"{name} {table!r}" for name, each in named for table in sorted(map(repr, each.tables(str, str)))]
        tables += [f"{name} {each.dialects}" for name, each in named]
        return f"{__version__} {self.ambiguous} {self.insert_by} {self.budget} {identify('catalog', *tables)}"
