"""The source of chance: one seeded generator, the schema that USE named, and the words and literals that it draws."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from pipeline.tables import KEY, NUMBER, TEXT, TIME, Table

T = TypeVar("T")

_HOLE = re.compile("\x00([a-z])\x00")
_STEMS = ("net", "gross", "tax", "cost", "margin", "score", "rate", "fee", "bonus", "weight", "volume", "stock")
_LABELS = ("status", "country", "city", "segment", "channel", "currency", "email", "label", "category", "owner")
_ENTITIES = ("orders", "customers", "products", "payments", "shipments", "returns", "visits", "campaigns", "invoices")
_HOLES = {KEY: "k", NUMBER: "n", TEXT: "t", TIME: "d"}


@dataclass(slots=True)
class Chance:
    """Draws words, literals and tables; the same seed draws the same."""

    rng: random.Random
    default: str = ""
    """The schema that names without one belong to; empty if there is none."""
    relied: bool = False
    """Whether a name was written that only `default` completes."""
    tables: list[Table] = field(default_factory=list)
    reads: list[int] = field(default_factory=list)
    made: int = 0

    def likely(self, probability: float) -> bool:
        """True as often as that."""
        return self.rng.random() < probability

    def one(self, choices: Sequence[T]) -> T:
        """Any of these."""
        return choices[int(self.rng.random() * len(choices))]

    def some(self, choices: Sequence[T], low: int, high: int) -> list[T]:
        """Between *low* and *high* of these, in their order."""
        count = min(len(choices), self.rng.randint(low, max(low, high)))
        chosen = sorted(self.rng.sample(range(len(choices)), count))
        return [choices[i] for i in chosen]

    def number(self) -> int:
        """A fresh number."""
        self.made += 1
        return self.made

    def table_name(self) -> str:
        """A fresh name for a table."""
        return f"{self.one(_ENTITIES)}_{self.number()}"

    def column_name(self, type: str, taken: Sequence[str] | set[str]) -> str:
        """A name for a column, none of those that are taken."""
        stem = {KEY: "id", TIME: "changed_at", TEXT: self.one(_LABELS), NUMBER: self.one(_STEMS)}.get(type, "is_valid")
        if stem not in taken:
            return stem
        return next(name for i in range(2, 1000) if (name := f"{stem}_{i}") not in taken)

    def table(self) -> Table:
        """A table to read: now and then any, mostly one by how often it was read before, so that hubs arise."""
        if self.reads and self.likely(0.75):
            index = self.one(self.reads)
        else:
            index = int(self.rng.random() * len(self.tables))
        self.reads.append(index)
        return self.tables[index]

    def written(self, table: Table) -> str:
        """A table's name as a script may write it: without its schema where that is the default."""
        if not table.schema:
            return table.name
        if table.schema == self.default and self.likely(0.8):
            self.relied = True
            return table.name
        return f"{table.schema}.{table.name}" if self.likely(0.95) else f"`{table.schema}`.`{table.name}`"

    def literal(self, type: str) -> str:
        """A literal that shapes nothing: a hole, filled when the statement is written down."""
        return f"\x00{_HOLES[type]}\x00"

    def values(self) -> str:
        """A list of numbers in parentheses, of any length: a hole as well."""
        return "\x00l\x00"


def filled(template: str, rng: random.Random) -> str:
    """A template with literals in its holes."""
    return _HOLE.sub(lambda hole: _literal(hole.group(1), rng), template)


def _literal(kind: str, rng: random.Random) -> str:
    if kind == "k":
        return str(rng.randint(1, 99_999))
    if kind == "n":
        return f"{rng.randint(0, 9_999)}.{rng.randint(0, 99):02d}"
    if kind == "t":
        return f"'{rng.choice('abcdefgh')}{rng.randint(0, 999)}'"
    if kind == "d":
        return f"'20{rng.randint(10, 29)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}'"
    return "(" + ", ".join(str(rng.randint(1, 999)) for _ in range(rng.randint(1, 6))) + ")"
