"""What a build is told; travels to the workers as it is."""

from __future__ import annotations

from dataclasses import dataclass, field

from headwater.budget import Budget
from headwater.catalog import Catalog


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
        """What of these shapes an analysis, besides the statement's own settings and the tables it asks for."""
        return self.ambiguous
