"""Which lake a format and a place mean."""

from __future__ import annotations

from headwater.export.format import ExportError
from headwater.lakehouse.lake import Lake
from headwater.storage import local_path

_STORE_MARKER = "store.json"


def open_lake(format: str, place: str) -> Lake:
    """The tables of a place: a folder, a URI, or for Iceberg `iceberg://catalog/namespace`."""
    path = local_path(place)
    if path is not None and path.exists() and not path.is_dir():
        raise ExportError(f"{place} is a file: name a folder")
    if path is not None and (path / _STORE_MARKER).exists():
        raise ExportError(f"{place} is a store of lineage: name another folder for the tables")
    try:
        if format == "delta":
            from headwater.lakehouse.delta_lake import DeltaLake

            return DeltaLake(place)
        from headwater.lakehouse.iceberg_lake import IcebergLake

        return IcebergLake(place)
    except ModuleNotFoundError as missing:
        raise ExportError(f"{missing.name} is not installed: pip install 'headwater[{format}]'") from missing
