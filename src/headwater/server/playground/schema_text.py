"""The schema that comes with a script: JSON or DDL, always as text. What somebody types is never taken for the name of a file."""

from __future__ import annotations

from headwater.catalog import Catalog, CatalogError
from headwater.catalog.source import ddl_catalog, inline_catalog
from headwater.sql.dialect import Dialect


def catalog_in(text: str, dialect: Dialect) -> Catalog:
    """The catalog in a text that begins like JSON, or else is DDL; raises `CatalogError`."""
    if not text.strip():
        return Catalog()
    try:
        if text.lstrip().startswith(("{", "[")):
            return inline_catalog(text)
        return ddl_catalog(text, dialect)
    except CatalogError as error:
        raise CatalogError(f"the schema cannot be used: {error}") from error
    except RecursionError as error:
        raise CatalogError("the schema cannot be used: it is nested too deeply") from error
