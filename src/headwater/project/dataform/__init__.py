"""Projects of Dataform: actions in `.sqlx` files and in JavaScript."""

from headwater.project.dataform.read import read_dataform

__all__ = ["read_dataform"]
