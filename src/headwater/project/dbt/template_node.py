"""A node of a project with its template, and what becomes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from headwater.project.dbt.context.relation import Relation
from headwater.project.dbt.macros.mark_positions import Role
from headwater.source.template_map import TemplateMap


@dataclass(slots=True)
class TemplateNode:
    """A model, snapshot or analysis: its template, and what is known of it before that is rendered."""

    unique_id: str
    name: str
    kind: str
    package: str
    template: str
    config: dict[str, Any]
    """What folders and YAML files say; what the template itself says is added."""
    document: dict[str, Any]
    """What templates see as `model`."""
    relation: Relation = field(default_factory=Relation)
    version: str = ""
    latest: str = ""
    switches: tuple[str, ...] = ()
    """Variables that nobody sets and by whose defaults it is disabled."""
    sees: Mapping[str, Any] = field(default_factory=dict)
    """What its template sees beside what all templates see."""
    stands_in: tuple[str, int] | None = None
    """The text of the file that has its template, and the offset of the template there; None if no file has it."""

    @property
    def is_ephemeral(self) -> bool:
        """Whether it stands as a CTE in those that use it."""
        return self.config.get("materialized") == "ephemeral"


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a template makes: SQL, or the reason why not."""

    sql: str
    config: Mapping[str, object] = field(default_factory=dict)
    problem: str = ""
    incremental: str = ""
    """The SQL of a run that adds to the table, if that is another."""
    asked: int = 0
    """How often the database was asked for what is not known."""
    needs: tuple[str, ...] = ()
    """The unique ids of what it refers to."""
    unknown: Mapping[str, tuple[Role, ...]] = field(default_factory=dict)
    """Macros that it calls and that nobody has, with what their results stand for in the SQL."""
    made_by: str = ""
    """The macro that nobody has and that makes all of its SQL."""
    hooks: tuple[str, ...] = ()
    """Statements that run before or after it."""
    places: TemplateMap | None = None
    """Where the SQL stands in its file."""
    incremental_places: TemplateMap | None = None
