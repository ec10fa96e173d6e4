"""How pictures look: words and colours of cards by what they are, strokes of lines by their type. Dark on light."""

from __future__ import annotations

from typing import NamedTuple

from headwater.export.kinds import words
from headwater.export.records import Entity
from headwater.model.entity import EntityKind
from headwater.model.kind import FDD, FDR, JOIN_TYPE

PAPER, INK, MUTED, RULE = "#ffffff", "#1e293b", "#64748b", "#cbd5e1"


class Stroke(NamedTuple):
    """A line of a type: how it is drawn, and what it means."""

    colour: str
    style: str
    arrow: bool
    meaning: str
    sample: str


STROKES = {
    FDD: Stroke("#2563eb", "solid", True, "data", "———▸"),
    FDR: Stroke("#b45309", "dashed", True, "influence on rows", "– – –▸"),
    JOIN_TYPE: Stroke("#7c3aed", "dotted", False, "join", "· · · ·"),
}
TABLE_STROKE = Stroke("#475569", "solid", True, "", "")


def fill(kind: EntityKind) -> str:
    """The colour of a card's head."""
    return words(kind).fill


def word(entity: Entity) -> str:
    """What a card says of its entity beside its name; nothing of an ordinary table."""
    type_ = "" if entity.type in (EntityKind.TABLE, entity.name) else entity.type
    return f"temporary {type_}".strip() if entity.temporary else type_
