"""What a build is told; travels to the workers as it is."""

from __future__ import annotations

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

    @property
    def key(self) -> str:
        """What shapes an analysis, besides the statement's own text and settings and the tables that other statements define."""
        tables = sorted(repr(table) for table in self.catalog.tables(str, str))
        return f"{__version__} {self.ambiguous} {identify('catalog', *tables)}"
