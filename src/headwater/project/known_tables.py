"""A project's own tables as a catalog: each name follows the rules of the dialect that it is written in."""

from __future__ import annotations

from functools import reduce

from headwater.catalog import Catalog
from headwater.project.objects import Project


def known_tables(project: Project) -> Catalog:
    """The columns of tables that a project's files tell of."""
    layers = (Catalog.spoken_in(spoken, tables) for spoken, tables in project.catalogs.items())
    return reduce(lambda high, low: high.over(low), layers, Catalog())
