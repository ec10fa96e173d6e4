"""What tables exist and which columns they have: from mappings, JSON, CSV, DDL, and from what a script itself defines."""

from headwater.catalog.catalog import Catalog, CatalogError, TableSchema

__all__ = ["Catalog", "CatalogError", "TableSchema"]
