"""Iceberg tables below a folder or URI, without a catalog server, in the layout of Iceberg's Hadoop catalog.

    lineage/relations/metadata/v7.metadata.json    the table's metadata after its seventh commit; the highest number is current
    lineage/relations/metadata/version-hint.text   7
    lineage/relations/data/…                       Parquet files

A commit creates the next metadata file. Creating fails if that number exists: so of two writers one succeeds. The hint is written
afterwards; readers that trust it may see the version before for a moment.
"""

from __future__ import annotations

import re

from pyiceberg.catalog.noop import NoopCatalog
from pyiceberg.exceptions import CommitFailedException, NoSuchTableError
from pyiceberg.partitioning import UNPARTITIONED_PARTITION_SPEC, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.table import CommitTableResponse, Table
from pyiceberg.table.metadata import TableMetadata, TableMetadataUtil, new_table_metadata
from pyiceberg.table.sorting import UNSORTED_SORT_ORDER, SortOrder
from pyiceberg.table.update import TableRequirement, TableUpdate, update_table_metadata
from pyiceberg.typedef import EMPTY_DICT, Identifier, Properties

from headwater.lakehouse.iceberg_files import StorageFiles
from headwater.storage import is_uri, local_path, open_storage

_METADATA = re.compile(r".*/metadata/v(\d+)\.metadata\.json")


class FolderCatalog(NoopCatalog):
    """The tables of a folder; what an export does not need is not implemented."""

    def __init__(self, place: str) -> None:
        super().__init__("folder")
        self._storage = open_storage(place)
        keeps_scheme = is_uri(place) and local_path(place) is None
        self._files = StorageFiles(self._storage, place if keeps_scheme else self._storage.uri)

    def create_table(
        self,
        identifier: str | Identifier,
        schema: Schema,
        location: str | None = None,
        partition_spec: PartitionSpec = UNPARTITIONED_PARTITION_SPEC,
        sort_order: SortOrder = UNSORTED_SORT_ORDER,
        properties: Properties = EMPTY_DICT,
    ) -> Table:
        """Create a table without rows."""
        name = self.table_name_from(identifier)
        place = location or f"{self._files.root}/{name}"
        self._commit(name, 1, new_table_metadata(schema, partition_spec, sort_order, place, properties))
        return self.load_table(identifier)

    def load_table(self, identifier: str | Identifier) -> Table:
        """A table as it is now."""
        name = self.table_name_from(identifier)
        number = self._number(name)
        if number == 0:
            raise NoSuchTableError(f"there is no table {name}")
        location = self._location(name, number)
        content = self._storage.read(self._files.key(location)).decode("utf-8")
        return Table((name,), TableMetadataUtil.parse_raw(content), location, self._files, self)

    def commit_table(
        self, table: Table, requirements: tuple[TableRequirement, ...], updates: tuple[TableUpdate, ...]
    ) -> CommitTableResponse:
        """Make changes the next version of a table."""
        name = self.table_name_from(table.name())
        current = self.load_table(name)
        for requirement in requirements:
            requirement.validate(current.metadata)
        changed = update_table_metadata(current.metadata, updates, metadata_location=current.metadata_location)
        location = self._commit(name, _number_of(current.metadata_location) + 1, changed)
        return CommitTableResponse.model_validate({"metadata": changed, "metadata-location": location})

    def _commit(self, name: str, number: int, metadata: TableMetadata) -> str:
        location = self._location(name, number)
        content = metadata.model_dump_json().encode()
        if not self._storage.create(self._files.key(location), content):
            raise CommitFailedException(f"{location} exists")
        self._storage.write(f"{name}/metadata/version-hint.text", str(number).encode())
        return location

    def _location(self, name: str, number: int) -> str:
        return f"{self._files.root}/{name}/metadata/v{number}.metadata.json"

    def _number(self, name: str) -> int:
        """The number of a table's current metadata; 0 if there is no table."""
        return max((_number_of(file.key) for file in self._storage.files(f"{name}/metadata/")), default=0)


def _number_of(location: str) -> int:
    found = _METADATA.fullmatch(location)
    return int(found[1]) if found else 0
