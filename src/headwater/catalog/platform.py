"""What is to be known of each database platform that the inspector does not tell: its SQL, its driver, its system schemas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from headwater.sql.dialect import UnknownDialect, dialect

_ANSI_SYSTEM = ("information_schema",)


@dataclass(frozen=True, slots=True)
class Platform:
    """A kind of database."""

    name: str
    """As its URLs begin."""
    dialect: str
    extra: str = ""
    """The extra that brings its driver."""
    driver: str = ""
    """The driver of URLs that name none."""
    system: tuple[str, ...] = _ANSI_SYSTEM
    """Patterns of the schemas that the database keeps for itself."""
    database: str = ""
    """A query for the name of the database, where tables are called `database.schema.table`."""
    search_path: str = ""
    """A query for the schemas in which unqualified names are looked up, where there may be several: their list is its first column. It
    empties the list for the connection, so that the database spells every name in a view's SQL with its schema."""
    schemas: str = ""
    """A query for the names of schemas, where the inspector's are something else."""
    connect: Mapping[str, object] = field(default_factory=dict)
    """Arguments for the driver."""
    view_right: str = ""
    """What a user must have to read the SQL of views, where seeing them is not enough."""
    is_file: bool = False
    """Whether the database is a file, which connecting would create."""


_PATIENCE = 10
"""Seconds for a server to answer."""

_PLATFORMS = {
    platform.name: platform
    for platform in (
        Platform(
            "postgresql",
            "postgres",
            "postgres",
            "psycopg",
            ("pg_*", "information_schema"),
            search_path="SELECT current_schemas(false), set_config('search_path', '', false)",
            connect={"connect_timeout": _PATIENCE},
        ),
        Platform(
            "redshift",
            "redshift",
            "redshift",
            "redshift_connector",
            ("pg_*", "information_schema", "catalog_history"),
            connect={"timeout": _PATIENCE},
        ),
        *(
            Platform(
                name,
                "mysql",
                "mysql",
                "pymysql",
                ("information_schema", "mysql", "performance_schema", "sys"),
                connect={"connect_timeout": _PATIENCE},
                view_right="the right SHOW VIEW",
            )
            for name in ("mysql", "mariadb")
        ),
        Platform("sqlite", "sqlite", "rdbms", system=(), is_file=True),
        Platform(
            "duckdb",
            "duckdb",
            "duckdb",
            system=("information_schema", "pg_catalog"),
            schemas="SELECT schema_name FROM duckdb_schemas() WHERE database_name = current_database() ORDER BY 1",
            connect={"read_only": True},
            is_file=True,
        ),
        Platform(
            "mssql",
            "tsql",
            "mssql",
            "pymssql",
            ("sys", "information_schema", "guest", "db_*"),
            database="SELECT db_name()",
            connect={"login_timeout": _PATIENCE},
            view_right="the right VIEW DEFINITION",
        ),
        Platform(
            "snowflake",
            "snowflake",
            "snowflake",
            database="SELECT current_database()",
            view_right="a role that owns the view, or another that may see its definition",
        ),
        Platform("bigquery", "bigquery", "bigquery", database="SELECT @@project_id"),
        Platform("trino", "trino", "trino", database="SELECT current_catalog"),
        Platform("databricks", "databricks", "databricks", database="SELECT current_catalog()"),
    )
}


def platform_named(name: str) -> Platform:
    """The platform whose URLs begin so; one that is not known here is asked as SQLAlchemy has it."""
    found = _PLATFORMS.get(name)
    if found is not None:
        return found
    try:
        spoken = dialect(name).name
    except UnknownDialect:
        spoken = "ansi"
    return Platform(name, spoken)
