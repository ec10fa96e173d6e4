"""Names of a Python program to which only literals are assigned: the values that one may have where it is used."""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import NamedTuple

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)


class _Binding(NamedTuple):
    """One binding of a name: the value, if it is a plain assignment, and its line."""

    value: ast.expr | None
    line: int


class Names:
    """What is bound where in a program: looked up by the scope of a call."""

    def __init__(self, tree: ast.Module) -> None:
        self._bound: dict[ast.AST, dict[str, list[_Binding]]] = defaultdict(lambda: defaultdict(list))
        self._outer: dict[ast.AST, ast.AST] = {}
        self._scope: dict[ast.Call, ast.AST] = {}
        self._assigned: set[ast.Name] = set()
        self._collect(tree)

    def values(self, name: str, call: ast.Call) -> list[ast.expr]:
        """The values that a name may have where a call uses it; none if it is ever bound to anything but by assignment.

        `q = "SELECT 1"` counts if it stands before the call, or outside of the call's function.
        """
        own = scope = self._scope[call]
        while name not in self._bound[scope] and scope in self._outer:
            scope = self._outer[scope]
            while isinstance(scope, ast.ClassDef):
                scope = self._outer[scope]
        bindings = self._bound[scope].get(name, [])
        if any(binding.value is None for binding in bindings):
            return []
        return [b.value for b in bindings if b.value is not None and (scope is not own or b.line <= call.lineno)]

    def _collect(self, tree: ast.Module) -> None:
        pending: list[tuple[ast.AST, ast.AST]] = [(tree, tree)]
        while pending:
            node, scope = pending.pop()
            if isinstance(node, ast.Call):
                self._scope[node] = scope
            self._bind(node, scope, tree)
            inner = scope
            if isinstance(node, _SCOPES):
                self._outer[node] = scope
                inner = node
            pending.extend((child, inner) for child in ast.iter_child_nodes(node))

    def _bind(self, node: ast.AST, scope: ast.AST, tree: ast.Module) -> None:
        """Note what a node binds; of an assignment to a name, its value."""
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    self._bound[scope][target.id].append(_Binding(node.value, node.lineno))
                    self._assigned.add(target)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and node not in self._assigned:
            self._bound[scope][node.id].append(_Binding(None, node.lineno))
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            for name in node.names:
                self._bound[scope][name].append(_Binding(None, node.lineno))
                self._bound[tree][name].append(_Binding(None, node.lineno))
        else:
            self._bind_by_name(node, scope)

    def _bind_by_name(self, node: ast.AST, scope: ast.AST) -> None:
        """Parameters, imports, definitions, exceptions, captures: their names are plain strings."""
        name = None
        if isinstance(node, ast.arg):
            name = node.arg
        elif isinstance(node, ast.alias):
            name = (node.asname or node.name).partition(".")[0]
        elif isinstance(node, _NAMED):
            name = node.name
        if name is not None:
            self._bound[scope][name].append(_Binding(None, getattr(node, "lineno", 0)))
