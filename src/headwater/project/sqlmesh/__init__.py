"""Projects of SQLMesh: models and audits in SQL with macros, models in Python, seeds and external models."""

from headwater.project.sqlmesh.read import read_sqlmesh

__all__ = ["read_sqlmesh"]
