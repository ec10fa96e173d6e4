"""Paths into variants: `v:price.amount` is a path below the column v, as in SQL.

Spark writes it as a call of `variant_get`. A call in the text takes the document as a whole; so the reader knows which paths the
statement writes with a colon.
"""

from __future__ import annotations

import re

from headwater.analyzers.catalyst.flow import flow, function, handles
from headwater.analyzers.catalyst.nested import value_of
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.select import Scope
from headwater.model.kind import under_operator
from headwater.resolve.field import path_of

COLON = "SemiStructuredExtract"
"""A path behind a colon, in a parsed statement."""
_STEP = re.compile(r"""\.(?P<name>[^.\[]+)|\['(?P<quoted>[^']*)'\]|\["(?P<double>[^"]*)"\]|\[(?P<index>\d+)\]""")
_COLUMNS = frozenset({"AttributeReference", "OuterReference"})


@handles("VariantGet")
def variant_path(scope: Scope, node: Node, target: int, kind: int) -> None:
    """What a path names; a subscript picks an element of it."""
    base, path = node.children
    text = str(path.fields.get("value"))
    if text not in scope.select.reader.documents:
        function(scope, node, target, kind)
        return
    steps = [*_STEP.finditer(text.removeprefix("$"))]
    picked = under_operator(kind) if any(step["index"] is not None for step in steps) else kind
    if base.name not in _COLUMNS:
        flow(scope, base, target, under_operator(kind))
        return
    keys = [key for step in steps if (key := _key(scope, step)) is not None]
    scope.edges.append((target, path_of(scope.builder, value_of(scope, base), keys), picked, None))


def _key(scope: Scope, step: re.Match[str]) -> str | None:
    """A key, folded where it is not quoted; None for a subscript."""
    if step["name"] is not None:
        return scope.select.fold(step["name"])
    return step["quoted"] if step["quoted"] is not None else step["double"]
