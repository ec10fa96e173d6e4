"""SQLMesh's own loader: the queries of a project's models as SQLMesh renders them, by a Python that has SQLMesh.

It runs the project's Python code, so it is used only where `HEADWATER_SQLMESH_PYTHON` names that Python. SQLMesh needs another version of
sqlglot than Headwater, so it lives in an environment of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from headwater.model.diagnostic import Code
from headwater.project.dbt.remarks import Remarks
from headwater.project.objects import Place

SQLMESH_PYTHON = "HEADWATER_SQLMESH_PYTHON"
"""The variable of the environment that names a Python with SQLMesh."""
_SECONDS = 900
_BEGIN = "HEADWATER-READ"
_PROGRAM = f"""
import json, logging, sys
logging.disable(logging.CRITICAL)
from sqlglot import exp
from sqlmesh import Context

context = Context(paths=[sys.argv[1]], load=True)
found = {{}}
for model in context.models.values():
    if model.is_seed or model.is_python or model.kind.is_external:
        continue
    try:
        query = model.render_query(optimize=False)
    except Exception:
        query = None
    if query is None:
        continue
    query = query.copy()
    for table in query.find_all(exp.Table):
        if table.catalog == (context.default_catalog or ""):
            table.set("catalog", None)
    found[model.name] = query.sql(dialect=model.dialect, comments=False)
print("{_BEGIN}" + json.dumps(found))
"""


def rendered_queries(folder: Path, environment: Mapping[str, str], remarks: Remarks) -> dict[str, str]:
    """The SQL of models by name, if a Python with SQLMesh is named; nothing, with a remark, where SQLMesh does not load the project."""
    python = environment.get(SQLMESH_PYTHON, "")
    if not python:
        return {}
    try:
        done = subprocess.run(
            [python, "-c", _PROGRAM, str(folder)],
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=True,
            env={**os.environ, **environment},
        )
        found = json.loads(done.stdout.partition(_BEGIN)[2])
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        stderr = getattr(error, "stderr", "") or ""
        reason = next(
            (line.strip() for line in reversed(str(stderr).splitlines()) if line.strip()), type(error).__name__
        )
        message = f"SQLMesh does not load the project, so its files are read: {reason}"
        remarks.add(Code.TEMPLATE, message, Place(folder.as_posix()), subject=SQLMESH_PYTHON)
        return {}
    return {plain_name(str(name)): str(sql) for name, sql in found.items()}


def plain_name(name: str) -> str:
    """A model's name without quotes, in lower case: SQLMesh shows it as variables left it, `'staging'.orders`."""
    return name.translate({ord(quote): None for quote in "'\"`"}).lower()
