"""What to install for a module that is not there."""

from __future__ import annotations

_EXTRAS = {
    "apache_atlas": "atlas",
    "deltalake": "delta",
    "duckdb": "verify",
    "fastapi": "server",
    "jinja2": "jinja",
    "mcp": "mcp",
    "numpy": "graph",
    "obstore": "object-stores",
    "openlineage": "openlineage",
    "pandas": "spark",
    "prometheus_client": "server",
    "py4j": "spark",
    "pyarrow": "graph",
    "pydantic": "server",
    "pygraphviz": "pictures",
    "pyiceberg": "iceberg",
    "pyspark": "spark",
    "sqlalchemy": "rdbms",
    "starlette": "server",
    "uvicorn": "server",
    "venv_pack": "cluster",
    "wasmtime": "zetasql",
    "yaml": "project",
    "zetasql": "zetasql",
}
"""The extra that installs each optional module."""


def extra_hint(error: ModuleNotFoundError) -> str:
    """One line about a missing module; empty if no extra installs it, which is a defect of ours."""
    name = (error.name or "").partition(".")[0]
    return f"{name} is not installed: pip install 'headwater[{_EXTRAS[name]}]'" if name in _EXTRAS else ""
