"""The names of a template that is rendered: its own, those that it was given, and macros that it calls without importing them."""

from __future__ import annotations

from typing import Any

from jinja2 import nodes
from jinja2.runtime import Context
from jinja2.utils import missing


class MacroContext(Context):
    """A context that asks its environment for macros that nothing else is called."""

    def resolve_or_missing(self, key: str) -> Any:
        """What a name stands for; the macro of that name comes last."""
        found = super().resolve_or_missing(key)
        find: Any = self.environment
        return find.macro_called(key) if found is missing else found


def names_called(tree: nodes.Template) -> set[str]:
    """The plain names that a template calls: `f` in `{{ f(1) }}`, not in `{{ f }}` or `{{ x.f(1) }}`."""
    return {call.node.name for call in tree.find_all(nodes.Call) if isinstance(call.node, nodes.Name)}
