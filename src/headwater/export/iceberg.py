"""Apache Iceberg tables of a store: written by `headwater.lakehouse`."""

from __future__ import annotations

from headwater.export.format import Format

FORMAT = Format("iceberg", "Iceberg tables, a version for each snapshot", None, levels=("column",), is_lakehouse=True)
