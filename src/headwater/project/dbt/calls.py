"""Calls in the files of a project: `ref('orders', v=2)`, `source('till', 'orders')`, `Dimension('order__status').grain('day')`.

A call is a Python expression; only its name and its texts are looked at, nothing is run.
"""

from __future__ import annotations

import ast
import warnings
from typing import NamedTuple

_LONGEST = 2_000


class Call(NamedTuple):
    """A call: its function in lower case, and the texts that it is given."""

    function: str
    texts: tuple[str, ...]
    version: str = ""
    """What `v` or `version` says."""

    @property
    def name(self) -> str:
        """The first text."""
        return self.texts[0]


def call_of(written: str) -> Call | None:
    """The call that a text is, whatever is called on its result; None for anything else."""
    tree = _tree(written)
    while isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute):
        tree = tree.func.value
    if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name):
        return None
    versions = [keyword.value for keyword in tree.keywords if keyword.arg in ("v", "version")]
    others = [keyword.value for keyword in tree.keywords if keyword.value not in versions]
    given = (arg.value for arg in (*tree.args, *others) if isinstance(arg, ast.Constant))
    texts = tuple(value for value in given if isinstance(value, str))
    version = "".join(str(value.value) for value in versions if isinstance(value, ast.Constant))
    return Call(tree.func.id.lower(), texts, version) if texts else None


def _tree(written: str) -> ast.expr | None:
    if len(written) > _LONGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(written.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
