"""What every part of the reader needs: the manifest, the columns, where things stand, and where to complain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from headwater.project.dbt.catalog import Columns
from headwater.project.dbt.document import Document, text
from headwater.project.dbt.documented import documented_columns
from headwater.project.dbt.folder import Folder
from headwater.project.dbt.manifest import Manifest
from headwater.project.dbt.places import Places
from headwater.project.dbt.remarks import Remarks
from headwater.project.objects import Source
from headwater.sql.dialect import Dialect


@dataclass(frozen=True)
class Reading:
    """A project while it is read."""

    folder: Folder
    manifest: Manifest
    source: Source
    dialect: Dialect
    columns: Mapping[str, Columns]
    """Columns of the database by unique id."""
    places: Places
    remarks: Remarks

    @cached_property
    def relations(self) -> dict[str, str]:
        """The tables of nodes and sources by unique id, as SQL writes them."""
        every = (*self.manifest.nodes, *self.manifest.sources)
        return {text(node, "unique_id"): text(node, "relation_name") for node in every}

    def columns_of(self, node: Document) -> Columns:
        """The columns of a node's table: those of the database, else those that its files document."""
        return self.columns.get(text(node, "unique_id")) or documented_columns(node, self.dialect)
