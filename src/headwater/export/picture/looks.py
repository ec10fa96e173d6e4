"""How pictures look: words and colours of cards by what they are, strokes of lines by their type. Dark on light."""

from __future__ import annotations

import re
from typing import NamedTuple

from headwater.export import kinds
from headwater.export.records import Entity
from headwater.model.entity import EntityKind
from headwater.model.kind import FDD, FDR, FOREIGN_KEY, JOIN_TYPE, KINDS

_NUMBER = re.compile(r"-\d+$")
PAPER, INK, MUTED, RULE = "#ffffff", "#1e293b", "#64748b", "#cbd5e1"


class Stroke(NamedTuple):
    """A line of a type: how it is drawn, and what it means."""

    colour: str
    style: str
    arrow: bool
    meaning: str
    sample: str


STROKES = {
    FDD: Stroke("#2563eb", "solid", True, "data", "───▸"),
    FDR: Stroke("#b45309", "dashed", True, "influence on rows", "– – –▸"),
    JOIN_TYPE: Stroke("#7c3aed", "dotted", False, "join", "· · · ·"),
    KINDS[FOREIGN_KEY].clause: Stroke("#0f766e", "dotted", True, "foreign key", "· · ·▸"),
}
TABLE_STROKE = Stroke("#475569", "solid", True, "", "")


def fill(kind: EntityKind) -> str:
    """The colour of a card's head."""
    return kinds.words(kind).fill


def word(entity: Entity) -> str:
    """What a card says of its entity beside its name; nothing of an ordinary table, and nothing that `INSERT-SELECT-1` says itself."""
    told = entity.type == EntityKind.TABLE or _NUMBER.sub("", entity.name).lower() == entity.type
    type_ = "" if told else entity.type
    words = ("temporary" * entity.temporary, type_, f"in {entity.procedure}" if entity.procedure else "")
    return " ".join(filter(None, words))
