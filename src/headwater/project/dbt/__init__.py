"""Projects of dbt: models, sources, seeds, snapshots, exposures, and its semantic layer."""

from headwater.project.dbt.apart import read_dbt

__all__ = ["read_dbt"]
